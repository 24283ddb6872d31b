//! The arithmetic of SPSA: a state machine that gives trials and takes results, in whatever order these come.
//!
//! Which step a trial takes depends on the seed, its number and the results of the iterations that it knows: all but the
//! last few, whose games may still be going on. How many these are does not depend on how fast games end, so that the same
//! results always lead to the same numbers, on one core or on many, at once or with interruptions.

use std::collections::VecDeque;
use std::fmt::{self, Display, Formatter};

use fastrand::Rng;

use super::parameter::{Kind, LEAST_STEP, Parameter};
use crate::stats::{ELO_PER_LOGIT, Z95};

/// Drawn curves need no more moments than this.
const MOMENTS: usize = 400;

/// How a tuning goes on from its first iteration to its last.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Course {
    /// How many iterations there are.
    pub iterations: usize,
    /// Pairs of games in each.
    pub pairs: usize,
    /// An iteration does not know the results of so many before it.
    pub lag: usize,
    /// How fast learning slows down.
    pub alpha: f64,
    /// How fast steps become smaller.
    pub gamma: f64,
    /// Iterations that learning at the start is held back by, as a share of all.
    pub a_ratio: f64,
    /// Where all chance comes from.
    pub seed: u64,
    /// The numbers stay where they are and the steps as long as the last one: games only say what each number is worth.
    pub is_screen: bool,
}

impl Course {
    /// The usual course.
    pub fn new(iterations: usize, seed: u64) -> Course {
        Course { iterations, pairs: 1, lag: 0, alpha: 0.602, gamma: 0.101, a_ratio: 0.1, seed, is_screen: false }
    }

    /// The step of a parameter in an iteration, and how much of it is learnt from a won game.
    fn gains(&self, parameter: &Parameter, iteration: usize) -> (f64, f64) {
        if self.is_screen {
            return (parameter.c_end, 0.0);
        }
        let (all, now) = (self.iterations as f64, iteration as f64 + 1.0);
        let held = self.a_ratio * all;
        let least = if parameter.kind == Kind::Int { LEAST_STEP } else { 0.0 };
        let c = (parameter.c_end * libm::pow(all / now, self.gamma)).max(least);
        let a = parameter.r_end * parameter.c_end.powi(2) * libm::pow((held + all) / (held + now), self.alpha);
        (c, a / c.powi(2))
    }
}

/// Two versions that play against each other.
#[derive(Clone, PartialEq, Debug)]
pub struct Trial {
    /// The numbers of one.
    pub plus: Vec<f64>,
    /// The numbers of the other.
    pub minus: Vec<f64>,
    /// What a won game of the first adds to each number.
    lessons: Vec<f64>,
    /// Games that are not over yet.
    left: usize,
    /// Games that the first has won more than lost.
    balance: i64,
}

/// What games said of a number.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
struct Evidence {
    /// Iterations in which the versions differed in it.
    count: f64,
    /// By how much more than half of the points the version with the larger one made, and the squares of that.
    sum: f64,
    squares: f64,
}

/// What it is worth to have a number a step up instead of a step down.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Worth {
    /// In Elo, for small differences.
    pub elo: f64,
    /// The error, 95 %.
    pub error: f64,
}

impl Worth {
    /// How far it stands out from chance.
    pub fn clarity(&self) -> f64 {
        self.elo.abs() / self.error
    }
}

impl Display for Worth {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{:+.1} ± {:.1}", self.elo, self.error))
    }
}

/// Elo for each point more than half of a game's, where that is little.
const ELO_PER_POINT: f64 = 4.0 * ELO_PER_LOGIT;
/// With fewer results their scatter says too little.
const LEAST_EVIDENCE: f64 = 10.0;

impl Evidence {
    fn hear(&mut self, excess: f64) {
        self.count += 1.0;
        self.sum += excess;
        self.squares += excess * excess;
    }

    /// None while there is too little to tell chance from worth.
    fn worth(&self) -> Option<Worth> {
        let mean = self.sum / self.count;
        let variance = (self.squares - self.sum * mean) / (self.count - 1.0);
        let error = Z95 * (variance / self.count).sqrt();
        (self.count >= LEAST_EVIDENCE && variance > 0.0)
            .then_some(Worth { elo: mean * ELO_PER_POINT, error: error * ELO_PER_POINT })
    }
}

