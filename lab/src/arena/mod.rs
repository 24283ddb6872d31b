//! The arena: games between UCI engines, in pairs, several at once.

mod contest;
mod game;
mod info;
mod openings;
mod pgn;
mod player;
mod spec;

pub use contest::{Contest, Progress, Summary};
pub use game::{Ending, Game, Ply, Winner};
pub use info::{Info, Score};
pub use openings::{
    Book, BookError, BrokenGame, Format, FormatError, Generated, GenerationEnd, Order, Origin, Source, default_book,
    generate_openings, openings, random_openings, read_openings,
};
pub use pgn::pgn;
pub use player::{Answer, Player, PlayerError};
pub use spec::{EngineSpec, SpecError, Thinking, is_engine, read_engines};
