//! Whole games as bytes: where they began, moves, values and results, some three bytes a ply.
//!
//! A file is a head and then games, one behind the other, until it ends:
//!
//! | part of the head | form |
//! |---|---|
//! | magic | the eight bytes `MQGAMES` and 0x1a |
//! | version of the format | one byte, 1 |
//! | length of the manifest | varint |
//! | manifest | JSON: how the games were made |
//! | checksum | CRC-32 of all bytes before it, four bytes |
//!
//! | part of a game | form |
//! |---|---|
//! | length of what follows but the checksum | varint |
//! | result × 16 + reason | one byte; the result is 0 for Black, 1 for a draw, 2 for White, the reason [`Reason::code`] |
//! | where it begins: occupied squares | eight bytes, bit 0 is a1, bit 7 is h1 |
//! | a piece for each of them | four bits, from a1 on, the first in the lower half; [below](#pieces) |
//! | side to move, en passant | one byte: bit 0 is set for Black; above it 0, or 1 to 8 for the files a to h |
//! | plies since the last capture or pawn move | varint |
//! | number of the move | varint |
//! | number of plies | varint |
//! | for each ply: the move | two bytes, [`Move::bits`](chess::Move::bits) |
//! | for each ply: the value | varint; 0 for none, otherwise 1 + the zigzag of its [difference](#values) |
//! | checksum | CRC-32 of all bytes of the game before it, four bytes |
//!
//! All numbers have their lowest byte first. A varint is that of Protocol Buffers: seven bits a byte, the lowest first, the
//! eighth bit set where more follow; the zigzag of 0, −1, 1, −2, … is 0, 1, 2, 3, …
//!
//! # Pieces
//!
//! 0 to 5 are White's pawn, knight, bishop, rook, queen and king, 6 to 11 Black's; 12 is a rook of either side that may
//! still castle, White's on the first rank and Black's on the eighth. If their number is odd, the last half byte is 0.
//!
//! # Values
//!
//! A value is what the search found for the side that moved, in centipawns and in that side's view; beyond ±29,000 are mates
//! and results of endgame tables. What is written is the difference to the negated value of the ply before, or to 0 where
//! that has none: the two sides mostly agree, and one byte is enough.
//!
//! # Kills
//!
//! Files only grow. A process that is killed leaves a game half written at most, which its checksum tells; the games before
//! it are whole, and [`GameWriter::append`] cuts off the rest and goes on.

mod decode;
mod encode;
mod fault;
mod game;
mod read;
#[cfg(test)]
mod tests;
mod write;

pub use fault::{FileFault, GameFault};
pub use game::{Game, Ply, Reason, Step};
pub use read::GameReader;
pub use write::{Appended, GameWriter};

/// How a file begins: a name, and a byte that ends the output where such a file is printed by mistake.
const MAGIC: &[u8; 8] = b"MQGAMES\x1a";
const VERSION: u8 = 1;
/// A rook that may still castle.
const CASTLING_ROOK: u8 = 12;
/// No game takes more bytes, and no manifest.
const LONGEST: usize = 1 << 20;
/// Length of a checksum.
const CHECKSUM: usize = 4;
