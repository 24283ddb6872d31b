//! One engine: a process that speaks UCI, started, set up and asked for moves. It is not trusted.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use thiserror::Error;

use super::info::{Info, Score};
use super::spec::EngineSpec;

/// How long an engine may take to start or to be ready.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long an engine may take to stop.
const STOPPING: Duration = Duration::from_secs(1);
/// How often a silent search is asked whether it should stop.
const GLANCE: Duration = Duration::from_millis(50);

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
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Player {
    /// Starts an engine and sets it up.
    pub fn start(spec: &EngineSpec) -> Result<Player, PlayerError> {
        let failed = |error| PlayerError::Start(spec.name.clone(), error);
        let (program, arguments) =
            spec.command.split_first().ok_or_else(|| failed(std::io::ErrorKind::NotFound.into()))?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // Ctrl-C is for the runner; an engine that dies of it would lose its game
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(failed)?;
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

    /// Tells the engine to forget, and waits for that.
    pub fn new_game(&mut self) -> Result<(), PlayerError> {
        self.send("ucinewgame")?;
        self.ready()
    }

    fn ready(&mut self) -> Result<(), PlayerError> {
        self.send("isready")?;
        self.wait_for("readyok")
    }

    /// Asks for a move; waits no longer than `limit`.
    pub fn think(&mut self, position: &str, go: &str, limit: Duration) -> Result<Answer, PlayerError> {
        let (mut score, mut depth) = (None, 0);
        let mut note = |info: &Info, _| {
            score = info.score.or(score);
            depth = info.depth.unwrap_or(depth);
        };
        let (best_move, time) = self.follow(position, go, limit, &mut note, &|| false)?;
        Ok(Answer { best_move, time, score, depth })
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
        self.send(position)?;
        let start = Instant::now();
        self.send(go)?;
        let (mut limit, mut was_stopped) = (limit, false);
        loop {
            if !was_stopped && is_stopped() {
                was_stopped = true;
                limit = limit.min(start.elapsed() + STOPPING);
                self.send("stop")?;
            }
            let left = limit.saturating_sub(start.elapsed());
            let line = match self.receive(left.min(GLANCE), "go") {
                Err(PlayerError::Silent(..)) if left > GLANCE => continue,
                other => other?,
            };
            let time = start.elapsed();
            if let Some(best) = line.strip_prefix("bestmove") {
                return Ok((best.split_whitespace().next().unwrap_or_default().to_owned(), time));
            }
            if let Some(info) = Info::read(&line) {
                show(&info, time);
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
