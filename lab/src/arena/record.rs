//! What is kept of a contest while it runs: every game in the store, and in files for those who want them.

use std::fs::File;
use std::io::{BufWriter, Write};

use chess::ByColor;
use thiserror::Error;

use super::game::Game;
use super::pgn::{last_position, pgn};
use super::schedule::Place;
use crate::store::{Claim, Store, StoreError};

/// Where games go.
#[derive(Default)]
pub struct Record {
    /// The store and the run in it.
    pub run: Option<(Store, Claim)>,
    /// Games as PGN.
    pub pgn: Option<Output>,
    /// Last positions with results, as EPD.
    pub epd: Option<Output>,
    /// What the games' Event tag says.
    pub event: String,
}

/// A file that grows game by game.
pub struct Output {
    path: String,
    file: BufWriter<File>,
}

/// Why a game cannot be kept.
#[derive(Debug, Error)]
pub enum RecordError {
    /// A file.
    #[error("{0} cannot be written: {1}")]
    File(String, std::io::Error),
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Output {
    /// A fresh file.
    pub fn create(path: &str) -> Result<Output, RecordError> {
        let file = File::create(path).map_err(|error| RecordError::File(path.to_owned(), error))?;
        Ok(Output { path: path.to_owned(), file: BufWriter::new(file) })
    }

    /// Adds text, which is in the file when this returns.
    fn add(&mut self, text: &str) -> Result<(), RecordError> {
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.flush());
        written.map_err(|error| RecordError::File(self.path.clone(), error))
    }
}

impl Record {
    /// Keeps a game.
    pub fn add(&mut self, place: Place, seats: ByColor<usize>, game: &Game) -> Result<(), RecordError> {
        if let Some((store, claim)) = &mut self.run {
            store.add_game(claim, place, seats, game)?;
        }
        self.write(place, game)
    }

    /// Writes a game that is in the store already to the files.
    pub fn write(&mut self, place: Place, game: &Game) -> Result<(), RecordError> {
        if let Some(output) = &mut self.pgn {
            output.add(&pgn(game, &self.event, &place.to_string()))?;
        }
        if let Some(output) = &mut self.epd {
            output.add(&last_position(game, &place.to_string()))?;
        }
        Ok(())
    }
}
