//! One file per command, each with its options.

pub(crate) mod perft;
