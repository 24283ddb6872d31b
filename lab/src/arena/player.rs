//! A UCI engine, driven from outside: a process that may be slow, silent, broken or gone.

use std::process::ExitStatus;
use std::sync::Arc;
use std::time::{Duration, Instant};

use thiserror::Error;

use super::info::{Info, Score};
use super::keeper::Keeper;
use super::log::Log;
use super::process::{Process, Trouble, describe, text};
use super::spec::EngineSpec;
use super::watch::Watch;

/// How long an engine may take to stop.
const STOPPING: Duration = Duration::from_secs(1);
/// More options than this are not remembered.
const MOST_OPTIONS: usize = 1000;
/// How often a silent search is asked whether it should stop.
const GLANCE: Duration = Duration::from_millis(50);
/// Glances further apart than this say that the runner itself stood still, as after Ctrl-Z.
const STANDSTILL: Duration = Duration::from_secs(1);

/// What engines are started with.
#[derive(Clone, Debug)]
pub struct Host {
    /// Ends engines when the runner is gone.
    pub keeper: Option<Arc<Keeper>>,
    /// Hears what is said.
    pub log: Option<Arc<Log>>,
    /// How long an engine may take to start or to be ready.
    pub patience: Duration,
    /// Compares the engines' watches with the runner's, in timed games.
    pub watch: Option<Arc<Watch>>,
}

impl Default for Host {
    fn default() -> Host {
        Host { keeper: None, log: None, patience: Duration::from_secs(10), watch: None }
    }
}

/// What went wrong with an engine.
#[derive(Debug, Error)]
pub enum PlayerError {
    /// The program does not start.
    #[error("{0} does not start: {1}")]
    Start(String, std::io::Error),
    /// The program has ended or closed its output.
    #[error("{name} has ended{}", exit.map_or(String::new(), describe))]
    Ended {
        /// Which engine.
        name: String,
        /// How it ended, if that is known.
        exit: Option<ExitStatus>,
    },
    /// No answer in time.
    #[error("{0} does not answer {1:?}")]
    Silent(String, &'static str),
    /// An option that the engine does not list.
    #[error("{name} has no option {option:?}{}", meant.as_ref().map_or(String::new(), |meant| format!("; did you mean {meant:?}?")))]
    NoOption {
        /// Which engine.
        name: String,
        /// What was to be set.
        option: String,
        /// The option that is spelled most like it, if one is.
        meant: Option<String>,
    },
    /// Our own engine, inside this program, cannot be set up or broke down.
    #[error("{0}: {1}")]
    Own(String, String),
}

/// What an engine answered.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Its move, as it wrote it.
    pub best_move: String,
    /// How long it took.
    pub time: Duration,
    /// The last score that it gave.
    pub score: Option<Score>,
    /// The last depth that it gave.
    pub depth: u32,
}

/// A running engine.
pub struct Player {
    name: String,
    process: Process,
    patience: Duration,
    watch: Option<Arc<Watch>>,
    /// Its options, as it lists them.
    options: Vec<String>,
}

/// What an engine said until its move.
#[derive(Default)]
struct Heard {
    best_move: String,
    time: Duration,
    /// Its last line about the search.
    info: Vec<u8>,
    /// When that came.
    arrived: Duration,
}

/// How an answer is waited for.
#[derive(Copy, Clone)]
pub struct Waiting<'a> {
    /// No longer than this.
    pub limit: Duration,
    /// Whether the moment of the answer counts.
    pub is_timed: bool,
    /// Asked now and then: whether to give up.
    pub is_stopped: &'a dyn Fn() -> bool,
}

impl Player {
    /// Starts an engine and sets it up.
    pub fn start(spec: &EngineSpec, host: &Host) -> Result<Player, PlayerError> {
        let log = host.log.clone().map(|log| (log, spec.name.clone()));
        let process = Process::start(&spec.command, host.keeper.clone(), log)
            .map_err(|error| PlayerError::Start(spec.name.clone(), error))?;
        let mut player = Player {
            name: spec.name.clone(),
            process,
            patience: host.patience,
            watch: host.watch.clone(),
            options: Vec::new(),
        };
        player.ask("uci\n", "uciok")?;
        // Ours has more options than it lists: the search's numbers
        if !spec.is_own {
            spec.options.iter().try_for_each(|(name, _)| player.check(name))?;
        }
        player.set(&spec.options)?;
        Ok(player)
    }

