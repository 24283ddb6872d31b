//! Pairs of pawns that are no more than two files apart: what one means for the other, wherever both stand.

use chess::{Bitboard, Color, Position, Rank, Square};

use super::axis::{Abreast, Flank};
use super::geometry::{beside, files};
use super::ledger::Ledger;
use super::terms::{PAWN_DUO, PAWN_FOE};

/// Own pawns with each other, the rear one first; own pawns with the enemy's.
#[inline(always)]
pub(super) fn pawn_pairs<L: Ledger>(position: &Position, us: Color, ledger: &mut L) {
    let (ours, theirs) = (position.by_piece(us.pawn()), position.by_piece((!us).pawn()));
    for pawn in ours {
        let near = near(pawn);
        for other in (ours & near).into_iter().filter(|&other| comes_first(us, pawn, other)) {
            ledger.credit(PAWN_DUO.at(seen(us, pawn, other)), Some(pawn), 1);
        }
        for other in theirs & near {
            ledger.credit(PAWN_FOE.at(seen(us, pawn, other)), Some(pawn), 1);
        }
    }
}

/// The file of a pawn and two to either side.
#[inline]
fn near(pawn: Square) -> Bitboard {
    let file = files(Bitboard::from_square(pawn));
    let next = file | beside(file);
    next | beside(next)
}

/// Of two own pawns the rear one comes first; beside each other, the one nearer to the edge.
#[inline]
fn comes_first(us: Color, pawn: Square, other: Square) -> bool {
    let order = |square: Square| (us.relative_rank(square.rank()), Flank::of(square.file()), square.file());
    order(pawn) < order(other)
}

/// Two pawns' files, turned so that the first is on the files a to d, and ranks, seen from a side.
#[inline]
fn seen(us: Color, pawn: Square, other: Square) -> (Abreast, (Rank, Rank)) {
    (Abreast::of(pawn.file(), other.file()), (us.relative_rank(pawn.rank()), us.relative_rank(other.rank())))
}
