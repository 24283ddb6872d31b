//! Where games begin: positions of a book, in order or shuffled, or some random moves from the initial position.
//!
//! A book is read as a stream, and only what was chosen is kept, so that books of millions of lines need no more memory
//! than the match has rounds.

mod builtin;
mod choose;
mod format;
mod generate;
mod pgn;
mod polyglot;

use std::fs::File;
use std::io::{BufRead, BufReader, Cursor, Read};
use std::sync::Arc;

use chess::Position;
use engine::Weights;
use engine::openings::{Openings, PLIES, Start, read_positions};
use flate2::read::MultiGzDecoder;
use thiserror::Error;

pub use builtin::default_book;
use choose::Sieve;
pub use format::{Format, FormatError, Order};
pub use generate::{Generated, GenerationEnd, generate_openings};

/// Which book.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum Origin {
    /// The one that comes with the program.
    Builtin,
    /// A file; packed with gzip if its name ends in `.gz`.
    File(String),
}

/// Which openings of which book.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Source {
    /// Which book.
    pub origin: Origin,
    /// What kind of file it is; without one, its name tells.
    pub format: Option<Format>,
    /// In which order. Openings of a Polyglot book are random walks and know no other order.
    pub order: Order,
    /// How many openings of that order are passed over.
    pub start: usize,
    /// How many plies of each game, or of each walk through a Polyglot book, are played. Without a number, all plies of a
    /// game, or eight of a walk. Positions of other files are taken as they are.
    pub plies: Option<usize>,
    /// What decides a random order and random walks.
    pub seed: u64,
}

impl Source {
    /// All of a book in random order.
    pub fn new(origin: Origin, seed: u64) -> Source {
        Source { origin, format: None, order: Order::Random, start: 0, plies: None, seed }
    }

    /// The book's name in messages.
    fn name(&self) -> &str {
        match &self.origin {
            Origin::Builtin => "the built-in book",
            Origin::File(path) => path,
        }
    }

    fn open(&self) -> Result<Box<dyn BufRead>, BookError> {
        let path = match &self.origin {
            Origin::Builtin => return Ok(Box::new(BufReader::new(MultiGzDecoder::new(Cursor::new(builtin::PACKED))))),
            Origin::File(path) => path,
        };
        let file = File::open(path).map_err(|error| self.unreadable(error))?;
        Ok(if format::is_packed(path) {
            Box::new(BufReader::new(MultiGzDecoder::new(file)))
        } else {
            Box::new(BufReader::new(file))
        })
    }

    fn unreadable(&self, error: std::io::Error) -> BookError {
        engine::openings::BookError::Unreadable(self.name().to_owned(), error).into()
    }
}

/// A game of a book that cannot be used.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct BrokenGame {
    /// Which game of the file, from 1.
    pub number: usize,
    /// What is wrong.
    pub reason: String,
}

/// Openings that were chosen from a book.
#[derive(Clone, Debug, Default)]
pub struct Book {
    /// The openings in their order, never none: as many as were wanted, or all there are. After the last comes the first.
    pub positions: Vec<Position>,
    /// How many positions were left out because the game is over.
    pub finished: usize,
    /// How many games were left out because they are broken.
    pub broken: usize,
    /// The first of these.
    pub broken_games: Vec<BrokenGame>,
}

impl Book {
    /// What was left out, a sentence each.
    pub fn remarks(&self) -> Vec<String> {
        let finished = (self.finished > 0)
            .then(|| format!("Left out of the openings, because the game is over: {} positions.", self.finished));
        let broken = (self.broken > 0).then(|| {
            let named: Vec<String> =
                self.broken_games.iter().map(|game| format!("game {}: {}", game.number, game.reason)).collect();
            let more = if self.broken > named.len() { "; and so on" } else { "" };
            format!(
                "Left out of the openings, because they are broken: {} games ({}{more}).",
                self.broken,
                named.join("; ")
            )
        });
        finished.into_iter().chain(broken).collect()
    }
}

/// Why a book cannot be used.
#[derive(Debug, Error)]
pub enum BookError {
    /// The file cannot be read, or a line is no position, or there is none.
    #[error(transparent)]
    Positions(#[from] engine::openings::BookError),
    /// Nothing can be played.
    #[error("{0} has only positions in which the game is over")]
    Finished(String),
    /// No game can be used.
    #[error("{path} has no game that can be used; game {}: {}", first.number, first.reason)]
    Broken {
        /// The file.
        path: String,
        /// The first game.
        first: BrokenGame,
    },
    /// The size is wrong.
    #[error("{0} is no Polyglot book: its size is not a multiple of 16 bytes")]
    NotPolyglot(String),
    /// A walk has nowhere to begin.
    #[error("{0} has no move for the initial position")]
    NoFirstMove(String),
}

/// Something in a book: a position, or a game that leads to none.
type Entry = Result<Position, BrokenGame>;

type Entries<'a> = Box<dyn Iterator<Item = Result<Entry, BookError>> + 'a>;

/// Chooses openings from a book: as many as are wanted, or all there are. The same source gives the same openings, and
/// fewer of them are the first of more.
///
/// Every opening is legal, and in none is the game over. A bad line is an error that names it; broken games are left out
/// and named in the book.
pub fn openings(source: &Source, count: usize) -> Result<Book, BookError> {
    let format = source.format.unwrap_or_else(|| match &source.origin {
        Origin::Builtin => Format::Epd,
        Origin::File(path) => Format::of_name(path),
    });
    let mut sieve = Sieve::default();
    let positions = match (format, source.order) {
        (Format::Polyglot, _) => {
            let mut bytes = Vec::new();
            source.open()?.read_to_end(&mut bytes).map_err(|error| source.unreadable(error))?;
            let walks = polyglot::Walks::new(&bytes, source)?;
            choose::in_order(&|| Ok(walks.entries()), source.start, count, &mut sieve)?
        }
        (format, Order::Sequential) => choose::in_order(&|| entries(source, format), source.start, count, &mut sieve)?,
        (format, Order::Random) => {
            choose::shuffled(entries(source, format)?, source.seed, source.start, count, &mut sieve)?
        }
    };
    sieve.book(positions, source.name())
}

/// The entries of a file of positions or games, from its beginning.
fn entries(source: &Source, format: Format) -> Result<Entries<'_>, BookError> {
    let file = source.open()?;
    Ok(match format {
        Format::Pgn => Box::new(pgn::Games::new(file, source)),
        Format::Epd | Format::Polyglot => {
            let entry = |position: Result<Position, _>| Ok(Ok(position?));
            Box::new(read_positions(file, source.name()).map(entry))
        }
    })
}

/// Level positions after some random moves, all different. The same seed gives the same ones; none if there is no memory
/// to look at them.
pub fn random_openings(start: Start, count: usize, seed: u64) -> Option<Vec<Position>> {
    let weights = Arc::new(Weights::load("default").expect("the default weights are sound"));
    Some(Openings::new(start, PLIES, weights, seed)?.take(count).collect())
}
