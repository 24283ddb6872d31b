//! Why the store refuses or fails, each a sentence that says what to do.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;
use thiserror::Error;

use super::run::{Owner, RunId};
use crate::arena::Place;

/// Why the store refuses or fails.
#[derive(Debug, Error)]
pub enum StoreError {
    /// Nobody says where the store is.
    #[error("no data directory is known here: name the run store with --store FILE or MARQUETRY_STORE")]
    NoPlace,
    /// There is no file.
    #[error("there is no run store at {}: the first run makes one, or name another with --store FILE", .0.display())]
    Missing(PathBuf),
    /// The file's folder cannot be made.
    #[error("{} cannot be made for the run store: {error}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// The file is something else.
    #[error("{} is not a run store: {what}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What it is instead.
        what: &'static str,
    },
    /// A newer program has written it.
    #[error("{} was written by a newer marquetry (format {found}, this one knows {known}): use that program or name another --store FILE", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// The newest that is known.
        known: u32,
    },
    /// The file or its folder is read-only, or it is no file.
    #[error("{} cannot be opened for writing: the run store must be a file, and it and its folder writable", .0.display())]
    ReadOnly(PathBuf),
    /// The disk is full.
    #[error("{} cannot grow: the disk is full", .0.display())]
    Full(PathBuf),
    /// Another process does not let go.
    #[error("{} is locked by another process for too long: try again when that is done", .0.display())]
    Locked(PathBuf),
    /// The file is damaged.
    #[error("{} is damaged ({problem}): move it away; `sqlite3 FILE .recover` may save what is left", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What SQLite found.
        problem: String,
    },
    /// Something else that SQLite says.
    #[error("the run store {} fails: {problem}", path.display())]
    Database {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        problem: String,
    },
    /// There is no such run.
    #[error("there is no run {0}: `marquetry runs list` names them")]
    NoRun(RunId),
    /// The run belongs to a process that lives.
    #[error("run {run} is being worked on by {owner}: `marquetry runs stop {run}` ends that")]
    Owned {
        /// The run.
        run: RunId,
        /// Whose it is.
        owner: Owner,
    },
    /// The run is no longer this process's.
    #[error("run {run} is no longer this process's: {}", match owner { Some(owner) => format!("{owner} has taken it over"), None => "it was given up or deleted".to_owned() })]
    Lost {
        /// The run.
        run: RunId,
        /// Whose it is now.
        owner: Option<Owner>,
    },
    /// Nobody is there to hear a request.
    #[error("run {run} is {status}, so nobody hears the request")]
    Deaf {
        /// The run.
        run: RunId,
        /// What it is.
        status: &'static str,
    },
    /// Such a run does not pause.
    #[error("run {run} is a tuning, which does not pause; stop it, and go on later")]
    Restless {
        /// The run.
        run: RunId,
    },
    /// A game is there already.
    #[error("game {place} of run {run} is in the store already")]
    Twice {
        /// The run.
        run: RunId,
        /// The game.
        place: Place,
    },
    /// A game names an engine that the run does not have.
    #[error("game {place} of run {run} names an engine that the run does not have")]
    NoEngine {
        /// The run.
        run: RunId,
        /// The game.
        place: Place,
    },
    /// A limit that the arena cannot read.
    #[error("the limit {limit:?} of {engine} is not understood; it is 8+0.08, movetime 0.5, nodes 20000 or depth 6")]
    Limit {
        /// The engine's name.
        engine: String,
        /// What stands there.
        limit: String,
    },
    /// What is kept of a run cannot be understood.
    #[error("run {run} is damaged in the store: {problem}")]
    DamagedRun {
        /// The run.
        run: RunId,
        /// What is wrong.
        problem: String,
    },
    /// What is kept of a game cannot be understood.
    #[error("game {place} of run {run} is damaged in the store: {problem}")]
    DamagedGame {
        /// The run.
        run: RunId,
        /// The game.
        place: Place,
        /// What is wrong.
        problem: String,
    },
}

/// What goes wrong within the store, where SQLite's errors do not yet know the file.
pub(super) enum Failure {
    Store(StoreError),
    Sqlite(rusqlite::Error),
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        Failure::Store(error)
    }
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Failure {
        Failure::Sqlite(error)
    }
}

impl Failure {
    /// The error as a user reads it.
    pub(super) fn at(self, path: &Path) -> StoreError {
        let error = match self {
            Failure::Store(error) => return error,
            Failure::Sqlite(error) => error,
        };
        let path = path.to_owned();
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => StoreError::Foreign { path, what: "it is no SQLite database" },
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => {
                StoreError::ReadOnly(path)
            }
            Some(ErrorCode::DiskFull) => StoreError::Full(path),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Locked(path),
            Some(ErrorCode::DatabaseCorrupt) => StoreError::Damaged { path, problem: error.to_string() },
            _ => StoreError::Database { path, problem: error.to_string() },
        }
    }
}
