//! What is kept of a contest while it runs: every game in the store, and in files for those who want them.

use std::collections::HashSet;

use chess::ByColor;
use thiserror::Error;

use super::contest::{Variation, outcome};
use super::game::Game;
use super::pgn::{last_position, pgn};
use super::schedule::Place;
use super::standings::Standings;
use crate::files::{Output, WriteError};
use crate::store::{Claim, State, Store, StoreError};

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

/// Why a game cannot be kept.
#[derive(Debug, Error)]
pub enum RecordError {
    /// A file.
    #[error(transparent)]
    File(#[from] WriteError),
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Record {
    /// Keeps a game.
    pub fn add(&mut self, place: Place, seats: ByColor<usize>, game: &Game) -> Result<(), RecordError> {
        if let Some((store, claim)) = &mut self.run {
            store.add_game(claim, place, seats, game)?;
        }
        self.write(place, game)
    }

    /// Counts the games that the store has already and writes them to the files anew: what was in those when the run was
    /// killed may be half a game. What changes from pair to pair hears of them again. Returns which games there are.
    pub fn replay(
        &mut self,
        standings: &mut Standings,
        variation: Option<&dyn Variation>,
    ) -> Result<HashSet<Place>, RecordError> {
        let mut played = HashSet::new();
        let run = self.run.take();
        let replayed = run.as_ref().map_or(Ok(()), |(store, claim)| {
            store.for_each_game(claim.run(), |stored| -> Result<(), RecordError> {
                let outcome = outcome(stored.place, &stored.game);
                standings.add(&outcome);
                if let Some(variation) = variation {
                    variation.hear(&outcome);
                }
                played.insert(stored.place);
                self.write(stored.place, &stored.game)
            })
        });
        let settled = replayed.and_then(|()| {
            self.pgn.iter_mut().chain(&mut self.epd).try_for_each(Output::settle).map_err(RecordError::from)
        });
        if let (Err(error), Some((store, claim))) = (&settled, &run) {
            store.finish(claim, State::Failed, &error.to_string())?;
        }
        self.run = run;
        settled.map(|()| played)
    }

    /// Writes a game that is in the store already to the files.
    fn write(&mut self, place: Place, game: &Game) -> Result<(), RecordError> {
        if let Some(output) = &mut self.pgn {
            output.add(&pgn(game, &self.event, &place.to_string()))?;
        }
        if let Some(output) = &mut self.epd {
            output.add(&last_position(game, &place.to_string()))?;
        }
        Ok(())
    }
}
