//! The search: what goes in, what comes out, and what is remembered. How it works is in `tree` and `worker`.

mod correction;
mod history;
mod hunt;
mod kind;
mod limits;
mod offer;
mod outlook;
mod picker;
mod quiescence;
mod reductions;
mod root;
mod scratch;
mod settled;
mod signal;
mod steps;
mod table;
mod tree;
mod tunables;
mod value;
mod worker;

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use chess::{Move, Position, Trail};

use crate::eval::bishop_knight;
use crate::{Accumulator, Tablebases, Weights};
use history::Histories;
pub use limits::Limits;
pub use outlook::{Basis, Outlook};
use root::RootMove;
use scratch::Scratch;
pub use settled::Quiescence;
pub use signal::Signal;
pub use table::Bound;
use table::Table;
pub use tunables::{TUNABLES, Tunable, Tunables};
pub(crate) use value::is_decisive;
use value::is_mate;
pub use value::{INFINITE, MATE, MAX_PLY, moves_to_mate, uci_score};
use worker::{Node, Shared, Worker};

/// What a search remembers from one move to the next.
pub struct Memory {
    table: Table,
    threads: Vec<ThreadMemory>,
}

/// What one thread remembers, and what it works with.
struct ThreadMemory {
    histories: Histories,
    scratch: Scratch,
}

impl ThreadMemory {
    fn new() -> ThreadMemory {
        ThreadMemory { histories: Histories::new(), scratch: Scratch::new() }
    }
}

impl Memory {
    /// A table of this many megabytes and one thread's histories; none if there is not so much memory.
    pub fn new(megabytes: usize) -> Option<Memory> {
        Some(Memory { table: Table::new(megabytes)?, threads: vec![ThreadMemory::new()] })
    }

    /// Forgets everything. None, and nothing is left, if there is no memory any more.
    pub fn cleared(self) -> Option<Memory> {
        let mut threads = self.threads;
        for thread in &mut threads {
            thread.histories.clear();
        }
        Some(Memory { table: self.table.cleared()?, threads })
    }

    /// Room for so many threads, ready to search with these weights.
    fn prepare(&mut self, threads: usize, weights: &Arc<Weights>) {
        self.threads.resize_with(threads, ThreadMemory::new);
        for thread in &mut self.threads {
            thread.scratch.prepare(weights);
        }
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
    /// The search's numbers.
    pub tunables: Arc<Tunables>,
    /// When to stop.
    pub limits: Limits,
    /// What a move costs outside the engine, in milliseconds.
    pub overhead: u64,
    /// How many threads search.
    pub threads: usize,
    /// How many lines are wanted.
    pub multi_pv: usize,
    /// Endgame tables, if there are any.
    pub tablebases: Option<Arc<Tablebases>>,
}

impl Task {
    /// A search of a position by one thread, without a game before it.
    pub fn new(position: Position, weights: Arc<Weights>, limits: Limits) -> Task {
        let tunables = Arc::new(Tunables::default());
        Task {
            position,
            trail: Trail::new(),
            weights,
            tunables,
            limits,
            overhead: 0,
            threads: 1,
            multi_pv: 1,
            tablebases: None,
        }
    }
}

/// What an iteration found.
#[derive(Clone, Debug)]
pub struct Report {
    /// How deep it went.
    pub depth: usize,
    /// How deep its deepest line went.
    pub deepest: usize,
    /// Which of the wanted lines it is, from 1.
    pub rank: usize,
    /// The value, from the side to move's view.
    pub value: i32,
    /// Whether the value is known or only bounded.
    pub bound: Bound,
    /// Positions searched so far.
    pub nodes: u64,
    /// Positions found in endgame tables so far.
    pub table_hits: u64,
    /// Time used so far.
    pub time: Duration,
    /// How full the table was with what this search found, some thousand nodes ago at most, in thousandths.
    pub fullness: usize,
    /// The best line.
    pub line: Vec<Move>,
}

/// Searches until a limit or the signal ends it, and returns the last report. `None`: there is no legal move.
pub fn search(task: &Task, memory: &mut Memory, signal: &Signal, show: &mut dyn FnMut(&Report)) -> Option<Report> {
    let start = Instant::now();
    bishop_knight::foresee(&task.position);
    let mut root_moves = root::moves(task);
    if root_moves.is_empty() {
        return None;
    }
    let is_ranked = root::rank(task, &mut root_moves);
    // Whoever waited for the table of this ending may have no time left to look at any move
    if let Some(best) = bishop_knight::best_move(&task.position) {
        root_moves.sort_by_key(|root_move| root_move.mv != best);
    }
    memory.table.start_search();
    memory.prepare(task.threads.max(1), &task.weights);
    let root = Node { position: task.position, accumulator: Accumulator::new(&task.position, &task.weights) };
    let mut trail = task.trail.clone();
    trail.start_search();
    let shared = Shared::new(task, &memory.table, signal, is_ranked);
    // Looking through the table takes as long as some nodes
    let fullness = Cell::new((0, 0));
    let fullness_at = |nodes: u64| {
        if nodes >= fullness.get().0 + SAMPLING {
            fullness.set((nodes, shared.table.fullness()));
        }
        fullness.get().1
    };
    let report = |worker: &Worker, rank: usize| {
        let root_move = &worker.root_moves[rank];
        let nodes = shared.nodes().max(worker.nodes);
        Report {
            depth: worker.depth as usize,
            deepest: root_move.deepest,
            rank: rank + 1,
            value: root_move.shown_value(),
            bound: root_move.bound,
            nodes,
            table_hits: shared.table_hits.load(Ordering::Relaxed),
            time: start.elapsed(),
            fullness: fullness_at(nodes),
            line: finished(&task.position, root_move),
        }
    };
    let (first, others) = memory.threads.split_at_mut(1);
    let mut shown = None;
    let workers: Vec<Worker> = std::thread::scope(|scope| {
        let helpers: Vec<_> = (1..)
            .zip(others)
            .map(|(number, memory)| {
                let (shared, root, trail, root_moves) = (&shared, &root, trail.clone(), root_moves.clone());
                let work = move || {
                    let mut worker = Worker::new(shared, number, memory, trail, root_moves);
                    worker.deepen(root, &mut |_, _| ());
                    worker
                };
                std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work)
            })
            .collect();
        let mut worker = Worker::new(&shared, 0, &mut first[0], trail.clone(), root_moves.clone());
        worker.deepen(&root, &mut |worker, rank| {
            let report = report(worker, rank);
            show(&report);
            // Bounds are shown or not by the time that has passed; the result must not depend on it
            if rank == 0 && report.bound == Bound::Exact {
                shown = Some(report);
            }
        });
        shared.is_over.store(true, Ordering::Relaxed);
        let helped = helpers.into_iter().filter_map(|helper| helper.ok()?.join().ok());
        std::iter::once(worker).chain(helped).collect()
    });
    // Several lines, an exact depth, or a mate that was proven are the first thread's
    let is_the_firsts = shared.multi_pv > 1 || task.limits.depth.is_some() || workers[0].scratch.hunt.has_mate();
    let best = if is_the_firsts { &workers[0] } else { elect(&workers) };
    let mut last = report(best, 0);
    if best.completed == 0 && last.value == -INFINITE {
        // Not even one move was looked at in full
        last.value = task.weights.evaluate(&root.position, &root.accumulator);
    }
    // What was shown of this move says more than a bound does; only the effort goes on
    let is_shown = |shown: &Report| match last.bound {
        Bound::Exact => shown.line == last.line,
        Bound::Lower | Bound::Upper => shown.line.first() == last.line.first(),
    };
    let mut said = None;
    if let Some(shown) = shown.filter(is_shown) {
        said = Some(shown.nodes);
        let Report { nodes, table_hits, time, fullness, .. } = last;
        last = Report { nodes, table_hits, time, fullness, ..shown };
    }
    if said != Some(last.nodes) {
        show(&last);
    }
    if let [best] = last.line[..] {
        last.line.extend(expected_reply(&task.position, best, &memory.table));
    }
    Some(last)
}

