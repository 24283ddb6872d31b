//! Positions from quick games of an evaluation against itself. The same weights and seed give the same positions.

use std::sync::Arc;

use chess::{Position, Trail};
use engine::{Limits, Memory, STACK, Signal, Task, Weights, search};
use thiserror::Error;

use crate::arena::default_book;

/// How many games a sample usually has: some 33,000 positions.
pub const SAMPLE_GAMES: usize = 400;
/// How many nodes a move of them usually gets. Few, so that sides often have different pieces.
pub const SAMPLE_NODES: u64 = 100;
/// Games that last longer are broken off.
const LONGEST: usize = 200;
/// Megabytes of table.
const HASH: usize = 1;

/// Why there is no sample.
#[derive(Debug, Error)]
pub enum SampleError {
    /// Neither memory nor a thread.
    #[error("there is no memory to play games for a sample of positions")]
    NoMemory,
}

/// Plays so many games from openings of the book that comes with the program, so many nodes a move, and returns their
/// positions but for those in check.
pub fn self_play(weights: &Arc<Weights>, games: usize, nodes: u64, seed: u64) -> Result<Vec<Position>, SampleError> {
    let mut book = default_book();
    fastrand::Rng::with_seed(seed).shuffle(&mut book);
    let play_all = || {
        let mut positions = Vec::new();
        for opening in book.iter().take(games) {
            let memory = Memory::new(HASH).ok_or(SampleError::NoMemory)?;
            play(*opening, weights, memory, nodes, &mut positions);
        }
        Ok(positions)
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, play_all);
        thread.map_err(|_| SampleError::NoMemory)?.join().map_err(|_| SampleError::NoMemory)?
    })
}

fn play(mut position: Position, weights: &Arc<Weights>, mut memory: Memory, nodes: u64, out: &mut Vec<Position>) {
    let mut trail = Trail::new();
    for _ in 0..LONGEST {
        if position.outcome().is_some() || trail.is_repetition(&position) {
            return;
        }
        if !position.is_check() {
            out.push(position);
        }
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let task = Task { trail: trail.clone(), ..Task::new(position, weights.clone(), limits) };
        let Some(report) = search(&task, &mut memory, &Signal::new(false), &mut |_| ()) else { return };
        let Some(&best) = report.line.first() else { return };
        trail.push(&position);
        position.play(best);
        trail.start_search();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_the_same_every_time_and_goes_from_opening_to_endgame() {
        let weights = Arc::new(Weights::load("default").unwrap());
        let sample = |seed| self_play(&weights, 6, 100, seed).unwrap();
        let text = |positions: &[Position]| positions.iter().map(ToString::to_string).collect::<Vec<_>>();
        let one = sample(1);
        assert_eq!(text(&one), text(&sample(1)));
        assert_ne!(text(&one), text(&sample(2)));
        let men = |position: &Position| position.occupied().count();
        assert!(one.iter().any(|position| men(position) >= 30) && one.iter().any(|position| men(position) <= 12));
        assert!(one.iter().all(|position| !position.is_check()));
    }
}
