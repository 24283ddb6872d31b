//! How sums become a value. One function, generic over the kind of number: integers in the engine, numbers that carry
//! their derivatives in the tuner.

use std::ops::{Add, Neg, Sub};

use chess::{ByColor, Color};

use super::score::Score;

/// A sum of its own: groups of terms whose sums are turned into the value in different ways.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Channel {
    /// Blended between middlegame and endgame by the phase.
    Score,
    /// King safety: blended by the phase after its own taper.
    King,
    /// Danger to the enemy's king: each side's sum counts by its square, then as the score.
    Danger,
}

impl Channel {
    /// How many there are.
    pub const COUNT: usize = 3;
    /// All of them.
    pub const ALL: [Channel; Channel::COUNT] = [Channel::Score, Channel::King, Channel::Danger];

    /// Whether the value depends on the sides' difference alone, and evenly, so that the tuner needs no more than it.
    pub const fn is_linear(self) -> bool {
        !matches!(self, Channel::Danger)
    }
}

/// More danger than this changes nothing any more.
pub(super) const MOST_DANGER: i32 = 1000;

/// A kind of number that values can be composed of.
pub trait Number: Copy + Add<Output = Self> + Sub<Output = Self> + Neg<Output = Self> {
    /// Zero.
    const ZERO: Self;

    /// A whole multiple.
    fn times(self, factor: i32) -> Self;

    /// The square of a danger, which is its worth in 256ths; nothing for less than none.
    fn danger_squared(self) -> Self;

    /// A 256th part; of integers, rounded down.
    fn part(self) -> Self;

    /// Two hundred and fifty-sixths of a unit, turned into centipawns; integers are rounded here, once.
    fn to_centipawns(self, unit: i32) -> Self;
}

/// A middlegame and an endgame number: packed in the engine, apart elsewhere.
pub trait Pair: Copy + Sub<Output = Self> {
    /// The kind of number.
    type Number: Number;

    /// Middlegame and endgame.
    fn halves(self) -> (Self::Number, Self::Number);
}

impl Pair for Score {
    type Number = i32;

    #[inline]
    fn halves(self) -> (i32, i32) {
        (self.mg(), self.eg())
    }
}

impl Number for i32 {
    const ZERO: i32 = 0;

    #[inline]
    fn times(self, factor: i32) -> i32 {
        self * factor
    }

    #[inline]
    fn danger_squared(self) -> i32 {
        let danger = self.clamp(0, MOST_DANGER);
        danger * danger
    }

    #[inline]
    fn part(self) -> i32 {
        self >> 8
    }

    #[inline]
    fn to_centipawns(self, unit: i32) -> i32 {
        if unit == 100 {
            (self + 128) >> 8
        } else {
            let (value, unit) = (i64::from(self), i64::from(unit));
            (100 * value + 128 * unit).div_euclid(256 * unit) as i32
        }
    }
}

/// A number with its derivatives with respect to `N` others.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Dual<const N: usize> {
    /// The number itself.
    pub value: f64,
    /// How it changes with each of the others.
    pub slopes: [f64; N],
}

impl<const N: usize> Dual<N> {
    /// One of the numbers that others depend on.
    pub fn variable(value: f64, place: usize) -> Dual<N> {
        let mut slopes = [0.0; N];
        slopes[place] = 1.0;
        Dual { value, slopes }
    }

    fn map(self, change: impl Fn(f64) -> f64) -> Dual<N> {
        Dual { value: change(self.value), slopes: self.slopes.map(change) }
    }

    fn join(self, other: Dual<N>, change: impl Fn(f64, f64) -> f64) -> Dual<N> {
        let slopes = std::array::from_fn(|i| change(self.slopes[i], other.slopes[i]));
        Dual { value: change(self.value, other.value), slopes }
    }
}

impl<const N: usize> Add for Dual<N> {
    type Output = Dual<N>;

    fn add(self, other: Dual<N>) -> Dual<N> {
        self.join(other, |a, b| a + b)
    }
}

impl<const N: usize> Sub for Dual<N> {
    type Output = Dual<N>;

    fn sub(self, other: Dual<N>) -> Dual<N> {
        self.join(other, |a, b| a - b)
    }
}

impl<const N: usize> Neg for Dual<N> {
    type Output = Dual<N>;

    fn neg(self) -> Dual<N> {
        self.map(|a| -a)
    }
}

impl<const N: usize> Number for Dual<N> {
    const ZERO: Dual<N> = Dual { value: 0.0, slopes: [0.0; N] };

    fn times(self, factor: i32) -> Dual<N> {
        self.map(|a| a * f64::from(factor))
    }

    fn danger_squared(self) -> Dual<N> {
        let danger = self.value.clamp(0.0, f64::from(MOST_DANGER));
        let is_inside = danger == self.value;
        Dual { value: danger * danger, slopes: self.slopes.map(|a| if is_inside { 2.0 * danger * a } else { 0.0 }) }
    }

    fn part(self) -> Dual<N> {
        self.map(|a| a / 256.0)
    }

    fn to_centipawns(self, unit: i32) -> Dual<N> {
        self.map(|a| a * 100.0 / (256.0 * f64::from(unit)))
    }
}

/// Middlegame and endgame with their derivatives.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct DualPair<const N: usize> {
    /// The middlegame number.
    pub mg: Dual<N>,
    /// The endgame number.
    pub eg: Dual<N>,
}

impl<const N: usize> Sub for DualPair<N> {
    type Output = DualPair<N>;

    fn sub(self, other: DualPair<N>) -> DualPair<N> {
        DualPair { mg: self.mg - other.mg, eg: self.eg - other.eg }
    }
}

impl<const N: usize> Pair for DualPair<N> {
    type Number = Dual<N>;

    fn halves(self) -> (Dual<N>, Dual<N>) {
        (self.mg, self.eg)
    }
}

/// One side's sums, by channel.
pub type Sums<P> = [P; Channel::COUNT];

/// What composition needs to know of the position besides its sums.
#[derive(Copy, Clone, Debug)]
pub struct Stage {
    /// The side to move, whose view the value is.
    pub turn: Color,
    /// By channel: how much the middlegame counts, of 256.
    pub phases: [i32; Channel::COUNT],
    /// Internal units per displayed pawn.
    pub unit: i32,
}

/// Values stay within this, so that no evaluation looks like a tablebase result or a mate.
pub const LIMIT: i32 = 20_000;

/// Turns both sides' sums into centipawns, from the view of the side to move.
///
/// Sums are turned to that view before anything is rounded, so that exchanging the colours changes nothing.
#[inline]
pub fn compose<P: Pair>(sums: &ByColor<Sums<P>>, stage: &Stage) -> P::Number {
    let (us, them) = stage.turn.fold_wb((sums.white, sums.black), (sums.black, sums.white));
    let mut total = P::Number::ZERO;
    for channel in [Channel::Score, Channel::King] {
        let (mg, eg) = (us[channel as usize] - them[channel as usize]).halves();
        let phase = stage.phases[channel as usize];
        total = total + mg.times(phase) + eg.times(256 - phase);
    }
    let [(our_mg, our_eg), (their_mg, their_eg)] = [us, them].map(|sums| sums[Channel::Danger as usize].halves());
    let (mg, eg) =
        (our_mg.danger_squared() - their_mg.danger_squared(), our_eg.danger_squared() - their_eg.danger_squared());
    let phase = stage.phases[Channel::Danger as usize];
    total = total + (mg.times(phase) + eg.times(256 - phase)).part();
    total.to_centipawns(stage.unit)
}
