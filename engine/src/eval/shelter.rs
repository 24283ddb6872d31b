//! The pawns before the king: its own that shelter it, and the enemy's that storm.

use chess::{Bitboard, Color, File, Position, Square};

use super::axis::{Flank, UpTo};
use super::geometry::{ahead, forward};
use super::ledger::Ledger;
use super::terms::{BLOCKED_STORM, SHELTER, STORM};

/// Looks at the king's file and the ones beside it.
#[inline(always)]
pub(super) fn shelter<L: Ledger>(position: &Position, us: Color, ledger: &mut L) {
    let king = position.king(us);
    let row = Bitboard::from_rank(king.rank());
    let region = row | ahead(us, row);
    let (ours, theirs) = (position.by_piece(us.pawn()) & region, position.by_piece((!us).pawn()) & region);
    let centre = king.file().to_u32().clamp(1, 6);
    for file in [centre - 1, centre, centre + 1].map(File::new) {
        let line = Bitboard::from_file(file);
        let (own, enemy) = (nearest(us, ours & line), nearest(us, theirs & line));
        let (own_steps, enemy_steps) = (steps(king, own), steps(king, enemy));
        ledger.credit(SHELTER.at((Flank::of(file), UpTo(own_steps))), Some(king), 1);
        let is_blocked = enemy.is_some_and(|enemy| (forward(us, ours) & Bitboard::from_square(enemy)).any());
        if is_blocked {
            ledger.credit(BLOCKED_STORM.at(UpTo(enemy_steps)), Some(king), 1);
        } else {
            ledger.credit(STORM.at((Flank::of(file), UpTo(enemy_steps))), Some(king), 1);
        }
    }
}

/// The pawn that is nearest to the king's side of the board.
#[inline]
fn nearest(us: Color, pawns: Bitboard) -> Option<Square> {
    if us.is_white() { pawns.first() } else { pawns.last() }
}

/// Ranks from the king to a pawn; a pawn beside the king counts as one rank ahead, none as 0.
#[inline]
fn steps(king: Square, pawn: Option<Square>) -> usize {
    pawn.map_or(0, |pawn| (king.rank().to_u32().abs_diff(pawn.rank().to_u32()) as usize).max(1))
}
