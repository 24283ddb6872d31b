//! EPD: a position and what is said of it, in operations such as `bm Nf3; id "WAC.001";`.

use thiserror::Error;

use crate::fen::shortened;
use crate::{FenError, Position};

/// A line of an EPD file.
#[derive(Clone, Debug)]
pub struct Epd {
    /// The position.
    pub position: Position,
    operations: Vec<Operation>,
}

/// An opcode and its operands.
#[derive(Clone, Debug)]
struct Operation {
    opcode: String,
    operands: Vec<String>,
}

/// Why a line is not EPD.
#[derive(Clone, Eq, PartialEq, Debug, Error)]
pub enum EpdError {
    /// The position is wrong.
    #[error(transparent)]
    Position(#[from] FenError),
    /// An operation does not begin with an opcode.
    #[error("EPD operation: {0:?} does not begin with a name such as bm, id or c0")]
    NoOpcode(String),
    /// A quoted text does not end.
    #[error("EPD operation {0}: the quotation mark is not closed")]
    OpenQuote(String),
    /// A counter is not a number.
    #[error("EPD operation {opcode}: {operand:?} is not a number from 0 to 65535")]
    BadNumber {
        /// `hmvc` or `fmvn`.
        opcode: String,
        /// What stands there.
        operand: String,
    },
}

impl std::str::FromStr for Epd {
    type Err = EpdError;

    /// Reads four fields of a FEN, two counters if they are there, and operations that end in semicolons.
    fn from_str(line: &str) -> Result<Epd, EpdError> {
        // Control characters and byte order marks come with old files and mean nothing
        let line = line.replace(|c: char| c.is_control() || c == '\u{feff}', " ");
        let (fen, rest) = split_position(&line);
        let mut position: Position = fen.parse()?;
        let operations = read_operations(rest)?;
        for Operation { opcode, operands } in &operations {
            let operand = operands.first().map_or("", String::as_str);
            let number = || {
                let bad = || EpdError::BadNumber { opcode: opcode.clone(), operand: shortened(operand) };
                operand.parse::<u16>().map_err(|_| bad())
            };
            match opcode.as_str() {
                "hmvc" => position.halfmove_clock = number()?,
                "fmvn" => position.fullmove_number = u32::from(number()?).max(1),
                _ => (),
            }
        }
        Ok(Epd { position, operations })
    }
}

impl Epd {
    /// The operands of an opcode, if the line has it.
    pub fn operands(&self, opcode: &str) -> Option<&[String]> {
        self.operations.iter().find(|operation| operation.opcode == opcode).map(|operation| &*operation.operands)
    }

    /// The first operand of an opcode: the text of `id` or of a comment.
    pub fn text(&self, opcode: &str) -> Option<&str> {
        self.operands(opcode)?.first().map(String::as_str)
    }

    /// All opcodes with their operands, in the order of the line.
    pub fn operations(&self) -> impl Iterator<Item = (&str, &[String])> {
        self.operations.iter().map(|operation| (operation.opcode.as_str(), &*operation.operands))
    }
}

/// Cuts a line after the position: four fields, and numbers that follow them.
fn split_position(line: &str) -> (&str, &str) {
    let mut end = 0;
    for field in 0..6 {
        let rest = &line[end..];
        let start = rest.len() - rest.trim_start().len();
        let length = rest[start..].find(|c: char| c.is_whitespace() || c == ';').unwrap_or(rest.len() - start);
        let text = &rest[start..start + length];
        if text.is_empty() || (field >= 4 && !text.bytes().all(|byte| byte.is_ascii_digit())) {
            break;
        }
        end += start + length;
    }
    line.split_at(end)
}

fn read_operations(text: &str) -> Result<Vec<Operation>, EpdError> {
    let mut operations = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let (operation, after) = read_operation(rest)?;
        operations.extend(operation);
        rest = after.trim_start();
    }
    Ok(operations)
}

/// Reads up to the next semicolon. Nothing before it is no operation.
fn read_operation(text: &str) -> Result<(Option<Operation>, &str), EpdError> {
    let mut words = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        if let Some(after) = rest.strip_prefix(';') {
            rest = after;
            break;
        } else if rest.is_empty() {
            break;
        } else if let (Some(quoted), false) = (rest.strip_prefix('"'), words.is_empty()) {
            let Some((word, after)) = quoted.split_once('"') else {
                return Err(EpdError::OpenQuote(words.swap_remove(0)));
            };
            words.push(word.to_owned());
            rest = after;
        } else {
            let end = rest.find(|c: char| c.is_whitespace() || c == ';').unwrap_or(rest.len());
            match (&rest[..end], words.last_mut()) {
                // A check or mate sign that went astray belongs to the move before it
                (sign @ ("+" | "#"), Some(mv)) => mv.push_str(sign),
                (word, _) => words.push(word.to_owned()),
            }
            rest = &rest[end..];
        }
    }
    let mut words = words.into_iter();
    match words.next() {
        None => Ok((None, rest)),
        Some(opcode) if opcode.starts_with(|c: char| c.is_ascii_alphabetic()) => {
            Ok((Some(Operation { opcode, operands: words.collect() }), rest))
        }
        Some(other) => Err(EpdError::NoOpcode(shortened(&other))),
    }
}
