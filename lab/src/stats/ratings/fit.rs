//! The likeliest ratings, by Newton's method: the likelihood has one top, so that every step that climbs leads there.

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

use super::ELO_PER_LOGIT;
use super::groups::Groups;
use super::meetings::{Meeting, Meetings, SIGNS};
use super::scatter::Scatter;

/// White's advantage before any game: nothing, give or take so much.
const WHITE_DEVIATION: f64 = 100.0 / ELO_PER_LOGIT;
/// No step of Newton's method is longer than this, in logits.
const LONGEST_STEP: f64 = 3.0;
/// Five to fifteen are needed.
const MOST_STEPS: usize = 500;

/// Ratings and White's advantage, in logits.
pub(super) struct Fit {
    /// The players' ratings, then White's advantage.
    values: Vec<f64>,
    /// Which of them were free; the first player of each group is not.
    free: Vec<usize>,
}

/// How uncertain a fit is, in logits.
pub(super) struct Errors {
    /// The inverse of the likelihood's curvature, by player, then White's advantage.
    pub(super) inverse: DMatrix<f64>,
    /// The covariance, by player, then White's advantage.
    pub(super) covariance: DMatrix<f64>,
}

impl Errors {
    /// The covariance of the players' ratings.
    pub(super) fn players(&self) -> DMatrix<f64> {
        let players = self.covariance.nrows() - 1;
        self.covariance.view((0, 0), (players, players)).into_owned()
    }

    /// The variance of White's advantage.
    pub(super) fn white(&self) -> f64 {
        let last = self.covariance.nrows() - 1;
        self.covariance[(last, last)].max(0.0)
    }
}

impl Fit {
    pub(super) fn of(meetings: &Meetings, groups: &Groups, white_advantage: Option<f64>) -> Fit {
        let players = meetings.players;
        let mut values = vec![0.0; players + 1];
        values[players] = white_advantage.unwrap_or(0.0) / ELO_PER_LOGIT;
        let mut free: Vec<usize> = (0..players).filter(|&player| groups.of_player(player) != player).collect();
        if white_advantage.is_none() {
            free.push(players);
        }
        let mut fit = Fit { values, free };
        let mut steps = 0..MOST_STEPS;
        while steps.next().is_some() && fit.climb(meetings) {}
        fit
    }

    /// The players' ratings.
    pub(super) fn players(&self) -> &[f64] {
        &self.values[..self.values.len() - 1]
    }

    /// White's advantage.
    pub(super) fn white(&self) -> f64 {
        self.values[self.values.len() - 1]
    }

    /// The first player's average score on each side.
    pub(super) fn scores(&self, meeting: &Meeting) -> [f64; 2] {
        SIGNS.map(|sign| 1.0 / (1.0 + (-self.difference(meeting, sign)).exp()))
    }

    /// How uncertain the values are, given how much the points scatter.
    pub(super) fn errors(&self, meetings: &Meetings, scatter: &[Scatter]) -> Errors {
        let inverse = self.embed(&self.factor(meetings).inverse());
        let mut spread = DMatrix::zeros(self.values.len(), self.values.len());
        for (meeting, scatter) in meetings.iter().zip(scatter) {
            add(&mut spread, meeting, [scatter.points, scatter.points_and_white, scatter.white]);
        }
        spread[(self.values.len() - 1, self.values.len() - 1)] += WHITE_DEVIATION.powi(-2);
        let covariance = &inverse * spread * &inverse;
        Errors { inverse, covariance }
    }

    fn difference(&self, meeting: &Meeting, sign: f64) -> f64 {
        self.values[meeting.first] - self.values[meeting.second] + sign * self.white()
    }

    /// Takes a step up; not if it would be too small to matter.
    fn climb(&mut self, meetings: &Meetings) -> bool {
        if self.free.is_empty() {
            return false;
        }
        let mut step = self.factor(meetings).solve(&self.slope(meetings));
        if step.amax() > LONGEST_STEP {
            step *= LONGEST_STEP / step.amax();
        }
        let (before, here) = (self.values.clone(), self.likelihood(meetings));
        while step.amax() > 1e-11 {
            for (&place, change) in self.free.iter().zip(step.iter()) {
                self.values[place] = before[place] + change;
            }
            // Near the top a step climbs less than can be computed
            if self.likelihood(meetings) >= here - 1e-13 * here.abs() {
                return true;
            }
            step *= 0.5;
        }
        self.values = before;
        false
    }

