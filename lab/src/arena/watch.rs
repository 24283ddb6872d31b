//! How far the runner's watch and the engines' own lie apart: when a line arrived, and when the engine says it wrote it.
//!
//! A runner that measures more than engines do takes time off their clocks that they did not have.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

/// Differences are counted in steps of this, in microseconds.
const GRAIN: i128 = 100;

/// The differences of each engine's timed moves, by its name.
#[derive(Debug, Default)]
pub struct Watch(Mutex<BTreeMap<String, BTreeMap<i128, u64>>>);

impl Watch {
    /// Notes when a line arrived and when it was written, both since the question.
    pub(super) fn note(&self, name: &str, arrived: Duration, written: Duration) {
        let difference = arrived.as_micros().cast_signed() - written.as_micros().cast_signed();
        let mut engines = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if !engines.contains_key(name) {
            engines.insert(name.to_owned(), BTreeMap::new());
        }
        if let Some(counts) = engines.get_mut(name) {
            *counts.entry(difference.div_euclid(GRAIN)).or_default() += 1;
        }
    }

    /// The median difference of each engine in milliseconds, and of how many moves. Engines tell whole milliseconds, so
    /// that up to one of them is only rounding.
    pub fn medians(&self) -> BTreeMap<String, (f64, u64)> {
        let engines = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let median = |counts: &BTreeMap<i128, u64>| {
            let moves: u64 = counts.values().sum();
            let mut before = 0;
            let middle = counts.iter().find(|(_, count)| {
                before += **count;
                2 * before >= moves
            });
            (middle.map_or(0.0, |(step, _)| (step * GRAIN) as f64 / 1000.0), moves)
        };
        engines.iter().map(|(name, counts)| (name.clone(), median(counts))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_that_of_each_engine() {
        let watch = Watch::default();
        let milliseconds = Duration::from_millis;
        for arrived in [5, 9, 6, 300, 5] {
            watch.note("a", milliseconds(arrived), milliseconds(4));
        }
        watch.note("b", milliseconds(10), milliseconds(12));
        let medians = watch.medians();
        assert_eq!(medians["a"], (2.0, 5));
        assert_eq!(medians["b"], (-2.0, 1));
    }
}
