//! How many of very many things differ, in memory that has a bound.

use std::collections::HashMap;

/// So many keys are kept.
const MOST: usize = 1 << 20;

/// Counts keys that were seen before. When there are too many, it goes on with those of every second key, then of every
/// fourth, so that the share stays an estimate without bias.
#[derive(Clone, Debug, Default)]
pub(super) struct Distinct {
    counts: HashMap<u64, u32>,
    /// Only keys without these bits are counted.
    mask: u64,
    seen: u64,
}

impl Distinct {
    /// Counts a key, which should be a hash.
    pub(super) fn add(&mut self, key: u64) {
        if key & self.mask != 0 {
            return;
        }
        self.seen += 1;
        *self.counts.entry(key).or_insert(0) += 1;
        if self.counts.len() > MOST {
            self.mask = self.mask << 1 | 1;
            self.counts.retain(|key, _| key & self.mask == 0);
            self.seen = self.counts.values().map(|&count| u64::from(count)).sum();
        }
    }

    /// Which share of all keys had been seen before, from 0 to 1.
    pub(super) fn repeated(&self) -> f64 {
        if self.seen == 0 { 0.0 } else { 1.0 - self.counts.len() as f64 / self.seen as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_of_repeats_is_known_exactly_and_then_nearly() {
        let mut distinct = Distinct::default();
        assert_eq!(distinct.repeated(), 0.0);
        for key in [1, 2, 3, 1] {
            distinct.add(key);
        }
        assert_eq!(distinct.repeated(), 0.25);
        let mut many = Distinct::default();
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..3 * MOST {
            let key = random.u64(..);
            many.add(key);
            if key.is_multiple_of(3) {
                many.add(key);
            }
        }
        assert!(many.counts.len() <= MOST && many.mask != 0);
        assert!((many.repeated() - 0.25).abs() < 0.002, "{}", many.repeated());
    }
}
