//! What is found in a position, as counts: the tuner's row. It has no weights and no squares, so that a million positions
//! a second can be turned into rows, and a value can be composed of them again with its derivatives.

use chess::{Bitboard, ByColor, Color, Position, Square};

use super::compose::{Channel, Dual, Stage, settle, worth};
use super::ledger::Ledger;
use super::processor;
use super::terms::{Group, PARAM_COUNT, Param, TermInfo};
use super::weights::Weights;

/// A sum that counts add to: of a channel, and of one side where the value is more than the sides' difference.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct Slot {
    /// The channel.
    pub channel: Channel,
    /// The side; none where White's counts less Black's say all.
    pub side: Option<Color>,
}

/// How often something was found.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct Count {
    /// The place of its weight among all weights.
    pub index: u16,
    /// How often; in a sum without a side, White's less Black's.
    pub count: i16,
}

/// Counts what is found in positions, one after the other.
#[derive(Clone, Debug)]
pub struct Counter {
    slots: Vec<Slot>,
    /// By weight: the sums that White's and Black's counts add to.
    slot_of: Box<[ByColor<u8>; PARAM_COUNT]>,
    sides: ByColor<Tally>,
    counts: Vec<Vec<Count>>,
}

impl Default for Counter {
    fn default() -> Counter {
        Counter::new(Channel::is_linear)
    }
}

impl Counter {
    /// Keeps the sides of every channel apart, also where their difference says all.
    pub fn with_sides_apart() -> Counter {
        Counter::new(|_| false)
    }

    fn new(is_net: impl Fn(Channel) -> bool) -> Counter {
        let slots: Vec<Slot> = Channel::ALL
            .into_iter()
            .flat_map(|channel| {
                let sides = if is_net(channel) { vec![None] } else { vec![Some(Color::White), Some(Color::Black)] };
                sides.into_iter().map(move |side| Slot { channel, side })
            })
            .collect();
        let slot_of = std::array::from_fn(|index| {
            let channel = TermInfo::of(index).channel;
            let of = |color: Color| {
                let takes = |slot: &Slot| slot.channel == channel && slot.side.is_none_or(|side| side == color);
                slots.iter().position(takes).map_or(0, |place| place as u8)
            };
            ByColor { white: of(Color::White), black: of(Color::Black) }
        });
        let sides = ByColor { white: Tally::default(), black: Tally::default() };
        Counter { counts: vec![Vec::new(); slots.len()], slots, slot_of: Box::new(slot_of), sides }
    }

    /// The sums, in the order in which counts are given.
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// What is found in a position, by sum; each weight at most once in a sum and in the order of the catalogue, and none
    /// with a count of zero.
    pub fn count(&mut self, position: &Position) -> &[Vec<Count>] {
        processor::survey(position, &mut self.sides);
        self.counts.iter_mut().for_each(Vec::clear);
        let ByColor { white, black } = &mut self.sides;
        for (word, (ours, theirs)) in white.found.iter_mut().zip(black.found.iter_mut()).enumerate() {
            let mut found = std::mem::take(ours) | std::mem::take(theirs);
            while found != 0 {
                let place = u64::BITS as usize * word + found.trailing_zeros() as usize;
                found &= found - 1;
                let slots = self.slot_of[place];
                let (ours, theirs) =
                    (std::mem::take(&mut white.counts[place]), std::mem::take(&mut black.counts[place]));
                let mut add = |slot: u8, count: i16| {
                    if count != 0 {
                        self.counts[usize::from(slot)].push(Count { index: place as u16, count });
                    }
                };
                if slots.white == slots.black {
                    add(slots.white, ours - theirs);
                } else {
                    add(slots.white, ours);
                    add(slots.black, theirs);
                }
            }
        }
        &self.counts
    }
}

/// Words of a set of weights.
const WORDS: usize = PARAM_COUNT.div_ceil(u64::BITS as usize);

/// One side's counts, by weight.
#[derive(Clone, Debug)]
struct Tally {
    counts: Box<[i16; PARAM_COUNT]>,
    /// What was found, as a set of bits.
    found: Box<[u64; WORDS]>,
}

impl Default for Tally {
    fn default() -> Tally {
        Tally { counts: Box::new([0; PARAM_COUNT]), found: Box::new([0; WORDS]) }
    }
}

impl Ledger for Tally {
    const ITEMIZES: bool = true;

    fn wants(&self, _: Group) -> bool {
        true
    }

    #[inline]
    fn credit(&mut self, param: Param, _: Option<Square>, count: i32) {
        self.counts[param.index] += count as i16;
        self.found[param.index / u64::BITS as usize] |= 1 << (param.index % u64::BITS as usize);
    }

    #[inline]
    fn credit_each(&mut self, param: Param, squares: Bitboard) {
        if squares.any() {
            self.credit(param, None, squares.count() as i32);
        }
    }
}

/// What is settled at the end: both leads, prospects, and what is drawish for White and for Black.
const SETTLED: usize = 5;

