//! What is found in a position, as counts: the tuner's row. It has no weights and no squares, so that positions are
//! quickly turned into rows, and a value can be composed of them again with its derivatives.

use chess::{Bitboard, ByColor, Color, Position, Square};

use super::compose::{Channel, Dual, Stage, settle, share, worth};
use super::ledger::Ledger;
use super::processor;
use super::terms::{CATALOG, Group, PARAM_COUNT, Param};
use super::weights::{Groups, Weights};

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
    /// How often; never below zero.
    pub count: i16,
}

/// Counts what is found in positions, one after the other.
#[derive(Clone, Debug)]
pub struct Counter {
    slots: Vec<Slot>,
    findings: ByColor<Box<Findings>>,
    sheet: Box<Sheet>,
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
        let slots = Channel::ALL.into_iter().flat_map(|channel| {
            let sides = if is_net(channel) { vec![None] } else { vec![Some(Color::White), Some(Color::Black)] };
            sides.into_iter().map(move |side| Slot { channel, side })
        });
        let wanted = Groups::of(|_| true);
        let findings = || Box::new(Findings { wanted, lists: [List { entries: [0; LIST], len: 0 }; Channel::COUNT] });
        let findings = ByColor { white: findings(), black: findings() };
        Counter { slots: slots.collect(), findings, sheet: Box::new([0; PLACES]) }
    }

    /// Looks for these groups alone, and has no sums but theirs. Pieces are counted always, and how far they see wherever a
    /// group needs to know what they attack.
    pub fn looking_for(mut self, is_wanted: impl Fn(Group) -> bool) -> Counter {
        let belongs = |slot: &Slot| CATALOG.iter().any(|term| term.channel == slot.channel && is_wanted(term.group));
        self.slots.retain(belongs);
        let wanted = Groups::of(is_wanted);
        self.findings.white.wanted = wanted;
        self.findings.black.wanted = wanted;
        self
    }

    /// The sums, in the order in which counts are given.
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// Shows what is found in a position, sum by sum: the place of the sum, whether the counts are to be taken away from it,
    /// and the counts, which must be gone through. A sum without a side has those in which White has more, then those in which
    /// Black has.
    #[inline]
    pub fn count(&mut self, position: &Position, mut show: impl FnMut(usize, bool, Counts<'_>)) {
        let Counter { slots, findings, sheet } = self;
        findings.white.clear();
        findings.black.clear();
        let ByColor { white, black } = findings;
        processor::survey(position, &mut ByColor { white: &mut **white, black: &mut **black });
        for (place, slot) in slots.iter().enumerate() {
            let found = |color: Color| findings.get(color).of(slot.channel);
            match slot.side {
                Some(color) => {
                    add(sheet, found(color), 1);
                    show(place, false, Counts { found: found(color), sheet, is_black: false });
                }
                None => {
                    add(sheet, found(Color::White), 1);
                    add(sheet, found(Color::Black), -1);
                    show(place, false, Counts { found: found(Color::White), sheet, is_black: false });
                    show(place, true, Counts { found: found(Color::Black), sheet, is_black: true });
                }
            }
        }
    }
}

/// Some counts of a position, each weight's once; where sides or findings cancelled out, or were counted before, zeros are among
/// them.
#[derive(Debug)]
pub struct Counts<'a> {
    found: &'a [u32],
    sheet: &'a mut Sheet,
    is_black: bool,
}

impl Counts<'_> {
    /// Shows them one by one, in the order of the findings.
    #[inline]
    pub fn for_each(self, mut show: impl FnMut(Count)) {
        let Counts { found, sheet, is_black } = self;
        // What is more than zero is White's, what is less is Black's and waits for its turn
        for &entry in found {
            let index = entry as u16;
            let sum = &mut sheet[usize::from(index)];
            let count = if is_black { -*sum } else { *sum };
            if count >= 0 {
                *sum = 0;
                show(Count { index, count });
            }
        }
    }
}

/// As many as there can be places, so that none is checked.
const PLACES: usize = 1 << u16::BITS;
const _: () = assert!(PARAM_COUNT <= PLACES);
/// The findings of a side in a channel are far fewer, whatever stands on the board.
const MOST_FOUND: usize = 1024;
/// A little more, so that lists do not begin at addresses that share places in the processor's cache.
const LIST: usize = MOST_FOUND + 80;

/// By weight: how often something was found; zeros between positions.
type Sheet = [i16; PLACES];

