//! From files of positions to rows, on all threads. Each row is turned back into a value and compared with the evaluation.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use chess::Color;
use engine::{Accumulator, CATALOG, Counter, EvalCache, Group, LIMIT, PARAM_COUNT, Score, Weights};
use serde::{Deserialize, Serialize};

use super::block::{Block, Draft, Facts, ROWS};
use super::dataset::{Dataset, Part, Pool, Size};
use super::error::TuneError;
use super::kernel::{Kernel, Objective, Scratch};
use super::layout::{CHUNK, Found, Layout, UNITS, Units, zeros};
use super::space::Space;
use super::storage::{RowFile, RowWriter, Storage};
use crate::ablation::LossKind;
use crate::data::{BadLine, Sample, Samples};

/// How far a row's value may be from the evaluation, in centipawns.
const TOLERANCE: f64 = 1.0;

/// How files are read.
#[derive(Copy, Clone, Debug)]
pub struct LoadSettings {
    /// What share of the games is for validation, from 0 to 1.
    pub validation: f64,
    /// How many threads read.
    pub threads: usize,
}

/// What is done with a file's positions.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Lot {
    /// They are divided by game.
    Divided,
    /// All are for validation.
    Validation,
}

/// A file for rows, which may be larger than memory and is used again when nothing has changed.
#[derive(Clone, Debug)]
pub struct Cache {
    /// The file.
    pub path: PathBuf,
    /// What its rows depend on besides their groups.
    pub identity: String,
}

/// What is known of rows besides themselves; stands at the end of a cache.
#[derive(Serialize, Deserialize)]
struct Known {
    training: Vec<u32>,
    validation: Vec<u32>,
    sizes: [Size; 2],
    samples: Vec<u64>,
    finished: u64,
    bad_count: u64,
}

/// Makes rows of positions.
pub struct Loader {
    weights: Weights,
    /// The weights, and something in place of every zero, so that every term of a row is checked.
    probe: Weights,
    probe_table: Units,
    settings: LoadSettings,
    groups: Vec<Group>,
    counter: Counter,
    workers: Mutex<Vec<Worker>>,
    cache: Option<(RowWriter, Cache)>,
    dataset: Dataset,
    files: u64,
    finished: u64,
    bad_count: u64,
    bad: Vec<(String, BadLine)>,
}

/// One thread's memory.
struct Worker {
    counter: Counter,
    draft: Draft,
    scratch: Scratch,
    evals: EvalCache,
    found: Box<Found>,
}

/// What came of some positions.
#[derive(Default)]
struct Harvest {
    /// For training and for validation.
    blocks: [Vec<Block>; 2],
    coefficients: [u64; 2],
    /// By weight: in how many positions for training it counts.
    samples: Vec<u32>,
    finished: u64,
}

impl Loader {
    /// Begins with no positions; the weights give phases and unit, and what rows are checked with. Rows are
    /// made of groups in which something is free or not zero, so that nothing else may be tuned on them.
    pub fn new(weights: &Weights, space: &Space, settings: LoadSettings) -> Result<Loader, TuneError> {
        let groups = groups_of(weights, space);
        let counter = counter_of(&groups);
        let layout = layout_of(&counter, weights);
        if !layout.is_possible() {
            return Err(TuneError::TooMany(layout.params));
        }
        let probe = probe(weights, &groups);
        let mut probe_table = zeros();
        layout.fill(&super::finish::values_of(&probe), &mut probe_table);
        Ok(Loader {
            weights: weights.clone(),
            probe,
            probe_table,
            settings,
            groups,
            counter,
            workers: Mutex::new(Vec::new()),
            cache: None,
            dataset: Dataset {
                samples: vec![0; layout.params],
                layout,
                storage: Storage::Memory(Vec::new()),
                training: Vec::new(),
                validation: Vec::new(),
                sizes: [Size::default(); 2],
                pool: Pool::default(),
            },
            files: 0,
            finished: 0,
            bad_count: 0,
            bad: Vec::new(),
        })
    }

    /// Rows that a cache has, and how many positions and lines were left out; none if there is no such cache.
    pub fn from_cache(
        weights: &Weights,
        space: &Space,
        cache: &Cache,
    ) -> Result<Option<(Dataset, u64, u64)>, TuneError> {
        let groups = groups_of(weights, space);
        let identity = identity_of(cache, &groups);
        let Some((file, known)) = RowFile::open::<Known>(&cache.path, &identity)? else { return Ok(None) };
        let Known { training, validation, sizes, samples, finished, bad_count } = known;
        let layout = layout_of(&counter_of(&groups), weights);
        let (storage, pool) = (Storage::File(file), Pool::default());
        Ok(Some((Dataset { layout, storage, training, validation, sizes, samples, pool }, finished, bad_count)))
    }

