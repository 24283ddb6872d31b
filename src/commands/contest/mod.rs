//! What commands that let engines play share: their options, the store and files that games go to, how the contest is
//! shown, and how it is stopped and taken up again.

mod booth;
mod clocks;
mod identity;
mod rules;

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use chess::{CastlingMode, Position};
use clap::{Args, Parser};
use engine::Tablebases;
use lab::arena::{
    Contest, DrawRule, EngineSpec, Host, Log, Record, ResignRule, Rules, Schedule, Standings, Variation, Watch, Wish,
};
use lab::files::{Output, check_apart};
use lab::spsa::Session;
use lab::stats::Sprt;
use lab::store::{NewRun, Run, RunId, State, Store};
use serde_json::{Value, json};

use super::engines::host;
use super::store::StoreOption;
use crate::arguments;
use crate::interrupt;
use crate::output::outln;
use crate::scoreboard::Scoreboard;
use booth::Booth;
pub(super) use clocks::{clock_object, print_clocks};
use identity::{describe, files_read, hash_files};
pub(super) use rules::settings;
use rules::{read_draw, read_resign};

/// Options of every contest.
#[derive(Args)]
pub(super) struct ContestOptions {
    /// How many games at once
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=512))]
    concurrency: u32,

    /// Call a draw when both sides agree: movenumber=34,movecount=8,score=20
    #[arg(long, value_name = "RULE", value_parser = read_draw)]
    draw: Option<DrawRule>,

    /// Call a game lost when a side thinks so: movecount=3,score=600 and, if the other must agree, twosided=true
    #[arg(long, value_name = "RULE", value_parser = read_resign)]
    resign: Option<ResignRule>,

    /// Call a draw after so many moves
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    max_moves: Option<u32>,

    /// Call games by the Syzygy tables in these directories
    #[arg(long, value_name = "PATH")]
    tablebases: Option<String>,

    /// Milliseconds by which a clock may be overstepped
    #[arg(long, value_name = "MS", default_value = "0")]
    margin: u64,

    /// Seconds that an engine may take to start and to be ready
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = clap::value_parser!(u32).range(1..=3600))]
    patience: u32,

    /// Seconds after which an engine that counts nodes or plies has stalled
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = clap::value_parser!(u32).range(1..))]
    stall: u32,

    /// Start a process for every engine, this program's own too, even where it could play inside this one
    #[arg(long)]
    processes: bool,

    /// Write the games to this file as they end
    #[arg(long, value_name = "FILE")]
    pgn: Option<String>,

    /// Write the last position of each game, with its result, to this file
    #[arg(long, value_name = "FILE")]
    epd: Option<String>,

    /// Write all that engines are told and say to this file
    #[arg(long, value_name = "FILE")]
    log: Option<String>,

    #[command(flatten)]
    store: StoreOption,

    /// Keep nothing in the store; such a run cannot be resumed
    #[arg(long, conflicts_with_all = ["store", "resume"])]
    no_store: bool,

    /// Go on with a run that was stopped or killed, as it was begun: of other options only --store and --json count
    #[arg(long, value_name = "RUN")]
    resume: Option<RunId>,

    /// Print one JSON object
    #[arg(long)]
    pub(super) json: bool,
}

/// A command that lets engines play and whose runs can be gone on with.
pub(super) trait Resumable: Args {
    /// The command's name.
    const KIND: &'static str;

    /// Its options as a contest.
    fn contest(&mut self) -> &mut ContestOptions;

    /// The command as it was begun, if a run is to be gone on with; otherwise the command itself.
    fn resumed(mut self) -> Result<Self> {
        let given = self.contest();
        if !given.is_resumed() {
            return Ok(self);
        }
        // The run's directory may be another one
        let store = given.store.settled()?;
        let Some(run) = given.run_to_resume(Self::KIND)? else { return Ok(self) };
        let mut again = Again::<Self>::try_parse_from(run.command.iter().skip(1))?.command;
        let (begun, given) = (again.contest(), self.contest());
        (begun.store, begun.resume, begun.json) = (store, given.resume, given.json);
        Ok(again)
    }
}

/// A command's options, read from the arguments of a run.
#[derive(Parser)]
#[command(no_binary_name = true)]
pub(super) struct Again<A: Args> {
    #[command(flatten)]
    pub(super) command: A,
}

/// A contest as a command wants it.
pub(super) struct Plan<'a> {
    /// The command.
    pub(super) kind: &'static str,
    pub(super) engines: Vec<EngineSpec>,
    pub(super) schedule: Schedule,
    pub(super) openings: &'a [Position],
    pub(super) seed: u64,
    pub(super) sprt: Option<Sprt>,
    /// Files beside the engines' that the games depend on.
    pub(super) files: Vec<String>,
    /// Where the games stand so far, in a sentence.
    pub(super) sentence: Words<'a>,
    /// Shown every so many games, if it is wanted.
    pub(super) report: Option<(u64, Words<'a>)>,
    /// Numbers that the games tune, if they do.
    pub(super) tuning: Option<&'a Session>,
}

