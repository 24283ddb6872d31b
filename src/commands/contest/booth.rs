//! From where a contest is seen: every game is kept and shown, and wishes from outside are heard.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use chess::ByColor;
use lab::arena::{Game, Place, Record, RecordError, Standings, Watch, Wish, Witness};
use lab::spsa::Session;
use lab::store::{Request, State};
use serde_json::{Map, Value, json};

use super::{Words, clock_object};
use crate::interrupt;
use crate::output::outln;
use crate::scoreboard::Scoreboard;

/// How often a run says that it lives.
const BEAT: Duration = Duration::from_secs(1);

/// Sees every game: keeps it, shows it, and hears whether to go on.
pub(super) struct Booth<'a> {
    pub(super) record: Record,
    pub(super) board: Scoreboard<'a>,
    pub(super) beaten: Instant,
    pub(super) wish: Wish,
    pub(super) sentence: Words<'a>,
    pub(super) report: Option<(u64, Words<'a>)>,
    pub(super) tuning: Option<&'a Session>,
    /// Moments of the tuning that the store has as points of curves.
    pub(super) kept: usize,
    pub(super) watch: Arc<Watch>,
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
        Ok(store.save_progress(claim, &self.progress(standings))?)
    }

    /// Gives the run up.
    pub(super) fn finish(&mut self, state: State, standings: &Standings) -> Result<()> {
        if let Some((store, claim)) = &self.record.run {
            store.save_progress(claim, &self.progress(standings))?;
            store.finish(claim, state, &(self.sentence)(standings))?;
        }
        Ok(())
    }

    /// Keeps the tuned numbers as curves, a step an iteration.
    fn keep_curves(&mut self) -> Result<(), RecordError> {
        let (Some(session), Some((store, claim))) = (self.tuning, &self.record.run) else { return Ok(()) };
        let tuner = session.tuner();
        for moment in tuner.history().iter().skip(self.kept) {
            let values = tuner.parameters().iter().zip(&moment.values);
            let values: Vec<_> = values.map(|(parameter, value)| (parameter.name.as_str(), *value)).collect();
            store.add_points(claim, moment.iteration as u64, &values)?;
        }
        self.kept = tuner.history().len();
        Ok(())
    }

    fn progress(&self, standings: &Standings) -> Value {
        let pairs: Vec<_> = standings.scores().iter().map(|score| score.pairs).collect();
        let incidents = standings.incident_count();
        let mut progress = json!({ "sentence": (self.sentence)(standings), "ptnml": pairs, "incidents": incidents });
        let clocks = self.watch.medians();
        if !clocks.is_empty() {
            progress["clock_difference_ms"] = clock_object(&clocks);
        }
        if let Some(session) = self.tuning {
            let tuner = session.tuner();
            let values = tuner.parameters().iter().zip(tuner.values());
            let values: Map<String, Value> =
                values.map(|(parameter, value)| (parameter.name.clone(), json!(value))).collect();
            progress["iteration"] = tuner.done().into();
            progress["values"] = values.into();
        }
        progress
    }
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
        self.keep_curves()?;
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
