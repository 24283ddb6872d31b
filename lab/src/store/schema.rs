//! The tables, and how a store of an older program becomes one of this.

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, MAIN_DB, Transaction, TransactionBehavior};

use super::error::{Failure, StoreError};

/// What marks a file as a run store: the letters MQRS.
const APPLICATION: i32 = 0x4d51_5253;
/// How long to wait for another process that writes.
const PATIENCE: Duration = Duration::from_secs(30);
/// Between two attempts to make the store.
const PAUSE: Duration = Duration::from_millis(10);

/// Each step makes the next format out of the one before; a step that was once released never changes.
const STEPS: [&str; 3] = [
    // Runs, their engines and games
    "CREATE TABLE runs (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        kind TEXT NOT NULL,
        command TEXT NOT NULL,            -- arguments, a JSON array
        directory TEXT NOT NULL,          -- where it was started
        seed TEXT NOT NULL,               -- decimal; 64 bits without a sign do not fit an INTEGER
        host TEXT NOT NULL,
        version TEXT NOT NULL,            -- of the program
        settings TEXT NOT NULL,           -- JSON
        created INTEGER NOT NULL,         -- this and all times: milliseconds since 1970
        updated INTEGER NOT NULL,
        state TEXT NOT NULL,              -- running, paused, stopped, finished, failed
        request TEXT NOT NULL DEFAULT 'none',  -- none, pause, stop
        owner_host TEXT,                  -- whose it is, or nobody's
        owner_pid INTEGER,
        owner_token TEXT,
        heartbeat INTEGER NOT NULL,
        games INTEGER NOT NULL DEFAULT 0, -- how many the table of games has
        progress TEXT NOT NULL DEFAULT 'null', -- JSON
        note TEXT NOT NULL DEFAULT ''     -- a sentence: what came out
     );
     CREATE TABLE engines (
        run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
        number INTEGER NOT NULL,          -- from 0
        name TEXT NOT NULL,
        command TEXT NOT NULL,            -- a JSON array
        options TEXT NOT NULL,            -- a JSON array of [name, value]
        time_limit TEXT NOT NULL,         -- 8+0.08, movetime 0.5, nodes 20000, depth 6
        file_hash TEXT,                   -- SHA-256 of the program
        PRIMARY KEY (run, number)
     ) WITHOUT ROWID;
     CREATE TABLE games (
        run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
        pair INTEGER NOT NULL,            -- from 0
        game INTEGER NOT NULL,            -- 0 or 1
        white INTEGER NOT NULL,           -- engines by number
        black INTEGER NOT NULL,
        result TEXT NOT NULL,             -- 1-0, 0-1, 1/2-1/2
        is_incident INTEGER NOT NULL,
        reason TEXT NOT NULL,
        finished INTEGER NOT NULL,
        opening TEXT NOT NULL,            -- FEN
        moves BLOB NOT NULL,
        PRIMARY KEY (run, pair, game),
        FOREIGN KEY (run, white) REFERENCES engines (run, number) ON DELETE CASCADE,
        FOREIGN KEY (run, black) REFERENCES engines (run, number) ON DELETE CASCADE
     );",
    // What `bench` says of a program, and of those that played
    "CREATE TABLE binaries (
        file_hash TEXT PRIMARY KEY,
        nodes INTEGER NOT NULL
     ) WITHOUT ROWID;
     ALTER TABLE engines ADD COLUMN bench INTEGER;",
    // What changes step by step: losses, parameters
    "CREATE TABLE curves (
        run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
        name TEXT NOT NULL,
        step INTEGER NOT NULL,
        value REAL NOT NULL,
        PRIMARY KEY (run, name, step)
     ) WITHOUT ROWID;",
];

/// The format of this program.
pub(super) const LATEST: u32 = STEPS.len() as u32;

/// Makes a connection ready: settings, and tables of the format that is asked for.
pub(super) fn prepare(connection: &Connection, path: &Path, format: u32) -> Result<(), Failure> {
    connection.busy_timeout(PATIENCE)?;
    let start = Instant::now();
    loop {
        match prepare_once(connection, path, format) {
            // Where several processes make a store, SQLite gives up at once on the change to a write-ahead log
            Err(Failure::Sqlite(error)) if is_busy(&error) && start.elapsed() < PATIENCE => std::thread::sleep(PAUSE),
            done => return done,
        }
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

fn prepare_once(connection: &Connection, path: &Path, format: u32) -> Result<(), Failure> {
    // Before anything is changed: is it ours, and is it known? Seen as it is at one instant
    let instant = Transaction::new_unchecked(connection, TransactionBehavior::Deferred)?;
    check(&instant, path)?;
    drop(instant);
    if connection.is_readonly(MAIN_DB)? {
        return Err(StoreError::ReadOnly(path.to_owned()).into());
    }
    // Room of deleted runs can be given back; must come before the first table
    connection.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
    let mode: String = connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))?;
    if mode != "wal" {
        let problem = "this place does not allow a write-ahead log; name another with --store FILE".to_owned();
        return Err(StoreError::Database { path: path.to_owned(), problem }.into());
    }
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // Kilobytes of memory, bytes of log
    connection.pragma_update(None, "cache_size", -512)?;
    connection.pragma_update(None, "journal_size_limit", 4 << 20)?;
    connection.set_prepared_statement_cache_capacity(32);
    migrate(connection, path, format)
}

fn version(connection: &Connection) -> rusqlite::Result<u32> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// Refuses databases of other programs and of newer ones. Gives the format.
fn check(connection: &Connection, path: &Path) -> Result<u32, Failure> {
    let found = version(connection)?;
    let application: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let tables: u32 = connection.query_row("SELECT count(*) FROM sqlite_schema", (), |row| row.get(0))?;
    let is_new = found == 0 && application == 0 && tables == 0;
    if !is_new && application != APPLICATION {
        return Err(StoreError::Foreign { path: path.to_owned(), what: "it is a database of another program" }.into());
    }
    if found > LATEST {
        return Err(StoreError::Newer { path: path.to_owned(), found, known: LATEST }.into());
    }
    Ok(found)
}

/// Takes the steps that are missing, each in a transaction of its own.
fn migrate(connection: &Connection, path: &Path, format: u32) -> Result<(), Failure> {
    while version(connection)? < format {
        let transaction = Transaction::new_unchecked(connection, TransactionBehavior::Immediate)?;
        // Another process may have taken this step while we waited
        let reached = check(&transaction, path)?;
        if let Some(step) = STEPS.get(reached as usize) {
            transaction.execute_batch(step)?;
            transaction.pragma_update(None, "application_id", APPLICATION)?;
            transaction.pragma_update(None, "user_version", reached + 1)?;
        }
        transaction.commit()?;
    }
    Ok(())
}
