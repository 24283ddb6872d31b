//! Experiments: matches between engines and what they prove, test suites, and the store of runs.

pub mod arena;
pub mod stats;
pub mod store;
pub mod suite;