    /// Writes rows to a file instead of keeping them in memory.
    pub fn with_cache(mut self, cache: Cache) -> Result<Loader, TuneError> {
        let writer = RowWriter::create(&cache.path, self.dataset.layout.piles.len())?;
        self.cache = Some((writer, cache));
        Ok(self)
    }

    /// Reads a file to its end or until `progress`, which is told the bytes read so far, breaks off.
    pub fn add(
        &mut self,
        path: &str,
        lot: Lot,
        mut progress: impl FnMut(u64) -> ControlFlow<()> + Send,
    ) -> Result<(), TuneError> {
        let mut samples = Samples::open(path, self.files)?;
        self.files += 1;
        let Loader { weights, probe, probe_table, settings, counter, workers, cache, dataset, finished, .. } = self;
        let (layout, workers) = (dataset.layout.clone(), &*workers);
        let reaper = Reaper { weights, probe, probe_table, layout: &layout, settings, lot };
        let work = |samples: Vec<Sample>| {
            let worker = workers.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let mut worker = worker.unwrap_or_else(|| Worker {
                counter: counter.clone(),
                draft: Draft::new(),
                scratch: Scratch::new(&layout),
                evals: EvalCache::default(),
                found: Box::new([0; UNITS]),
            });
            let harvest = reaper.reap(&samples, &mut worker);
            workers.lock().unwrap_or_else(PoisonError::into_inner).push(worker);
            harvest
        };
        let mut failure = None;
        samples.in_parallel(settings.threads.max(1), work, |harvest, bytes| {
            let added = harvest.and_then(|harvest| {
                *finished += harvest.finished;
                dataset.add(harvest, cache.as_mut().map(|(writer, _)| writer))
            });
            match added {
                Ok(()) => progress(bytes),
                Err(error) => {
                    failure = Some(error);
                    ControlFlow::Break(())
                }
            }
        })?;
        self.bad_count += samples.bad_count();
        self.bad.extend(samples.bad_lines().iter().map(|bad| (path.to_owned(), bad.clone())));
        failure.map_or(Ok(()), Err)
    }

    /// How many positions were left out because their game is over.
    pub fn finished(&self) -> u64 {
        self.finished
    }

    /// How many lines were left out.
    pub fn bad_count(&self) -> u64 {
        self.bad_count
    }

    /// The first lines that were left out, with their files.
    pub fn bad_lines(&self) -> &[(String, BadLine)] {
        &self.bad
    }

    /// All rows.
    pub fn finish(self) -> Result<Dataset, TuneError> {
        if self.dataset.size(Part::Training).rows == 0 {
            let why = self.bad.first().map(|(file, bad)| format!("; {file}, line {}: {}", bad.line, bad.error));
            return Err(TuneError::NoPositions(why.unwrap_or_default()));
        }
        if self.dataset.size(Part::Validation).rows == 0 && self.settings.validation > 0.0 {
            return Err(TuneError::NoValidation);
        }
        let mut dataset = self.dataset;
        if let Some((writer, cache)) = self.cache {
            let known = Known {
                training: dataset.training.clone(),
                validation: dataset.validation.clone(),
                sizes: dataset.sizes,
                samples: dataset.samples.clone(),
                finished: self.finished,
                bad_count: self.bad_count,
            };
            dataset.storage = Storage::File(writer.finish(&identity_of(&cache, &self.groups), &known)?);
        }
        Ok(dataset)
    }
}

impl Dataset {
    /// Adds rows, to a file if there is one.
    fn add(&mut self, harvest: Harvest, mut file: Option<&mut RowWriter>) -> Result<(), TuneError> {
        for (part, blocks) in [Part::Training, Part::Validation].into_iter().zip(harvest.blocks) {
            let size = &mut self.sizes[part as usize];
            size.coefficients += harvest.coefficients[part as usize];
            for block in blocks {
                size.rows += block.len() as u64;
                size.bytes += block.bytes() as u64;
                let number = match (&mut file, &mut self.storage) {
                    (Some(file), _) => file.add(&block)?,
                    (None, Storage::Memory(blocks)) => {
                        blocks.push(block);
                        blocks.len() as u32 - 1
                    }
                    (None, Storage::File(_)) => continue,
                };
                match part {
                    Part::Training => self.training.push(number),
                    Part::Validation => self.validation.push(number),
                }
            }
        }
        for (all, &more) in self.samples.iter_mut().zip(&harvest.samples) {
            *all += u64::from(more);
        }
        Ok(())
    }
}

/// What threads need to turn positions into rows.
struct Reaper<'a> {
    weights: &'a Weights,
    probe: &'a Weights,
    probe_table: &'a Units,
    layout: &'a Layout,
    settings: &'a LoadSettings,
    lot: Lot,
}

