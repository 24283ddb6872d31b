//! An engine goes through a suite, several positions at once.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use chess::Move;

use super::mates::{MateLine, play_out};
use super::problem::Problem;
use crate::arena::{EngineSpec, Host, Info, Player, PlayerError, Score, Thinking};

/// What an engine without a clock may take before it counts as stalled.
const LONGEST: Duration = Duration::from_secs(3600);
/// What it may take beyond its time.
const GRACE: Duration = Duration::from_secs(10);

/// An engine and the positions that it shall solve.
pub struct Trial<'a> {
    /// The engine.
    pub engine: &'a EngineSpec,
    /// The positions.
    pub problems: &'a [Problem],
    /// How many at once.
    pub concurrency: usize,
    /// What engines are started with.
    pub host: &'a Host,
}

/// What an engine made of a position.
#[derive(Clone, Debug, Default)]
pub struct Finding {
    /// The move, if it gave a legal one.
    pub mv: Option<Move>,
    /// Its last score.
    pub score: Option<Score>,
    /// Whether this is what was asked for.
    pub is_solved: bool,
    /// What the move is worth.
    pub points: u32,
    /// When it had found the solution for good; if it did not, all the time.
    pub time: Duration,
    /// If the last score is a mate, what its line is worth.
    pub mate_line: Option<MateLine>,
    /// What went wrong with the engine.
    pub trouble: Option<String>,
}

impl Trial<'_> {
    /// Goes through the problems; those that `is_stopped` cut off are left without a finding.
    pub fn run(
        &self,
        progress: &(dyn Fn(usize) + Sync),
        is_stopped: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<Option<Finding>>, PlayerError> {
        // An engine that does not start at all is an error, not a suite without solutions
        Player::start(self.engine, self.host)?;
        let findings = Mutex::new(vec![None; self.problems.len()]);
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..self.concurrency.clamp(1, self.problems.len().max(1)) {
                scope.spawn(|| {
                    let mut player = None;
                    while let Some((place, problem)) = self.take(&next) {
                        let finding = self.solve(problem, &mut player, is_stopped);
                        // Ctrl-C ends the engine too, and perhaps before it is known here
                        if finding.trouble.is_some() {
                            std::thread::sleep(Duration::from_millis(50));
                        }
                        if is_stopped() {
                            break;
                        }
                        findings.lock().expect("nobody panics while counting")[place] = Some(finding);
                        progress(done.fetch_add(1, Ordering::Relaxed) + 1);
                    }
                });
            }
        });
        Ok(findings.into_inner().expect("nobody panics while counting"))
    }

    fn take(&self, next: &AtomicUsize) -> Option<(usize, &Problem)> {
        let place = next.fetch_add(1, Ordering::Relaxed);
        Some((place, self.problems.get(place)?))
    }

    /// Asks the engine, which is started if it does not run. After trouble it begins afresh.
    fn solve(&self, problem: &Problem, player: &mut Option<Player>, is_stopped: &dyn Fn() -> bool) -> Finding {
        let found = match player.take() {
            Some(running) => Ok(running),
            None => Player::start(self.engine, self.host),
        }
        .and_then(|mut running| {
            let finding = self.ask(problem, &mut running, is_stopped)?;
            *player = Some(running);
            Ok(finding)
        });
        found.unwrap_or_else(|error| Finding { trouble: Some(error.to_string()), ..Finding::default() })
    }

    fn ask(
        &self,
        problem: &Problem,
        player: &mut Player,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Finding, PlayerError> {
        let thinking = self.engine.thinking;
        let patience = match thinking {
            Thinking::Clock { time, .. } | Thinking::MoveTime(time) => time.saturating_add(GRACE),
            Thinking::Nodes(_) | Thinking::Depth(_) => LONGEST,
        };
        player.new_game()?;
        let mut notes = Notes { problem, score: None, mate: None, solved_since: None };
        let position = format!("position fen {}", problem.position);
        let mut note = |info: &Info, time| notes.take(info, time);
        let (best, time) = player.follow(&position, &thinking.go(), patience, &mut note, is_stopped)?;
        Ok(notes.finding(&best, time))
    }
}

