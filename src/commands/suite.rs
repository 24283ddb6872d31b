//! `marquetry suite`: how many positions of a test suite an engine solves.

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use chess::CastlingMode;
use clap::Args;
use lab::arena::{EngineSpec, Score, Thinking, is_engine, read_engines};
use lab::suite::{Finding, MateLine, Problem, Trial, read_suite};
use serde_json::{Value, json};

use super::engines::{MoveLimits, host, own_command};
use super::faults::Faults;
use crate::interrupt;
use crate::output::{errln, outln};
use crate::progress::Progress;

/// Let an engine solve test suites: best moves, moves to avoid, points, mates
#[derive(Args)]
#[command(after_help = "Examples:
  marquetry suite wac.epd
  marquetry suite sts.epd --movetime 0.2 --sample 100 --seed 7 --concurrency 2
  marquetry suite mates.epd --nodes 100000 --verify-mates --engine cmd=/usr/games/stockfish option.Hash=64 --json

A position asks for what its line says: bm (one of these moves), am (none of these), bm #3 or dm 3 (a mate in three or
fewer, announced; bm #-3 if the side to move is mated), points such as c0 \"Nd7=10, Bc4=5\". An engine is `self` or
`cmd=PROGRAM`, then any of name=, args= (for cmd), weights= and tunable.NAME= (for self), option.NAME=, movetime=, nodes=,
depth=. Without a limit a position gets 1 second. The time is that of the solution that stayed. Lines that cannot be used are
skipped, and the first of them are named.")]
pub(crate) struct Suite {
    /// EPD files
    #[arg(value_name = "FILE")]
    files: Vec<String>,

    /// The engine [default: self]
    #[arg(long, value_name = "SPEC", num_args = 1..)]
    engine: Vec<String>,

    #[command(flatten)]
    limits: MoveLimits,

    /// The first so many positions only
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), conflicts_with = "sample")]
    limit: Option<u32>,

    /// So many positions only, drawn at random
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    sample: Option<u32>,

    /// Draws the sample
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,

    /// How many positions at once
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=512))]
    concurrency: u32,

    /// Play out the line of each announced mate
    #[arg(long)]
    verify_mates: bool,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

const DEFAULT: Thinking = Thinking::MoveTime(Duration::from_secs(1));

impl Suite {
    /// Solves and prints.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let (engine, files) = self.engine_and_files()?;
        let (mut problems, bad_lines) = read_files(&files)?;
        self.choose(&mut problems);
        let engine = self.engine(&engine, &problems)?;
        interrupt::listen()?;

        let progress = Progress::new("suite");
        let all = problems.len() as u64;
        let host = host();
        let trial = Trial { engine: &engine, problems: &problems, concurrency: self.concurrency as usize, host: &host };
        let findings = trial.run(&|done| progress.update(done as u64, all), &interrupt::came)?;
        drop(progress);

