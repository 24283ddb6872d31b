//! A game to bytes.

use chess::{Color, Index, Position, Role, Square};

use super::{CASTLING_ROOK, Game};
use crate::arena::Winner;
use crate::varint::put;

/// Writes a game as it stands in a file, with its length and checksum, behind other bytes.
pub(super) fn encode(game: &Game, bytes: &mut Vec<u8>) {
    let mut body = Vec::with_capacity(64 + 4 * game.plies().len());
    let result = match game.result() {
        Winner::Side(Color::Black) => 0,
        Winner::Draw => 1,
        Winner::Side(Color::White) => 2,
    };
    body.push(result << 4 | game.reason().code());
    put_position(&mut body, game.start());
    put(&mut body, game.plies().len() as u64);
    let mut before = 0;
    for ply in game.plies() {
        body.extend(ply.mv.bits().to_le_bytes());
        put(&mut body, ply.value.map_or(0, |value| 1 + zigzag(i64::from(value) - expected(before))));
        before = ply.value.unwrap_or(0);
    }
    let start = bytes.len();
    put(bytes, body.len() as u64);
    bytes.extend(body);
    let checksum = crc32fast::hash(&bytes[start..]);
    bytes.extend(checksum.to_le_bytes());
}

/// The value that a ply probably has, given that of the ply before.
pub(super) fn expected(before: i32) -> i64 {
    -i64::from(before)
}

fn zigzag(number: i64) -> u64 {
    (number << 1 ^ number >> 63).cast_unsigned()
}

fn put_position(bytes: &mut Vec<u8>, position: &Position) {
    bytes.extend(position.occupied().0.to_le_bytes());
    let pieces: Vec<u8> = position.occupied().into_iter().map(|square| piece_number(position, square)).collect();
    bytes.extend(pieces.chunks(2).map(|pair| pair[0] | pair.get(1).map_or(0, |second| second << 4)));
    let en_passant = position.en_passant().map_or(0, |square| 1 + square.file() as u8);
    bytes.push(u8::from(position.turn().is_black()) | en_passant << 1);
    put(bytes, position.halfmove_clock());
    put(bytes, position.fullmove_number());
}

fn piece_number(position: &Position, square: Square) -> u8 {
    if position.castling_rooks().contains(square) {
        return CASTLING_ROOK;
    }
    let role = position.role_on(square).unwrap_or(Role::Pawn).index() as u8;
    if position.by_color(Color::White).contains(square) { role } else { role + 6 }
}
