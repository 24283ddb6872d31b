//! A tuning that is being played: gives each pair of games its two versions, and learns from how they end.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

use super::dials::Dials;
use super::parameter::Parameter;
use super::tuner::{Tuner, Worth};
use crate::arena::{Outcome, Variation};

/// So many numbers that moved most are shown.
const SHOWN: usize = 6;
/// And so many are told in a sentence.
const TOLD: usize = 3;

/// A tuning that several games at once share. The version that takes the step is engine 0, its mirror image engine 1.
pub struct Session {
    tuner: Mutex<Tuner>,
    dials: Dials,
    /// Where the weights of what is being played lie, if weights are tuned; removed at the end.
    folder: Option<PathBuf>,
}

impl Session {
    /// Begins, or begins again before what was played is heard once more.
    pub fn new(tuner: Tuner, dials: Dials) -> std::io::Result<Session> {
        let folder = dials.has_weights().then(|| {
            let name = format!("marquetry-spsa-{}-{:016x}", std::process::id(), fastrand::u64(..));
            std::env::temp_dir().join(name)
        });
        folder.as_ref().map_or(Ok(()), std::fs::create_dir)?;
        Ok(Session { tuner: Mutex::new(tuner), dials, folder })
    }

    /// The numbers as they are.
    pub fn tuner(&self) -> MutexGuard<'_, Tuner> {
        self.tuner.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// What the numbers turn.
    pub fn dials(&self) -> &Dials {
        &self.dials
    }

    /// How it goes, in lines: what moved most, or, in a screen, what games say most clearly.
    pub fn lines(&self) -> Vec<String> {
        let tuner = self.tuner();
        let head = format!(
            "{} numbers, iteration {} of {}",
            tuner.parameters().len(),
            tuner.done(),
            tuner.course().iterations
        );
        let rows: Vec<String> = if tuner.course().is_screen {
            let row = |(parameter, worth): (&Parameter, Worth)| format!("{:<24} {worth} Elo a step", parameter.name);
            clearest(&tuner).into_iter().map(row).collect()
        } else {
            let row = |(parameter, value, moved): (&Parameter, f64, f64)| {
                format!("{:<24} {:>7} -> {value:>9.2}  {moved:>+6.2} steps", parameter.name, parameter.start)
            };
            moved_most(&tuner).into_iter().map(row).collect()
        };
        std::iter::once(head).chain(rows.into_iter().take(SHOWN)).collect()
    }

    /// How it goes, in a sentence.
    pub fn sentence(&self) -> String {
        let tuner = self.tuner();
        let told: Vec<String> = if tuner.course().is_screen {
            clearest(&tuner).into_iter().map(|(parameter, worth)| format!(", {} {worth}", parameter.name)).collect()
        } else {
            moved_most(&tuner)
                .into_iter()
                .map(|(parameter, _, moved)| format!(", {} {moved:+.2}", parameter.name))
                .collect()
        };
        let told: String = told.into_iter().take(TOLD).collect();
        format!("iteration {} of {}{told}", tuner.done(), tuner.course().iterations)
    }

    /// The file with one version's weights, which is written when the first game of an iteration asks for it.
    fn weights_file(&self, folder: &Path, iteration: usize, engine: usize, values: &[f64]) -> Result<String, String> {
        let path = file(folder, iteration, engine);
        let failed = |why: &dyn std::fmt::Display| format!("{} cannot be written: {why}", path.display());
        if !path.exists() {
            let text = self.dials.weights(values).map(|weights| weights.to_toml()).unwrap_or_default();
            std::fs::write(&path, text).map_err(|error| failed(&error))?;
        }
        path.to_str().map(str::to_owned).ok_or_else(|| failed(&"the folder's name is not text"))
    }
}

/// Numbers that moved, with where they are and by how many steps, what moved most first.
fn moved_most(tuner: &Tuner) -> Vec<(&Parameter, f64, f64)> {
    let numbers = tuner.parameters().iter().zip(tuner.values()).zip(tuner.moved());
    let mut rows: Vec<_> = numbers.map(|((parameter, &value), moved)| (parameter, value, moved)).collect();
    rows.retain(|(_, _, moved)| *moved != 0.0);
    rows.sort_by(|a, b| b.2.abs().total_cmp(&a.2.abs()));
    rows
}

/// What numbers are worth, what is known best first.
fn clearest(tuner: &Tuner) -> Vec<(&Parameter, Worth)> {
    let worths = tuner.parameters().iter().zip(tuner.worths());
    let mut rows: Vec<_> = worths.filter_map(|(parameter, worth)| Some((parameter, worth?))).collect();
    rows.sort_by(|a, b| b.1.clarity().total_cmp(&a.1.clarity()));
    rows
}

fn file(folder: &Path, iteration: usize, engine: usize) -> PathBuf {
    folder.join(format!("{iteration}-{engine}.toml"))
}

impl Variation for Session {
    fn is_known(&self, pair: usize) -> bool {
        let tuner = self.tuner();
        tuner.trial(pair / tuner.course().pairs).is_some()
    }

    fn options(&self, pair: usize, engine: usize) -> Result<Vec<(String, String)>, String> {
        // Held until the file is whole: another game may ask for the same one
        let tuner = self.tuner();
        let iteration = pair / tuner.course().pairs;
        let trial = tuner.trial(iteration).ok_or_else(|| format!("iteration {} is not due", iteration + 1))?;
        let values = if engine == 0 { &trial.plus } else { &trial.minus };
        let mut options = self.dials.options(tuner.parameters(), values);
        if let Some(folder) = &self.folder {
            options.push(("EvalFile".to_owned(), self.weights_file(folder, iteration, engine, values)?));
        }
        Ok(options)
    }

    fn hear(&self, outcome: &Outcome) {
        let mut tuner = self.tuner();
        let iteration = outcome.place.pair / tuner.course().pairs;
        let over = tuner.hear(iteration, outcome.for_first());
        let Some(folder) = &self.folder else { return };
        for iteration in tuner.done() - over..tuner.done() {
            for engine in [0, 1] {
                // What stays is removed with the folder
                let _ = std::fs::remove_file(file(folder, iteration, engine));
            }
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if let Some(folder) = &self.folder {
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}
