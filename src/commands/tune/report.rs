//! What a tuning came to: losses, changes, what was never seen; on the terminal, as JSON, and in the files.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, Result, bail};
use engine::{PARAM_COUNT, TermInfo, Weights};
use jiff::Zoned;
use lab::store::RunId;
use lab::tune::{Errors, Finished, Part, Space, Values, values_of};
use serde_json::{Value, json};

use super::{Loaded, Tune, Tuned};
use crate::output::outln;

/// So many names are printed in a list.
const NAMES: usize = 8;

/// What a tuning came to.
pub(super) struct Report {
    start: Weights,
    weights: Weights,
    /// Training and validation: at the start, tuned, and rounded.
    losses: [[Option<f64>; 3]; 2],
    scale: f64,
    scale_after: f64,
    epochs: u32,
    best_epoch: u32,
    rows: [u64; 2],
    samples: Vec<u64>,
    is_free: Vec<bool>,
    exact: Values,
    errors: Errors,
}

impl Report {
    pub(super) fn new(
        tune: &Tune,
        start: &Weights,
        space: &Space,
        loaded: &mut Loaded,
        tuned: &Tuned,
        finished: &Finished,
        errors: Errors,
    ) -> Result<Report> {
        let data = &mut loaded.data;
        let after = finished.objective(tuned.objective);
        let mut losses = [[None; 3]; 2];
        for (part, losses) in [Part::Training, Part::Validation].into_iter().zip(&mut losses) {
            if data.size(part).rows > 0 {
                *losses = [
                    Some(data.loss(part, &values_of(start), tuned.objective)?),
                    Some(data.loss(part, &finished.exact, after)?),
                    Some(data.loss(part, &finished.rounded, after)?),
                ];
            }
        }
        let best = tuned.epochs.iter().rev().find(|epoch| epoch.is_best);
        let mut report = Report {
            start: start.clone(),
            weights: finished.weights(start),
            losses,
            scale: tuned.objective.scale,
            scale_after: after.scale,
            epochs: tuned.epochs.len() as u32 - 1,
            best_epoch: best.map_or(0, |epoch| epoch.number),
            rows: [Part::Training, Part::Validation].map(|part| data.size(part).rows),
            samples: data.samples().to_vec(),
            is_free: (0..PARAM_COUNT).map(|param| (0..2).any(|half| space.place(param, half).is_some())).collect(),
            exact: finished.exact.clone(),
            errors,
        };
        let name = tune.name.clone().or_else(|| Some(tune.output.file_stem()?.to_string_lossy().into_owned()));
        let description = format!("{} tuned on {} positions", start.name(), report.rows[0]);
        report.weights =
            report.weights.renamed(&name.unwrap_or_else(|| "tuned".to_owned()), &description, BTreeMap::new());
        Ok(report)
    }

    /// The weights file and, beside it, the report.
    pub(super) fn write(&self, tune: &Tune, hashes: &BTreeMap<String, String>) -> Result<()> {
        let weights = self.weights.renamed(self.weights.name(), self.weights.description(), self.origin(tune, hashes));
        let mut text = weights.to_toml();
        let unseen = self.unseen();
        if !unseen.is_empty() {
            let names: Vec<String> = unseen.iter().map(|&param| TermInfo::label(param)).collect();
            text += "\n# Never seen in the data, so that these stayed as they were:\n";
            for names in names.chunks(NAMES) {
                let _ = writeln!(text, "# {}", names.join(", "));
            }
        }
        let written = |path: &Path, text: &str| {
            std::fs::write(path, text).with_context(|| format!("{} cannot be written", path.display()))
        };
        // What the engine would refuse must not be written over what it takes
        let refused = tune.output_with(".refused");
        if let Err(refusal) = Weights::parse(&text, &refused.to_string_lossy()) {
            written(&refused, &text)?;
            bail!(
                "{refusal}; that file has what was tuned, and a pull towards the start (--l2), a lower --rate or fewer free \
                 terms (--freeze) keep weights smaller"
            );
        }
        written(&tune.output, &text)?;
        written(&tune.output_with(".report.json"), &format!("{:#}\n", self.object(tune, None)))
    }

    /// Where the numbers come from.
    fn origin(&self, tune: &Tune, hashes: &BTreeMap<String, String>) -> BTreeMap<String, String> {
        let files = hashes.iter().map(|(path, hash)| {
            let name = Path::new(path).file_name().map_or(path.into(), |name| name.to_string_lossy());
            format!("{name} (SHA-256 {hash})")
        });
        let [training, validation] = self.losses.map(|losses| {
            let number = |loss: Option<f64>| loss.map_or_else(|| "none".to_owned(), |loss| format!("{loss:.7}"));
            format!("{} -> {}", number(losses[0]), number(losses[2]))
        });
        let options = tune.train();
        let entries = [
            ("program", format!("marquetry {}", env!("CARGO_PKG_VERSION"))),
            ("date", Zoned::now().date().to_string()),
            ("start", self.start.name().to_owned()),
            ("data", files.collect::<Vec<_>>().join(", ")),
            ("positions", format!("{} for training, {} for validation", self.rows[0], self.rows[1])),
            ("loss", format!("{}, training {training}, validation {validation}", tune.loss.name())),
            ("scale", format!("K = {:.4}", self.scale_after)),
            (
                "method",
                format!(
                    "Adam, epoch {} of {}, batch {}, rate {}, lambda {}, l2 {}, smooth {}, seed {}, rounded in steps",
                    self.best_epoch,
                    self.epochs,
                    options.batch,
                    options.rate,
                    tune.lambda,
                    options.l2,
                    options.smooth,
                    options.seed
                ),
            ),
        ];
        entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
    }

