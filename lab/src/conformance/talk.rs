//! A conversation with an engine, of which everything is written down.

use std::process::ExitStatus;
use std::time::{Duration, Instant};

use chess::{Move, Position};

use super::Candidate;
use crate::arena::{Host, Info, Process, Trouble, describe};

/// Longer lines are cut where they are written down.
const LONGEST: usize = 300;
/// More lines than this are not kept.
const MOST: usize = 400;

/// Why a promise was not kept, or was not tried.
pub(super) enum Failure {
    Broken(String),
    Skipped(String),
}

/// Says that a promise is broken.
pub(super) fn broken<T>(why: impl Into<String>) -> Result<T, Failure> {
    Err(Failure::Broken(why.into()))
}

/// Breaks a promise unless a condition holds.
pub(super) fn ensure(holds: bool, why: impl FnOnce() -> String) -> Result<(), Failure> {
    if holds { Ok(()) } else { Err(Failure::Broken(why())) }
}

/// What an engine answered to `go`.
pub(super) struct Search {
    /// The lines before the answer.
    pub(super) lines: Vec<String>,
    /// The move.
    pub(super) best: String,
    /// The move to ponder on.
    pub(super) ponder: Option<String>,
    /// How long it took.
    pub(super) time: Duration,
}

impl Search {
    /// The lines with a score and moves.
    pub(super) fn infos(&self) -> impl DoubleEndedIterator<Item = &str> {
        let is_full = |line: &&str| line.starts_with("info ") && line.contains(" score ") && line.contains(" pv ");
        self.lines.iter().map(String::as_str).filter(is_full)
    }

    /// The last of them about the best line.
    pub(super) fn last(&self) -> Option<Info<'_>> {
        self.infos().rev().find_map(Info::read)
    }
}

/// A running engine and what was said.
pub(super) struct Talk {
    process: Process,
    pub(super) exchange: Vec<String>,
    pub(super) patience: Duration,
    pub(super) slack: Duration,
    settings: Vec<(String, String)>,
    /// The options that it lists.
    pub(super) options: Vec<String>,
}

impl Talk {
    pub(super) fn start(candidate: &Candidate, host: &Host) -> std::io::Result<Talk> {
        let process = Process::start(&candidate.command, host.keeper.clone(), None)?;
        Ok(Talk {
            process,
            exchange: Vec::new(),
            patience: candidate.patience,
            slack: candidate.slack,
            settings: candidate.options.clone(),
            options: Vec::new(),
        })
    }

    fn note(&mut self, sign: char, text: &str) {
        let cut = text.char_indices().nth(LONGEST).map_or(text, |(end, _)| &text[..end]);
        let rest = if cut.len() < text.len() { " …" } else { "" };
        self.exchange.push(format!("{sign} {cut}{rest}"));
        // Of a long conversation the beginning and the end are kept
        if self.exchange.len() > MOST {
            self.exchange.remove(MOST / 2);
        }
    }

    /// Sends lines, a line end behind the last.
    pub(super) fn send(&mut self, text: &str) -> Result<(), Failure> {
        self.send_raw(&format!("{text}\n"))
    }

    /// Sends text as it is.
    pub(super) fn send_raw(&mut self, text: &str) -> Result<(), Failure> {
        let shown = text.replace('\r', "\\r").replace('\t', "\\t");
        shown.lines().for_each(|line| self.note('>', line));
        let deadline = Instant::now() + self.patience;
        self.process.send(text, deadline).map_err(|trouble| trouble_with("what was sent", trouble))
    }

    /// The next line as it came, if one comes within this time.
    pub(super) fn line(&mut self, within: Duration) -> Result<Option<String>, Failure> {
        let line = match self.process.raw_line(Instant::now() + within) {
            Ok(line) => line.trim_end_matches('\r').to_owned(),
            Err(Trouble::Late) => return Ok(None),
            Err(trouble) => return Err(trouble_with("a line", trouble)),
        };
        self.note('<', &line);
        Ok(Some(line))
    }

    /// All lines that come within this time.
    pub(super) fn listen(&mut self, time: Duration) -> Result<Vec<String>, Failure> {
        let (deadline, mut lines) = (Instant::now() + time, Vec::new());
        while let Some(line) = self.line(deadline.saturating_duration_since(Instant::now()))? {
            lines.push(line);
        }
        Ok(lines)
    }

    /// The lines up to one that is a word or begins with it; that one is the last.
    pub(super) fn until(&mut self, word: &str, within: Duration) -> Result<Vec<String>, Failure> {
        let (deadline, mut lines) = (Instant::now() + within, Vec::new());
        loop {
            let Some(line) = self.line(deadline.saturating_duration_since(Instant::now()))? else {
                return broken(format!("no {word} within {} ms", within.as_millis()));
            };
            let is_it = line.split_whitespace().next() == Some(word);
            lines.push(line);
            if is_it {
                return Ok(lines);
            }
        }
    }