    /// Sets options, and waits until the engine is ready.
    pub(super) fn set(&mut self, options: &[(String, String)]) -> Result<(), PlayerError> {
        let lines: String =
            options.iter().map(|(name, value)| format!("setoption name {name} value {value}\n")).collect();
        self.ask(&format!("{lines}isready\n"), "readyok")
    }

    /// Tells the engine to forget, and waits for that.
    pub fn new_game(&mut self) -> Result<(), PlayerError> {
        self.ask("ucinewgame\nisready\n", "readyok")
    }

    /// Sends lines and waits for a word.
    fn ask(&mut self, text: &str, word: &'static str) -> Result<(), PlayerError> {
        let deadline = Instant::now() + self.patience;
        let name = &self.name;
        let failed = |trouble| trouble_of(name, trouble, word);
        self.process.send(text, deadline).map_err(failed)?;
        loop {
            let line = self.process.line(deadline).map_err(failed)?;
            if line == word {
                return Ok(());
            }
            if line.starts_with("option name ") && self.options.len() < MOST_OPTIONS {
                self.options.push(line.into_owned());
            }
        }
    }

    /// What an engine lists of an option after its name: `type spin default 1350 min 1350 max 2850`.
    pub fn option(&self, name: &str) -> Option<&str> {
        let is_wanted = |(listed, _): &(&str, &str)| listed.eq_ignore_ascii_case(name);
        self.listed().find(is_wanted).map(|(_, rest)| rest)
    }

    fn listed(&self) -> impl Iterator<Item = (&str, &str)> {
        self.options.iter().filter_map(|line| line.strip_prefix("option name ")?.split_once(" type "))
    }

    fn check(&self, option: &str) -> Result<(), PlayerError> {
        if self.option(option).is_some() {
            return Ok(());
        }
        let distance = |listed: &str| strsim::damerau_levenshtein(&listed.to_lowercase(), &option.to_lowercase());
        let closest = self.listed().map(|(listed, _)| (distance(listed), listed)).min();
        let meant = closest.filter(|(distance, _)| *distance <= 3).map(|(_, listed)| listed.to_owned());
        Err(PlayerError::NoOption { name: self.name.clone(), option: option.to_owned(), meant })
    }

    /// Asks for a move. None if it was given up.
    pub fn think(&mut self, position: &str, go: &str, waiting: Waiting) -> Result<Option<Answer>, PlayerError> {
        let start = self.go(position, go, waiting.limit)?;
        let Some(heard) = self.listen(start, waiting)? else { return Ok(None) };
        // Only the last line counts, so only that one is read
        let line = text(&heard.info);
        let info = Info::read(&line).unwrap_or_default();
        // Where no moment counts, lines wait for each other and say nothing about the watch
        if let (true, Some(watch), Some(written)) = (waiting.is_timed, &self.watch, info.time) {
            watch.note(&self.name, heard.arrived, Duration::from_millis(written));
        }
        let (score, depth) = (info.score, info.depth.unwrap_or(0));
        Ok(Some(Answer { best_move: heard.best_move, time: heard.time, score, depth }))
    }

