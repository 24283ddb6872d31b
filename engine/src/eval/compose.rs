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
    /// How much there is to play for: both sides' endgame sums together move the endgame away from level, or towards it.
    Prospects,
    /// What makes it hard to win: the endgame of the side that is ahead loses so many 64ths.
    Drawish,
}

impl Channel {
    /// How many there are.
    pub const COUNT: usize = 5;
    /// All of them.
    pub const ALL: [Channel; Channel::COUNT] =
        [Channel::Score, Channel::King, Channel::Danger, Channel::Prospects, Channel::Drawish];

    /// Whether the value depends on the sides' difference alone, and evenly, so that the tuner needs no more than it.
    pub const fn is_linear(self) -> bool {
        matches!(self, Channel::Score | Channel::King)
    }
}

/// More danger than this changes nothing any more.
pub(super) const MOST_DANGER: i32 = 1000;
/// The endgame counts by so many parts where nothing makes it hard to win.
pub(super) const WHOLE_SCALE: i32 = 64;
/// It never counts by more parts than this.
pub(super) const MOST_SCALE: i32 = 128;

/// A kind of number that values can be composed of.
pub trait Number: Copy + Add<Output = Self> + Sub<Output = Self> + Neg<Output = Self> {
    /// Zero.
    const ZERO: Self;

    /// A whole multiple.
    fn times(self, factor: i32) -> Self;

    /// Whether it is less than zero.
    fn is_negative(self) -> bool;

    /// The square of a danger, which is its worth in 256ths; nothing for less than none.
    fn danger_squared(self) -> Self;

    /// Further from zero by some amount, or nearer by a negative one, but never across.
    fn away_from_zero(self, amount: Self) -> Self;

    /// By [`WHOLE_SCALE`] and less by so many parts, within bounds.
    fn scaled(self, less: Self) -> Self;

    /// 2 to the power of −22 of a unit, turned into centipawns; integers are rounded here, once.
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
    type Number = i64;

    #[inline]
    fn halves(self) -> (i64, i64) {
        (i64::from(self.mg()), i64::from(self.eg()))
    }
}

impl Number for i64 {
    const ZERO: i64 = 0;

    #[inline]
    fn times(self, factor: i32) -> i64 {
        self * i64::from(factor)
    }

    #[inline]
    fn is_negative(self) -> bool {
        self < 0
    }

    #[inline]
    fn danger_squared(self) -> i64 {
        let danger = self.clamp(0, i64::from(MOST_DANGER));
        danger * danger
    }

    #[inline]
    fn away_from_zero(self, amount: i64) -> i64 {
        self.signum() * (self.abs() + amount).max(0)
    }

    #[inline]
    fn scaled(self, less: i64) -> i64 {
        self * (i64::from(WHOLE_SCALE) - less).clamp(0, i64::from(MOST_SCALE))
    }