/// Where the numbers were after an iteration.
#[derive(Clone, PartialEq, Debug)]
pub struct Moment {
    /// How many iterations were over.
    pub iteration: usize,
    /// The numbers.
    pub values: Vec<f64>,
}

/// Numbers that are being tuned.
#[derive(Clone, Debug)]
pub struct Tuner {
    parameters: Vec<Parameter>,
    course: Course,
    values: Vec<f64>,
    evidence: Vec<Evidence>,
    done: usize,
    /// Those of the next iterations, as far as they are known.
    trials: VecDeque<Trial>,
    history: Vec<Moment>,
}

impl Tuner {
    /// Begins.
    pub fn new(parameters: Vec<Parameter>, course: Course) -> Tuner {
        let values: Vec<f64> = parameters.iter().map(|parameter| parameter.start).collect();
        let history = vec![Moment { iteration: 0, values: values.clone() }];
        let evidence = vec![Evidence::default(); parameters.len()];
        let mut tuner = Tuner { parameters, course, values, evidence, done: 0, trials: VecDeque::new(), history };
        tuner.look_ahead();
        tuner
    }

    /// What is tuned.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// OpenBench's lines of what is tuned, as it was begun.
    pub fn lines(&self) -> Vec<String> {
        self.parameters.iter().map(|parameter| parameter.line(parameter.start)).collect()
    }

    /// How it goes on.
    pub fn course(&self) -> &Course {
        &self.course
    }

    /// Where the numbers are, between whole ones too.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// How many iterations are over and learnt from.
    pub fn done(&self) -> usize {
        self.done
    }

    /// Where the numbers were: at the start, now and then, and at the end.
    pub fn history(&self) -> &[Moment] {
        &self.history
    }

    /// How far each number has moved, in units of its last step.
    pub fn moved(&self) -> Vec<f64> {
        self.steps(&self.values)
    }

    /// How far values lie from where the numbers began, in units of their last steps.
    pub fn steps(&self, values: &[f64]) -> Vec<f64> {
        let numbers = self.parameters.iter().zip(values);
        numbers.map(|(parameter, value)| (value - parameter.start) / parameter.c_end).collect()
    }

    /// What the games say each number is worth; none where there are too few.
    pub fn worths(&self) -> Vec<Option<Worth>> {
        self.evidence.iter().map(Evidence::worth).collect()
    }

    /// The trial of an iteration; none if it is over, or if earlier ones must end first.
    pub fn trial(&self, iteration: usize) -> Option<&Trial> {
        self.trials.get(iteration.checked_sub(self.done)?)
    }

    /// Hears how a game of an iteration ended: 1 if the first version won, -1 if the other did, 0 for a draw. Returns how
    /// many iterations are over by that. A game of an iteration that is not being tried says nothing.
    pub fn hear(&mut self, iteration: usize, result: i64) -> usize {
        let place = iteration.checked_sub(self.done);
        let Some(trial) = place.and_then(|place| self.trials.get_mut(place)) else { return 0 };
        if trial.left == 0 {
            return 0;
        }
        trial.left -= 1;
        trial.balance += result;
        let before = self.done;
        while let Some(trial) = self.trials.pop_front_if(|trial| trial.left == 0) {
            self.learn(&trial);
            self.look_ahead();
        }
        self.done - before
    }

    fn learn(&mut self, trial: &Trial) {
        for ((value, lesson), parameter) in self.values.iter_mut().zip(&trial.lessons).zip(&self.parameters) {
            *value = (*value + lesson * trial.balance as f64).clamp(parameter.min, parameter.max);
        }
        let excess = trial.balance as f64 / (4 * self.course.pairs) as f64;
        for ((evidence, plus), minus) in self.evidence.iter_mut().zip(&trial.plus).zip(&trial.minus) {
            if plus != minus {
                evidence.hear(excess * (plus - minus).signum());
            }
        }
        self.done += 1;
        let interval = self.course.iterations.div_ceil(MOMENTS);
        if self.done.is_multiple_of(interval) || self.done == self.course.iterations {
            self.history.push(Moment { iteration: self.done, values: self.values.clone() });
        }
    }