    /// Waits for a move. None if it was given up.
    fn listen(&mut self, mut start: Instant, waiting: Waiting) -> Result<Option<Heard>, PlayerError> {
        let name = &self.name;
        let failed = |trouble| trouble_of(name, trouble, "go");
        let (mut asked, mut glanced) = (start, start);
        let mut heard = Heard::default();
        loop {
            // Time in which nobody looked is not the engine's
            let now = Instant::now();
            if now - glanced >= STANDSTILL {
                start += now - glanced;
            }
            glanced = now;
            let deadline = start + waiting.limit;
            if now >= deadline {
                return Err(failed(Trouble::Late));
            }
            let (told, best) = at_best_move(self.process.lines_at_hand());
            if let Some(line) = Info::last_with_score(told) {
                line.clone_into(&mut heard.info);
                heard.arrived = now - start;
            }
            if let Some(best) = best {
                text(best).split_whitespace().next().unwrap_or_default().clone_into(&mut heard.best_move);
                heard.time = now - start;
                return Ok(Some(heard));
            }
            // Whether it is silent or talks
            if now - asked >= GLANCE {
                asked = now;
                if (waiting.is_stopped)() {
                    return Ok(None);
                }
            }
            match self.process.read(deadline.min(now + GLANCE)) {
                Ok(()) | Err(Trouble::Late) => (),
                Err(ended) => return Err(failed(ended)),
            }
        }
    }

    /// Asks for a move and shows each `info` line with the time since the question. Asked to stop, it takes the move that
    /// the engine has by then.
    pub fn follow(
        &mut self,
        position: &str,
        go: &str,
        limit: Duration,
        show: &mut dyn FnMut(&Info, Duration),
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<(String, Duration), PlayerError> {
        let start = self.go(position, go, limit)?;
        let (mut deadline, mut was_stopped) = (start + limit, false);
        loop {
            if !was_stopped && is_stopped() {
                was_stopped = true;
                deadline = deadline.min(Instant::now() + STOPPING);
                self.process.send("stop\n", deadline).map_err(|trouble| trouble_of(&self.name, trouble, "stop"))?;
            }
            let Some(line) = self.line_before(deadline)? else { continue };
            let time = start.elapsed();
            if let Some(best) = line.strip_prefix("bestmove") {
                return Ok((best.split_whitespace().next().unwrap_or_default().to_owned(), time));
            }
            if let Some(info) = Info::read(&line) {
                show(&info, time);
            }
        }
    }

    /// Sends a question and says when.
    fn go(&mut self, position: &str, go: &str, limit: Duration) -> Result<Instant, PlayerError> {
        self.process.discard();
        let start = Instant::now();
        let sent = self.process.send(&format!("{position}\n{go}\n"), start + limit);
        sent.map_err(|trouble| trouble_of(&self.name, trouble, "go"))?;
        Ok(start)
    }

    /// The next line; none if there is none for a moment.
    fn line_before(&mut self, deadline: Instant) -> Result<Option<std::borrow::Cow<'_, str>>, PlayerError> {
        let glance = Instant::now() + GLANCE;
        match self.process.line(deadline.min(glance)) {
            Err(Trouble::Late) if glance < deadline => Ok(None),
            other => other.map(Some).map_err(|trouble| trouble_of(&self.name, trouble, "go")),
        }
    }
}

/// The lines before the first one with a move, and the rest of that one, if there is one.
fn at_best_move(lines: &[u8]) -> (&[u8], Option<&[u8]>) {
    const WORD: &[u8] = b"bestmove";
    let is_first = |place: &usize| *place == 0 || lines[place - 1] == b'\n';
    let Some(place) = memchr::memmem::find_iter(lines, WORD).find(is_first) else { return (lines, None) };
    let rest = &lines[place + WORD.len()..];
    let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
    (&lines[..place], Some(&rest[..end]))
}

fn trouble_of(name: &str, trouble: Trouble, word: &'static str) -> PlayerError {
    match trouble {
        Trouble::Ended(exit) => PlayerError::Ended { name: name.to_owned(), exit },
        Trouble::Late => PlayerError::Silent(name.to_owned(), word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_move_counts() {
        let nothing: (&[u8], Option<&[u8]>) = (b"info string bestmove e2e4", None);
        assert_eq!(at_best_move(nothing.0), nothing);
        assert_eq!(at_best_move(b""), (&b""[..], None));
        assert_eq!(at_best_move(b"bestmove"), (&b""[..], Some(&b""[..])));
        let lines = b"info depth 1\nbestmove e2e4 ponder e7e5\nbestmove d2d4";
        assert_eq!(at_best_move(lines), (&b"info depth 1\n"[..], Some(&b" e2e4 ponder e7e5"[..])));
    }
}
