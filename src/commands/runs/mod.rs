//! `marquetry runs`: what the store has, and what is wanted of runs that go on.

mod export;
mod list;
mod show;

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::{Args, Subcommand};
use lab::store::{Request, Run, RunId, Store, StoreError, TUNE};

use super::ablate::Ablate;
use super::contest::Resumable;
use super::ladder::Ladder;
use super::matches::Match;
use super::spsa::Spsa;
use super::store::StoreOption;
use crate::arguments::quoted;
use crate::output::{errln, outln};

/// The commands that make runs.
const KINDS: [&str; 5] = [Match::KIND, Ladder::KIND, Spsa::KIND, Ablate::KIND, TUNE];

/// List, show, export, pause, resume, stop and delete runs
#[derive(Subcommand)]
#[command(after_help = "Examples:
  marquetry runs list
  marquetry runs show 12
  marquetry runs export 12 --pgn games.pgn
  marquetry runs stop 12

Matches and other long work keep their games in one file, the run store, as they go; $MARQUETRY_STORE or --store names
another. A run that was stopped, interrupted or killed goes on with the command that `runs show` gives.")]
pub(crate) enum RunsCommand {
    /// List runs, the newest last
    #[command(after_help = "Examples:
  marquetry runs list
  marquetry runs list --kind match --last 5 --json")]
    List {
        #[command(flatten)]
        store: StoreOption,
        /// Runs of this command only
        #[arg(long, value_name = "KIND", value_parser = KINDS)]
        kind: Option<String>,
        /// The newest so many
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
        last: Option<u32>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Show all that is known of a run: command, engines, result, incidents, how to go on
    #[command(after_help = "Examples:
  marquetry runs show 12
  marquetry runs show 12 --json")]
    Show {
        #[command(flatten)]
        which: OneRun,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Write the games of a run, as PGN to stdout if nothing else is asked for
    #[command(after_help = "Examples:
  marquetry runs export 12 --pgn games.pgn
  marquetry runs export 12 --json > games.jsonl
  marquetry runs export 12 --epd > last-positions.epd

JSON has an object a line: place, names, opening, result, and of each move the move (UCI), score, depth and seconds.
EPD has the last position of each game, with the result (c9) and how the game ended (c0).")]
    Export {
        #[command(flatten)]
        which: OneRun,
        #[command(flatten)]
        form: export::Form,
    },
    /// Let a run wait until it is resumed
    #[command(after_help = "Example:
  marquetry runs pause 12")]
    Pause(OneRun),
    /// Let a paused run go on
    #[command(after_help = "Example:
  marquetry runs resume 12")]
    Resume(OneRun),
    /// End a run; its games stay, and it can go on later
    #[command(after_help = "Example:
  marquetry runs stop 12")]
    Stop(OneRun),
    /// Delete runs and their games
    #[command(after_help = "Example:
  marquetry runs delete 3 4 5")]
    Delete {
        #[command(flatten)]
        store: StoreOption,
        /// The runs' numbers
        #[arg(value_name = "RUN", required = true)]
        runs: Vec<RunId>,
    },
}

/// One run of a store.
#[derive(Args)]
pub(crate) struct OneRun {
    /// The run's number
    #[arg(value_name = "RUN")]
    run: RunId,
    #[command(flatten)]
    store: StoreOption,
}

impl RunsCommand {
    /// Does what was asked.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        match self {
            RunsCommand::List { store, kind, last, json } => {
                list::list(store, kind.as_deref(), last.map(|last| last as usize), *json)?;
            }
            RunsCommand::Show { which, json } => show::show(which, *json)?,
            RunsCommand::Export { which, form } => form.export(&which.store.open_existing()?, which.run)?,
            RunsCommand::Pause(which) => which.ask(Request::Pause, "is asked to pause")?,
            RunsCommand::Resume(which) => which.ask(Request::None, "is asked to go on")?,
            RunsCommand::Stop(which) => which.ask(Request::Stop, "is asked to stop")?,
            RunsCommand::Delete { store, runs } => return delete(&store.open_existing()?, runs),
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl OneRun {
    fn ask(&self, request: Request, sentence: &str) -> Result<()> {
        let store = self.store.open_existing()?;
        let run = store.run(self.run)?;
        match store.request(self.run, request) {
            Ok(()) => outln!("Run {} {sentence}.", self.run),
            Err(error @ StoreError::Deaf { .. }) => {
                let hint = resume_hint(&run, &self.store);
                bail!("{error}{}", hint.map_or_else(String::new, |hint| format!("; it goes on with: {hint}")));
            }
            Err(error @ StoreError::Restless { .. }) => {
                bail!("{error} with: {}", self.store.resume_command(&run.kind, run.id));
            }
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }
}

/// The command that goes on with a run, unless it goes on already or has nothing left to do.
fn resume_hint(run: &Run, store: &StoreOption) -> Option<String> {
    if run.is_alive || run.status() == "finished" {
        return None;
    }
    let command = store.resume_command(&run.kind, run.id);
    // Engines and books may be named from where it began
    let is_here = std::env::current_dir().is_ok_and(|here| here == Path::new(&run.directory));
    if is_here { Some(command) } else { Some(format!("cd {} && {command}", quoted(&[&run.directory]))) }
}

fn delete(store: &Store, runs: &[RunId]) -> Result<ExitCode> {
    let mut failed = false;
    for &run in runs {
        match store.delete(run) {
            Ok(()) => outln!("Run {run} is deleted."),
            Err(error) => {
                failed = true;
                errln!("error: {error}");
            }
        }
    }
    Ok(if failed { ExitCode::from(2) } else { ExitCode::SUCCESS })
}
