//! Runs: beginning, owning, asking, ending.

use rusqlite::{Connection, OptionalExtension, ToSql, Transaction};
use serde_json::{Value, json};

use super::Store;
use super::error::{Failure, StoreError};
use super::owner;
use super::run::{COLUMNS, Claim, NewRun, Owner, Request, Run, RunEngine, RunId, State, read, read_engine, read_owner};

/// Which runs to list; by default all.
#[derive(Copy, Clone, Debug, Default)]
pub struct Filter<'a> {
    /// Of this kind only.
    pub kind: Option<&'a str>,
    /// The newest so many only.
    pub last: Option<usize>,
}

impl Store {
    /// Begins a run, which is then this process's.
    pub fn begin(&self, new: &NewRun<'_>) -> Result<Claim, StoreError> {
        for engine in new.engines {
            engine.thinking()?;
        }
        let directory = std::env::current_dir().unwrap_or_default();
        let now = owner::now();
        self.write(|transaction| {
            transaction.execute(
                "INSERT INTO runs (kind, command, directory, seed, host, version, settings, created, updated, state, heartbeat)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, ?9, ?8)",
                (
                    new.kind,
                    json!(new.command).to_string(),
                    directory.to_string_lossy(),
                    new.seed.to_string(),
                    owner::host(),
                    env!("CARGO_PKG_VERSION"),
                    new.settings.to_string(),
                    now,
                    State::Running.name(),
                ),
            )?;
            let run = RunId(transaction.last_insert_rowid());
            for (number, engine) in (0_i64..).zip(new.engines) {
                let RunEngine { name, command, options, limit, file_hash, bench } = engine;
                transaction.execute(
                    "INSERT INTO engines (run, number, name, command, options, time_limit, file_hash, bench)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                    (
                        run.0,
                        number,
                        name,
                        json!(command).to_string(),
                        json!(options).to_string(),
                        limit,
                        file_hash,
                        bench.map(u64::cast_signed),
                    ),
                )?;
            }
            take(transaction, run)
        })
    }

    /// Takes over a run to go on with it, unless its owner lives.
    pub fn claim(&self, run: RunId) -> Result<Claim, StoreError> {
        self.write(|transaction| {
            refuse_if_alive(transaction, run)?;
            take(transaction, run)
        })
    }

    /// Says that this process lives, and hears what is wanted of the run. To be called each second.
    pub fn beat(&self, claim: &Claim) -> Result<Request, StoreError> {
        self.update(claim, "", &[])
    }

    /// Notes that the run is paused or running again; its process stays.
    pub fn set_state(&self, claim: &Claim, state: State) -> Result<(), StoreError> {
        self.update(claim, ", updated = ?3, state = ?4", &[&state.name()]).map(drop)
    }

    /// Keeps a summary of how the run goes. A text under `sentence` is shown in lists.
    pub fn save_progress(&self, claim: &Claim, progress: &Value) -> Result<(), StoreError> {
        self.update(claim, ", updated = ?3, progress = ?4", &[&progress.to_string()]).map(drop)
    }

    /// Ends the work on a run and gives it up: it came to its end, was stopped or failed, and in a sentence what came out.
    pub fn finish(&self, claim: &Claim, state: State, sentence: &str) -> Result<(), StoreError> {
        let changes = ", updated = ?3, state = ?4, note = ?5, request = 'none', \
             owner_host = NULL, owner_pid = NULL, owner_token = NULL";
        self.update(claim, changes, &[&state.name(), &sentence]).map(drop)
    }

    /// Lists runs, the oldest first.
    pub fn runs(&self, filter: Filter<'_>) -> Result<Vec<Run>, StoreError> {
        let last = filter.last.map_or(-1, |last| i64::try_from(last).unwrap_or(i64::MAX));
        self.read(|connection| {
            let query = format!("SELECT {COLUMNS} FROM runs WHERE ?1 IS NULL OR kind = ?1 ORDER BY id DESC LIMIT ?2");
            let mut statement = connection.prepare_cached(&query)?;
            let mut rows = statement.query((filter.kind, last))?;
            let mut runs = Vec::new();
            while let Some(row) = rows.next()? {
                runs.push(with_engines(connection, read(row, owner::now())?)?);
            }
            runs.reverse();
            Ok(runs)
        })
    }

    /// What is known of a run.
    pub fn run(&self, run: RunId) -> Result<Run, StoreError> {
        self.read(|connection| find(connection, run))
    }

    /// Asks the process of a run for something; refuses if there is none to hear it, or if such a run never does it.
    pub fn request(&self, run: RunId, request: Request) -> Result<(), StoreError> {
        self.write(|transaction| {
            let found = find(transaction, run)?;
            if !found.is_alive {
                return Err(StoreError::Deaf { run, status: found.status() }.into());
            }
            if request == Request::Pause && !found.can_pause() {
                return Err(StoreError::Restless { run }.into());
            }
            transaction.execute("UPDATE runs SET request = ?1 WHERE id = ?2", (request.name(), run.0))?;
            Ok(())
        })
    }

    /// Deletes a run with its games and curves, unless its process lives. Their room in the file is given back.
    pub fn delete(&self, run: RunId) -> Result<(), StoreError> {
        self.write(|transaction| {
            refuse_if_alive(transaction, run)?;
            for table in ["curves WHERE run", "games WHERE run", "engines WHERE run", "runs WHERE id"] {
                transaction.execute(&format!("DELETE FROM {table} = ?1"), (run.0,))?;
            }
            Ok(())
        })?;
        self.read(|connection| {
            // Each step frees a page
            let mut vacuum = connection.prepare("PRAGMA incremental_vacuum")?;
            let mut steps = vacuum.query(())?;
            while steps.next()?.is_some() {}
            Ok(())
        })
    }

    /// Why a run is not, or no longer, a process's.
    pub(super) fn lost(connection: &Connection, run: RunId) -> Result<Failure, Failure> {
        let owner = owner_of(connection, run)?.flatten();
        Ok(StoreError::Lost { run, owner }.into())
    }

    /// Says that this process lives and changes more of its run: `?3` is the time, `values` begin with `?4`. Gives what is
    /// wanted of the run, or says whose it is now.
    fn update(&self, claim: &Claim, changes: &str, values: &[&dyn ToSql]) -> Result<Request, StoreError> {
        let now = owner::now();
        let own: [&dyn ToSql; 3] = [&claim.run.0, &claim.token, &now];
        let values = [&own, values].concat();
        let query =
            format!("UPDATE runs SET heartbeat = ?3{changes} WHERE id = ?1 AND owner_token = ?2 RETURNING request");
        self.write(|transaction| {
            let mut statement = transaction.prepare_cached(&query)?;
            let request: Option<String> = statement.query_row(values.as_slice(), |row| row.get(0)).optional()?;
            let Some(name) = request else { return Err(Store::lost(transaction, claim.run)?) };
            let damaged = || StoreError::DamagedRun { run: claim.run, problem: format!("a request is {name:?}") };
            Ok(Request::read(&name).ok_or_else(damaged)?)
        })
    }
}

