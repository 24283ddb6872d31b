//! Our own engine as a player inside this program: no process, no pipes, the same moves as over UCI.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use chess::{Position, Trail};
use engine::{Engine, Limits, Signal};
use rustix::time::{ClockId, clock_gettime};

use super::info::Score;
use super::player::{Answer, PlayerError, Waiting};
use super::spec::{EngineSpec, Thinking};

/// Options that an engine inside this program can have. Threads of its own and the clock's overhead are left to processes.
const OPTIONS: [&str; 4] = ["Hash", "EvalFile", "UsePSTInterpolation", "UCI_Chess960"];

/// An engine inside this program.
pub(super) struct OwnPlayer {
    name: String,
    engine: Engine,
    limits: Limits,
}

impl OwnPlayer {
    /// Whether such an engine can play here: ours, at a fixed number of nodes or plies, with options that matter here.
    pub(super) fn can_play(spec: &EngineSpec) -> bool {
        let is_known = |name: &str| {
            OPTIONS.iter().any(|option| option.eq_ignore_ascii_case(name))
                || engine::TUNABLES.iter().any(|tunable| tunable.name.eq_ignore_ascii_case(name))
        };
        spec.is_own && !spec.thinking.is_timed() && spec.options.iter().all(|(name, _)| is_known(name))
    }

    /// Sets an engine up.
    pub(super) fn start(spec: &EngineSpec) -> Result<OwnPlayer, PlayerError> {
        let failed = |why: String| PlayerError::Own(spec.name.clone(), why);
        let engine = Engine::new().ok_or_else(|| failed("there is no memory for it".to_owned()))?;
        let limits = match spec.thinking {
            Thinking::Nodes(nodes) => Limits { nodes: Some(nodes.max(1)), ..Limits::default() },
            Thinking::Depth(depth) => Limits { depth: Some(depth as usize), ..Limits::default() },
            Thinking::Clock { .. } | Thinking::MoveTime(_) => {
                return Err(failed("inside this program it can only count nodes or plies".to_owned()));
            }
        };
        let mut player = OwnPlayer { name: spec.name.clone(), engine, limits };
        player.set(&spec.options)?;
        Ok(player)
    }

    /// Sets options.
    pub(super) fn set(&mut self, options: &[(String, String)]) -> Result<(), PlayerError> {
        let failed = |why: String| PlayerError::Own(self.name.clone(), why);
        for (name, value) in options {
            // A remark tells of something that is not as it was asked for
            let remarks = self.engine.set(name, value).map_err(failed)?;
            remarks.into_iter().next().map_or(Ok(()), |remark| Err(failed(remark)))?;
        }
        Ok(())
    }

    /// Forgets the last game.
    pub(super) fn new_game(&mut self) {
        self.engine.new_game();
    }

    /// Searches for a move; none if it was given up, which is asked after each iteration. The calling thread needs the
    /// stack of a search.
    pub(super) fn think(
        &mut self,
        position: &Position,
        trail: &Trail,
        waiting: Waiting,
    ) -> Result<Option<Answer>, PlayerError> {
        let (start, worked_before, signal) = (Instant::now(), worked(), Signal::new(false));
        // By work and not by the clock: while the whole program stands still, as after Ctrl-Z, nobody is late
        let is_late = || worked() - worked_before > waiting.limit;
        let task = self.engine.task(position, trail, self.limits.clone());
        // The score of the last line that was shown, as UCI's reader takes it
        let (mut score, mut depth) = (None, 0);
        let mut show = |report: &engine::Report| {
            (score, depth) = (Some(Score::of(report.value)), report.depth as u32);
            if is_late() || (waiting.is_stopped)() {
                signal.stop();
            }
        };
        let searched = catch_unwind(AssertUnwindSafe(|| self.engine.search(task, &signal, &mut show)));
        let failed = |why: &str| PlayerError::Own(self.name.clone(), why.to_owned());
        let report = searched.map_err(|_| failed("the search broke down"))?;
        let time = start.elapsed();
        if (waiting.is_stopped)() {
            return Ok(None);
        }
        if is_late() {
            return Err(PlayerError::Silent(self.name.clone(), "go"));
        }
        let best = report.as_ref().and_then(|report| report.line.first()).ok_or_else(|| failed("it found no move"))?;
        Ok(Some(Answer { best_move: best.uci(position.castling_mode()).to_string(), time, score, depth }))
    }
}

/// How long this thread has worked.
fn worked() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.cast_unsigned(), time.tv_nsec as u32)
}
