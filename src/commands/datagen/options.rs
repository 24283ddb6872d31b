//! How many games, and how they are played.

use std::ops::RangeInclusive;
use std::time::Duration;

use clap::Args;
use lab::datagen::{Adjudication, Plan, Statistics};

use crate::commands::bookgen::read_plies;
use crate::commands::contest::settings;

/// When there is enough, games of earlier runs included.
#[derive(Args)]
#[group(required = true, multiple = false)]
pub(super) struct Goal {
    /// Until the file has so many games
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,

    /// Until the file has so many positions: one for each move that was played
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    positions: Option<u64>,

    /// For so many minutes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    minutes: Option<u64>,
}

impl Goal {
    /// The number of games, if it is known.
    pub(super) fn games(&self) -> Option<u64> {
        self.games
    }

    /// How much is done, and of how much.
    pub(super) fn progress(&self, statistics: &Statistics, elapsed: Duration) -> (u64, u64) {
        match (self.games, self.positions) {
            (Some(games), _) => (statistics.games, games),
            (None, Some(positions)) => (statistics.positions, positions),
            (None, None) => (elapsed.as_millis() as u64, 60_000 * self.minutes.unwrap_or(0)),
        }
    }

    /// Whether there is enough.
    pub(super) fn is_reached(&self, statistics: &Statistics, elapsed: Duration) -> bool {
        let (done, all) = self.progress(statistics, elapsed);
        done >= all
    }

    /// Whether the time that was given is over.
    pub(super) fn is_time_over(&self, elapsed: Duration) -> bool {
        self.minutes.is_some_and(|minutes| elapsed >= Duration::from_secs(60 * minutes))
    }
}

/// How games are played.
#[derive(Args)]
pub(super) struct PlanOptions {
    /// After so many nodes of a move no deeper search begins; eight times as many are the most
    #[arg(long, value_name = "N", default_value = "5000", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// What decides how games begin
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,

    /// How many random moves are played first, as a number or a range
    #[arg(long, value_name = "N or FROM..TO", default_value = "8..9", value_parser = read_plies)]
    plies: RangeInclusive<usize>,

    /// How far from level a game may begin, whoever is better, in centipawns
    #[arg(long, value_name = "CP", default_value = "200", value_parser = clap::value_parser!(i32).range(0..=10_000))]
    range: i32,

    /// How many nodes look at where a game begins
    #[arg(long, value_name = "N", default_value = "1000", value_parser = clap::value_parser!(u64).range(1..))]
    opening_nodes: u64,

    /// How many games of a hundred begin with double Chess960, where each side has its own first rank
    #[arg(long, value_name = "PERCENT", default_value = "10", value_parser = clap::value_parser!(u32).range(0..=100))]
    dfrc: u32,

    /// Call a game won when both sides' values say so for some plies, or `off`
    #[arg(long, value_name = "RULE", default_value = "value=1500,plies=6,after=0", value_parser = read_rule)]
    resign: Rule,

    /// Call a game drawn when both sides' values say so for some plies, not before a ply of the game, or `off`
    #[arg(long, value_name = "RULE", default_value = "value=8,plies=12,after=80", value_parser = read_rule)]
    draw: Rule,

    /// Call a game drawn after so many plies
    #[arg(long, value_name = "N", default_value = "600", value_parser = clap::value_parser!(u16).range(1..))]
    max_plies: u16,

    /// Megabytes of memory for what was searched, for each thread; emptied before each game
    #[arg(long, value_name = "MB", default_value = "4", value_parser = clap::value_parser!(u32).range(1..=4096))]
    hash: u32,
}

/// A rule, or none.
#[derive(Copy, Clone)]
struct Rule(Option<Adjudication>);

fn read_rule(text: &str) -> Result<Rule, String> {
    if text == "off" {
        return Ok(Rule(None));
    }
    let (mut value, mut plies, mut after) = (None, 6, 0);
    for (key, number) in settings(text)? {
        let wrong = |least: u8| format!("{key} needs a whole number, {least} at least, not {number:?}");
        match key {
            "value" => value = Some(number.parse().ok().filter(|&value: &i32| value >= 0).ok_or_else(|| wrong(0))?),
            "plies" => plies = number.parse().ok().filter(|&plies: &usize| plies > 0).ok_or_else(|| wrong(1))?,
            "after" => after = number.parse().map_err(|_| wrong(0))?,
            _ => return Err(format!("{key:?} is not known; there are value, plies, after")),
        }
    }
    let value = value.ok_or("value is missing: write value=1500,plies=6 or off")?;
    Ok(Rule(Some(Adjudication { value, plies, after })))
}

impl PlanOptions {
    pub(super) fn plan(&self) -> Plan {
        Plan {
            seed: self.seed,
            nodes: self.nodes,
            hash: self.hash as usize,
            plies: self.plies.clone(),
            range: self.range,
            opening_nodes: self.opening_nodes,
            dfrc: self.dfrc,
            resign: self.resign.0,
            draw: self.draw.0,
            longest: usize::from(self.max_plies),
        }
    }
}