/// What is kept of an engine's `info` lines.
struct Notes<'a> {
    problem: &'a Problem,
    score: Option<Score>,
    /// The last announced mate and its line, as long as no other score followed.
    mate: Option<(i32, String)>,
    solved_since: Option<Duration>,
}

impl Notes<'_> {
    fn take(&mut self, info: &Info, time: Duration) {
        if let (Some(score), false) = (info.score, info.is_bound) {
            self.score = Some(score);
            self.mate = match score {
                Score::Mate(moves) => Some((moves, info.line.to_owned())),
                Score::Centipawns(_) => None,
            };
        }
        if let Some(mv) = info.moves().next().and_then(|text| self.problem.position.parse_uci(text).ok()) {
            let is_solved = self.problem.is_solved_by(mv, self.score);
            self.solved_since = is_solved.then(|| self.solved_since.unwrap_or(time));
        }
    }

    /// What all of it comes to, with the move that was played in the end.
    fn finding(self, best: &str, time: Duration) -> Finding {
        let problem = self.problem;
        let (mv, trouble) = match problem.position.parse_uci(best) {
            Ok(mv) => (Some(mv), None),
            Err(error) => (None, Some(format!("an illegal move: {error}"))),
        };
        let is_solved = mv.is_some_and(|mv| problem.is_solved_by(mv, self.score));
        let mate_line = self.mate.map(|(moves, line)| match problem.mate() {
            Some(known) if (known > 0) != (moves > 0) => MateLine::False,
            _ => play_out(&problem.position, &line.split_whitespace().collect::<Vec<_>>(), moves),
        });
        Finding {
            mv,
            score: self.score,
            is_solved,
            points: mv.map_or(0, |mv| problem.points_for(mv)),
            time: self.solved_since.filter(|_| is_solved).unwrap_or(time),
            mate_line,
            trouble,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What comes of these `info` lines, one each second, and a move.
    fn finding(line: &str, infos: &[&str], best: &str) -> Finding {
        let problem = Problem::read(line, "?").unwrap();
        let mut notes = Notes { problem: &problem, score: None, mate: None, solved_since: None };
        for (second, text) in (1..).zip(infos) {
            notes.take(&Info::read(text).unwrap(), Duration::from_secs(second));
        }
        notes.finding(best, Duration::from_secs(60))
    }

    #[test]
    fn the_time_is_that_of_the_solution_that_stayed() {
        let line = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - bm Nf3; c0 \"Nf3=10, d2d4=4\";";
        let [good, bad] = ["info score cp 30 pv g1f3", "info score cp 20 pv d2d4"];
        let solved = finding(line, &[good, bad, good, "info nodes 7", good], "g1f3");
        assert!(solved.is_solved);
        assert_eq!((solved.time.as_secs(), solved.points), (3, 10));
        let left = finding(line, &[good, bad], "d2d4");
        assert!(!left.is_solved);
        assert_eq!((left.time.as_secs(), left.points), (60, 4));
        assert_eq!(finding(line, &[bad], "g1f3").time.as_secs(), 60, "found with the last word");
        assert_eq!(finding(line, &[good], "e2e5").trouble.unwrap().split(':').next(), Some("an illegal move"));
    }

    #[test]
    fn an_announced_mate_is_played_out() {
        let mate = |known: &str, info: &str| finding(&format!("7k/8/8/8/8/8/R7/1R2K3 w - - {known};"), &[info], "a2a7");
        let good = mate("bm #2", "info score mate 2 pv a2a7 h8g8 b1b8");
        assert_eq!((good.is_solved, good.mate_line), (true, Some(MateLine::Mates)));
        let short = mate("dm 2", "info score mate 2 pv a2a7");
        assert_eq!((short.is_solved, short.mate_line), (true, Some(MateLine::BreaksOff)));
        let bound = mate("dm 2", "info score mate 2 lowerbound pv a2a7");
        assert_eq!((bound.is_solved, bound.mate_line), (false, None));
        let wrong = mate("bm #-2", "info score mate 2 pv a2a7 h8g8 b1b8");
        assert_eq!((wrong.is_solved, wrong.mate_line), (false, Some(MateLine::False)));
    }
}
