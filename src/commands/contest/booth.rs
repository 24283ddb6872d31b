//! From where a contest is seen: every game is kept and shown, and wishes from outside are heard.

use std::time::{Duration, Instant};

use anyhow::Result;
use chess::ByColor;
use lab::arena::{Game, Place, Record, RecordError, Standings, Wish, Witness};
use lab::store::{Request, State};
use serde_json::json;

use super::Words;
use crate::interrupt;
use crate::output::outln;
use crate::scoreboard::Scoreboard;

/// How often a run says that it lives.
const BEAT: Duration = Duration::from_secs(1);

/// Sees every game: keeps it, shows it, and hears whether to go on.
pub(super) struct Booth<'a> {
    pub(super) record: Record,
    pub(super) board: Scoreboard,
    pub(super) beaten: Instant,
    pub(super) wish: Wish,
    pub(super) sentence: Words<'a>,
    pub(super) report: Option<(u64, Words<'a>)>,
}

impl Booth<'_> {
    fn beat(&mut self, standings: &Standings) -> Result<(), RecordError> {
        let Some((store, claim)) = &self.record.run else { return Ok(()) };
        let wish = match store.beat(claim)? {
            Request::None => Wish::Go,
            Request::Pause => Wish::Pause,
            Request::Stop => Wish::Stop,
        };
        if wish != self.wish && wish != Wish::Stop {
            store.set_state(claim, if wish == Wish::Pause { State::Paused } else { State::Running })?;
        }
        self.wish = wish;
        Ok(store.save_progress(claim, &progress(self.sentence, standings))?)
    }

    /// Gives the run up.
    pub(super) fn finish(&mut self, state: State, standings: &Standings) -> Result<()> {
        if let Some((store, claim)) = &self.record.run {
            store.save_progress(claim, &progress(self.sentence, standings))?;
            store.finish(claim, state, &(self.sentence)(standings))?;
        }
        Ok(())
    }
}

fn progress(sentence: Words, standings: &Standings) -> serde_json::Value {
    let pairs: Vec<_> = standings.scores().iter().map(|score| score.pairs).collect();
    json!({ "sentence": sentence(standings), "ptnml": pairs, "incidents": standings.incident_count() })
}

impl Witness for Booth<'_> {
    type Error = RecordError;

    fn game(
        &mut self,
        place: Place,
        seats: ByColor<usize>,
        game: &Game,
        standings: &Standings,
    ) -> Result<(), RecordError> {
        self.record.add(place, seats, game)?;
        if let Some((interval, report)) = self.report
            && standings.games().is_multiple_of(interval)
        {
            self.board.suspend(|| outln!("{}\n", report(standings)));
        }
        Ok(())
    }

    fn wish(&mut self, standings: &Standings) -> Result<Wish, RecordError> {
        if interrupt::came() {
            return Ok(Wish::Stop);
        }
        if self.beaten.elapsed() >= BEAT {
            self.beaten = Instant::now();
            self.beat(standings)?;
        }
        self.board.update(standings);
        Ok(self.wish)
    }
}
