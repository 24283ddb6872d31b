//! The arena: games between UCI engines, in pairs, several at once.

mod contest;
mod game;
mod openings;
mod pgn;
mod player;

pub use contest::{Contest, Progress, Summary};
pub use game::{Ending, Game, Ply, Winner};
pub use openings::{OpeningsError, random_openings, read_openings};
pub use pgn::pgn;
pub use player::{EngineSpec, PlayerError, Thinking};
