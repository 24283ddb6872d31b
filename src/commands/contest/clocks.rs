//! How far the clocks of a contest's engines and the runner's lie apart.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::output::outln;

/// How far clocks lie apart, for scripts.
pub(in crate::commands) fn clock_object(differences: &BTreeMap<String, (f64, u64)>) -> Value {
    differences.iter().map(|(name, (median, _))| (name.clone(), json!(median))).collect()
}

/// Says how far clocks lie apart, if there were any.
pub(in crate::commands) fn print_clocks(differences: &BTreeMap<String, (f64, u64)>) {
    let told: Vec<String> = differences
        .iter()
        .map(|(name, (median, moves))| format!("{median:.1} ms for {name} ({moves} moves)"))
        .collect();
    if !told.is_empty() {
        outln!("Time measured beyond what engines say, medians: {}", told.join(", "));
    }
}
