//! Matches that the page starts: each is a process of its own, which outlives the server and is heard of through the store.

use std::fs::File;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::Json;
use axum::extract::State;
use lab::store::{Filter, Request, Run, RunId, Store};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::errors::{ApiError, Body, Named};
use crate::runs::{number, read_id};
use crate::server::Shared;
use crate::shelf::Choice;

/// Runs of these commands go on with `--resume`.
const RESUMABLE: [&str; 5] = ["match", "ladder", "spsa", "ablate", "tune"];
/// How often it is looked whether a match is seen in the store; a program that the store does not know runs its bench first.
const PATIENCE: u32 = 900;
const PAUSE: Duration = Duration::from_millis(100);
/// A run that was just begun is one of so many.
const NEWEST: usize = 20;
/// So much of what a failed match said is told.
const TOLD: usize = 400;

/// A match of some weights against others.
#[derive(Deserialize, TS)]
pub(crate) struct MatchRequest {
    pub(crate) first: Player,
    pub(crate) second: Player,
    /// Nodes a move; if nothing, the clock decides.
    pub(crate) nodes: Option<u64>,
    /// A clock such as 8+0.08.
    pub(crate) clock: Option<String>,
    /// Pairs of games at most.
    pub(crate) rounds: u32,
    pub(crate) concurrency: u32,
    /// The hypotheses of a sequential test.
    pub(crate) sprt: Option<(f64, f64)>,
    #[serde(default)]
    pub(crate) seed: u64,
}

/// Who plays.
#[derive(Deserialize, TS)]
pub(crate) struct Player {
    pub(crate) name: String,
    pub(crate) weights: Choice,
}

/// A run that was begun.
#[derive(Serialize, TS)]
pub(crate) struct Started {
    pub(crate) run: i64,
}

impl MatchRequest {
    fn words(&self, studio: &Shared) -> Result<Vec<String>, ApiError> {
        let mut words = vec!["match".to_owned()];
        for player in [&self.first, &self.second] {
            let name: String = player.name.chars().filter(|c| !c.is_control()).take(40).collect();
            let weights = studio.shelf.for_match(&player.weights)?;
            words.extend(["--engine".to_owned(), "self".to_owned()]);
            words.extend([format!("name={name}"), format!("weights={weights}")]);
        }
        match (self.nodes, &self.clock) {
            (Some(nodes), _) => words.extend(["--nodes".to_owned(), nodes.to_string()]),
            (None, Some(clock)) => words.push(format!("--tc={clock}")),
            (None, None) => return Err(ApiError::Match("nodes or a clock are needed".to_owned())),
        }
        words.extend(["--rounds".to_owned(), self.rounds.to_string()]);
        words.extend(["--concurrency".to_owned(), self.concurrency.to_string()]);
        words.extend(["--seed".to_owned(), self.seed.to_string()]);
        if let Some((elo0, elo1)) = self.sprt {
            words.push(format!("--sprt=elo0={elo0},elo1={elo1}"));
        }
        Ok(words)
    }
}

/// Starts a match and answers when the store knows it.
pub(crate) async fn start(
    State(studio): State<Shared>,
    Body(request): Body<MatchRequest>,
) -> Result<Json<Started>, ApiError> {
    let words = request.words(&studio)?;
    Ok(Json(Started { run: launch(&studio, words, None).await? }))
}

/// What somebody wants of a run.
#[derive(Deserialize, TS)]
pub(crate) struct RunRequest {
    pub(crate) action: Action,
}

/// What can be wanted of a run.
#[derive(Copy, Clone, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Action {
    Pause,
    Resume,
    Stop,
}

/// Asks a run to pause, go on or stop; one whose process is gone is started again.
pub(crate) async fn request(
    State(studio): State<Shared>,
    Named(run): Named<String>,
    Body(RunRequest { action }): Body<RunRequest>,
) -> Result<Json<Started>, ApiError> {
    let id = read_id(&run)?;
    let found = studio.ask(move |store| Ok(store.run(id)?)).await?;
    let wish = match action {
        Action::Pause => Request::Pause,
        Action::Stop => Request::Stop,
        Action::Resume if found.is_alive => Request::None,
        Action::Resume if can_resume(&found) => {
            let words = vec![found.kind, "--resume".to_owned(), id.to_string()];
            return Ok(Json(Started { run: launch(&studio, words, Some(id)).await? }));
        }
        Action::Resume => return Err(ApiError::Over { status: found.status().to_owned(), kind: found.kind }),
    };
    studio.ask(move |store| Ok(store.request(id, wish)?)).await?;
    Ok(Json(Started { run: number(id) }))
}

