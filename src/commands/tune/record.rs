//! A tuning in the store: its curves, what is wanted of it, and what came out.

use std::time::{Duration, Instant};

use anyhow::Result;
use engine::{CATALOG, TermInfo};
use lab::store::{Claim, NewRun, Request, RunId, State, Store, TUNE};
use lab::tune::{Epoch, Space, Values};
use serde_json::json;

use super::report::Report;
use super::{Tune, Tuned};
use crate::arguments;

/// How often the store is told that the process lives.
const BEAT: Duration = Duration::from_secs(1);

/// Weights of terms with at most so many are kept as curves; of tables and long curves there are too many to look at.
const DRAWN: usize = 8;

/// A run of the store, or nothing.
pub(super) struct Record {
    run: Option<(Store, Claim)>,
    beaten: Instant,
    is_wanted: bool,
}

impl Tune {
    /// Begins a run, or goes on with one.
    pub(super) fn record(&self) -> Result<Record> {
        let run = self.open_store()?.map(|store| {
            let claim = match self.resume {
                Some(id) => store.claim(id)?,
                None => {
                    let (output, checkpoint) = (self.output.to_string_lossy(), self.checkpoint());
                    let settings = json!({ "output": output, "checkpoint": checkpoint.to_string_lossy() });
                    store.begin(&NewRun {
                        kind: TUNE,
                        command: &arguments::given(),
                        seed: self.seed,
                        settings: &settings,
                        engines: &[],
                    })?
                }
            };
            Ok::<_, anyhow::Error>((store, claim))
        });
        Ok(Record { run: run.transpose()?, beaten: Instant::now(), is_wanted: true })
    }

    /// How a run that is not over can be gone on with.
    pub(super) fn hint(&self, record: &Record) -> String {
        let Some(run) = record.run() else { return String::new() };
        format!(" Go on with: {}", self.store.resume_command(TUNE, run))
    }
}

impl Record {
    /// The run's number.
    pub(super) fn run(&self) -> Option<RunId> {
        self.run.as_ref().map(|(_, claim)| claim.run())
    }

    /// Keeps what epochs came to.
    pub(super) fn keep(&self, epochs: &[Epoch]) -> Result<()> {
        let Some((store, claim)) = &self.run else { return Ok(()) };
        for epoch in epochs {
            let mut points = vec![("training loss", epoch.training), ("rate", epoch.rate)];
            points.extend(epoch.validation.map(|loss| ("validation loss", loss)));
            store.add_points(claim, epoch.number.into(), &points)?;
        }
        Ok(())
    }

    /// Keeps the weights after the last epoch: those that are tuned, of terms with few of them.
    pub(super) fn keep_values(&self, epochs: &[Epoch], space: &Space, values: &Values) -> Result<()> {
        let (Some((store, claim)), Some(epoch)) = (&self.run, epochs.last()) else { return Ok(()) };
        let params = CATALOG.iter().filter(|term| term.shape.size() <= DRAWN).flat_map(TermInfo::params);
        let halves = params.flat_map(|param| [(param, 0, "mg"), (param, 1, "eg")]);
        let points: Vec<(String, f64)> = halves
            .filter(|&(param, half, _)| space.place(param, half).is_some())
            .map(|(param, half, name)| (format!("{} {name}", TermInfo::label(param)), values[param][half]))
            .collect();
        let points: Vec<(&str, f64)> = points.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        Ok(store.add_points(claim, epoch.number.into(), &points)?)
    }

    /// Whether nobody asked the run to stop. Asks the store now and then.
    pub(super) fn goes_on(&mut self) -> bool {
        if let Some((store, claim)) = self.run.as_ref().filter(|_| self.beaten.elapsed() >= BEAT) {
            self.beaten = Instant::now();
            // A store that fails is told of at the end of the epoch
            let request = store.beat(claim).unwrap_or(Request::None);
            self.is_wanted = request != Request::Stop;
        }
        self.is_wanted
    }

    /// Notes that the run was stopped.
    pub(super) fn stop(&self, tuned: &Tuned) -> Result<()> {
        self.end(State::Stopped, &format!("stopped after epoch {}", tuned.epoch()))
    }

    /// Notes that the run could not go on.
    pub(super) fn fail(&self, error: &anyhow::Error) {
        self.end(State::Failed, &format!("{error:#}")).ok();
    }

    /// Notes what came out.
    pub(super) fn finish(&self, report: &Report) -> Result<()> {
        self.end(State::Finished, &report.sentence())
    }

    fn end(&self, state: State, sentence: &str) -> Result<()> {
        let Some((store, claim)) = &self.run else { return Ok(()) };
        Ok(store.finish(claim, state, sentence)?)
    }
}
