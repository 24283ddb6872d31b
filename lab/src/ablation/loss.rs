//! How well evaluations foretell results, beside each other on the same positions.

use std::f64::consts::LN_10;

use chess::Color;
use engine::{Weights, evaluate};

use crate::data::Sample;

/// The largest scale that is tried.
pub(crate) const LARGEST_SCALE: f64 = 10.0;
/// How exactly the scale is found.
const PRECISION: f64 = 1e-6;

/// How the distance between what was foretold and what came is counted.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum LossKind {
    /// Its square.
    Squared,
    /// The logarithm of how unlikely the result was.
    Logistic,
}

impl LossKind {
    /// The loss when White's share of the points is foretold as 1/(1+e^-logit).
    pub(crate) fn of(self, logit: f64, result: f64) -> f64 {
        match self {
            LossKind::Squared => (1.0 / (1.0 + (-logit).exp()) - result).powi(2),
            LossKind::Logistic => logit.max(0.0) + (-logit.abs()).exp().ln_1p() - result * logit,
        }
    }
}

/// How well one evaluation foretells results.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Loss {
    /// The scale K of 1/(1+10^(-K·centipawns/400)) that fits best, from 0 to 10.
    pub scale: f64,
    /// The mean loss by that scale.
    pub mean: f64,
}

/// The loss without a part, beside the loss with all.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct PartLoss {
    /// Without the part, by a scale of its own.
    pub loss: Loss,
    /// How much more is lost without it.
    pub difference: f64,
    /// The standard error of the difference, position by position; positions of one game are taken as independent.
    pub error: f64,
}

/// Evaluations of the same positions by several weights.
pub struct LossTable<'w> {
    weights: Vec<&'w Weights>,
    /// By weights, then position: centipawns, White's view.
    values: Vec<Vec<i16>>,
    results: Vec<f32>,
    finished: u64,
}

impl<'w> LossTable<'w> {
    /// An empty table for these weights, the full ones first.
    pub fn new(full: &'w Weights, without: &'w [Weights]) -> LossTable<'w> {
        let weights: Vec<&Weights> = std::iter::once(full).chain(without).collect();
        LossTable { values: vec![Vec::new(); weights.len()], weights, results: Vec::new(), finished: 0 }
    }

    /// Evaluates a position by all weights. If its game is over there is nothing to foretell, and it is only counted.
    pub fn add(&mut self, labelled: &Sample) {
        let position = &labelled.position;
        if position.outcome().is_some() {
            self.finished += 1;
            return;
        }
        let sign = if position.turn() == Color::White { 1 } else { -1 };
        for (weights, values) in self.weights.iter().zip(&mut self.values) {
            // Evaluations are kept within 20000
            values.push((sign * evaluate(position, weights)) as i16);
        }
        self.results.push(labelled.result as f32);
    }

    /// How many positions there are.
    pub fn positions(&self) -> usize {
        self.results.len()
    }

    /// How many positions were left out because their game is over.
    pub fn finished(&self) -> u64 {
        self.finished
    }

    /// The loss of the full weights and of each of the others; none with fewer than two positions.
    pub fn losses(&self, kind: LossKind) -> Option<(Loss, Vec<PartLoss>)> {
        if self.positions() < 2 {
            return None;
        }
        let (first, others) = self.values.split_first()?;
        let full = self.loss(first, kind);
        let without = others.iter().map(|values| {
            let loss = self.loss(values, kind);
            let lost = self.each(values, loss.scale, kind).zip(self.each(first, full.scale, kind));
            let (difference, error) = mean_and_error(lost.map(|(without, with)| without - with));
            PartLoss { loss, difference, error }
        });
        Some((full, without.collect()))
    }

    /// The loss by the scale that fits best.
    fn loss(&self, values: &[i16], kind: LossKind) -> Loss {
        let mean = |scale: f64| self.each(values, scale, kind).sum::<f64>() / self.positions() as f64;
        let scale = smallest(mean, 0.0, LARGEST_SCALE);
        Loss { scale, mean: mean(scale) }
    }

    /// The loss of each position.
    fn each<'a>(&'a self, values: &'a [i16], scale: f64, kind: LossKind) -> impl Iterator<Item = f64> + 'a {
        let factor = scale * LN_10 / 400.0;
        let lost = move |(&value, &result): (&i16, &f32)| kind.of(factor * f64::from(value), f64::from(result));
        values.iter().zip(&self.results).map(lost)
    }
}

