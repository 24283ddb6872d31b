//! Test suites: positions with known best moves, points or mates, and how many of them an engine solves; and files of perft
//! numbers.

mod counts;
mod file;
mod mates;
mod problem;
mod trial;

pub use counts::{CountError, KnownCount, read_counts};
pub use file::{BadLine, read_suite};
pub use mates::{MateLine, play_out};
pub use problem::{Problem, ProblemError};
pub use trial::{Finding, Trial};

/// Draws `count` of `all` places, in order. The same seed draws the same ones.
pub fn sample(all: usize, count: usize, seed: u64) -> Vec<usize> {
    let mut chosen = fastrand::Rng::with_seed(seed).choose_multiple(0..all, count);
    chosen.sort_unstable();
    chosen
}