/// Makes a run this process's.
fn take(transaction: &Transaction<'_>, run: RunId) -> Result<Claim, Failure> {
    let token = format!("{:016x}", fastrand::u64(..));
    transaction.execute(
        "UPDATE runs SET owner_host = ?1, owner_pid = ?2, owner_token = ?3, heartbeat = ?4, updated = ?4,
             state = ?5, request = 'none', note = ''
         WHERE id = ?6",
        (owner::host(), std::process::id(), &token, owner::now(), State::Running.name(), run.0),
    )?;
    Ok(Claim { run, token })
}

fn refuse_if_alive(connection: &Connection, run: RunId) -> Result<(), Failure> {
    let owner = owner_of(connection, run)?.ok_or(StoreError::NoRun(run))?;
    match owner.filter(|owner| owner::is_alive(owner, owner::now())) {
        Some(owner) => Err(StoreError::Owned { run, owner }.into()),
        None => Ok(()),
    }
}

/// The owner of a run, if there is such a run, and if it has one.
fn owner_of(connection: &Connection, run: RunId) -> Result<Option<Option<Owner>>, Failure> {
    let mut statement = connection.prepare_cached("SELECT owner_host, owner_pid, heartbeat FROM runs WHERE id = ?1")?;
    Ok(statement.query_row((run.0,), |row| read_owner(row, 0)).optional()?)
}

fn find(connection: &Connection, run: RunId) -> Result<Run, Failure> {
    let mut statement = connection.prepare_cached(&format!("SELECT {COLUMNS} FROM runs WHERE id = ?1"))?;
    let mut rows = statement.query((run.0,))?;
    let row = rows.next()?.ok_or(StoreError::NoRun(run))?;
    with_engines(connection, read(row, owner::now())?)
}

fn with_engines(connection: &Connection, mut run: Run) -> Result<Run, Failure> {
    let mut statement = connection.prepare_cached(
        "SELECT name, command, options, time_limit, file_hash, bench FROM engines WHERE run = ?1 ORDER BY number",
    )?;
    let mut rows = statement.query((run.id.0,))?;
    while let Some(row) = rows.next()? {
        run.engines.push(read_engine(run.id, row)?);
    }
    Ok(run)
}
