//! Kinds of books and orders of openings, as a user names them.

use std::path::Path;
use std::str::FromStr;

use thiserror::Error;

/// What kind of file a book is.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Format {
    /// A position a line, EPD or FEN.
    Epd,
    /// Games.
    Pgn,
    /// Moves by position, 16 bytes each.
    Polyglot,
}

/// In which order openings are played.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Order {
    /// As in the file.
    Sequential,
    /// Shuffled by the seed.
    Random,
}

/// A word that names no kind of book or order.
#[derive(Clone, Eq, PartialEq, Debug, Error)]
#[error("{word:?} is not known; there are {known}")]
pub struct FormatError {
    word: String,
    known: &'static str,
}

impl FromStr for Format {
    type Err = FormatError;

    fn from_str(word: &str) -> Result<Format, FormatError> {
        match word.to_ascii_lowercase().as_str() {
            "epd" | "fen" => Ok(Format::Epd),
            "pgn" => Ok(Format::Pgn),
            "polyglot" | "bin" => Ok(Format::Polyglot),
            _ => Err(FormatError { word: word.to_owned(), known: "epd (also called fen), pgn and polyglot (or bin)" }),
        }
    }
}

impl FromStr for Order {
    type Err = FormatError;

    fn from_str(word: &str) -> Result<Order, FormatError> {
        match word.to_ascii_lowercase().as_str() {
            "sequential" => Ok(Order::Sequential),
            "random" => Ok(Order::Random),
            _ => Err(FormatError { word: word.to_owned(), known: "sequential and random" }),
        }
    }
}

impl Format {
    /// By a file's name; whatever has no other name holds positions.
    pub(super) fn of_name(path: &str) -> Format {
        let name = if is_packed(path) { &path[..path.len() - ".gz".len()] } else { path };
        let ending = Path::new(name).extension().and_then(|ending| ending.to_str());
        ending.and_then(|ending| ending.parse().ok()).unwrap_or(Format::Epd)
    }
}

/// Whether a file is packed with gzip, by its name.
pub(super) fn is_packed(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gz"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_the_kind() {
        for (name, format) in [
            ("a/b.epd", Format::Epd),
            ("b.PGN", Format::Pgn),
            ("b.pgn.gz", Format::Pgn),
            ("b.bin", Format::Polyglot),
            ("book", Format::Epd),
            (".gz", Format::Epd),
            ("b.bin.GZ", Format::Polyglot),
        ] {
            assert_eq!(Format::of_name(name), format, "{name}");
        }
        assert!("zip".parse::<Format>().unwrap_err().to_string().starts_with("\"zip\" is not known; there are epd"));
        assert_eq!("Random".parse(), Ok(Order::Random));
    }
}
