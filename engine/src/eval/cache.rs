//! What was evaluated before, remembered: whole positions, which come up again by another order of moves, and what depends
//! on pawns alone, or on pawns and kings; pawns move seldom, and most positions of a search share their structure.

use chess::{ByColor, Color, Index, Position, Square};

use super::compose::{Channel, Sums};
use super::processor::Processor;
use super::score::Score;
use super::structure::Outline;
use super::weights::Weights;
use crate::pages::prefetch;

const SIZE: usize = 4096;
const SHELTERS: usize = 4096;
const VALUES: usize = 1 << 14;
/// The part of an entry that is the value; the rest is the position's key.
const VALUE_BITS: u64 = 0xffff;

/// Values by the position's key, sums of the pawn terms by the pawns', and of the shelters by pawns and king. It belongs to one
/// set of weights.
pub struct EvalCache {
    entries: Box<[PawnEntry; SIZE]>,
    /// Shelters of kings that go to and fro while the pawns stay.
    shelters: Box<[ShelterEntry; SHELTERS]>,
    /// A value and the upper bits of the key that it belongs to.
    values: Box<[u64; VALUES]>,
    processor: Processor,
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

/// What depends on pawns and one king.
#[derive(Copy, Clone)]
struct ShelterEntry {
    key: u64,
    sums: Sums<Score>,
}

/// An array on the heap, made there: it is too large for the stack.
fn filled<T, const N: usize>(make: impl FnMut(usize) -> T) -> Box<[T; N]> {
    let entries: Box<[T]> = (0..N).map(make).collect();
    entries.try_into().unwrap_or_else(|_| unreachable!("as many as were made"))
}

impl EvalCache {
    /// An empty cache.
    pub fn new() -> EvalCache {
        let nothing = [Score::ZERO; Channel::COUNT];
        let no_sums = ByColor { white: nothing, black: nothing };
        // A key that belongs elsewhere is the key of nothing here
        let entry = |place: usize| PawnEntry {
            key: !(place as u64),
            sums: no_sums,
            outlines: ByColor::default(),
            kings: ByColor::default(),
            shelter: no_sums,
        };
        EvalCache {
            entries: filled(entry),
            shelters: filled(|place| ShelterEntry { key: !(place as u64), sums: nothing }),
            // No key is all ones where it counts
            values: filled(|_| u64::MAX),
            processor: Processor::new(),
        }
    }

    /// The processor that evaluates.
    #[inline]
    pub(super) fn processor(&self) -> Processor {
        self.processor
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
    #[inline(always)]
    pub(super) fn get(&mut self, position: &Position, weights: &Weights) -> &PawnEntry {
        let key = position.keys().pawns();
        let entry = &mut self.entries[key as usize % SIZE];
        if entry.key != key {
            entry.key = key;
            entry.outlines = Outline::both(position);
            entry.sums = self.processor.pawn_sums(weights, position, &entry.outlines);
            entry.kings = ByColor::default();
        }
        let kings = ByColor { white: Some(position.king(Color::White)), black: Some(position.king(Color::Black)) };
        if entry.kings != kings {
            let mut sheltered = |us: Color| {
                let king = 1 + us.index() * 64 + position.king(us).to_usize();
                // Each king and square flips bits of its own, all over the key
                let key = key ^ (king as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(20);
                let entry = &mut self.shelters[key as usize % SHELTERS];
                if entry.key != key {
                    *entry = ShelterEntry { key, sums: self.processor.shelter_sums(weights, position, us) };
                }
                entry.sums
            };
            if entry.kings.white != kings.white {
                entry.shelter.white = sheltered(Color::White);
            }
            if entry.kings.black != kings.black {
                entry.shelter.black = sheltered(Color::Black);
            }
            entry.kings = kings;
        }
        entry
    }
}

impl Default for EvalCache {
    fn default() -> EvalCache {
        EvalCache::new()
    }
}
