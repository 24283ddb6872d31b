//! The hot loops: from rows to values, from values to errors, from errors to gradients.
//!
//! Rows are taken in tiles that stay in the first cache. Sums and gradients are additions of 64-bit integers that hold
//! middlegame and endgame at once, one instruction each; what is done once for each row is done for a tile in vectors. Each
//! thread has its own gradient, so that none waits for another's cache line.

use engine::{Channel, Stages, compose_slots};

use super::block::{Block, NO_SCORE};
use super::layout::{CHUNK, Layout, Units, pack, unpack, zeros};
use super::sigmoid::{WHOLE, WHOLE_BITS, sigmoid};
use crate::ablation::LossKind;

const TILE: usize = 64;
/// Gradients of a row are counted in fractions: 2 to the power of −17.
const GRADIENT_BITS: u32 = 17;
/// A row's gradient is kept within this.
const STEEPEST: f32 = 8.0;
/// A gradient stays within this in its half of an integer.
const ROOM: i64 = i32::MAX as i64;
/// Losses are summed in fractions: 2 to the power of −32.
const LOSS_BITS: u32 = 32;

/// What values should foretell.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Objective {
    /// How the distance is counted.
    pub kind: LossKind,
    /// The scale K of 1/(1+10^(-K·centipawns/400)).
    pub scale: f64,
    /// How much a search's score counts in the target; the rest is the game's result.
    pub lambda: f64,
}

impl Objective {
    /// How much the logit changes with a centipawn.
    pub(super) fn per_centipawn(&self) -> f64 {
        self.scale * std::f64::consts::LN_10 / 400.0
    }
}

/// Weights and what they should foretell, ready for rows.
pub(super) struct Kernel<'a> {
    pub(super) layout: &'a Layout,
    pub(super) table: &'a Units,
    pub(super) objective: Objective,
}

/// One thread's memory.
pub(super) struct Scratch {
    gradient: Units,
    /// How far a gradient may have come since all were last taken out of their halves.
    reach: i64,
    totals: Vec<[i64; 2]>,
    loss: i64,
    tile: Tile,
    /// For blocks that are read from a file.
    pub(super) block: Block,
}

/// What is computed for some rows at once.
struct Tile {
    /// By pile.
    piles: Vec<[i64; TILE]>,
    steps: Vec<[i64; TILE]>,
    /// By sum and half.
    sums: Vec<[[f64; TILE]; 2]>,
    slopes: Vec<[[f64; TILE]; 2]>,
    values: [f32; TILE],
    errors: [f32; TILE],
}

impl Scratch {
    pub(super) fn new(layout: &Layout) -> Scratch {
        let (piles, slots) = (layout.piles.len(), layout.slots.len());
        let tile = Tile {
            piles: vec![[0; TILE]; piles],
            steps: vec![[0; TILE]; piles],
            sums: vec![[[0.0; TILE]; 2]; slots],
            slopes: vec![[[0.0; TILE]; 2]; slots],
            values: [0.0; TILE],
            errors: [0.0; TILE],
        };
        let totals = vec![[0; 2]; layout.len()];
        Scratch { gradient: zeros(), reach: 0, totals, loss: 0, tile, block: Block::default() }
    }

    /// Adds the gradient so far, by weight and in fractions, and the loss to sums, and begins anew.
    pub(super) fn take(&mut self, layout: &Layout, gradient: &mut [[i64; 2]], loss: &mut i64) {
        if self.reach > 0 {
            settle(&mut self.gradient, &mut self.totals);
            self.reach = 0;
        }
        layout.gather(&self.totals, gradient);
        self.totals.fill([0; 2]);
        *loss += std::mem::take(&mut self.loss);
    }
}

/// Takes gradients out of their halves of integers.
fn settle(gradient: &mut Units, totals: &mut [[i64; 2]]) {
    for (total, packed) in totals.iter_mut().zip(gradient.iter_mut()) {
        let (mg, eg) = unpack(std::mem::take(packed));
        total[0] += i64::from(mg);
        total[1] += i64::from(eg);
    }
}

/// A gradient in fractions as a number.
pub(super) fn gradient_of(sum: i64) -> f64 {
    sum as f64 / f64::from(1 << GRADIENT_BITS)
}

/// A loss in fractions as a number.
pub(super) fn loss_of(sum: i64) -> f64 {
    sum as f64 / (1_u64 << LOSS_BITS) as f64
}

