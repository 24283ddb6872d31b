//! Experiments. Today: the statistics of matches.

pub mod stats;
