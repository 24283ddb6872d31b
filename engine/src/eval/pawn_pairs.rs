//! Pairs of pawns that are no more than two files apart: what one means for the other, wherever both stand.

use chess::{Bitboard, Color, Index, Position, Rank, Square};

use super::axis::Abreast;
use super::geometry::{turn_to, turned};
use super::ledger::Ledger;
use super::terms::{PAWN_DUO, PAWN_FOE};

/// Own pawns with each other, the rear one first; own pawns with the enemy's.
#[inline(always)]
pub(super) fn pawn_pairs<L: Ledger>(position: &Position, us: Color, ledger: &mut L) {
    let (ours, theirs) = (position.by_piece(us.pawn()), position.by_piece((!us).pawn()));
    for pawn in ours {
        let view = View::of(us, pawn);
        // One loop over both: the end of each is foretold wrongly
        for other in (ours & LATER[us.index()][pawn.to_usize()]) | (theirs & NEAR[pawn.to_usize()]) {
            let term = if ours.contains(other) { PAWN_DUO } else { PAWN_FOE };
            ledger.credit(term.at(view.with(other)), Some(pawn), 1);
        }
    }
}

/// How a pawn sees the board: from its own side, and turned so that it stands on the files a to d itself.
struct View {
    /// What turns a square so.
    turn: u32,
    pawn: Square,
}

impl View {
    #[inline]
    fn of(us: Color, pawn: Square) -> View {
        let turn = turn_to(us, pawn);
        View { turn, pawn: turned(pawn, turn) }
    }

    /// Both pawns' files and ranks.
    #[inline]
    fn with(&self, other: Square) -> (Abreast, (Rank, Rank)) {
        let other = turned(other, self.turn);
        (Abreast::of(self.pawn.file(), other.file()), (self.pawn.rank(), other.rank()))
    }
}

/// By square: the squares on the same file and on two files to either side.
static NEAR: [Bitboard; 64] = near(None);

/// By side and an own pawn's square: the squares near it of own pawns that come after it in a pair. The rear one comes first;
/// beside each other, the one nearer to the edge, or else the left one.
static LATER: [[Bitboard; 64]; Color::COUNT] = [near(Some(0)), near(Some(7))];

/// The squares near each square; only those that come later for the side whose first rank is given.
const fn near(first_rank: Option<u32>) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut pair = 0;
    while pair < 64 * 64 {
        let (pawn, other) = (pair / 64, pair % 64);
        let is_wanted = match first_rank {
            Some(first_rank) => order(pawn, first_rank) < order(other, first_rank),
            None => true,
        };
        if is_wanted && (pawn % 8).abs_diff(other % 8) <= 2 {
            table[pawn as usize].0 |= 1 << other;
        }
        pair += 1;
    }
    table
}

const fn order(square: u32, first_rank: u32) -> u32 {
    let (file, rank) = (square % 8, (square / 8).abs_diff(first_rank));
    let from_edge = if file < 4 { file } else { 7 - file };
    64 * rank + 8 * from_edge + file
}