/// The value of sums in centipawns, White's view, and how it changes with the middlegame and endgame half of each.
///
/// The derivatives follow the composition: what each sum is worth, how much it counts in the leads, and how they are
/// settled.
pub fn compose_slots(slots: &[Slot], sums: &[[f64; 2]], stage: &Stage, slopes: &mut [[f64; 2]]) -> f64 {
    let mut settled = [0.0; SETTLED];
    let drawish = |slot: &Slot| if slot.side == Some(Color::Black) { 4 } else { 3 };
    for ((slot, sum), slopes) in slots.iter().zip(sums).zip(slopes.iter_mut()) {
        let sign = if slot.side == Some(Color::Black) { -1.0 } else { 1.0 };
        match slot.channel {
            Channel::Prospects => settled[2] += sum[1],
            Channel::Drawish => settled[drawish(slot)] += sum[1],
            channel => {
                for half in 0..2 {
                    let Dual { value, slopes: [slope] } = worth(channel, Dual::<1>::variable(sum[half], 0));
                    let share = sign * f64::from(stage.share(channel, half));
                    settled[half] += share * value;
                    slopes[half] = share * slope;
                }
            }
        }
    }
    let [mg, eg, prospects, ours, theirs]: [Dual<SETTLED>; SETTLED] =
        std::array::from_fn(|place| Dual::variable(settled[place], place));
    let value = settle(mg, eg, prospects, (ours, theirs), stage);
    for (slot, slopes) in slots.iter().zip(slopes) {
        *slopes = match slot.channel {
            Channel::Prospects => [0.0, value.slopes[2]],
            Channel::Drawish => [0.0, value.slopes[drawish(slot)]],
            _ => [slopes[0] * value.slopes[0], slopes[1] * value.slopes[1]],
        };
    }
    value.value
}

impl Weights {
    /// What composition needs to know of a position besides its sums.
    pub fn stage_of(&self, position: &Position) -> Stage {
        self.stage(position.turn(), self.phase_model().sum(position))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::evaluate;
    use crate::eval::weights::PRESETS;

    const POSITIONS: [&str; 4] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "6k1/1PP2pp1/7p/3QQ3/8/n4B2/1r3PPP/3R2K1 b - - 0 1",
    ];

    #[test]
    fn counts_give_the_evaluation_again_whether_sides_are_apart_or_not() {
        for mut counter in [Counter::default(), Counter::with_sides_apart()] {
            let slots = counter.slots().to_vec();
            for (name, _) in PRESETS {
                let weights = Weights::load(name).unwrap();
                for fen in POSITIONS {
                    let position: Position = fen.parse().unwrap();
                    let sums = counter.count(&position).iter().map(|counts| {
                        counts.iter().fold([0.0, 0.0], |[mg, eg], count| {
                            let value = weights.values()[usize::from(count.index)] * i32::from(count.count);
                            [mg + f64::from(value.mg()), eg + f64::from(value.eg())]
                        })
                    });
                    let sums: Vec<[f64; 2]> = sums.collect();
                    let mut slopes = vec![[0.0; 2]; slots.len()];
                    let value = compose_slots(&slots, &sums, &weights.stage_of(&position), &mut slopes);
                    let expected = position.turn().fold_wb(1, -1) * evaluate(&position, &weights);
                    assert!((value - f64::from(expected)).abs() <= 0.5 + 1e-9, "{name}, {fen}: {value}, {expected}");
                }
            }
        }
    }

    #[test]
    fn slopes_are_what_small_changes_do() {
        let weights = Weights::load("default").unwrap();
        let stage = weights.stage_of(&POSITIONS[1].parse().unwrap());
        for slots in [Counter::default(), Counter::with_sides_apart()].map(|counter| counter.slots().to_vec()) {
            let mut sums: Vec<[f64; 2]> = (0..slots.len()).map(|n| [30.0 * n as f64 - 17.0, 11.0]).collect();
            let mut slopes = vec![[0.0; 2]; slots.len()];
            let mut unused = slopes.clone();
            compose_slots(&slots, &sums, &stage, &mut slopes);
            for (slot, half) in (0..slots.len()).flat_map(|slot| [(slot, 0), (slot, 1)]) {
                // To both sides, so that a square shows its slope exactly
                sums[slot][half] += 1.0;
                let above = compose_slots(&slots, &sums, &stage, &mut unused);
                sums[slot][half] -= 2.0;
                let change = (above - compose_slots(&slots, &sums, &stage, &mut unused)) / 2.0;
                sums[slot][half] += 1.0;
                assert!((change - slopes[slot][half]).abs() < 1e-9, "{slot} {half}: {change} {slopes:?}");
            }
        }
    }

    #[test]
    fn a_counter_can_be_used_again_and_mirrored_positions_have_opposite_counts() {
        let mut counter = Counter::default();
        let slots = counter.slots().to_vec();
        for fen in POSITIONS {
            let position: Position = fen.parse().unwrap();
            // Exchanging the colours turns differences round, and exchanges what is kept by side
            let sorted = |counts: &[Vec<Count>], is_mirrored: bool| {
                let of_slot = |(slot, counts): (&Slot, &Vec<Count>)| -> Vec<(bool, u16, i16)> {
                    let sign = if is_mirrored && slot.side.is_none() { -1 } else { 1 };
                    let is_white = slot.side.is_some_and(|side| side.is_white() != is_mirrored);
                    counts.iter().map(|count| (is_white, count.index, sign * count.count)).collect()
                };
                let mut all: Vec<_> = slots.iter().zip(counts).flat_map(of_slot).collect();
                all.sort_unstable();
                all
            };
            let first = sorted(counter.count(&position), false);
            assert_eq!(sorted(counter.count(&position.mirrored()), true), first, "{fen}");
            assert_eq!(sorted(counter.count(&position), false), first, "{fen}");
            assert!(first.windows(2).all(|pair| (pair[0].0, pair[0].1) != (pair[1].0, pair[1].1)), "each weight once");
        }
    }
}
