//! Elo differences, with their errors.

use std::f64::consts::{LN_10, SQRT_2};

use super::tally::{Outcomes, Tally, moments};

/// How many standard errors make a 95 % interval.
pub(crate) const Z95: f64 = 1.959_963_984_540_054;
/// What turns a score's distance from one half, in standard deviations of a game, into normalized Elo.
pub(super) const NORMALIZED: f64 = 800.0 / LN_10;

/// What results say about the difference between two players.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Estimate {
    /// Elo of the first player above the second.
    pub elo: f64,
    /// Half the width of its 95 % interval.
    pub elo_error: f64,
    /// Normalized Elo: the difference in units of a game's standard deviation.
    pub nelo: f64,
    /// Half the width of its 95 % interval.
    pub nelo_error: f64,
    /// How likely the first player is the stronger one, from 0 to 1.
    pub los: f64,
}

impl Estimate {
    /// From results; none without any.
    ///
    /// Where all results are alike, half a result of each kind is added, so that every number is finite.
    pub fn of(tally: &Tally) -> Option<Estimate> {
        if tally.games() == 0 {
            return None;
        }
        let outcomes = smoothed(tally);
        let trials: f64 = outcomes.iter().map(|(_, count)| count).sum();
        let (mean, variance) = moments(&outcomes);
        let error = (variance / trials).sqrt();
        let per_trial = tally.games_per_trial();
        let (low, high) = (elo(mean - Z95 * error, trials), elo(mean + Z95 * error, trials));
        Some(Estimate {
            elo: elo(mean, trials),
            elo_error: (high - low) / 2.0,
            nelo: (mean - 0.5) / (variance.sqrt() * per_trial.sqrt()) * NORMALIZED,
            nelo_error: Z95 * NORMALIZED / (trials * per_trial).sqrt(),
            los: normal((mean - 0.5) / error),
        })
    }
}

/// How likely a normal number is below `z`.
pub(super) fn normal(z: f64) -> f64 {
    (1.0 + libm::erf(z / SQRT_2)) / 2.0
}

/// The outcomes, with half a result of each kind added if all are alike.
fn smoothed(tally: &Tally) -> Outcomes {
    let outcomes = tally.outcomes();
    if outcomes.iter().filter(|(_, count)| *count > 0.0).count() > 1 {
        return outcomes;
    }
    outcomes.into_iter().map(|(score, count)| (score, count + 0.5)).collect()
}

/// The difference that makes a score likely. A score of nothing or everything counts as half a result away from it.
fn elo(score: f64, trials: f64) -> f64 {
    let edge = 0.5 / (trials + 1.0);
    let score = score.clamp(edge, 1.0 - edge);
    400.0 * (score / (1.0 - score)).log10()
}
