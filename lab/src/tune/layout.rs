//! How rows are written: each count as units of 1, 2 or 4, each unit an index into one table of weights.
//!
//! A unit's weight is kept with its multiple, so that a row's sum is nothing but additions. A sum that is a difference has two
//! piles of units, one to add and one to take away: with units of either sign the table would be twice as large, and too
//! large for the fastest memory. Middlegame and endgame share one 64-bit integer, in fractions of a unit of weight, and so do
//! gradients: whole numbers add up to the same sum in every order, and therefore on any number of threads and on every
//! machine.

use engine::{Count, Slot};

/// Units of 1, 2 and 4.
const LEVELS: usize = 3;
/// A pile's units are filled up to a multiple of this, so that loops are short and end predictably.
pub(super) const CHUNK: usize = 4;
/// Weights are counted in fractions of a unit: 2 to the power of −10.
const WEIGHT_BITS: u32 = 10;
/// No weight is larger. With hundreds of units of this size a sum still fits its half of an integer.
pub(super) const LARGEST_WEIGHT: f64 = 16_000.0;
/// Room for a row's units, more than any row may have.
const ROW: usize = 1 << 14;
/// So many units of 4 are written at once, whether they count or not.
const AT_ONCE: usize = 8;
/// How many sums and piles there can be: a row's lengths, eight bits each, and its place are sorted as one number.
pub(super) const MOST_PILES: usize = 14;
/// How many units there can be, so that sixteen bits name each.
pub(super) const UNITS: usize = 1 << 16;

/// Something for each unit. Sixteen bits can never point beyond it, so that no access is checked.
pub(super) type Units = Box<[i64; UNITS]>;

/// By unit: how often it was found.
pub(super) type Found = [u32; UNITS];

/// Zeros.
pub(super) fn zeros() -> Units {
    vec![0; UNITS].into_boxed_slice().try_into().unwrap_or_else(|_| Box::new([0; UNITS]))
}

/// What a row's numbers mean.
#[derive(Clone, PartialEq, Debug)]
pub struct Layout {
    /// How many weights there are.
    pub params: usize,
    /// The sums of a row.
    pub slots: Vec<Slot>,
    /// Units of weight per displayed pawn.
    pub unit: i32,
    /// The piles of a row, in the order of their sums.
    pub(super) piles: Vec<Pile>,
    /// By sum: the piles of counts above and below zero.
    piles_of: [[u8; 2]; MOST_PILES],
}

/// Units that are added to a sum, or taken away.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(super) struct Pile {
    /// The place of the sum.
    pub(super) slot: usize,
    pub(super) is_taken_away: bool,
}

/// The units of a row while counts come in, pile by pile.
pub(super) struct DraftUnits {
    units: [u16; ROW + AT_ONCE],
    len: usize,
}

/// The last pile of a row while counts come in.
pub(super) struct OpenPile<'a> {
    row: &'a mut DraftUnits,
    end: usize,
    /// Units of a weight besides its first.
    besides: usize,
    repeats: u16,
}

/// What is in a pile.
pub(super) struct PileSize {
    /// How many chunks its units fill.
    pub(super) chunks: usize,
    /// How many weights have a count.
    pub(super) weights: usize,
    /// How often a unit is in it at most.
    pub(super) repeats: u16,
}

impl DraftUnits {
    pub(super) const EMPTY: DraftUnits = DraftUnits { units: [0; ROW + AT_ONCE], len: 0 };

    /// All units so far.
    pub(super) fn all(&self) -> &[u16] {
        &self.units[..self.len % ROW]
    }

    /// Takes all units away.
    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    /// Begins the next pile.
    #[inline]
    pub(super) fn open(&mut self) -> OpenPile<'_> {
        let end = self.len;
        OpenPile { row: self, end, besides: 0, repeats: 0 }
    }
}

