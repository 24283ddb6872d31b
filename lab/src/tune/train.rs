//! The descent: epochs of batches, a rate that is halved when nothing improves, and the best weights kept.

use super::Values;
use super::adam::Adam;
use super::dataset::{Dataset, Desk, Part};
use super::error::TuneError;
use super::kernel::Objective;
use super::penalty::Penalty;
use super::space::Space;

/// When the rate is below this share of the first one, nothing more is to be had.
const SLOWEST: f64 = 1.0 / 200.0;
/// A loss is better if it is smaller by this share.
const PROGRESS: f64 = 1e-7;

/// How the descent is done.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct TrainSettings {
    /// Positions a step.
    pub batch: usize,
    /// How far a weight goes in the first steps, in its own units.
    pub rate: f64,
    /// At most so often through all positions.
    pub epochs: u32,
    /// After so many epochs without a better loss the rate is halved.
    pub patience: u32,
    /// Decides the order of positions.
    pub seed: u64,
    /// The loss of a weight that is a hundred units from its start.
    pub l2: f64,
    /// The loss of neighbours in a table or curve that are a hundred units apart.
    pub smooth: f64,
}

/// What came of an epoch.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Epoch {
    /// Its number, from 1; 0 stands for the start.
    pub number: u32,
    /// The rate of its steps.
    pub rate: f64,
    /// The mean loss of its batches, each before its step.
    pub training: f64,
    /// The loss of the positions for validation after it, if there are any.
    pub validation: Option<f64>,
    /// Whether it is the best so far.
    pub is_best: bool,
}

impl Epoch {
    /// The loss that decides.
    pub fn loss(&self) -> f64 {
        self.validation.unwrap_or(self.training)
    }
}

/// All that the descent remembers between epochs.
#[derive(Clone, PartialEq, Debug)]
pub struct Training {
    pub(super) numbers: Vec<f64>,
    pub(super) adam: Adam,
    pub(super) rate: f64,
    /// Epochs since the loss was last better, or the rate halved.
    pub(super) stale: u32,
    pub(super) best: Vec<f64>,
    pub(super) best_loss: f64,
    pub(super) epochs: Vec<Epoch>,
}

/// Tunes weights.
pub struct Trainer<'a> {
    data: &'a mut Dataset,
    space: &'a Space,
    objective: Objective,
    settings: TrainSettings,
    penalty: Penalty,
    desk: Desk,
    /// The weights now, with the frozen ones.
    values: Values,
    training: Training,
}

