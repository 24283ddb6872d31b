//! A line of labelled data, in the forms that are met in the wild. Results and values are White's.

use std::str::FromStr;

use chess::{Epd, EpdError, Position};
use thiserror::Error;

/// A position and what came of the game.
#[derive(Clone, Debug)]
pub struct Labelled {
    /// The position.
    pub position: Position,
    /// White's points, from 0 to 1.
    pub result: f64,
    /// The position's value in centipawns, White's view, if the line has one.
    pub value: Option<i32>,
}

/// Why a line is not a labelled position.
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
}

impl FromStr for Labelled {
    type Err = LineError;

    /// Reads `FEN c9 "1-0";`, `FEN [1.0]`, with a value behind it or not, or `FEN | centipawns | 1.0`.
    fn from_str(line: &str) -> Result<Labelled, LineError> {
        if let Some((fen, rest)) = line.split_once('|') {
            let (value, result) = rest.split_once('|').ok_or(LineError::NoResult)?;
            return Labelled::new(fen, result, Some(value));
        }
        if let Some((fen, rest)) = line.split_once('[') {
            let (result, value) = rest.split_once(']').ok_or(LineError::NoResult)?;
            return Labelled::new(fen, result, Some(value).filter(|value| !value.trim().is_empty()));
        }
        let epd: Epd = line.parse()?;
        let result = match epd.text("c9") {
            Some(text) => points(text).ok_or_else(|| LineError::BadResult(text.to_owned()))?,
            // Some programs use another comment, which must then be a result beyond doubt
            None => {
                let comments = epd.operations().filter(|(opcode, _)| is_comment(opcode));
                let mut texts = comments.filter_map(|(_, operands)| operands.first());
                texts.find_map(|text| game_result(text)).ok_or(LineError::NoResult)?
            }
        };
        Ok(Labelled { position: epd.position, result, value: None })
    }
}

impl Labelled {
    fn new(fen: &str, result: &str, value: Option<&str>) -> Result<Labelled, LineError> {
        let epd: Epd = fen.parse()?;
        let result = points(result).ok_or_else(|| LineError::BadResult(result.trim().to_owned()))?;
        let centipawns = |value: &str| {
            let number = value.trim().parse::<f64>().ok().filter(|number| number.abs() <= f64::from(i32::MAX));
            number.map(|number| number.round() as i32).ok_or_else(|| LineError::BadValue(value.trim().to_owned()))
        };
        Ok(Labelled { position: epd.position, result, value: value.map(centipawns).transpose()? })
    }
}

fn is_comment(opcode: &str) -> bool {
    matches!(opcode.as_bytes(), [b'c', b'0'..=b'9'])
}

/// White's points by a result as PGN has it.
fn game_result(text: &str) -> Option<f64> {
    match text.trim() {
        "1-0" => Some(1.0),
        "0-1" => Some(0.0),
        "1/2-1/2" => Some(0.5),
        _ => None,
    }
}

/// White's points by such a result or as a number.
fn points(text: &str) -> Option<f64> {
    let number = || text.trim().parse().ok().filter(|points| (0.0..=1.0).contains(points));
    game_result(text).or_else(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEN: &str = "4k3/8/8/8/8/8/4P3/4K3 b - - 3 40";

    fn read(behind: &str) -> Result<(f64, Option<i32>), LineError> {
        let labelled: Labelled = format!("{FEN}{behind}").parse()?;
        assert_eq!(labelled.position.to_string(), FEN);
        Ok((labelled.result, labelled.value))
    }

    #[test]
    fn all_common_forms_are_read() {
        for (behind, result, value) in [
            (" c9 \"1-0\";", 1.0, None),
            (" c9 \"0-1\"", 0.0, None),
            (" c9 \"1/2-1/2\";", 0.5, None),
            (" id \"one\"; c0 \"1\"; c2 \"0-1\";", 0.0, None),
            (" c0 \"1-0\"; c9 \"0.5\";", 0.5, None),
            (" [1.0]", 1.0, None),
            (" [0.5] -31", 0.5, Some(-31)),
            (" [1-0]", 1.0, None),
            (" | 123 | 1.0", 1.0, Some(123)),
            ("|-5|0.5\r", 0.5, Some(-5)),
            (" | 0 | 0", 0.0, Some(0)),
            (" [0.731]", 0.731, None),
        ] {
            assert_eq!(read(behind), Ok((result, value)), "{behind}");
        }
        let short: Labelled = "4k3/8/8/8/8/8/4P3/4K3 w - - c9 \"1-0\";".parse().unwrap();
        assert_eq!(short.position.to_string(), "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
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
        ] {
            assert_eq!(read(behind), Err(error), "{behind}");
        }
        assert!(matches!("4k3/8/8/8/8/8/8 w - - [1.0]".parse::<Labelled>(), Err(LineError::Epd(_))));
    }
}
