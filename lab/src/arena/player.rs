//! One engine: a process that speaks UCI, started, set up and asked for moves. It is not trusted.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use thiserror::Error;

/// How long an engine may take to start or to be ready.
const PATIENCE: Duration = Duration::from_secs(10);

/// How an engine is started and called.
#[derive(Clone, Debug)]
pub struct EngineSpec {
    /// Its name in tables and files.
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// UCI options to set.
    pub options: Vec<(String, String)>,
    /// How it may think.
    pub thinking: Thinking,
}

/// What an engine may spend on its moves.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum Thinking {
    /// A clock and what each move adds to it.
    Clock {
        /// At the start.
        time: Duration,
        /// For each move.
        increment: Duration,
    },
    /// The same time for each move.
    MoveTime(Duration),
    /// Nodes for each move.
    Nodes(u64),
    /// Plies for each move.
    Depth(u32),
}

/// What went wrong with an engine.
#[derive(Debug, Error)]
pub enum PlayerError {
    /// The program does not start.
    #[error("{0} does not start: {1}")]
    Start(String, std::io::Error),
    /// The program has ended or closed its output.
    #[error("{0} has ended")]
    Ended(String),
    /// No answer in time.
    #[error("{0} does not answer {1:?}")]
    Silent(String, &'static str),
}

/// What an engine answered.
pub(super) struct Answer {
    pub(super) best_move: String,
    pub(super) time: Duration,
    /// The last score that it gave, in centipawns or as a mate, and the depth.
    pub(super) score: Option<Score>,
    pub(super) depth: u32,
}

/// A score in an engine's own view.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(super) enum Score {
    Centipawns(i32),
    Mate(i32),
}

/// A running engine.
pub(super) struct Player {
    name: String,
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Player {
    /// Starts an engine and sets it up.
    pub(super) fn start(spec: &EngineSpec) -> Result<Player, PlayerError> {
        let failed = |error| PlayerError::Start(spec.name.clone(), error);
        let (program, arguments) =
            spec.command.split_first().ok_or_else(|| failed(std::io::ErrorKind::NotFound.into()))?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(failed)?;
        let ended = || PlayerError::Ended(spec.name.clone());
        let input = child.stdin.take().ok_or_else(ended)?;
        let output = child.stdout.take().ok_or_else(ended)?;
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
                if sender.send(String::from_utf8_lossy(&line).trim_end().to_owned()).is_err() {
                    break;
                }
            }
        });
        let mut player = Player { name: spec.name.clone(), child, input, lines };
        player.send("uci")?;
        player.wait_for("uciok")?;
        for (name, value) in &spec.options {
            player.send(&format!("setoption name {name} value {value}"))?;
        }
        player.ready()?;
        Ok(player)
    }

    pub(super) fn new_game(&mut self) -> Result<(), PlayerError> {
        self.send("ucinewgame")?;
        self.ready()
    }

    fn ready(&mut self) -> Result<(), PlayerError> {
        self.send("isready")?;
        self.wait_for("readyok")
    }

    /// Asks for a move; waits no longer than `limit`.
    pub(super) fn think(&mut self, position: &str, go: &str, limit: Duration) -> Result<Answer, PlayerError> {
        self.send(position)?;
        let start = Instant::now();
        self.send(go)?;
        let (mut score, mut depth) = (None, 0);
        loop {
            let line = self.receive(limit.saturating_sub(start.elapsed()), "go")?;
            if let Some(best) = line.strip_prefix("bestmove") {
                let best_move = best.split_whitespace().next().unwrap_or_default().to_owned();
                return Ok(Answer { best_move, time: start.elapsed(), score, depth });
            }
            if line.starts_with("info ") {
                let words: Vec<&str> = line.split_whitespace().collect();
                let number = |key: &str, after: usize| {
                    let place = words.iter().position(|&word| word == key)?;
                    words.get(place + after)?.parse::<i32>().ok()
                };
                score = number("cp", 1).map(Score::Centipawns).or(number("mate", 1).map(Score::Mate)).or(score);
                depth = number("depth", 1).map_or(depth, |depth| depth.max(0) as u32);
            }
        }
    }

    fn send(&mut self, line: &str) -> Result<(), PlayerError> {
        let ended = |_| PlayerError::Ended(self.name.clone());
        writeln!(self.input, "{line}").and_then(|()| self.input.flush()).map_err(ended)
    }

    fn wait_for(&mut self, word: &'static str) -> Result<(), PlayerError> {
        let deadline = Instant::now() + PATIENCE;
        while self.receive(deadline.saturating_duration_since(Instant::now()), word)? != word {}
        Ok(())
    }

    fn receive(&mut self, limit: Duration, what: &'static str) -> Result<String, PlayerError> {
        self.lines.recv_timeout(limit).map_err(|error| match error {
            RecvTimeoutError::Timeout => PlayerError::Silent(self.name.clone(), what),
            RecvTimeoutError::Disconnected => PlayerError::Ended(self.name.clone()),
        })
    }
}

/// An engine does not outlive its match: it is asked to leave, and then made to.
impl Drop for Player {
    fn drop(&mut self) {
        let _ = self.send("quit");
        let deadline = Instant::now() + Duration::from_millis(500);
        while Instant::now() < deadline {
            if matches!(self.child.try_wait(), Ok(Some(_)) | Err(_)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