impl OpenPile<'_> {
    /// Writes a count as units; gives how many it takes besides one.
    #[inline]
    pub(super) fn put(&mut self, layout: &Layout, Count { index, count }: Count) -> usize {
        let OpenPile { row: DraftUnits { units, .. }, end, besides, repeats } = self;
        let first = layout.first_unit(index);
        // Nearly all, and without a branch for those that cancelled out
        if count <= 1 {
            units[*end % ROW] = first;
            *end += count as usize;
            return 0;
        }
        // The others without one, too, unless there are very many
        let (before, count) = (*end + 1, count as u16);
        let fours = count >> (LEVELS - 1);
        *repeats = fours.max(*repeats);
        let (four, place) = (first + (2 * layout.params) as u16, *end % ROW);
        units[place..place + AT_ONCE].fill(four);
        for place in place + AT_ONCE..place + usize::from(fours) {
            units[place % ROW] = four;
        }
        *end += usize::from(fours);
        units[*end % ROW] = first + layout.params as u16;
        *end += usize::from(count >> 1 & 1);
        units[*end % ROW] = first;
        *end += usize::from(count & 1);
        *besides += *end - before;
        *end - before
    }

    /// Fills up the last chunk.
    #[inline]
    pub(super) fn close(self) -> PileSize {
        let OpenPile { row: DraftUnits { units, len }, end, besides, repeats } = self;
        for place in end..end + CHUNK - 1 {
            units[place % ROW] = (place % CHUNK) as u16;
        }
        let start = std::mem::replace(len, end.next_multiple_of(CHUNK));
        let weights = end - start - besides;
        PileSize { chunks: (*len - start) / CHUNK, weights, repeats: repeats.max(u16::from(weights > 0)) }
    }
}

impl Layout {
    /// Counts of one side are never below zero, so that its sums need one pile.
    pub(super) fn new(params: usize, slots: Vec<Slot>, unit: i32) -> Layout {
        let (mut piles, mut piles_of) = (Vec::new(), [[0; 2]; MOST_PILES]);
        for (slot, Slot { side, .. }) in slots.iter().enumerate() {
            let above = piles.len();
            piles.push(Pile { slot, is_taken_away: false });
            if side.is_none() {
                piles.push(Pile { slot, is_taken_away: true });
            }
            piles_of[slot] = [above as u8, piles.len() as u8 - 1];
        }
        Layout { params, slots, unit, piles, piles_of }
    }

    /// Whether there are few enough weights and sums.
    pub(super) fn is_possible(&self) -> bool {
        self.len() <= UNITS && self.piles.len() <= MOST_PILES
    }

    /// The piles of counts above and below zero of each sum.
    pub(super) fn pairs(&self) -> impl Iterator<Item = [usize; 2]> {
        self.piles_of.iter().take(self.slots.len()).map(|pair| pair.map(usize::from))
    }

    /// How many units there are. The first ones weigh nothing and fill up rows, one for each place of a chunk.
    pub(super) fn len(&self) -> usize {
        CHUNK + LEVELS * self.params
    }

    /// Centipawns per fraction of a weight, of 256.
    pub(super) fn factor(&self) -> f32 {
        (100.0 / (256.0 * f64::from(self.unit) * f64::from(1 << WEIGHT_BITS))) as f32
    }

    /// A weight's unit of 1.
    #[inline]
    pub(super) fn first_unit(&self, index: u16) -> u16 {
        CHUNK as u16 + index
    }

    /// The weight of a unit and how often it counts; none for one that only fills up.
    pub(super) fn read(&self, unit: u16) -> Option<(usize, f64)> {
        let place = usize::from(unit).checked_sub(CHUNK)?;
        Some((place % self.params, f64::from(1 << (place / self.params))))
    }

    /// Fills a table with the weights of all units.
    pub(super) fn fill(&self, values: &[[f64; 2]], table: &mut Units) {
        let whole = |value: f64| (value.clamp(-LARGEST_WEIGHT, LARGEST_WEIGHT) * f64::from(1 << WEIGHT_BITS)).round();
        for (param, &[mg, eg]) in values.iter().enumerate() {
            let packed = pack(whole(mg) as i32, whole(eg) as i32);
            for level in 0..LEVELS {
                table[CHUNK + level * self.params + param] = packed << level;
            }
        }
    }

    /// Adds up by weight how often units were found, and begins anew.
    pub(super) fn take_found(&self, found: &mut Found) -> Vec<u32> {
        let mut sums = vec![0; self.params];
        for found in found[CHUNK..].chunks_exact_mut(self.params).take(LEVELS) {
            for (sum, found) in sums.iter_mut().zip(found) {
                *sum = u32::wrapping_add(*sum, std::mem::take(found));
            }
        }
        sums
    }

    /// Adds up what units have gathered, by weight.
    pub(super) fn gather(&self, totals: &[[i64; 2]], sums: &mut [[i64; 2]]) {
        for (level, totals) in totals[CHUNK..].chunks_exact(self.params).enumerate() {
            for (sum, total) in sums.iter_mut().zip(totals) {
                sum[0] += total[0] << level;
                sum[1] += total[1] << level;
            }
        }
    }
}

/// Two numbers in one, so that both are added at once.
#[inline]
pub(super) fn pack(mg: i32, eg: i32) -> i64 {
    (i64::from(mg) << 32).wrapping_add(i64::from(eg))
}

