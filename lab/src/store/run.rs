//! What is known of a run.

use std::fmt;
use std::str::FromStr;

use rusqlite::Row;
use serde::Serialize;
use serde_json::Value;

use super::error::{Failure, StoreError};
use super::owner;
use crate::arena::Thinking;

/// What the store calls a run of `tune`.
pub const TUNE: &str = "tune";

/// A run's number.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug, Serialize)]
#[serde(transparent)]
pub struct RunId(pub(super) i64);

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for RunId {
    type Err = String;

    fn from_str(text: &str) -> Result<RunId, String> {
        let number = text.parse().ok().filter(|&number| number > 0);
        number.map(RunId).ok_or_else(|| "a run's number is needed; `marquetry runs list` shows them".to_owned())
    }
}

/// Where a run stands.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Somebody works on it, or did when the power went.
    Running,
    /// It waits to be told to go on.
    Paused,
    /// It was ended before its end and can go on.
    Stopped,
    /// It came to its end.
    Finished,
    /// It could not go on.
    Failed,
}

impl State {
    const ALL: [State; 5] = [State::Running, State::Paused, State::Stopped, State::Finished, State::Failed];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            State::Running => "running",
            State::Paused => "paused",
            State::Stopped => "stopped",
            State::Finished => "finished",
            State::Failed => "failed",
        }
    }
}

/// What somebody wants of a run.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Request {
    /// To go on.
    None,
    /// To wait.
    Pause,
    /// To end.
    Stop,
}

impl Request {
    const ALL: [Request; 3] = [Request::None, Request::Pause, Request::Stop];

    pub(super) fn name(self) -> &'static str {
        match self {
            Request::None => "none",
            Request::Pause => "pause",
            Request::Stop => "stop",
        }
    }

    pub(super) fn read(name: &str) -> Option<Request> {
        Request::ALL.into_iter().find(|request| request.name() == name)
    }
}

/// Whose a run is: a process, and when it last said that it lives.
#[derive(Clone, Eq, PartialEq, Debug, Serialize)]
pub struct Owner {
    /// The machine.
    pub host: String,
    /// The process there.
    pub pid: u32,
    /// When it last said that it lives; milliseconds since 1970.
    pub heartbeat: i64,
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "process {} on {}", self.pid, self.host)
    }
}

/// The right to write to a run, which others may take when its process seems dead.
#[derive(Clone, Debug)]
pub struct Claim {
    pub(super) run: RunId,
    pub(super) token: String,
}

impl Claim {
    /// The run.
    pub fn run(&self) -> RunId {
        self.run
    }
}

/// An engine that takes part in a run; it is known by its place in the list, from 0.
#[derive(Clone, Eq, PartialEq, Debug, Default, Serialize)]
pub struct RunEngine {
    /// Its name, as in the games.
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// UCI options that were set.
    pub options: Vec<(String, String)>,
    /// How it may think: `8+0.08`, `movetime 0.5`, `nodes 20000` or `depth 6`.
    pub limit: String,
    /// SHA-256 of the program, if it could be read.
    pub file_hash: Option<String>,
    /// Nodes of its `bench`, if it has one.
    pub bench: Option<u64>,
}

impl RunEngine {
    /// The limit as the arena understands it.
    pub fn thinking(&self) -> Result<Thinking, StoreError> {
        let (key, value) = self.limit.split_once(' ').unwrap_or(("tc", &self.limit));
        Thinking::recall(key, value)
            .map_err(|_| StoreError::Limit { engine: self.name.clone(), limit: self.limit.clone() })
    }
}

/// A run to begin.
#[derive(Clone, Debug)]
pub struct NewRun<'a> {
    /// The command that makes such runs, such as `match`; it takes `--resume RUN`.
    pub kind: &'a str,
    /// The program's arguments.
    pub command: &'a [String],
    /// Where all chance comes from.
    pub seed: u64,
    /// What is needed to go on; the store does not look into it.
    pub settings: &'a Value,
    /// Who takes part.
    pub engines: &'a [RunEngine],
}