    /// Says `uci`, remembers the options, sets those that are wanted, and waits until the engine is ready.
    pub(super) fn introduce(&mut self) -> Result<Vec<String>, Failure> {
        self.send("uci")?;
        let lines = self.until("uciok", self.patience)?;
        self.options = lines.iter().filter(|line| line.starts_with("option name ")).cloned().collect();
        for (name, value) in self.settings.clone() {
            self.send(&format!("setoption name {name} value {value}"))?;
        }
        self.ready()?;
        Ok(lines)
    }

    /// What is listed of an option behind its name; the promise is skipped without it.
    pub(super) fn needs(&self, name: &str) -> Result<String, Failure> {
        let listed = self.options.iter().filter_map(|line| line.strip_prefix("option name ")?.split_once(" type "));
        let found = listed.into_iter().find(|(listed, _)| listed.eq_ignore_ascii_case(name));
        found
            .map(|(_, rest)| rest.to_owned())
            .ok_or_else(|| Failure::Skipped(format!("the engine has no option {name}")))
    }

    /// Asks whether it is ready, and gives the lines before the answer.
    pub(super) fn ready(&mut self) -> Result<Vec<String>, Failure> {
        self.ready_within(self.patience)
    }

    pub(super) fn ready_within(&mut self, time: Duration) -> Result<Vec<String>, Failure> {
        self.send("isready")?;
        let mut lines = self.until("readyok", time)?;
        lines.pop();
        Ok(lines)
    }

    /// Sets a position, asks for a move, and waits for it.
    pub(super) fn search(&mut self, position: &str, go: &str) -> Result<Search, Failure> {
        self.send(position)?;
        let start = Instant::now();
        self.send(go)?;
        self.best_move(start, self.patience)
    }

    /// Waits for the answer to `go`.
    pub(super) fn best_move(&mut self, start: Instant, within: Duration) -> Result<Search, Failure> {
        let mut lines = self.until("bestmove", within)?;
        let time = start.elapsed();
        let answer = lines.pop().unwrap_or_default();
        let words: Vec<&str> = answer.split_whitespace().collect();
        let best = words.get(1).copied().unwrap_or_default().to_owned();
        let ponder = words.iter().position(|word| *word == "ponder").and_then(|at| words.get(at + 1));
        Ok(Search { lines, best, ponder: ponder.map(|word| (*word).to_owned()), time })
    }

    /// No answer to `go` within this time.
    pub(super) fn holds(&mut self, time: Duration) -> Result<Vec<String>, Failure> {
        let lines = self.listen(time)?;
        let is_early = lines.iter().any(|line| line.starts_with("bestmove"));
        ensure(!is_early, || "bestmove came before stop or ponderhit".to_owned())?;
        Ok(lines)
    }

    /// Tells it to stop and takes the answer; a second answer breaks the promise.
    pub(super) fn stop(&mut self) -> Result<Search, Failure> {
        self.stop_with("stop")
    }

    pub(super) fn stop_with(&mut self, lines: &str) -> Result<Search, Failure> {
        let start = Instant::now();
        self.send(lines)?;
        let search = self.best_move(start, Duration::from_secs(1) + self.slack)?;
        let more = self.ready()?;
        ensure(!more.iter().any(|line| line.starts_with("bestmove")), || "a second bestmove came".to_owned())?;
        Ok(search)
    }

    /// Closes the engine's input.
    pub(super) fn hang_up(&mut self) {
        self.note('>', "(end of input)");
        self.process.close_input();
    }

    /// How it ended, if it does in time.
    pub(super) fn ends_within(&mut self, time: Duration) -> Result<ExitStatus, Failure> {
        match self.process.exit_within(time) {
            Some(exit) => {
                self.note('<', &format!("(the engine has ended{})", describe(exit)));
                Ok(exit)
            }
            None => broken(format!("the engine still runs after {} ms", time.as_millis())),
        }
    }
}

fn trouble_with(what: &str, trouble: Trouble) -> Failure {
    Failure::Broken(match trouble {
        Trouble::Ended(exit) => format!("the engine has ended{}", exit.map_or(String::new(), describe)),
        Trouble::Late => format!("the engine does not take {what}"),
    })
}

/// A move that can be played, or a broken promise.
pub(super) fn legal(position: &Position, text: &str) -> Result<Move, Failure> {
    position.parse_uci(text).or_else(|error| broken(format!("bestmove {text}: {error}")))
}

/// A position of the list's own, which is right.
pub(super) fn board(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|_| Position::initial())
}

/// The initial position after some moves of the list's own, which are legal.
pub(super) fn after(moves: &[&str]) -> Position {
    let mut position = Position::initial();
    for text in moves {
        if let Ok(mv) = position.parse_uci(text) {
            position.play(mv);
        }
    }
    position
}