/// Both numbers again; half a unit is added because a negative second one borrows from the first.
#[inline]
pub(super) fn unpack(packed: i64) -> (i32, i32) {
    ((packed.wrapping_add(1 << 31) >> 32) as i32, packed as i32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::{Counter, PARAM_COUNT};

    pub(super) fn layout() -> Layout {
        Layout::new(PARAM_COUNT, Counter::default().slots().to_vec(), 100)
    }

    /// The units of a count, and what the pile says of them.
    fn written(layout: &Layout, count: Count) -> (Vec<u16>, PileSize) {
        let mut row = Box::new(DraftUnits::EMPTY);
        let mut pile = row.open();
        let besides = pile.put(layout, count);
        let size = pile.close();
        let units: Vec<u16> = row.all().iter().copied().filter(|&unit| layout.read(unit).is_some()).collect();
        assert_eq!(units.len(), if count.count > 0 { besides + 1 } else { 0 });
        assert_eq!((size.chunks, row.all().len()), (units.len().div_ceil(CHUNK), units.len().next_multiple_of(CHUNK)));
        (units, size)
    }

    #[test]
    fn counts_survive_being_written_as_units() {
        let layout = layout();
        let mut table = zeros();
        let mut values = vec![[0.0; 2]; layout.params];
        values[7] = [12.5, -31.25];
        values[8] = [-15_999.0, 1.0];
        layout.fill(&values, &mut table);
        for (index, count) in [7_u16, 8].into_iter().flat_map(|index| (0..=80).map(move |count| (index, count))) {
            let (units, size) = written(&layout, Count { index, count });
            assert_eq!(units.iter().map(|&unit| layout.read(unit).unwrap().1).sum::<f64>(), f64::from(count));
            assert!(units.iter().all(|&unit| layout.read(unit).unwrap().0 == usize::from(index)));
            let times = |unit: u16| units.iter().filter(|other| **other == unit).count();
            let repeats = units.iter().map(|&unit| times(unit)).max().unwrap_or(0);
            assert_eq!((size.weights, usize::from(size.repeats)), (usize::from(count > 0), repeats));
            let (mg, eg) = unpack(units.iter().map(|&unit| table[usize::from(unit)]).sum());
            let expected = values[usize::from(index)].map(|value| value * f64::from(count) * 1024.0);
            if expected.iter().all(|value| value.abs() < f64::from(i32::MAX)) {
                assert_eq!([f64::from(mg), f64::from(eg)], expected);
            }
        }
        assert!((0..CHUNK as u16).all(|unit| layout.read(unit).is_none()));
    }

    #[test]
    fn piles_follow_each_other_in_whole_chunks() {
        let layout = layout();
        let mut row = Box::new(DraftUnits::EMPTY);
        for first in [10, 20] {
            let mut pile = row.open();
            for index in first..first + 3 {
                pile.put(&layout, Count { index, count: 1 });
                pile.put(&layout, Count { index: 99, count: 0 });
            }
            assert_eq!((pile.close().chunks, row.all().len() % CHUNK), (1, 0));
        }
        let [a, b] = [10, 20].map(|index| layout.first_unit(index));
        assert_eq!(row.all(), [a, a + 1, a + 2, 3, b, b + 1, b + 2, 3]);
        row.clear();
        assert!(row.all().is_empty());
    }

    #[test]
    fn what_units_gather_is_added_up_by_weight() {
        let layout = layout();
        let mut totals = vec![[0; 2]; layout.len()];
        for unit in written(&layout, Count { index: 3, count: 7 }).0 {
            totals[usize::from(unit)][0] += 10;
            totals[usize::from(unit)][1] -= 1;
        }
        let mut found = Box::new([0; UNITS]);
        written(&layout, Count { index: 3, count: 7 }).0.iter().for_each(|&unit| found[usize::from(unit)] += 1);
        assert_eq!((layout.take_found(&mut found)[3], layout.take_found(&mut found)[3]), (3, 0));
        let mut sums = vec![[0; 2]; layout.params];
        layout.gather(&totals, &mut sums);
        // Each unit counts with its own multiple: 4 + 2 + 1
        assert_eq!(sums[3], [70, -7]);
        assert!(sums.iter().enumerate().all(|(param, &sum)| param == 3 || sum == [0, 0]));
    }

    #[test]
    fn differences_have_two_piles_and_sums_of_a_side_have_one() {
        let layout = layout();
        for (slot, piles) in layout.pairs().enumerate() {
            let [above, below] = piles.map(|pile| layout.piles[pile]);
            assert_eq!((above.slot, below.slot, above.is_taken_away), (slot, slot, false));
            assert_eq!(below.is_taken_away, layout.slots[slot].side.is_none());
        }
    }
}
