//! Threats: what is attacked by less, or not defended enough.

use chess::{Bitboard, Color, Position, Rank, Role, Square, attacks};

use super::geometry::{forward, pawn_attacks, ranks};
use super::ledger::Ledger;
use super::scene::Scene;
use super::terms::{
    HANGING, KNIGHT_ON_QUEEN, RESTRICTED, SLIDER_ON_QUEEN, THREAT_BY_KING, THREAT_BY_MINOR, THREAT_BY_PAWN,
    THREAT_BY_PUSH, THREAT_BY_QUEEN, THREAT_BY_ROOK,
};

/// What a side threatens.
#[inline(always)]
pub(super) fn threats<L: Ledger>(position: &Position, us: Color, scene: &Scene, ledger: &mut L) {
    let them = !us;
    let (ours, theirs) = (scene.view(us), scene.view(them));
    let king = position.by_piece(them.king());
    let targets = position.by_color(them) & !king;
    let pieces = targets & !position.by_role(Role::Pawn);

    // Well defended: by a pawn, or more often than it is attacked
    let held = theirs.by_role.pawn | (theirs.twice & !ours.twice);
    let weak = targets & ours.all & !held;

    each(position, pieces & ours.by_role.pawn, |role, square| ledger.credit(THREAT_BY_PAWN.at(role), Some(square), 1));
    let by_minors = ours.by_role.knight | ours.by_role.bishop;
    each(position, weak & by_minors, |role, square| ledger.credit(THREAT_BY_MINOR.at((false, role)), Some(square), 1));
    each(position, pieces & held & by_minors, |role, square| {
        ledger.credit(THREAT_BY_MINOR.at((true, role)), Some(square), 1);
    });
    let by_rooks = ours.by_role.rook;
    each(position, weak & by_rooks, |role, square| ledger.credit(THREAT_BY_ROOK.at((false, role)), Some(square), 1));
    each(position, pieces & held & by_rooks, |role, square| {
        ledger.credit(THREAT_BY_ROOK.at((true, role)), Some(square), 1);
    });
    each(position, weak & ours.by_role.queen, |role, square| ledger.credit(THREAT_BY_QUEEN.at(role), Some(square), 1));
    if (weak & ours.by_role.king).any() {
        ledger.credit(THREAT_BY_KING.at(()), None, 1);
    }
    ledger.credit_each(HANGING.at(()), weak & (!theirs.all | (pieces & ours.twice)));

    let contested = ours.all & theirs.all & !held;
    ledger.credit(RESTRICTED.at(()), None, contested.count() as i32);

    pushes(position, us, scene, pieces, ledger);
    on_queen(position, us, scene, held, ledger);
}

/// Pieces that safe steps of pawns would attack.
#[inline(always)]
fn pushes<L: Ledger>(position: &Position, us: Color, scene: &Scene, pieces: Bitboard, ledger: &mut L) {
    let (ours, theirs) = (scene.view(us), scene.view(!us));
    let free = !position.occupied();
    let single = forward(us, position.by_piece(us.pawn())) & free;
    let double = forward(us, single & ranks(us, Rank::Third, Rank::Third)) & free;
    let safe = (single | double) & !theirs.by_role.pawn & (ours.all | !theirs.all);
    each(position, pieces & pawn_attacks(us, safe), |role, square| {
        ledger.credit(THREAT_BY_PUSH.at(role), Some(square), 1);
    });
}

/// Squares from which the enemy's only queen could be attacked.
#[inline(always)]
fn on_queen<L: Ledger>(position: &Position, us: Color, scene: &Scene, held: Bitboard, ledger: &mut L) {
    let queens = position.by_piece((!us).queen());
    let Some(queen) = queens.single_square() else { return };
    let ours = scene.view(us);
    let safe = !position.by_color(us) & !held;
    let knights = attacks::knight_attacks(queen) & ours.by_role.knight & safe;
    ledger.credit(KNIGHT_ON_QUEEN.at(()), Some(queen), knights.count() as i32);
    let occupied = position.occupied();
    let sliders = (attacks::bishop_attacks(queen, occupied) & ours.by_role.bishop)
        | (attacks::rook_attacks(queen, occupied) & ours.by_role.rook);
    ledger.credit(SLIDER_ON_QUEEN.at(()), Some(queen), (sliders & safe & ours.twice).count() as i32);
}

/// Shows some pieces one by one.
#[inline(always)]
fn each(position: &Position, pieces: Bitboard, mut found: impl FnMut(Role, Square)) {
    for square in pieces {
        if let Some(role) = position.role_on(square) {
            found(role, square);
        }
    }
}
