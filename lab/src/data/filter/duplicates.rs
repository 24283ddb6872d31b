//! Keys that were seen before, in a fixed amount of memory.
//!
//! The keys lie in buckets of eight, each one line of the processor's cache. A key has two buckets and goes to the emptier
//! one, so that next to nothing is lost until most places are taken. Where both are full the oldest key of one makes room: a
//! set that is too small forgets and never grows, and how many keys were forgotten is counted.

use crate::data::sample::mix;

/// Keys of a bucket.
const WAYS: usize = 8;

/// A set of keys that takes no more memory than it is given.
pub struct KeySet {
    /// 0 is an empty place; each bucket has its newest key in front.
    buckets: Vec<[u64; WAYS]>,
    has_zero: bool,
    forgotten: u64,
}

impl KeySet {
    /// An empty set in so many megabytes, at least one. Memory is taken as it fills.
    pub fn new(megabytes: usize) -> KeySet {
        let buckets = (megabytes.max(1) << 20) / size_of::<[u64; WAYS]>();
        KeySet { buckets: vec![[0; WAYS]; buckets], has_zero: false, forgotten: 0 }
    }

    /// Adds a key, and says whether it is new.
    pub fn insert(&mut self, key: u64) -> bool {
        if key == 0 {
            return !std::mem::replace(&mut self.has_zero, true);
        }
        let (one, other) = (self.place(key), self.place(mix(key)));
        if self.buckets[one].contains(&key) || self.buckets[other].contains(&key) {
            return false;
        }
        let keys = |place: usize| self.buckets[place].iter().filter(|key| **key != 0).count();
        let bucket = if keys(other) < keys(one) { other } else { one };
        let bucket = &mut self.buckets[bucket];
        self.forgotten += u64::from(bucket[WAYS - 1] != 0);
        bucket.rotate_right(1);
        bucket[0] = key;
        true
    }

    /// The bucket that the upper bits choose, evenly whatever the number of buckets.
    fn place(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
    }

    /// How many keys had to make room.
    pub fn forgotten(&self) -> u64 {
        self.forgotten
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keys that a set of one megabyte has room for.
    const ROOM: u64 = (1 << 20) / 8;

    #[test]
    fn each_key_is_new_once() {
        let mut set = KeySet::new(1);
        let keys = || (0..ROOM * 6 / 10).map(mix).chain([0, u64::MAX]);
        assert!(keys().all(|key| set.insert(key)));
        assert!(keys().all(|key| !set.insert(key)), "nothing is forgotten while two fifths are free");
        assert_eq!(set.forgotten(), 0);
    }

    #[test]
    fn a_set_that_is_too_small_forgets_the_oldest_and_says_how_many() {
        let mut set = KeySet::new(1);
        for key in (1..=4 * ROOM).map(mix) {
            set.insert(key);
        }
        assert!(set.forgotten() > 2 * ROOM, "{}", set.forgotten());
        let newest = (4 * ROOM - 1000..=4 * ROOM).map(mix).filter(|&key| set.insert(key)).count();
        assert_eq!(newest, 0);
        assert!(set.insert(mix(1)));
    }
}
