//! The one place that maps colours and roles to array indices: White = 0, Pawn = 0.
//!
//! shakmaty counts Black = 0 and Pawn = 1. Arrays, keys and files of this project count by [`Index`].

use shakmaty::{Color, Piece, Role};

/// A word of chess that indexes an array.
pub trait Index: Copy {
    /// How many values there are.
    const COUNT: usize;

    /// The value's place, from 0.
    fn index(self) -> usize;
}

impl Index for Color {
    const COUNT: usize = 2;

    #[inline]
    fn index(self) -> usize {
        match self {
            Color::White => 0,
            Color::Black => 1,
        }
    }
}

impl Index for Role {
    const COUNT: usize = 6;

    #[inline]
    fn index(self) -> usize {
        self as usize - 1
    }
}

/// White's six roles, then Black's.
impl Index for Piece {
    const COUNT: usize = Color::COUNT * Role::COUNT;

    #[inline]
    fn index(self) -> usize {
        self.color.index() * Role::COUNT + self.role.index()
    }
}
