//! A descent in a file, to the last bit, so that it goes on as if it had never stopped.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::adam::Adam;
use super::error::TuneError;
use super::train::{Epoch, Training};

const FORMAT: u32 = 1;

/// The file. Numbers are kept as their bits, which no rounding touches.
#[derive(Serialize, Deserialize)]
struct File {
    format: u32,
    /// What the descent depends on.
    identity: String,
    numbers: Vec<u64>,
    means: Vec<u64>,
    squares: Vec<u64>,
    steps: u64,
    rate: u64,
    stale: u32,
    best: Vec<u64>,
    best_loss: u64,
    /// Rate, training loss, validation loss, and whether it was the best so far.
    epochs: Vec<(u64, u64, Option<u64>, bool)>,
}

fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|number| number.to_bits()).collect()
}

fn numbers(bits: &[u64]) -> Vec<f64> {
    bits.iter().map(|&bits| f64::from_bits(bits)).collect()
}

impl Training {
    /// Writes all to a file at once: what was there before stays until the new one is whole.
    pub fn save(&self, path: &Path, identity: &str) -> Result<(), TuneError> {
        let file = File {
            format: FORMAT,
            identity: identity.to_owned(),
            numbers: bits(&self.numbers),
            means: bits(&self.adam.means),
            squares: bits(&self.adam.squares),
            steps: self.adam.steps,
            rate: self.rate.to_bits(),
            stale: self.stale,
            best: bits(&self.best),
            best_loss: self.best_loss.to_bits(),
            epochs: self
                .epochs
                .iter()
                .map(|epoch| {
                    let validation = epoch.validation.map(f64::to_bits);
                    (epoch.rate.to_bits(), epoch.training.to_bits(), validation, epoch.is_best)
                })
                .collect(),
        };
        let failed = |error: std::io::Error| TuneError::Unwritable(path.display().to_string(), error);
        let mut name = path.as_os_str().to_owned();
        name.push(".new");
        let text = serde_json::to_string(&file).map_err(|error| failed(error.into()))?;
        std::fs::write(&name, text).and_then(|()| std::fs::rename(&name, path)).map_err(failed)
    }

    /// Reads a file that such a descent wrote; one of another is refused.
    pub fn load(path: &Path, identity: &str) -> Result<Training, TuneError> {
        let name = || path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|error| TuneError::Unreadable(name(), error))?;
        let file: File = serde_json::from_str(&text).map_err(|_| TuneError::NoCheckpoint(name()))?;
        let size = file.numbers.len();
        let is_whole = [&file.means, &file.squares, &file.best].iter().all(|list| list.len() == size);
        if file.format != FORMAT || !is_whole || file.epochs.is_empty() {
            return Err(TuneError::NoCheckpoint(name()));
        }
        if file.identity != identity {
            return Err(TuneError::OtherCheckpoint(name()));
        }
        let epoch = |(number, &(rate, training, validation, is_best)): (u32, &(u64, u64, Option<u64>, bool))| Epoch {
            number,
            rate: f64::from_bits(rate),
            training: f64::from_bits(training),
            validation: validation.map(f64::from_bits),
            is_best,
        };
        Ok(Training {
            numbers: numbers(&file.numbers),
            adam: Adam { means: numbers(&file.means), squares: numbers(&file.squares), steps: file.steps },
            rate: f64::from_bits(file.rate),
            stale: file.stale,
            best: numbers(&file.best),
            best_loss: f64::from_bits(file.best_loss),
            epochs: (0..).zip(&file.epochs).map(epoch).collect(),
        })
    }
}