/// A run as the store knows it.
#[derive(Clone, Debug, Serialize)]
pub struct Run {
    /// Its number.
    pub id: RunId,
    /// The command that made it, such as `match`.
    pub kind: String,
    /// The program's arguments.
    pub command: Vec<String>,
    /// The folder that it was started in.
    pub directory: String,
    /// Where all chance comes from.
    pub seed: u64,
    /// The machine that it was started on.
    pub host: String,
    /// The program's version.
    pub version: String,
    /// What is needed to go on.
    pub settings: Value,
    /// When it began; milliseconds since 1970.
    pub created: i64,
    /// When something last happened in it; milliseconds since 1970.
    pub updated: i64,
    /// Where it stands, if its process lives.
    pub state: State,
    /// What somebody wants of it.
    pub request: Request,
    /// Whose it is.
    pub owner: Option<Owner>,
    /// Whether its process lives.
    pub is_alive: bool,
    /// How many games it has.
    pub games: u64,
    /// A summary; a text under `sentence` is shown in lists.
    pub progress: Value,
    /// What came out, in a sentence.
    pub note: String,
    /// Who takes part.
    pub engines: Vec<RunEngine>,
}

impl Run {
    /// Where it stands in a word: its state, or `interrupted` if it should be running and is not.
    pub fn status(&self) -> &'static str {
        let should_live = matches!(self.state, State::Running | State::Paused);
        if should_live && !self.is_alive { "interrupted" } else { self.state.name() }
    }

    /// Whether it can be asked to pause. A tuning cannot: it would keep its memory and do nothing, and loses little by
    /// being stopped.
    pub fn can_pause(&self) -> bool {
        self.is_alive && self.kind != TUNE
    }

    /// What came out or, before that, how it goes.
    pub fn sentence(&self) -> &str {
        let progress = self.progress.get("sentence").and_then(Value::as_str);
        if self.note.is_empty() { progress.unwrap_or_default() } else { &self.note }
    }
}

/// The columns of `runs`, in the order in which [`read`] wants them.
pub(super) const COLUMNS: &str = "id, kind, command, directory, seed, host, version, settings, created, updated, \
     state, request, games, progress, note, owner_host, owner_pid, heartbeat";

/// A run without its engines.
pub(super) fn read(row: &Row<'_>, now: i64) -> Result<Run, Failure> {
    let id = RunId(row.get(0)?);
    let damaged = |what: &str| StoreError::DamagedRun { run: id, problem: format!("{what} cannot be read") };
    let text = |column: usize| row.get::<_, String>(column);
    let owner = read_owner(row, 15)?;
    Ok(Run {
        id,
        kind: text(1)?,
        command: serde_json::from_str(&text(2)?).map_err(|_| damaged("its command"))?,
        directory: text(3)?,
        seed: text(4)?.parse().map_err(|_| damaged("its seed"))?,
        host: text(5)?,
        version: text(6)?,
        settings: serde_json::from_str(&text(7)?).map_err(|_| damaged("its settings"))?,
        created: row.get(8)?,
        updated: row.get(9)?,
        state: {
            let name = text(10)?;
            State::ALL.into_iter().find(|state| state.name() == name).ok_or_else(|| damaged("its state"))?
        },
        request: Request::read(&text(11)?).ok_or_else(|| damaged("what is wanted of it"))?,
        games: row.get::<_, i64>(12)?.cast_unsigned(),
        progress: serde_json::from_str(&text(13)?).map_err(|_| damaged("its progress"))?,
        note: text(14)?,
        is_alive: owner.as_ref().is_some_and(|owner| owner::is_alive(owner, now)),
        owner,
        engines: Vec::new(),
    })
}

/// Host, process and heartbeat, in three columns from `first`.
pub(super) fn read_owner(row: &Row<'_>, first: usize) -> rusqlite::Result<Option<Owner>> {
    let (host, pid): (Option<String>, Option<u32>) = (row.get(first)?, row.get(first + 1)?);
    let heartbeat = row.get(first + 2)?;
    Ok(host.zip(pid).map(|(host, pid)| Owner { host, pid, heartbeat }))
}

/// An engine, from its columns name, command, options, time_limit, file_hash, bench.
pub(super) fn read_engine(run: RunId, row: &Row<'_>) -> Result<RunEngine, Failure> {
    let text = |column: usize| row.get::<_, String>(column);
    let damaged = |_| StoreError::DamagedRun { run, problem: "an engine cannot be read".to_owned() };
    Ok(RunEngine {
        name: text(0)?,
        command: serde_json::from_str(&text(1)?).map_err(damaged)?,
        options: serde_json::from_str(&text(2)?).map_err(damaged)?,
        limit: text(3)?,
        file_hash: row.get(4)?,
        bench: row.get::<_, Option<i64>>(5)?.map(i64::cast_unsigned),
    })
}
