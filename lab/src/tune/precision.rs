//! How well weights are known: standard errors from the curvature of the loss.
//!
//! For the squared loss the covariance is that of least squares, the mean squared error times the inverse of Σ J·Jᵀ, where J
//! is how a position's foretold points change with the free numbers; for the logistic loss it is the inverse of the Fisher
//! information. Positions are taken as independent, which those of one game are not: the true errors are larger.

use std::collections::BTreeMap;

use nalgebra::DMatrix;
use rayon::prelude::*;

use super::Values;
use super::dataset::{Dataset, Part};
use super::error::TuneError;
use super::finish::for_each_mean;
use super::kernel::{Kernel, Objective, Scratch};
use super::layout::zeros;
use super::space::Space;
use crate::ablation::LossKind;

/// At most so many positions are looked at; what they say is scaled to all.
const POSITIONS: usize = 250_000;
/// With more free numbers only the diagonal is looked at: errors are then too small where weights go together.
const LARGEST_MATRIX: usize = 3_000;
/// Parts of the sum, added in their order, whatever the number of threads.
const LANES: usize = 4;
/// A weight of which the data says nothing is known no better than this.
const PRIOR: f64 = 1_000.0;

/// By weight and half: its standard error in its own units; none for frozen ones.
pub type Errors = Vec<[Option<f64>; 2]>;

/// Part of the information.
struct Lane {
    matrix: DMatrix<f64>,
    squared_error: f64,
    rows: usize,
}

/// Standard errors of weights after their means were moved as for a file, and multiplied by `factor`.
pub fn standard_errors(
    data: &Dataset,
    space: &Space,
    values: &Values,
    objective: Objective,
    factor: f64,
) -> Result<Errors, TuneError> {
    let size = space.numbers();
    let is_full = size <= LARGEST_MATRIX;
    let columns = if is_full { size } else { 1 };
    let rows = data.size(Part::Training).rows as usize;
    let chosen: Vec<u32> = data.blocks(Part::Training).iter().copied().step_by(rows.div_ceil(POSITIONS)).collect();
    let mut table = zeros();
    data.layout.fill(values, &mut table);
    let kernel = Kernel { layout: &data.layout, table: &table, objective };
    let lanes: Vec<Lane> = (0..LANES)
        .into_par_iter()
        .map(|lane| {
            let mut sum = Lane { matrix: DMatrix::zeros(size, columns), squared_error: 0.0, rows: 0 };
            let mut scratch = Scratch::new(&data.layout);
            for &number in chosen.iter().skip(lane).step_by(LANES) {
                add_block(data, space, &kernel, number, &mut scratch, &mut sum)?;
            }
            Ok(sum)
        })
        .collect::<Result<_, TuneError>>()?;

    let looked_at: usize = lanes.iter().map(|lane| lane.rows).sum();
    let noise = match objective.kind {
        LossKind::Squared => lanes.iter().map(|lane| lane.squared_error).sum::<f64>() / looked_at as f64,
        LossKind::Logistic => 1.0,
    };
    let mut matrix = DMatrix::zeros(size, columns);
    lanes.iter().for_each(|lane| matrix += &lane.matrix);
    let per_unit = data.logit_per_unit(objective);
    matrix *= per_unit * per_unit * (rows as f64 / looked_at as f64) / noise.max(f64::MIN_POSITIVE);
    let covariance = if is_full {
        for place in 0..size {
            matrix[(place, place)] += 1.0 / (PRIOR * PRIOR);
        }
        matrix.cholesky().map(|cholesky| cholesky.inverse())
    } else {
        Some(matrix.map(|information| 1.0 / (information + 1.0 / (PRIOR * PRIOR))))
    };
    let variance = |form: &[(usize, f64)]| match &covariance {
        Some(covariance) if is_full => {
            let pairs = form.iter().flat_map(|a| form.iter().map(move |b| (a, b)));
            pairs.map(|(a, b)| a.1 * b.1 * covariance[(a.0, b.0)]).sum::<f64>()
        }
        Some(diagonal) => form.iter().take(1).map(|&(place, _)| diagonal[(place, 0)]).sum(),
        None => PRIOR * PRIOR,
    };
    let errors = forms(data, space).into_iter();
    Ok(errors
        .map(|halves| halves.map(|form| (!form.is_empty()).then(|| factor * variance(&form).max(0.0).sqrt())))
        .collect())
}