        let done: Vec<(&Problem, Finding)> =
            problems.iter().zip(findings).filter_map(|(problem, finding)| Some((problem, finding?))).collect();
        let is_interrupted = done.len() < problems.len();
        let sums = Sums::of(&done);
        if self.json {
            let mut report = self.report(&done, &sums);
            report["engine"] = engine.name.into();
            report["bad_lines"] = bad_lines.into();
            report["interrupted"] = is_interrupted.into();
            outln!("{report}");
        } else {
            self.print(&done, &sums, &engine);
        }
        if is_interrupted {
            errln!("Interrupted: {} of {} positions were done.", done.len(), problems.len());
        }
        Ok(ExitCode::from(u8::from(is_interrupted)))
    }

    /// The engine's words and the files. Files may also follow the engine: they are not `KEY=VALUE`.
    fn engine_and_files(&self) -> Result<(Vec<&str>, Vec<&str>)> {
        let words = self.engine.iter().map(String::as_str);
        let (mut engine, more): (Vec<&str>, Vec<&str>) = words.partition(|word| is_engine(word) || word.contains('='));
        let files: Vec<&str> = self.files.iter().map(String::as_str).chain(more).collect();
        if files.is_empty() {
            bail!("a suite is needed: name one or more EPD files");
        }
        if self.engine.is_empty() {
            engine.push("self");
        }
        Ok((engine, files))
    }

    fn engine(&self, words: &[&str], problems: &[Problem]) -> Result<EngineSpec> {
        let thinking = self.limits.thinking()?.unwrap_or(DEFAULT);
        let [mut engine] = <[EngineSpec; 1]>::try_from(read_engines(words, &[], &own_command("uci")?, Some(thinking))?)
            .map_err(|engines| anyhow::anyhow!("--engine must be given for one engine, not {}", engines.len()))?;
        if problems.iter().any(|problem| problem.position.castling_mode() == CastlingMode::Chess960) {
            engine.options.push(("UCI_Chess960".to_owned(), "true".to_owned()));
        }
        Ok(engine)
    }

    /// Keeps the first ones or a sample, in the order of the files.
    fn choose(&self, problems: &mut Vec<Problem>) {
        if let Some(limit) = self.limit {
            problems.truncate(limit as usize);
        }
        if let Some(sample) = self.sample {
            let chosen = lab::suite::sample(problems.len(), sample as usize, self.seed);
            *problems = chosen.into_iter().map(|place| problems[place].clone()).collect();
        }
    }

    fn report(&self, done: &[(&Problem, Finding)], sums: &Sums) -> Value {
        let results = done.iter().map(|(problem, finding)| self.result(problem, finding));
        let mut report = json!({
            "positions": done.len(),
            "solved": sums.solved,
            "points": sums.points,
            "max_points": sums.max_points,
            "results": results.collect::<Value>(),
        });
        if self.verify_mates {
            report["mates_found"] = sums.mates().into();
            report["lines_that_mate"] = sums.lines_that_mate.into();
            report["lines_that_break_off"] = sums.lines_that_break_off.into();
            report["false_mates"] = sums.false_mates.into();
        }
        report
    }

    fn result(&self, problem: &Problem, finding: &Finding) -> Value {
        let mode = problem.position.castling_mode();
        let mut result = json!({
            "id": problem.id,
            "fen": problem.position.to_string(),
            "move": finding.mv.map(|mv| mv.uci(mode).to_string()),
            "solved": finding.is_solved,
            "points": finding.points,
            "seconds": finding.time.as_secs_f64(),
            "score": match finding.score {
                Some(Score::Centipawns(value)) => json!({ "cp": value }),
                Some(Score::Mate(moves)) => json!({ "mate": moves }),
                None => Value::Null,
            },
        });
        if let Some(trouble) = &finding.trouble {
            result["trouble"] = trouble.as_str().into();
        }
        if self.verify_mates {
            result["mate_line"] = finding.mate_line.map(in_words).into();
        }
        result
    }

    fn print(&self, done: &[(&Problem, Finding)], sums: &Sums, engine: &EngineSpec) {
        let width = done.iter().map(|(problem, _)| problem.id.chars().count()).max().unwrap_or(0);
        for (problem, finding) in done {
            let result = if finding.is_solved { "solved" } else { "-" };
            let mv = finding.mv.map_or("none".to_owned(), |mv| problem.position.san(mv));
            let score = finding.score.map_or(String::new(), |score| score.to_string());
            let seconds = finding.time.as_secs_f64();
            let points = match problem.max_points() {
                0 => String::new(),
                most => format!(", {} of {most} points", finding.points),
            };
            let line = match finding.mate_line.filter(|_| self.verify_mates) {
                Some(line) => format!(", the line {}", in_words(line)),
                None => String::new(),
            };
            let trouble = finding.trouble.as_ref().map_or(String::new(), |trouble| format!(", {trouble}"));
            let wanted = problem.wanted();
            outln!(
                "{:width$}  {result:6}  {mv:7} {score:>7} {seconds:8.3} s  wanted: {wanted}{points}{line}{trouble}",
                problem.id
            );
        }
        if !done.is_empty() {
            outln!();
        }
        let share = 100.0 * sums.solved as f64 / done.len().max(1) as f64;
        outln!("{} solved {} of {} positions ({share:.1} %).", engine.name, sums.solved, done.len());
        if sums.max_points > 0 {
            let share = 100.0 * sums.points as f64 / sums.max_points as f64;
            outln!("Points: {} of {} ({share:.1} %).", sums.points, sums.max_points);
        }
        if self.verify_mates {
            let Sums { lines_that_mate, lines_that_break_off, false_mates, .. } = sums;
            let mates = sums.mates();
            outln!(
                "Mates found: {mates}; lines that mate: {lines_that_mate}, that break off: {lines_that_break_off}; \
                 false mates: {false_mates}."
            );
        }
        if sums.troubles > 0 {
            outln!("The engine was in trouble in {} positions.", sums.troubles);
        }
    }
}

/// What a suite comes to.
#[derive(Default)]
struct Sums {
    solved: usize,
    points: u64,
    max_points: u64,
    lines_that_mate: usize,
    lines_that_break_off: usize,
    false_mates: usize,
    troubles: usize,
}

impl Sums {
    fn of(done: &[(&Problem, Finding)]) -> Sums {
        let mut sums = Sums::default();
        for (problem, finding) in done {
            sums.solved += usize::from(finding.is_solved);
            sums.points += u64::from(finding.points);
            sums.max_points += u64::from(problem.max_points());
            sums.troubles += usize::from(finding.trouble.is_some());
            match finding.mate_line {
                Some(MateLine::Mates) => sums.lines_that_mate += 1,
                Some(MateLine::BreaksOff) => sums.lines_that_break_off += 1,
                Some(MateLine::False) => sums.false_mates += 1,
                None => (),
            }
        }
        sums
    }

    /// All mates that were announced.
    fn mates(&self) -> usize {
        self.lines_that_mate + self.lines_that_break_off + self.false_mates
    }
}

fn in_words(line: MateLine) -> &'static str {
    match line {
        MateLine::Mates => "mates",
        MateLine::BreaksOff => "breaks off",
        MateLine::False => "is false",
    }
}

/// Reads the problems of all files, tells of the first lines that are none, and counts these.
fn read_files(files: &[&str]) -> Result<(Vec<Problem>, usize)> {
    let (mut problems, mut faults) = (Vec::new(), Faults::default());
    for path in files {
        let bytes = std::fs::read(path).with_context(|| format!("{path} cannot be read"))?;
        let name = Path::new(path).file_name().map_or((*path).into(), |name| name.to_string_lossy());
        let (good, bad) = read_suite(&bytes, &name);
        bad.iter().for_each(|line| faults.add(path, line.line, &line.error));
        problems.extend(good);
    }
    if problems.is_empty() {
        bail!("{} has no position to solve", files.join(", "));
    }
    Ok((problems, faults.told()))
}
