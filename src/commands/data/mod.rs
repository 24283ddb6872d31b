//! `marquetry data`: what files of positions and games hold, other forms of them, and what is worth learning from.

mod convert;
mod filter;
mod inputs;
mod stats;
mod wdl;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, Subcommand, ValueEnum};
pub(super) use filter::Filter;
pub(super) use inputs::Inputs;
use lab::data::Form;

/// Look at, convert, filter and fit labelled positions and games
#[derive(Subcommand)]
#[command(after_help = "Examples:
  marquetry data stats games.mqg
  marquetry data convert positions.epd.xz positions.mqp
  marquetry data filter games.mqg --quiet --plies 16.. --per-game 10 --distinct --split 5 --output set.mqp
  marquetry data wdl games.mqg --svg wdl.svg

Files are read in every form below, as they are or packed with gzip, zstd or xz; contents tell, not names.
  EPD           FEN c9 \"1-0\"; and c8 \"game\"; ce centipawns; (mover's view) or c7 \"pawns\"; (White's view); bm move;
  brackets      FEN [1.0], and centipawns behind it or not
  columns       FEN | centipawns | 1.0, and | game behind it or not
  PGN           scores as {+0.31/12 0.5s}, [%eval 0.31] or wv=0.31
  games         what `marquetry datagen` writes
  packed        40 bytes a position, fast to read (.mqp)
Results and values are White's. Lines of text that do not name their game belong to the game of the line before where they
may continue it (same result, later move number, few squares changed); otherwise each is a game of its own.")]
pub(crate) enum DataCommand {
    Stats(stats::Stats),
    Convert(convert::Convert),
    Filter(Filter),
    Wdl(wdl::Wdl),
}

impl DataCommand {
    /// Does what is asked for.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        match self {
            DataCommand::Stats(stats) => stats.run(),
            DataCommand::Convert(convert) => convert.run(),
            DataCommand::Filter(filter) => filter.run(),
            DataCommand::Wdl(wdl) => wdl.run(),
        }
    }
}

/// How many threads read.
#[derive(Args)]
struct Threads {
    /// How many threads [default: as many as there are processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=512))]
    threads: Option<u32>,
}

impl Threads {
    fn count(&self) -> usize {
        let processors = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        self.threads.map_or_else(processors, |threads| threads as usize)
    }
}

/// The form of a file, as a user names it.
#[derive(Copy, Clone, ValueEnum)]
enum FormName {
    /// EPD with result, game, value and best move
    Epd,
    /// FEN | centipawns | result
    Columns,
    /// 40 bytes a position
    Packed,
}

/// The form that is asked for, or that the name of the file tells.
fn form(name: Option<FormName>, path: &str) -> Result<Form> {
    let told = match name {
        Some(FormName::Epd) => Some(Form::Epd),
        Some(FormName::Columns) => Some(Form::Columns),
        Some(FormName::Packed) => Some(Form::Packed),
        None => Form::of(path),
    };
    told.ok_or_else(|| {
        anyhow::anyhow!(
            "the name {path} tells no form; end it with .epd, .txt (columns) or .mqp (packed), or say --to epd, columns or packed"
        )
    })
}

/// A number with commas.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A share in per cent; nothing of nothing is none.
fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}
