//! Experiments: matches between engines and what they prove, what terms are worth, why moves are chosen, whether engines
//! keep to UCI, tuning by games, test suites, games to learn from, chances fitted to games, and the store of runs.

pub mod ablation;
pub mod analysis;
pub mod arena;
pub mod conformance;
pub mod data;
pub mod datagen;
pub mod explain;
pub mod files;
pub mod lint;
pub mod spsa;
pub mod stats;
pub mod store;
pub mod suite;
pub mod tune;
mod varint;
pub mod wdl;
