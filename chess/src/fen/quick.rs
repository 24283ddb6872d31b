//! The plain case of reading, for files of millions of lines: five to ten times as fast, and never more lenient.
//!
//! What is accepted here is what the strict reader accepts, and the same position. Whatever is unusual (an en passant
//! square, spaces where none are needed) or wrong is left to the strict reader, which knows what to say.

use shakmaty::{Bitboard, ByColor, ByRole, Color, Piece, Rank, Role, Square};

use super::read::{has_too_much_material, read_castling};
use crate::Position;
use crate::keys::{Keys, Material};

/// A position at the beginning of a text.
#[derive(Copy, Clone, Debug)]
pub struct FenPrefix {
    /// The position.
    pub position: Position,
    /// How many bytes of the text it takes.
    pub length: usize,
    /// Whether the number of the move is given; it is 1 otherwise.
    pub has_move_number: bool,
}

/// What a byte of the board's field means.
#[derive(Copy, Clone)]
enum Mark {
    Piece(Piece),
    Empty(u8),
    NextRank,
    End,
    Unknown,
}

static MARKS: [Mark; 256] = {
    let mut marks = [Mark::Unknown; 256];
    let letters = *b"pnbrqk";
    let mut i = 0;
    while i < letters.len() {
        let role = Role::ALL[i];
        marks[letters[i] as usize] = Mark::Piece(Piece { color: Color::Black, role });
        marks[letters[i].to_ascii_uppercase() as usize] = Mark::Piece(Piece { color: Color::White, role });
        i += 1;
    }
    let mut empty = 1;
    while empty <= 8 {
        marks[b'0' as usize + empty] = Mark::Empty(empty as u8);
        empty += 1;
    }
    marks[b'/' as usize] = Mark::NextRank;
    marks[b' ' as usize] = Mark::End;
    marks
};

impl Position {
    /// Reads a plain FEN of four, five or six fields at the beginning of a text. `None`: it is not one, or not a plain
    /// one; `parse` knows.
    pub fn read_plain_fen(text: &[u8]) -> Option<FenPrefix> {
        let mut position = Position::empty();
        let mut at = position.read_plain_board(text)?;
        position.turn = match text.get(at)? {
            b'w' => Color::White,
            b'b' => Color::Black,
            _ => return None,
        };
        at = after_space(text, at + 1)?;
        let end = at + text[at..].iter().position(|&byte| byte == b' ')?;
        let castling = match &text[at..end] {
            b"" => return None,
            b"-" => Bitboard::EMPTY,
            letters => read_castling(std::str::from_utf8(letters).ok()?, |piece| position.by_piece(piece)).ok()?,
        };
        at = end + 1;
        if text.get(at) != Some(&b'-') || text.get(at + 1).is_some_and(|byte| !matches!(byte, b' ' | b';')) {
            return None;
        }
        at += 1;
        let mut has_move_number = false;
        if let Some((halfmove_clock, end)) = read_counter(text, at, 4)? {
            at = end;
            position.halfmove_clock = halfmove_clock as u16;
            if let Some((fullmove_number, end)) = read_counter(text, at, 9)? {
                at = end;
                position.fullmove_number = fullmove_number.max(1);
                has_move_number = true;
            }
        }
        position.castling = castling;
        Some(FenPrefix { position: position.judged()?, length: at, has_move_number })
    }

    /// A board without pieces, to put them on.
    pub(crate) fn empty() -> Position {
        Position {
            roles: ByRole::default(),
            colors: ByColor::default(),
            board: [None; 64],
            keys: Keys::default(),
            material: Material::default(),
            checkers: Bitboard::EMPTY,
            castling: Bitboard::EMPTY,
            en_passant: None,
            turn: Color::White,
            halfmove_clock: 0,
            fullmove_number: 1,
        }
    }

