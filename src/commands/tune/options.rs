//! The options of `marquetry tune`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::{Args, Parser, ValueEnum};
use engine::{Group, PARAM_COUNT, TermInfo, Weights};
use lab::ablation::LossKind;
use lab::store::{RunId, Store, TUNE, hash_file};
use lab::tune::{Anchor, Cache, Space, SpaceSettings, Tie, TrainSettings};
use sha2::{Digest, Sha256};

use crate::commands::contest::Again;
use crate::commands::store::StoreOption;

/// What --freeze calls all groups in which the start weights have nothing.
const UNUSED: &str = "unused";
/// How often a descent is saved while it goes.
pub(super) const SAVE_SECONDS: f64 = 5.0;

/// Tune weights on labelled positions: gradient descent to those that foretell results best
#[derive(Args)]
#[command(after_help = "Examples:
  marquetry tune --data games.epd --output my.toml
  marquetry tune --data a.bin b.epd.zst --validation 10 --weights material --k 1 --anchor material.pawn.eg=100
  marquetry tune --data games.epd --only mobility,king-safety --tie mirror --smooth 1e-5 --output my.toml
  marquetry tune --data games.epd --freeze unused --output my.toml
  marquetry tune --resume 12
  marquetry tune --data games.epd --bench

Positions should be quiet; results are White's. Files are text (FEN c9 \"1-0\"; or FEN [1.0] or FEN | centipawns | 1.0), PGN,
games or packed positions, as they are or packed with gzip, zstd or xz. Validation is by game. What is tuned and written is
the same for any number of threads. Ctrl-C stops; --resume goes on to the same result as without a stop.
--only, --freeze and ties take groups (mobility), terms (knight_mobility), parts (piece_square.knight, material.pawn) and
halves (tempo.mg). When starting from zero or from material alone, fix the scale with --k.")]
pub(crate) struct Tune {
    /// Files of positions with results
    #[arg(long, value_name = "FILE", num_args = 1.., required_unless_present = "resume")]
    pub(super) data: Vec<String>,

    /// Per cent of the games that only judge, or a file of such positions
    #[arg(long, value_name = "PERCENT or FILE", default_value = "5", value_parser = read_validation)]
    pub(super) validation: Validation,

    /// The weights to start from, whose phases and unit stay: a preset's name or a file
    #[arg(long, value_name = "WEIGHTS", default_value = "default")]
    pub(super) weights: String,

    /// Tune these alone
    #[arg(long, value_name = "TERM,…", value_delimiter = ',')]
    only: Vec<String>,

    /// Leave these as they are; unused: all groups in which the start weights have nothing
    #[arg(long, value_name = "TERM,…", value_delimiter = ',')]
    freeze: Vec<String>,

    /// What shares one number: mirror (left and right of tables), mirror:TERM, mg=eg:TERM
    #[arg(long, value_name = "TIE,…", value_delimiter = ',', value_parser = read_tie)]
    tie: Vec<Tie>,

    /// Scale all weights at the end so that this one has this value: material.pawn.eg=100
    #[arg(long, value_name = "TERM=VALUE", value_parser = read_anchor)]
    pub(super) anchor: Option<Anchor>,

    /// How far what is foretold lies from the result
    #[arg(long, value_enum, default_value = "squared")]
    pub(super) loss: LossName,

    /// The scale K of 1/(1+10^(-K*centipawns/400)) [default: fitted to the start weights]
    #[arg(long, value_name = "K", value_parser = read_positive)]
    pub(super) k: Option<f64>,

    /// How much the score of a position counts in the target, from 0 to 1; the rest is the result
    #[arg(long, value_name = "SHARE", default_value = "0", value_parser = read_share)]
    pub(super) lambda: f64,

    /// Positions a step
    #[arg(long, value_name = "N", default_value = "16384", value_parser = clap::value_parser!(u32).range(1..))]
    batch: u32,

    /// How far a weight goes in the first steps, in its units
    #[arg(long, value_name = "UNITS", default_value = "1", value_parser = read_positive)]
    rate: f64,

    /// At most so many times through all positions
    #[arg(long, value_name = "N", default_value = "400", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) epochs: u32,

    /// Halve the rate after so many epochs without a better loss
    #[arg(long, value_name = "N", default_value = "4", value_parser = clap::value_parser!(u32).range(1..))]
    patience: u32,

    /// Pull weights to where they started: the loss of one that is 100 units away
    #[arg(long, value_name = "LOSS", default_value = "0", value_parser = read_pull)]
    l2: f64,

