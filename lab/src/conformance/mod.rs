//! Whether a UCI engine does what graphical programs and bots rely on: a list of promises, each tried on a fresh process of
//! the engine, with all that was sent and received.
//!
//! `talk` is the conversation; `start`, `position`, `go`, `during` and `output` hold the promises.

mod during;
mod go;
mod output;
mod position;
mod start;
mod talk;

use std::time::Duration;

use crate::arena::Host;

use talk::{Failure, Talk};

/// A promise of an engine.
pub struct Promise {
    /// A short name, such as `infinite-holds`.
    pub id: &'static str,
    /// The part of the list that it belongs to.
    pub section: &'static str,
    /// What is promised, in a sentence.
    pub text: &'static str,
    check: fn(&mut Talk) -> Result<(), Failure>,
}

/// An engine that is put to the test.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Options that are set before each trial.
    pub options: Vec<(String, String)>,
    /// How long it may take to answer where nothing says how fast it must be.
    pub patience: Duration,
    /// What is forgiven where a time is promised: the machine may be busy.
    pub slack: Duration,
}

/// What came of a trial.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum Verdict {
    /// The promise was kept.
    Pass,
    /// It was not: what was wrong, in a sentence.
    Fail(String),
    /// It cannot be tried with this engine, and why.
    Skip(String),
}

/// A trial, with the conversation.
#[derive(Clone, Debug)]
pub struct Trial {
    /// What came of it.
    pub verdict: Verdict,
    /// Every line, `>` sent and `<` received. Long lines are cut.
    pub exchange: Vec<String>,
}

/// All promises, in the order of the list.
pub fn promises() -> impl Iterator<Item = &'static Promise> {
    [start::PROMISES, position::PROMISES, go::PROMISES, during::PROMISES, output::PROMISES].into_iter().flatten()
}

impl Promise {
    /// Tries it. An error if the program cannot be started.
    pub fn try_on(&self, candidate: &Candidate, host: &Host) -> std::io::Result<Trial> {
        let mut talk = Talk::start(candidate, host)?;
        let verdict = match (self.check)(&mut talk) {
            Ok(()) => Verdict::Pass,
            Err(Failure::Broken(why)) => Verdict::Fail(why),
            Err(Failure::Skipped(why)) => Verdict::Skip(why),
        };
        Ok(Trial { verdict, exchange: talk.exchange })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_and_different() {
        let mut ids: Vec<&str> = promises().map(|promise| promise.id).collect();
        assert!(ids.iter().all(|id| id.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')));
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count);
    }
}
