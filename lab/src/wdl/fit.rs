//! The likeliest curves, by Fisher scoring: Newton's method with the expected second derivatives, which always lead uphill.

use engine::wdl::{FULL, Model, winning};
use nalgebra::{DMatrix, DVector};
use thiserror::Error;

use super::outcomes::Outcomes;

/// Fewer positions say too little.
const FEWEST: u64 = 1000;
/// More steps are never needed.
const STEPS: usize = 200;
/// A step is halved so often at most.
const HALVINGS: usize = 40;
/// The gain of a step, by position, below which the top is reached.
const REACHED: f64 = 1e-13;
/// Both curves are at least so high, in centipawns, for every amount of material.
const LEAST: f64 = 1.0;
/// Chances are taken to be at least this.
const FLOOR: f64 = 1e-300;

/// Why there are no curves.
#[derive(Clone, Eq, PartialEq, Debug, Error)]
pub enum WdlError {
    /// Not enough to go by.
    #[error(
        "{positions} positions with a value, {drawn} of them from drawn games, are too few; {FEWEST} with won, drawn and lost games are needed"
    )]
    TooFew {
        /// How many there are.
        positions: u64,
        /// How many of these were drawn.
        drawn: u64,
    },
    /// The positions do not determine so many numbers.
    #[error("the positions have too few kinds of material for curves of degree {0}; take a lower --degree")]
    Undetermined(usize),
    /// The curves fall to nothing for some material.
    #[error("curves of degree {0} fall to nothing for some amount of material; take a lower --degree")]
    Bent(usize),
}

/// Fitted curves.
#[derive(Clone, PartialEq, Debug)]
pub struct Fit {
    /// The terms of `even`, as in [`Model`].
    pub even: Vec<f64>,
    /// The terms of `spread`.
    pub spread: Vec<f64>,
    /// How many steps it took.
    pub steps: usize,
}

impl Fit {
    /// The curves.
    pub fn model(&self) -> Model<'_> {
        Model { even: &self.even, spread: &self.spread }
    }
}

/// The mean of minus the logarithm of the chance that was given to what happened.
pub fn log_loss(outcomes: &Outcomes, model: &Model) -> f64 {
    let mut loss = 0.0;
    for (material, value, counts) in outcomes.met() {
        let (even, spread) = model.at(material);
        let chances = chances(value, even, spread);
        for (count, chance) in counts.into_iter().zip(chances) {
            if count > 0 {
                loss -= count as f64 * libm::log(chance.max(FLOOR));
            }
        }
    }
    loss / outcomes.total().max(1) as f64
}

/// Chances of the side that is ahead to win, draw and lose, each exact however small.
fn chances(value: f64, even: f64, spread: f64) -> [f64; 3] {
    let loss = winning(-value, even, spread);
    let no_win = winning(-value, -even, spread);
    [winning(value, even, spread), no_win - loss, loss]
}

/// Finds the curves, polynomials of this degree in the share of material, that make the outcomes likeliest.
pub fn fit(outcomes: &Outcomes, degree: usize) -> Result<Fit, WdlError> {
    let (positions, results) = (outcomes.total(), outcomes.results());
    if positions < FEWEST || results.contains(&0) {
        return Err(WdlError::TooFew { positions, drawn: results[1] });
    }
    let terms = degree + 1;
    let mut numbers = DVector::zeros(2 * terms);
    (numbers[0], numbers[terms]) = (200.0, 100.0);
    let mut loss = loss_of(outcomes, &numbers);
    for step in 0..STEPS {
        let (slopes, bends) = derivatives(outcomes, &numbers);
        let solver = bends.cholesky().ok_or(WdlError::Undetermined(degree))?;
        let direction = solver.solve(&slopes);
        let gain = slopes.dot(&direction) / positions as f64;
        if !gain.is_finite() {
            return Err(WdlError::Undetermined(degree));
        }
        if gain < REACHED {
            let (even, spread) = numbers.as_slice().split_at(terms);
            return Ok(Fit { even: even.to_vec(), spread: spread.to_vec(), steps: step });
        }
        let tries = (0..HALVINGS).map(|halvings| &numbers + &direction * 0.5_f64.powi(halvings as i32));
        let mut tries = tries.filter(is_straight).map(|numbers| (loss_of(outcomes, &numbers), numbers));
        match tries.find(|(tried, _)| *tried < loss) {
            Some((better, better_numbers)) => (loss, numbers) = (better, better_numbers),
            // As good as numbers of this size can be, or held back by a curve's lower end
            None if gain < 1e4 * REACHED => {
                let (even, spread) = numbers.as_slice().split_at(terms);
                return Ok(Fit { even: even.to_vec(), spread: spread.to_vec(), steps: step });
            }
            None => return Err(WdlError::Bent(degree)),
        }
    }
    Err(WdlError::Bent(degree))
}

fn model(numbers: &DVector<f64>) -> Model<'_> {
    let (even, spread) = numbers.as_slice().split_at(numbers.len() / 2);
    Model { even, spread }
}

fn loss_of(outcomes: &Outcomes, numbers: &DVector<f64>) -> f64 {
    log_loss(outcomes, &model(numbers))
}

/// Whether both curves are high enough for all material.
fn is_straight(numbers: &DVector<f64>) -> bool {
    (0..=FULL).map(|material| model(numbers).at(material)).all(|(even, spread)| even >= LEAST && spread >= LEAST)
}

