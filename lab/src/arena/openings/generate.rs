//! Makes a book on several threads. Attempts are numbered and their results taken in order, so that the book does not
//! depend on the number of threads.

use std::collections::{BTreeMap, HashSet};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, mpsc};

use engine::openings::{Cook, Opening, Recipe};
use engine::{STACK, Weights};

/// So many attempts without a new opening, and there are no more.
const PATIENCE: u64 = 20_000;

/// What came of making openings.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct Generated {
    /// How many openings there are.
    pub openings: usize,
    /// How many attempts it took.
    pub attempts: u64,
    /// Why there are no more.
    pub end: GenerationEnd,
}

/// Why the making of openings ended.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum GenerationEnd {
    /// All that were wanted are there.
    Complete,
    /// No new ones could be found.
    Exhausted,
    /// It was interrupted.
    Interrupted,
    /// There is no memory, or no thread, to look at them.
    NoMemory,
}

/// Makes `count` openings, all different, and hands each to `take` in an order that depends on the recipe alone.
pub fn generate_openings(
    recipe: &Recipe,
    weights: &Arc<Weights>,
    count: usize,
    threads: NonZeroUsize,
    take: &mut dyn FnMut(&Opening),
    is_interrupted: &dyn Fn() -> bool,
) -> Generated {
    let mut generated = Generated { openings: 0, attempts: 0, end: GenerationEnd::Complete };
    let (next, is_over) = (AtomicU64::new(0), AtomicBool::new(count == 0));
    std::thread::scope(|scope| {
        let (sender, results) = mpsc::sync_channel(64 * threads.get());
        for _ in 0..threads.get() {
            let (sender, weights, next, is_over) = (sender.clone(), weights.clone(), &next, &is_over);
            let work = move || {
                let Some(mut cook) = Cook::new(recipe, weights) else { return };
                while !is_over.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if sender.send((number, cook.attempt(number))).is_err() {
                        return;
                    }
                }
            };
            // With fewer threads it takes longer; with none the channel closes
            let _ = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        }
        drop(sender);
        generated.collect(&results, count, take, is_interrupted);
        is_over.store(true, Ordering::Relaxed);
        // Whoever still wants to hand over an attempt finds the channel closed
        drop(results);
    });
    generated
}

impl Generated {
    /// Takes results in the order of their numbers until there are enough.
    fn collect(
        &mut self,
        results: &mpsc::Receiver<(u64, Option<Opening>)>,
        count: usize,
        take: &mut dyn FnMut(&Opening),
        is_interrupted: &dyn Fn() -> bool,
    ) {
        let (mut waiting, mut known) = (BTreeMap::new(), HashSet::new());
        let mut last = 0;
        while self.openings < count {
            if is_interrupted() {
                self.end = GenerationEnd::Interrupted;
                return;
            }
            let Ok((number, result)) = results.recv() else {
                self.end = GenerationEnd::NoMemory;
                return;
            };
            waiting.insert(number, result);
            while let Some(result) = waiting.remove(&self.attempts) {
                self.attempts += 1;
                if let Some(opening) = result
                    && self.openings < count
                    && known.insert(opening.position.keys().full())
                {
                    take(&opening);
                    self.openings += 1;
                    last = self.attempts;
                }
                if self.attempts - last >= PATIENCE {
                    self.end = GenerationEnd::Exhausted;
                    return;
                }
                if self.openings == count {
                    return;
                }
            }
        }
    }
}
