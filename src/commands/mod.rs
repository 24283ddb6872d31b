//! One file per command, each with its options.

pub(crate) mod eval;
pub(crate) mod perft;
pub(crate) mod stats;
pub(crate) mod weights;