/// Whether a run that does not go on can be gone on with.
pub(crate) fn can_resume(run: &Run) -> bool {
    !run.is_alive && run.status() != "finished" && RESUMABLE.contains(&run.kind.as_str())
}

/// Starts this program with a command that makes or takes up a run, and waits until the run is its.
async fn launch(studio: &Shared, words: Vec<String>, resumed: Option<RunId>) -> Result<i64, ApiError> {
    let (mut child, log) = spawn(studio, &words)?;
    let pid = child.id();
    for _ in 0..PATIENCE {
        if let Some(run) = studio.ask(move |store| owned_by(store, pid, resumed)).await? {
            wait_for(child, log);
            return Ok(run);
        }
        match child.try_wait() {
            Ok(None) => tokio::time::sleep(PAUSE).await,
            // It may be over already, having said first which run it was
            Ok(Some(status)) if is_sound(status) => {
                return announced(&log).ok_or_else(|| ApiError::Match(last_words(&log)));
            }
            Ok(Some(_)) => return Err(ApiError::Match(last_words(&log))),
            Err(_) => return Err(ApiError::Broken),
        }
    }
    wait_for(child, log);
    Err(ApiError::Match("it is not seen in the store after 90 seconds".to_owned()))
}

/// Asks how a process ended, or it would stay a shadow of itself. What it said is kept if it failed.
fn wait_for(mut child: Child, log: PathBuf) {
    std::thread::spawn(move || {
        if child.wait().is_ok_and(is_sound) {
            std::fs::remove_file(log).ok();
        }
    });
}

/// Whether a process came to its end or was asked to stop.
fn is_sound(status: ExitStatus) -> bool {
    matches!(status.code(), Some(0 | 1))
}

/// The run of a process: the one that it goes on with, or one of the newest.
fn owned_by(store: &Store, pid: u32, resumed: Option<RunId>) -> Result<Option<i64>, ApiError> {
    let runs = match resumed {
        Some(id) => vec![store.run(id)?],
        None => store.runs(Filter { kind: None, last: Some(NEWEST) })?,
    };
    let own = runs.iter().rev().find(|run| run.is_alive && run.owner.as_ref().is_some_and(|owner| owner.pid == pid));
    Ok(own.map(|run| number(run.id)))
}

fn spawn(studio: &Shared, words: &[String]) -> Result<(Child, PathBuf), ApiError> {
    let options = &studio.options;
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let log = options.data.join("logs").join(format!("{}.log", since.as_micros()));
    let failed = |error| ApiError::Unwritable { path: log.to_string_lossy().into_owned(), error };
    std::fs::create_dir_all(options.data.join("logs")).map_err(failed)?;
    let output = File::create(&log).map_err(failed)?;
    let child = Command::new(&options.program)
        .args(words)
        .arg("--store")
        .arg(&options.store)
        .current_dir(&options.data)
        .stdin(Stdio::null())
        .stdout(output.try_clone().map_err(failed)?)
        .stderr(output)
        // Ctrl-C in the server's terminal is not meant for it
        .process_group(0)
        .spawn();
    Ok((child.map_err(|error| ApiError::Match(error.to_string()))?, log))
}

/// The beginning of a log.
fn read_log(log: &Path) -> String {
    let mut text = String::new();
    File::open(log).and_then(|file| file.take(1 << 16).read_to_string(&mut text)).ok();
    text
}

/// The run that a log begins with: `Run 12: …`.
fn announced(log: &Path) -> Option<i64> {
    let text = read_log(log);
    text.strip_prefix("Run ")?.split_once(':')?.0.parse().ok()
}

/// The last line of a log, which says why a program ended.
fn last_words(log: &Path) -> String {
    let text = read_log(log);
    let error = text.lines().rev().find_map(|line| line.strip_prefix("error: ")).or(text.lines().next_back());
    error.unwrap_or("it ended at once").chars().take(TOLD).collect()
}