    /// Pull neighbours in tables and curves together: the loss of two that are 100 units apart
    #[arg(long, value_name = "LOSS", default_value = "0", value_parser = read_pull)]
    smooth: f64,

    /// Decides the order of positions
    #[arg(long, value_name = "N", default_value = "1")]
    pub(super) seed: u64,

    /// How many threads [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=512))]
    threads: Option<u32>,

    /// Write the weights to this file, and a report to FILE.report.json
    #[arg(long, value_name = "FILE", default_value = "tuned.toml")]
    pub(super) output: PathBuf,

    /// The name of the weights [default: that of the file]
    #[arg(long, value_name = "NAME")]
    pub(super) name: Option<String>,

    /// Where a stopped tuning is kept [default: the output with .checkpoint]
    #[arg(long, value_name = "FILE")]
    pub(super) checkpoint: Option<PathBuf>,

    /// Keep rows in this file instead of memory, for more positions than memory holds; used again if nothing has changed
    #[arg(long, value_name = "FILE")]
    cache: Option<PathBuf>,

    /// Only measure: positions read and coefficients a second on one thread, on all, and in as many processes
    #[arg(long)]
    pub(super) bench: bool,

    /// One of the processes that --bench compares with
    #[arg(long, hide = true, requires = "bench")]
    pub(super) bench_beside: bool,

    /// How many changes to show
    #[arg(long, value_name = "N", default_value = "15")]
    pub(super) top: usize,

    #[command(flatten)]
    pub(super) store: StoreOption,

    /// Keep nothing in the store; such a run cannot be resumed
    #[arg(long, conflicts_with_all = ["store", "resume"])]
    pub(super) no_store: bool,

    /// Go on with a run that was stopped or killed, as it was begun: of other options only --store, --threads and --json count
    #[arg(long, value_name = "RUN")]
    pub(super) resume: Option<RunId>,

    /// Print one JSON object
    #[arg(long)]
    pub(super) json: bool,
}

/// What judges.
#[derive(Clone, Debug)]
pub(super) enum Validation {
    /// This share of the games.
    Share(f64),
    /// The positions of this file.
    File(String),
}

#[derive(Copy, Clone, ValueEnum)]
pub(super) enum LossName {
    /// The square of the distance between foretold and real points
    Squared,
    /// The logarithm of how unlikely the result was
    Logistic,
}

impl LossName {
    pub(super) fn kind(self) -> LossKind {
        match self {
            LossName::Squared => LossKind::Squared,
            LossName::Logistic => LossKind::Logistic,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            LossName::Squared => "squared",
            LossName::Logistic => "logistic",
        }
    }
}

fn read_validation(text: &str) -> Result<Validation, String> {
    match text.trim_end_matches('%').parse::<f64>() {
        Ok(share) if (0.0..=90.0).contains(&share) => Ok(Validation::Share(share / 100.0)),
        Ok(_) => Err("from 0 to 90 per cent of the games, or a file".to_owned()),
        Err(_) => Ok(Validation::File(text.to_owned())),
    }
}

fn read_tie(text: &str) -> Result<Tie, String> {
    text.parse().map_err(|error: lab::tune::TuneError| error.to_string())
}

fn read_anchor(text: &str) -> Result<Anchor, String> {
    text.parse().map_err(|error: lab::tune::TuneError| error.to_string())
}

fn read_number(text: &str, is_right: impl Fn(f64) -> bool, wanted: &str) -> Result<f64, String> {
    text.parse().ok().filter(|&number: &f64| number.is_finite() && is_right(number)).ok_or_else(|| wanted.to_owned())
}

fn read_positive(text: &str) -> Result<f64, String> {
    read_number(text, |number| number > 0.0 && number <= 1000.0, "a number above 0, at most 1000, is needed")
}

fn read_share(text: &str) -> Result<f64, String> {
    read_number(text, |number| (0.0..=1.0).contains(&number), "a number from 0 to 1 is needed")
}

fn read_pull(text: &str) -> Result<f64, String> {
    read_number(text, |number| number >= 0.0, "a number from 0, such as 1e-5, is needed")
}

