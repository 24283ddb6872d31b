//! A game from bytes. Whatever stands there, the answer is a game or what is wrong.

use std::fmt::Write as _;

use chess::{Bitboard, Color, File, Move, Piece, Position, Rank, Role, Square};

use super::encode::expected;
use super::{CASTLING_ROOK, Game, GameFault, Ply, Reason};
use crate::arena::Winner;
use crate::varint::take;

/// White's pieces in the order of their numbers, then Black's.
const ROLES: [Role; 6] = Role::ALL;

/// Reads a game without its length and checksum.
pub(super) fn decode(bytes: &[u8]) -> Result<Game, GameFault> {
    let mut rest = bytes;
    let ending = take_byte(&mut rest)?;
    let result = match ending >> 4 {
        0 => Winner::Side(Color::Black),
        1 => Winner::Draw,
        2 => Winner::Side(Color::White),
        _ => return Err(GameFault::Ending),
    };
    let reason = *Reason::ALL.get(usize::from(ending & 15)).ok_or(GameFault::Ending)?;
    let start = take_position(&mut rest)?;
    let count: u64 = take(&mut rest).ok_or(GameFault::Short)?;
    // A number of plies that cannot be takes no memory
    let mut plies = Vec::with_capacity(rest.len() / 3);
    let mut before = 0;
    for number in 1..=count {
        let word = take_bytes(&mut rest)?;
        let mv = Move::from_bits(u16::from_le_bytes(word)).ok_or(GameFault::Move(number))?;
        let code: u64 = take(&mut rest).ok_or(GameFault::Short)?;
        let value = code.checked_sub(1).map(|code| unzigzag(code).checked_add(expected(before)));
        let value = match value {
            None => None,
            Some(value) => {
                let value = value.and_then(|value| i32::try_from(value).ok());
                Some(value.ok_or(GameFault::Value(number))?)
            }
        };
        plies.push(Ply { mv, value });
        before = value.unwrap_or(0);
    }
    if !rest.is_empty() {
        return Err(GameFault::Long);
    }
    Game::new(start, plies, result, reason)
}

/// By way of a FEN, which is judged as any other.
fn take_position(rest: &mut &[u8]) -> Result<Position, GameFault> {
    let occupied = Bitboard(u64::from_le_bytes(take_bytes(rest)?));
    let mut board = [None; 64];
    let mut castling = Bitboard::EMPTY;
    let mut pair = 0;
    for (index, square) in occupied.into_iter().enumerate() {
        pair = if index % 2 == 0 { take_byte(rest)? } else { pair >> 4 };
        let number = pair & 15;
        board[square.to_usize()] = Some(piece(number, square)?);
        if number == CASTLING_ROOK {
            castling.add(square);
        }
    }
    let flags = take_byte(rest)?;
    let turn = Color::from_white(flags & 1 == 0);
    let halfmove_clock: u32 = take(rest).ok_or(GameFault::Short)?;
    let fullmove_number: u32 = take(rest).ok_or(GameFault::Short)?;

    let mut fen = String::with_capacity(90);
    for rank in Rank::ALL.into_iter().rev() {
        for file in File::ALL {
            fen.push(board[Square::from_coords(file, rank).to_usize()].map_or('1', Piece::char));
        }
        fen.push(if rank == Rank::First { ' ' } else { '/' });
    }
    fen.push(turn.char());
    fen.push(' ');
    for square in castling {
        let letter = square.file().char();
        fen.push(if square.rank() == Rank::First { letter.to_ascii_uppercase() } else { letter });
    }
    if castling.is_empty() {
        fen.push('-');
    }
    let passed = turn.fold_wb(Rank::Sixth, Rank::Third);
    let _ = match (flags >> 1).checked_sub(1) {
        // A file that is none makes a FEN that is none
        Some(file) => write!(fen, " {}{}", char::from(b'a'.saturating_add(file)), passed.char()),
        None => write!(fen, " -"),
    };
    let _ = write!(fen, " {halfmove_clock} {fullmove_number}");
    Ok(fen.parse()?)
}

/// The piece of a number; the colour of a rook that may castle shows by where it stands.
fn piece(number: u8, square: Square) -> Result<Piece, GameFault> {
    match (number, square.rank()) {
        (0..6, _) => Ok(ROLES[usize::from(number)].of(Color::White)),
        (6..12, _) => Ok(ROLES[usize::from(number) - 6].of(Color::Black)),
        (CASTLING_ROOK, Rank::First) => Ok(Role::Rook.of(Color::White)),
        (CASTLING_ROOK, Rank::Eighth) => Ok(Role::Rook.of(Color::Black)),
        _ => Err(GameFault::Piece(number)),
    }
}

fn unzigzag(code: u64) -> i64 {
    (code >> 1).cast_signed() ^ -(code & 1).cast_signed()
}

fn take_byte(rest: &mut &[u8]) -> Result<u8, GameFault> {
    take_bytes::<1>(rest).map(|[byte]| byte)
}

fn take_bytes<const N: usize>(rest: &mut &[u8]) -> Result<[u8; N], GameFault> {
    let (bytes, after) = rest.split_first_chunk().ok_or(GameFault::Short)?;
    *rest = after;
    Ok(*bytes)
}
