//! What a search starts from: the static evaluation and what the search itself makes of it.

use std::fmt;

use super::value::DRAW;
use super::worker::{Node, Shared, Worker};
use super::{Memory, Signal, Task};
use crate::Accumulator;

/// The root before any move is tried, from the side to move's view, in centipawns.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Outlook {
    /// The evaluation's parts; none in check, where a search does without.
    pub basis: Option<Basis>,
    /// What a draw is worth.
    pub draw: i32,
}

/// The steps from the evaluation to the value that the search uses.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Basis {
    /// The static evaluation.
    pub eval: i32,
    /// What the fifty-move rule takes off or adds.
    pub damping: i32,
    /// What earlier searches have learned of such positions.
    pub correction: i32,
    /// The value that the search starts from.
    pub value: i32,
}

impl Outlook {
    /// What a search of this task would start from now.
    pub fn of(task: &Task, memory: &mut Memory) -> Outlook {
        let signal = Signal::new(false);
        memory.prepare(memory.threads.len(), &task.weights);
        let shared = Shared::new(task, &memory.table, &signal, false);
        let mut worker = Worker::new(&shared, 0, &mut memory.threads[0], task.trail.clone(), Vec::new());
        let position = &task.position;
        let root = Node { position: *position, accumulator: Accumulator::new(position, &task.weights) };
        let basis = worker.raw_eval(&root, None).map(|eval| {
            let correction = worker.correction(position, 0);
            let damping = worker.adjusted(position, eval, 0) - eval;
            Basis { eval, damping, correction, value: worker.adjusted(position, eval, correction) }
        });
        Outlook { basis, draw: DRAW }
    }
}

impl fmt::Display for Outlook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.basis {
            Some(Basis { eval, damping, correction, value }) => write!(
                f,
                "side to move's view: evaluation {eval:+}, fifty-move damping {damping:+}, correction {correction:+}, \
                 the search starts from {value:+}"
            )?,
            None => write!(f, "side to move's view: in check, the search starts without an evaluation")?,
        }
        write!(f, ", a draw is {:+}", self.draw)
    }
}
