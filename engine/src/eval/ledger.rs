//! Who listens to the evaluation. The evaluation never touches a weight: it reports findings (parameter, square, count)
//! to a ledger, one for each side. One kind sums weights and is the engine's evaluation; another remembers everything and
//! is the explanation and the tuner's row.

use chess::{Bitboard, Square};

use super::compose::{Channel, Sums};
use super::score::Score;
use super::terms::{Group, PARAM_COUNT, Param};
use super::weights::{Groups, Weights};

/// Listens to the findings of one side.
pub trait Ledger {
    /// Whether pieces and pairs of pawns are reported one by one; otherwise their sums come from the accumulator and from a table.
    const ITEMIZES: bool;

    /// Whether a group's findings can make a difference.
    fn wants(&self, group: Group) -> bool;

    /// Something was found `count` times, on a square if it belongs to one.
    fn credit(&mut self, param: Param, square: Option<Square>, count: i32);

    /// Something was found once on each of these squares.
    fn credit_each(&mut self, param: Param, squares: Bitboard);
}

/// Sums weights, and nothing else.
pub struct Total<'w> {
    values: &'w [Score; PARAM_COUNT],
    used: Groups,
    sums: Sums<Score>,
}

impl<'w> Total<'w> {
    /// An empty sum over these weights.
    #[inline]
    pub fn new(weights: &'w Weights) -> Total<'w> {
        Total { values: weights.values(), used: weights.used(), sums: [Score::ZERO; Channel::COUNT] }
    }

    /// The sums of the channels.
    #[inline]
    pub fn sums(&self) -> Sums<Score> {
        self.sums
    }

    /// Adds a sum that was kept elsewhere.
    #[inline]
    pub(super) fn add(&mut self, channel: Channel, score: Score) {
        self.sums[channel as usize] += score;
    }

    /// Adds all channels of a sum that was kept elsewhere.
    #[inline]
    pub(super) fn add_all(&mut self, sums: &Sums<Score>) {
        for (sum, &more) in self.sums.iter_mut().zip(sums) {
            *sum += more;
        }
    }
}

impl Ledger for Total<'_> {
    const ITEMIZES: bool = false;

    #[inline]
    fn wants(&self, group: Group) -> bool {
        self.used.contains(group)
    }

    #[inline]
    fn credit(&mut self, param: Param, _: Option<Square>, count: i32) {
        self.add(param.channel, self.values[param.index] * count);
    }

    #[inline]
    fn credit_each(&mut self, param: Param, squares: Bitboard) {
        self.credit(param, None, squares.count() as i32);
    }
}

/// Something that was found.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct Entry {
    /// What.
    pub param: Param,
    /// Where, if it belongs to a square.
    pub square: Option<Square>,
    /// How often.
    pub count: i32,
}

/// Remembers everything.
#[derive(Clone, Debug, Default)]
pub struct Itemized {
    /// What was found, in the order of the evaluation.
    pub entries: Vec<Entry>,
}

impl Ledger for Itemized {
    const ITEMIZES: bool = true;

    fn wants(&self, _: Group) -> bool {
        true
    }

    fn credit(&mut self, param: Param, square: Option<Square>, count: i32) {
        if count != 0 {
            self.entries.push(Entry { param, square, count });
        }
    }

    fn credit_each(&mut self, param: Param, squares: Bitboard) {
        for square in squares {
            self.credit(param, Some(square), 1);
        }
    }
}