impl Kernel<'_> {
    /// The value of each row in centipawns, White's view.
    pub(super) fn values(&self, block: &Block, scratch: &mut Scratch, show: &mut impl FnMut(usize, f32)) {
        self.for_each_tile(block, &mut scratch.tile, |tile, start, rows, _| {
            (start..).zip(&tile.values[..rows]).for_each(|(row, &value)| show(row, value));
        });
    }

    /// The value of each row in centipawns and, by sum, how a unit of it changes the value, of full units.
    pub(super) fn sensitivities(&self, block: &Block, scratch: &mut Scratch, show: &mut impl FnMut(f32, &[[f64; 2]])) {
        let mut slopes = vec![[0.0; 2]; self.layout.slots.len()];
        self.for_each_tile(block, &mut scratch.tile, |tile, _, rows, _| {
            for row in 0..rows {
                for (slope, [mg, eg]) in slopes.iter_mut().zip(&tile.slopes) {
                    *slope = [mg[row], eg[row]];
                }
                show(tile.values[row], &slopes);
            }
        });
    }

    /// Adds up the loss.
    pub(super) fn loss(&self, block: &Block, scratch: &mut Scratch) {
        let Scratch { tile, loss, .. } = scratch;
        self.for_each_tile(block, tile, |tile, start, rows, _| *loss += self.errors(block, tile, start, rows));
    }

    /// Adds up loss and gradient: by unit, how the loss changes with the logit times how the logit changes with the sum,
    /// where one centipawn changes it by one.
    pub(super) fn gradient(&self, block: &Block, scratch: &mut Scratch) {
        let Scratch { tile, loss, gradient, reach, totals, .. } = scratch;
        let piles = self.layout.piles.len();
        self.for_each_tile(block, tile, |tile, start, rows, units| {
            *loss += self.errors(block, tile, start, rows);
            // Both sides' piles may have the same unit
            let furthest = 2 * i64::from(block.repeats) * self.steps(tile, rows);
            if *reach + furthest > ROOM {
                settle(gradient, totals);
                *reach = 0;
            }
            *reach += furthest;
            spread(&block.chunks[start * piles..][..rows * piles], units, &tile.steps, gradient);
        });
    }

    /// Computes values tile by tile and hands each over with its first row, its number of rows and its units.
    fn for_each_tile(
        &self,
        block: &Block,
        tile: &mut Tile,
        mut show: impl FnMut(&mut Tile, usize, usize, &[[u16; CHUNK]]),
    ) {
        let piles = self.layout.piles.len();
        let mut units = block.units.as_chunks().0;
        for (nth, chunks) in block.chunks.chunks(TILE * piles).enumerate() {
            let (start, rows) = (nth * TILE, chunks.len() / piles);
            let rest = sum(chunks, units, self.table, &mut tile.piles);
            self.compose(&block.phases[start..][..rows], tile);
            show(tile, start, rows, &units[..units.len() - rest.len()]);
            units = rest;
        }
    }

    /// Values of sums and how they change, by the engine's own composition and its derivatives.
    fn compose(&self, phases: &[[u16; Channel::COUNT]], tile: &mut Tile) {
        let unit = self.layout.unit;
        let fraction = f64::from(self.layout.factor()) * 256.0 * f64::from(unit) / 100.0;
        for ([mg, eg], [above, below]) in tile.sums.iter_mut().zip(self.layout.pairs()) {
            let mut packed = tile.piles[above];
            if below != above {
                packed.iter_mut().zip(&tile.piles[below]).for_each(|(sum, &less)| *sum = sum.wrapping_sub(less));
            }
            for ((mg, eg), packed) in mg.iter_mut().zip(eg).zip(packed) {
                let halves = unpack(packed);
                (*mg, *eg) = (f64::from(halves.0) * fraction, f64::from(halves.1) * fraction);
            }
        }
        let mut values = [0.0; TILE];
        compose_slots(&self.layout.slots, &tile.sums, &Stages { phases, unit }, &mut values, &mut tile.slopes);
        tile.values = values.map(|value| value as f32);
        let units_per_centipawn = f64::from(unit) / 100.0;
        tile.slopes.as_flattened_mut().as_flattened_mut().iter_mut().for_each(|slope| *slope *= units_per_centipawn);
    }

    /// How the loss of each row changes with its logit; gives the loss of all, in fractions.
    fn errors(&self, block: &Block, tile: &mut Tile, start: usize, rows: usize) -> i64 {
        let per_centipawn = self.objective.per_centipawn() as f32;
        let lambda = self.objective.lambda as f32;
        let (results, scores) = (&block.results[start..][..rows], &block.scores[start..][..rows]);
        let mut targets = [0.0; TILE];
        if lambda == 0.0 {
            targets[..rows].copy_from_slice(results);
        } else {
            for ((target, &result), &score) in targets.iter_mut().zip(results).zip(scores) {
                let share = if score == NO_SCORE { 0.0 } else { lambda };
                *target = (1.0 - share) * result + share * sigmoid(per_centipawn * f32::from(score));
            }
        }
        let mut losses = [0.0; TILE];
        let each = tile.errors.iter_mut().zip(&mut losses).zip(&tile.values).zip(&targets);
        match self.objective.kind {
            LossKind::Squared => {
                for (((error, loss), &value), &target) in each {
                    let foretold = sigmoid(per_centipawn * value);
                    let off = foretold - target;
                    *loss = off * off;
                    *error = 2.0 * off * foretold * (1.0 - foretold);
                }
            }
            LossKind::Logistic => {
                for (((error, loss), &value), &target) in each {
                    *error = sigmoid(per_centipawn * value) - target;
                    *loss = LossKind::Logistic.of(f64::from(per_centipawn * value), f64::from(target)) as f32;
                }
            }
        }
        // Each by itself, so that it does not matter which rows are together
        losses[..rows].iter().map(|&loss| (f64::from(loss) * (1_u64 << LOSS_BITS) as f64) as i64).sum()
    }

    /// What each row adds to the gradient of what it counts, by pile; gives how far a unit of every row goes at most.
    fn steps(&self, tile: &mut Tile, rows: usize) -> i64 {
        let whole = |step: f32| {
            let step = step.clamp(-STEEPEST, STEEPEST) * (1 << GRADIENT_BITS) as f32;
            (step + WHOLE).to_bits() as i32 - WHOLE_BITS
        };
        // By row: all bits of its distances from zero
        let mut bits = [0; TILE];
        for ([mg, eg], [above, below]) in tile.slopes.iter().zip(self.layout.pairs()) {
            let steps = &mut tile.steps[above];
            let each = steps.iter_mut().zip(&mut bits).zip(&tile.errors).zip(mg).zip(eg);
            for ((((step, bits), &error), &mg), &eg) in each {
                let (mg, eg) = (whole(error * mg as f32), whole(error * eg as f32));
                *bits |= (mg ^ (mg >> 31)) | (eg ^ (eg >> 31));
                *step = pack(mg, eg);
            }
            if below != above {
                tile.steps[below] = tile.steps[above].map(i64::wrapping_neg);
            }
        }
        bits[..rows].iter().map(|&bits| i64::from(bits) + 1).sum()
    }
}