impl<'a> Trainer<'a> {
    /// Begins with these weights, whose loss is the first epoch, number 0.
    pub fn new(
        data: &'a mut Dataset,
        space: &'a Space,
        start: &Values,
        objective: Objective,
        settings: TrainSettings,
    ) -> Result<Trainer<'a>, TuneError> {
        let numbers = space.gather(start);
        let mut values = start.clone();
        space.scatter(&numbers, &mut values);
        let training = data.loss(Part::Training, &values, objective)?;
        let has_validation = data.size(Part::Validation).rows > 0;
        let validation = has_validation.then(|| data.loss(Part::Validation, &values, objective)).transpose()?;
        let first = Epoch { number: 0, rate: settings.rate, training, validation, is_best: true };
        let training = Training {
            adam: Adam::new(numbers.len()),
            rate: settings.rate,
            stale: 0,
            best: numbers.clone(),
            best_loss: first.loss(),
            epochs: vec![first],
            numbers,
        };
        let penalty = Penalty::new(settings.l2, settings.smooth, start);
        let desk = Desk::new(data.layout());
        Ok(Trainer { data, space, objective, settings, penalty, desk, values, training })
    }

    /// Pulls weights to these, and not to those that it begins with.
    pub(super) fn pulled_to(mut self, centre: &Values) -> Trainer<'a> {
        self.penalty = Penalty::new(self.settings.l2, self.settings.smooth, centre);
        self
    }

    /// Goes on from where another descent with the same settings and data was.
    pub fn go_on(&mut self, training: Training) -> Result<(), TuneError> {
        if training.numbers.len() != self.space.numbers() {
            return Err(TuneError::OtherCheckpoint("the checkpoint".to_owned()));
        }
        self.training = training;
        Ok(())
    }

    /// All that is needed to go on later.
    pub fn training(&self) -> &Training {
        &self.training
    }

    /// The epochs so far, the start first.
    pub fn epochs(&self) -> &[Epoch] {
        &self.training.epochs
    }

    /// Whether the descent has come to its end.
    pub fn is_over(&self) -> bool {
        let done = self.training.epochs.len() as u32 - 1;
        done >= self.settings.epochs || self.training.rate < SLOWEST * self.settings.rate
    }

    /// The weights as they are now.
    pub fn values(&self) -> Values {
        let mut values = self.values.clone();
        self.space.scatter(&self.training.numbers, &mut values);
        values
    }

    /// The weights with the best loss.
    pub fn best(&self) -> Values {
        let mut values = self.values.clone();
        self.space.scatter(&self.training.best, &mut values);
        values
    }

    /// Goes once through all positions, unless `goes_on` says no, asked before every step: then nothing has changed.
    pub fn epoch(&mut self, goes_on: &mut dyn FnMut() -> bool) -> Result<Option<Epoch>, TuneError> {
        let number = self.training.epochs.len() as u32;
        let Training { mut numbers, mut adam, rate, mut stale, best, mut best_loss, epochs } = self.training.clone();
        let mut gradient: Values = vec![[0.0; 2]; self.values.len()];
        let mut slopes = vec![0.0; numbers.len()];
        let per_unit = self.data.logit_per_unit(self.objective);
        let (mut lost, mut rows) = (0.0, 0);
        for batch in self.batches(number) {
            if !goes_on() {
                return Ok(None);
            }
            self.space.scatter(&numbers, &mut self.values);
            let loss = self.data.gradient(&batch, &self.values, self.objective, &mut self.desk, &mut gradient)?;
            let size: usize = batch.iter().map(|&block| self.data.rows(block)).sum();
            lost += loss * size as f64;
            rows += size;
            self.penalty.add(&self.values, per_unit, &mut gradient);
            self.space.fold(&gradient, &mut slopes);
            adam.step(&mut numbers, &slopes, rate);
        }
        self.space.scatter(&numbers, &mut self.values);
        let has_validation = self.data.size(Part::Validation).rows > 0;
        let validation =
            has_validation.then(|| self.data.loss(Part::Validation, &self.values, self.objective)).transpose()?;
        let mut epoch = Epoch { number, rate, training: lost / rows as f64, validation, is_best: false };
        epoch.is_best = epoch.loss() < best_loss * (1.0 - PROGRESS);
        let mut next_rate = rate;
        let mut next_best = best;
        if epoch.is_best {
            (best_loss, stale) = (epoch.loss(), 0);
            next_best.clone_from(&numbers);
        } else {
            stale += 1;
            if stale >= self.settings.patience {
                (next_rate, stale) = (rate / 2.0, 0);
            }
        }
        let epochs = [epochs, vec![epoch]].concat();
        self.training = Training { numbers, adam, rate: next_rate, stale, best: next_best, best_loss, epochs };
        Ok(Some(epoch))
    }

    /// The blocks of an epoch in an order by seed and number, in batches.
    fn batches(&self, number: u32) -> Vec<Vec<u32>> {
        let mut blocks = self.data.blocks(Part::Training).to_vec();
        let mut chance = fastrand::Rng::with_seed(self.settings.seed);
        fastrand::Rng::with_seed(chance.u64(..) ^ u64::from(number)).shuffle(&mut blocks);
        let mut batches = vec![Vec::new()];
        let mut rows = 0;
        for block in blocks {
            if rows >= self.settings.batch {
                batches.push(Vec::new());
                rows = 0;
            }
            rows += self.data.rows(block);
            if let Some(batch) = batches.last_mut() {
                batch.push(block);
            }
        }
        batches
    }
}

/// Lets so many threads do work on data.
pub fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> Result<T, TuneError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    Ok(pool.map_err(|error| TuneError::Threads(threads, error.to_string()))?.install(work))
}
