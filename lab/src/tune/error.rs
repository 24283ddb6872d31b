//! Why a tuning cannot be done.

use thiserror::Error;

use crate::data::DataError;

/// Why a tuning cannot be done.
#[derive(Debug, Error)]
pub enum TuneError {
    /// A file of positions cannot be read.
    #[error(transparent)]
    Data(#[from] DataError),
    /// Rows and evaluation do not agree.
    #[error(
        "the coefficients of {fen} give {composed:.2} centipawns, but the evaluation is {evaluated}: a term is credited in \
         one and not in the other"
    )]
    Mismatch {
        /// The position.
        fen: String,
        /// By its coefficients, White's view.
        composed: f64,
        /// By the evaluation, White's view.
        evaluated: i32,
    },
    /// A position in which too much is found.
    #[error("more is found in {0} than a row can hold")]
    TooLong(String),
    /// More weights than rows can name.
    #[error("{0} weights are more than rows can name; units of 4 or less in lab/src/tune/layout.rs make room")]
    TooMany(usize),
    /// There is nothing to learn from.
    #[error("there are no positions to tune on{0}")]
    NoPositions(String),
    /// There is nothing to validate on.
    #[error("no position is left for validation; give more positions, another share, or --validation 0")]
    NoValidation,
    /// A name that names no weight.
    #[error(
        "there is no weight {name:?}{}: name a group, a term such as knight_mobility, or a part of it such as \
         piece_square.knight, material.pawn.eg",
        .nearest.as_ref().map_or_else(String::new, |name| format!(" (did you mean {name}?)"))
    )]
    NoWeight {
        /// What was asked for.
        name: String,
        /// What was perhaps meant.
        nearest: Option<String>,
    },
    /// A value that no weight can be scaled to.
    #[error("{value:?} is no value for {name}: a number above 0 is needed")]
    NoValue {
        /// The weight.
        name: String,
        /// What it should be.
        value: String,
    },
    /// A tie that is none.
    #[error("{0:?} is no tie: it is mirror, mirror:TERM or mg=eg:TERM")]
    NoTie(String),
    /// Nothing can change.
    #[error("every weight is frozen, so that there is nothing to tune")]
    NothingFree,
    /// The scale cannot be found.
    #[error("no scale K fits the start weights (the best would be {0:.4}); fix it with --k, for example --k 1")]
    NoScale(f64),
    /// An anchor that cannot hold.
    #[error("{name} was tuned to {value:.2} and cannot be scaled to {wanted}; anchor a weight that is well above zero")]
    NoAnchor {
        /// The weight.
        name: String,
        /// What it was tuned to.
        value: f64,
        /// What it should be.
        wanted: f64,
    },
    /// A file cannot be read.
    #[error("{0} cannot be read: {1}")]
    Unreadable(String, std::io::Error),
    /// A file cannot be written.
    #[error("{0} cannot be written: {1}")]
    Unwritable(String, std::io::Error),
    /// A file that is no checkpoint.
    #[error("{0} is no checkpoint of this program; begin anew without --resume")]
    NoCheckpoint(String),
    /// A checkpoint of something else.
    #[error("{0} belongs to a tuning of other data, weights or settings; begin anew without --resume")]
    OtherCheckpoint(String),
    /// Threads cannot be started.
    #[error("{0} threads cannot be started: {1}")]
    Threads(usize, String),
}