/// Adds what the rows of a block say.
fn add_block(
    data: &Dataset,
    space: &Space,
    kernel: &Kernel<'_>,
    number: u32,
    scratch: &mut Scratch,
    lane: &mut Lane,
) -> Result<(), TuneError> {
    let mut block = std::mem::take(&mut scratch.block);
    let rows = data.storage.get(number, &mut block)?;
    let slots = data.layout.slots.len();
    let (mut values, mut slopes) = (Vec::new(), Vec::new());
    kernel.sensitivities(rows, scratch, &mut |value, slope| {
        values.push(f64::from(value));
        slopes.extend_from_slice(slope);
    });
    let is_full = lane.matrix.ncols() > 1 || space.numbers() == 1;
    let mut row_slopes = vec![0.0; space.numbers()];
    let mut found: Vec<usize> = Vec::new();
    rows.for_each_row(data.layout.piles.len(), |row, piles| {
        for (units, pile) in piles.iter().zip(&data.layout.piles) {
            let sign = if pile.is_taken_away { -1.0 } else { 1.0 };
            let slope = slopes[row * slots + pile.slot].map(|slope| sign * slope);
            for (param, multiple) in units.iter().filter_map(|&unit| data.layout.read(unit)) {
                for (half, slope) in slope.iter().enumerate() {
                    if let Some(place) = space.place(param, half) {
                        if row_slopes[place] == 0.0 {
                            found.push(place);
                        }
                        row_slopes[place] += multiple * slope;
                    }
                }
            }
        }
        let foretold = 1.0 / (1.0 + (-kernel.objective.per_centipawn() * values[row]).exp());
        let spread = foretold * (1.0 - foretold);
        let weight = match kernel.objective.kind {
            LossKind::Squared => spread * spread,
            LossKind::Logistic => spread,
        };
        lane.squared_error += (foretold - f64::from(rows.results[row])).powi(2);
        lane.rows += 1;
        found.sort_unstable();
        found.dedup();
        for &a in &found {
            let slope = weight * row_slopes[a];
            if is_full {
                let mut column = lane.matrix.column_mut(a);
                found.iter().for_each(|&b| column[b] += slope * row_slopes[b]);
            } else {
                lane.matrix[(a, 0)] += slope * row_slopes[a];
            }
        }
        found.drain(..).for_each(|place| row_slopes[place] = 0.0);
    });
    scratch.block = block;
    Ok(())
}

/// What each weight of a file is made of: free numbers and how much they count.
fn forms(data: &Dataset, space: &Space) -> Vec<[Vec<(usize, f64)>; 2]> {
    let own = |param: usize, half: usize| space.place(param, half).map(|place| (place, 1.0)).into_iter().collect();
    let mut forms: Vec<[Vec<(usize, f64)>; 2]> =
        (0..data.layout.params).map(|param| [own(param, 0), own(param, 1)]).collect();
    for_each_mean(space, &data.samples, |half, seen, parts, whole| {
        let share = 1.0 / seen.len() as f64;
        let mut mean: BTreeMap<usize, f64> = BTreeMap::new();
        for &(place, count) in seen.iter().flat_map(|&part| &forms[part][half]) {
            *mean.entry(place).or_default() += share * count;
        }
        let mut add = |param: usize, sign: f64| {
            forms[param][half].extend(mean.iter().map(|(&place, &count)| (place, sign * count)));
        };
        parts.iter().for_each(|&part| add(part, -1.0));
        whole.iter().for_each(|&whole| add(whole, 1.0));
    });
    forms
}
