//! Sets of squares that several terms need.

use chess::{Bitboard, Color, File};

/// The squares beside these, to the left and to the right.
#[inline]
pub(super) fn beside(squares: Bitboard) -> Bitboard {
    (squares & !Bitboard::from_file(File::A)).shift(-1) | (squares & !Bitboard::from_file(File::H)).shift(1)
}

/// All squares ahead of these on their files.
#[inline]
pub(super) fn ahead(color: Color, squares: Bitboard) -> Bitboard {
    let Bitboard(mut set) = squares;
    if color.is_white() {
        set |= set << 8;
        set |= set << 16;
        set |= set << 32;
        Bitboard(set << 8)
    } else {
        set |= set >> 8;
        set |= set >> 16;
        set |= set >> 32;
        Bitboard(set >> 8)
    }
}

/// One step ahead.
#[inline]
pub(super) fn forward(color: Color, squares: Bitboard) -> Bitboard {
    squares.shift(if color.is_white() { 8 } else { -8 })
}

/// All squares of the files on which these stand.
#[inline]
pub(super) fn files(squares: Bitboard) -> Bitboard {
    squares | ahead(Color::White, squares) | ahead(Color::Black, squares)
}

/// The squares that pawns attack.
#[inline]
pub(super) fn pawn_attacks(color: Color, pawns: Bitboard) -> Bitboard {
    beside(forward(color, pawns))
}
