//! What depends on pawns alone, remembered: pawns move seldom, and most positions of a search share their structure.

use chess::ByColor;

use super::compose::{Channel, Sums};
use super::score::Score;

const SIZE: usize = 4096;

/// Sums of the pawn terms by the pawns' key. It belongs to one set of weights.
pub struct PawnCache {
    entries: Vec<Entry>,
}

#[derive(Copy, Clone)]
struct Entry {
    key: u64,
    sums: ByColor<Sums<Score>>,
}

impl PawnCache {
    /// An empty cache.
    pub fn new() -> PawnCache {
        // The key of no pawns at all is zero, and so are its sums
        let nothing = ByColor { white: [Score::ZERO; Channel::COUNT], black: [Score::ZERO; Channel::COUNT] };
        PawnCache { entries: vec![Entry { key: 0, sums: nothing }; SIZE] }
    }

    /// The sums of these pawns, computed if they are not known.
    #[inline]
    pub(super) fn get(&mut self, key: u64, compute: impl FnOnce() -> ByColor<Sums<Score>>) -> ByColor<Sums<Score>> {
        let entry = &mut self.entries[key as usize % SIZE];
        if entry.key != key {
            *entry = Entry { key, sums: compute() };
        }
        entry.sums
    }
}

impl Default for PawnCache {
    fn default() -> PawnCache {
        PawnCache::new()
    }
}
