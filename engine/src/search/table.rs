//! The transposition table: what was found out about positions before, shared by all threads without locks.
//!
//! Three entries share a cluster of 32 bytes: one word with sixteen bits of each key, and one word an entry. Words are read
//! and written whole; a key may meet another position's entry, so a move that is found here is checked before it is played.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

use chess::Move;

use super::value::is_mate;
use crate::pages::{ask_for_huge_pages, prefetch};

const ENTRIES: usize = 3;
const WORDS: usize = ENTRIES + 1;
/// Words in a huge page. Where the table begins with one, all of it can lie on such pages.
const PAGE: usize = (2 << 20) / 8;
/// Tables up to this many megabytes are wiped, not made afresh.
const SMALL: usize = 64;
const AGES: u8 = 32;
const AGE_SHIFT: u32 = 59;

/// What kind of knowledge a value is.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Bound {
    /// The true value is at most this.
    Upper = 1,
    /// The true value is at least this.
    Lower = 2,
    /// The true value.
    Exact = 3,
}

impl Bound {
    /// What a search of a window says of its value.
    #[inline]
    pub(crate) fn of(value: i32, alpha: i32, beta: i32) -> Bound {
        if value >= beta {
            Bound::Lower
        } else if value > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }

    /// Whether a value with this bound is enough to leave a node.
    #[inline]
    pub(super) fn suffices(self, value: i32, alpha: i32, beta: i32) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => value >= beta,
            Bound::Upper => value <= alpha,
        }
    }

    /// Whether a value with this bound says more than an evaluation.
    #[inline]
    pub(super) fn is_better(self, value: i32, eval: i32) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => value > eval,
            Bound::Upper => value < eval,
        }
    }
}

/// What the table knows of a position.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    pub(crate) mv: Option<Move>,
    pub(crate) value: i32,
    /// The static evaluation, if it was made.
    pub(crate) eval: Option<i32>,
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
    /// Whether a principal variation once went through here.
    pub(crate) was_pv: bool,
}

const NO_EVAL: i16 = i16::MIN;

impl Entry {
    fn pack(&self, age: u8) -> u64 {
        let eval = self.eval.map_or(NO_EVAL, |eval| eval as i16);
        u64::from(self.mv.map_or(0, Move::bits))
            | u64::from(self.value as i16 as u16) << 16
            | u64::from(eval as u16) << 32
            | u64::from(self.depth as u8) << 48
            | (self.bound as u64) << 56
            | u64::from(self.was_pv) << 58
            | u64::from(age) << AGE_SHIFT
    }

    /// None for a word that was never written.
    fn unpack(word: u64) -> Option<Entry> {
        let bound = match word >> 56 & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => return None,
        };
        let eval = (word >> 32) as i16;
        Some(Entry {
            mv: Move::from_bits(word as u16),
            value: i32::from((word >> 16) as i16),
            eval: (eval != NO_EVAL).then_some(i32::from(eval)),
            depth: i32::from((word >> 48) as u8),
            bound,
            was_pv: word >> 58 & 1 != 0,
        })
    }
}

/// The search in which a word was written.
fn age_of(word: u64) -> u8 {
    (word >> AGE_SHIFT) as u8
}

/// A transposition table.
pub(crate) struct Table {
    words: Box<[AtomicU64]>,
    /// Words to skip so that clusters do not straddle cache lines, and pages begin where the system's do.
    skip: usize,
    clusters: usize,
    age: AtomicU8,
    is_used: AtomicBool,
}

impl Table {
    /// A table of this many megabytes; none if there is not so much memory. Fresh memory is zero and costs nothing until
    /// it is used.
    pub(crate) fn new(megabytes: usize) -> Option<Table> {
        let clusters = megabytes.checked_mul(1 << 20)? / (WORDS * 8);
        let words: Box<[AtomicU64]> = bytemuck::allocation::try_zeroed_slice_box(WORDS * clusters + PAGE).ok()?;
        let misplaced = words.as_ptr() as usize / 8 % PAGE;
        let skip = (PAGE - misplaced) % PAGE;
        ask_for_huge_pages(&words[skip..]);
        Some(Table { words, skip, clusters, age: AtomicU8::new(0), is_used: AtomicBool::new(false) })
    }

    /// An empty table of the same size. A small one is wiped, since memory that is in use already is quick; a large one
    /// makes room for a fresh one; one that was never used is empty.
    pub(crate) fn cleared(mut self) -> Option<Table> {
        if !*self.is_used.get_mut() {
            return Some(self);
        }
        let megabytes = (self.clusters * WORDS * 8) >> 20;
        if megabytes > SMALL {
            drop(self);
            return Table::new(megabytes);
        }
        for word in &mut self.words[self.skip..][..WORDS * self.clusters] {
            *word.get_mut() = 0;
        }
        *self.age.get_mut() = 0;
        *self.is_used.get_mut() = false;
        Some(self)
    }

    /// A new search begins: what earlier ones left is worth less.
    pub(crate) fn start_search(&self) {
        self.age.store((self.age() + 1) % AGES, Ordering::Relaxed);
        self.is_used.store(true, Ordering::Relaxed);
    }

    fn age(&self) -> u8 {
        self.age.load(Ordering::Relaxed)
    }

    #[inline]
    fn cluster(&self, key: u64) -> &[AtomicU64] {
        let index = ((u128::from(key) * self.clusters as u128) >> 64) as usize;
        &self.words[self.skip + WORDS * index..][..WORDS]
    }

