//! Where games begin: positions of a file, or some random moves from the initial position.

use chess::{Epd, EpdError, Position};
use thiserror::Error;

/// Why openings cannot be used.
#[derive(Debug, Error)]
pub enum OpeningsError {
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

/// Reads positions from an EPD or FEN file, a line each, and shuffles them by a seed.
pub fn read_openings(path: &str, seed: u64) -> Result<Vec<Position>, OpeningsError> {
    let text = std::fs::read_to_string(path).map_err(|error| OpeningsError::Unreadable(path.to_owned(), error))?;
    let lines = (1..).zip(text.lines()).filter(|(_, text)| !text.trim().is_empty() && !text.starts_with('#'));
    let read = |(line, text): (usize, &str)| {
        let fail = |error| OpeningsError::Line { path: path.to_owned(), line, error };
        text.parse::<Epd>().map(|epd| epd.position).map_err(fail)
    };
    let mut openings = lines.map(read).collect::<Result<Vec<_>, _>>()?;
    if openings.is_empty() {
        return Err(OpeningsError::Empty(path.to_owned()));
    }
    fastrand::Rng::with_seed(seed).shuffle(&mut openings);
    Ok(openings)
}

/// Positions after some random legal moves, all different, none of them over. The same seed gives the same ones.
pub fn random_openings(count: usize, plies: usize, seed: u64) -> Vec<Position> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut openings: Vec<Position> = Vec::with_capacity(count);
    let mut keys = std::collections::HashSet::new();
    while openings.len() < count {
        let mut position = Position::initial();
        for _ in 0..plies {
            match random.choice(position.legal_moves().to_vec()) {
                Some(mv) => position.play(mv),
                None => break,
            }
        }
        if position.outcome().is_none() && keys.insert(position.keys().full()) {
            openings.push(position);
        }
    }
    openings
}
