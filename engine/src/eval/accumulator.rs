//! Piece-square sums and phase, kept while moves are played: evaluating them costs the same whatever stands on the board.

use chess::{Color, Observer, Piece, Position, Square};

use super::king_tables::Page;
use super::score::Score;
use super::weights::Weights;

/// Material and piece-square values, White's minus Black's, and the phase's sum. It is copied, not undone.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct Accumulator {
    pub(super) pieces: Score,
    pub(super) phase: i32,
    /// Which board these values are from.
    page: Page,
}

impl Accumulator {
    /// Sums from scratch.
    pub fn new(position: &Position, weights: &Weights) -> Accumulator {
        let page = weights.boards().page(position);
        let mut accumulator = Accumulator { pieces: Score::ZERO, phase: weights.phase_model().empty_sum(), page };
        for color in Color::ALL {
            for square in position.by_color(color) {
                if let Some(role) = position.role_on(square) {
                    accumulator.pieces += accumulator.value(weights, role.of(color), square);
                    accumulator.phase += weights.phase_weight(role);
                }
            }
        }
        accumulator
    }

    /// What a piece on a square is worth, given the kings.
    #[inline]
    fn value(&self, weights: &Weights, piece: Piece, square: Square) -> Score {
        weights.boards().value(self.page, piece, square)
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
        self.accumulator.pieces += self.accumulator.value(self.weights, piece, square);
        self.accumulator.phase += self.weights.phase_weight(piece.role);
    }

    #[inline]
    fn take(&mut self, piece: Piece, square: Square) {
        self.accumulator.pieces -= self.accumulator.value(self.weights, piece, square);
        self.accumulator.phase -= self.weights.phase_weight(piece.role);
    }

    #[inline]
    fn shift(&mut self, piece: Piece, from: Square, to: Square) {
        let value = |square: Square| self.accumulator.value(self.weights, piece, square);
        self.accumulator.pieces += value(to) - value(from);
    }

    /// A king that has gone to another zone changes what every piece is worth.
    #[inline]
    fn finish(&mut self, position: &Position) {
        if self.weights.boards().page(position) != self.accumulator.page {
            *self.accumulator = Accumulator::new(position, self.weights);
        }
    }
}
