//! What parts cost: how much less time an evaluation takes without them.

use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Result;
use engine::Weights;
use lab::ablation::{Part, SAMPLE_NODES, costs, self_play};
use serde_json::json;

use super::{Ablate, SAMPLE_SEED};
use crate::output::outln;

/// Enough for as many positions as are evaluated.
const GAMES: usize = 60;

/// A part and what it costs, in nanoseconds of an evaluation.
struct Cost<'a> {
    part: &'a Part,
    numbers: usize,
    nanoseconds: f64,
}

impl Ablate {
    /// Measures and prints what each group costs.
    pub(super) fn clock(&self) -> Result<ExitCode> {
        let full = Weights::load(&self.weights)?;
        let groups = Part::named_groups(&self.groups, &full)?;
        let changed: Vec<Weights> = groups.iter().map(|group| group.without(&full)).collect();
        let positions = self_play(&Arc::new(full.clone()), GAMES, SAMPLE_NODES, SAMPLE_SEED)?;
        let all: Vec<&Weights> = std::iter::once(&full).chain(&changed).collect();
        let times = costs(&all, &positions);
        let parts = groups.iter().zip(&times[1..]).map(|(part, &time)| Cost {
            part,
            numbers: part.used_params(&full),
            nanoseconds: times[0] - time,
        });
        let mut parts: Vec<Cost> = parts.collect();
        parts.sort_by(|a, b| b.nanoseconds.total_cmp(&a.nanoseconds));
        if self.contest.json {
            let groups = parts.iter().map(|Cost { part, numbers, nanoseconds }| {
                json!({ "name": part.name, "weights": numbers, "nanoseconds": nanoseconds })
            });
            let groups: Vec<_> = groups.collect();
            outln!("{}", json!({ "weights": self.weights, "nanoseconds": times[0], "groups": groups }));
        } else {
            outln!("An evaluation with {} takes {:.0} ns.\n\n{}", self.weights, times[0], draw(&parts, times[0]));
            outln!(
                "\nPositions one move from those of quick games; pawns are remembered as in a search. Tables of pieces are \
                 kept while moves are played, which is not in these times. What groups share is in none of them: all of \
                 them together cost more than the sum."
            );
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn draw(parts: &[Cost], full: f64) -> String {
    let width = parts.iter().map(|cost| cost.part.name.len()).max().unwrap_or(0).max(5);
    let mut lines = vec![
        format!("| {:<width$} | Weights | ns     | Share   |", "Group"),
        format!("|{}|---------|--------|---------|", "-".repeat(width + 2)),
    ];
    for Cost { part, numbers, nanoseconds } in parts {
        let share = 100.0 * nanoseconds / full;
        lines.push(format!("| {:<width$} | {numbers:>7} | {nanoseconds:>6.1} | {share:>5.1} % |", part.name));
    }
    lines.join("\n")
}