    /// Puts the pieces and returns where the next field begins.
    fn read_plain_board(&mut self, text: &[u8]) -> Option<usize> {
        // Ranks come from the eighth downwards, each from the a-file: the place of the first is 56
        let (mut rank, mut file) = (7, 0);
        for (at, &byte) in text.iter().enumerate() {
            match MARKS[usize::from(byte)] {
                Mark::Piece(piece) if file < 8 => {
                    self.put(piece, Square::new(8 * rank + file), &mut ());
                    file += 1;
                }
                Mark::Empty(squares) => file += u32::from(squares),
                Mark::NextRank if file == 8 && rank > 0 => (rank, file) = (rank - 1, 0),
                Mark::End if file == 8 && rank == 0 => return Some(at + 1),
                _ => return None,
            }
        }
        None
    }

    /// Finishes a position in which pieces, side to move, castling rooks and counters are set and nobody can capture en
    /// passant. `None`: pieces cannot stand so. Judges as the strict reader does.
    pub(crate) fn judged(mut self) -> Option<Position> {
        let kings = |color: Color| self.by_piece(color.king());
        let has_pieces_in_place = kings(Color::White).count() == 1
            && kings(Color::Black).count() == 1
            && (self.roles.pawn & Bitboard::BACKRANKS).is_empty()
            && !Color::ALL.into_iter().any(|color| has_too_much_material(color, |piece| self.by_piece(piece)));
        if !has_pieces_in_place {
            return None;
        }
        let occupied = self.occupied();
        let attackers = |color: Color| self.attackers(self.king(color), occupied) & self.by_color(!color);
        if attackers(!self.turn).any() {
            return None;
        }
        self.checkers = attackers(self.turn);
        self.keys.toggle_castling(self.castling);
        if self.turn.is_black() {
            self.keys.toggle_turn();
        }
        Some(self)
    }

    /// Whether these rooks may castle as far as places tell: each on its side's first rank, as the king is, and not two
    /// on one side of it.
    pub(crate) fn has_castling_rooks(&self, rooks: Bitboard) -> bool {
        Color::ALL.into_iter().all(|color| {
            let back_rank = Bitboard::from_rank(color.fold_wb(Rank::First, Rank::Eighth));
            let ours = rooks & self.by_color(color);
            let Some(king) = (self.by_piece(color.king()) & back_rank).first() else { return ours.is_empty() };
            let side = |is_left: bool| ours.into_iter().filter(|&rook| (rook < king) == is_left).count();
            (ours & !back_rank).is_empty() && side(true) <= 1 && side(false) <= 1
        })
    }
}

fn after_space(text: &[u8], at: usize) -> Option<usize> {
    (text.get(at)? == &b' ').then_some(at + 1)
}

