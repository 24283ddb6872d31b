//! Where pieces stand in relation to pawns, kings and queens.

use chess::{Bitboard, ByColor, Color, Position, Rank, Role, attacks};

use super::axis::UpTo;
use super::geometry::{CENTRE, CENTRE_FILES, LONG_DIAGONALS, ahead, distance, forward, ranks, same_colour};
use super::ledger::Ledger;
use super::scene::Scene;
use super::structure::Outline;
use super::terms::{
    BISHOP_BLOCKED_CENTRE, BISHOP_KING_DISTANCE, BISHOP_LONG_DIAGONAL, BISHOP_OUTPOST, BISHOP_OWN_PAWNS, HARRIED_QUEEN,
    KNIGHT_KING_DISTANCE, KNIGHT_NEAR_OUTPOST, KNIGHT_OUTPOST, MINOR_BEHIND_PAWN, ROOK_CLOSED_FILE, ROOK_ON_QUEEN_FILE,
    SPACE, TRAPPED_ROOK,
};

/// Outposts, minor pieces, rooks, queens, and the space that pawns have won.
#[inline(always)]
pub(super) fn posts<L: Ledger>(
    position: &Position,
    us: Color,
    outlines: &ByColor<Outline>,
    scene: &Scene,
    ledger: &mut L,
) {
    let safe_land = ranks(us, Rank::Fourth, Rank::Sixth) & !outlines.get(!us).reach;
    minors(position, us, scene, safe_land, ledger);
    bishops(position, us, ledger);
    rooks(position, us, outlines.get(us), ledger);
    queens(position, us, ledger);

    let home = CENTRE_FILES & ranks(us, Rank::Second, Rank::Fourth);
    let taken = position.by_piece(us.pawn()) | scene.view(!us).by_role.pawn;
    ledger.credit(SPACE.at(UpTo((home & !taken).count())), None, 1);
}

/// Knights and bishops: outposts, cover by pawns, distance from the king.
#[inline(always)]
fn minors<L: Ledger>(position: &Position, us: Color, scene: &Scene, safe_land: Bitboard, ledger: &mut L) {
    let (knights, bishops) = (position.by_piece(us.knight()), position.by_piece(us.bishop()));
    if (knights | bishops).is_empty() {
        return;
    }
    let view = scene.view(us);
    let held = view.by_role.pawn;
    ledger.credit_each(KNIGHT_OUTPOST.at(true), knights & safe_land & held);
    ledger.credit_each(KNIGHT_OUTPOST.at(false), knights & safe_land & !held);
    ledger.credit_each(BISHOP_OUTPOST.at(true), bishops & safe_land & held);
    ledger.credit_each(BISHOP_OUTPOST.at(false), bishops & safe_land & !held);
    let goals = safe_land & held & !position.by_color(us);
    for knight in knights & !safe_land {
        if (attacks::knight_attacks(knight) & goals).any() {
            ledger.credit(KNIGHT_NEAR_OUTPOST.at(()), Some(knight), 1);
        }
    }
    let behind = forward(!us, position.by_role(Role::Pawn));
    ledger.credit_each(MINOR_BEHIND_PAWN.at(()), (knights | bishops) & behind);
    let king = position.king(us);
    for knight in knights {
        ledger.credit(KNIGHT_KING_DISTANCE.at(UpTo(distance(knight, king))), Some(knight), 1);
    }
    for bishop in bishops {
        ledger.credit(BISHOP_KING_DISTANCE.at(UpTo(distance(bishop, king))), Some(bishop), 1);
    }
}

/// Bishops and the pawns on their colour.
#[inline(always)]
fn bishops<L: Ledger>(position: &Position, us: Color, ledger: &mut L) {
    let (bishops, pawns) = (position.by_piece(us.bishop()), position.by_piece(us.pawn()));
    if bishops.is_empty() {
        return;
    }
    let blocked = (pawns & CENTRE_FILES & forward(!us, position.occupied())).count() as i32;
    for bishop in bishops {
        let alike = (pawns & same_colour(bishop)).count();
        ledger.credit(BISHOP_OWN_PAWNS.at(UpTo(alike)), Some(bishop), 1);
        ledger.credit(BISHOP_BLOCKED_CENTRE.at(()), Some(bishop), blocked * alike as i32);
    }
    // From elsewhere no two squares of the centre are seen
    for bishop in bishops & LONG_DIAGONALS {
        if (attacks::bishop_attacks(bishop, position.by_role(Role::Pawn)).with(bishop) & CENTRE).more_than_one() {
            ledger.credit(BISHOP_LONG_DIAGONAL.at(()), Some(bishop), 1);
        }
    }
}

/// Rooks on files with queens, behind stuck pawns, and shut in.
#[inline(always)]
fn rooks<L: Ledger>(position: &Position, us: Color, pawns: &Outline, ledger: &mut L) {
    let rooks = position.by_piece(us.rook());
    if rooks.is_empty() {
        return;
    }
    let queens_files = position.by_role(Role::Queen).into_iter().map(|queen| Bitboard::from_file(queen.file()));
    ledger
        .credit_each(ROOK_ON_QUEEN_FILE.at(()), rooks & queens_files.fold(Bitboard::EMPTY, |files, file| files | file));
    let stuck = position.by_piece(us.pawn()) & forward(!us, position.occupied());
    ledger.credit_each(ROOK_CLOSED_FILE.at(()), rooks & ahead(!us, stuck));

    // On the first rank between the king and the nearer edge, with own pawns on the way out
    let king = position.king(us);
    let first = Bitboard::from_rank(us.relative_rank(Rank::First));
    if first.contains(king) {
        let can_castle = (position.castling_rooks() & first).any();
        for rook in rooks & first & pawns.files {
            let (file, kings) = (rook.file().to_u32(), king.file().to_u32());
            if (kings >= 4 && file > kings) || (kings <= 3 && file < kings) {
                ledger.credit(TRAPPED_ROOK.at(can_castle), Some(rook), 1);
            }
        }
    }
}

/// Queens that are looked at through one piece.
#[inline(always)]
fn queens<L: Ledger>(position: &Position, us: Color, ledger: &mut L) {
    let (occupied, them) = (position.occupied(), !us);
    let diagonal = position.by_piece(them.bishop());
    let straight = position.by_piece(them.rook());
    for queen in position.by_piece(us.queen()) {
        let lookers = (attacks::bishop_attacks(queen, Bitboard::EMPTY) & diagonal)
            | (attacks::rook_attacks(queen, Bitboard::EMPTY) & straight);
        let is_harried = lookers.into_iter().any(|looker| {
            let between = attacks::between(queen, looker) & occupied;
            between.any() && !between.more_than_one()
        });
        if is_harried {
            ledger.credit(HARRIED_QUEEN.at(()), Some(queen), 1);
        }
    }
}