impl Tune {
    /// The command as it was begun, if a run is to be gone on with; otherwise the command itself.
    pub(super) fn resumed(self) -> Result<Tune> {
        let Some(id) = self.resume else { return Ok(self) };
        let store = self.store.settled()?;
        let run = store.open_existing()?.run(id)?;
        if run.kind != TUNE {
            bail!("run {id} is of another kind; go on with {}", self.store.resume_command(&run.kind, id));
        }
        std::env::set_current_dir(&run.directory)
            .with_context(|| format!("{}, where run {id} began, cannot be entered", run.directory))?;
        let begun = Again::<Tune>::try_parse_from(run.command.iter().skip(1))?.command;
        let threads = self.threads.or(begun.threads);
        Ok(Tune { store, resume: self.resume, json: self.json, threads, ..begun })
    }

    /// The free numbers of these start weights, if all terms that are named are there and nothing is asked for that does not go
    /// together.
    pub(crate) fn space_of(&self, start: &Weights) -> Result<Space> {
        let named = Space::new(&self.space(|_| true))?;
        let space = Space::new(&self.space(|group| start.uses(group)))?;
        if let Some(anchor) = &self.anchor {
            if !named.is_whole() {
                bail!(
                    "--anchor scales every weight, and some are frozen: leave --anchor away, or --only and all of --freeze but {UNUSED}"
                );
            }
            if !anchor.is_free(&space) {
                bail!(
                    "--anchor names a weight of a group that {} does not use, and --freeze {UNUSED} freezes it",
                    self.weights
                );
            }
        }
        Ok(space)
    }

    /// What is free, given the groups that the start weights use.
    fn space(&self, is_used: impl Fn(Group) -> bool) -> SpaceSettings {
        let (keywords, mut freeze) = self.freeze.iter().cloned().partition::<Vec<_>, _>(|name| name == UNUSED);
        if !keywords.is_empty() {
            let unused = Group::ALL.iter().filter(|&&group| !is_used(group));
            freeze.extend(unused.map(|group| group.name().to_owned()));
        }
        SpaceSettings { only: self.only.clone(), freeze, ties: self.tie.clone() }
    }

    /// What a user adds to have the same rows.
    pub(super) fn rows_words(&self) -> Vec<String> {
        let lists = [("--only", &self.only), ("--freeze", &self.freeze)];
        let given = lists.into_iter().filter(|(_, names)| !names.is_empty());
        given.flat_map(|(option, names)| [option.to_owned(), names.join(",")]).collect()
    }

    pub(super) fn train(&self) -> TrainSettings {
        TrainSettings {
            batch: self.batch as usize,
            rate: self.rate,
            epochs: self.epochs,
            patience: self.patience,
            seed: self.seed,
            l2: self.l2,
            smooth: self.smooth,
        }
    }

    pub(super) fn threads(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(all, |threads| threads as usize)
    }

    /// The store, unless there shall be none.
    pub(super) fn open_store(&self) -> Result<Option<Store>> {
        if self.no_store { Ok(None) } else { Ok(Some(Store::open(&self.store.path()?)?)) }
    }

    /// All files that positions come from, with the SHA-256 of each.
    pub(super) fn hashes(&self) -> Result<BTreeMap<String, String>> {
        let more = match &self.validation {
            Validation::File(path) => Some(path),
            Validation::Share(_) => None,
        };
        let hash = |path: &String| {
            let hash = hash_file(Path::new(path)).with_context(|| format!("{path} cannot be read"))?;
            Ok((path.clone(), hash))
        };
        self.data.iter().chain(more).map(hash).collect()
    }

    /// The file for rows, if there shall be one.
    pub(super) fn cache_file(&self) -> Option<&Path> {
        self.cache.as_deref()
    }

    /// The file for rows, if there shall be one, and what rows depend on.
    pub(super) fn cache(&self, start: &Weights, hashes: &BTreeMap<String, String>) -> Option<Cache> {
        let shape = (start.unit(), start.phase_model(), start.king_taper(), start.interpolates());
        let identity = digest(&format!("{:?}", (&self.data, hashes, &self.validation, labels(), shape)));
        self.cache.clone().map(|path| Cache { path, identity })
    }

    /// What the result depends on, in a number: data, start weights, the catalogue, and the options that matter.
    pub(super) fn identity(&self, start: &Weights, hashes: &BTreeMap<String, String>) -> String {
        let options = (
            self.space(|group| start.uses(group)),
            self.train(),
            self.k,
            self.lambda,
            self.loss.name(),
            &self.validation,
            &self.data,
        );
        digest(&format!("{:?}", (hashes, start.to_toml(), labels(), options)))
    }
}

fn labels() -> Vec<String> {
    (0..PARAM_COUNT).map(TermInfo::label).collect()
}

/// SHA-256 in hexadecimal digits.
fn digest(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}