/// The slope of the logarithm of the likelihood, and minus its expected bend.
fn derivatives(outcomes: &Outcomes, numbers: &DVector<f64>) -> (DVector<f64>, DMatrix<f64>) {
    let terms = numbers.len() / 2;
    let (mut slopes, mut bends) = (DVector::zeros(2 * terms), DMatrix::zeros(2 * terms, 2 * terms));
    let mut row = DVector::zeros(2 * terms);
    for (material, value, counts) in outcomes.met() {
        let (even, spread) = model(numbers).at(material);
        let share = f64::from(material) / f64::from(FULL);
        let chances = chances(value, even, spread);
        let [win, _, loss] = chances;
        // How the chances to win and to lose change with `even` and with `spread`
        let change = |chance: f64, value: f64| {
            let slope = -chance * (1.0 - chance) / spread;
            [slope, slope * (value - even) / spread]
        };
        let (won, lost) = (change(win, value), change(loss, -value));
        let drawn = [-won[0] - lost[0], -won[1] - lost[1]];
        let all: u64 = counts.iter().sum();
        for (outcome, changes) in [won, drawn, lost].into_iter().enumerate() {
            let chance = chances[outcome].max(FLOOR);
            for term in 0..terms {
                let power = share.powi(term as i32);
                (row[term], row[terms + term]) = (changes[0] * power, changes[1] * power);
            }
            slopes.axpy(counts[outcome] as f64 / chance, &row, 1.0);
            bends.ger(all as f64 / chance, &row, &row, 1.0);
        }
    }
    (slopes, bends)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wdl::Verdict;

    /// Results drawn by chance from known curves.
    fn simulated(model: &Model, games: u64, materials: std::ops::RangeInclusive<u32>) -> Outcomes {
        let mut chance = fastrand::Rng::with_seed(7);
        let mut outcomes = Outcomes::default();
        for _ in 0..games {
            let material = chance.u32(materials.clone());
            let value = (900.0 * chance.f64() * chance.f64()) as u32;
            let (even, spread) = model.at(material);
            let [win, draw, _] = chances(value.into(), even, spread);
            let luck = chance.f64();
            let outcome = if luck < win { 0 } else { 1 + usize::from(luck >= win + draw) };
            outcomes.add(Verdict::Counts { material, value, outcome });
        }
        outcomes
    }

    #[test]
    fn known_curves_are_found_again() {
        for (even, spread) in [(vec![310.0, -120.0], vec![60.0, 35.0]), (vec![150.0, 90.0], vec![120.0, -50.0])] {
            let truth = Model { even: &even, spread: &spread };
            let outcomes = simulated(&truth, 400_000, 5..=FULL);
            let found = fit(&outcomes, 1).unwrap();
            for material in [5, 40, FULL] {
                let (wanted, got) = (truth.at(material), found.model().at(material));
                assert!((wanted.0 - got.0).abs() < 4.0 && (wanted.1 - got.1).abs() < 4.0, "{wanted:?} {got:?}");
            }
            assert!(log_loss(&outcomes, &found.model()) <= log_loss(&outcomes, &truth));
            let cubic = fit(&outcomes, 3).unwrap();
            assert!(log_loss(&outcomes, &cubic.model()) <= log_loss(&outcomes, &found.model()) + 1e-12);
        }
    }

    #[test]
    fn no_neighbour_of_the_result_is_likelier() {
        let truth = Model { even: &[250.0, -60.0], spread: &[70.0, 20.0] };
        let outcomes = simulated(&truth, 20_000, 0..=FULL);
        let found = fit(&outcomes, 1).unwrap();
        let best = log_loss(&outcomes, &found.model());
        for term in 0..2 {
            for change in [-0.5, 0.5] {
                let (mut even, mut spread) = (found.even.clone(), found.spread.clone());
                even[term] += change;
                assert!(log_loss(&outcomes, &Model { even: &even, spread: &found.spread }) > best);
                spread[term] += change;
                assert!(log_loss(&outcomes, &Model { even: &found.even, spread: &spread }) > best);
            }
        }
    }

    #[test]
    fn small_chances_are_exact_and_sum_to_one() {
        for value in [0.0, 3.0, 250.0, 2000.0] {
            let [win, draw, loss] = chances(value, 200.0, 25.0);
            assert!(draw > 0.0 && loss > 0.0 && (win + draw + loss - 1.0).abs() < 1e-12);
        }
        let [_, draw, loss] = chances(2000.0, 200.0, 25.0);
        assert!((draw / loss / libm::expm1(16.0) - 1.0).abs() < 1e-9, "{draw} {loss}");
    }

    #[test]
    fn too_little_is_refused_in_a_sentence() {
        let truth = Model { even: &[250.0], spread: &[70.0] };
        assert!(matches!(fit(&Outcomes::default(), 1), Err(WdlError::TooFew { positions: 0, drawn: 0 })));
        assert!(matches!(fit(&simulated(&truth, 900, 0..=FULL), 1), Err(WdlError::TooFew { positions: 900, .. })));
        let alike = simulated(&truth, 20_000, 40..=40);
        assert_eq!(fit(&alike, 1), Err(WdlError::Undetermined(1)));
        assert!((fit(&alike, 0).unwrap().even[0] - 250.0).abs() < 15.0);
    }
}