/// Adds what was found to a sheet, or takes it away.
#[inline]
fn add(sheet: &mut Sheet, found: &[u32], sign: i16) {
    for &entry in found {
        sheet[usize::from(entry as u16)] += sign * (entry >> u16::BITS) as i16;
    }
}

/// What was found of one side, by channel.
#[derive(Clone, Debug)]
struct Findings {
    wanted: Groups,
    lists: [List; Channel::COUNT],
}

/// Findings in their order: the place of the weight in the lower half, how often in the upper.
#[derive(Copy, Clone, Debug)]
struct List {
    entries: [u32; LIST],
    len: usize,
}

impl Findings {
    fn clear(&mut self) {
        self.lists.iter_mut().for_each(|list| list.len = 0);
    }

    #[inline]
    fn of(&self, channel: Channel) -> &[u32] {
        let List { entries, len } = &self.lists[channel as usize];
        &entries[..*len % MOST_FOUND]
    }
}

impl Ledger for &mut Findings {
    const ITEMIZES: bool = true;

    #[inline]
    fn wants(&self, group: Group) -> bool {
        self.wanted.contains(group)
    }

    #[inline]
    fn credit(&mut self, param: Param, _: Option<Square>, count: i32) {
        let List { entries, len } = &mut self.lists[param.channel as usize];
        entries[*len % MOST_FOUND] = param.index as u32 | (count as u32) << u16::BITS;
        // Without a branch, which would often be foretold wrongly
        *len += usize::from(count != 0);
    }

    #[inline]
    fn credit_each(&mut self, param: Param, squares: Bitboard) {
        self.credit(param, None, squares.count() as i32);
    }
}

/// What composition needs to know of some positions besides their sums.
#[derive(Copy, Clone, Debug)]
pub struct Stages<'a> {
    /// By position and channel: how much the middlegame counts, of 256.
    pub phases: &'a [[u16; Channel::COUNT]],
    /// Internal units per displayed pawn.
    pub unit: i32,
}

/// What is settled at the end: both leads, prospects, and what is drawish for White and for Black.
const SETTLED: usize = 5;

/// Values of some positions in centipawns, White's view, and how each changes with the middlegame and endgame half of its
/// sums. Sums and slopes are by sum, half and position.
///
/// The derivatives follow the composition: what each sum is worth, how much it counts in the leads, and how they are
/// settled.
pub fn compose_slots<const N: usize>(
    slots: &[Slot],
    sums: &[[[f64; N]; 2]],
    stages: &Stages<'_>,
    values: &mut [f64; N],
    slopes: &mut [[[f64; N]; 2]],
) {
    let mut settled = [[0.0; N]; SETTLED];
    let drawish = |slot: &Slot| if slot.side == Some(Color::Black) { 4 } else { 3 };
    for ((slot, sums), slopes) in slots.iter().zip(sums).zip(slopes.iter_mut()) {
        let sign = if slot.side == Some(Color::Black) { -1.0 } else { 1.0 };
        match slot.channel {
            Channel::Prospects => plus(&mut settled[2], &sums[1]),
            Channel::Drawish => plus(&mut settled[drawish(slot)], &sums[1]),
            channel => {
                for half in 0..2 {
                    let each = settled[half].iter_mut().zip(&mut slopes[half]).zip(&sums[half]).zip(stages.phases);
                    for (((settled, slope), &sum), phases) in each {
                        let worth = worth(channel, Dual::<1>::variable(sum, 0));
                        let share = sign * f64::from(share(phases, channel, half));
                        *settled += share * worth.value;
                        *slope = share * worth.slopes[0];
                    }
                }
            }
        }
    }
    let mut settled_slopes = [[0.0; N]; SETTLED];
    for (row, phases) in stages.phases.iter().enumerate().take(N) {
        let [mg, eg, prospects, ours, theirs]: [Dual<SETTLED>; SETTLED] =
            std::array::from_fn(|place| Dual::variable(settled[place][row], place));
        let stage = Stage { turn: Color::White, phases: phases.map(i32::from), unit: stages.unit };
        let value = settle(mg, eg, prospects, (ours, theirs), &stage);
        values[row] = value.value;
        for (slopes, slope) in settled_slopes.iter_mut().zip(value.slopes) {
            slopes[row] = slope;
        }
    }
    for (slot, [mg, eg]) in slots.iter().zip(slopes) {
        match slot.channel {
            Channel::Prospects => (*mg, *eg) = ([0.0; N], settled_slopes[2]),
            Channel::Drawish => (*mg, *eg) = ([0.0; N], settled_slopes[drawish(slot)]),
            _ => {
                multiply(mg, &settled_slopes[0]);
                multiply(eg, &settled_slopes[1]);
            }
        }
    }
}