/// A root move's line. Where it ends in a mate by bishop and knight that is known, it goes on to the mate.
fn finished(root: &Position, root_move: &RootMove) -> Vec<Move> {
    let mut line = root_move.line.clone();
    if is_mate(root_move.value) {
        let mut position = *root;
        line.iter().for_each(|&mv| position.play(mv));
        while let Some(mv) = bishop_knight::best_move(&position) {
            position.play(mv);
            line.push(mv);
        }
    }
    line
}

/// The reply to a move that the table knows: a line that failed high or was cut short ends after its first move, and the
/// player who ponders wants one more.
fn expected_reply(position: &Position, best: Move, table: &Table) -> Option<Move> {
    let mut position = *position;
    position.play(best);
    table.get(position.keys().full())?.mv.filter(|&reply| position.is_legal(reply))
}

/// After so many nodes it is looked up again how full the table is.
const SAMPLING: u64 = 4096;

/// The stack that a searching thread needs: room for a line as deep as lines can be.
pub const STACK: usize = 64 << 20;

/// The thread whose move is played: each votes for its move, by how deep it went and what it found.
fn elect<'w, 'a>(workers: &'w [Worker<'a>]) -> &'w Worker<'a> {
    let worst = workers.iter().filter(|w| w.completed > 0).map(|w| w.root_moves[0].value).min().unwrap_or(0);
    let weight = |worker: &Worker| {
        let value = i64::from((worker.root_moves[0].value - worst).clamp(0, 2000)) + 14;
        value * worker.completed as i64
    };
    let votes = |mv: Move| -> i64 { workers.iter().filter(|w| w.root_moves[0].mv == mv).map(weight).sum() };
    let mut best = &workers[0];
    for worker in &workers[1..] {
        let (candidate, current) = (&worker.root_moves[0], &best.root_moves[0]);
        let is_better = if is_decisive(current.value) || is_decisive(candidate.value) {
            candidate.value > current.value && candidate.bound == Bound::Exact
        } else {
            votes(candidate.mv) > votes(current.mv) || (candidate.mv == current.mv && weight(worker) > weight(best))
        };
        if worker.completed > 0 && is_better {
            best = worker;
        }
    }
    best
}
