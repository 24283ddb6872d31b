//! Experiments: matches between engines, and what they prove.

pub mod arena;
pub mod stats;
