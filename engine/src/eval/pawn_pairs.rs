//! Pairs of pawns that are no more than two files apart: what one means for the other, wherever both stand.

use chess::{Bitboard, Color, Index, Position, Rank, Square};

use super::axis::Abreast;
use super::geometry::{turn_to, turned};
use super::ledger::Ledger;
use super::score::Score;
use super::terms::{PAWN_DUO, PAWN_FOE, Param};

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

/// What each pair is worth, looked up by its two squares. Where findings are not wanted one by one, this is their sum.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct PawnPairs {
    /// White's view: by a white pawn's square, whether the other pawn is Black's, and the other's square.
    worth: Box<[[[Score; 64]; Color::COUNT]; 64]>,
}

impl PawnPairs {
    pub(super) fn new(value: impl Fn(Param) -> Score) -> PawnPairs {
        let mut worth = Box::new([[[Score::ZERO; 64]; Color::COUNT]; 64]);
        let can_stand = |square: &Square| !matches!(square.rank(), Rank::First | Rank::Eighth);
        for pawn in Square::ALL.into_iter().filter(can_stand) {
            let view = View::of(Color::White, pawn);
            let at = pawn.to_usize();
            for other in LATER[Color::White.index()][at].into_iter().filter(can_stand) {
                let duo = value(PAWN_DUO.at(view.with(other)));
                worth[at][0][other.to_usize()] = duo;
                worth[other.to_usize()][0][at] = duo;
            }
            for other in NEAR[at].into_iter().filter(can_stand) {
                let foe =
                    value(PAWN_FOE.at(view.with(other))) - value(PAWN_FOE.at(View::of(Color::Black, other).with(pawn)));
                worth[at][1][other.to_usize()] = foe;
            }
        }
        PawnPairs { worth }
    }

    /// All pairs of both sides, White's view.
    #[inline(always)]
    pub(super) fn sum(&self, position: &Position) -> Score {
        let (white, black) = (position.by_piece(Color::White.pawn()), position.by_piece(Color::Black.pawn()));
        let mut sum = Score::ZERO;
        let mut rest = white;
        while let Some(pawn) = rest.pop_front() {
            let worth = &self.worth[pawn.to_usize()];
            // One loop over both: the end of each is foretold wrongly
            for other in (rest | black) & NEAR[pawn.to_usize()] {
                sum += worth[usize::from(black.contains(other))][other.to_usize()];
            }
        }
        let mut rest = black.flip_vertical();
        while let Some(pawn) = rest.pop_front() {
            for other in rest & NEAR[pawn.to_usize()] {
                sum -= self.worth[pawn.to_usize()][0][other.to_usize()];
            }
        }
        sum
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
