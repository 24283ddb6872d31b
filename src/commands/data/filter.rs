//! `marquetry data filter`: the samples that are worth learning from.

use std::ops::RangeInclusive;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;
use clap::Args;
use engine::Weights;
use lab::data::filter::{Dropped, Filtered, Pass, PhaseQuota, Plan, Shares, is_validation};
use lab::data::{DataError, Form, Sample, SampleWriter, Samples, with_suffix};
use lab::files::check_apart;
use serde_json::json;

use super::inputs::Inputs;
use super::{FormName, Threads, form, grouped, percent};
use crate::interrupt;
use crate::output::outln;

/// Keep the positions that are worth learning from
#[derive(Args)]
#[command(after_help = "Examples:
  marquetry data filter games.mqg --quiet --plies 16.. --per-game 10 --distinct --output set.mqp
  marquetry data filter a.mqg b.mqg --quiet --max-value 1500 --min-pieces 5 --split 5 --output set.mqp
  marquetry data filter set.mqp --phases 2,3,3,2,1 --output even.mqp

Filters are asked in this order: plies, value, pieces, quiet, then duplicates, then positions a game, then shares of phases;
a table says what each dropped. --split 5 writes set-train.mqp and set-validation.mqp: each game, with all its positions, is in
one of them, and about 5 % of games are in the second. The same files, options and seed make the same set on any number of
threads. Ctrl-C ends it with the positions so far.

The phase of a position is 4 for each queen, 2 for each rook and 1 for each bishop or knight, 24 at most. Shares of phases are
kept exactly, by leaving out positions of stretches that have too many; what is kept first goes to a file beside the output.
Positions count as the same if pieces, side to move, castling rights and en passant are; the first one is kept. Their keys take
8 bytes each, within --memory; when that is full the oldest are forgotten, and the number of these is told.")]
pub(crate) struct Filter {
    /// The files to read
    #[arg(required = true)]
    files: Vec<String>,

    /// The file to write; its ending tells the form: .epd, .txt or .mqp, and .gz, .zst or .xz behind it
    #[arg(long, short, value_name = "FILE")]
    output: String,

    /// The form to write [default: told by the ending]
    #[arg(long, value_name = "FORM")]
    to: Option<FormName>,

    /// Quiet positions only: not in check, best move no capture or promotion, static evaluation equal to quiescence
    #[arg(long)]
    quiet: bool,

    /// Only these plies by move number, such as 16.. or 16..200
    #[arg(long, value_name = "FROM..TO", value_parser = read_plies)]
    plies: Option<RangeInclusive<u32>>,

    /// Only values up to so many centipawns for either side; positions without a value are kept
    #[arg(long, value_name = "CP")]
    max_value: Option<u32>,

    /// Only positions with so many men at least, kings and pawns among them
    #[arg(long, value_name = "N")]
    min_pieces: Option<usize>,

    /// Each position only once
    #[arg(long)]
    distinct: bool,

    /// Megabytes for that
    #[arg(long, value_name = "MB", default_value = "256", requires = "distinct",
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    memory: u32,

    /// At most so many positions of a game, spread over it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    per_game: Option<u32>,

    /// Shares of phases from the endgame to the opening, in stretches of equal length, such as 1,2,2,1
    #[arg(long, value_name = "SHARES")]
    phases: Option<Shares>,

    /// Write two files, the second with so many per cent of the games, for validation
    #[arg(long, value_name = "PERCENT", value_parser = read_percent)]
    split: Option<f64>,

    /// What decides which positions of a game and of a phase are kept, and which games are for validation
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,

    /// The weights that tell what is quiet: a preset's name or a file
    #[arg(long, value_name = "WEIGHTS", default_value = "default")]
    weights: String,

    #[command(flatten)]
    threads: Threads,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// `16..`, `..200` or `16..200`; the end belongs to the range.
fn read_plies(text: &str) -> Result<RangeInclusive<u32>, String> {
    let number = |text: &str, default: u32| if text.is_empty() { Ok(default) } else { text.parse() };
    let range = text
        .split_once("..")
        .and_then(|(from, to)| Some(number(from, 0).ok()?..=number(to.trim_start_matches('='), u32::MAX).ok()?));
    match range {
        Some(range) if !range.is_empty() => Ok(range),
        _ => Err("a range such as 16.. or 16..200 is needed".to_owned()),
    }
}

fn read_percent(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.trim_end_matches('%').trim().parse().ok();
    number.filter(|number| *number > 0.0 && *number < 100.0).ok_or("more than 0 and less than 100 is needed".to_owned())
}

/// Where samples go: one file, or two by game.
struct Outputs {
    train: SampleWriter,
    validation: Option<(SampleWriter, f64)>,
    seed: u64,
}

impl Outputs {
    fn write(&mut self, sample: &Sample) -> Result<(), DataError> {
        match &mut self.validation {
            Some((writer, percent)) if is_validation(sample, *percent, self.seed) => writer.write(sample),
            _ => self.train.write(sample),
        }
    }

