//! What one sample alone tells: ranges of plies, values and men.

use std::ops::RangeInclusive;

use crate::data::sample::Sample;

/// Keeps or drops a sample by what it is.
pub trait Criterion {
    /// What is dropped, in some words.
    fn drops(&self) -> &'static str;

    /// Whether a sample is kept.
    fn keeps(&mut self, sample: &Sample) -> bool;
}

/// Keeps plies in a range; samples whose ply is not known are dropped.
pub struct Plies(pub RangeInclusive<u32>);

impl Criterion for Plies {
    fn drops(&self) -> &'static str {
        "ply out of range or unknown"
    }

    fn keeps(&mut self, sample: &Sample) -> bool {
        sample.ply.is_some_and(|ply| self.0.contains(&ply))
    }
}

/// Keeps values up to so many centipawns for either side; samples without a value are kept.
pub struct Values(pub u32);

impl Criterion for Values {
    fn drops(&self) -> &'static str {
        "value too large"
    }

    fn keeps(&mut self, sample: &Sample) -> bool {
        sample.value.is_none_or(|value| value.unsigned_abs() <= self.0)
    }
}

/// Keeps positions with at least so many men, kings and pawns among them: those with fewer are the endgame tables'.
pub struct Men(pub usize);

impl Criterion for Men {
    fn drops(&self) -> &'static str {
        "too few pieces"
    }

    fn keeps(&mut self, sample: &Sample) -> bool {
        sample.position.occupied().count() >= self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(line: &str) -> Sample {
        line.parse().unwrap()
    }

    #[test]
    fn each_range_keeps_its_ends() {
        let ply = |number: u32| sample(&format!("4k3/8/8/8/8/8/4P3/4K3 w - - 0 {number} [0.5]"));
        let mut plies = Plies(8..=20);
        assert_eq!([4, 5, 11, 12].map(|number| plies.keeps(&ply(number))), [false, true, true, false]);
        assert!(!plies.keeps(&sample("4k3/8/8/8/8/8/4P3/4K3 w - - [0.5]")));
        let value = |value: i32| sample(&format!("4k3/8/8/8/8/8/4P3/4K3 w - - | {value} | 0.5"));
        let mut values = Values(300);
        assert_eq!([-301, -300, 300, 301].map(|number| values.keeps(&value(number))), [false, true, true, false]);
        assert!(values.keeps(&sample("4k3/8/8/8/8/8/4P3/4K3 w - - [0.5]")));
        assert!(!values.keeps(&value(i32::MIN + 1)));
        assert_eq!([3, 4].map(|least| Men(least).keeps(&value(0))), [true, false]);
    }
}
