//! The arena: games between engines, in pairs, several at once.

mod clock;
mod contest;
mod errand;
mod game;
mod info;
mod keeper;
mod log;
mod manners;
mod openings;
mod own;
mod pgn;
mod player;
mod process;
mod record;
mod rules;
mod schedule;
mod seat;
mod spec;
mod standings;
mod watch;

pub use contest::{Contest, ContestError, Variation, Wish, Witness, outcome};
pub use errand::run_errand;
pub use game::{Ending, Game, Ply, Winner};
pub use info::{Info, Score};
pub use keeper::{Keeper, keep};
pub use log::Log;
pub use openings::{
    Book, BookError, BrokenGame, Format as BookFormat, FormatError, Generated, GenerationEnd, Order, Origin, Source,
    default_book, generate_openings, openings, random_openings,
};
pub use pgn::{last_position, pgn};
pub use player::{Answer, Host, Player, PlayerError, Waiting};
pub(crate) use process::{Process, Trouble, describe};
pub use record::{Record, RecordError};
pub(crate) use rules::known_winner;
pub use rules::{DrawRule, ResignRule, Rules};
pub use schedule::{Format, Place, Schedule};
pub use spec::{EngineSpec, SpecError, Thinking, is_engine, read_engines};
pub use standings::{Outcome, Score as PairingScore, Standings};
pub use watch::Watch;