    fn likelihood(&self, meetings: &Meetings) -> f64 {
        let log_score = |difference: f64| -(-difference).exp().ln_1p();
        let of_meeting = |meeting: &Meeting| -> f64 {
            let sides = meeting.sides.iter().zip(SIGNS.map(|sign| self.difference(meeting, sign)));
            sides.map(|(side, d)| side.points * log_score(d) + (side.games - side.points) * log_score(-d)).sum()
        };
        meetings.iter().map(of_meeting).sum::<f64>() - (self.white() / WHITE_DEVIATION).powi(2) / 2.0
    }

    /// The likelihood's derivative by each free value.
    fn slope(&self, meetings: &Meetings) -> DVector<f64> {
        let white = self.values.len() - 1;
        let mut slope = vec![0.0; self.values.len()];
        for meeting in meetings.iter() {
            for ((side, score), sign) in meeting.sides.iter().zip(self.scores(meeting)).zip(SIGNS) {
                let excess = side.points - side.games * score;
                slope[meeting.first] += excess;
                slope[meeting.second] -= excess;
                slope[white] += sign * excess;
            }
        }
        slope[white] -= self.white() / WHITE_DEVIATION.powi(2);
        DVector::from_iterator(self.free.len(), self.free.iter().map(|&place| slope[place]))
    }

    /// The likelihood's curvature, downwards, by the free values, taken apart.
    fn factor(&self, meetings: &Meetings) -> Cholesky<f64, Dyn> {
        let size = self.values.len();
        let mut curvature = DMatrix::zeros(size, size);
        for meeting in meetings.iter() {
            add(&mut curvature, meeting, self.weights(meeting));
        }
        curvature[(size - 1, size - 1)] += WHITE_DEVIATION.powi(-2);
        let curvature = curvature.select_rows(&self.free).select_columns(&self.free);
        // Where ratings are so far apart that nothing curves any more, a little is added
        let mut ridge = 1e-12;
        loop {
            let bent = &curvature + DMatrix::identity(self.free.len(), self.free.len()) * ridge;
            if let Some(factor) = Cholesky::new(bent) {
                return factor;
            }
            ridge *= 10.0;
        }
    }

    /// How the curvature of a meeting counts for points, for points with White's advantage, and for the advantage.
    fn weights(&self, meeting: &Meeting) -> [f64; 3] {
        let scores = self.scores(meeting);
        let [one, other] = [0, 1].map(|side| meeting.sides[side].games * scores[side] * (1.0 - scores[side]));
        [one + other, one - other, one + other]
    }

    /// By how much the first player's expected points rise with each value.
    pub(super) fn sensitivity(&self, meeting: &Meeting) -> DVector<f64> {
        let [points, with_white, _] = self.weights(meeting);
        self.direction(meeting, points, with_white)
    }

    /// The first player's direction times one number, White's times another.
    pub(super) fn direction(&self, meeting: &Meeting, player: f64, white: f64) -> DVector<f64> {
        let mut direction = DVector::zeros(self.values.len());
        direction[meeting.first] = player;
        direction[meeting.second] = -player;
        direction[self.values.len() - 1] = white;
        direction
    }

    /// A matrix by free values as one by all values.
    fn embed(&self, small: &DMatrix<f64>) -> DMatrix<f64> {
        let mut large = DMatrix::zeros(self.values.len(), self.values.len());
        for (row, &to_row) in self.free.iter().enumerate() {
            for (column, &to_column) in self.free.iter().enumerate() {
                large[(to_row, to_column)] = small[(row, column)];
            }
        }
        large
    }
}

/// Adds a meeting's part to a symmetric matrix by player, then White's advantage.
fn add(matrix: &mut DMatrix<f64>, meeting: &Meeting, [players, mixed, white]: [f64; 3]) {
    let last = matrix.nrows() - 1;
    let (first, second) = (meeting.first, meeting.second);
    matrix[(first, first)] += players;
    matrix[(second, second)] += players;
    matrix[(first, second)] -= players;
    matrix[(second, first)] -= players;
    for (player, sign) in [(first, 1.0), (second, -1.0)] {
        matrix[(player, last)] += sign * mixed;
        matrix[(last, player)] += sign * mixed;
    }
    matrix[(last, last)] += white;
}
