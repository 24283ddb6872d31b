//! What games prove: Elo with its error, the likelihood of superiority, the sequential test, and ratings of many players.
//!
//! Games are played in pairs, the same opening with colours exchanged, and pairs are what is counted: two games of a pair
//! depend on each other, so counting them apart overstates the error.

mod elo;
mod performance;
mod ratings;
mod sprt;
mod tally;

pub use elo::Estimate;
pub(crate) use elo::Z95;
pub use performance::{Level, LevelPerformance, Performance};
pub(crate) use ratings::ELO_PER_LOGIT;
pub use ratings::{Anchor, Games, Misfit, PairingFit, Pairs, Rating, Ratings, RatingsError, Tournament};
pub use sprt::{Model, Sprt, SprtError, Verdict};
pub use tally::Tally;
