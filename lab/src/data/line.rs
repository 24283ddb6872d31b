//! A line of labelled data, in the forms that are met in the wild. Results and values are White's.
//!
//! | form | what stands behind the position |
//! |---|---|
//! | EPD | `c9 "1-0";`, and where they are known `c8 "game";`, `ce centipawns;` (in the mover's view, as EPD has it) or `c7 "pawns";` (White's view, mates as `M5`), `bm Nf3;` |
//! | brackets | `[1.0]`, `[0.5]`, `[1-0]`, then centipawns or nothing |
//! | columns | `\| centipawns \| 1.0`, then `\| game` or nothing |
//!
//! Plain lines take a short way, by `quick_line`; the others, and all that are wrong, take the way that can say what is wrong.

use std::str::FromStr;

use chess::{Color, Epd, EpdError, Position};
use thiserror::Error;

use super::pgn::{self, PgnError};
use super::quick_line;
use super::sample::{Sample, game_number};

/// Why a line, or a game, is not labelled data.
#[derive(Clone, Eq, PartialEq, Debug, Error)]
pub enum LineError {
    /// The position or its operations are wrong.
    #[error(transparent)]
    Epd(#[from] EpdError),
    /// There is no result.
    #[error("there is no result; write c9 \"1-0\"; or [1.0] or | centipawns | 1.0 behind the position")]
    NoResult,
    /// A result that is none.
    #[error("{0:?} is not a result: 1-0, 1/2-1/2, 0-1, or White's points from 0 to 1")]
    BadResult(String),
    /// A value that is none.
    #[error("{0:?} is not a value in centipawns")]
    BadValue(String),
    /// More bytes than a line can have.
    #[error("the line is too long for a position")]
    TooLong,
    /// A game of PGN that cannot be used.
    #[error(transparent)]
    Game(#[from] PgnError),
}

/// A line that was read.
pub(super) struct Line {
    pub(super) sample: Sample,
    /// Whether the line names its game; the sample's number is 0 otherwise.
    pub(super) has_game: bool,
}

impl FromStr for Sample {
    type Err = LineError;

    /// Reads `FEN c9 "1-0";`, `FEN [1.0]`, with a value behind it or not, or `FEN | centipawns | 1.0`.
    fn from_str(line: &str) -> Result<Sample, LineError> {
        Line::read(line.as_bytes()).map(|line| line.sample)
    }
}

impl Line {
    /// Reads a line: plain ones by a short way, the others by one that can say what is wrong.
    pub(super) fn read(line: &[u8]) -> Result<Line, LineError> {
        let line = line.trim_ascii();
        quick_line::read(line).map_or_else(|| read_any(&String::from_utf8_lossy(line)), Ok)
    }

    #[inline]
    pub(super) fn new(position: &Position, has_move_number: bool, result: f64, game: Option<&[u8]>) -> Line {
        let ply = has_move_number.then(|| Sample::ply_of(position));
        let number = game.map_or(0, game_number);
        Line { sample: Sample { ply, game: number, ..Sample::new(*position, result) }, has_game: game.is_some() }
    }
}

/// Reads a line of any form, or says what is wrong with it.
fn read_any(line: &str) -> Result<Line, LineError> {
    // None of these stands in a position: the first one tells the form
    match line.find(['|', '[', '"', ';']).map(|at| (line.as_bytes()[at], &line[..at], &line[at + 1..])) {
        Some((b'|', fen, rest)) => {
            let (value, rest) = rest.split_once('|').ok_or(LineError::NoResult)?;
            let (result, game) = rest.split_once('|').map_or((rest, None), |(result, game)| (result, Some(game)));
            read_short(fen, result, value, game)
        }
        Some((b'[', fen, rest)) => {
            let (result, value) = rest.split_once(']').ok_or(LineError::NoResult)?;
            read_short(fen, result, value, None)
        }
        _ => read_epd(line),
    }
}

fn read_short(fen: &str, result: &str, value: &str, game: Option<&str>) -> Result<Line, LineError> {
    let epd: Epd = fen.parse()?;
    let result = points(result).ok_or_else(|| LineError::BadResult(result.trim().to_owned()))?;
    let game = game.map(str::trim).filter(|game| !game.is_empty());
    let mut line = Line::new(&epd.position, has_move_number(&epd, fen), result, game.map(str::as_bytes));
    if !value.trim().is_empty() {
        line.sample.value = Some(centipawns(value).ok_or_else(|| LineError::BadValue(value.trim().to_owned()))?);
    }
    Ok(line)
}

fn read_epd(text: &str) -> Result<Line, LineError> {
    let epd: Epd = text.parse()?;
    let result = match epd.text("c9") {
        Some(text) => points(text).ok_or_else(|| LineError::BadResult(text.to_owned()))?,
        // Some programs use another comment, which must then be a result beyond doubt
        None => {
            let comments = epd.operations().filter(|(opcode, _)| is_comment(opcode));
            let mut texts = comments.filter_map(|(_, operands)| operands.first());
            texts.find_map(|text| game_result(text.as_bytes())).ok_or(LineError::NoResult)?
        }
    };
    let game = epd.text("c8").filter(|text| game_result(text.as_bytes()).is_none());
    let mut line = Line::new(&epd.position, has_move_number(&epd, text), result, game.map(str::as_bytes));
    line.sample.value = match epd.text("ce") {
        Some(text) => Some(mover_value(&epd.position, text)?),
        None => epd.text("c7").and_then(centipawns_or_mate),
    };
    line.sample.best = epd.text("bm").and_then(|san| epd.position.parse_san(san).ok());
    Ok(line)
}

/// Whether a line gives the number of the move: as its sixth field, or as an operation.
fn has_move_number(epd: &Epd, line: &str) -> bool {
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let words = line.split([' ', ';']).filter(|word| !word.trim().is_empty());
    epd.operands("fmvn").is_some() || words.skip(4).take(2).filter(|word| is_number(word)).count() == 2
}

fn is_comment(opcode: &str) -> bool {
    matches!(opcode.as_bytes(), [b'c', b'0'..=b'9'])
}

/// White's points by a result as PGN has it.
pub(super) fn game_result(text: &[u8]) -> Option<f64> {
    match text.trim_ascii() {
        b"1-0" => Some(1.0),
        b"0-1" => Some(0.0),
        b"1/2-1/2" => Some(0.5),
        _ => None,
    }
}

/// White's points by such a result or as a number.
pub(super) fn points(text: &str) -> Option<f64> {
    let number = || text.trim().parse().ok().filter(|points| (0.0..=1.0).contains(points));
    game_result(text.as_bytes()).or_else(number)
}

/// A number of centipawns, rounded.
fn centipawns(text: &str) -> Option<i32> {
    let number = text.trim().parse::<f64>().ok();
    number.filter(|number| number.abs() <= f64::from(i32::MAX)).map(|number| number.round() as i32)
}

/// A value in the mover's view as White's.
pub(super) fn mover_value(position: &Position, text: &str) -> Result<i32, LineError> {
    let value = centipawns(text).ok_or_else(|| LineError::BadValue(text.trim().to_owned()))?;
    Ok(if position.turn() == Color::White { value } else { value.saturating_neg() })
}

/// A comment that is a number of pawns, with a decimal point, or a mate.
pub(super) fn centipawns_or_mate(text: &str) -> Option<i32> {
    if text.contains(['.', 'M', '#']) { pgn::score(text.trim()) } else { None }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const FEN: &str = "4k3/8/8/8/8/8/4P3/4K3 b - - 3 40";

    fn read(behind: &str) -> Result<(f64, Option<i32>), LineError> {
        let sample: Sample = format!("{FEN}{behind}").parse()?;
        assert_eq!(sample.position.to_string(), FEN);
        assert_eq!(sample.ply, Some(79));
        Ok((sample.result, sample.value))
    }

    #[test]
    fn all_common_forms_are_read() {
        for (behind, result, value) in [
            (" c9 \"1-0\";", 1.0, None),
            (" c9 \"0-1\"", 0.0, None),
            (" c9 \"1/2-1/2\";", 0.5, None),
            (" id \"one\"; c0 \"1\"; c2 \"0-1\";", 0.0, None),
            (" c0 \"1-0\"; c9 \"0.5\";", 0.5, None),
            (" c0 \"x | y [z]\"; c9 \"0.5\";", 0.5, None),
            (" c9 \"1-0\"; c7 \"-1.38\";", 1.0, Some(-138)),
            (" c9 \"1-0\"; c7 \"-M3\";", 1.0, Some(-29_997)),
            (" c9 \"1-0\"; c7 \"1000.0\";", 1.0, Some(30_000)),
            (" c9 \"1-0\"; ce -31;", 1.0, Some(31)),
            (" ce 5; c9 \"1-0\"; c7 \"7\";", 1.0, Some(-5)),
            (" [1.0]", 1.0, None),
            (" [0.5] -31", 0.5, Some(-31)),
            (" [1-0]", 1.0, None),
            (" | 123 | 1.0", 1.0, Some(123)),
            (" | 12.6 | 1.0", 1.0, Some(13)),
            ("|-5|0.5\r", 0.5, Some(-5)),
            (" | 0 | 0", 0.0, Some(0)),
            (" |  | 1-0 | g7", 1.0, None),
            (" [0.731]", 0.731, None),
        ] {
            assert_eq!(read(behind), Ok((result, value)), "{behind}");
        }
        let short: Sample = "4k3/8/8/8/8/8/4P3/4K3 w - - c9 \"1-0\"; bm e4;".parse().unwrap();
        assert_eq!(short.position.to_string(), "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
        assert_eq!((short.ply, short.best), (None, short.position.parse_uci("e2e4").ok()));
        let number: Sample = "4k3/8/8/8/8/8/4P3/4K3 w - - hmvc 0; fmvn 3; c9 \"1-0\";".parse().unwrap();
        assert_eq!(number.ply, Some(4));
    }

    #[test]
    fn games_are_told_by_their_names() {
        let game = |behind: &str| {
            let line = Line::read(format!("{FEN}{behind}").as_bytes()).unwrap();
            line.has_game.then_some(line.sample.game)
        };
        assert_eq!(game(" c9 \"1-0\"; c8 \"g1\";"), Some(game_number(b"g1")));
        assert_eq!(game(" c9 \"1-0\"; c8 \"12\";"), Some(12));
        assert_eq!(game(" | 3 | 1.0 | 12"), Some(12));
        assert_eq!(game(" | 3 | 1.0"), None);
        assert_eq!(game(" c8 \"1-0\";"), None, "that is the result");
    }

    #[test]
    fn broken_lines_say_what_is_wrong() {
        for (behind, error) in [
            ("", LineError::NoResult),
            (" | 5", LineError::NoResult),
            (" [1.0", LineError::NoResult),
            (" c9 \"*\";", LineError::BadResult("*".to_owned())),
            (" [1.5]", LineError::BadResult("1.5".to_owned())),
            (" [nan]", LineError::BadResult("nan".to_owned())),
            (" | x | 1.0", LineError::BadValue("x".to_owned())),
            (" | inf | 1.0", LineError::BadValue("inf".to_owned())),
            (" ce x; c9 \"1-0\";", LineError::BadValue("x".to_owned())),
        ] {
            assert_eq!(read(behind), Err(error), "{behind}");
        }
        assert!(matches!("4k3/8/8/8/8/8/8 w - - [1.0]".parse::<Sample>(), Err(LineError::Epd(_))));
    }

    /// Lines of all forms with some characters changed.
    fn mutated() -> impl Strategy<Value = String> {
        let seeds = [
            "r1bqk2r/1pp2pp1/p1np4/2b1p2n/2P1P3/2NP2PP/PP1QN1B1/R1B1K2R w KQkq - c9 \"1/2-1/2\"; c8 \"g13\"; c7 \"-0.86\";",
            "8/8/6pk/3P3p/3KPp1P/5q2/8/R6R b - - 0 61 c9 \"0-1\"; c8 \"14\"; ce 12; bm Qe3+;",
            "8/7p/7k/1R6/5PPK/5r1P/8/8 w - - 3 50 | -120 | 0.5 | 7",
            "8/7p/7k/1R6/5PPK/5r1P/8/8 w - - 3 50 [0.5] 31",
        ];
        let letter = prop::sample::select("pnbrqkPNBRQK12345678/ -wb;\"|[].c9ceé\t".chars().collect::<Vec<_>>());
        let edit = (any::<prop::sample::Index>(), 0..3u8, letter);
        (prop::sample::select(seeds.to_vec()), prop::collection::vec(edit, 0..4)).prop_map(|(seed, edits)| {
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

    proptest! {
        #![proptest_config(ProptestConfig { cases: 20_000, ..ProptestConfig::default() })]

        #[test]
        fn the_short_way_leads_where_the_long_one_does(text in mutated()) {
            let text = text.trim_ascii();
            if let Some(quick) = quick_line::read(text.as_bytes()) {
                let any = read_any(text);
                prop_assert!(any.is_ok(), "{text}: {:?}", any.err());
                let any = any.unwrap();
                prop_assert_eq!(quick.has_game, any.has_game, "{}", text);
                let parts = |sample: Sample| {
                    (sample.position, sample.result, sample.value, sample.game, sample.ply, sample.best)
                };
                prop_assert_eq!(parts(quick.sample), parts(any.sample), "{}", text);
            }
        }
    }
}
