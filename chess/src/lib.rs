//! The rules of chess: positions, moves, keys and notation. No opinions.
//!
//! The vocabulary is shakmaty's ([`Square`], [`Bitboard`], [`Role`], [`Color`], attack tables); the position, its
//! moves and its keys are our own, because they are the hot path of a search. `README.md` has the measurements.
//!
//! ```
//! use chess::Position;
//!
//! let mut position = Position::initial();
//! let e4 = position.parse_uci("e2e4")?;
//! position.play(e4);
//! assert_eq!(position.to_string(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
//! assert_eq!(position.legal_moves().len(), 20);
//! # Ok::<(), chess::UciMoveError>(())
//! ```

mod checks;
mod chess960;
mod cuckoo;
mod draft;
mod epd;
mod fen;
mod index;
mod keys;
mod legality;
mod movegen;
mod moves;
mod observer;
mod outcome;
mod packed;
mod perft;
mod play;
mod position;
mod san;
mod see;
mod side;
mod trail;
mod uci;

pub use checks::Checks;
pub use epd::{Epd, EpdError};
pub use fen::{CastlingStyle, Fen, FenError, FenField, FenPrefix, FenProblem};
pub use index::Index;
pub use keys::{Keys, Material};
pub use moves::{Move, MoveKind, MoveList};
pub use observer::Observer;
pub use outcome::Outcome;
pub use perft::{Division, PerftTable, divide, perft, perft_every_leaf, perft_hashed};
pub use position::{Position, Threats};
pub use san::SanError;
pub use shakmaty::{Bitboard, ByColor, ByRole, CastlingMode, Color, File, Piece, Rank, Role, Square, attacks};
pub use trail::Trail;
pub use uci::UciMoveError;
