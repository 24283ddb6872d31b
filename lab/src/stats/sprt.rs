//! The sequential probability ratio test: playing on until one of two hypotheses is proven.
//!
//! The likelihoods are those of the most likely distributions of pair results that fit each hypothesis (generalised SPRT,
//! after Michel Van den Bergh).

use std::f64::consts::SQRT_2;
use std::str::FromStr;

use thiserror::Error;

use super::elo::NORMALIZED;
use super::tally::{Outcomes, Tally, moments};

/// In which unit the hypotheses are given.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Model {
    /// Normalized Elo: in units of a game's standard deviation. The usual one.
    Normalized,
    /// Logistic Elo: by the expected score.
    Logistic,
}

/// Two hypotheses and the errors that are allowed.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: Model,
}

/// Why a test makes no sense.
#[derive(Copy, Clone, PartialEq, Debug, Error)]
pub enum SprtError {
    /// The hypotheses do not differ, or the wrong way.
    #[error("elo0 is {0} and elo1 is {1}, but elo1 must be the larger")]
    Hypotheses(f64, f64),
    /// An error that no test can keep.
    #[error("{name} is {value}, but must be above 0 and below 0.5")]
    ErrorRate {
        /// Alpha or beta.
        name: &'static str,
        /// Its value.
        value: f64,
    },
}

/// Reads `elo0=0,elo1=5,alpha=0.05,beta=0.05,model=normalized`; only the first two are needed.
impl FromStr for Sprt {
    type Err = String;

    fn from_str(text: &str) -> Result<Sprt, String> {
        let (mut elo0, mut elo1, mut alpha, mut beta, mut model) = (None, None, 0.05, 0.05, Model::Normalized);
        for part in text.split(',') {
            let (key, value) = part.split_once('=').ok_or_else(|| format!("{part:?} is not KEY=VALUE"))?;
            let number = || value.parse::<f64>().map_err(|_| format!("{key} needs a number, not {value:?}"));
            match key {
                "elo0" => elo0 = Some(number()?),
                "elo1" => elo1 = Some(number()?),
                "alpha" => alpha = number()?,
                "beta" => beta = number()?,
                "model" if value == "normalized" => model = Model::Normalized,
                "model" if value == "logistic" => model = Model::Logistic,
                _ => return Err(format!("\"{key}={value}\" is not known; there are elo0, elo1, alpha, beta, model")),
            }
        }
        let (Some(elo0), Some(elo1)) = (elo0, elo1) else { return Err("elo0 and elo1 are needed".to_owned()) };
        Sprt::new(elo0, elo1, alpha, beta, model).map_err(|error| error.to_string())
    }
}

/// What a test says so far.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Verdict {
    /// The first hypothesis is accepted: not stronger by elo1.
    H0,
    /// The second hypothesis is accepted.
    H1,
    /// More games are needed.
    Undecided,
}

impl Sprt {
    /// A test of `elo0` against `elo1` with error rates `alpha` and `beta`.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: Model) -> Result<Sprt, SprtError> {
        let ordered = elo0 < elo1 && elo0.is_finite() && elo1.is_finite();
        if !ordered {
            return Err(SprtError::Hypotheses(elo0, elo1));
        }
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            let possible = 0.0 < value && value < 0.5;
            if !possible {
                return Err(SprtError::ErrorRate { name, value });
            }
        }
        Ok(Sprt { elo0, elo1, alpha, beta, model })
    }

    /// The two hypotheses.
    pub fn hypotheses(&self) -> (f64, f64) {
        (self.elo0, self.elo1)
    }

    /// The log-likelihood ratios at which the first and the second hypothesis is accepted.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of results.
    pub fn llr(&self, tally: &Tally) -> f64 {
        if tally.games() == 0 {
            return 0.0;
        }
        // A result that never came counts a thousandth, so that no hypothesis is impossible
        let outcomes: Outcomes = tally.outcomes().into_iter().map(|(score, count)| (score, count.max(1e-3))).collect();
        let total: f64 = outcomes.iter().map(|(_, count)| count).sum();
        let observed: Outcomes = outcomes.iter().map(|&(score, count)| (score, count / total)).collect();
        let likeliest = |elo: f64| match self.model {
            Model::Normalized => {
                likeliest_with_t(&observed, SQRT_2.powf(tally.games_per_trial() - 1.0) * elo / NORMALIZED)
            }
            Model::Logistic => likeliest_with_mean(&observed, 1.0 / (1.0 + 10f64.powf(-elo / 400.0))),
        };
        let (p0, p1) = (likeliest(self.elo0), likeliest(self.elo1));
        let ratio = observed.iter().zip(p0.iter().zip(&p1)).map(|((_, p), (p0, p1))| p * (p1 / p0).ln());
        total * ratio.sum::<f64>()
    }

    /// Whether the test is over.
    pub fn verdict(&self, llr: f64) -> Verdict {
        let (lower, upper) = self.bounds();
        match llr {
            llr if llr >= upper => Verdict::H1,
            llr if llr <= lower => Verdict::H0,
            _ => Verdict::Undecided,
        }
    }
}

