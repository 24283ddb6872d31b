//! `marquetry perft`: counts the leaves of the tree of legal moves, and checks files of known numbers.

mod check;

use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use chess::{CastlingMode, Division, PerftTable, Position, divide};
use clap::Args;
use serde::Serialize;

use crate::interrupt;
use crate::output::{errln, outln};
use crate::progress::Progress;

/// Count the leaves of the tree of legal moves: the field's test of a move generator
#[derive(Args)]
#[command(after_help = "Examples:
  marquetry perft 6
  marquetry perft 5 --divide --fen \"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1\"
  marquetry perft 7 --threads 2 --hash 1024
  marquetry perft 5 --suite standard.epd fischer.epd --threads 2

A suite has lines such as `FEN ;D1 20 ;D2 400`, or blocks of `epd FEN`, `perft 1 20`, `perft 2 400`; numbers of
greater depths than DEPTH are left out. Exit code 1 if a number is wrong, a line cannot be read or Ctrl-C came.")]
pub(crate) struct Perft {
    /// How many plies deep
    #[arg(value_parser = clap::value_parser!(u32).range(0..=20))]
    depth: u32,

    /// The position, as FEN, X-FEN or Shredder-FEN [default: the initial position]
    #[arg(long, value_name = "FEN")]
    fen: Option<Position>,

    /// Check the perft numbers of these files instead
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["fen", "divide", "hash", "chess960"])]
    suite: Vec<String>,

    /// Show the leaves below each move
    #[arg(long)]
    divide: bool,

    /// How many threads count
    #[arg(long, value_name = "N", default_value = "1", value_parser = positive)]
    threads: NonZeroUsize,

    /// Remember subtrees in a table of this many megabytes
    #[arg(long, value_name = "MB", value_parser = positive)]
    hash: Option<NonZeroUsize>,

    /// Write castling as king takes rook (always so where king and rooks stand as only in Chess960)
    #[arg(long)]
    chess960: bool,

    /// Print one JSON object: depth, nodes, seconds, with --divide also moves, with --suite also counts, failures, bad_lines and
    /// interrupted
    #[arg(long)]
    json: bool,
}

/// A whole number from 1 up.
fn positive(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().map_err(|_| "a whole number from 1 up is needed".to_owned())
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report {
    depth: u32,
    nodes: u64,
    seconds: f64,
    /// Whether Ctrl-C came before the end; then `nodes` counts the finished moves only.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    interrupted: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<serde_json::Map<String, serde_json::Value>>,
}

impl Perft {
    /// Counts and prints.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        if !self.suite.is_empty() {
            return self.check();
        }
        let position = self.fen.unwrap_or_else(Position::initial);
        let allocate = |megabytes| {
            PerftTable::new(megabytes)
                .with_context(|| format!("--hash: {megabytes} MB of memory cannot be had; try a smaller table"))
        };
        let table = self.hash.map(allocate).transpose()?;
        interrupt::listen()?;

        let start = Instant::now();
        let progress = Progress::new("perft");
        let update = |done: usize, all: usize| progress.update(done as u64, all as u64);
        let parts = divide(&position, self.depth, self.threads, table.as_ref(), &update, &interrupt::came);
        drop(progress);
        let elapsed = start.elapsed();

        let finished = parts.iter().filter(|part| part.leaves.is_some()).count();
        let counts = parts.iter().filter_map(|part| part.leaves);
        let nodes = if self.depth == 0 { 1 } else { counts.fold(0, u64::saturating_add) };
        if nodes == u64::MAX {
            bail!("the leaves at depth {} are too many to count: 2^64 and more", self.depth);
        }
        let interrupted = finished < parts.len();
        if self.json {
            let mode = self.castling_mode(&position);
            let moves = || parts.iter().map(|part| (part.mv.uci(mode).to_string(), part.leaves.into())).collect();
            let seconds = elapsed.as_secs_f64();
            let report = Report { depth: self.depth, nodes, seconds, interrupted, moves: self.divide.then(moves) };
            outln!("{}", serde_json::to_string(&report)?);
        } else {
            self.print(&position, &parts, nodes, elapsed);
        }
        if interrupted {
            errln!("Interrupted: {finished} of {} moves were counted to the end.", parts.len());
        }
        Ok(ExitCode::from(u8::from(interrupted)))
    }

    fn print(&self, position: &Position, parts: &[Division], nodes: u64, elapsed: Duration) {
        if self.divide && self.depth > 0 {
            let mode = self.castling_mode(position);
            for Division { mv, leaves } in parts {
                if let Some(leaves) = leaves {
                    outln!("{}: {leaves}", mv.uci(mode));
                }
            }
            outln!();
        }
        let seconds = elapsed.as_secs_f64();
        outln!("Nodes searched: {nodes}");
        outln!("Depth {}, {seconds:.3} s, {:.0} nodes per second", self.depth, nodes as f64 / seconds.max(1e-9));
    }

    fn castling_mode(&self, position: &Position) -> CastlingMode {
        if self.chess960 { CastlingMode::Chess960 } else { position.castling_mode() }
    }
}
