//! All rows: blocks for training and for validation, and ways to go through them on all threads.

use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::Values;
use super::block::Block;
use super::error::TuneError;
use super::kernel::{Kernel, Objective, Scratch, gradient_of, loss_of};
use super::layout::{Layout, Units, zeros};
use super::storage::Storage;
use crate::ablation::LossKind;

/// Which rows.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Part {
    /// Those that weights are fitted to.
    Training,
    /// Those that only judge.
    Validation,
}

/// How many rows and coefficients there are, and what they take.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Size {
    /// Positions.
    pub rows: u64,
    /// Weights with a count other than zero, over all positions.
    pub coefficients: u64,
    /// Bytes of memory or file.
    pub bytes: u64,
}

/// All rows.
pub struct Dataset {
    pub(super) layout: Layout,
    pub(super) storage: Storage,
    pub(super) training: Vec<u32>,
    pub(super) validation: Vec<u32>,
    pub(super) sizes: [Size; 2],
    /// By weight: in how many positions for training it counts.
    pub(super) samples: Vec<u64>,
    pub(super) pool: Pool,
}

/// Memory of threads that are done, for those that come.
#[derive(Default)]
pub(super) struct Pool(Mutex<Vec<Scratch>>);

/// Memory that goes back when its thread is done.
struct Lent<'a>(&'a Pool, Option<Scratch>);

impl Pool {
    fn lend(&self, layout: &Layout) -> Lent<'_> {
        let free = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        Lent(self, Some(free.unwrap_or_else(|| Scratch::new(layout))))
    }

    /// Sums of what all threads have gathered.
    fn take(&mut self, layout: &Layout, gradient: &mut [[i64; 2]]) -> i64 {
        let mut loss = 0;
        for scratch in self.0.get_mut().unwrap_or_else(PoisonError::into_inner) {
            scratch.take(layout, gradient, &mut loss);
        }
        loss
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        if let Some(scratch) = self.1.take() {
            self.0.0.lock().unwrap_or_else(PoisonError::into_inner).push(scratch);
        }
    }
}

/// Where a gradient is computed: a table of the weights, and room for the sums.
pub(super) struct Desk {
    table: Units,
    sums: Vec<[i64; 2]>,
}

impl Desk {
    pub(super) fn new(layout: &Layout) -> Desk {
        Desk { table: zeros(), sums: vec![[0; 2]; layout.params] }
    }
}

impl Dataset {
    /// What rows mean.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// How much there is.
    pub fn size(&self, part: Part) -> Size {
        self.sizes[part as usize]
    }

    /// By weight: in how many positions for training it counts.
    pub fn samples(&self) -> &[u64] {
        &self.samples
    }

    /// The numbers of a part's blocks.
    pub(super) fn blocks(&self, part: Part) -> &[u32] {
        match part {
            Part::Training => &self.training,
            Part::Validation => &self.validation,
        }
    }

    /// How many rows a block has.
    pub(super) fn rows(&self, block: u32) -> usize {
        self.storage.rows(block)
    }

    /// Lets all threads of the pool work on blocks.
    fn work(&self, blocks: &[u32], work: impl Fn(&Block, &mut Scratch) + Sync) -> Result<(), TuneError> {
        let lend = || self.pool.lend(&self.layout);
        blocks.par_iter().with_max_len(1).try_for_each_init(lend, |lent, &number| match &mut lent.1 {
            Some(scratch) => self.with_block(number, scratch, &work),
            None => Ok(()),
        })
    }

    /// Works on a block, which is perhaps read into the thread's memory.
    fn with_block<T>(
        &self,
        number: u32,
        scratch: &mut Scratch,
        work: impl FnOnce(&Block, &mut Scratch) -> T,
    ) -> Result<T, TuneError> {
        let mut buffer = std::mem::take(&mut scratch.block);
        let done = self.storage.get(number, &mut buffer).map(|block| work(block, scratch));
        scratch.block = buffer;
        done
    }

    /// The mean loss.
    pub fn loss(&mut self, part: Part, values: &Values, objective: Objective) -> Result<f64, TuneError> {
        let mut desk = Desk::new(&self.layout);
        self.layout.fill(values, &mut desk.table);
        let kernel = Kernel { layout: &self.layout, table: &desk.table, objective };
        self.work(self.blocks(part), |block, scratch| kernel.loss(block, scratch))?;
        let loss = self.pool.take(&self.layout, &mut desk.sums);
        Ok(loss_of(loss) / self.size(part).rows as f64)
    }

    /// The mean loss of some blocks and how it changes with each weight, if a unit of weight changed the logit by one.
    pub(super) fn gradient(
        &mut self,
        blocks: &[u32],
        values: &Values,
        objective: Objective,
        desk: &mut Desk,
        gradient: &mut Values,
    ) -> Result<f64, TuneError> {
        self.layout.fill(values, &mut desk.table);
        let kernel = Kernel { layout: &self.layout, table: &desk.table, objective };
        self.work(blocks, |block, scratch| kernel.gradient(block, scratch))?;
        desk.sums.fill([0; 2]);
        let loss = self.pool.take(&self.layout, &mut desk.sums);
        let rows = blocks.iter().map(|&block| self.rows(block)).sum::<usize>() as f64;
        for (gradient, sums) in gradient.iter_mut().zip(&desk.sums) {
            *gradient = sums.map(|sum| gradient_of(sum) / rows);
        }
        Ok(loss_of(loss) / rows)
    }

    /// The mean loss of all positions for training and its gradient by weight.
    pub fn full_gradient(&mut self, values: &Values, objective: Objective) -> Result<(f64, Values), TuneError> {
        let mut desk = Desk::new(&self.layout);
        let mut gradient = vec![[0.0; 2]; self.layout.params];
        let blocks = self.training.clone();
        let loss = self.gradient(&blocks, values, objective, &mut desk, &mut gradient)?;
        let per_unit = self.logit_per_unit(objective);
        gradient.iter_mut().flatten().for_each(|slope| *slope *= per_unit);
        Ok((loss, gradient))
    }

    /// How much a logit changes with a unit of weight that counts fully.
    pub(super) fn logit_per_unit(&self, objective: Objective) -> f64 {
        objective.per_centipawn() * 100.0 / f64::from(self.layout.unit)
    }

    /// Values and results of so many positions for training, spread over all.
    pub(super) fn values(&self, values: &Values, most: usize) -> Result<(Vec<f32>, Vec<f32>), TuneError> {
        let mut table = zeros();
        self.layout.fill(values, &mut table);
        let objective = Objective { kind: LossKind::Squared, scale: 1.0, lambda: 0.0 };
        let kernel = Kernel { layout: &self.layout, table: &table, objective };
        let stride = (self.size(Part::Training).rows as usize).div_ceil(most.max(1)).max(1);
        let chosen: Vec<u32> = self.training.iter().copied().step_by(stride).collect();
        let values_of = |block: &Block, scratch: &mut Scratch| {
            let mut values = Vec::with_capacity(block.len());
            kernel.values(block, scratch, &mut |_, value| values.push(value));
            (values, block.results.clone())
        };
        let parts = chosen.par_iter().map(|&number| {
            let mut lent = self.pool.lend(&self.layout);
            lent.1.as_mut().map_or(Ok(Default::default()), |scratch| self.with_block(number, scratch, values_of))
        });
        let parts: Vec<(Vec<f32>, Vec<f32>)> = parts.collect::<Result<_, TuneError>>()?;
        let (values, results): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
        Ok((values.concat(), results.concat()))
    }
}
