//! From tuned numbers to weights for a file: means of tables into material, the anchor.

use std::str::FromStr;

use engine::{Channel, PARAM_COUNT, Score, TermInfo, Weights, gauges};

use super::Values;
use super::error::TuneError;
use super::kernel::Objective;
use super::layout::LARGEST_WEIGHT;
use super::space::{Space, find};

/// A weight that shall have a certain value, for which all are scaled.
#[derive(Clone, PartialEq, Debug)]
pub struct Anchor {
    param: usize,
    half: usize,
    value: f64,
}

impl FromStr for Anchor {
    type Err = TuneError;

    /// Reads `material.pawn.eg=100`.
    fn from_str(text: &str) -> Result<Anchor, TuneError> {
        let unknown =
            || TuneError::NoWeight { name: text.to_owned(), nearest: Some("material.pawn.eg=100".to_owned()) };
        let (name, value) = text.split_once('=').ok_or_else(unknown)?;
        let found = find(name)?;
        let &[place] = found.as_slice() else { return Err(unknown()) };
        let number = value.parse().ok().filter(|value: &f64| value.is_finite() && *value > 0.0);
        let value = number.ok_or_else(|| TuneError::NoValue { name: name.to_owned(), value: value.to_owned() })?;
        Ok(Anchor { param: place / 2, half: place % 2, value })
    }
}

impl Anchor {
    /// Whether its weight can change.
    pub fn is_free(&self, space: &Space) -> bool {
        space.place(self.param, self.half).is_some()
    }

    /// By what all weights are multiplied.
    fn factor(&self, values: &Values) -> Result<f64, TuneError> {
        let value = values[self.param][self.half];
        let factor = self.value / value;
        if factor.is_finite() && (0.01..=100.0).contains(&factor) {
            return Ok(factor);
        }
        let name = format!("{}.{}", TermInfo::label(self.param), ["mg", "eg"][self.half]);
        Err(TuneError::NoAnchor { name, value, wanted: self.value })
    }
}

/// Tuned weights as they go into a file.
#[derive(Clone, PartialEq, Debug)]
pub struct Finished {
    /// Centred and scaled, but not rounded.
    pub exact: Values,
    /// Rounded to whole numbers: each for itself, until [`round_in_steps`](super::round_in_steps) has better ones.
    pub rounded: Values,
    /// By what all were multiplied for the anchor; the scale K is divided by it.
    pub factor: f64,
}

impl Finished {
    /// Centres tables and curves, scales for the anchor, and rounds.
    pub fn new(tuned: &Values, space: &Space, samples: &[u64], anchor: Option<&Anchor>) -> Result<Finished, TuneError> {
        let centred = centred(tuned, space, samples);
        let factor = anchor.map_or(Ok(1.0), |anchor| anchor.factor(&centred))?;
        let exact = scaled(&centred, factor);
        let rounded = exact.iter().map(|halves| halves.map(whole)).collect();
        Ok(Finished { exact, rounded, factor })
    }

    /// What is made small, in the units of these weights.
    pub fn objective(&self, tuned: Objective) -> Objective {
        Objective { scale: tuned.scale / self.factor, ..tuned }
    }

    /// The weights of a file.
    pub fn weights(&self, start: &Weights) -> Weights {
        let mut values = Box::new([Score::ZERO; PARAM_COUNT]);
        for (value, &[mg, eg]) in values.iter_mut().zip(&self.rounded) {
            *value = Score::new(mg as i32, eg as i32);
        }
        start.with_values(values)
    }
}

/// Weights in units that are so many times as small.
pub fn scaled(values: &Values, factor: f64) -> Values {
    let by_channel = |channel: Channel| match channel {
        Channel::Score | Channel::King | Channel::Prospects => factor,
        // What counts by its square grows as much with the root
        Channel::Danger => factor.sqrt(),
        // A share of a lead stays the same share
        Channel::Drawish => 1.0,
    };
    let of = |param: usize| by_channel(TermInfo::of(param).channel);
    values.iter().enumerate().map(|(param, halves)| halves.map(|value| value * of(param))).collect()
}

/// The nearest number that a file can hold.
pub(super) fn whole(value: f64) -> f64 {
    value.round().clamp(-LARGEST_WEIGHT, LARGEST_WEIGHT)
}

/// The numbers of weights.
pub fn values_of(weights: &Weights) -> Values {
    weights.values().iter().map(|value| [f64::from(value.mg()), f64::from(value.eg())]).collect()
}

/// Moves the mean of each table and each curve, over what was seen, into material, where all of them are free. No value of
/// a position changes.
pub fn centred(values: &Values, space: &Space, samples: &[u64]) -> Values {
    let mut values = values.clone();
    for_each_mean(space, samples, |half, seen, parts, whole| {
        let mean = seen.iter().map(|&part| values[part][half]).sum::<f64>() / seen.len() as f64;
        parts.iter().for_each(|&part| values[part][half] -= mean);
        whole.iter().for_each(|&whole| values[whole][half] += mean);
    });
    values
}

/// Shows the means that are moved: the half, the parts over which it is taken, those it is taken from, and where it goes.
pub(super) fn for_each_mean(
    space: &Space,
    samples: &[u64],
    mut show: impl FnMut(usize, &[usize], &[usize], Option<usize>),
) {
    for gauge in gauges() {
        let seen: Vec<usize> = gauge.parts.iter().copied().filter(|&part| samples[part] > 0).collect();
        for half in 0..2 {
            // A number that middlegame and endgame share cannot move by two means
            let is_free = |&param: &usize| {
                let (own, other) = (space.place(param, half), space.place(param, 1 - half));
                own.is_some() && own != other
            };
            if !seen.is_empty() && gauge.parts.iter().chain(&gauge.whole).all(is_free) {
                show(half, &seen, &gauge.parts, gauge.whole);
            }
        }
    }
}