/// The mean and its standard error, in one pass and without large sums.
fn mean_and_error(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    let (mut count, mut mean, mut squares) = (0.0, 0.0, 0.0);
    for number in numbers {
        count += 1.0;
        let before = number - mean;
        mean += before / count;
        squares += before * (number - mean);
    }
    (mean, (squares / (count - 1.0) / count).sqrt())
}

/// Where a function with one valley is smallest: golden section.
pub(crate) fn smallest(function: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    let golden = (5_f64.sqrt() - 1.0) / 2.0;
    let (mut a, mut b) = (high - golden * (high - low), low + golden * (high - low));
    let (mut at_a, mut at_b) = (function(a), function(b));
    while high - low > PRECISION {
        if at_a <= at_b {
            (high, b, at_b) = (b, a, at_a);
            a = high - golden * (high - low);
            at_a = function(a);
        } else {
            (low, a, at_a) = (a, b, at_b);
            b = low + golden * (high - low);
            at_b = function(b);
        }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ablation::{Part, self_play};
    use std::sync::Arc;

    /// Positions whose results are what the weights foretell at a scale, without chance.
    fn labelled(weights: &Weights, scale: f64) -> Vec<Sample> {
        let positions = self_play(&Arc::new(weights.clone()), 6, 60, 5).unwrap();
        let label = |position: chess::Position| {
            let value = position.turn().fold_wb(1.0, -1.0) * f64::from(evaluate(&position, weights));
            let result = 1.0 / (1.0 + 10_f64.powf(-scale * value / 400.0));
            Sample::new(position, result)
        };
        positions.into_iter().map(label).collect()
    }

    #[test]
    fn the_scale_is_found_and_every_part_that_made_the_results_is_missed() {
        let weights = Weights::load("default").unwrap();
        // All that is seen in every game; endings of lone kings are not
        let groups = ["piece-square", "Structure", "Shelter", "Activity", "Posts", "Threats", "Danger", "Initiative"];
        let parts = Part::named_groups(&groups.map(str::to_owned), &weights).unwrap();
        let without: Vec<Weights> = parts.iter().map(|part| part.without(&weights)).collect();
        let mut table = LossTable::new(&weights, &without);
        labelled(&weights, 1.3).iter().for_each(|labelled| table.add(labelled));
        for kind in [LossKind::Squared, LossKind::Logistic] {
            let (full, lost) = table.losses(kind).unwrap();
            assert!((full.scale - 1.3).abs() < 1e-3, "{full:?}");
            assert!(kind == LossKind::Logistic || full.mean < 1e-9, "{full:?}");
            assert_eq!(lost.len(), parts.len());
            assert!(lost.iter().all(|part| part.difference > 0.0 && part.error > 0.0), "{lost:?}");
            let apart = lost.iter().map(|part| (part.loss.mean - full.mean - part.difference).abs());
            assert!(apart.fold(0.0, f64::max) < 1e-9);
        }
    }

    #[test]
    fn the_same_weights_differ_by_nothing() {
        let weights = Weights::load("default").unwrap();
        let same = [weights.clone()];
        let mut table = LossTable::new(&weights, &same);
        assert!(table.losses(LossKind::Squared).is_none());
        let finished = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1 [0.5]";
        table.add(&finished.parse().unwrap());
        labelled(&weights, 0.9).iter().for_each(|labelled| table.add(labelled));
        let (_, lost) = table.losses(LossKind::Squared).unwrap();
        assert_eq!((lost[0].difference, lost[0].error), (0.0, 0.0));
        assert_eq!(table.finished(), 1);
    }

    #[test]
    fn losses_are_what_formulas_say() {
        assert_eq!(LossKind::Squared.of(0.0, 1.0), 0.25);
        assert!((LossKind::Logistic.of(0.0, 1.0) - 2_f64.ln()).abs() < 1e-12);
        assert!((LossKind::Logistic.of(-800.0, 1.0) - 800.0).abs() < 1e-9, "no overflow");
        let (mean, error) = mean_and_error([1.0, 2.0, 3.0, 6.0].into_iter());
        assert!((mean - 3.0).abs() < 1e-12 && (error - (14.0_f64 / 3.0 / 4.0).sqrt()).abs() < 1e-12);
    }
}
