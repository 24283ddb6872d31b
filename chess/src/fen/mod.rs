//! FEN, X-FEN and Shredder-FEN, read strictly and written back.
//!
//! Reading says which field is wrong and why. Whether pieces can stand so at all is left to shakmaty's judgement.

mod error;
mod read;
mod write;

pub(crate) use error::shortened;
pub use error::{FenError, FenField, FenProblem};
pub use write::{CastlingStyle, Fen};
