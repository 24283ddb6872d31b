//! `marquetry datagen`: games of the engine against itself, for tuning.

mod options;
mod report;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::Args;
use engine::{Tablebases, Weights};
use lab::data::DataError;
use lab::data::games::{Game, GameWriter};
use lab::datagen::{Interest, Plan, Statistics, generate};
use lab::store::{hash_file, hash_text};
use serde_json::{Value, json};

use crate::interrupt;
use crate::output::errln;
use crate::progress::Progress;
use options::{Goal, PlanOptions};
use report::Report;

/// Bring what was written to the disk this often
const SYNC: Duration = Duration::from_secs(30);

/// Play games of the engine against itself, from which an evaluation can learn
#[derive(Args)]
#[command(after_help = "Examples:
  marquetry datagen --output games.mqg --games 10000 --nodes 5000
  marquetry datagen --output quick.mqg --positions 2000000 --nodes 1000 --dfrc 20 --seed 7
  marquetry datagen --resume games.mqg --games 20000

Each game begins with some random moves, anew if a side is too far ahead then, and is played with
a soft limit of nodes. FILE gets whole games: three to four bytes a position for moves and values.
Game n depends on the options, the seed, the weights and n alone; so the file is the same for any
number of threads, and --resume goes on after Ctrl-C or `kill -9` as if nothing had happened.
FILE.json tells how to make the file again: options, seed, hashes of program, weights and file, and
statistics.")]
pub(crate) struct Datagen {
    /// Write a new file of games
    #[arg(long, value_name = "FILE", required_unless_present = "resume", conflicts_with = "resume")]
    output: Option<PathBuf>,

    /// Go on with a file of games; how they are played is known from it
    #[arg(long, value_name = "FILE", conflicts_with = "PlanOptions")]
    resume: Option<PathBuf>,

    #[command(flatten)]
    goal: Goal,

    #[command(flatten)]
    plan: PlanOptions,

    /// The weights: a preset's name or a file [default: default]
    #[arg(long, value_name = "WEIGHTS")]
    weights: Option<String>,

    /// Call games by the Syzygy tables in these directories
    #[arg(long, value_name = "PATH", visible_alias = "syzygy")]
    tablebases: Option<String>,

    /// How many threads play [default: as many as there are processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=512))]
    threads: Option<u32>,

    /// Print one JSON object about the games
    #[arg(long)]
    json: bool,
}

/// A file of games that is being written.
struct Run {
    path: PathBuf,
    writer: GameWriter,
    plan: Plan,
    /// What the head of the file says.
    manifest: Value,
    weights: Arc<Weights>,
    tables: Option<Tablebases>,
    /// All games of the file.
    statistics: Statistics,
    /// How many of them were there before.
    found: u64,
}

