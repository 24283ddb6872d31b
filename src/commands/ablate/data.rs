//! What parts are worth on labelled positions: how much worse results are foretold without them.

use std::process::ExitCode;

use anyhow::{Result, bail};
use engine::Weights;
use lab::ablation::{Loss, LossKind, LossTable, Part, PartLoss, added_material};
use lab::data::{self, Samples};
use serde_json::{Value, json};

use super::{Ablate, LossName, material_object, material_words, without};
use crate::output::outln;

/// How many standard errors make a 95 % interval.
const Z95: f64 = 1.96;

/// A part, the weights without it, and the loss with these.
struct Finding<'a> {
    part: &'a Part,
    weights: &'a Weights,
    lost: PartLoss,
}

/// All that is told.
struct Measured<'a> {
    full: &'a Weights,
    loss: Loss,
    groups: Vec<Finding<'a>>,
    terms: Vec<Finding<'a>>,
    table: &'a LossTable<'a>,
    reader: &'a Samples,
}

impl Ablate {
    /// Reads the positions and prints what is lost without each group and each term.
    pub(super) fn measure(&self, path: &str) -> Result<ExitCode> {
        let full = Weights::load(&self.weights)?;
        let (groups, terms) = self.groups_and_terms(&full)?;
        let parts: Vec<&Part> = groups.iter().chain(&terms).collect();
        let balance = self.balance(&full)?;
        let changed: Vec<Weights> = parts.iter().map(|part| without(part, &full, balance.as_ref())).collect();

        let mut reader = data::open(path)?;
        let mut table = LossTable::new(&full, &changed);
        for sample in reader.by_ref() {
            table.add(&sample?);
        }
        let kind = match self.loss {
            LossName::Squared => LossKind::Squared,
            LossName::Logistic => LossKind::Logistic,
        };
        let Some((loss, lost)) = table.losses(kind) else {
            let why = reader.bad_lines().first().map(|bad| format!("; line {}: {}", bad.line, bad.error));
            bail!("{path} has fewer than two positions with results{}", why.unwrap_or_default());
        };
        let mut found =
            parts.iter().zip(&changed).zip(lost).map(|((part, weights), lost)| Finding { part, weights, lost });
        let groups = sorted(found.by_ref().take(groups.len()));
        let terms = sorted(found);
        let measured = Measured { full: &full, loss, groups, terms, table: &table, reader: &reader };
        if self.contest.json {
            outln!("{}", self.loss_object(path, &measured));
        } else {
            self.print_loss(path, &measured);
        }
        Ok(ExitCode::SUCCESS)
    }

    /// What to switch off: groups and terms, unless one kind was asked for.
    fn groups_and_terms(&self, weights: &Weights) -> Result<(Vec<Part>, Vec<Part>)> {
        if let Some(names) = &self.terms {
            return Ok((Vec::new(), Part::named_terms(names, weights)?));
        }
        let terms = if self.groups.is_empty() { Part::named_terms(&[], weights)? } else { Vec::new() };
        Ok((Part::named_groups(&self.groups, weights)?, terms))
    }

    fn loss_words(&self) -> &'static str {
        match self.loss {
            LossName::Squared => "squared",
            LossName::Logistic => "logistic",
        }
    }

    fn print_loss(&self, path: &str, measured: &Measured) {
        let Measured { full, loss, groups, terms, table, reader } = measured;
        outln!("{} positions of {path}, {} lines left out.", table.positions(), reader.bad_count());
        for bad in reader.bad_lines() {
            outln!("Line {}: {}", bad.line, bad.error);
        }
        if table.finished() > 0 {
            outln!("Positions whose game is over are left out: {}.", table.finished());
        }
        outln!("Full weights {}: loss {:.6} ({}), K {:.4}.", self.weights, loss.mean, self.loss_words(), loss.scale);
        for found in [groups, terms].into_iter().filter(|found| !found.is_empty()) {
            outln!("\n{}", draw(found, loss));
        }
        outln!(
            "\nLoss added without a part, +/- its 95 % error, which takes positions as independent; K of \
             1/(1+10^(-K*cp/400)) is fitted anew each time."
        );
        for Finding { part, weights, .. } in groups.iter().chain(terms).filter(|_| self.rebalance) {
            outln!("Material without {}: {}.", part.name, material_words(&added_material(full, weights)));
        }
    }

    fn loss_object(&self, path: &str, measured: &Measured) -> Value {
        let Measured { full, loss, groups, terms, table, reader } = measured;
        let part = |Finding { part, weights, lost }: &Finding| {
            let terms: Vec<&str> = part.terms.iter().map(|term| term.name).collect();
            let mut object = json!({
                "name": part.name, "terms": terms, "loss": lost.loss.mean, "k": lost.loss.scale,
                "difference": lost.difference, "standard_error": lost.error,
            });
            if self.rebalance {
                object["material"] = material_object(&added_material(full, weights));
            }
            object
        };
        let bad = reader.bad_lines().iter().map(|bad| json!({ "line": bad.line, "reason": bad.error.to_string() }));
        json!({
            "data": path, "weights": self.weights, "rebalance": self.rebalance, "positions": table.positions(),
            "finished": table.finished(), "bad_lines": reader.bad_count(), "first_bad_lines": bad.collect::<Vec<_>>(),
            "kind": self.loss_words(), "loss": loss.mean, "k": loss.scale,
            "groups": groups.iter().map(part).collect::<Vec<_>>(), "terms": terms.iter().map(part).collect::<Vec<_>>(),
        })
    }
}

/// The most valuable first.
fn sorted<'a>(found: impl Iterator<Item = Finding<'a>>) -> Vec<Finding<'a>> {
    let mut found: Vec<Finding> = found.collect();
    found.sort_by(|a, b| b.lost.difference.total_cmp(&a.lost.difference));
    found
}

fn draw(found: &[Finding], full: &Loss) -> String {
    let width = found.iter().map(|finding| finding.part.name.len()).max().unwrap_or(0).max(7);
    let mut lines = vec![
        format!("| {:<width$} | Loss     | Added     | +/-      | Share    | K      |", "Without"),
        format!("|{}|----------|-----------|----------|----------|--------|", "-".repeat(width + 2)),
    ];
    for Finding { part, lost, .. } in found {
        lines.push(format!(
            "| {:<width$} | {:.6} | {:>+9.6} | {:.6} | {:>+6.2} % | {:.4} |",
            part.name,
            lost.loss.mean,
            lost.difference,
            Z95 * lost.error,
            100.0 * lost.difference / full.mean,
            lost.loss.scale
        ));
    }
    lines.join("\n")
}
