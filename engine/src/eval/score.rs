//! Two numbers in one integer: what something is worth in the middlegame and in the endgame.

use std::fmt;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A middlegame and an endgame value, packed: one addition adds both. Each half holds 16 bits with sign.
#[derive(Copy, Clone, Eq, PartialEq, Default)]
pub struct Score(i32);

impl Score {
    /// Nothing.
    pub const ZERO: Score = Score(0);

    /// Packs two values.
    #[inline]
    pub const fn new(mg: i32, eg: i32) -> Score {
        Score((mg << 16) + eg)
    }

    /// The middlegame value. Half a unit is added because a negative endgame value borrows one.
    #[inline]
    pub const fn mg(self) -> i32 {
        (self.0 + 0x8000) >> 16
    }

    /// The endgame value.
    #[inline]
    pub const fn eg(self) -> i32 {
        self.0 as i16 as i32
    }
}

impl Add for Score {
    type Output = Score;

    #[inline]
    fn add(self, other: Score) -> Score {
        Score(self.0 + other.0)
    }
}

impl Sub for Score {
    type Output = Score;

    #[inline]
    fn sub(self, other: Score) -> Score {
        Score(self.0 - other.0)
    }
}

impl Neg for Score {
    type Output = Score;

    #[inline]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl Mul<i32> for Score {
    type Output = Score;

    #[inline]
    fn mul(self, count: i32) -> Score {
        Score(self.0 * count)
    }
}

impl AddAssign for Score {
    #[inline]
    fn add_assign(&mut self, other: Score) {
        *self = *self + other;
    }
}

impl SubAssign for Score {
    #[inline]
    fn sub_assign(&mut self, other: Score) {
        *self = *self - other;
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "S({}, {})", self.mg(), self.eg())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn both_halves_survive_packing_and_arithmetic(
            a in (-10_000..10_000, -10_000..10_000),
            b in (-10_000..10_000, -10_000..10_000),
            count in -3..=3,
        ) {
            let halves = |score: Score| (score.mg(), score.eg());
            let (x, y) = (Score::new(a.0, a.1), Score::new(b.0, b.1));
            prop_assert_eq!(halves(x), a);
            prop_assert_eq!(halves(x + y), (a.0 + b.0, a.1 + b.1));
            prop_assert_eq!(halves(x - y), (a.0 - b.0, a.1 - b.1));
            prop_assert_eq!(halves(-x), (-a.0, -a.1));
            prop_assert_eq!(halves(x * count), (a.0 * count, a.1 * count));
        }
    }
}
