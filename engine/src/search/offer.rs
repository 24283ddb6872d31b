//! Moves with scores, handed out from the best one down. Most lists are left after a few moves, so that they are not sorted:
//! the best one is looked for each time, several moves at once.

use arrayvec::ArrayVec;
use chess::{Move, MoveList};

/// Moves that are compared at once.
const LANES: usize = 8;
/// The rank of a move that was handed out, and of places without one.
const GONE: i32 = i32::MIN;

/// Moves and their ranks.
pub(super) struct Offer {
    moves: MoveList,
    /// By place: the score, and below it the place, counted from the end, so that of two equals the first is ranked higher.
    /// Filled up to whole lanes.
    ranks: ArrayVec<i32, { MoveList::CAPACITY }>,
}

impl Offer {
    #[inline]
    pub(super) fn new() -> Offer {
        Offer { moves: MoveList::new(), ranks: ArrayVec::new() }
    }

    /// An empty list for new moves, which are then to be ranked. What was offered before is forgotten.
    #[inline]
    pub(super) fn list(&mut self) -> &mut MoveList {
        self.moves.clear();
        self.ranks.clear();
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
                debug_assert!((score << 8) >> 8 == score, "{score} leaves no room for the place");
                *rank = score << 8 | place_from_end;
                place_from_end -= 1;
            }
            self.ranks.try_extend_from_slice(&ranks).expect("there is room for as many ranks as moves");
        }
    }

    /// The best move that is left, and its score.
    #[inline]
    pub(super) fn best(&mut self) -> Option<(Move, i32)> {
        let mut best = [GONE; LANES];
        for ranks in self.ranks.as_chunks::<LANES>().0 {
            for (best, &rank) in best.iter_mut().zip(ranks) {
                *best = rank.max(*best);
            }
        }
        let [a, b, c, d, e, f, g, h] = best;
        let [a, b, c, d] = [a.max(e), b.max(f), c.max(g), d.max(h)];
        let rank = a.max(c).max(b.max(d));
        if rank == GONE {
            return None;
        }
        let place = !rank as usize & 0xff;
        self.ranks[place] = GONE;
        Some((self.moves[place], rank >> 8))
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
        let score = |mv: Move| [-70_000, 0, 3, 70_000][mv.bits() as usize % 4];
        offer.rank(score);
        let mut expected = moves.clone();
        expected.sort_by_key(|&mv| -score(mv));
        let offered: Vec<(Move, i32)> = std::iter::from_fn(|| offer.best()).collect();
        assert_eq!(offered, expected.iter().map(|&mv| (mv, score(mv))).collect::<Vec<_>>());

        assert_eq!(offer.best(), None, "an offer that was used up stays so");
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
