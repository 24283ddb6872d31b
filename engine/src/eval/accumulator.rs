//! Piece-square sums and phase, kept while moves are played: evaluating them costs the same whatever stands on the board.

use chess::{Observer, Piece, Position, Square};

use super::score::Score;
use super::weights::Weights;

/// Material and piece-square values, White's minus Black's, and the phase's sum. It is copied, not undone.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct Accumulator {
    pub(super) pieces: Score,
    pub(super) phase: i32,
}

impl Accumulator {
    /// Sums from scratch.
    pub fn new(position: &Position, weights: &Weights) -> Accumulator {
        let mut accumulator = Accumulator { pieces: Score::ZERO, phase: weights.phase_model().empty_sum() };
        let mut observing = accumulator.observe(weights);
        for square in position.occupied() {
            if let Some(piece) = position.piece_on(square) {
                observing.put(piece, square);
            }
        }
        accumulator
    }

    /// Follows a move: hand this to [`Position::play_observed`].
    #[inline]
    pub fn observe<'a>(&'a mut self, weights: &'a Weights) -> Observing<'a> {
        Observing { accumulator: self, weights }
    }
}

/// An accumulator that follows a move.
pub struct Observing<'a> {
    accumulator: &'a mut Accumulator,
    weights: &'a Weights,
}

impl Observer for Observing<'_> {
    #[inline]
    fn put(&mut self, piece: Piece, square: Square) {
        self.accumulator.pieces += self.weights.piece(piece, square);
        self.accumulator.phase += self.weights.phase_weight(piece.role);
    }

    #[inline]
    fn take(&mut self, piece: Piece, square: Square) {
        self.accumulator.pieces -= self.weights.piece(piece, square);
        self.accumulator.phase -= self.weights.phase_weight(piece.role);
    }

    #[inline]
    fn shift(&mut self, piece: Piece, from: Square, to: Square) {
        self.accumulator.pieces += self.weights.piece(piece, to) - self.weights.piece(piece, from);
    }
}
