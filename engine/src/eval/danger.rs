//! Danger to the enemy's king. Findings add up to a danger, and the danger's curve makes many small ones a great one.

use chess::{Bitboard, ByColor, Color, File, Position, Rank, Role, Square, attacks};

use super::axis::UpTo;
use super::geometry::{beside, ranks};
use super::ledger::Ledger;
use super::scene::Scene;
use super::structure::Outline;
use super::terms::{
    DANGER_BASE, DANGER_TURN, KING_BLOCKER, KING_LINES, KNIGHT_DEFENDER, MORE_SAFE_CHECKS, NO_QUEEN, SAFE_CHECK,
    UNSAFE_CHECK, WEAK_RING, WING_ATTACK, WING_DEFENCE,
};

/// Checks, weak squares and lines at the king. What attacks the squares about it is credited by [`Scene`].
#[inline(always)]
pub(super) fn danger<L: Ledger>(
    position: &Position,
    us: Color,
    outlines: &ByColor<Outline>,
    scene: &Scene,
    ledger: &mut L,
) {
    let them = !us;
    let king = position.king(them);
    let (ours, theirs) = (scene.view(us), scene.view(them));
    ledger.credit(DANGER_BASE.at(()), None, 1);
    ledger.credit(DANGER_TURN.at(()), None, i32::from(position.turn() == us));
    ledger.credit(NO_QUEEN.at(()), None, i32::from(position.by_piece(us.queen()).is_empty()));

    // Attacked, and defended by nothing but king or queen
    let weak = ours.all & !theirs.twice & (!theirs.all | theirs.by_role.king | theirs.by_role.queen);
    ledger.credit(WEAK_RING.at(()), Some(king), (theirs.ring & weak).count() as i32);
    checks(position, us, scene, weak, ledger);
    ledger.credit(KING_BLOCKER.at(()), Some(king), theirs.blockers.count() as i32);

    let wing = wing(king.file()) & ranks(them, Rank::First, Rank::Fifth);
    let attacks_there = (ours.all & wing).count() + (ours.twice & wing).count();
    ledger.credit(WING_ATTACK.at(()), Some(king), attacks_there as i32);
    ledger.credit(WING_DEFENCE.at(()), Some(king), (theirs.all & wing).count() as i32);

    // A file is counted by its square on the first rank
    let first = Bitboard::from_square(Square::from_coords(king.file(), Rank::First));
    let lines = (first | beside(first)) & !outlines.get(them).files;
    ledger.credit(KING_LINES.at(UpTo(lines.count())), Some(king), 1);
    let defends = (theirs.by_role.knight & theirs.by_role.king).any();
    ledger.credit(KNIGHT_DEFENDER.at(()), Some(king), i32::from(defends));
}

/// Checks that are possible, safe or not.
#[inline(always)]
fn checks<L: Ledger>(position: &Position, us: Color, scene: &Scene, weak: Bitboard, ledger: &mut L) {
    let them = !us;
    let king = position.king(them);
    let (ours, theirs) = (scene.view(us), scene.view(them));
    // Their queen does not shield the king: it would have to give way
    let occupied = position.occupied() ^ position.by_piece(them.queen());
    let straight = attacks::rook_attacks(king, occupied);
    let diagonal = attacks::bishop_attacks(king, occupied);
    let open = !position.by_color(us);
    let safe = open & (!theirs.all | (weak & ours.twice));
    let mut unsafe_checks = Bitboard::EMPTY;
    for (role, from) in [
        (Role::Knight, attacks::knight_attacks(king)),
        (Role::Bishop, diagonal),
        (Role::Rook, straight),
        (Role::Queen, (straight | diagonal) & !theirs.by_role.queen),
    ] {
        let checks = from & *ours.by_role.get(role) & open;
        let safe_checks = checks & safe;
        if safe_checks.any() {
            ledger.credit(SAFE_CHECK.at(role), Some(king), 1);
            ledger.credit(MORE_SAFE_CHECKS.at(role), Some(king), i32::from(safe_checks.more_than_one()));
        } else if role != Role::Queen {
            unsafe_checks |= checks;
        }
    }
    ledger.credit(UNSAFE_CHECK.at(()), Some(king), unsafe_checks.count() as i32);
}

/// The files where a king on this file is attacked.
#[inline]
fn wing(file: File) -> Bitboard {
    const QUEENSIDE: Bitboard = Bitboard(0x0f0f_0f0f_0f0f_0f0f);
    const CENTRE: Bitboard = Bitboard(0x3c3c_3c3c_3c3c_3c3c);
    const KINGSIDE: Bitboard = Bitboard(0xf0f0_f0f0_f0f0_f0f0);
    match file {
        File::A | File::B | File::C => QUEENSIDE,
        File::D | File::E => CENTRE,
        File::F | File::G | File::H => KINGSIDE,
    }
}
