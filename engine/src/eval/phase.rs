//! How much of the middlegame is left, from 256 (all) to 0 (none).

use chess::{ByRole, Position, Role};

/// One linear form for all models: a weight for each piece on the board, an offset, a divisor, rounding, and a clamp.
///
/// `phase = (Σ weight + offset) / divisor`, rounded to the nearest whole number and kept within 0 and 256.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct PhaseModel {
    /// What each piece on the board adds.
    pub weights: ByRole<i32>,
    /// What is added once.
    pub offset: i32,
    /// What the sum is divided by; positive.
    pub divisor: i32,
}

impl PhaseModel {
    /// What the sum is without any piece: the offset, and half a divisor so that division rounds to the nearest.
    #[inline]
    pub fn empty_sum(&self) -> i32 {
        self.offset + self.divisor / 2
    }

    /// The sum for a position.
    pub fn sum(&self, position: &Position) -> i32 {
        let weight = |role: Role| self.weights.get(role) * position.by_role(role).count() as i32;
        self.empty_sum() + Role::ALL.into_iter().map(weight).sum::<i32>()
    }

    /// The phase that a sum means.
    #[inline]
    pub fn phase(&self, sum: i32) -> i32 {
        ((sum.max(0) as u32 / self.divisor as u32) as i32).min(256)
    }
}

/// How king safety fades as the middlegame ends.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
pub enum Taper {
    /// With the phase.
    #[default]
    Linear,
    /// Slowly at first and last and fast about the midpoint.
    Sigmoid {
        /// The phase at which half of it is left.
        midpoint: i32,
        /// How many units of phase the fast part spans to either side.
        width: i32,
    },
}

impl Taper {
    /// For each phase, how much the middlegame counts. All at 256 and nothing at 0, whatever the shape.
    ///
    /// The curve is t/√(1+t²): a sigmoid made of operations that give the same result on every machine.
    pub fn table(self) -> [i32; 257] {
        let curve = |phase: i32| match self {
            Taper::Linear => f64::from(phase),
            Taper::Sigmoid { midpoint, width } => {
                let t = f64::from(phase - midpoint) / f64::from(width);
                t / (1.0 + t * t).sqrt()
            }
        };
        let (low, high) = (curve(0), curve(256));
        std::array::from_fn(|phase| (256.0 * (curve(phase as i32) - low) / (high - low)).round() as i32)
    }
}
