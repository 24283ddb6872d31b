//! Positions from files, a line each.

use std::fs::File;
use std::io::{BufRead, BufReader};

use chess::{Epd, EpdError, Position};
use thiserror::Error;

/// Why a book cannot be used.
#[derive(Debug, Error)]
pub enum BookError {
    /// The file cannot be read.
    #[error("{0} cannot be read: {1}")]
    Unreadable(String, std::io::Error),
    /// A line is no position.
    #[error("{path}, line {line}: {error}")]
    Line {
        /// The file.
        path: String,
        /// The line.
        line: usize,
        /// What is wrong.
        error: EpdError,
    },
    /// Nothing to begin with.
    #[error("{0} has no positions")]
    Empty(String),
}

/// Reads the positions of an EPD or FEN file, a line each.
pub fn read_book(path: &str) -> Result<Vec<Position>, BookError> {
    let file = File::open(path).map_err(|error| BookError::Unreadable(path.to_owned(), error))?;
    let positions = read_positions(BufReader::new(file), path).collect::<Result<Vec<_>, _>>()?;
    if positions.is_empty() { Err(BookError::Empty(path.to_owned())) } else { Ok(positions) }
}

/// Reads positions one by one, a line each. Empty lines and lines that begin with `#` are none. `path` is for errors only.
pub fn read_positions(file: impl BufRead, path: &str) -> impl Iterator<Item = Result<Position, BookError>> {
    let read = move |(line, text): (usize, std::io::Result<Vec<u8>>)| {
        let text = match text {
            Ok(text) => text,
            Err(error) => return Some(Err(BookError::Unreadable(path.to_owned(), error))),
        };
        let text = String::from_utf8_lossy(&text);
        if text.trim().is_empty() || text.starts_with('#') {
            return None;
        }
        let fail = |error| BookError::Line { path: path.to_owned(), line, error };
        Some(text.parse::<Epd>().map(|epd| epd.position).map_err(fail))
    };
    (1..).zip(file.split(b'\n')).filter_map(read)
}
