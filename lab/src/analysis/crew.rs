//! Several threads review the games of a file, and hand them over in the order of the file.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use engine::{Limits, Memory, Tablebases, Weights};
use thiserror::Error;

use super::review::{Review, Scale, review};
use crate::data::{DataError, Scoresheets, SheetError};
use crate::explain::Guide;

/// Nodes for each search from the end of a line that ends too early.
const MORE: u64 = 3000;

/// How games are reviewed.
#[derive(Clone)]
pub struct Plan {
    /// The evaluation.
    pub weights: Arc<Weights>,
    /// How long each position is searched.
    pub limits: Limits,
    /// What losses are called.
    pub scale: Scale,
    /// Endgame tables, if there are any.
    pub tablebases: Option<Arc<Tablebases>>,
    /// Megabytes for each thread's table.
    pub hash: usize,
    /// How many threads.
    pub jobs: usize,
}

/// Why games cannot be reviewed.
#[derive(Debug, Error)]
pub enum CrewError {
    /// The file cannot be read.
    #[error(transparent)]
    Data(#[from] DataError),
    /// No memory for the search.
    #[error("{0} MB of memory for each of {1} jobs cannot be had; ask for less")]
    Memory(usize, usize),
    /// A thread cannot be started.
    #[error("the search cannot be started: {0}")]
    Thread(String),
}

/// Where games are handed out and reviews handed over.
struct Desk<'a> {
    sheets: Scoresheets,
    /// The game that is handed over next.
    turn: u64,
    ready: BTreeMap<u64, Result<Review, SheetError>>,
    take: &'a mut (dyn FnMut(Result<Review, SheetError>) + Send),
    error: Option<DataError>,
    is_over: bool,
}

/// Reviews the games of a file. `take` gets reviews and broken games in the order of the file; games that `is_stopped` cuts
/// off are left out, with all after them.
pub fn review_all(
    path: &str,
    plan: &Plan,
    is_stopped: &(dyn Fn() -> bool + Sync),
    take: &mut (dyn FnMut(Result<Review, SheetError>) + Send),
) -> Result<(), CrewError> {
    let sheets = Scoresheets::open(path)?;
    let no_memory = || CrewError::Memory(plan.hash, plan.jobs);
    let memories: Vec<Memory> =
        (0..plan.jobs.max(1)).map(|_| Memory::new(plan.hash).ok_or_else(no_memory)).collect::<Result<_, _>>()?;
    let desk = Mutex::new(Desk { sheets, turn: 1, ready: BTreeMap::new(), take, error: None, is_over: false });
    let started: Result<(), CrewError> = std::thread::scope(|scope| {
        for memory in memories {
            let guide = Guide {
                weights: plan.weights.clone(),
                limits: plan.limits.clone(),
                tablebases: plan.tablebases.clone(),
                more: MORE,
                is_stopped,
                memory,
            };
            let desk = &desk;
            let thread = std::thread::Builder::new().stack_size(engine::STACK);
            thread
                .spawn_scoped(scope, move || work(desk, guide, plan))
                .map_err(|error| CrewError::Thread(error.to_string()))?;
        }
        Ok(())
    });
    started?;
    desk.into_inner().unwrap_or_else(PoisonError::into_inner).error.map_or(Ok(()), |error| Err(error.into()))
}

fn work(desk: &Mutex<Desk>, mut guide: Guide, plan: &Plan) {
    let lock = || desk.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        let next = {
            let mut desk = lock();
            if desk.is_over || (guide.is_stopped)() {
                return;
            }
            match desk.sheets.next() {
                Some(Ok(next)) => next,
                Some(Err(error)) => {
                    (desk.error, desk.is_over) = (Some(error), true);
                    return;
                }
                None => {
                    desk.is_over = true;
                    return;
                }
            }
        };
        let (number, done) = match next {
            Err(error) => (error.number, Err(error)),
            Ok(sheet) => {
                // What was searched in one game tells nothing of another, and must not depend on who reviews it
                let Some(memory) = guide.memory.cleared() else {
                    lock().is_over = true;
                    return;
                };
                guide.memory = memory;
                let number = sheet.number;
                let Some(review) = review(sheet, &mut guide, &plan.scale) else { return };
                (number, Ok(review))
            }
        };
        let mut desk = lock();
        desk.ready.insert(number, done);
        while let Some(done) = {
            let turn = desk.turn;
            desk.ready.remove(&turn)
        } {
            desk.turn += 1;
            (desk.take)(done);
        }
    }
}