    /// Tells the processor that this key will be asked for soon.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        prefetch(&self.cluster(key)[0]);
    }

    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<Entry> {
        let [keys, entries @ ..] = self.cluster(key) else { return None };
        let keys = keys.load(Ordering::Relaxed);
        let place = place_of(keys, key)?;
        Entry::unpack(entries[place].load(Ordering::Relaxed))
    }

    /// Remembers an entry. Without a move of its own it keeps the one that was known.
    #[inline(always)]
    pub(crate) fn set(&self, key: u64, mut entry: Entry) {
        let [keys_word, entries @ ..] = self.cluster(key) else { return };
        let keys = keys_word.load(Ordering::Relaxed);
        let place = match place_of(keys, key) {
            Some(place) => {
                let word = entries[place].load(Ordering::Relaxed);
                if let Some(old) = Entry::unpack(word) {
                    entry.mv = entry.mv.or(old.mv);
                    // A shallow bound does not replace what a much deeper search of this time found, unless it is a mate
                    let is_weak = entry.bound != Bound::Exact && !is_mate(entry.value);
                    if is_weak && old.depth > entry.depth + 3 && age_of(word) == self.age() {
                        return;
                    }
                }
                place
            }
            None => (0..ENTRIES)
                .min_by_key(|&place| self.worth(entries[place].load(Ordering::Relaxed)))
                .expect("a cluster has entries"),
        };
        let shift = 16 * place;
        let keys = keys & !(0xffff << shift) | u64::from(key as u16) << shift;
        keys_word.store(keys, Ordering::Relaxed);
        entries[place].store(entry.pack(self.age()), Ordering::Relaxed);
    }

    /// How much an entry is worth keeping: its depth, less for every search since.
    fn worth(&self, word: u64) -> i32 {
        let years = (AGES + self.age() - age_of(word)) % AGES;
        if word == 0 { i32::MIN } else { i32::from((word >> 48) as u8) - 8 * i32::from(years) }
    }

    /// How full it is with entries of this search, in thousandths.
    pub(crate) fn fullness(&self) -> usize {
        let sample = self.clusters.min(1000);
        let is_current = |word: u64| word != 0 && age_of(word) == self.age();
        let used: usize = (0..sample)
            .flat_map(|cluster| &self.words[self.skip + WORDS * cluster..][1..WORDS])
            .filter(|word| is_current(word.load(Ordering::Relaxed)))
            .count();
        1000 * used / (ENTRIES * sample.max(1))
    }
}

/// Where in a cluster with these short keys a key has its entry, if it has one.
#[inline]
fn place_of(keys: u64, key: u64) -> Option<usize> {
    (0..ENTRIES).find(|&place| (keys >> (16 * place)) as u16 == key as u16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Position;

    fn entry(mv: Option<Move>, value: i32, depth: i32, bound: Bound) -> Entry {
        Entry { mv, value, eval: Some(-17), depth, bound, was_pv: depth % 2 == 0 }
    }

    #[test]
    fn what_was_set_is_found() {
        let table = Table::new(1).unwrap();
        let mv = Position::initial().legal_moves()[3];
        for (key, value) in [(1, 0), (u64::MAX, -31_999), (0x1234_5678_9abc_def0, 20_000)] {
            assert_eq!(table.get(key), None);
            let entry = entry(Some(mv), value, 12, Bound::Exact);
            table.set(key, entry);
            assert_eq!(table.get(key), Some(entry));
        }
        let without_eval = Entry { eval: None, ..entry(None, 5, 0, Bound::Upper) };
        table.set(77, without_eval);
        assert_eq!(table.get(77), Some(without_eval));
    }

    #[test]
    fn a_known_move_is_kept_when_none_is_found() {
        let table = Table::new(1).unwrap();
        let mv = Position::initial().legal_moves()[0];
        table.set(99, entry(Some(mv), 10, 5, Bound::Lower));
        table.set(99, entry(None, -10, 6, Bound::Upper));
        assert_eq!(table.get(99), Some(entry(Some(mv), -10, 6, Bound::Upper)));
    }

    #[test]
    fn old_and_shallow_entries_make_room() {
        let table = Table::new(1).unwrap();
        // Keys of one cluster that differ in their low bits
        let deep = |key| table.get(key).is_some();
        for key in 0..3 {
            table.set(key, entry(None, 0, 20 + key as i32, Bound::Exact));
        }
        table.set(3, entry(None, 0, 1, Bound::Exact));
        assert!(!deep(0) && deep(1) && deep(2) && deep(3), "the shallowest of three had to go");
        for _ in 0..4 {
            table.start_search();
        }
        table.set(4, entry(None, 0, 1, Bound::Exact));
        table.set(5, entry(None, 0, 1, Bound::Exact));
        assert!(deep(4) && deep(5), "entries of this search stay");
    }

    #[test]
    fn a_cleared_table_is_empty_whatever_its_size() {
        for megabytes in [1, SMALL + 1] {
            let table = Table::new(megabytes).unwrap();
            table.start_search();
            table.set(77, entry(None, 5, 3, Bound::Exact));
            assert!(table.get(77).is_some());
            let table = table.cleared().unwrap();
            assert_eq!((table.get(77), table.age()), (None, 0));
            assert_eq!(table.clusters, Table::new(megabytes).unwrap().clusters);
        }
    }

    #[test]
    fn too_large_a_table_is_refused() {
        assert!(Table::new(usize::MAX).is_none());
        assert!(Table::new(1 << 40).is_none());
    }
}
