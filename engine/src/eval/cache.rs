//! What was evaluated before, remembered: whole positions, which come up again by another order of moves, and what depends
//! on pawns alone, or on pawns and kings; pawns move seldom, and most positions of a search share their structure.

use chess::{Bitboard, ByColor, Position};

use super::compose::{Channel, Sums};
use super::score::Score;
use super::structure;

const SIZE: usize = 4096;
const VALUES: usize = 1 << 14;
/// The part of an entry that is the value; the rest is the position's key.
const VALUE_BITS: u64 = 0xffff;

/// Values by the position's key, and sums of the pawn terms by the pawns'. It belongs to one set of weights.
pub struct EvalCache {
    entries: Vec<Entry>,
    /// A value and the upper bits of the key that it belongs to.
    values: Vec<u64>,
}

/// Both sides' sums, by channel.
pub(super) type BothSums = ByColor<Sums<Score>>;

#[derive(Copy, Clone)]
struct Entry {
    key: u64,
    sums: BothSums,
    passers: ByColor<Bitboard>,
    /// The kings with which the shelter was looked at, if it was.
    kings: Option<[u8; 2]>,
    shelter: BothSums,
}

impl EvalCache {
    /// An empty cache.
    pub fn new() -> EvalCache {
        // The key of no pawns at all is zero, and so are its sums
        let nothing = ByColor { white: [Score::ZERO; Channel::COUNT], black: [Score::ZERO; Channel::COUNT] };
        let passers = ByColor { white: Bitboard::EMPTY, black: Bitboard::EMPTY };
        let entry = Entry { key: 0, sums: nothing, passers, kings: None, shelter: nothing };
        // No key is all ones where it counts
        EvalCache { entries: vec![entry; SIZE], values: vec![u64::MAX; VALUES] }
    }

    /// The value of a position, if it is known.
    #[inline]
    pub(super) fn value(&self, key: u64) -> Option<i32> {
        let entry = self.values[key as usize % VALUES];
        ((entry ^ key) & !VALUE_BITS == 0).then_some(i32::from(entry as i16))
    }

    /// Remembers the value of a position.
    #[inline]
    pub(super) fn remember(&mut self, key: u64, value: i32) {
        self.values[key as usize % VALUES] = (key & !VALUE_BITS) | (value as u64 & VALUE_BITS);
    }

    /// What depends on these pawns and kings, computed if it is not known: sums of pawns, passed pawns, sums of the shelter.
    #[inline]
    pub(super) fn get(
        &mut self,
        position: &Position,
        pawns: impl FnOnce() -> BothSums,
        shelter: impl FnOnce() -> BothSums,
    ) -> (&BothSums, ByColor<Bitboard>, &BothSums) {
        let key = position.keys().pawns();
        let entry = &mut self.entries[key as usize % SIZE];
        if entry.key != key {
            entry.key = key;
            entry.sums = pawns();
            entry.passers = structure::both_passers(position);
            entry.kings = None;
        }
        let kings = [chess::Color::White, chess::Color::Black].map(|color| position.king(color).to_usize() as u8);
        if entry.kings != Some(kings) {
            entry.kings = Some(kings);
            entry.shelter = shelter();
        }
        (&entry.sums, entry.passers, &entry.shelter)
    }
}

impl Default for EvalCache {
    fn default() -> EvalCache {
        EvalCache::new()
    }
}