    #[inline]
    fn to_centipawns(self, unit: i32) -> i64 {
        if unit == 100 {
            (self + (1 << 21)) >> 22
        } else {
            let unit = i64::from(unit);
            (100 * self + (unit << 21)).div_euclid(unit << 22)
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
    #[inline]
    pub fn variable(value: f64, place: usize) -> Dual<N> {
        let mut slopes = [0.0; N];
        slopes[place] = 1.0;
        Dual { value, slopes }
    }

    #[inline]
    fn map(self, change: impl Fn(f64) -> f64) -> Dual<N> {
        Dual { value: change(self.value), slopes: self.slopes.map(change) }
    }

    #[inline]
    fn join(self, other: Dual<N>, change: impl Fn(f64, f64) -> f64) -> Dual<N> {
        let slopes = std::array::from_fn(|i| change(self.slopes[i], other.slopes[i]));
        Dual { value: change(self.value, other.value), slopes }
    }
}

impl<const N: usize> Add for Dual<N> {
    type Output = Dual<N>;

    #[inline]
    fn add(self, other: Dual<N>) -> Dual<N> {
        self.join(other, |a, b| a + b)
    }
}

impl<const N: usize> Sub for Dual<N> {
    type Output = Dual<N>;

    #[inline]
    fn sub(self, other: Dual<N>) -> Dual<N> {
        self.join(other, |a, b| a - b)
    }
}

impl<const N: usize> Neg for Dual<N> {
    type Output = Dual<N>;

    #[inline]
    fn neg(self) -> Dual<N> {
        self.map(|a| -a)
    }
}

impl<const N: usize> Number for Dual<N> {
    const ZERO: Dual<N> = Dual { value: 0.0, slopes: [0.0; N] };

    #[inline]
    fn times(self, factor: i32) -> Dual<N> {
        self.map(|a| a * f64::from(factor))
    }

    #[inline]
    fn is_negative(self) -> bool {
        self.value < 0.0
    }

    #[inline]
    fn danger_squared(self) -> Dual<N> {
        let danger = self.value.clamp(0.0, f64::from(MOST_DANGER));
        let is_inside = danger == self.value;
        Dual { value: danger * danger, slopes: self.slopes.map(|a| if is_inside { 2.0 * danger * a } else { 0.0 }) }
    }

    #[inline]
    fn away_from_zero(self, amount: Dual<N>) -> Dual<N> {
        if self.value == 0.0 || self.value.abs() + amount.value <= 0.0 {
            Dual::ZERO
        } else if self.value < 0.0 {
            self - amount
        } else {
            self + amount
        }
    }

    #[inline]
    fn scaled(self, less: Dual<N>) -> Dual<N> {
        let wanted = f64::from(WHOLE_SCALE) - less.value;
        let scale = wanted.clamp(0.0, f64::from(MOST_SCALE));
        let slope = if scale == wanted { -self.value } else { 0.0 };
        let slopes = std::array::from_fn(|i| self.slopes[i] * scale + less.slopes[i] * slope);
        Dual { value: self.value * scale, slopes }
    }

    #[inline]
    fn to_centipawns(self, unit: i32) -> Dual<N> {
        self.map(|a| a * 100.0 / (f64::from(1 << 22) * f64::from(unit)))
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

impl Stage {
    /// How much the middlegame (half 0) or the endgame (half 1) counts in a channel, of 256.
    #[inline]
    pub(super) fn share(&self, channel: Channel, half: usize) -> i32 {
        share(&self.phases, channel, half)
    }
}

/// The same of phases alone.
#[inline]
pub(super) fn share<T: Copy + Into<i32>>(phases: &[T; Channel::COUNT], channel: Channel, half: usize) -> i32 {
    let phase = phases[channel as usize].into();
    if half == 0 { phase } else { 256 - phase }
}

/// Values stay within this, so that no evaluation looks like a tablebase result or a mate.
pub const LIMIT: i32 = 20_000;

/// A composed value within the limit.
#[inline]
pub(super) fn limited(value: i64) -> i32 {
    value.clamp(-i64::from(LIMIT), i64::from(LIMIT)) as i32
}

/// Turns both sides' sums into centipawns, from the view of the side to move.
///
/// Sums are turned to that view before anything is rounded, so that exchanging the colours changes nothing.
#[inline(always)]
pub fn compose<P: Pair>(sums: &ByColor<Sums<P>>, stage: &Stage) -> P::Number {
    let (us, them) = stage.turn.fold_wb((&sums.white, &sums.black), (&sums.black, &sums.white));
    let of = |sums: &Sums<P>, channel: Channel| sums[channel as usize].halves().1;
    settle(
        lead(us, them, stage, 0),
        lead(us, them, stage, 1),
        of(us, Channel::Prospects) + of(them, Channel::Prospects),
        (of(us, Channel::Drawish), of(them, Channel::Drawish)),
        stage,
    )
}

/// Channels whose sums make up each side's share of middlegame and endgame.
pub(super) const COUNTED: [Channel; 3] = [Channel::Score, Channel::King, Channel::Danger];

/// One side's lead in the middlegame (half 0) or the endgame (half 1), in 2 to the power of −16 of a unit.
#[inline]
pub(super) fn lead<P: Pair>(us: &Sums<P>, them: &Sums<P>, stage: &Stage, half: usize) -> P::Number {
    COUNTED.into_iter().fold(P::Number::ZERO, |total, channel| {
        let of = |sums: &Sums<P>| {
            let (mg, eg) = sums[channel as usize].halves();
            worth(channel, if half == 0 { mg } else { eg })
        };
        total + (of(us) - of(them)).times(stage.share(channel, half))
    })
}

/// What a side's sum is worth, in 256ths of a unit.
#[inline]
pub(super) fn worth<N: Number>(channel: Channel, sum: N) -> N {
    match channel {
        Channel::Danger => sum.danger_squared(),
        _ => sum.times(256),
    }
}

/// The value of both leads: the endgame with what there is to play for, and by what makes it hard to win for the side that
/// is ahead.
#[inline]
pub(super) fn settle<N: Number>(mg: N, eg: N, prospects: N, (ours, theirs): (N, N), stage: &Stage) -> N {
    let eg = eg.away_from_zero(prospects.times(256).times(stage.share(Channel::Prospects, 1)));
    let eg = eg.scaled(if eg.is_negative() { theirs } else { ours });
    (mg.times(WHOLE_SCALE) + eg).to_centipawns(stage.unit)
}