/// A number of at most so many digits behind one space, and where it ends; `Some(None)`: something else stands there.
/// `None`: not plain.
fn read_counter(text: &[u8], at: usize, digits: usize) -> Option<Option<(u32, usize)>> {
    let Some(start) = after_space(text, at) else { return Some(None) };
    let rest = &text[start..];
    let length = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if length == 0 {
        return if rest.first() == Some(&b' ') { None } else { Some(None) };
    }
    let is_whole = rest.get(length).is_none_or(|byte| matches!(byte, b' ' | b';'));
    if length > digits || !is_whole {
        return None;
    }
    let number = rest[..length].iter().fold(0, |number, byte| 10 * number + u32::from(byte - b'0'));
    Some(Some((number, start + length)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SEEDS: [&str; 5] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r1bq1rk1/1p2ppbp/2np1np1/p7/3NP3/1BN1B3/PPP2PPP/R2Q1RK1 w - -",
        "nrkbbqrn/pp1ppp1p/8/2pP2p1/8/8/PPP1PPPP/NRKBBQRN b GBgb - 12 33",
        "1r2k2r/8/8/8/8/8/8/RR2K2R w KBk - 9",
        "8/5k2/2RKp3/3p1p2/3P1Pp1/4P1Pr/8/8 b - - 41 65",
    ];

    /// What is accepted must be accepted by the strict reader, and be the same.
    fn compare(text: &str) {
        let Some(FenPrefix { position, length, has_move_number }) = Position::read_plain_fen(text.as_bytes()) else {
            return;
        };
        let fields = text[..length].split(' ').count();
        assert_eq!(has_move_number, fields == 6, "{text}");
        assert_eq!(Position::read_strictly(&text[..length]).as_ref(), Ok(&position), "{text}");
    }

    fn mutated() -> impl Strategy<Value = String> {
        let letters: Vec<char> = "pnbrqkPNBRQK12345678/ -wbhHaAgGcCeE;0".chars().collect();
        let edit = (any::<prop::sample::Index>(), 0..3u8, prop::sample::select(letters));
        (prop::sample::select(SEEDS.to_vec()), prop::collection::vec(edit, 0..4)).prop_map(|(seed, edits)| {
            let mut text: Vec<char> = seed.chars().collect();
            for (place, kind, letter) in edits {
                let place = place.index(text.len());
                match kind {
                    0 => text[place] = letter,
                    1 => drop(text.remove(place)),
                    _ => text.insert(place, letter),
                }
            }
            text.into_iter().collect()
        })
    }

    /// Boards with any pieces anywhere, and all rights claimed.
    fn any_board() -> impl Strategy<Value = String> {
        let square = prop_oneof![6 => Just('1'), 1 => prop::sample::select("pnbrqkPNBRQK".chars().collect::<Vec<_>>())];
        let back_rank = prop::collection::vec(prop::sample::select("1rk1nb".chars().collect::<Vec<_>>()), 8);
        let rest = prop::sample::select(vec!["w - -", "b - -", "w KQkq - 0 1", "b Kq -", "w HAha - 3 4", "b CFb -"]);
        (prop::collection::vec(square, 48), back_rank.clone(), back_rank, rest).prop_map(
            |(board, white, black, rest)| {
                let mut ranks: Vec<String> = board.chunks(8).map(|rank| rank.iter().collect()).collect();
                ranks.insert(0, black.iter().collect());
                ranks.push(white.iter().map(char::to_ascii_uppercase).collect());
                format!("{} {rest}", ranks.join("/"))
            },
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 20_000, ..ProptestConfig::default() })]

        #[test]
        fn a_damaged_fen_is_judged_as_by_the_strict_reader(text in mutated()) {
            compare(&text);
        }

        #[test]
        fn any_board_is_judged_as_by_the_strict_reader(text in any_board()) {
            compare(&text);
            // Plain and right is never left to the strict reader
            if Position::read_strictly(&text).is_ok() {
                prop_assert!(Position::read_plain_fen(text.as_bytes()).is_some(), "{text}");
            }
        }

        #[test]
        fn any_bytes_unpack_to_a_legal_position_or_to_none(
            mut bytes in prop::array::uniform28(any::<u8>()),
            seed in prop::sample::select(SEEDS.to_vec()),
            place in 0..28_usize,
        ) {
            let _ = Position::unpack(&bytes);
            let mut packed = seed.parse::<Position>().unwrap().pack();
            packed[place] = bytes[place];
            std::mem::swap(&mut bytes, &mut packed);
            if let Some(position) = Position::unpack(&bytes) {
                prop_assert_eq!(Position::read_strictly(&position.to_string()), Ok(position));
            }
        }
    }

    #[test]
    fn plain_fens_are_read_and_text_behind_them_is_left() {
        for seed in SEEDS {
            for behind in ["", " c9 \"1-0\";", ";D1 20", " | 12 | 0.5", " [1.0]"] {
                let prefix = Position::read_plain_fen(format!("{seed}{behind}").as_bytes()).unwrap();
                assert_eq!(prefix.length, seed.len());
                assert_eq!(Position::read_strictly(seed), Ok(prefix.position));
            }
        }
        for other in
            ["", "8/8", " 4k3/8/8/8/8/8/8/4K3 w - -", "4k3/8/8/8/8/8/8/4K3  w - -", "4k3/8/8/8/8/8/8/4K3 w - e3"]
        {
            assert!(Position::read_plain_fen(other.as_bytes()).is_none(), "{other}");
        }
    }
}
