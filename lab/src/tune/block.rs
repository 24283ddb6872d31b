//! Some hundred rows, the unit in which data is kept, shuffled, read from a file and handed to threads.

use engine::{Channel, Counts};

use super::layout::{CHUNK, DraftUnits, Layout, MOST_PILES};

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

/// A row while its counts come in, pile by pile.
pub(super) struct Draft {
    units: Box<DraftUnits>,
    /// By pile: how many chunks it has.
    chunks: [u8; MOST_PILES],
    piles: usize,
    repeats: u16,
    /// Whether a pile is longer than a row may have.
    is_too_long: bool,
}

impl Draft {
    pub(super) fn new() -> Draft {
        Draft { units: Box::new(DraftUnits::EMPTY), chunks: [0; MOST_PILES], piles: 0, repeats: 0, is_too_long: false }
    }

    /// Adds the next pile; gives how many weights it has. `note` is told of weights that take more units than one: the unit
    /// of 1, and how many more.
    #[inline]
    pub(super) fn add(&mut self, layout: &Layout, counts: Counts<'_>, mut note: impl FnMut(u16, u32)) -> usize {
        let mut pile = self.units.open();
        counts.for_each(|count| {
            let more = pile.put(layout, count);
            if more > 0 {
                note(layout.first_unit(count.index), more as u32);
            }
        });
        let size = pile.close();
        self.is_too_long |= size.chunks > usize::from(u8::MAX);
        self.chunks[self.piles % MOST_PILES] = size.chunks as u8;
        self.piles += 1;
        self.repeats = self.repeats.max(size.repeats);
        size.weights
    }

    /// Takes all counts away.
    fn clear(&mut self) {
        self.units.clear();
        self.piles = 0;
        self.repeats = 0;
        self.is_too_long = false;
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
        if draft.is_too_long {
            draft.clear();
            return false;
        }
        self.units.extend_from_slice(draft.units.all());
        self.chunks.extend_from_slice(&draft.chunks[..draft.piles]);
        self.repeats = draft.repeats.max(self.repeats);
        draft.clear();
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
