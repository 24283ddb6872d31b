//! The search: what goes in, what comes out, and what is remembered. How it works is in `worker`.

mod correction;
mod history;
mod limits;
mod picker;
mod quiescence;
mod reductions;
mod signal;
mod table;
mod value;
mod worker;

use std::sync::Arc;
use std::time::Duration;

use chess::{Move, Position, Trail};

use crate::{Accumulator, Weights};
use correction::Corrections;
use history::History;
use limits::Deadline;
pub use limits::Limits;
use reductions::Reductions;
pub use signal::Signal;
use table::Table;
pub use value::{INFINITE, MATE, MAX_PLY, uci_score};
use worker::{Node, Worker};

/// What a search remembers from one move to the next.
pub struct Memory {
    table: Table,
    history: History,
    corrections: Corrections,
    reductions: Reductions,
}

impl Memory {
    /// A table of this many megabytes; none if there is not so much memory.
    pub fn new(megabytes: usize) -> Option<Memory> {
        Some(Memory {
            table: Table::new(megabytes)?,
            history: History::new(),
            corrections: Corrections::new(),
            reductions: Reductions::new(),
        })
    }
}

/// A position to search, with the game that led to it.
#[derive(Clone)]
pub struct Task {
    /// The position.
    pub position: Position,
    /// The positions before it.
    pub trail: Trail,
    /// The evaluation's weights.
    pub weights: Arc<Weights>,
    /// When to stop.
    pub limits: Limits,
    /// What a move costs outside the engine, in milliseconds.
    pub overhead: u64,
}

/// What an iteration found.
#[derive(Clone, Debug)]
pub struct Report {
    /// How deep it went.
    pub depth: usize,
    /// How deep its deepest line went.
    pub deepest: usize,
    /// The value, from the side to move's view.
    pub value: i32,
    /// Positions searched so far.
    pub nodes: u64,
    /// Time used so far.
    pub time: Duration,
    /// How full the table is, in thousandths.
    pub fullness: usize,
    /// The best line.
    pub line: Vec<Move>,
}

/// Searches until a limit or the signal ends it, and returns the last report. `None`: there is no legal move.
pub fn search(task: Task, memory: &mut Memory, signal: &Signal, show: &mut dyn FnMut(&Report)) -> Option<Report> {
    let moves = task.position.legal_moves();
    let first = task.limits.moves.first().copied().or(moves.first().copied())?;
    memory.table.start_search();
    let accumulator = Accumulator::new(&task.position, &task.weights);
    let root = Node { position: task.position, accumulator };
    let deadline = Deadline::new(&task.limits, task.position.turn(), task.overhead);
    let mut trail = task.trail;
    trail.start_search();
    let worker = Worker {
        weights: &task.weights,
        table: &memory.table,
        history: &mut memory.history,
        corrections: &mut memory.corrections,
        signal,
        deadline,
        root_moves: &task.limits.moves,
        trail,
        nodes: 0,
        deepest: 0,
        is_stopped: false,
        evals: [None; MAX_PLY],
        last_was_move: [true; MAX_PLY + 1],
        reductions: &memory.reductions,
    };
    Some(worker.deepen(&root, first, show))
}
