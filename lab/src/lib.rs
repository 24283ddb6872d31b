//! Experiments: matches between engines and what they prove, and test suites.

pub mod arena;
pub mod stats;
pub mod suite;
