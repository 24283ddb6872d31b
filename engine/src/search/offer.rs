//! Moves with scores, handed out from the best one down. Most lists are left after a few moves, so that they are not sorted:
//! the best one is looked for each time, several moves at once.

use arrayvec::ArrayVec;
use chess::{Move, MoveList};

/// Moves that are compared at once.
const LANES: usize = 8;
/// The rank of a score of zero, its place left out. Ranks are compared as floating-point numbers, whose order is that of their
/// bits as long as they are positive: every x86-64 processor finds the greater of four such numbers at once by one instruction,
/// which older ones do not have for whole numbers.
const MIDDLE: u32 = 0x4000_0000;
/// Scores stay within this, so that ranks are ordinary numbers.
const MOST: i32 = 1 << 21;
/// The rank of a move that was handed out, and of places without one: less than all others.
const GONE: f32 = f32::MIN_POSITIVE;

// The least rank is greater than that of nothing, and the greatest is a number
const _: () = assert!(
    MIDDLE - ((MOST as u32) << 8) > GONE.to_bits() && f32::from_bits(MIDDLE + ((MOST as u32) << 8)).is_finite()
);

/// Moves and their ranks.
pub(super) struct Offer {
    moves: MoveList,
    /// By place: the score, and below it the place, counted from the end, so that of two equals the first is ranked higher.
    /// Filled up to whole lanes.
    ranks: ArrayVec<f32, { MoveList::CAPACITY }>,
    /// The place of the best move that is left, if it was looked for already.
    next: Option<usize>,
}

impl Offer {
    #[inline]
    pub(super) fn new() -> Offer {
        Offer { moves: MoveList::new(), ranks: ArrayVec::new(), next: None }
    }

    /// An empty list for new moves, which are then to be ranked. What was offered before is forgotten.
    #[inline]
    pub(super) fn list(&mut self) -> &mut MoveList {
        self.moves.clear();
        self.ranks.clear();
        self.next = None;
        &mut self.moves
    }

    /// Ranks the moves of the list.
    #[inline]
    pub(super) fn rank(&mut self, score: impl Fn(Move) -> i32) {
        let mut place_from_end = 0xff;
        for moves in self.moves.chunks(LANES) {
            let mut ranks = [GONE; LANES];
            for (rank, &mv) in ranks.iter_mut().zip(moves) {
                let score = score(mv);
                debug_assert!((-MOST..MOST).contains(&score), "{score} is no score that can be ranked");
                *rank = f32::from_bits(MIDDLE.wrapping_add_signed(score << 8) | place_from_end);
                place_from_end -= 1;
            }
            self.ranks.try_extend_from_slice(&ranks).expect("there is room for as many ranks as moves");
        }
    }

    /// The best move that is left, and its score.
    #[inline(always)]
    pub(super) fn best(&mut self) -> Option<(Move, i32)> {
        let best = match self.next {
            Some(place) if self.ranks[place] != GONE => self.ranks[place],
            _ => self.greatest(),
        };
        self.next = None;
        if best == GONE {
            return None;
        }
        let place = place_of(best);
        self.ranks[place] = GONE;
        Some((self.moves[place], best.to_bits().wrapping_sub(MIDDLE) as i32 >> 8))
    }

    /// The move that will be the best one that is left, if nothing is left out.
    #[inline(always)]
    pub(super) fn upcoming(&mut self) -> Option<Move> {
        let best = self.greatest();
        if best == GONE {
            return None;
        }
        let place = place_of(best);
        self.next = Some(place);
        Some(self.moves[place])
    }

    /// The greatest rank that is left.
    #[inline(always)]
    fn greatest(&self) -> f32 {
        let mut best = [GONE; LANES];
        for ranks in self.ranks.as_chunks::<LANES>().0 {
            for (best, &rank) in best.iter_mut().zip(ranks) {
                *best = greater(rank, *best);
            }
        }
        let [a, b, c, d, e, f, g, h] = best;
        let [a, b, c, d] = [greater(a, e), greater(b, f), greater(c, g), greater(d, h)];
        greater(greater(a, c), greater(b, d))
    }

    /// Leaves out what is not wanted any more.
    pub(super) fn keep(&mut self, is_wanted: impl Fn(Move) -> bool) {
        for (rank, &mv) in self.ranks.iter_mut().zip(self.moves.iter()) {
            if *rank != GONE && !is_wanted(mv) {
                *rank = GONE;
            }
        }
    }
}

/// The place of a move with this rank.
#[inline]
fn place_of(rank: f32) -> usize {
    !rank.to_bits() as usize & 0xff
}

/// Simpler than `f32::max`, which has to think of what is no number.
#[inline]
fn greater(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Position;

    #[test]
    fn moves_come_by_score_and_equals_in_the_order_of_the_list() {
        let position = Position::initial();
        let mut offer = Offer::new();
        position.quiets(offer.list());
        let moves = offer.moves.to_vec();
        assert_eq!(moves.len(), 20);
        for scores in [[-70_000, 0, 3, 70_000], [-MOST, MOST - 1, -1, 0], [0; 4]] {
            position.quiets(offer.list());
            let score = |mv: Move| scores[mv.bits() as usize % 4];
            offer.rank(score);
            let mut expected = moves.clone();
            expected.sort_by_key(|&mv| -score(mv));
            let offered: Vec<(Move, i32)> = std::iter::from_fn(|| offer.best()).collect();
            assert_eq!(offered, expected.iter().map(|&mv| (mv, score(mv))).collect::<Vec<_>>());
            assert_eq!(offer.best(), None, "an offer that was used up stays so");
        }
    }

    #[test]
    fn what_was_left_out_does_not_come() {
        let position = Position::initial();
        let mut offer = Offer::new();
        position.quiets(offer.list());
        offer.rank(|mv| i32::from(mv.bits() & 63));
        let (first, _) = offer.best().unwrap();
        offer.keep(|mv| mv == first || mv.to().rank() == chess::Rank::Fourth);
        let rest: Vec<Move> = std::iter::from_fn(|| offer.best()).map(|(mv, _)| mv).collect();
        assert!(rest.iter().all(|mv| *mv != first && mv.to().rank() == chess::Rank::Fourth), "{rest:?}");
        assert!(matches!(rest.len(), 7 | 8), "{rest:?}");
    }
}
