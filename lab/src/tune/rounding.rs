//! Rounding: weights are whole numbers in a file, and what rounding some of them costs is made up for by the others.
//!
//! Rounded all at once, thousands of numbers are each off by a quarter on average, and where many of them count in one
//! position, or one counts in all, the errors add up. In steps, those not yet rounded follow the data again after each: the
//! incremental quantization of networks (Zhou and others, 2017).

use super::Values;
use super::dataset::{Dataset, Part};
use super::error::TuneError;
use super::finish::{Finished, whole};
use super::kernel::Objective;
use super::precision::Errors;
use super::space::Space;
use super::train::{TrainSettings, Trainer};

/// Each step rounds so many times as many numbers as the one before; the first rounds one.
const GROWTH: usize = 2;
/// How far the others go at first, in their own units, if they went no less before.
const RATE: f64 = 0.1;
/// How often they see all positions between two steps.
const EPOCHS: u32 = 3;
/// A step that raises the loss by no more than this share has nothing to be made up for.
const NEGLIGIBLE: f64 = 1e-5;
/// A number this close to a whole one is whole already, as an anchor is.
const WHOLE: f64 = 1e-6;

/// What is rounded.
pub struct Rounding<'a> {
    /// The tuned weights, exact and rounded each for itself.
    pub finished: &'a Finished,
    /// How well they are known.
    pub errors: &'a Errors,
    /// Where the descent pulled them, in the same units.
    pub start: &'a Values,
}

/// Whole numbers for tuned weights. None if `goes_on` says no.
pub fn round_in_steps(
    data: &mut Dataset,
    space: &Space,
    rounding: &Rounding,
    objective: Objective,
    settings: TrainSettings,
    goes_on: &mut dyn FnMut() -> bool,
) -> Result<Option<Values>, TuneError> {
    let Rounding { finished: Finished { exact, rounded, .. }, errors, start } = *rounding;
    let settings = TrainSettings { rate: RATE.min(settings.rate), epochs: EPOCHS, patience: 1, ..settings };
    let part = if data.size(Part::Validation).rows > 0 { Part::Validation } else { Part::Training };
    // Frozen ones may have been scaled for an anchor: they are rounded before all others
    let mut values = rounded.clone();
    let numbers = space.gather(exact);
    space.scatter(&numbers, &mut values);
    let mut is_rounded: Vec<bool> = numbers.iter().map(|number| (number - whole(*number)).abs() < WHOLE).collect();
    let (mut left, mut step) = (surest_first(space, errors), 1);
    left.retain(|&place| !is_rounded[place]);
    let mut loss = data.loss(part, exact, objective)?;
    while !left.is_empty() {
        let later = left.split_off(step.min(left.len()));
        let mut numbers = space.gather(&values);
        for place in left {
            numbers[place] = whole(numbers[place]);
            is_rounded[place] = true;
        }
        space.scatter(&numbers, &mut values);
        (left, step) = (later, GROWTH * step);
        let before = std::mem::replace(&mut loss, data.loss(part, &values, objective)?);
        let is_worse = loss > before * (1.0 + NEGLIGIBLE);
        if let Some(rest) = space.without(&is_rounded).filter(|_| is_worse) {
            let mut trainer = Trainer::new(data, &rest, &values, objective, settings)?.pulled_to(start);
            while !trainer.is_over() {
                if trainer.epoch(goes_on)?.is_none() {
                    return Ok(None);
                }
            }
            let followed = trainer.best();
            let better = data.loss(part, &followed, objective)?;
            if better < loss {
                (values, loss) = (followed, better);
            }
        }
    }
    // Those that were whole but for the last digits
    Ok(Some(values.into_iter().map(|halves| halves.map(whole)).collect()))
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