fn plus<const N: usize>(sums: &mut [f64; N], more: &[f64; N]) {
    sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
}

fn multiply<const N: usize>(products: &mut [f64; N], factors: &[f64; N]) {
    products.iter_mut().zip(factors).for_each(|(product, factor)| *product *= factor);
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

    /// The counts of a position, by sum; those that are taken away are below zero.
    fn counts_of(counter: &mut Counter, position: &Position) -> Vec<Vec<Count>> {
        let mut counts = vec![Vec::new(); counter.slots().len()];
        counter.count(position, |slot, is_taken_away, found| {
            found.for_each(|Count { index, count }| {
                let count = if is_taken_away { -count } else { count };
                counts[slot].extend((count != 0).then_some(Count { index, count }));
            });
        });
        counts
    }

    #[test]
    fn counts_give_the_evaluation_again_whether_sides_are_apart_or_not() {
        for (name, _) in PRESETS {
            let weights = Weights::load(name).unwrap();
            let used = Counter::default().looking_for(|group| weights.uses(group));
            for mut counter in [Counter::default(), Counter::with_sides_apart(), used] {
                let slots = counter.slots().to_vec();
                // All positions at once, and each in its own place
                let mut sums = vec![[[0.0; POSITIONS.len()]; 2]; slots.len()];
                let positions = POSITIONS.map(|fen| fen.parse::<Position>().unwrap());
                for (row, position) in positions.iter().enumerate() {
                    for (sums, counts) in sums.iter_mut().zip(counts_of(&mut counter, position)) {
                        for count in counts {
                            let value = weights.values()[usize::from(count.index)] * i32::from(count.count);
                            sums[0][row] += f64::from(value.mg());
                            sums[1][row] += f64::from(value.eg());
                        }
                    }
                }
                let phases = positions.map(|position| weights.stage_of(&position).phases.map(|phase| phase as u16));
                let stages = Stages { phases: &phases, unit: weights.unit() };
                let (mut values, mut slopes) = ([0.0; POSITIONS.len()], sums.clone());
                compose_slots(&slots, &sums, &stages, &mut values, &mut slopes);
                for (position, value) in positions.iter().zip(values) {
                    let expected = position.turn().fold_wb(1, -1) * evaluate(position, &weights);
                    let off = (value - f64::from(expected)).abs();
                    assert!(off <= 0.5 + 1e-9, "{name}, {position}: {value}, {expected}");
                }
            }
        }
    }

    #[test]
    fn slopes_are_what_small_changes_do() {
        let weights = Weights::load("default").unwrap();
        let stage = weights.stage_of(&POSITIONS[1].parse().unwrap());
        let stages = Stages { phases: &[stage.phases.map(|phase| phase as u16)], unit: stage.unit };
        for slots in [Counter::default(), Counter::with_sides_apart()].map(|counter| counter.slots().to_vec()) {
            let mut sums: Vec<[[f64; 1]; 2]> = (0..slots.len()).map(|n| [[30.0 * n as f64 - 17.0], [11.0]]).collect();
            let mut slopes = sums.clone();
            compose_slots(&slots, &sums, &stages, &mut [0.0], &mut slopes);
            let value_of = |sums: &[[[f64; 1]; 2]]| {
                let mut value = [0.0];
                compose_slots(&slots, sums, &stages, &mut value, &mut sums.to_vec());
                value[0]
            };
            for (slot, half) in (0..slots.len()).flat_map(|slot| [(slot, 0), (slot, 1)]) {
                // To both sides, so that a square shows its slope exactly
                sums[slot][half][0] += 1.0;
                let above = value_of(&sums);
                sums[slot][half][0] -= 2.0;
                let change = (above - value_of(&sums)) / 2.0;
                sums[slot][half][0] += 1.0;
                assert!((change - slopes[slot][half][0]).abs() < 1e-9, "{slot} {half}: {change} {slopes:?}");
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
            let first = sorted(&counts_of(&mut counter, &position), false);
            assert_eq!(sorted(&counts_of(&mut counter, &position.mirrored()), true), first, "{fen}");
            assert_eq!(sorted(&counts_of(&mut counter, &position), false), first, "{fen}");
            assert!(first.windows(2).all(|pair| (pair[0].0, pair[0].1) != (pair[1].0, pair[1].1)), "each weight once");
        }
    }
}
