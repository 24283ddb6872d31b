//! Rounding: weights are whole numbers in a file, and what rounding some of them costs is made up for by the others.
//!
//! Rounded all at once, thousands of numbers are each off by a quarter on average, and where many of them count in one
//! position, or one counts in all, the errors add up. In steps, those not yet rounded follow the data again after each: the
//! incremental quantization of networks (Zhou and others, 2017).

use super::Values;
use super::dataset::Dataset;
use super::error::TuneError;
use super::finish::whole;
use super::kernel::Objective;
use super::precision::Errors;
use super::space::Space;
use super::train::{TrainSettings, Trainer};

/// Each step rounds so many times as many numbers as the one before; the first rounds one.
const GROWTH: usize = 2;
/// How far the others go at first, in their own units.
const RATE: f64 = 0.1;
/// How often they see all positions between two steps.
const EPOCHS: u32 = 3;
/// A step that raises the loss by no more than this share has nothing to be made up for.
const NEGLIGIBLE: f64 = 1e-5;

/// Whole numbers for tuned weights. None if `goes_on` says no.
pub fn round_in_steps(
    data: &mut Dataset,
    space: &Space,
    exact: &Values,
    errors: &Errors,
    objective: Objective,
    settings: TrainSettings,
    goes_on: &mut dyn FnMut() -> bool,
) -> Result<Option<Values>, TuneError> {
    let settings = TrainSettings { rate: RATE, epochs: EPOCHS, patience: 1, ..settings };
    // Frozen ones may have been scaled for an anchor: they are rounded before all others
    let mut values: Values = exact.iter().map(|halves| halves.map(whole)).collect();
    space.scatter(&space.gather(exact), &mut values);
    let mut is_rounded = vec![false; space.numbers()];
    let (mut left, mut step) = (surest_first(space, errors), 1);
    let mut loss = f64::NEG_INFINITY;
    while !left.is_empty() {
        let later = left.split_off(step.min(left.len()));
        let mut numbers = space.gather(&values);
        for place in left {
            numbers[place] = whole(numbers[place]);
            is_rounded[place] = true;
        }
        space.scatter(&numbers, &mut values);
        (left, step) = (later, GROWTH * step);
        if let Some(rest) = space.without(&is_rounded) {
            let mut trainer = Trainer::new(data, &rest, &values, objective, settings)?;
            let is_worse = trainer.best_loss() > loss * (1.0 + NEGLIGIBLE);
            while is_worse && !trainer.is_over() {
                if trainer.epoch(goes_on)?.is_none() {
                    return Ok(None);
                }
            }
            (values, loss) = (trainer.best(), trainer.best_loss());
        }
    }
    Ok(Some(values))
}

/// The free numbers, those first that the data knows best: what they are off by counts in many positions and has to be made
/// up for, and what nobody is left to make up for at the end hardly counts.
fn surest_first(space: &Space, errors: &Errors) -> Vec<usize> {
    let mut least = vec![f64::INFINITY; space.numbers()];
    for (param, errors) in errors.iter().enumerate() {
        for (half, error) in errors.iter().enumerate() {
            if let (Some(place), Some(error)) = (space.place(param, half), *error) {
                least[place] = least[place].min(error);
            }
        }
    }
    let mut order: Vec<usize> = (0..least.len()).collect();
    order.sort_by(|&a, &b| least[a].total_cmp(&least[b]));
    order
}