/// What standings say.
pub(super) type Words<'a> = &'a dyn Fn(&Standings) -> String;

/// What came of a contest.
pub(super) struct Played {
    pub(super) standings: Standings,
    pub(super) run: Option<RunId>,
    /// Whether all was played or the test decided.
    pub(super) is_over: bool,
    /// By how much the runner measures more than each engine, with a clock: median in milliseconds, and of how many moves.
    pub(super) clock_differences: BTreeMap<String, (f64, u64)>,
}

impl ContestOptions {
    /// Whether a run is gone on with.
    pub(super) fn is_resumed(&self) -> bool {
        self.resume.is_some()
    }

    /// Opens the store, unless there shall be none. A run that is gone on with is in one that is there.
    fn open_store(&self) -> Result<Option<Store>> {
        if self.no_store {
            return Ok(None);
        }
        let store = if self.is_resumed() { self.store.open_existing()? } else { Store::open(&self.store.path()?)? };
        Ok(Some(store))
    }

    /// Refuses files that would be lost, before one is begun: those that are read and written, or written twice.
    pub(super) fn check_files(&self, read: &[String], engines: &[EngineSpec], written: &[&Path]) -> Result<()> {
        let store = if self.no_store { None } else { Some(self.store.path()?) };
        let own = [&self.pgn, &self.epd, &self.log].into_iter().flatten().map(Path::new);
        let written: Vec<&Path> = own.chain(written.iter().copied()).chain(store.as_deref()).collect();
        Ok(check_apart(&files_read(read, engines), &written)?)
    }

    /// The settings of the run that is gone on with.
    pub(super) fn settings(&self) -> Result<Option<Value>> {
        let (Some(id), Some(store)) = (self.resume, self.open_store()?) else { return Ok(None) };
        Ok(Some(store.run(id)?.settings))
    }

    /// How many games there are at once.
    pub(super) fn concurrency(&self) -> usize {
        self.concurrency as usize
    }

    /// The run to go on with, with its arguments; the program then stands in the directory where it began.
    fn run_to_resume(&self, kind: &str) -> Result<Option<Run>> {
        let (Some(id), Some(store)) = (self.resume, self.open_store()?) else { return Ok(None) };
        let run = store.run(id)?;
        if run.kind != kind {
            bail!("run {id} is of another kind; go on with {}", self.store.resume_command(&run.kind, id));
        }
        std::env::set_current_dir(&run.directory)
            .with_context(|| format!("{}, where run {id} began, cannot be entered", run.directory))?;
        Ok(Some(run))
    }

    /// Plays a contest: begun afresh or gone on with.
    pub(super) fn play(&self, mut plan: Plan) -> Result<Played> {
        interrupt::listen()?;
        if plan.openings.iter().any(|opening| opening.castling_mode() == CastlingMode::Chess960) {
            for spec in &mut plan.engines {
                spec.options.push(("UCI_Chess960".to_owned(), "true".to_owned()));
            }
        }
        let watch = Arc::new(Watch::default());
        let contest = Contest {
            engines: &plan.engines,
            schedule: plan.schedule.clone(),
            openings: plan.openings,
            concurrency: self.concurrency as usize,
            sprt: plan.sprt,
            rules: self.rules()?,
            host: Host { watch: Some(watch.clone()), ..self.host()? },
            in_process: !self.processes,
            variation: plan.tuning.map(|session| session as &dyn Variation),
        };
        contest.check()?;
        let mut standings = Standings::new(plan.schedule.clone());
        let mut record = Record { event: format!("Marquetry {}", plan.kind), ..Record::default() };
        record.pgn = self.pgn.as_deref().map(Output::create).transpose()?;
        record.epd = self.epd.as_deref().map(Output::create).transpose()?;
        record.run = self.open_store()?.map(|store| self.claim(store, &plan)).transpose()?;
        let run = record.run.as_ref().map(|(_, claim)| claim.run());
        let played = record.replay(&mut standings, contest.variation)?;
        if !self.json {
            self.announce(&plan, run, played.len());
        }
        let names = plan.engines.iter().map(|spec| spec.name.clone()).collect();
        let board = Scoreboard::new(names, plan.sprt, plan.tuning, &standings, self.json);
        let mut booth = Booth {
            record,
            board,
            beaten: Instant::now(),
            wish: Wish::Go,
            sentence: plan.sentence,
            report: plan.report.filter(|_| !self.json),
            tuning: plan.tuning,
            kept: 0,
            watch: watch.clone(),
        };
        let result = contest.run(&mut standings, &played, &mut booth);
        let is_over = standings.pairs() == plan.schedule.pairs() as u64 || contest.is_decided(&standings);
        let state = match (&result, is_over) {
            (Err(_), _) => State::Failed,
            (Ok(()), true) => State::Finished,
            (Ok(()), false) => State::Stopped,
        };
        let finished = booth.finish(state, &standings);
        // What is printed from here on stays
        drop(booth);
        result.map_err(|error| anyhow::anyhow!("{}", sentences(&error.to_string(), &self.hint(plan.kind, run))))?;
        finished?;
        if !is_over && !self.json {
            let stopped = format!("Stopped after {} games.", standings.games());
            outln!("{}", sentences(&stopped, &self.hint(plan.kind, run)));
        }
        Ok(Played { standings, run, is_over, clock_differences: watch.medians() })
    }

