//! How games went on from positions with a value and an amount of material.

use std::ops::RangeInclusive;

use engine::wdl::{FULL, Model, material, winning};

use crate::data::Sample;

/// Values farther from level say nothing about the curves.
pub const MOST: i32 = 2000;

/// Amounts of material, in pawns, that are shown together.
pub const MATERIALS: [RangeInclusive<u32>; 4] = [0..=19, 20..=39, 40..=59, 60..=FULL];

/// Values that are shown together, in the view of the side that is ahead.
pub const VALUES: [RangeInclusive<i32>; 10] =
    [0..=24, 25..=49, 50..=99, 100..=149, 150..=199, 200..=299, 300..=399, 400..=599, 600..=999, 1000..=MOST];

const COLUMNS: usize = MOST as usize + 1;

/// What one sample says: material, value, and whether the side that is ahead won, drew or lost (0, 1, 2).
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Verdict {
    /// It counts.
    Counts {
        /// The material of both sides, in pawns.
        material: u32,
        /// The value, in the view of the side that is ahead.
        value: u32,
        /// 0 if that side won, 1 if it drew, 2 if it lost.
        outcome: usize,
    },
    /// It has no value, or its result is none of a game.
    Silent,
    /// Its value is beyond [`MOST`].
    Decided,
}

impl Verdict {
    /// What a sample says.
    pub fn of(sample: &Sample) -> Verdict {
        let Some(value) = sample.value else { return Verdict::Silent };
        let Some(white) = [1.0, 0.5, 0.0].iter().position(|&points| points == sample.result) else {
            return Verdict::Silent;
        };
        if !(-MOST..=MOST).contains(&value) {
            return Verdict::Decided;
        }
        let outcome = if value >= 0 { white } else { 2 - white };
        Verdict::Counts { material: material(&sample.position), value: value.unsigned_abs(), outcome }
    }
}

/// Counts of outcomes by material and value. The model is the same for both sides, so that only the distance from level
/// counts, and who is ahead.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcomes {
    counts: Vec<[u64; 3]>,
    /// Samples that say nothing.
    pub silent: u64,
    /// Samples whose value is too far from level.
    pub decided: u64,
}

impl Default for Outcomes {
    fn default() -> Outcomes {
        Outcomes { counts: vec![[0; 3]; (FULL as usize + 1) * COLUMNS], silent: 0, decided: 0 }
    }
}

impl Outcomes {
    /// Counts a sample.
    pub fn add(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Counts { material, value, outcome } => {
                self.counts[material as usize * COLUMNS + value as usize][outcome] += 1;
            }
            Verdict::Silent => self.silent += 1,
            Verdict::Decided => self.decided += 1,
        }
    }

    /// How many samples count.
    pub fn total(&self) -> u64 {
        self.results().iter().sum()
    }

    /// How often the side that was ahead won, drew and lost.
    pub fn results(&self) -> [u64; 3] {
        self.counts.iter().fold([0; 3], |[won, drawn, lost], [w, d, l]| [won + w, drawn + d, lost + l])
    }

    /// What was met: material, value, and how often it was won, drawn and lost.
    pub(super) fn met(&self) -> impl Iterator<Item = (u32, f64, [u64; 3])> {
        let met = self.counts.iter().enumerate().filter(|(_, counts)| **counts != [0; 3]);
        met.map(|(place, counts)| ((place / COLUMNS) as u32, (place % COLUMNS) as f64, *counts))
    }
}

/// What curves foretell for some values and materials, beside what happened; in the view of the side that is ahead.
#[derive(Clone, PartialEq, Debug)]
pub struct Cell {
    /// Which amounts of material.
    pub material: RangeInclusive<u32>,
    /// Which values.
    pub value: RangeInclusive<i32>,
    /// How many positions.
    pub positions: u64,
    /// Their mean value.
    pub mean_value: f64,
    /// Shares that should be won, drawn and lost.
    pub foretold: [f64; 3],
    /// Shares that were.
    pub observed: [f64; 3],
}

/// Compares curves with games, over [`MATERIALS`] and [`VALUES`]; cells without positions are left out.
pub fn calibration(outcomes: &Outcomes, model: &Model) -> Vec<Cell> {
    let cells = MATERIALS.iter().flat_map(|material| VALUES.iter().map(move |value| (material, value)));
    cells.filter_map(|(material, value)| cell(outcomes, model, material, value)).collect()
}

fn cell(
    outcomes: &Outcomes,
    model: &Model,
    material: &RangeInclusive<u32>,
    values: &RangeInclusive<i32>,
) -> Option<Cell> {
    let (mut positions, mut value_sum, mut foretold, mut observed) = (0, 0.0, [0.0; 3], [0.0; 3]);
    for (amount, value, counts) in outcomes.met() {
        if !material.contains(&amount) || !values.contains(&(value as i32)) {
            continue;
        }
        let count: u64 = counts.iter().sum();
        let (even, spread) = model.at(amount);
        let (win, loss) = (winning(value, even, spread), winning(-value, even, spread));
        positions += count;
        value_sum += value * count as f64;
        for (outcome, share) in [win, 1.0 - win - loss, loss].into_iter().enumerate() {
            foretold[outcome] += share * count as f64;
            observed[outcome] += counts[outcome] as f64;
        }
    }
    let share = |sums: [f64; 3]| sums.map(|sum| sum / positions as f64);
    (positions > 0).then(|| Cell {
        material: material.clone(),
        value: values.clone(),
        positions,
        mean_value: value_sum / positions as f64,
        foretold: share(foretold),
        observed: share(observed),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(value: Option<i32>, result: f64) -> Sample {
        Sample { value, ..Sample::new(chess::Position::initial(), result) }
    }

    #[test]
    fn samples_are_seen_from_the_side_that_is_ahead() {
        let counted = |value, outcome| Verdict::Counts { material: FULL, value, outcome };
        assert_eq!(Verdict::of(&sample(Some(30), 1.0)), counted(30, 0));
        assert_eq!(Verdict::of(&sample(Some(-30), 1.0)), counted(30, 2));
        assert_eq!(Verdict::of(&sample(Some(-2000), 0.0)), counted(2000, 0));
        assert_eq!(Verdict::of(&sample(Some(7), 0.5)), counted(7, 1));
        assert_eq!(Verdict::of(&sample(Some(i32::MIN), 0.5)), Verdict::Decided);
        assert_eq!(Verdict::of(&sample(None, 1.0)), Verdict::Silent);
        assert_eq!(Verdict::of(&sample(Some(7), 0.7)), Verdict::Silent);
    }

    #[test]
    fn every_value_and_material_is_in_one_cell() {
        let mut outcomes = Outcomes::default();
        for material in 0..=FULL {
            for value in 0..=MOST as u32 {
                outcomes.add(Verdict::Counts { material, value, outcome: (value % 3) as usize });
            }
        }
        let cells = calibration(&outcomes, &Model { even: &[200.0], spread: &[80.0] });
        assert_eq!(cells.len(), MATERIALS.len() * VALUES.len());
        assert_eq!(cells.iter().map(|cell| cell.positions).sum::<u64>(), outcomes.total());
        for cell in &cells {
            assert!((cell.foretold.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            assert!((cell.observed.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            assert!(cell.value.contains(&(cell.mean_value as i32)));
        }
        assert!(calibration(&Outcomes::default(), &engine::wdl::MODEL).is_empty());
    }
}
