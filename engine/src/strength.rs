//! Playing below full strength, as `UCI_LimitStrength` and `UCI_Elo` ask.
//!
//! Two things make a weaker player: he sees less, and he is careless. The first is a budget of nodes that doubles with every
//! 114 Elo, and with every 250 beyond 2300. For the second the search finds four lines, more for the weakest, each is judged too
//! low by a random amount, and the line that then looks best is played; how much a judgement is off halves with every 180 Elo.
//! Clocks and all other limits hold as always, and a mate that was seen is never missed, because no carelessness outweighs it.
//! The numbers come from games against the levels of Stockfish 15.1, as docs/testing.md tells.

use crate::{Memory, Report, Signal, Task, search};

/// How strongly to play.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Strength {
    elo: i32,
}

/// Beyond this seeing more helps less.
const CLUB: i32 = 2300;
/// Nodes that find a line to choose from.
const LINE: u64 = 40;

impl Strength {
    /// The weakest.
    pub const LEAST: i32 = 1000;
    /// The strongest that is still limited.
    pub const MOST: i32 = 2800;
    /// What `UCI_Elo` says unless it is set.
    pub const DEFAULT: i32 = 2000;

    /// As strong as this many Elo, within the limits.
    pub fn new(elo: i32) -> Strength {
        Strength { elo: elo.clamp(Strength::LEAST, Strength::MOST) }
    }

    /// Nodes for a move.
    pub fn nodes(self) -> u64 {
        let (club, master) = (self.elo.min(CLUB) - Strength::LEAST, (self.elo - CLUB).max(0));
        let doublings = f64::from(club) / 114.0 + f64::from(master) / 250.0;
        ((45.0 * libm::exp2(doublings)) as u64).max(LINE * self.choice() as u64)
    }

    /// Lines to choose from: four, and one more for each 30 Elo below 1500.
    fn choice(self) -> usize {
        4 + (1500 - self.elo).max(0) as usize / 30
    }

    /// By how many centipawns a judgement is off at most.
    pub fn carelessness(self) -> i32 {
        (2200.0 * libm::exp2(f64::from(Strength::LEAST - self.elo) / 180.0)) as i32
    }

    /// Searches as [`search`] does, and returns the line that is played. The last line shown is that one.
    pub fn search(
        self,
        task: Task,
        memory: &mut Memory,
        signal: &Signal,
        rng: &mut fastrand::Rng,
        show: &mut dyn FnMut(&Report),
    ) -> Option<Report> {
        let wanted = task.multi_pv;
        let mut task = Task { threads: 1, multi_pv: wanted.max(self.choice()), ..task };
        task.limits.nodes = Some(task.limits.nodes.unwrap_or(u64::MAX).min(self.nodes()));
        let mut lines: Vec<Report> = Vec::new();
        let last = search(&task, memory, signal, &mut |report| {
            // The latest line of each rank; an iteration that was cut short brings only the first
            match lines.get_mut(report.rank - 1) {
                Some(line) => line.clone_from(report),
                None => lines.push(report.clone()),
            }
            if report.rank <= wanted {
                show(report);
            }
        })?;
        let chosen = Report { rank: 1, ..self.choose(&lines, rng).unwrap_or(&last).clone() };
        if chosen.line != last.line {
            show(&chosen);
        }
        Some(chosen)
    }

    /// The line that looks best to a careless player.
    fn choose<'l>(self, lines: &'l [Report], rng: &mut fastrand::Rng) -> Option<&'l Report> {
        let first = lines.first()?.line.first();
        let others = lines[1..].iter().filter(|report| report.line.first() != first);
        let choice = lines.iter().take(1).chain(others).take(self.choice());
        choice.max_by_key(|report| report.value - rng.i32(0..=self.carelessness()))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    use chess::Position;

    use super::*;
    use crate::{Limits, MATE, Weights};

    fn play(fen: &str, elo: i32, limits: Limits, seed: u64) -> (Report, Vec<Report>) {
        let position: Position = fen.parse().unwrap();
        let task = Task::new(position, Arc::new(Weights::load("default").unwrap()), limits);
        let (mut memory, mut shown) = (Memory::new(1).unwrap(), Vec::new());
        let mut rng = fastrand::Rng::with_seed(seed);
        let show = &mut |report: &Report| shown.push(report.clone());
        let chosen = Strength::new(elo).search(task, &mut memory, &Signal::new(false), &mut rng, show).unwrap();
        (chosen, shown)
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn the_stronger_sees_more_and_errs_less() {
        // What he sees of each line that he thinks of
        let (mut seen, mut carelessness) = (0, i32::MAX);
        for elo in (Strength::LEAST..=Strength::MOST).step_by(100) {
            let strength = Strength::new(elo);
            let sees = strength.nodes() / strength.choice() as u64;
            assert!(sees >= seen && strength.carelessness() < carelessness, "{elo}");
            (seen, carelessness) = (sees, strength.carelessness());
        }
        assert!(seen > 1000 * LINE);
        assert_eq!(Strength::new(-5), Strength::new(Strength::LEAST));
        assert_eq!(Strength::new(i32::MAX), Strength::new(Strength::MOST));
    }

    #[test]
    fn the_last_line_shown_is_the_one_that_is_played() {
        for seed in 0..20 {
            let (chosen, shown) = play(START, 1000, Limits::default(), seed);
            assert_eq!(shown.last().unwrap().line, chosen.line);
            assert!(shown.iter().all(|report| report.rank == 1));
            assert!(chosen.nodes <= Strength::new(1000).nodes() + 1);
        }
    }

    #[test]
    fn the_weak_vary_and_the_strong_find_the_best() {
        let free_queen = "rnb1kbnr/pppp1ppp/8/4p1q1/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3";
        let played = |fen, elo| -> std::collections::HashSet<_> {
            (0..12).map(|seed| play(fen, elo, Limits::default(), seed).0.line[0]).collect()
        };
        assert!(played(START, 1000).len() > 1);
        assert_eq!(played(free_queen, 2300).len(), 1);
    }

    #[test]
    fn a_mate_in_one_is_found_even_by_the_weak() {
        for (fen, seed) in [
            ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", 1),
            ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", 2),
        ] {
            for elo in [1200, 1500, 2000, 2300] {
                assert_eq!(play(fen, elo, Limits::default(), seed).0.value, MATE - 1, "{elo}: {fen}");
            }
        }
    }

    #[test]
    fn the_clock_is_kept() {
        let start = Instant::now();
        play(START, 2800, Limits { movetime: Some(20), ..Limits::default() }, 1);
        assert!(start.elapsed() < Duration::from_millis(1000));
    }
}
