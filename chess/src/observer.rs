//! Who wants to know what a move does to the board.

use shakmaty::{Piece, Square};

use crate::Position;

/// Is told of every piece that a move takes, moves and puts, and then of the finished position.
///
/// This is how an evaluation keeps its sums without the board knowing of weights. The methods do nothing unless
/// implemented; `()` implements none and compiles away.
pub trait Observer {
    /// A piece appears: a promotion.
    fn put(&mut self, _piece: Piece, _square: Square) {}

    /// A piece disappears: captured, or a pawn that promotes.
    fn take(&mut self, _piece: Piece, _square: Square) {}

    /// A piece goes from one square to another. When Chess960 castles, the two may be the same, and the king may be
    /// set down where the rook still stands: add up what moves, do not overwrite.
    fn shift(&mut self, _piece: Piece, _from: Square, _to: Square) {}

    /// The move is complete, and this is the position after it.
    fn finish(&mut self, _position: &Position) {}
}

impl Observer for () {}
