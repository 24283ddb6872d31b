//! `marquetry ablate`: what each part of the evaluation is worth, by switching it off.

mod cost;
mod data;
mod play;

use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Result;
use clap::{Args, ValueEnum};
use engine::{ROLE_NAMES, Weights};
use lab::ablation::{Part, Rebalance, SAMPLE_GAMES, SAMPLE_NODES};
use serde_json::{Value, json};

use super::contest::{ContestOptions, Resumable};
use super::engines::MoveLimits;
use super::openings::OpeningOptions;

/// Decides the games by whose positions material is balanced again; not a choice, so that files stay the same.
const SAMPLE_SEED: u64 = 1;

/// Switch off parts of the evaluation one by one: what is lost in games or on labelled positions, what time is saved
#[derive(Args)]
#[command(after_help = "Examples:
  marquetry ablate --games 200 --concurrency 2
  marquetry ablate --groups activity,shelter --rebalance --nodes 10000 --games 400 --pgn ablation.pgn
  marquetry ablate --weights my.toml --terms passer,lone_pawn --depth 6 --directory ablation-my
  marquetry ablate --resume 12
  marquetry ablate --data quiet.epd
  marquetry ablate --data games.epd.gz --loss logistic --terms --json
  marquetry ablate --cost

Material is never switched off.
Games: the full weights play against each of those without a part, 5000 nodes a move unless a limit is given, and what is
shown is what the full weights are ahead by. At fixed nodes or plies the time that a part costs does not count.
Data: evaluations are static, so positions should be quiet; results are White's. All forms that `marquetry data` reads are
read, packed or not.
Cost: all evaluations take turns, so that they meet the same machine; nothing else should run on it.")]
pub(crate) struct Ablate {
    /// The full weights: a preset's name or a file
    #[arg(long, value_name = "WEIGHTS", default_value = "default")]
    weights: String,

    /// Groups of terms to switch off, each as a whole [default: all that have a weight]
    #[arg(long, value_name = "GROUP,…", value_delimiter = ',', conflicts_with = "terms")]
    groups: Vec<String>,

    /// Switch off single terms instead of groups: these, or all that have a weight if none is named
    #[arg(long, value_name = "TERM,…", value_delimiter = ',', num_args = 0..)]
    terms: Option<Vec<String>>,

    /// Add to material what a part that is off adds to each piece on average, found by quick games of the full weights
    #[arg(long)]
    rebalance: bool,

    /// Measure the loss on this file of labelled positions instead of playing
    #[arg(long, value_name = "FILE", conflicts_with_all = ["thinking", "games", "directory", "resume", "pgn", "epd", "log"])]
    data: Option<String>,

    /// How far what is foretold lies from the results of --data
    #[arg(long, value_enum, default_value = "squared", requires = "data")]
    loss: LossName,

    /// Instead of playing, measure how many nanoseconds of an evaluation each group takes
    #[arg(long, conflicts_with_all = ["data", "terms", "rebalance", "thinking", "games", "directory", "resume", "pgn", "epd", "log"])]
    cost: bool,

    #[command(flatten)]
    limits: MoveLimits,

    /// Games for each part; an even number
    #[arg(long, value_name = "N", default_value = "100", value_parser = clap::value_parser!(u32).range(2..))]
    games: u32,

    /// Where the weights without a part are written
    #[arg(long, value_name = "DIR", default_value = "ablation")]
    directory: String,

    #[command(flatten)]
    openings: OpeningOptions,

    #[command(flatten)]
    contest: ContestOptions,
}

#[derive(Copy, Clone, ValueEnum)]
enum LossName {
    /// The square of the distance between foretold and real points
    Squared,
    /// The logarithm of how unlikely the result was
    Logistic,
}

impl Resumable for Ablate {
    const KIND: &'static str = "ablate";

    fn contest(&mut self) -> &mut ContestOptions {
        &mut self.contest
    }
}

impl Ablate {
    /// Measures and prints.
    pub(crate) fn run(self) -> Result<ExitCode> {
        if let Some(path) = &self.data {
            return self.measure(path);
        }
        if self.cost {
            return self.clock();
        }
        self.resumed()?.play()
    }

    /// What to switch off in games.
    fn parts(&self, weights: &Weights) -> Result<Vec<Part>> {
        Ok(match &self.terms {
            Some(names) => Part::named_terms(names, weights)?,
            None => Part::named_groups(&self.groups, weights)?,
        })
    }

    /// What balances material, if that is wanted.
    fn balance(&self, weights: &Weights) -> Result<Option<Rebalance>> {
        if !self.rebalance {
            return Ok(None);
        }
        Ok(Some(Rebalance::by_self_play(&Arc::new(weights.clone()), SAMPLE_GAMES, SAMPLE_NODES, SAMPLE_SEED)?))
    }
}

/// The weights without a part.
fn without(part: &Part, weights: &Weights, balance: Option<&Rebalance>) -> Weights {
    balance.map_or_else(|| part.without(weights), |balance| balance.without(part, weights))
}

/// What was added to material, in words: middlegame and endgame by role.
fn material_words(added: &[(i32, i32); 5]) -> String {
    let words = ROLE_NAMES.iter().zip(added).map(|(role, (mg, eg))| format!("{role} {mg:+}/{eg:+}"));
    words.collect::<Vec<_>>().join(", ")
}

/// The same for scripts.
fn material_object(added: &[(i32, i32); 5]) -> Value {
    ROLE_NAMES.iter().zip(added).map(|(role, (mg, eg))| ((*role).to_owned(), json!({ "mg": mg, "eg": eg }))).collect()
}