/// The distribution closest to what was observed whose mean is given.
fn likeliest_with_mean(observed: &[(f64, f64)], mean: f64) -> Vec<f64> {
    let deviations: Vec<(f64, f64)> = observed.iter().map(|&(score, p)| (score - mean, p)).collect();
    tilted(&deviations)
}

/// The distribution closest to what was observed whose mean lies `t` of its own standard deviations above one half.
///
/// The condition is linearised about the last guess, and the guess improved until it stands still.
fn likeliest_with_t(observed: &[(f64, f64)], t: f64) -> Vec<f64> {
    let mut guess: Vec<f64> = vec![1.0 / observed.len() as f64; observed.len()];
    for _ in 0..50 {
        let current: Vec<(f64, f64)> = observed.iter().zip(&guess).map(|(&(score, _), &p)| (score, p)).collect();
        let (mean, variance) = moments(&current);
        let sigma = variance.sqrt();
        let condition = |score: f64| score - 0.5 - t * sigma * (1.0 + ((score - mean) / sigma).powi(2)) / 2.0;
        let deviations: Vec<(f64, f64)> = observed.iter().map(|&(score, p)| (condition(score), p)).collect();
        let next = tilted(&deviations);
        let change = guess.iter().zip(&next).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        guess = next;
        if change < 1e-12 {
            break;
        }
    }
    guess
}

/// Probabilities p/(1 + x·d) under which the deviations d average to zero.
fn tilted(deviations: &[(f64, f64)]) -> Vec<f64> {
    let x = multiplier(deviations);
    deviations.iter().map(|(d, p)| p / (1.0 + x * d)).collect()
}

/// Solves Σ p·d/(1 + x·d) = 0: the sum falls from +∞ to −∞ between its two poles. Newton's steps, and halves of the
/// interval where these lead too little further.
fn multiplier(deviations: &[(f64, f64)]) -> f64 {
    let largest = deviations.iter().map(|(d, _)| *d).fold(f64::MIN, f64::max);
    let smallest = deviations.iter().map(|(d, _)| *d).fold(f64::MAX, f64::min);
    if largest <= 0.0 || smallest >= 0.0 {
        return 0.0;
    }
    let (mut low, mut high) = (-1.0 / largest, -1.0 / smallest);
    let (mut x, mut before) = (0.0, f64::INFINITY);
    for _ in 0..400 {
        let parts = deviations.iter().map(|(d, p)| (p * d / (1.0 + x * d), d / (1.0 + x * d)));
        let (sum, slope) = parts.fold((0.0, 0.0), |(sum, slope), (part, d)| (sum + part, slope - part * d));
        if sum > 0.0 {
            low = x;
        } else {
            high = x;
        }
        let newton = x - sum / slope;
        let is_better = low < newton && newton < high && sum.abs() < before / 2.0;
        let next = if is_better { newton } else { (low + high) / 2.0 };
        before = sum.abs();
        if (next - x).abs() < 1e-14 {
            return next;
        }
        x = next;
    }
    x
}
