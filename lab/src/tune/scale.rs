//! The scale K between centipawns and chances.

use rayon::prelude::*;

use super::Values;
use super::dataset::Dataset;
use super::error::TuneError;
use crate::ablation::{LARGEST_SCALE, LossKind, smallest};

/// At most so many positions are looked at.
const POSITIONS: usize = 2_000_000;
/// Sums are made of parts of this size, in their order, whatever the number of threads.
const PART: usize = 16_384;

/// The scale by which these weights foretell results best.
pub fn fit_scale(data: &Dataset, values: &Values, kind: LossKind) -> Result<f64, TuneError> {
    let (values, results) = data.values(values, POSITIONS)?;
    let loss = |scale: f64| {
        let factor = scale * std::f64::consts::LN_10 / 400.0;
        let part = |(values, results): (&[f32], &[f32])| {
            let lost = |(&value, &result): (&f32, &f32)| kind.of(factor * f64::from(value), f64::from(result));
            values.iter().zip(results).map(lost).sum::<f64>()
        };
        let parts: Vec<f64> = values.par_chunks(PART).zip(results.par_chunks(PART)).map(part).collect();
        parts.iter().sum::<f64>() / values.len() as f64
    };
    let scale = smallest(loss, 0.0, LARGEST_SCALE);
    let is_inside = scale > 0.01 && scale < 0.99 * LARGEST_SCALE;
    if is_inside { Ok(scale) } else { Err(TuneError::NoScale(scale)) }
}
