//! `marquetry perft`: counts the leaves of the tree of legal moves.

use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use chess::{CastlingMode, Division, PerftTable, Position, divide, perft};
use clap::Args;
use serde::Serialize;

use crate::interrupt;
use crate::progress::Progress;

/// Count the leaves of the tree of legal moves: the field's test of a move generator
#[derive(Args)]
#[command(after_help = "Examples:
  marquetry perft 6
  marquetry perft 5 --divide --fen \"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1\"
  marquetry perft 7 --threads 2 --hash 1024")]
pub(crate) struct Perft {
    /// How many plies deep
    #[arg(value_parser = clap::value_parser!(u32).range(0..=20))]
    depth: u32,

    /// The position, as FEN, X-FEN or Shredder-FEN [default: the initial position]
    #[arg(long, value_name = "FEN")]
    fen: Option<Position>,

    /// Show the leaves below each move
    #[arg(long)]
    divide: bool,

    /// How many threads count
    #[arg(long, value_name = "N", default_value = "1")]
    threads: NonZeroUsize,

    /// Remember subtrees in a table of this many megabytes
    #[arg(long, value_name = "MB")]
    hash: Option<NonZeroUsize>,

    /// Write castling as king takes rook (always so where king and rooks stand as only in Chess960)
    #[arg(long)]
    chess960: bool,

    /// Print one JSON object: depth, nodes, seconds, and with --divide also moves
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report {
    depth: u32,
    nodes: u64,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<serde_json::Map<String, serde_json::Value>>,
}

impl Perft {
    /// Counts and prints.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let position = self.fen.unwrap_or_else(Position::initial);
        let allocate = |megabytes| {
            PerftTable::new(megabytes)
                .with_context(|| format!("--hash: {megabytes} MB of memory cannot be had; try a smaller table"))
        };
        let table = self.hash.map(allocate).transpose()?;
        interrupt::listen()?;

        let start = Instant::now();
        let progress = Progress::new("perft");
        let parts = divide(&position, self.depth, self.threads, table.as_ref(), &|done, all| {
            progress.update(done as u64, all as u64);
            !interrupt::came()
        });
        drop(progress);
        let elapsed = start.elapsed();

        let Some(nodes) = self.total(&position, &parts) else {
            self.print_unfinished(&position, &parts);
            return Ok(ExitCode::FAILURE);
        };
        if self.json {
            self.print_json(&position, &parts, nodes, elapsed)?;
        } else {
            self.print(&position, &parts, nodes, elapsed);
        }
        Ok(ExitCode::SUCCESS)
    }

    /// The leaves below all moves; none if the count was broken off.
    fn total(&self, position: &Position, parts: &[Division]) -> Option<u64> {
        if self.depth == 0 {
            return Some(perft(position, 0));
        }
        parts.iter().map(|part| part.leaves).sum()
    }

    fn print(&self, position: &Position, parts: &[Division], nodes: u64, elapsed: Duration) {
        if self.divide {
            self.print_parts(position, parts);
            println!();
        }
        let seconds = elapsed.as_secs_f64();
        println!("Nodes searched: {nodes}");
        println!("Depth {}, {seconds:.3} s, {:.0} nodes per second", self.depth, nodes as f64 / seconds.max(1e-9));
    }

    fn print_parts(&self, position: &Position, parts: &[Division]) {
        let mode = self.castling_mode(position);
        for Division { mv, leaves } in parts {
            if let Some(leaves) = leaves {
                println!("{}: {leaves}", mv.uci(mode));
            }
        }
    }

    fn print_json(&self, position: &Position, parts: &[Division], nodes: u64, elapsed: Duration) -> Result<()> {
        let mode = self.castling_mode(position);
        let moves = || parts.iter().map(|part| (part.mv.uci(mode).to_string(), part.leaves.into())).collect();
        let report =
            Report { depth: self.depth, nodes, seconds: elapsed.as_secs_f64(), moves: self.divide.then(moves) };
        println!("{}", serde_json::to_string(&report)?);
        Ok(())
    }

    fn print_unfinished(&self, position: &Position, parts: &[Division]) {
        if !self.json {
            self.print_parts(position, parts);
        }
        let finished = parts.iter().filter(|part| part.leaves.is_some()).count();
        eprintln!("Interrupted: {finished} of {} moves were counted to the end.", parts.len());
    }

    fn castling_mode(&self, position: &Position) -> CastlingMode {
        if self.chess960 { CastlingMode::Chess960 } else { position.castling_mode() }
    }
}
