//! One file per command, each with its options.

pub(crate) mod bench;
pub(crate) mod bookgen;
mod engines;
pub(crate) mod eval;
pub(crate) mod matches;
pub(crate) mod perft;
pub(crate) mod stats;
pub(crate) mod suite;
pub(crate) mod tunables;
pub(crate) mod uci;
pub(crate) mod weights;
