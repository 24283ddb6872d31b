//! `marquetry uci`, and `marquetry` alone: the conversation that graphical programs have with engines. Arguments that are
//! lines of UCI, such as `marquetry "go depth 9"`, are a conversation too.

use std::io::IsTerminal;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};

use anyhow::{Context, Result};
use clap::Args;
use engine::uci::Session;

use crate::output::{UNWRITTEN, errln};

/// Speak UCI on stdin and stdout, as graphical programs expect (also without any command)
#[derive(Args, Default)]
#[command(after_help = "Example:
  marquetry \"position startpos\" \"go depth 10\"")]
pub(crate) struct Uci {
    /// List the search's numbers among the options (see marquetry tunables)
    #[arg(long)]
    tunables: bool,
}

/// Commands of UCI that are no commands of this program.
const WORDS: [&str; 9] = ["position", "go", "setoption", "isready", "ucinewgame", "d", "flip", "genfens", "quit"];

/// Commands that more words belong to.
const OPEN: [&str; 4] = ["position", "go", "setoption", "genfens"];
/// Commands that are heard while a search runs.
const URGENT: [&str; 2] = ["stop", "ponderhit"];

/// Whether arguments are lines of UCI rather than a command of this program.
pub(crate) fn are_lines(arguments: &[String]) -> bool {
    arguments.first().is_some_and(|first| first.contains(char::is_whitespace) || WORDS.contains(&first.as_str()))
}

/// Handles arguments as lines of UCI, and waits for the searches that they start.
pub(crate) fn run_lines(arguments: &[String]) -> Result<ExitCode> {
    let mut session = new_session()?;
    for line in lines(arguments) {
        if !URGENT.contains(&line.trim()) {
            session.wait();
        }
        if !session.handle(&line) {
            break;
        }
    }
    session.wait();
    let code = if session.met_unknown() { ExitCode::from(2) } else { ExitCode::SUCCESS };
    session.close().context(UNWRITTEN)?;
    Ok(code)
}

/// An argument is a line, but what follows a bare `go` or the like belongs to it up to the next command.
fn lines(arguments: &[String]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut is_open = false;
    for argument in arguments {
        let first = argument.split_whitespace().next().unwrap_or_default();
        match lines.last_mut().filter(|_| is_open && !WORDS.contains(&first) && !URGENT.contains(&first)) {
            Some(line) => *line = format!("{line} {argument}"),
            None => {
                is_open = OPEN.contains(&argument.as_str());
                lines.push(argument.clone());
            }
        }
    }
    lines
}

fn new_session() -> Result<Session> {
    Session::new(Arc::new(Mutex::new(std::io::stdout()))).context("there is no memory to start with")
}

impl Uci {
    /// Talks until `quit` or the end of input.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let stdin = std::io::stdin();
        if stdin.is_terminal() {
            errln!("Marquetry speaks UCI here; type quit to leave, or try marquetry --help.");
        }
        let session = new_session()?;
        let session = if self.tunables { session.with_tunables() } else { session };
        session.run(stdin.lock()).context(UNWRITTEN)?;
        Ok(ExitCode::SUCCESS)
    }
}
