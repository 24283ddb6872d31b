//! Passed pawns: what stands in their way, and who is near.

use chess::{Bitboard, Color, Position, Role, Square, attacks};

use super::axis::UpTo;
use super::geometry::{ahead, distance, forward};
use super::ledger::Ledger;
use super::scene::Scene;
use super::terms::{
    PASSER_CLEAR, PASSER_ENEMY_KING, PASSER_ENEMY_ROOK_BEHIND, PASSER_HELD, PASSER_OWN_KING, PASSER_ROOK_BEHIND,
    PASSER_STEP, PASSER_UNSTOPPABLE, PASSER_WATCHED,
};

/// The path of each passed pawn, both kings, rooks behind.
#[inline(always)]
pub(super) fn passers<L: Ledger>(position: &Position, us: Color, passers: Bitboard, scene: &Scene, ledger: &mut L) {
    if passers.is_empty() {
        return;
    }
    let (occupied, own_view, enemy_view) = (position.occupied(), scene.view(us), scene.view(!us));
    let kings = (position.king(us), position.king(!us));
    let rooks = position.by_role(Role::Rook);
    for pawn in passers {
        let rank = us.relative_rank(pawn.rank());
        let single = Bitboard::from_square(pawn);
        let (step, path) = (forward(us, single), ahead(us, single));
        if (step & occupied).any() {
            ledger.credit(PASSER_HELD.at(rank), Some(pawn), 1);
        } else if (path & (occupied | enemy_view.all)).is_empty() {
            ledger.credit(PASSER_CLEAR.at(rank), Some(pawn), 1);
        } else if (step & enemy_view.all & !own_view.all).any() {
            ledger.credit(PASSER_WATCHED.at(rank), Some(pawn), 1);
        } else {
            ledger.credit(PASSER_STEP.at(rank), Some(pawn), 1);
        }
        if let Some(next) = step.first() {
            ledger.credit(PASSER_OWN_KING.at((rank, UpTo(distance(kings.0, next)))), Some(pawn), 1);
            ledger.credit(PASSER_ENEMY_KING.at((rank, UpTo(distance(kings.1, next)))), Some(pawn), 1);
        }
        let behind = ahead(!us, single) & rooks;
        if behind.any() {
            let seen = attacks::rook_attacks(pawn, occupied) & behind;
            ledger.credit(PASSER_ROOK_BEHIND.at(()), Some(pawn), i32::from((seen & position.by_color(us)).any()));
            let by_enemy = (seen & position.by_color(!us)).any();
            ledger.credit(PASSER_ENEMY_ROOK_BEHIND.at(()), Some(pawn), i32::from(by_enemy));
        }
    }
    let lone_king = position.by_piece((!us).king()) | position.by_piece((!us).pawn());
    if position.by_color(!us) == lone_king {
        unstoppable(position, us, passers, ledger);
    }
}

/// A pawn whose square the enemy's king cannot enter in time, if it has nothing else to stop it with.
#[inline(always)]
fn unstoppable<L: Ledger>(position: &Position, us: Color, passers: Bitboard, ledger: &mut L) {
    let king = position.king(!us);
    let runs_away = |pawn: &Square| {
        let path = ahead(us, Bitboard::from_square(*pawn));
        let Some(goal) = (if us.is_white() { path.last() } else { path.first() }) else { return false };
        // The pawn's double step counts as one
        let steps = (path.count()).min(5);
        let lead = usize::from(position.turn() != us);
        (path & position.occupied()).is_empty() && distance(king, goal) > steps + lead
    };
    if let Some(pawn) = passers.into_iter().find(runs_away) {
        ledger.credit(PASSER_UNSTOPPABLE.at(()), Some(pawn), 1);
    }
}
