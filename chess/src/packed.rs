//! A position in 28 bytes, for files of millions of them.
//!
//! | bytes | what |
//! |---|---|
//! | 0–7 | the occupied squares as a bitboard, a1 in the lowest bit, lowest byte first |
//! | 8–23 | what stands there, four bits a piece from a1 to h8, the lower half of a byte first; unused ones are 0 |
//! | 24–25 | bit 15: Black is to move; bits 0–14: plies since the last capture or pawn move, 32767 at most |
//! | 26–27 | the number of the move, 65535 at most |
//!
//! White's pieces are 0 to 5 (pawn, knight, bishop, rook, queen, king) and Black's 6 to 11; 12 is a rook of White's and 13
//! one of Black's that may still castle, whatever its file; 14 is a pawn that can be captured en passant.

use shakmaty::{Bitboard, Color, Piece, Square};

use crate::draft::{Draft, State};
use crate::fen::validate;
use crate::{Index, Position};

const CASTLING_ROOK: usize = Piece::COUNT;
const PASSED_PAWN: u8 = 14;
const BLACK_TO_MOVE: u16 = 1 << 15;
const BOARD: usize = 8;
const STATE: usize = 24;
const NUMBER: usize = 26;

impl Position {
    /// How many bytes a packed position takes.
    pub const PACKED: usize = 28;

    /// The position in 28 bytes.
    pub fn pack(&self) -> [u8; Position::PACKED] {
        let mut bytes = [0; Position::PACKED];
        bytes[..BOARD].copy_from_slice(&u64::from(self.occupied()).to_le_bytes());
        let passed = self.en_passant.map(|square| square.xor(Square::A2));
        for (place, square) in self.occupied().into_iter().enumerate() {
            let Some(piece) = self.piece_on(square) else { continue };
            let code = if self.castling.contains(square) {
                (CASTLING_ROOK + piece.color.index()) as u8
            } else if passed == Some(square) {
                PASSED_PAWN
            } else {
                piece.index() as u8
            };
            bytes[BOARD + place / 2] |= code << (4 * (place % 2));
        }
        let turn = self.turn.fold_wb(0, BLACK_TO_MOVE);
        bytes[STATE..NUMBER].copy_from_slice(&(turn | self.halfmove_clock.min(!BLACK_TO_MOVE)).to_le_bytes());
        let number = u16::try_from(self.fullmove_number).unwrap_or(u16::MAX);
        bytes[NUMBER..].copy_from_slice(&number.to_le_bytes());
        bytes
    }

    /// The position that was packed; `None` if the bytes are none of a legal position.
    pub fn unpack(bytes: &[u8; Position::PACKED]) -> Option<Position> {
        let word = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let turn = Color::from_white(word(STATE) & BLACK_TO_MOVE == 0);
        let occupied = Bitboard(u64::from_le_bytes(*bytes.first_chunk()?));
        if occupied.count() > 2 * (STATE - BOARD) {
            return None;
        }
        let mut draft = Draft::new();
        let (mut castling, mut passed) = (Bitboard::EMPTY, None);
        for (place, square) in occupied.into_iter().enumerate() {
            let code = bytes[BOARD + place / 2] >> (4 * (place % 2)) & 15;
            let kind = match code {
                0..12 => usize::from(code),
                12 | 13 => {
                    castling.add(square);
                    Color::from_white(code == 12).rook().index()
                }
                PASSED_PAWN if passed.is_none() => {
                    passed = Some(square);
                    (!turn).pawn().index()
                }
                _ => return None,
            };
            draft.put(kind, square.to_usize());
        }
        if castling.any() && !draft.has_castling_rooks(castling) {
            return None;
        }
        let halfmove_clock = word(STATE) & !BLACK_TO_MOVE;
        let fullmove_number = u32::from(word(NUMBER)).max(1);
        let position = draft.position(&State { turn, castling, halfmove_clock, fullmove_number })?;
        passed.map_or(Some(position), |pawn| position.with_passed_pawn(pawn))
    }

    /// The same position where this pawn has just gone two squares and can be captured.
    fn with_passed_pawn(&self, pawn: Square) -> Option<Position> {
        let mut setup = self.to_setup();
        let behind = pawn.xor(Square::A2);
        let origin = pawn.offset(self.turn.fold_wb(16, -16))?;
        let is_empty = |square: Square| !self.occupied().contains(square);
        let is_possible =
            self.turn.relative_rank(pawn.rank()) == shakmaty::Rank::Fifth && is_empty(behind) && is_empty(origin);
        setup.ep_square = is_possible.then_some(behind);
        validate(&setup).ok()?;
        let position = Position::from_setup(&setup, self.halfmove_clock, self.fullmove_number);
        position.en_passant.is_some().then_some(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_unpacked() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            "rnbqkbnr/pppp1ppp/8/8/3Pp3/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 3",
            "nrkbbqrn/pp1ppp1p/8/2pP2p1/8/8/PPP1PPPP/NRKBBQRN w GBgb c6 0 3",
            "1r2k2r/8/8/8/8/8/8/RR2K2R w KBk - 17 40",
            "r3k2r/8/8/8/8/8/8/R3K2R b Qk - 99 180",
            "4k3/8/8/8/8/8/4P3/4K3 b - - 3 65535",
        ] {
            let position: Position = fen.parse().unwrap();
            let unpacked = Position::unpack(&position.pack()).unwrap_or_else(|| panic!("{fen}"));
            assert_eq!(unpacked, position, "{fen}");
            assert_eq!(unpacked.to_string(), position.to_string());
        }
    }

    #[test]
    fn counters_that_are_too_large_stay_at_the_largest() {
        let position: Position = "4k3/8/8/8/8/8/4P3/4K3 b - - 60000 70000".parse().unwrap();
        let unpacked = Position::unpack(&position.pack()).unwrap();
        assert_eq!((unpacked.halfmove_clock(), unpacked.fullmove_number()), (32767, 65535));
    }

    #[test]
    fn bytes_of_no_position_are_refused() {
        let position = Position::initial();
        let changed = |at: usize, byte: u8| {
            let mut bytes = position.pack();
            bytes[at] = byte;
            Position::unpack(&bytes)
        };
        assert_eq!(Position::unpack(&[0; 28]), None, "no kings");
        assert_eq!(Position::unpack(&[0xff; 28]), None, "64 pieces");
        assert_eq!(changed(8, 0x1f), None, "a piece that is none");
        assert_eq!(changed(8, 0x0c), None, "a pawn on the first rank");
        assert_eq!(changed(8, 0x5c), None, "two white kings");
        assert_eq!(changed(12, 0xe0), None, "a passed pawn at home");
        assert_eq!(changed(12, 0x0c), None, "a castling rook on the second rank");
        // A pawn of the side to move, and one that nobody can capture
        for fen in ["4k3/8/8/8/4P3/8/8/4K3 w - - 0 1", "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"] {
            let mut bytes = fen.parse::<Position>().unwrap().pack();
            bytes[8] = 0xe5;
            assert_eq!(Position::unpack(&bytes), None, "{fen}");
        }
    }
}
