//! How rows are written: each count as units of 1, 2 or 4, each unit an index into one table of weights.
//!
//! A unit's weight is kept with its sign and multiple, so that a row's sum is nothing but additions. Middlegame and endgame
//! share one 64-bit integer, in fractions of a unit of weight, and so do gradients: whole numbers add up to the same sum in
//! every order, and therefore on any number of threads and on every machine.

use engine::{Count, Slot};

/// Units of 1, 2 and 4.
const LEVELS: usize = 3;
/// A sum's units are filled up to a multiple of this, so that loops are short and end predictably.
pub(super) const CHUNK: usize = 4;
/// Weights are counted in fractions of a unit: 2 to the power of −10.
const WEIGHT_BITS: u32 = 10;
/// No weight is larger. With hundreds of units of this size a sum still fits its half of an integer.
pub(super) const LARGEST_WEIGHT: f64 = 16_000.0;
/// How many units there can be, so that sixteen bits name each.
pub(super) const UNITS: usize = 1 << 16;

/// Something for each unit. Sixteen bits can never point beyond it, so that no access is checked.
pub(super) type Units = Box<[i64; UNITS]>;

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
}

impl Layout {
    /// Whether there are few enough weights.
    pub(super) fn is_possible(&self) -> bool {
        self.len() <= UNITS
    }

    /// How many units there are. The first ones weigh nothing and fill up rows, one for each place of a chunk.
    pub(super) fn len(&self) -> usize {
        CHUNK + 2 * LEVELS * self.params
    }

    /// Whether every sum is of both sides' difference, whose share in the value is known from the phase.
    pub(super) fn is_linear(&self) -> bool {
        self.slots.iter().all(|slot| slot.side.is_none())
    }

    /// Centipawns per fraction of a weight, of 256.
    pub(super) fn factor(&self) -> f32 {
        (100.0 / (256.0 * f64::from(self.unit) * f64::from(1 << WEIGHT_BITS))) as f32
    }

    /// Writes a count as units.
    pub(super) fn write(&self, Count { index, count }: Count, units: &mut Vec<u16>) {
        let mut left = count.unsigned_abs();
        let sign = usize::from(count < 0);
        for level in (0..LEVELS).rev() {
            let unit = (CHUNK + (2 * level + sign) * self.params + usize::from(index)) as u16;
            while left >= 1 << level {
                left -= 1 << level;
                units.push(unit);
            }
        }
    }

    /// The weight of a unit and how often it counts; none for one that only fills up.
    pub(super) fn read(&self, unit: u16) -> Option<(usize, f64)> {
        let place = usize::from(unit).checked_sub(CHUNK)?;
        let (kind, param) = (place / self.params, place % self.params);
        let multiple = f64::from(1 << (kind / 2));
        Some((param, if kind % 2 == 1 { -multiple } else { multiple }))
    }

    /// Fills a table with the weights of all units.
    pub(super) fn fill(&self, values: &[[f64; 2]], table: &mut Units) {
        let whole = |value: f64| (value.clamp(-LARGEST_WEIGHT, LARGEST_WEIGHT) * f64::from(1 << WEIGHT_BITS)).round();
        for (param, &[mg, eg]) in values.iter().enumerate() {
            let packed = pack(whole(mg) as i32, whole(eg) as i32);
            for kind in 0..2 * LEVELS {
                let multiple = packed << (kind / 2);
                table[CHUNK + kind * self.params + param] = if kind % 2 == 1 { -multiple } else { multiple };
            }
        }
    }

    /// Adds up what units have gathered, by weight.
    pub(super) fn gather(&self, totals: &[[i64; 2]], sums: &mut [[i64; 2]]) {
        for (param, sum) in sums.iter_mut().enumerate() {
            for kind in 0..2 * LEVELS {
                let total = totals[CHUNK + kind * self.params + param];
                let multiple = if kind % 2 == 1 { -1 } else { 1 } << (kind / 2);
                for half in 0..2 {
                    sum[half] += multiple * total[half];
                }
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
        Layout { params: PARAM_COUNT, slots: Counter::default().slots().to_vec(), unit: 100 }
    }

    #[test]
    fn counts_survive_being_written_as_units() {
        let layout = layout();
        let mut table = zeros();
        let mut values = vec![[0.0; 2]; layout.params];
        values[7] = [12.5, -31.25];
        values[8] = [-15_999.0, 1.0];
        layout.fill(&values, &mut table);
        for count in (-20..=20).filter(|&count| count != 0) {
            for index in [7_u16, 8] {
                let mut units = Vec::new();
                layout.write(Count { index, count }, &mut units);
                let read: f64 = units.iter().map(|&unit| layout.read(unit).unwrap().1).sum();
                assert_eq!(read, f64::from(count));
                assert!(units.iter().all(|&unit| layout.read(unit).unwrap().0 == usize::from(index)));
                let (mg, eg) = unpack(units.iter().map(|&unit| table[usize::from(unit)]).sum());
                let expected = values[usize::from(index)].map(|value| value * f64::from(count) * 1024.0);
                assert_eq!([f64::from(mg), f64::from(eg)], expected);
            }
        }
        assert!((0..CHUNK as u16).all(|unit| layout.read(unit).is_none()));
    }

    #[test]
    fn what_units_gather_is_added_up_by_weight() {
        let layout = layout();
        let mut totals = vec![[0; 2]; layout.len()];
        let mut units = Vec::new();
        layout.write(Count { index: 3, count: 7 }, &mut units);
        layout.write(Count { index: 3, count: -2 }, &mut units);
        for &unit in &units {
            totals[usize::from(unit)][0] += 10;
            totals[usize::from(unit)][1] -= 1;
        }
        let mut sums = vec![[0; 2]; layout.params];
        layout.gather(&totals, &mut sums);
        // Each unit counts with its own multiple: 4 + 2 + 1 - 2
        assert_eq!(sums[3], [50, -5]);
        assert!(sums.iter().enumerate().all(|(param, &sum)| param == 3 || sum == [0, 0]));
    }
}
