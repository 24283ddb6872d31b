//! Some hundred rows, the unit in which data is kept, shuffled, read from a file and handed to threads.

use engine::{Channel, Count};

use super::layout::{CHUNK, DraftPile, DraftPiles, Layout, MOST_PILES};

/// How many rows a block has at most: few enough that a batch can be divided evenly among threads.
pub(super) const ROWS: usize = 512;
/// Stands for a score that is not known.
pub(super) const NO_SCORE: i16 = i16::MIN;

/// Rows, field by field.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Block {
    /// Row by row and pile by pile: units, filled up to whole chunks.
    pub(super) units: Vec<u16>,
    /// Row by row: how many chunks each pile has.
    pub(super) chunks: Vec<u8>,
    /// By row: how much the middlegame counts in each channel, of 256.
    pub(super) phases: Vec<[u16; Channel::COUNT]>,
    /// By row: White's points.
    pub(super) results: Vec<f32>,
    /// By row: what a search says, in centipawns and White's view.
    pub(super) scores: Vec<i16>,
    /// How often a unit is in a pile at most.
    pub(super) repeats: u16,
}

/// A row while its counts come in.
pub(super) struct Draft {
    piles: Box<DraftPiles>,
    /// How many of them rows have.
    count: usize,
    repeats: u16,
}

impl Draft {
    pub(super) fn new(layout: &Layout) -> Draft {
        Draft { piles: Box::new([DraftPile::EMPTY; MOST_PILES]), count: layout.piles.len(), repeats: 0 }
    }

    /// Adds a count to a sum; says whether there is any.
    #[inline]
    pub(super) fn add(&mut self, layout: &Layout, slot: usize, count: Count) -> bool {
        let repeats = layout.write(slot, count, &mut self.piles);
        if repeats > self.repeats {
            self.repeats = repeats;
        }
        repeats != 0
    }

    /// Takes all counts away; says how often a unit was there at most.
    fn clear(&mut self) -> u16 {
        self.piles.iter_mut().for_each(|pile| pile.len = 0);
        std::mem::take(&mut self.repeats)
    }
}

/// What else is known of a row.
pub(super) struct Facts {
    pub(super) phases: [i32; Channel::COUNT],
    pub(super) result: f64,
    pub(super) score: Option<i32>,
}

impl Block {
    /// How many rows there are.
    pub(super) fn len(&self) -> usize {
        self.results.len()
    }

    /// Whether there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.results.is_empty()
    }

    /// Takes all rows away; the memory stays for others.
    pub(super) fn clear(&mut self) {
        let Block { units, chunks, phases, results, scores, repeats } = self;
        units.clear();
        chunks.clear();
        phases.clear();
        results.clear();
        scores.clear();
        *repeats = 0;
    }

    /// How much memory the rows take.
    pub(super) fn bytes(&self) -> usize {
        2 * self.units.len() + self.chunks.len() + self.len() * (2 * Channel::COUNT + 4 + 2)
    }

    /// Adds a row, whose draft is empty then; says whether it is small enough for one.
    pub(super) fn push(&mut self, draft: &mut Draft, facts: &Facts) -> bool {
        if draft.piles.iter().any(|pile| pile.len > CHUNK * usize::from(u8::MAX)) {
            draft.clear();
            return false;
        }
        for DraftPile { units, len } in &mut draft.piles[..draft.count] {
            let chunks = len.div_ceil(CHUNK);
            for (place, unit) in units.iter_mut().enumerate().take(CHUNK * chunks).skip(*len) {
                *unit = (place % CHUNK) as u16;
            }
            self.units.extend_from_slice(&units[..CHUNK * chunks]);
            self.chunks.push(chunks as u8);
        }
        self.repeats = draft.clear().max(self.repeats);
        self.phases.push(facts.phases.map(|phase| phase as u16));
        self.results.push(facts.result as f32);
        let most = i32::from(i16::MAX);
        self.scores.push(facts.score.map_or(NO_SCORE, |score| score.clamp(-most, most) as i16));
        true
    }

    /// The same rows by their length: loops over them then end where the processor expects it.
    pub(super) fn sorted(&self, piles: usize) -> Block {
        let lengths = |row: usize| &self.chunks[row * piles..][..piles];
        let mut starts = Vec::with_capacity(self.len());
        let mut start = 0;
        for row in 0..self.len() {
            starts.push(start);
            start += lengths(row).iter().map(|&chunks| CHUNK * usize::from(chunks)).sum::<usize>();
        }
        // The lengths in one number, and the row behind them
        let key =
            |row: usize| lengths(row).iter().fold(0, |key, &length| key << 8 | u128::from(length)) << 16 | row as u128;
        let mut keys: Vec<u128> = (0..self.len()).map(key).collect();
        keys.sort_unstable();
        let order: Vec<usize> = keys.into_iter().map(|key| usize::from(key as u16)).collect();
        let mut sorted = Block {
            units: Vec::with_capacity(self.units.len()),
            chunks: Vec::with_capacity(self.chunks.len()),
            phases: order.iter().map(|&row| self.phases[row]).collect(),
            results: order.iter().map(|&row| self.results[row]).collect(),
            scores: order.iter().map(|&row| self.scores[row]).collect(),
            repeats: self.repeats,
        };
        for row in order {
            let end = starts.get(row + 1).copied().unwrap_or(self.units.len());
            sorted.units.extend_from_slice(&self.units[starts[row]..end]);
            sorted.chunks.extend_from_slice(lengths(row));
        }
        sorted
    }

    /// Shows each row's units, by pile.
    pub(super) fn for_each_row(&self, piles: usize, mut show: impl FnMut(usize, &[&[u16]])) {
        let mut rest = self.units.as_slice();
        let mut own = Vec::with_capacity(piles);
        for (row, chunks) in self.chunks.chunks_exact(piles).enumerate() {
            own.clear();
            for &count in chunks {
                let (units, after) = rest.split_at(CHUNK * usize::from(count));
                own.push(units);
                rest = after;
            }
            show(row, &own);
        }
    }
}
