//! The plain case of reading, for files of millions of lines: many times as fast, and never more lenient.
//!
//! What is accepted here is what the strict reader accepts, and the same position. Whatever is unusual (an en passant
//! square, spaces where none are needed) or wrong is left to the strict reader, which knows what to say.

use shakmaty::{Bitboard, Color};

use super::read::read_castling;
use crate::draft::{Draft, NOTHING, State};
use crate::{Index, Position};

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
struct Meaning {
    /// What it puts on the next square: a kind of pieces, as [`Index`] counts them, or nothing; more where the field ends.
    kind: u8,
    /// So many squares are done then; none: a rank must be.
    squares: u8,
}

const END: u8 = NOTHING as u8 + 1;

/// What the bytes of the board's field mean.
static MEANINGS: [Meaning; 256] = {
    let mut meanings = [Meaning { kind: END, squares: 0 }; 256];
    let letters = *b"PNBRQKpnbrqk";
    let mut kind = 0;
    while kind < letters.len() {
        meanings[letters[kind] as usize] = Meaning { kind: kind as u8, squares: 1 };
        kind += 1;
    }
    let mut squares = 1;
    while squares <= 8 {
        meanings[(b'0' + squares) as usize] = Meaning { kind: NOTHING as u8, squares };
        squares += 1;
    }
    meanings[b'/' as usize] = Meaning { kind: NOTHING as u8, squares: 0 };
    meanings
};

impl Position {
    /// Reads a plain FEN of four, five or six fields at the beginning of a text. `None`: it is not one, or not a plain
    /// one; `parse` knows.
    pub fn read_plain_fen(text: &[u8]) -> Option<FenPrefix> {
        let mut draft = Draft::new();
        let mut at = read_board(text, &mut draft)?;
        let turn = match text.get(at)? {
            b'w' => Color::White,
            b'b' => Color::Black,
            _ => return None,
        };
        at = after_space(text, at + 1)?;
        let end = at + text[at..].iter().position(|&byte| byte == b' ')?;
        let castling = match &text[at..end] {
            b"" => return None,
            b"-" => Bitboard::EMPTY,
            letters => read_castling(std::str::from_utf8(letters).ok()?, |piece| draft.set(piece.index())).ok()?,
        };
        at = end + 1;
        if text.get(at) != Some(&b'-') || text.get(at + 1).is_some_and(|byte| !matches!(byte, b' ' | b';')) {
            return None;
        }
        at += 1;
        let mut state = State { turn, castling, halfmove_clock: 0, fullmove_number: 1 };
        let mut has_move_number = false;
        if let Some((halfmove_clock, end)) = read_counter(text, at, 4)? {
            at = end;
            state.halfmove_clock = halfmove_clock as u16;
            if let Some((fullmove_number, end)) = read_counter(text, at, 9)? {
                at = end;
                state.fullmove_number = fullmove_number.max(1);
                has_move_number = true;
            }
        }
        Some(FenPrefix { position: draft.position(&state)?, length: at, has_move_number })
    }
}

/// Puts the pieces and returns where the next field begins. All bytes are treated alike, since nobody can foretell which of
/// them are pieces.
fn read_board(text: &[u8], draft: &mut Draft) -> Option<usize> {
    // Ranks come from the eighth downwards, each from the a-file
    let (mut done, mut wanted, mut is_wrong) = (0, 0, false);
    for (at, &byte) in text.iter().enumerate() {
        let Meaning { kind, squares } = MEANINGS[usize::from(byte)];
        if kind >= END {
            return (byte == b' ' && done == 64 && wanted == 56 && !is_wrong).then_some(at + 1);
        }
        draft.put(usize::from(kind), done ^ 56);
        let is_rank = squares == 0;
        wanted += 8 * usize::from(is_rank);
        is_wrong |= is_rank & (done != wanted);
        done += usize::from(squares);
    }
    None
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