    /// Finds the trials that can be known by now.
    fn look_ahead(&mut self) {
        let last = (self.done + self.course.lag + 1).min(self.course.iterations);
        for iteration in self.done + self.trials.len()..last {
            self.trials.push_back(self.perturb(iteration));
        }
    }

    fn perturb(&self, iteration: usize) -> Trial {
        let mut random = Rng::with_seed(self.course.seed ^ (iteration as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut trial =
            Trial { plus: Vec::new(), minus: Vec::new(), lessons: Vec::new(), left: 2 * self.course.pairs, balance: 0 };
        for (parameter, &value) in self.parameters.iter().zip(&self.values) {
            let (c, r) = self.course.gains(parameter, iteration);
            let step = if random.bool() { c } else { -c };
            // Both versions are rounded by the same chance, so that they stay as far apart
            let chance = random.f64();
            let settle = |value: f64| match parameter.kind {
                Kind::Int => (value + chance).floor(),
                Kind::Float => value,
            };
            trial.plus.push(settle(value + step).clamp(parameter.min, parameter.max));
            trial.minus.push(settle(value - step).clamp(parameter.min, parameter.max));
            trial.lessons.push(r * step);
        }
        trial
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters() -> Vec<Parameter> {
        vec![
            Parameter::int("a", 100, 0, 200),
            Parameter::int("b", 20, 0, 100),
            Parameter::int("c", 3, 1, 8),
            Parameter { kind: Kind::Float, ..Parameter::int("d", 0, -1, 1) },
        ]
    }

    /// How strong a version is: best at 140, 60, 5 and 0.5; at the ends of the ranges some hundred Elo weaker.
    fn elo(values: &[f64]) -> f64 {
        let best = [140.0, 60.0, 5.0, 0.5];
        let far = values.iter().zip(best).zip(parameters()).map(|((value, best), parameter)| {
            let share = (value - best) / (parameter.max - parameter.min);
            300.0 * share * share
        });
        -far.sum::<f64>()
    }

    /// The result of a game between two versions, a third of which are drawn.
    fn game(trial: &Trial, random: &mut Rng) -> i64 {
        let expected = 1.0 / (1.0 + 10.0_f64.powf((elo(&trial.minus) - elo(&trial.plus)) / 400.0));
        match random.f64() {
            chance if chance < expected - 1.0 / 6.0 => 1,
            chance if chance < expected + 1.0 / 6.0 => 0,
            _ => -1,
        }
    }

    #[test]
    fn numbers_move_to_where_games_are_won() {
        for seed in 1..=5 {
            let course = Course { lag: 8, ..Course::new(20_000, seed) };
            let (mut tuner, mut random) = (Tuner::new(parameters(), course), Rng::with_seed(seed));
            let start = elo(tuner.values());
            for iteration in 0..course.iterations {
                let trial = tuner.trial(iteration).unwrap().clone();
                for _ in 0..2 {
                    tuner.hear(iteration, game(&trial, &mut random));
                }
            }
            let end = elo(tuner.values());
            assert_eq!(tuner.done(), course.iterations);
            assert!(start < -80.0 && end > -12.0, "seed {seed}: from {start:.0} to {end:.0}, {:?}", tuner.values());
        }
    }

    #[test]
    fn a_screen_tells_what_each_number_is_worth_and_moves_none() {
        for seed in 1..=5 {
            let course = Course { is_screen: true, ..Course::new(20_000, seed) };
            let (mut tuner, mut random) = (Tuner::new(parameters(), course), Rng::with_seed(seed));
            assert_eq!(tuner.worths(), [None; 4]);
            for iteration in 0..course.iterations {
                let trial = tuner.trial(iteration).unwrap().clone();
                for _ in 0..2 {
                    tuner.hear(iteration, game(&trial, &mut random));
                }
            }
            let start: Vec<f64> = parameters().iter().map(|parameter| parameter.start).collect();
            assert_eq!(tuner.values(), start);
            for (place, worth) in tuner.worths().into_iter().enumerate() {
                let worth = worth.unwrap();
                let shifted = |steps: f64| {
                    let mut values = start.clone();
                    values[place] += steps * parameters()[place].c_end;
                    elo(&values)
                };
                let expected = shifted(1.0) - shifted(-1.0);
                assert!((1.0..6.0).contains(&worth.error), "{worth:?}");
                assert!((worth.elo - expected).abs() < 2.0 * worth.error, "seed {seed}: {worth:?}, {expected}");
            }
        }
    }

    #[test]
    fn the_order_in_which_games_end_changes_nothing() {
        let course = Course { lag: 5, pairs: 2, ..Course::new(300, 7) };
        // What a game brings depends on its place and its trial alone
        let result = |trial: &Trial, iteration: usize, number: usize| {
            game(trial, &mut Rng::with_seed((iteration * 4 + number) as u64))
        };
        let tuned = |seed: u64| {
            let (mut tuner, mut order) = (Tuner::new(parameters(), course), Rng::with_seed(seed));
            let (mut next, mut playing) = (0, Vec::new());
            while tuner.done() < course.iterations {
                while next < course.iterations && tuner.trial(next).is_some() {
                    playing.extend((0..4).map(|number| (next, number)));
                    next += 1;
                }
                let (iteration, number) = playing.swap_remove(order.usize(..playing.len()));
                let trial = tuner.trial(iteration).unwrap().clone();
                tuner.hear(iteration, result(&trial, iteration, number));
            }
            tuner
        };
        let (one, other) = (tuned(1), tuned(2));
        assert_ne!(one.values(), Tuner::new(parameters(), course).values());
        assert_eq!((one.values(), one.history()), (other.values(), other.history()));
    }

    #[test]
    fn an_iteration_waits_for_those_that_it_must_know() {
        let mut tuner = Tuner::new(parameters(), Course { lag: 2, ..Course::new(4, 1) });
        assert!(tuner.trial(2).is_some() && tuner.trial(3).is_none());
        let last = tuner.trial(2).cloned();
        assert_eq!((tuner.hear(1, 1), tuner.hear(1, 1)), (0, 0), "the first is not over");
        assert_eq!(tuner.hear(1, 1), 0, "a third game of a pair says nothing");
        assert!(tuner.trial(3).is_none());
        assert_eq!((tuner.hear(0, 0), tuner.hear(0, 1)), (0, 2));
        assert_eq!(tuner.trial(2).cloned(), last, "what is being played does not change");
        assert!(tuner.trial(0).is_none() && tuner.trial(3).is_some() && tuner.trial(4).is_none());
    }

    #[test]
    fn steps_and_rates_are_those_of_openbench() {
        let course = Course::new(1000, 1);
        let parameter = Parameter::int("a", 100, 0, 200);
        let close = |value: f64, expected: f64| assert!((value / expected - 1.0).abs() < 1e-9, "{value}");
        let (c, r) = course.gains(&parameter, 999);
        close(c, 10.0);
        close(r, 0.002);
        let (c, r) = course.gains(&parameter, 0);
        close(c, 10.0 * 1000.0_f64.powf(0.101));
        close(r, 0.002 * 100.0 * (1100.0_f64 / 101.0).powf(0.602) / c.powi(2));
        let (c, r) = course.gains(&Parameter::int("b", 3, 1, 8), 999);
        close(c, 0.5);
        close(r, 0.002);
    }

    #[test]
    fn versions_keep_their_ranges_and_lie_about_the_numbers() {
        let parameters = vec![Parameter::int("low", 0, 0, 100), Parameter::int("few", 2, 1, 4)];
        let mut sums = [0.0; 2];
        for seed in 0..400 {
            let tuner = Tuner::new(parameters.clone(), Course::new(1, seed));
            let trial = tuner.trial(0).unwrap();
            for (version, sum) in [&trial.plus, &trial.minus].into_iter().zip(&mut sums) {
                assert!(version.iter().all(|value| value.fract() == 0.0));
                assert!((0.0..=100.0).contains(&version[0]) && (1.0..=4.0).contains(&version[1]));
                *sum += version[1] / 400.0;
            }
            assert_ne!(trial.plus[1], trial.minus[1], "half a step to either side is told apart");
        }
        assert!(sums.iter().all(|mean| (mean - 2.0).abs() < 0.1), "{sums:?}");
    }
}
