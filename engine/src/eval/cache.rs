//! What was evaluated before, remembered: whole positions, which come up again by another order of moves, and what depends
//! on pawns alone, or on pawns and kings; pawns move seldom, and most positions of a search share their structure.

use chess::{ByColor, Color, Position, Square};

use super::compose::{Channel, Sums};
use super::score::Score;
use super::structure::Outline;
use crate::pages::prefetch;

const SIZE: usize = 4096;
const VALUES: usize = 1 << 14;
/// The part of an entry that is the value; the rest is the position's key.
const VALUE_BITS: u64 = 0xffff;

/// Values by the position's key, and sums of the pawn terms by the pawns'. It belongs to one set of weights.
pub struct EvalCache {
    entries: Vec<PawnEntry>,
    /// A value and the upper bits of the key that it belongs to.
    values: Vec<u64>,
}

/// Both sides' sums, by channel.
pub(super) type BothSums = ByColor<Sums<Score>>;

/// What depends on pawns alone, and on pawns and kings.
#[derive(Copy, Clone)]
pub(super) struct PawnEntry {
    key: u64,
    pub(super) sums: BothSums,
    pub(super) outlines: ByColor<Outline>,
    /// Where each king stood when its shelter was looked at, if it was.
    kings: ByColor<Option<Square>>,
    pub(super) shelter: BothSums,
}

impl EvalCache {
    /// An empty cache.
    pub fn new() -> EvalCache {
        let nothing = ByColor { white: [Score::ZERO; Channel::COUNT], black: [Score::ZERO; Channel::COUNT] };
        // A key that belongs elsewhere is the key of nothing here
        let entry = |place: usize| PawnEntry {
            key: !(place as u64),
            sums: nothing,
            outlines: ByColor::default(),
            kings: ByColor::default(),
            shelter: nothing,
        };
        // No key is all ones where it counts
        EvalCache { entries: (0..SIZE).map(entry).collect(), values: vec![u64::MAX; VALUES] }
    }

    /// Tells the processor that this position will be evaluated soon.
    #[inline]
    pub(crate) fn prefetch(&self, position: &Position) {
        let keys = position.keys();
        prefetch(&self.values[keys.full() as usize % VALUES]);
        let entry = &self.entries[keys.pawns() as usize % SIZE];
        prefetch(&entry.key);
        prefetch(&entry.shelter);
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

    /// What depends on these pawns and kings, computed if it is not known.
    ///
    /// Always a part of the function that evaluates, whose instructions for sets of squares would be missing elsewhere.
    #[inline(always)]
    pub(super) fn get(
        &mut self,
        position: &Position,
        pawns: impl FnOnce(&ByColor<Outline>) -> BothSums,
        shelters: ByColor<impl FnOnce() -> Sums<Score>>,
    ) -> &PawnEntry {
        let key = position.keys().pawns();
        let entry = &mut self.entries[key as usize % SIZE];
        if entry.key != key {
            entry.key = key;
            entry.outlines = Outline::both(position);
            entry.sums = pawns(&entry.outlines);
            entry.kings = ByColor::default();
        }
        let kings = ByColor { white: Some(position.king(Color::White)), black: Some(position.king(Color::Black)) };
        if entry.kings.white != kings.white {
            entry.shelter.white = (shelters.white)();
        }
        if entry.kings.black != kings.black {
            entry.shelter.black = (shelters.black)();
        }
        entry.kings = kings;
        entry
    }
}

impl Default for EvalCache {
    fn default() -> EvalCache {
        EvalCache::new()
    }
}
