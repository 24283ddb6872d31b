//! `marquetry bookgen`: makes a book of openings.

use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Result, bail};
use clap::Args;
use engine::Weights;
use engine::openings::{Opening, Recipe, Start, read_book};
use lab::arena::{Generated, GenerationEnd, generate_openings};
use lab::files::{Output, check_apart};
use serde_json::json;

use crate::interrupt;
use crate::output::{errln, out};
use crate::progress::Progress;

/// Make a book of openings: random moves to positions whose value a search finds in range
#[derive(Args)]
#[command(after_help = "Examples:
  marquetry bookgen --count 1000 --output book.epd
  marquetry bookgen --count 500 --plies 6..8 --range 60..120 --nodes 100000 --threads 2 --output lopsided.epd
  marquetry bookgen --chess960 --count 200 --ce

Openings are all different, nobody is in check, and no game is over. A book depends on the options and the seed, not on the
number of threads. Ctrl-C ends it with the openings made so far.")]
pub(crate) struct Bookgen {
    /// How many openings
    #[arg(long, value_name = "N", default_value = "1000", value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,

    /// How many random moves, as a number or a range
    #[arg(long, value_name = "N or FROM..TO", default_value = "6..8", value_parser = read_plies)]
    plies: RangeInclusive<usize>,

    /// How far from level the value may be, whoever is better, in centipawns
    #[arg(long, value_name = "MOST or FROM..TO", default_value = "0..80", value_parser = read_range)]
    range: RangeInclusive<i32>,

    /// How many nodes the search looks at to find the value
    #[arg(long, value_name = "N", default_value = "20000", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// Play from the starting positions of Chess960
    #[arg(long, group = "from")]
    chess960: bool,

    /// Play from starting positions that differ for White and Black
    #[arg(long, group = "from")]
    double_chess960: bool,

    /// Play from the positions of a file, a line each (EPD or FEN)
    #[arg(long, value_name = "FILE", group = "from")]
    start: Option<String>,

    /// The weights: a preset's name or a file
    #[arg(long, value_name = "WEIGHTS", default_value = "default")]
    weights: String,

    /// What decides which moves are played
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,

    /// How many threads
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=512))]
    threads: u32,

    /// Write the book to this file [default: print it]
    #[arg(long, value_name = "FILE")]
    output: Option<String>,

    /// Write each opening's value, from the side to move's view, as EPD's `ce`
    #[arg(long)]
    ce: bool,

    /// Print one JSON object about the book
    #[arg(long, requires = "output")]
    json: bool,
}

/// `6` or `6..8`; the end belongs to the range.
fn read_span<N: std::str::FromStr + Copy>(text: &str) -> Option<(Option<N>, N)> {
    match text.split_once("..") {
        Some((from, to)) => Some((Some(from.parse().ok()?), to.trim_start_matches('=').parse().ok()?)),
        None => Some((None, text.parse().ok()?)),
    }
}

pub(super) fn read_plies(text: &str) -> Result<RangeInclusive<usize>, String> {
    let (from, to) = read_span::<usize>(text).ok_or("a number or a range such as 6..8 is needed")?;
    let plies = from.unwrap_or(to)..=to;
    if plies.is_empty() || to > 200 {
        return Err("the range must run upwards, to 200 at most".to_owned());
    }
    Ok(plies)
}

fn read_range(text: &str) -> Result<RangeInclusive<i32>, String> {
    let (from, to) = read_span::<i32>(text).ok_or("centipawns such as 80, or a range such as 20..80, are needed")?;
    let range = from.unwrap_or(0)..=to;
    if range.is_empty() || *range.start() < 0 || to > 10_000 {
        return Err("the range must run upwards, from 0 at least to 10000 at most".to_owned());
    }
    Ok(range)
}

impl Bookgen {
    /// Makes the book and says what came of it.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let read: Vec<&String> = self.start.iter().chain([&self.weights]).collect();
        check_apart(&read, self.output.as_slice())?;
        let weights = Arc::new(Weights::load(&self.weights)?);
        let recipe = self.recipe()?;
        let mut output = self.output.as_deref().map(Output::create).transpose()?;
        interrupt::listen()?;

        let start = Instant::now();
        let progress = Progress::new("bookgen");
        let (mut done, mut failure) = (0, None);
        let mut take = |opening: &Opening| {
            done += 1;
            progress.update(done, u64::from(self.count));
            let line = self.line(opening);
            match &mut output {
                Some(output) => {
                    let written = output.add(&line).and_then(|()| output.settle());
                    failure = failure.take().or(written.err());
                }
                None => out!("{line}"),
            }
        };
        let threads = NonZeroUsize::new(self.threads as usize).unwrap_or(NonZeroUsize::MIN);
        let generated = generate_openings(&recipe, &weights, self.count as usize, threads, &mut take, &interrupt::came);
        drop(progress);
        if let Some(failure) = failure {
            return Err(failure.into());
        }
        if self.json {
            out!("{}\n", self.report(&generated, start.elapsed().as_secs_f64()));
        }
        self.conclude(&generated)
    }

    fn recipe(&self) -> Result<Recipe> {
        let start = match &self.start {
            Some(path) => Start::Book(read_book(path)?),
            None if self.chess960 => Start::Chess960,
            None if self.double_chess960 => Start::DoubleChess960,
            None => Start::Initial,
        };
        let (plies, range) = (self.plies.clone(), self.range.clone());
        Ok(Recipe { start, plies, range, nodes: self.nodes, seed: self.seed })
    }

    /// An opening as EPD: four fields, and the value if it is wanted.
    fn line(&self, opening: &Opening) -> String {
        let fen = opening.position.to_string();
        let fields: Vec<&str> = fen.split(' ').take(4).collect();
        let value = if self.ce { format!(" ce {};", opening.value) } else { String::new() };
        format!("{}{value}\n", fields.join(" "))
    }

    fn report(&self, generated: &Generated, seconds: f64) -> serde_json::Value {
        json!({
            "output": self.output,
            "openings": generated.openings,
            "attempts": generated.attempts,
            "interrupted": generated.end == GenerationEnd::Interrupted,
            "seed": self.seed,
            "plies": [self.plies.start(), self.plies.end()],
            "range": [self.range.start(), self.range.end()],
            "nodes": self.nodes,
            "seconds": seconds,
        })
    }

    fn conclude(&self, generated: &Generated) -> Result<ExitCode> {
        let Generated { openings, attempts, end } = generated;
        match end {
            GenerationEnd::Complete => errln!("{openings} openings from {attempts} attempts."),
            GenerationEnd::Interrupted => errln!("Interrupted: {openings} of {} openings were made.", self.count),
            GenerationEnd::Exhausted => {
                let (found, wanted) = (openings, self.count);
                errln!("error: only {found} of {wanted} openings could be found; allow more plies or a wider range");
            }
            GenerationEnd::NoMemory => bail!("there is no memory to look at openings"),
        }
        Ok(ExitCode::from(u8::from(*end != GenerationEnd::Complete)))
    }
}
