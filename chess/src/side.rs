//! The side to move as a type, so that directions and colours are constants where speed matters.

use shakmaty::{Bitboard, Color, Rank, Square};

/// White or Black, known at compile time.
pub(crate) trait Side {
    /// The colour of the side that moves.
    const US: Color;
    /// The colour of the other side.
    const THEM: Color;
    /// One step forward, as a difference of square indices.
    const FORWARD: i32;
    /// A pawn's capture towards the a-file, as a difference of square indices.
    const TOWARDS_A: i32;
    /// A pawn's capture towards the h-file, as a difference of square indices.
    const TOWARDS_H: i32;

    /// The rank that is `rank` seen from this side.
    fn rank(rank: Rank) -> Bitboard {
        Bitboard::from_rank(Self::US.relative_rank(rank))
    }

    /// All squares one step ahead.
    fn forward(squares: Bitboard) -> Bitboard {
        squares.shift(Self::FORWARD)
    }

    /// Squares that pawns attack towards the a-file.
    fn attacks_towards_a(pawns: Bitboard) -> Bitboard {
        (pawns & !Bitboard::from_file(shakmaty::File::A)).shift(Self::TOWARDS_A)
    }

    /// Squares that pawns attack towards the h-file.
    fn attacks_towards_h(pawns: Bitboard) -> Bitboard {
        (pawns & !Bitboard::from_file(shakmaty::File::H)).shift(Self::TOWARDS_H)
    }
}

/// White moves.
pub(crate) struct White;

/// Black moves.
pub(crate) struct Black;

impl Side for White {
    const US: Color = Color::White;
    const THEM: Color = Color::Black;
    const FORWARD: i32 = 8;
    const TOWARDS_A: i32 = 7;
    const TOWARDS_H: i32 = 9;
}

impl Side for Black {
    const US: Color = Color::Black;
    const THEM: Color = Color::White;
    const FORWARD: i32 = -8;
    const TOWARDS_A: i32 = -9;
    const TOWARDS_H: i32 = -7;
}

/// The square `step` away. The caller knows that it is on the board.
#[inline]
pub(crate) fn step(square: Square, step: i32) -> Square {
    debug_assert!(square.offset(step).is_some());
    Square::new(square.to_u32().wrapping_add_signed(step) & 63)
}
