//! King safety: the pawns before the king and the lines that lead to it.

use chess::{Bitboard, ByColor, Color, Position, Rank};

use super::geometry::{beside, files, forward};
use super::ledger::Ledger;
use super::structure::Outline;
use super::terms::{KING_OPEN_FILE, KING_SEMI_OPEN_FILE, PAWN_SHIELD};

/// Pawn shield, and open and semi-open files at the king.
#[inline(always)]
pub(super) fn king<L: Ledger>(position: &Position, us: Color, outlines: &ByColor<Outline>, ledger: &mut L) {
    let king = position.king(us);
    let own_pawns = position.by_piece(us.pawn());
    let around = Bitboard::from_square(king) | beside(Bitboard::from_square(king));
    let before = forward(us, around);
    ledger.credit_each(PAWN_SHIELD.at(()), own_pawns & (before | forward(us, before)));

    // A file is counted by its square on the first rank
    let lines = files(around) & !outlines.get(us).files & Bitboard::from_rank(Rank::First);
    let attacked = lines & outlines.get(!us).files;
    ledger.credit(KING_OPEN_FILE.at(()), Some(king), (lines & !attacked).count() as i32);
    ledger.credit(KING_SEMI_OPEN_FILE.at(()), Some(king), attacked.count() as i32);
}
