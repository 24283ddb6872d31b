//! `marquetry analyse`: what went wrong in games, and where the evaluation is wrong.

mod games;
mod misses;

use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use engine::{Limits, Weights};
use lab::analysis::{Plan, Scale, Yardstick};
use lab::arena::Thinking;

use super::engines::{MoveLimits, open_tables};

/// Find the mistakes in games and say why they are mistakes; or find what the evaluation misjudges
#[derive(Args)]
#[command(after_help = "Examples:
  marquetry analyse game.pgn > annotated.pgn
  marquetry analyse games.pgn --movetime 0.01 --jobs 2 --output annotated.pgn
  marquetry analyse games.pgn --nodes 20000 --json
  marquetry analyse --misses games.mqg --yardstick search --count 2000 --besides material

Every position is searched, from the end of the game to its beginning, for 0.1 seconds if no limit is given. The annotated
PGN has the value behind each move ([%eval]), and at each mistake the better line and the terms that make the difference;
what stood in the file stays. A game that cannot be read is named with its number and skipped. The summary goes to stdout,
or to stderr where the PGN goes to stdout. With --misses, labelled positions or games in any form that `marquetry data`
reads are judged by the static evaluation alone, and the worst are grouped by phase and by what misled it.")]
pub(crate) struct Analyse {
    /// Games in PGN, packed or not
    #[arg(value_name = "GAMES", required_unless_present = "misses", conflicts_with = "misses")]
    files: Vec<String>,

    /// Find what the static evaluation misjudges in these positions or games
    #[arg(long, value_name = "DATA", num_args = 1.., conflicts_with_all = ["thinking", "scale", "hash", "tablebases"])]
    misses: Vec<String>,

    #[command(flatten)]
    limits: MoveLimits,

    /// The weights: a preset's name or a file
    #[arg(long, value_name = "NAME|FILE", default_value = "default")]
    weights: String,

    /// How many games, or parts of a file, at once [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=512))]
    jobs: Option<u32>,

    /// Write the annotated PGN to this file [default: print it]
    #[arg(long, value_name = "FILE", conflicts_with = "misses")]
    output: Option<String>,

    /// Centipawns that make an inaccuracy, a mistake and a blunder
    #[arg(long, value_name = "A,B,C", default_value = "50,100,300", value_parser = read_scale)]
    scale: Scale,

    /// Megabytes for each job's table
    #[arg(long, value_name = "MB", default_value = "16", value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,

    /// Syzygy tables: directories, separated as in PATH
    #[arg(long, value_name = "PATH")]
    tablebases: Option<String>,

    /// With --misses: what the evaluation is compared with
    #[arg(long, value_name = "WHAT", default_value = "either", conflicts_with = "files")]
    yardstick: Measure,

    /// With --misses: how many of the worst positions are grouped
    #[arg(long, value_name = "N", default_value = "1000", conflicts_with = "files",
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    count: u32,

    /// With --misses: how many positions are shown of each group
    #[arg(long, value_name = "N", default_value = "2", conflicts_with = "files",
          value_parser = clap::value_parser!(u32).range(0..=1000))]
    examples: u32,

    /// With --misses: judge positions too that are in check or not quiet
    #[arg(long, conflicts_with = "files")]
    any: bool,

    /// With --misses: reasons that are not blamed, such as material, so that others show
    #[arg(long, value_name = "REASON,…", value_delimiter = ',', conflicts_with = "files")]
    besides: Vec<String>,

    /// Print one JSON object, and the PGN only to a file
    #[arg(long)]
    json: bool,
}

/// What an evaluation is compared with, as users name it.
#[derive(Copy, Clone, ValueEnum)]
enum Measure {
    /// The search's value where the data has it, else the result
    Either,
    /// The search's value
    Search,
    /// The game's result
    Result,
}

impl From<Measure> for Yardstick {
    fn from(measure: Measure) -> Yardstick {
        match measure {
            Measure::Either => Yardstick::Either,
            Measure::Search => Yardstick::Search,
            Measure::Result => Yardstick::Result,
        }
    }
}

fn read_scale(text: &str) -> Result<Scale, String> {
    let numbers: Result<Vec<i32>, _> = text.split(',').map(|word| word.trim().parse()).collect();
    match numbers.unwrap_or_default()[..] {
        [inaccuracy, mistake, blunder] if 0 < inaccuracy && inaccuracy <= mistake && mistake <= blunder => {
            Ok(Scale { inaccuracy, mistake, blunder })
        }
        _ => Err("three numbers of centipawns that rise are needed, such as 50,100,300".to_owned()),
    }
}

/// Thinking for a tenth of a second unless something else is asked for.
const MOVETIME: u64 = 100;

impl Analyse {
    /// Analyses and prints.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        if self.misses.is_empty() { games::run(self, &self.plan()?) } else { misses::run(self) }
    }

    fn jobs(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        self.jobs.map_or_else(cores, |jobs| jobs as usize)
    }

    fn plan(&self) -> Result<Plan> {
        let limits = match self.limits.thinking()? {
            None => Limits { movetime: Some(MOVETIME), ..Limits::default() },
            Some(Thinking::MoveTime(time)) => Limits { movetime: Some(time.as_millis() as u64), ..Limits::default() },
            Some(Thinking::Nodes(nodes)) => Limits { nodes: Some(nodes), ..Limits::default() },
            Some(Thinking::Depth(depth)) => Limits { depth: Some(depth as usize), ..Limits::default() },
            Some(Thinking::Clock { .. }) => bail!("a clock is for games; give --movetime, --nodes or --depth"),
        };
        Ok(Plan {
            weights: Arc::new(Weights::load(&self.weights)?),
            limits,
            scale: self.scale,
            tablebases: self.tablebases.as_deref().map(open_tables).transpose()?,
            hash: self.hash as usize,
            jobs: self.jobs(),
        })
    }
}
