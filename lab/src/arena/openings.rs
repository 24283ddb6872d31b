//! Where games begin: positions of a file, or some random moves from the initial position.

use std::sync::Arc;

use chess::Position;
use engine::Weights;
use engine::openings::{BookError, Openings, PLIES, Start, read_book};

/// Reads positions from an EPD or FEN file, a line each, and shuffles them by a seed.
pub fn read_openings(path: &str, seed: u64) -> Result<Vec<Position>, BookError> {
    let mut openings = read_book(path)?;
    fastrand::Rng::with_seed(seed).shuffle(&mut openings);
    Ok(openings)
}

/// Level positions after some random moves, all different. The same seed gives the same ones; none if there is no memory
/// to look at them.
pub fn random_openings(count: usize, seed: u64) -> Option<Vec<Position>> {
    let weights = Arc::new(Weights::load("default").expect("the default weights are sound"));
    Some(Openings::new(Start::Initial, PLIES, weights, seed)?.take(count).collect())
}
