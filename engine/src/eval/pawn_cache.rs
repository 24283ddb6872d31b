//! What depends on pawns alone, or on pawns and kings, remembered: pawns move seldom, and most positions of a search share
//! their structure.

use chess::{Bitboard, ByColor, Position};

use super::compose::{Channel, Sums};
use super::score::Score;
use super::structure;

const SIZE: usize = 4096;

/// Sums of the pawn terms by the pawns' key. It belongs to one set of weights.
pub struct PawnCache {
    entries: Vec<Entry>,
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

impl PawnCache {
    /// An empty cache.
    pub fn new() -> PawnCache {
        // The key of no pawns at all is zero, and so are its sums
        let nothing = ByColor { white: [Score::ZERO; Channel::COUNT], black: [Score::ZERO; Channel::COUNT] };
        let passers = ByColor { white: Bitboard::EMPTY, black: Bitboard::EMPTY };
        PawnCache { entries: vec![Entry { key: 0, sums: nothing, passers, kings: None, shelter: nothing }; SIZE] }
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

impl Default for PawnCache {
    fn default() -> PawnCache {
        PawnCache::new()
    }
}
