//! `marquetry bench`: a fixed search, whose number of nodes is the program's signature.

use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;

use crate::output::outln;

/// Search fixed positions with one thread: the same number of nodes every time
#[derive(Args)]
#[command(after_help = "Example:
  marquetry bench")]
pub(crate) struct Bench {
    /// How many plies deep
    #[arg(default_value_t = engine::bench::DEPTH)]
    depth: usize,
}

impl Bench {
    /// Searches and prints; the last line is what OpenBench reads.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let result = engine::bench::run(self.depth, |place, fen, nodes| {
            outln!("{place:>2}  {nodes:>9}  {fen}");
        });
        let (nodes, time) = result.context("there is no memory to search with")?;
        outln!("{nodes} nodes {:.0} nps", nodes as f64 / time.as_secs_f64().max(1e-6));
        Ok(ExitCode::SUCCESS)
    }
}
