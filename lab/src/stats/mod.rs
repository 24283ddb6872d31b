//! What a match proves: Elo with its error, the likelihood of superiority, and the sequential test.
//!
//! Games are played in pairs, the same opening with colours exchanged, and pairs are what is counted: two games of a pair
//! depend on each other, so counting them apart overstates the error.

mod elo;
mod sprt;
mod tally;

pub use elo::Estimate;
pub use sprt::{Model, Sprt, SprtError, Verdict};
pub use tally::Tally;
