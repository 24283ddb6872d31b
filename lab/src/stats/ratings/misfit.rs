//! Where one number for each player does not explain the results.

use statrs::function::gamma::checked_gamma_ur;

use super::fit::{Errors, Fit};
use super::groups::Groups;
use super::meetings::Meetings;
use super::scatter::Scatter;

/// Expected and actual points of two players against each other.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct PairingFit {
    /// One player, by index; the smaller one.
    pub first: usize,
    /// The other.
    pub second: usize,
    /// How many games.
    pub games: u64,
    /// The first player's points.
    pub points: f64,
    /// The points that the ratings make likely.
    pub expected: f64,
    /// How many standard deviations the points lie above what is expected, allowing for the ratings having been made from
    /// the same games; 0 where the ratings follow the points wherever they go.
    pub z: f64,
}

/// Whether ratings explain the results: large deviations make a small p-value.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Misfit {
    /// Squared deviations of pairings in units of their variance, added up.
    pub chi_square: f64,
    /// How many deviations could have been different, given the ratings.
    pub degrees: usize,
    /// How likely deviations at least as large are if the model is right; none if there is nothing to deviate.
    pub p_value: Option<f64>,
}

/// The misfit of deviations given as (difference, variance), of which `fitted` were made to vanish.
pub(crate) fn chi_square(deviations: &[(f64, f64)], fitted: usize) -> Misfit {
    let square =
        |(difference, variance): &(f64, f64)| if *variance > 0.0 { difference.powi(2) / variance } else { 0.0 };
    let chi_square: f64 = deviations.iter().map(square).sum();
    let degrees = deviations.len().saturating_sub(fitted);
    let p_value = (degrees > 0).then(|| upper_tail(chi_square, degrees));
    Misfit { chi_square, degrees, p_value }
}

/// How likely a sum of so many squares is at least this large.
fn upper_tail(chi_square: f64, degrees: usize) -> f64 {
    // Without any deviation there is no smaller one, and the function is not defined
    if chi_square > 0.0 { checked_gamma_ur(degrees as f64 / 2.0, chi_square / 2.0).unwrap_or(0.0) } else { 1.0 }
}

/// A deviation in units of its own standard deviation; 0 if hardly anything is left of the points' `variance`.
pub(crate) fn standardized(difference: f64, variance: f64, of_difference: f64) -> f64 {
    if of_difference > 1e-6 * variance { difference / of_difference.sqrt() } else { 0.0 }
}

pub(super) fn of(
    meetings: &Meetings,
    groups: &Groups,
    fit: &Fit,
    scatter: &[Scatter],
    errors: &Errors,
) -> (Vec<PairingFit>, Misfit) {
    let mut deviations = Vec::new();
    let mut pairings = Vec::new();
    for (meeting, scatter) in meetings.iter().zip(scatter) {
        let (games, points) = meeting.made();
        let played = meeting.sides.map(|side| side.games - meeting.prior / 2.0);
        let expected: f64 = played.iter().zip(fit.scores(meeting)).map(|(games, score)| games * score).sum();
        // The points' variance, less what the ratings took from it
        let sensitivity = fit.sensitivity(meeting);
        let influence = fit.direction(meeting, scatter.points, scatter.points_and_white);
        let taken = 2.0 * sensitivity.dot(&(&errors.inverse * influence));
        let given = sensitivity.dot(&(&errors.covariance * &sensitivity));
        deviations.push((points - expected, scatter.points));
        pairings.push(PairingFit {
            first: meeting.first,
            second: meeting.second,
            games: games.round() as u64,
            points: (2.0 * points).round() / 2.0,
            expected,
            z: standardized(points - expected, scatter.points, scatter.points - taken + given),
        });
    }
    (pairings, chi_square(&deviations, groups.free_ratings()))
}