impl Datagen {
    /// Plays the games and says what they are like.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let mut run = match &self.resume {
            Some(path) => self.resume(path)?,
            None => self.begin()?,
        };
        interrupt::listen()?;
        let start = Instant::now();
        let before = run.statistics.positions;
        let played = self.play(&mut run, start);
        let complaints = run.tables.as_ref().map(Tablebases::complaints).unwrap_or_default();
        for complaint in complaints {
            errln!("{complaint}");
        }
        played?;
        let report = Report {
            is_complete: !interrupt::came() || self.goal.is_reached(&run.statistics, start.elapsed()),
            bytes: run.writer.bytes(),
            seconds: start.elapsed().as_secs_f64(),
            played: run.statistics.positions - before,
            file_hash: hash_file(&run.path).with_context(|| format!("{} cannot be read", run.path.display()))?,
            path: run.path,
            manifest: run.manifest,
            statistics: run.statistics,
        };
        report.write_manifest()?;
        if self.json {
            report.print_json();
        } else {
            report.print();
        }
        Ok(ExitCode::from(u8::from(!report.is_complete)))
    }

    /// A new file.
    fn begin(&self) -> Result<Run> {
        let path = self.output.clone().context("name a file with --output")?;
        let plan = self.plan.plan();
        let name = self.weights.as_deref().unwrap_or("default");
        let weights = Arc::new(Weights::load(name)?);
        let tables = self.tables()?;
        let own = std::env::current_exe().context("this program cannot be found")?;
        let manifest = json!({
            "made_by": "marquetry datagen",
            "version": env!("CARGO_PKG_VERSION"),
            "program": hash_file(&own).context("this program cannot be read")?,
            "plan": plan,
            "weights": { "name": name, "sha256": hash_text(&weights.to_toml()) },
            "tables": describe(tables.as_ref()),
        });
        let writer = GameWriter::create(&path, &manifest)?;
        Ok(Run { path, writer, plan, manifest, weights, tables, statistics: Statistics::default(), found: 0 })
    }

    /// A file that is gone on with: the games to come must be those that would have come.
    fn resume(&self, path: &Path) -> Result<Run> {
        let mut statistics = Statistics::default();
        let (writer, found) = GameWriter::append(path, &mut |game| statistics.add(game))?;
        let (shown, manifest) = (path.display(), found.manifest);
        let plan: Plan = serde_json::from_value(manifest["plan"].clone())
            .map_err(|_| anyhow::anyhow!("{shown} was not made by datagen, so that it cannot be gone on with"))?;
        let name = self.weights.as_deref().or(manifest["weights"]["name"].as_str()).unwrap_or("default");
        let weights = Arc::new(Weights::load(name).with_context(|| format!("{shown} was made with them"))?);
        if manifest["weights"]["sha256"] != hash_text(&weights.to_toml()) {
            bail!("{shown} was made with other weights than {name} now are; name theirs with --weights");
        }
        let tables = self.tables()?;
        if manifest["tables"] != describe(tables.as_ref()) {
            bail!("{shown} was made with other endgame tables ({}); name them with --tablebases", manifest["tables"]);
        }
        let own = std::env::current_exe().ok().and_then(|own| hash_file(&own).ok());
        if manifest["program"].as_str() != own.as_deref() {
            errln!("{shown} was begun by another build of this program: from here on games may be different ones.");
        }
        if found.cut > 0 {
            errln!("{shown} ended within a game: {} bytes were cut off.", found.cut);
        }
        let (path, found) = (path.to_owned(), found.games);
        Ok(Run { path, writer, plan, manifest, weights, tables, statistics, found })
    }

    fn tables(&self) -> Result<Option<Tablebases>> {
        let Some(paths) = &self.tablebases else { return Ok(None) };
        let (tables, remarks) = Tablebases::open(paths);
        for remark in remarks {
            errln!("{remark}");
        }
        if tables.is_empty() {
            bail!("{paths} has no endgame tables");
        }
        Ok(Some(tables))
    }

    /// Plays until the goal is reached, and writes each game when it is its turn.
    fn play(&self, run: &mut Run, start: Instant) -> Result<()> {
        if self.goal.is_reached(&run.statistics, start.elapsed()) {
            return Ok(());
        }
        let Run { writer, plan, weights, tables, statistics, found, .. } = run;
        let threads = match self.threads {
            Some(threads) => (threads as usize).try_into()?,
            None => std::thread::available_parallelism().context("say how many --threads")?,
        };
        let (progress, before) = (Progress::new("datagen"), statistics.positions);
        let (first, all) = self.goal.progress(statistics, Duration::ZERO);
        let (mut failure, mut synced) = (None, Instant::now());
        let mut take = |game: Game| {
            let written = keep(writer, &game, &mut synced);
            if let Err(error) = written {
                failure = Some(error);
                return Interest::Enough;
            }
            statistics.add(&game);
            let speed = (statistics.positions - before) as f64 / start.elapsed().as_secs_f64();
            let words = format!("{} games, {} positions, {speed:.0} a second", statistics.games, statistics.positions);
            let (done, _) = self.goal.progress(statistics, start.elapsed());
            progress.tell(done - first, all - first, &words);
            if done >= all { Interest::Enough } else { Interest::More }
        };
        let is_over = || interrupt::came() || self.goal.is_time_over(start.elapsed());
        let numbers = *found..self.goal.games().unwrap_or(u64::MAX);
        let generated = generate(plan, weights, tables.as_ref(), threads, numbers, &mut take, &is_over);
        drop(progress);
        match failure.or(writer.sync().err()) {
            Some(error) => bail!("{error}; the {} games before are whole", statistics.games),
            None => Ok(generated?),
        }
    }
}

/// Writes a game so that a kill does not lose it, and now and then so that a power cut does not.
fn keep(writer: &mut GameWriter, game: &Game, synced: &mut Instant) -> Result<(), DataError> {
    writer.write(game)?;
    if synced.elapsed() < SYNC {
        return writer.flush();
    }
    *synced = Instant::now();
    writer.sync()
}

/// Endgame tables as the manifest names them.
fn describe(tables: Option<&Tablebases>) -> Value {
    tables.map_or(Value::Null, |tables| json!({ "files": tables.file_count(), "largest": tables.largest() }))
}
