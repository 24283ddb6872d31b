//! `marquetry keeper`: ends engines whose runner is gone. Commands that start engines start it; nobody else needs it.

use std::process::ExitCode;

use clap::Args;

/// End engines whose runner is gone (started by commands that start engines)
///
/// Reads `+GROUP` and `-GROUP` lines; when they end, the process groups that are left are killed.
#[derive(Args)]
#[command(hide = true)]
pub(crate) struct Keeper {}

impl Keeper {
    /// Waits for the runner's end.
    pub(crate) fn run(&self) -> ExitCode {
        lab::arena::keep(std::io::stdin().lock());
        ExitCode::SUCCESS
    }
}
