//! Self-play: games of the engine against itself, from which an evaluation learns.
//!
//! Game number n depends on the [`Plan`], the weights and n alone, and games are handed over in the order of their numbers.
//! So a file of them is the same for any number of threads, and one that was broken off can be gone on with.

mod crew;
mod distinct;
mod plan;
mod player;
mod statistics;

pub use crew::{Interest, generate};
pub use plan::{Adjudication, Plan};
pub use player::DatagenError;
pub use statistics::Statistics;