impl Reaper<'_> {
    fn reap(&self, samples: &[Sample], worker: &mut Worker) -> Result<Harvest, TuneError> {
        let mut harvest = Harvest::default();
        // The positions of each part's last block
        let mut open: [(Block, Vec<&Sample>); 2] = Default::default();
        for sample in samples {
            if sample.position.outcome().is_some() {
                harvest.finished += 1;
                continue;
            }
            let part = self.part_of(sample);
            let Worker { counter, draft, found, .. } = worker;
            let mut coefficients = 0;
            counter.count(&sample.position, |_, _, counts| {
                coefficients += draft.add(self.layout, counts, |unit, more| {
                    // All of them will be counted, and are one
                    if part == Part::Training {
                        found[usize::from(unit)] = found[usize::from(unit)].wrapping_sub(more);
                    }
                });
            });
            harvest.coefficients[part as usize] += coefficients as u64;
            let phases = self.weights.stage_of(&sample.position).phases;
            let (block, of) = &mut open[part as usize];
            if !block.push(draft, &Facts { phases, result: sample.result, score: sample.value }) {
                return Err(TuneError::TooLong(sample.position.to_string()));
            }
            of.push(sample);
            if block.len() == ROWS {
                harvest.blocks[part as usize].push(self.close(block, of, part, worker)?);
                of.clear();
                block.clear();
            }
        }
        for (part, (block, of)) in [Part::Training, Part::Validation].into_iter().zip(open) {
            if !block.is_empty() {
                harvest.blocks[part as usize].push(self.close(&block, &of, part, worker)?);
            }
        }
        harvest.samples = self.layout.take_found(&mut worker.found);
        Ok(harvest)
    }

    /// Checks a block's rows, counts their units, and sorts them.
    fn close(&self, block: &Block, of: &[&Sample], part: Part, worker: &mut Worker) -> Result<Block, TuneError> {
        self.check(block, of, worker)?;
        if part == Part::Training {
            for chunk in block.units.as_chunks::<CHUNK>().0 {
                for &unit in chunk {
                    let found = &mut worker.found[usize::from(unit)];
                    *found = found.wrapping_add(1);
                }
            }
        }
        Ok(block.sorted(self.layout.piles.len()))
    }

    /// Which part a position is for: one and the same for all positions of a game.
    fn part_of(&self, sample: &Sample) -> Part {
        let is_validation = match self.lot {
            Lot::Validation => true,
            Lot::Divided => fastrand::Rng::with_seed(sample.game).f64() < self.settings.validation,
        };
        if is_validation { Part::Validation } else { Part::Training }
    }

    /// Compares the values of rows with the evaluation.
    fn check(&self, block: &Block, samples: &[&Sample], worker: &mut Worker) -> Result<(), TuneError> {
        let objective = Objective { kind: LossKind::Squared, scale: 1.0, lambda: 0.0 };
        let kernel = Kernel { layout: self.layout, table: self.probe_table, objective };
        let mut mismatch = None;
        let Worker { scratch, evals, .. } = worker;
        kernel.values(block, scratch, &mut |row, value| {
            let position = &samples[row].position;
            let accumulator = Accumulator::new(position, self.probe);
            let evaluated = self.probe.evaluate_cached(position, &accumulator, evals);
            let evaluated = if position.turn() == Color::White { evaluated } else { -evaluated };
            let composed = f64::from(value).clamp(-f64::from(LIMIT), f64::from(LIMIT));
            if mismatch.is_none() && (composed - f64::from(evaluated)).abs() > TOLERANCE {
                mismatch = Some(TuneError::Mismatch { fen: position.to_string(), composed, evaluated });
            }
        });
        mismatch.map_or(Ok(()), Err)
    }
}

/// The groups that rows are made of: where something is free, or not zero.
fn groups_of(weights: &Weights, space: &Space) -> Vec<Group> {
    let matters = |group: &Group| weights.uses(*group) || space.has_free(*group);
    Group::ALL.iter().copied().filter(matters).collect()
}

/// What the rows of a cache depend on, these groups among it.
fn identity_of(cache: &Cache, groups: &[Group]) -> String {
    format!("{} {groups:?}", cache.identity)
}

fn counter_of(groups: &[Group]) -> Counter {
    Counter::default().looking_for(|group| groups.contains(&group))
}

fn layout_of(counter: &Counter, weights: &Weights) -> Layout {
    Layout::new(PARAM_COUNT, counter.slots().to_vec(), weights.unit())
}

/// The weights with small numbers in place of zeros, in groups that rows are made of.
fn probe(weights: &Weights, groups: &[Group]) -> Weights {
    let mut chance = fastrand::Rng::with_seed(1);
    let mut values = Box::new(*weights.values());
    for term in CATALOG.iter().filter(|term| groups.contains(&term.group)) {
        for value in values[term.params()].iter_mut().filter(|value| **value == Score::ZERO) {
            *value = Score::new(chance.i32(-31..=31), chance.i32(-31..=31));
        }
    }
    weights.with_values(values)
}
