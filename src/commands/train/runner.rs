//! Runs the steps: this program's own commands, one after the other, in the directory of the training.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use lab::arena::{Keeper, run_errand};
use lab::store::{Filter, Run, Store, hash_file};
use serde_json::Value;

use super::steps::{Generation, Means, Step, weights_of};
use crate::commands::engines::own_command;
use crate::interrupt;

/// So long what a killed training left behind may take to end.
const PATIENCE: Duration = Duration::from_secs(10);
const BREATH: Duration = Duration::from_millis(50);

/// Who does the steps.
pub(super) struct Runner {
    root: PathBuf,
    program: PathBuf,
    /// SHA-256 of this program.
    pub(super) program_hash: String,
    keeper: Keeper,
    /// Held by this process and by the command that runs, so that two never work in one directory.
    lock: File,
    means: Means,
}

impl Runner {
    /// Takes the directory.
    pub(super) fn new(root: &Path, means: Means) -> Result<Runner> {
        let program = std::env::current_exe().context("this program cannot be found")?;
        let program_hash = hash_file(&program).context("this program cannot be read")?;
        let keeper = Keeper::start(&own_command("keeper")?).context("no process can be started")?;
        let lock = lock(root)?;
        Ok(Runner { root: root.to_owned(), program, program_hash, keeper, lock, means })
    }

    /// Does a step, or what is left of it, and gives what it says; none if Ctrl-C came before it was done.
    pub(super) fn run(&self, generation: &Generation, step: Step) -> Result<Option<Value>> {
        let words = self.words(generation, step)?;
        let mut command = Command::new(&self.program);
        // The lock lives as long as anybody has it open
        let held = self.lock.try_clone().context("the lock cannot be shared")?;
        command.args(&words).current_dir(&self.root).stdin(Stdio::from(held));
        let (status, output) = run_errand(&mut command, &self.keeper, &interrupt::came)
            .with_context(|| format!("marquetry {} cannot be started", step.name()))?;
        if interrupt::came() {
            return Ok(None);
        }
        // Asked to stop by others: through the store
        if status.code() == Some(1) {
            bail!("the step {} was stopped; --resume goes on with it", step.name());
        }
        if !status.success() {
            bail!("marquetry {} failed, as it says above ({status}); --resume goes on from there", words.join(" "));
        }
        let report =
            serde_json::from_slice(&output).with_context(|| format!("marquetry {} gave no result", step.name()))?;
        Ok(Some(report))
    }

    /// The command that begins a step, or that goes on with it.
    fn words(&self, generation: &Generation, step: Step) -> Result<Vec<String>> {
        let words = generation.words(step)?;
        let is_there = |file: &str| self.root.join(file).exists();
        let resume = |run: &str| vec![words[0].clone(), "--resume".to_owned(), run.to_owned()];
        Ok(match step {
            Step::Datagen if is_there(&generation.games()) => {
                let positions = generation.settings.positions.to_string();
                let mut again = [resume(&generation.games()), vec!["--positions".to_owned(), positions]].concat();
                // Not in the file, which only knows how many tables there were
                if let Some(place) = words.iter().position(|word| word == "--tablebases" || word == "--syzygy") {
                    again.extend(words[place..].iter().take(2).cloned());
                }
                self.means.added_to(again, step)
            }
            Step::Datagen | Step::Filter => self.means.added_to(words, step),
            Step::Tune => {
                let checkpoint = format!("{}.checkpoint", weights_of(generation.number));
                let run = if is_there(&checkpoint) { self.unfinished(&words, false)? } else { None };
                let words = run.map_or_else(|| words.clone(), |run| resume(&run.id.to_string()));
                self.means.added_to(words, step)
            }
            // How many games at once is known of a match that is gone on with
            Step::Match => match self.unfinished(&words, true)? {
                Some(run) => self.means.with_store(resume(&run.id.to_string()), step),
                None => self.means.added_to(words, step),
            },
        })
    }

    /// The newest run that this command began here, by this very program if that matters.
    fn unfinished(&self, words: &[String], needs_program: bool) -> Result<Option<Run>> {
        let path = match &self.means.store {
            Some(path) => PathBuf::from(path),
            None => Store::default_path()?,
        };
        if !path.exists() {
            return Ok(None);
        }
        let runs = Store::open_existing(&path)?.runs(Filter { kind: Some(&words[0]), last: None })?;
        let here = self.root.to_string_lossy();
        let is_ours = |run: &Run| {
            let is_same = |hash: &Option<String>| hash.as_ref() == Some(&self.program_hash);
            run.command.starts_with(words)
                && run.directory == here
                && (!needs_program || run.engines.iter().all(|engine| is_same(&engine.file_hash)))
        };
        Ok(runs.into_iter().rev().find(is_ours))
    }
}

/// Takes the directory for this process, and waits a little for what a kill left behind.
fn lock(root: &Path) -> Result<File> {
    let path = root.join("lock");
    let file = File::create(&path).with_context(|| format!("{} cannot be written", path.display()))?;
    let start = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if start.elapsed() < PATIENCE => std::thread::sleep(BREATH),
            Err(TryLockError::WouldBlock) => bail!("{} is being trained in by another process", root.display()),
            Err(TryLockError::Error(error)) => {
                return Err(error).with_context(|| format!("{} cannot be locked", path.display()));
            }
        }
    }
}
