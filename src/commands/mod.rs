//! One file per command, each with its options.

pub(crate) mod ablate;
pub(crate) mod bench;
pub(crate) mod bookgen;
mod contest;
pub(crate) mod data;
pub(crate) mod datagen;
mod engines;
pub(crate) mod eval;
pub(crate) mod keeper;
pub(crate) mod ladder;
pub(crate) mod matches;
mod openings;
pub(crate) mod perft;
mod ratings;
pub(crate) mod runs;
pub(crate) mod spsa;
pub(crate) mod stats;
mod store;
pub(crate) mod studio;
pub(crate) mod suite;
pub(crate) mod train;
pub(crate) mod tunables;
pub(crate) mod tune;
pub(crate) mod uci;
pub(crate) mod weights;