    /// How a run that is not over can be gone on with.
    fn hint(&self, kind: &str, run: Option<RunId>) -> String {
        run.map_or_else(String::new, |run| format!("Go on with: {}", self.store.resume_command(kind, run)))
    }

    fn announce(&self, plan: &Plan, run: Option<RunId>, before: usize) {
        let engines: Vec<String> =
            plan.engines.iter().map(|spec| format!("{} ({})", spec.name, spec.thinking)).collect();
        let run = run.map_or(String::new(), |run| format!("Run {run}: "));
        let rest = if before == 0 { String::new() } else { format!(", of which {before} are played") };
        let games = 2 * plan.schedule.pairs();
        let engines = if engines.len() == 2 { engines.join(" - ") } else { engines.join(", ") };
        outln!("{run}{engines}, {games} games{rest}, {} at once, seed {}", self.concurrency, plan.seed);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let is_timed = plan.engines.iter().any(|spec| spec.thinking.is_timed());
        if is_timed && self.concurrency as usize > cores {
            outln!("There are only {cores} cores: with more games at once than that, clocks measure the machine.");
        }
    }

    fn rules(&self) -> Result<Rules> {
        let tables = match &self.tablebases {
            Some(path) => {
                let (tables, faults) = Tablebases::open(path);
                if tables.is_empty() {
                    let why = faults.first().map_or(String::new(), |fault| format!(": {fault}"));
                    bail!("--tablebases {path} has no Syzygy tables{why}");
                }
                Some(Arc::new(tables))
            }
            None => None,
        };
        Ok(Rules {
            margin: Duration::from_millis(self.margin),
            patience: Duration::from_secs(self.stall.into()),
            draw: self.draw,
            resign: self.resign,
            max_moves: self.max_moves,
            tables,
        })
    }

    /// What engines are started with.
    pub(super) fn host(&self) -> Result<Host> {
        let open = |path: &str| if self.is_resumed() { Log::append(path) } else { Log::create(path) };
        let log = self.log.as_deref().map(|path| open(path).with_context(|| format!("{path} cannot be written")));
        Ok(Host { log: log.transpose()?.map(Arc::new), patience: Duration::from_secs(self.patience.into()), ..host() })
    }

    /// A claim on a new run, or on the one to go on with.
    fn claim(&self, store: Store, plan: &Plan) -> Result<(Store, lab::store::Claim)> {
        let mut hashes = HashMap::new();
        let engines =
            plan.engines.iter().map(|spec| describe(spec, &store, &mut hashes)).collect::<Result<Vec<_>>>()?;
        let files = hash_files(&plan.files, &plan.engines)?;
        if let Some(id) = self.resume {
            let run = store.run(id)?;
            let changed = run.engines.iter().zip(&engines).find(|(was, is)| was.file_hash != is.file_hash);
            if let Some((was, is)) = changed {
                let file = &is.command[0];
                bail!("the program of {} has changed since run {id} began ({file}); begin a new run", was.name);
            }
            if run.settings["files"] != json!(files) {
                bail!("weights or openings have changed since run {id} began; begin a new run");
            }
            let claim = store.claim(id)?;
            return Ok((store, claim));
        }
        let command = arguments::given();
        let mut settings = json!({ "files": files });
        if let Some(session) = plan.tuning {
            settings["parameters"] = session.tuner().lines().into();
        }
        let new =
            NewRun { kind: plan.kind, command: &command, seed: plan.seed, settings: &settings, engines: &engines };
        let claim = store.begin(&new)?;
        Ok((store, claim))
    }
}

/// One sentence after another; the second may be nothing.
fn sentences(first: &str, second: &str) -> String {
    if second.is_empty() { first.to_owned() } else { format!("{}. {second}", first.trim_end_matches('.')) }
}

/// Names every incident, the first thousand of them.
pub(super) fn print_incidents(standings: &Standings) {
    for incident in standings.incidents() {
        outln!("Incident: {incident}");
    }
    let untold = standings.incident_count() - standings.incidents().len() as u64;
    if untold > 0 {
        outln!("And {untold} more incidents.");
    }
}

#[cfg(test)]
mod tests {
    use super::sentences;

    #[test]
    fn an_error_and_how_to_go_on_are_two_sentences() {
        assert_eq!(sentences("the disk is full", "Go on."), "the disk is full. Go on.");
        assert_eq!(sentences("Stopped.", "Go on."), "Stopped. Go on.");
        assert_eq!(sentences("the disk is full", ""), "the disk is full");
    }
}
