//! The run store: one SQLite file that keeps every run, its engines and its games.
//!
//! Several processes share the file. It has a write-ahead log, so that a process can be killed at any instant and loses
//! at most the games in flight; writers wait for each other and readers for nobody. The tables:
//!
//! - `runs`: what was started, with which seed and settings, where it stands, whose it is, and a summary.
//! - `engines`: who took part, by number from 0.
//! - `games`: one row a game, by run, pair and game; the moves are bytes, described in `blob.rs`.
//! - `curves`: named numbers by step, such as the loss of a tuning by epoch.
//! - `binaries`: programs by their SHA-256, and the nodes of their `bench`.
//!
//! `schema.rs` has each column; `PRAGMA user_version` is the format's number, and older stores are brought up to date
//! when they are opened.
//!
//! A run belongs to the process that began or claimed it. Its [`Claim`] is needed to write, and the process says each
//! second that it lives ([`Store::beat`]) and hears what is wanted: to pause, to stop. A run whose process is gone can be
//! claimed by another; should the first one wake up, it hears that it lost the run and cannot write any more.

mod binaries;
mod blob;
mod curves;
mod error;
mod games;
mod owner;
mod run;
mod runs;
mod schema;

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};

pub use binaries::{hash_file, hash_text};
pub use curves::Curve;
use error::Failure;
pub use error::StoreError;
pub use games::{GameResult, StoredGame};
pub use run::{Claim, NewRun, Owner, Request, Run, RunEngine, RunId, State, TUNE};
pub use runs::Filter;

/// The environment variable that names the store.
const VARIABLE: &str = "MARQUETRY_STORE";

/// An open store. Each thread has its own, or they share one behind a lock.
pub struct Store {
    connection: Connection,
    path: PathBuf,
}

impl Store {
    /// Where the store is if nobody says otherwise: what `MARQUETRY_STORE` names, or a file in the user's data folder.
    pub fn default_path() -> Result<PathBuf, StoreError> {
        let named = std::env::var_os(VARIABLE).filter(|value| !value.is_empty()).map(PathBuf::from);
        let own = || dirs::data_dir().map(|folder| folder.join("marquetry").join("runs.db"));
        named.or_else(own).ok_or(StoreError::NoPlace)
    }

    /// Opens a store, and makes it and its folder if there is none.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            let failed = |error| StoreError::Folder { path: folder.to_owned(), error };
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        Store::connect(path, OpenFlags::SQLITE_OPEN_CREATE, schema::LATEST)
    }

    /// Opens a store that must be there.
    pub fn open_existing(path: &Path) -> Result<Store, StoreError> {
        if !path.exists() {
            return Err(StoreError::Missing(path.to_owned()));
        }
        if path.metadata().is_ok_and(|found| found.is_file() && found.len() == 0) {
            return Err(StoreError::Foreign { path: path.to_owned(), what: "it is empty" });
        }
        Store::connect(path, OpenFlags::empty(), schema::LATEST)
    }

    fn connect(path: &Path, flags: OpenFlags, format: u32) -> Result<Store, StoreError> {
        let flags = flags | OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).map_err(|error| Failure::from(error).at(path))?;
        schema::prepare(&connection, path, format).map_err(|failure| failure.at(path))?;
        Ok(Store { connection, path: path.to_owned() })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Looks through the whole file for damage.
    pub fn integrity_check(&self) -> Result<(), StoreError> {
        let (answer, strays) = self.read(|connection| {
            let answer: String = connection.query_row("PRAGMA integrity_check(1)", (), |row| row.get(0))?;
            let strays: i64 =
                connection.query_row("SELECT count(*) FROM pragma_foreign_key_check", (), |row| row.get(0))?;
            Ok((answer, strays))
        })?;
        let problem = match (answer.as_str(), strays) {
            ("ok", 0) => return Ok(()),
            ("ok", _) => format!("{strays} rows belong to nothing"),
            _ => answer,
        };
        Err(StoreError::Damaged { path: self.path.clone(), problem })
    }

    fn read<T>(&self, work: impl FnOnce(&Connection) -> Result<T, Failure>) -> Result<T, StoreError> {
        work(&self.connection).map_err(|failure| failure.at(&self.path))
    }

    /// Does something in one transaction, or nothing.
    fn write<T>(&self, work: impl FnOnce(&Transaction<'_>) -> Result<T, Failure>) -> Result<T, StoreError> {
        let begin = || -> Result<T, Failure> {
            let transaction = Transaction::new_unchecked(&self.connection, TransactionBehavior::Immediate)?;
            let done = work(&transaction)?;
            transaction.commit()?;
            Ok(done)
        };
        begin().map_err(|failure| failure.at(&self.path))
    }
}

#[cfg(test)]
mod tests;