    /// The names of the files and how many samples they have.
    fn finish(self) -> Result<Vec<(String, u64)>, DataError> {
        let writers = std::iter::once(self.train).chain(self.validation.map(|(writer, _)| writer));
        writers.map(|writer| Ok((writer.path().to_owned(), writer.finish()?))).collect()
    }
}

/// A file for what was kept before shares are known; removed at the end, whatever happens.
struct Between(String);

impl Drop for Between {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

impl Filter {
    pub(super) fn run(&self) -> Result<ExitCode> {
        let form = form(self.to, &self.output)?;
        let weights = Weights::load(&self.weights)?;
        let between = self.phases.iter().map(|_| self.between());
        let written: Vec<String> = self.names().into_iter().chain(between).collect();
        let read: Vec<&String> = self.files.iter().chain([&self.weights]).collect();
        check_apart(&read, &written)?;
        let start = Instant::now();
        let mut inputs = Inputs::new(&self.files, "filter")?;
        let mut outputs = self.outputs(form)?;
        let filtered = match &self.phases {
            None => self.filter(&mut inputs, &weights, &mut |sample| outputs.write(&sample))?,
            Some(shares) => self.filter_by_phase(&mut inputs, &weights, shares, &mut outputs)?,
        };
        inputs.refuse_nothing(filtered.read)?;
        let files = outputs.finish()?;
        let seconds = start.elapsed().as_secs_f64();
        if self.json {
            outln!("{}", self.report(&inputs, &filtered, &files, seconds));
        } else {
            self.print(&inputs, &filtered, &files, seconds);
        }
        Ok(ExitCode::from(u8::from(interrupt::came())))
    }

    fn plan(&self) -> Plan {
        Plan {
            is_quiet: self.quiet,
            plies: self.plies.clone(),
            most_value: self.max_value,
            least_men: self.min_pieces,
            distinct: self.distinct.then_some(self.memory as usize),
            per_game: self.per_game.map(|most| most as usize),
            seed: self.seed,
        }
    }

    /// The names of the files that are written.
    fn names(&self) -> Vec<String> {
        match self.split {
            None => vec![self.output.clone()],
            Some(_) => ["-train", "-validation"].map(|suffix| with_suffix(&self.output, suffix)).to_vec(),
        }
    }

    /// The name of what is kept before shares are known.
    fn between(&self) -> String {
        format!("{}.between", self.output)
    }

    fn outputs(&self, form: Form) -> Result<Outputs, DataError> {
        let names = self.names();
        let train = SampleWriter::create(&names[0], form)?;
        let validation = match self.split {
            Some(percent) => Some((SampleWriter::create(&names[1], form)?, percent)),
            None => None,
        };
        Ok(Outputs { train, validation, seed: self.seed })
    }

    /// Goes through the files once.
    fn filter(
        &self,
        inputs: &mut Inputs,
        weights: &Weights,
        out: &mut (dyn FnMut(Sample) -> Result<(), DataError> + Send),
    ) -> Result<Filtered, DataError> {
        let mut pass = Pass::new(&self.plan(), weights);
        inputs.read(|samples, goes_on| pass.filter(samples, self.threads.count(), out, goes_on))?;
        pass.finish(out)
    }

    /// Goes through the files, counts what is kept by phase, and keeps of that what the shares allow.
    fn filter_by_phase(
        &self,
        inputs: &mut Inputs,
        weights: &Weights,
        shares: &Shares,
        outputs: &mut Outputs,
    ) -> Result<Filtered, DataError> {
        let between = Between(self.between());
        let mut counts = vec![0; shares.count()];
        let mut writer = SampleWriter::create(&between.0, Form::Packed)?;
        let mut filtered = self.filter(inputs, weights, &mut |sample| {
            counts[shares.stretch(&sample.position)] += 1;
            writer.write(&sample)
        })?;
        writer.finish()?;
        let mut quota = PhaseQuota::new(shares, &counts, self.seed);
        let mut kept = 0;
        for sample in Samples::open(&between.0, 0)? {
            let sample = sample?;
            if quota.keeps(&sample.position) {
                kept += 1;
                outputs.write(&sample)?;
            }
        }
        filtered.dropped.push(Dropped { what: "more than a phase's share", count: filtered.kept - kept });
        filtered.kept = kept;
        Ok(filtered)
    }

    fn print(&self, inputs: &Inputs, filtered: &Filtered, files: &[(String, u64)], seconds: f64) {
        let Filtered { read, dropped, kept, forgotten } = filtered;
        if interrupt::came() {
            outln!("Interrupted; so far:");
        }
        outln!("{} positions of {} were read in {seconds:.1} s.\n", grouped(*read), inputs.names());
        outln!("| {:<37} | Positions     | Share   |", "Filter");
        outln!("|{}|---------------|---------|", "-".repeat(39));
        let line = |what: &str, count: u64| {
            outln!("| {what:<37} | {:>13} | {:>5.1} % |", grouped(count), percent(count, *read));
        };
        dropped.iter().for_each(|Dropped { what, count }| line(what, *count));
        line("kept", *kept);
        outln!();
        for (name, count) in files {
            outln!("{name}: {} positions", grouped(*count));
        }
        if *forgotten > 0 {
            outln!(
                "{} positions were forgotten for want of memory, so that some may be there twice; raise --memory.",
                grouped(*forgotten)
            );
        }
        inputs.print_bad();
    }

    fn report(&self, inputs: &Inputs, filtered: &Filtered, files: &[(String, u64)], seconds: f64) -> serde_json::Value {
        let dropped =
            filtered.dropped.iter().map(|Dropped { what, count }| json!({ "filter": what, "positions": count }));
        let outputs = files.iter().map(|(name, count)| json!({ "file": name, "positions": count }));
        json!({
            "files": self.files, "read": filtered.read, "kept": filtered.kept,
            "dropped": dropped.collect::<Vec<_>>(), "outputs": outputs.collect::<Vec<_>>(),
            "forgotten": filtered.forgotten, "bad_lines": inputs.bad_count(), "first_bad_lines": inputs.bad_objects(),
            "seed": self.seed, "weights": self.weights, "seconds": seconds, "interrupted": interrupt::came(),
        })
    }
}
