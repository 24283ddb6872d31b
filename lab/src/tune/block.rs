//! Some hundred rows, the unit in which data is kept, shuffled, read from a file and handed to threads.

use engine::{Channel, Count};

use super::layout::{CHUNK, Layout};

/// How many rows a block has at most: few enough that a batch can be divided evenly among threads.
pub(super) const ROWS: usize = 512;
/// Stands for a score that is not known.
pub(super) const NO_SCORE: i16 = i16::MIN;

/// Rows, field by field.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Block {
    /// Row by row and sum by sum: units, filled up to whole chunks.
    pub(super) units: Vec<u16>,
    /// Row by row: how many chunks each sum has.
    pub(super) chunks: Vec<u8>,
    /// By row: how much the middlegame counts in each channel, of 256.
    pub(super) phases: Vec<[u16; Channel::COUNT]>,
    /// By row: White's points.
    pub(super) results: Vec<f32>,
    /// By row: what a search says, in centipawns and White's view.
    pub(super) scores: Vec<i16>,
}

/// A row to be written.
pub(super) struct Row<'a> {
    pub(super) counts: &'a [Vec<Count>],
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

    /// How much memory the rows take.
    pub(super) fn bytes(&self) -> usize {
        2 * self.units.len() + self.chunks.len() + self.len() * (2 * Channel::COUNT + 4 + 2)
    }

    /// Adds a row; says whether it is small enough for one.
    pub(super) fn push(&mut self, layout: &Layout, row: &Row<'_>) -> bool {
        let (units_before, chunks_before) = (self.units.len(), self.chunks.len());
        for counts in row.counts {
            let start = self.units.len();
            for &count in counts {
                layout.write(count, &mut self.units);
            }
            while !(self.units.len() - start).is_multiple_of(CHUNK) {
                self.units.push(((self.units.len() - start) % CHUNK) as u16);
            }
            let Ok(chunks) = u8::try_from((self.units.len() - start) / CHUNK) else {
                self.units.truncate(units_before);
                self.chunks.truncate(chunks_before);
                return false;
            };
            self.chunks.push(chunks);
        }
        self.phases.push(row.phases.map(|phase| phase as u16));
        self.results.push(row.result as f32);
        let most = i32::from(i16::MAX);
        self.scores.push(row.score.map_or(NO_SCORE, |score| score.clamp(-most, most) as i16));
        true
    }

    /// The same rows by their length: loops over them then end where the processor expects it.
    pub(super) fn sorted(&self, slots: usize) -> Block {
        let lengths = |row: usize| &self.chunks[row * slots..][..slots];
        let mut starts = Vec::with_capacity(self.len());
        let mut start = 0;
        for row in 0..self.len() {
            starts.push(start);
            start += lengths(row).iter().map(|&chunks| CHUNK * usize::from(chunks)).sum::<usize>();
        }
        // The lengths in one number, and the row behind them
        let key =
            |row: usize| lengths(row).iter().fold(0, |key, &length| key << 8 | u64::from(length)) << 16 | row as u64;
        let mut keys: Vec<u64> = (0..self.len()).map(key).collect();
        keys.sort_unstable();
        let order: Vec<usize> = keys.into_iter().map(|key| usize::from(key as u16)).collect();
        let mut sorted = Block {
            units: Vec::with_capacity(self.units.len()),
            chunks: Vec::with_capacity(self.chunks.len()),
            phases: order.iter().map(|&row| self.phases[row]).collect(),
            results: order.iter().map(|&row| self.results[row]).collect(),
            scores: order.iter().map(|&row| self.scores[row]).collect(),
        };
        for row in order {
            let end = starts.get(row + 1).copied().unwrap_or(self.units.len());
            sorted.units.extend_from_slice(&self.units[starts[row]..end]);
            sorted.chunks.extend_from_slice(lengths(row));
        }
        sorted
    }

    /// Shows each row's units, by sum.
    pub(super) fn for_each_row(&self, slots: usize, mut show: impl FnMut(usize, &[&[u16]])) {
        let mut rest = self.units.as_slice();
        let mut sums = Vec::with_capacity(slots);
        for (row, chunks) in self.chunks.chunks_exact(slots).enumerate() {
            sums.clear();
            for &count in chunks {
                let (own, after) = rest.split_at(CHUNK * usize::from(count));
                sums.push(own);
                rest = after;
            }
            show(row, &sums);
        }
    }
}