/// Sums the units of each row; gives the units of later rows.
fn sum<'a>(
    chunks: &[u8],
    mut units: &'a [[u16; CHUNK]],
    table: &Units,
    sums: &mut [[i64; TILE]],
) -> &'a [[u16; CHUNK]] {
    for (row, lengths) in chunks.chunks_exact(sums.len()).enumerate() {
        for (&length, sums) in lengths.iter().zip(sums.iter_mut()) {
            let (own, rest) = units.split_at(usize::from(length));
            units = rest;
            let mut lanes = [0_i64; CHUNK];
            for chunk in own {
                for (lane, &unit) in lanes.iter_mut().zip(chunk) {
                    *lane = lane.wrapping_add(table[usize::from(unit)]);
                }
            }
            sums[row % TILE] = lanes.into_iter().fold(0, i64::wrapping_add);
        }
    }
    units
}

/// Adds to each unit of a row what the row's error says.
fn spread(chunks: &[u8], mut units: &[[u16; CHUNK]], steps: &[[i64; TILE]], gradient: &mut Units) {
    for (row, lengths) in chunks.chunks_exact(steps.len()).enumerate() {
        for (&length, steps) in lengths.iter().zip(steps) {
            let (own, rest) = units.split_at(usize::from(length));
            units = rest;
            let step = steps[row % TILE];
            for chunk in own {
                for &unit in chunk {
                    let sum = &mut gradient[usize::from(unit)];
                    *sum = sum.wrapping_add(step);
                }
            }
        }
    }
}
