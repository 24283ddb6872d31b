//! What parts of the evaluation cost: the time that it takes with all of them, and without each.

use std::hint::black_box;
use std::time::{Duration, Instant};

use chess::Position;
use engine::{Accumulator, EvalCache, Weights};

/// More positions than the cache of whole values holds, several times: none is known when its turn comes again.
const POSITIONS: usize = 100_000;
/// So many are evaluated in one turn, a millisecond or two: long enough for the processor's caches, short enough for quiet
/// moments on a machine that others use.
const TURN: usize = 5_000;
/// How often each turn is taken; the fastest counts, since whatever else runs only slows down.
const ROUNDS: usize = 25;

/// Nanoseconds of an evaluation by each of several weights.
///
/// The first 100,000 positions that are one move away from the given ones are evaluated, neighbours one after the other, so
/// that what is remembered of pawns helps as it does in a search. The weights take turns: a machine that slows down does so
/// for all.
pub fn costs(weights: &[&Weights], positions: &[Position]) -> Vec<f64> {
    let cases: Vec<Position> = positions.iter().flat_map(successors).take(POSITIONS).collect();
    let mut courses: Vec<Course> = weights.iter().map(|weights| Course::new(weights, &cases)).collect();
    for round in 0..ROUNDS {
        for (turn, cases) in cases.chunks(TURN).enumerate() {
            // Another one begins each time: the first fetches the positions from memory
            let (early, late) = courses.split_at_mut(round % weights.len().max(1));
            late.iter_mut().chain(early).for_each(|course| course.run(turn, cases));
        }
    }
    courses.iter().map(|course| course.fastest().as_secs_f64() * 1e9 / cases.len().max(1) as f64).collect()
}

/// What comes of each move, but for checks: in these a search does not evaluate.
fn successors(position: &Position) -> Vec<Position> {
    let moves = position.legal_moves();
    let after = moves.iter().map(|&mv| {
        let mut after = *position;
        after.play(mv);
        after
    });
    after.filter(|after| !after.is_check()).collect()
}

/// One evaluation on its way through all positions.
struct Course<'w> {
    weights: &'w Weights,
    accumulators: Vec<Accumulator>,
    cache: EvalCache,
    /// The shortest time of each turn.
    best: Vec<Duration>,
}

impl<'w> Course<'w> {
    fn new(weights: &'w Weights, cases: &[Position]) -> Course<'w> {
        let accumulators = cases.iter().map(|position| Accumulator::new(position, weights)).collect();
        let best = vec![Duration::MAX; cases.len().div_ceil(TURN)];
        Course { weights, accumulators, cache: EvalCache::new(), best }
    }

    fn run(&mut self, turn: usize, cases: &[Position]) {
        let start = Instant::now();
        for (position, accumulator) in cases.iter().zip(&self.accumulators[turn * TURN..]) {
            black_box(self.weights.evaluate_cached(black_box(position), accumulator, &mut self.cache));
        }
        self.best[turn] = self.best[turn].min(start.elapsed());
    }

    fn fastest(&self) -> Duration {
        self.best.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_of_a_move_is_evaluated_unless_it_is_a_check() {
        assert_eq!(successors(&Position::initial()).len(), 20);
        let position: Position = "k7/8/8/8/8/8/7R/K7 w - - 0 1".parse().unwrap();
        assert_eq!(successors(&position).len(), position.legal_moves().len() - 2, "Ra2 and Rh8 give check");
    }

    #[test]
    fn every_evaluation_has_a_cost_of_its_own() {
        let [full, bare] = ["default", "material"].map(|name| Weights::load(name).unwrap());
        let costs = costs(&[&full, &bare], &[Position::initial()]);
        assert!(costs.len() == 2 && costs.iter().all(|&cost| cost > 0.0), "{costs:?}");
    }
}
