//! Samples: positions with the results of their games, what tuning and measuring an evaluation read.
//!
//! [`open`] reads a file of any known form, which its contents tell: text in the forms of a [`Sample`]'s line, PGN with or
//! without scores, whole [games], packed positions; each as it is or packed with gzip, zstd or xz.
//!
//! Every sample has the number of its game, so that training and validation can be kept apart by game. Games, PGN and
//! packed positions know their games. A text line may name its game (`c8` in EPD, a fourth column); lines that do not
//! belong to the game of the line before where they may continue it, and otherwise each is a game of its own.

mod blocks;
pub mod census;
pub mod filter;
pub mod games;
mod line;
mod packed;
mod parallel;
mod pgn;
mod quick_line;
mod reader;
mod sample;
mod scoresheet;
mod source;
mod strays;
mod unpack;
mod write;

pub use line::LineError;
pub use packed::{PackedFault, PackedFile, PackedWriter};
pub use pgn::PgnError;
pub(crate) use pgn::is_chess;
pub use reader::{BadLine, DataError, Samples, open};
pub use sample::Sample;
pub(crate) use scoresheet::numbered;
pub use scoresheet::{Note, Scoresheet, Scoresheets, SheetError, SheetPly};
pub(crate) use strays::{Marked, stray};
pub use write::{Form, SampleWriter, with_suffix};
