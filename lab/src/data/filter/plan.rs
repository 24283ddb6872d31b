//! A plan joins filters; a pass carries it out over files.

use std::ops::{ControlFlow, RangeInclusive};

use engine::Weights;

use super::{Criterion, KeySet, Men, NotInCheck, Plies, QuietMove, Sampler, Settled, Values};
use crate::data::reader::{DataError, Samples};
use crate::data::sample::Sample;

const DUPLICATES: &str = "the same position again";
const SAMPLED: &str = "more than wanted of a game";

/// Which samples are kept.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Only quiet positions: not in check, the best move no capture or promotion, no capture better than standing still.
    pub is_quiet: bool,
    /// Only these plies.
    pub plies: Option<RangeInclusive<u32>>,
    /// Only values up to so many centipawns.
    pub most_value: Option<u32>,
    /// Only positions with so many men at least.
    pub least_men: Option<usize>,
    /// Each position once, as far as so many megabytes remember.
    pub distinct: Option<usize>,
    /// At most so many of a game.
    pub per_game: Option<usize>,
    /// What decides which of a game are chosen.
    pub seed: u64,
}

impl Plan {
    /// The filters that look at one sample alone, cheap ones first.
    pub fn criteria<'w>(&self, weights: &'w Weights) -> Vec<Box<dyn Criterion + 'w>> {
        let mut criteria: Vec<Box<dyn Criterion + 'w>> = Vec::new();
        if let Some(plies) = &self.plies {
            criteria.push(Box::new(Plies(plies.clone())));
        }
        if let Some(most) = self.most_value {
            criteria.push(Box::new(Values(most)));
        }
        if let Some(least) = self.least_men {
            criteria.push(Box::new(Men(least)));
        }
        if self.is_quiet {
            criteria.push(Box::new(NotInCheck));
            criteria.push(Box::new(QuietMove));
            criteria.push(Box::new(Settled::new(weights)));
        }
        criteria
    }
}

/// What a filter left out.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Dropped {
    /// What was wrong with them.
    pub what: &'static str,
    /// How many samples.
    pub count: u64,
}

/// What came of a plan.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct Filtered {
    /// How many samples were read.
    pub read: u64,
    /// What each filter dropped, in the order in which they were asked.
    pub dropped: Vec<Dropped>,
    /// How many samples were kept.
    pub kept: u64,
    /// How many positions the memory for duplicates forgot: some of them may be there twice.
    pub forgotten: u64,
}

/// A plan on its way through files.
pub struct Pass<'w> {
    plan: Plan,
    weights: &'w Weights,
    duplicates: Option<KeySet>,
    sampler: Option<Sampler>,
    read: u64,
    /// By criterion.
    dropped: Vec<u64>,
    repeated: u64,
    kept: u64,
}

/// What the criteria left of a part of a file.
struct Left {
    read: u64,
    dropped: Vec<u64>,
    samples: Vec<Sample>,
}

impl<'w> Pass<'w> {
    /// Begins; `weights` judge what is quiet.
    pub fn new(plan: &Plan, weights: &'w Weights) -> Pass<'w> {
        Pass {
            plan: plan.clone(),
            weights,
            duplicates: plan.distinct.map(KeySet::new),
            sampler: plan.per_game.map(|most| Sampler::new(most, plan.seed)),
            read: 0,
            dropped: vec![0; plan.criteria(weights).len()],
            repeated: 0,
            kept: 0,
        }
    }

    /// Goes through a file by so many threads. What is kept goes to `out` in the order of the file; `goes_on` is told how many
    /// bytes were read and says whether to go on.
    pub fn filter(
        &mut self,
        samples: &mut Samples,
        threads: usize,
        out: &mut (dyn FnMut(Sample) -> Result<(), DataError> + Send),
        goes_on: &(dyn Fn(u64) -> bool + Sync),
    ) -> Result<(), DataError> {
        let (plan, weights) = (self.plan.clone(), self.weights);
        let mut failure = None;
        let mut chosen = Vec::new();
        let take = |left: Left, bytes| {
            self.take(left, &mut chosen);
            if let Err(error) = chosen.drain(..).try_for_each(&mut *out) {
                failure = Some(error);
                return ControlFlow::Break(());
            }
            if goes_on(bytes) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        samples.in_parallel(threads, |samples| judge(samples, plan.criteria(weights)), take)?;
        failure.map_or(Ok(()), Err)
    }

    /// Ends: what is still held of the last game goes to `out` too.
    pub fn finish(mut self, out: &mut dyn FnMut(Sample) -> Result<(), DataError>) -> Result<Filtered, DataError> {
        let mut chosen = Vec::new();
        if let Some(sampler) = &mut self.sampler {
            sampler.flush(&mut |sample| chosen.push(sample));
        }
        self.kept += chosen.len() as u64;
        chosen.into_iter().try_for_each(&mut *out)?;
        let criteria = self.plan.criteria(self.weights);
        let named = criteria.iter().zip(&self.dropped);
        let mut dropped: Vec<Dropped> =
            named.map(|(criterion, &count)| Dropped { what: criterion.drops(), count }).collect();
        if self.duplicates.is_some() {
            dropped.push(Dropped { what: DUPLICATES, count: self.repeated });
        }
        if let Some(sampler) = &self.sampler {
            dropped.push(Dropped { what: SAMPLED, count: sampler.dropped() });
        }
        let forgotten = self.duplicates.as_ref().map_or(0, KeySet::forgotten);
        Ok(Filtered { read: self.read, dropped, kept: self.kept, forgotten })
    }

    /// What depends on the samples before.
    fn take(&mut self, left: Left, chosen: &mut Vec<Sample>) {
        self.read += left.read;
        for (all, count) in self.dropped.iter_mut().zip(left.dropped) {
            *all += count;
        }
        for sample in left.samples {
            if let Some(seen) = &mut self.duplicates
                && !seen.insert(sample.position.keys().full())
            {
                self.repeated += 1;
                continue;
            }
            match &mut self.sampler {
                Some(sampler) => sampler.push(sample, &mut |sample| chosen.push(sample)),
                None => chosen.push(sample),
            }
        }
        self.kept += chosen.len() as u64;
    }
}

/// Asks each criterion of each sample, until one drops it.
fn judge(mut samples: Vec<Sample>, mut criteria: Vec<Box<dyn Criterion + '_>>) -> Left {
    let read = samples.len() as u64;
    let mut dropped = vec![0; criteria.len()];
    samples.retain(|sample| {
        let fault = criteria.iter_mut().position(|criterion| !criterion.keeps(sample));
        if let Some(fault) = fault {
            dropped[fault] += 1;
        }
        fault.is_none()
    });
    Left { read, dropped, samples }
}
