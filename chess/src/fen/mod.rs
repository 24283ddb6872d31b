//! FEN, X-FEN and Shredder-FEN, read strictly and written back.
//!
//! Reading says which field is wrong and why. Whether pieces can stand so at all is left to shakmaty's judgement.
//! Plain FENs of good positions go past it, by a reader for files of millions of them.

mod error;
mod quick;
mod read;
mod write;

pub(crate) use error::shortened;
pub use error::{FenError, FenField, FenProblem};
pub use quick::FenPrefix;
pub(crate) use read::validate;
pub use write::{CastlingStyle, Fen};
