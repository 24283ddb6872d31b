//! Each pawn by where each king is. This depends on pawns and kings alone and is remembered with the shelter, so that large
//! tables cost little.

use chess::{Color, Position};

use super::axis::Flank;
use super::geometry::{turn_to, turned};
use super::ledger::Ledger;
use super::terms::{KING_ENEMY_PAWN, KING_OWN_PAWN};

/// Own pawns and the enemy's, as a side's king sees them.
#[inline(always)]
pub(super) fn king_pawns<L: Ledger>(position: &Position, us: Color, ledger: &mut L) {
    let king = position.king(us);
    let turn = turn_to(us, king);
    let (file, rank) = (Flank::of(king.file()), turned(king, turn).rank());
    for (pawns, term) in [(us.pawn(), KING_OWN_PAWN), ((!us).pawn(), KING_ENEMY_PAWN)] {
        for pawn in position.by_piece(pawns) {
            ledger.credit(term.at((file, (rank, turned(pawn, turn)))), Some(pawn), 1);
        }
    }
}
