//! `marquetry uci`, and `marquetry` alone: the conversation that graphical programs have with engines.

use std::io::IsTerminal;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};

use anyhow::{Context, Result};
use clap::Args;
use engine::uci::Session;

/// Speak UCI on stdin and stdout, as graphical programs expect (also without any command)
#[derive(Args, Default)]
#[command(after_help = "Example:
  printf 'position startpos\\ngo depth 10\\n' | marquetry uci")]
pub(crate) struct Uci {}

impl Uci {
    /// Talks until `quit` or the end of input.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let stdin = std::io::stdin();
        if stdin.is_terminal() {
            eprintln!("Marquetry speaks UCI here; type quit to leave, or try marquetry --help.");
        }
        let session =
            Session::new(Arc::new(Mutex::new(std::io::stdout()))).context("there is no memory to start with")?;
        session.run(stdin.lock());
        Ok(ExitCode::SUCCESS)
    }
}
