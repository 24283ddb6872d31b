//! What past cutoffs say of a quiet move.

use chess::{Color, Index, Move, Position};

/// The most a move can be trusted.
const LIMIT: i32 = 8192;

/// How well quiet moves did, by side, origin and destination. Kept between moves of a game.
pub(crate) struct History {
    quiets: Box<[[[i16; 64]; 64]; Color::COUNT]>,
}

impl History {
    pub(crate) fn new() -> History {
        History { quiets: Box::new([[[0; 64]; 64]; Color::COUNT]) }
    }

    #[inline]
    pub(crate) fn quiet(&self, position: &Position, mv: Move) -> i32 {
        i32::from(self.quiets[position.turn().index()][mv.from().to_usize()][mv.to().to_usize()])
    }

    /// A quiet move cut off; those tried before it did not.
    pub(crate) fn reward(&mut self, position: &Position, best: Move, tried: &[Move], depth: i32) {
        let bonus = (16 * depth * depth + 32 * depth).min(1600);
        self.add(position, best, bonus);
        for &mv in tried {
            self.add(position, mv, -bonus);
        }
    }

    /// Adds a bonus whose weight shrinks as the limit comes near.
    fn add(&mut self, position: &Position, mv: Move, bonus: i32) {
        let value = &mut self.quiets[position.turn().index()][mv.from().to_usize()][mv.to().to_usize()];
        let old = i32::from(*value);
        *value = (old + bonus - old * bonus.abs() / LIMIT) as i16;
    }
}
