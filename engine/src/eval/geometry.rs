//! Sets of squares that several terms need.

use chess::{Bitboard, Color, File, Rank, Square};

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

/// The squares that two pawns attack.
#[inline]
pub(super) fn pawn_double_attacks(color: Color, pawns: Bitboard) -> Bitboard {
    let ahead = forward(color, pawns);
    let from_right = (ahead & !Bitboard::from_file(File::A)).shift(-1);
    let from_left = (ahead & !Bitboard::from_file(File::H)).shift(1);
    from_right & from_left
}

/// All squares that pawns attack now or after advancing.
#[inline]
pub(super) fn pawn_reach(color: Color, pawns: Bitboard) -> Bitboard {
    beside(ahead(color, pawns))
}

/// All squares from which a king can step into a set.
pub(super) fn neighbours(set: Bitboard) -> Bitboard {
    let row = set | beside(set);
    beside(set) | forward(Color::White, row) | forward(Color::Black, row)
}

/// From one rank to another, seen from a side.
#[inline]
pub(super) fn ranks(color: Color, first: Rank, last: Rank) -> Bitboard {
    let (low, high) = color.fold_wb((first, last), (last.flip_vertical(), first.flip_vertical()));
    let from = u64::MAX << (8 * low.to_u32());
    let to = u64::MAX >> (8 * (7 - high.to_u32()));
    Bitboard(from & to)
}

/// The four central files.
pub(super) const CENTRE_FILES: Bitboard = Bitboard(0x3c3c_3c3c_3c3c_3c3c);
/// The four squares in the middle.
pub(super) const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);
/// From a1 to h8 and from h1 to a8.
pub(super) const LONG_DIAGONALS: Bitboard = Bitboard(0x8142_2418_1824_4281);
/// The squares of a1's colour.
pub(super) const DARK: Bitboard = Bitboard(0xaa55_aa55_aa55_aa55);

/// The squares of the same colour as this one.
#[inline]
pub(super) fn same_colour(square: Square) -> Bitboard {
    if DARK.contains(square) { DARK } else { !DARK }
}

/// Steps of a king from one square to another.
#[inline]
pub(super) fn distance(a: Square, b: Square) -> usize {
    usize::from(DISTANCES[a.to_usize()][b.to_usize()])
}

static DISTANCES: [[u8; 64]; 64] = {
    let mut table = [[0; 64]; 64];
    let mut pair = 0;
    while pair < 64 * 64 {
        let (a, b) = (pair / 64, pair % 64);
        table[a][b] = Square::new(a as u32).distance(Square::new(b as u32)) as u8;
        pair += 1;
    }
    table
};

/// What turns the board to a side's view, with this square on the files a to d.
#[inline]
pub(super) fn turn_to(us: Color, square: Square) -> u32 {
    us.fold_wb(0, 56) | if square.file().to_u32() < 4 { 0 } else { 7 }
}

/// A square on a board that is turned: 7 exchanges left and right, 56 the sides, 63 both.
#[inline]
pub(super) fn turned(square: Square, turn: u32) -> Square {
    Square::new(square.to_u32() ^ turn)
}