    /// Free weights that no position for training has.
    fn unseen(&self) -> Vec<usize> {
        (0..PARAM_COUNT).filter(|&param| self.is_free[param] && self.samples[param] == 0).collect()
    }

    /// What came out, in a sentence.
    pub(super) fn sentence(&self) -> String {
        let [before, _, after] = if self.losses[1][0].is_some() { self.losses[1] } else { self.losses[0] };
        let which = if self.losses[1][0].is_some() { "validation" } else { "training" };
        let number = |loss: Option<f64>| loss.unwrap_or_default();
        format!("{which} loss {:.7} -> {:.7} after {} epochs", number(before), number(after), self.epochs)
    }

    pub(super) fn print(&self, tune: &Tune) {
        outln!("Epoch {} of {} was the best.", self.best_epoch, self.epochs);
        for (name, losses) in ["Training", "Validation"].into_iter().zip(self.losses) {
            if let [Some(before), Some(after), Some(rounded)] = losses {
                outln!(
                    "{name} loss {before:.7} -> {after:.7} ({:+.3} %), rounded {rounded:.7}.",
                    100.0 * (after / before - 1.0)
                );
            }
        }
        if self.scale_after != self.scale {
            outln!("Scaled for the anchor: K is now {:.4}.", self.scale_after);
        }
        let mut changed: Vec<usize> = (0..PARAM_COUNT).filter(|&param| self.change(param) != (0, 0)).collect();
        changed.sort_by_key(|&param| std::cmp::Reverse(self.change(param).0.abs().max(self.change(param).1.abs())));
        outln!("\n{} of {PARAM_COUNT} weights changed. The most:", changed.len());
        for &param in changed.iter().take(tune.top) {
            let (from, to, (mg, eg)) = (self.start.values()[param], self.weights.values()[param], self.change(param));
            let error =
                |half: usize| self.errors[param][half].map_or_else(String::new, |error| format!("± {error:.1}"));
            outln!(
                "{:<26} mg {:>5} -> {:>5} {:<7}({mg:>+5})  eg {:>5} -> {:>5} {:<7}({eg:>+5})  in {} positions",
                TermInfo::label(param),
                from.mg(),
                to.mg(),
                error(0),
                from.eg(),
                to.eg(),
                error(1),
                self.samples[param]
            );
        }
        outln!("Behind ± stands the standard error, which takes positions of one game as independent.");
        let unseen = self.unseen();
        if !unseen.is_empty() {
            let names: Vec<String> = unseen.iter().take(NAMES).map(|&param| TermInfo::label(param)).collect();
            let more = if unseen.len() > NAMES { format!(" and {} more", unseen.len() - NAMES) } else { String::new() };
            outln!("\nNever seen in the data: {}{more}.", names.join(", "));
        }
        outln!("\nWritten to {}.", tune.output.display());
    }

    fn change(&self, param: usize) -> (i32, i32) {
        let (from, to) = (self.start.values()[param], self.weights.values()[param]);
        (to.mg() - from.mg(), to.eg() - from.eg())
    }

    /// All of it for scripts.
    pub(super) fn object(&self, tune: &Tune, run: Option<RunId>) -> Value {
        let losses = |losses: [Option<f64>; 3]| json!({ "start": losses[0], "tuned": losses[1], "rounded": losses[2] });
        let params = (0..PARAM_COUNT).map(|param| {
            let (from, to) = (self.start.values()[param], self.weights.values()[param]);
            json!({
                "name": TermInfo::label(param),
                "mg": to.mg(), "eg": to.eg(),
                "start_mg": from.mg(), "start_eg": from.eg(),
                "exact_mg": self.exact[param][0], "exact_eg": self.exact[param][1],
                "error_mg": self.errors[param][0], "error_eg": self.errors[param][1],
                "is_free": self.is_free[param],
                "positions": self.samples[param],
            })
        });
        json!({
            "weights": tune.output.to_string_lossy(), "run": run, "start": self.start.name(),
            "positions": self.rows[0], "validation_positions": self.rows[1],
            "k": self.scale_after, "epochs": self.epochs, "best_epoch": self.best_epoch,
            "training": losses(self.losses[0]), "validation": losses(self.losses[1]),
            "unseen": self.unseen().into_iter().map(TermInfo::label).collect::<Vec<_>>(),
            "parameters": params.collect::<Vec<_>>(),
        })
    }
}
