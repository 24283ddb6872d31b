//! One thread's search: deepening, aspiration, and when to stop. The tree itself is in `tree`.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use arrayvec::ArrayVec;
use chess::{ByRole, Checks, Color, Move, Position, Role, Trail};

use super::history::{CONTINUATIONS, Histories, Rows};
use super::hunt::SPARE;
use super::kind::Root;
use super::limits::{Deadline, Pace};
use super::root::RootMove;
use super::scratch::{BEFORE, Frame, Scratch};
use super::signal::Signal;
use super::table::{Bound, Entry, Table};
use super::tunables::Tunables;
use super::value::{DRAW, INFINITE, MATE, MAX_PLY, TABLE_WIN, from_table, is_decisive, mated_in, undecided};
use super::{Task, ThreadMemory};
use crate::eval::bishop_knight::{self, Verdict};
use crate::{Accumulator, Tablebases, Wdl, Weights};

/// A position with what is kept beside it. It is copied for every move: four cache lines.
#[derive(Copy, Clone)]
#[repr(C, align(64))]
pub(super) struct Node {
    pub(super) position: Position,
    pub(super) accumulator: Accumulator,
}

impl Node {
    /// Plays a legal move. On a copy: one that is made here and handed back would be copied twice.
    #[inline(always)]
    pub(super) fn play(&mut self, mv: Move, checks: &Checks, weights: &Weights) {
        self.position.play_observed(mv, checks, &mut self.accumulator.observe(weights));
    }
}

const _: () = assert!(size_of::<Node>() == 256);

/// The best moves from a position on.
pub(super) type Line = ArrayVec<Move, MAX_PLY>;

/// A window wider than this is thrown open.
const WIDEST: i32 = 600;

/// The table's memory may be fresh for so many nodes: touching it takes long, and the clock is looked at more often.
const FRESH: u64 = 1 << 16;

/// What all threads of a search share.
pub(super) struct Shared<'a> {
    pub(super) weights: &'a Weights,
    pub(super) tunables: &'a Tunables,
    pub(super) exchange: ByRole<i32>,
    pub(super) table: &'a Table,
    pub(super) signal: &'a Signal,
    pub(super) deadline: Deadline,
    /// Lines that are wanted.
    pub(super) multi_pv: usize,
    pub(super) tablebases: Option<&'a Tablebases>,
    /// Positions found in them.
    pub(super) table_hits: AtomicU64,
    /// Set when the first thread is done.
    pub(super) is_over: AtomicBool,
    /// Nodes of each thread, now and then.
    pub(super) counters: Vec<AtomicU64>,
}

impl<'a> Shared<'a> {
    /// `is_ranked`: the root's moves are ranked by the endgame tables, so that the search has to find the way alone.
    pub(super) fn new(task: &'a Task, table: &'a Table, signal: &'a Signal, is_ranked: bool) -> Shared<'a> {
        Shared {
            weights: &task.weights,
            tunables: &task.tunables,
            exchange: task.tunables.exchange(),
            table,
            signal,
            deadline: Deadline::new(&task.limits, &task.position, task.overhead, &task.tunables),
            multi_pv: task.multi_pv.max(1),
            tablebases: task.tablebases.as_deref().filter(|tables| !is_ranked && !tables.is_empty()),
            table_hits: AtomicU64::new(u64::from(is_ranked)),
            is_over: AtomicBool::new(false),
            counters: (0..task.threads.max(1)).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// Nodes of all threads.
    pub(super) fn nodes(&self) -> u64 {
        self.counters.iter().map(|counter| counter.load(Ordering::Relaxed)).sum()
    }
}

/// One thread's search.
pub(super) struct Worker<'a> {
    pub(super) shared: &'a Shared<'a>,
    /// The thread's number; the first one decides when the search is over.
    pub(super) number: usize,
    pub(super) histories: &'a mut Histories,
    pub(super) trail: Trail,
    /// The moves at the root, the best ones first.
    pub(super) root_moves: Vec<RootMove>,
    /// The first of the root moves that belongs to the current line; those before are other lines' first moves.
    pub(super) rank: usize,
    pub(super) depth: i32,
    /// The last iteration that was completed.
    pub(super) completed: usize,
    pub(super) nodes: u64,
    /// With so many nodes the clock is looked at next.
    next_look: u64,
    pub(super) deepest: usize,
    pub(super) is_stopped: bool,
    /// How wide the root's window is.
    pub(super) root_window: i32,
    /// Below this ply no null move is tried: one is being verified.
    pub(super) verified_until: usize,
    pub(super) scratch: &'a mut Scratch,
    pace: Pace,
}

/// Is told of each line that was found: its rank, and whether the value is a bound.
pub(super) type Show<'a> = &'a mut dyn FnMut(&Worker, usize);

impl<'a> Worker<'a> {
    pub(super) fn new(
        shared: &'a Shared<'a>,
        number: usize,
        memory: &'a mut ThreadMemory,
        trail: Trail,
        root_moves: Vec<RootMove>,
    ) -> Worker<'a> {
        Worker {
            shared,
            number,
            histories: &mut memory.histories,
            trail,
            root_moves,
            rank: 0,
            depth: 0,
            completed: 0,
            nodes: 0,
            next_look: 0,
            deepest: 0,
            is_stopped: false,
            root_window: 1,
            verified_until: 0,
            scratch: &mut memory.scratch,
            pace: Pace::default(),
        }
    }

    /// Searches deeper and deeper.
    pub(super) fn deepen(&mut self, root: &Node, show: Show) {
        let shared = self.shared;
        for depth in 1..=shared.deadline.depth {
            self.depth = depth as i32;
            for root_move in &mut self.root_moves {
                root_move.previous = root_move.value;
            }
            for rank in 0..shared.multi_pv.min(self.root_moves.len()) {
                self.rank = rank;
                self.deepest = 0;
                self.aspirate(root, show);
                if self.scratch.hunt.take_news() {
                    self.is_stopped = false;
                    self.look_up();
                }
                self.hold_to_proof(root.position.turn());
                self.root_moves[..=rank].sort_by_key(|root_move| -root_move.value);
                if self.is_stopped {
                    self.publish();
                    return;
                }
            }
            self.completed = depth;
            for rank in 0..shared.multi_pv.min(self.root_moves.len()) {
                show(self, rank);
            }
            self.scratch.hunt.note(&root.position, self.root_moves[0].value);
            if self.number == 0 && self.is_enough() {
                break;
            }
            if self.number == 0 && depth == MAX_PLY - 1 && shared.deadline.is_analysis {
                self.hunt(SPARE);
                self.hold_to_proof(root.position.turn());
            }
        }
        self.publish();
    }

    /// Nodes of this thread, without those of hunts.
    pub(super) fn tree_nodes(&self) -> u64 {
        self.nodes - self.scratch.hunt.nodes()
    }

    /// Whether there is no reason for another iteration.
    fn is_enough(&mut self) -> bool {
        let deadline = &self.shared.deadline;
        let best = &self.root_moves[0];
        if deadline.mate.is_some_and(|mate| MATE - best.value < 2 * mate as i32) {
            return true;
        }
        let share = best.nodes as f64 / self.tree_nodes().max(1) as f64;
        let mut factor = self.pace.factor(best.mv, best.value, share, self.shared.tunables);
        if self.root_moves.len() == 1 {
            factor *= 0.1;
        }
        self.nodes.max(self.shared.nodes()) >= deadline.soft_nodes
            || !self.shared.signal.allows_iteration(deadline, factor)
    }

    /// Searches a window about the last value, and a wider one if the value lies outside.
    fn aspirate(&mut self, root: &Node, show: Show) {
        let tunables = self.shared.tunables;
        let last = self.root_moves[self.rank].previous;
        let mut width = tunables.aspiration_window;
        if !is_decisive(last) {
            width += last * last / tunables.aspiration_divisor;
        }
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if self.depth >= 4 && !is_decisive(last) {
            (alpha, beta) = (last - width, last + width);
        }
        let mut shallower = 0;
        loop {
            let depth = (self.depth - shallower).max(1);
            self.root_window = beta - alpha;
            let value = self.negamax::<Root>(root, alpha, beta, depth, 0, false);
            self.root_moves[self.rank..].sort_by_key(|root_move| -root_move.value);
            if self.is_stopped {
                return;
            }
            width += width * tunables.aspiration_growth / 100 + 2;
            let is_open = width > WIDEST || is_decisive(value);
            if value <= alpha {
                beta = (alpha + beta) / 2;
                alpha = if is_open { -INFINITE } else { value - width };
                shallower = 0;
            } else if value >= beta {
                beta = if is_open { INFINITE } else { value + width };
                shallower = if is_open { 0 } else { (shallower + 1).min(3) };
            } else {
                return;
            }
            if self.number == 0 && self.shared.multi_pv == 1 && self.shared.signal.is_long() {
                show(self, self.rank);
            }
        }
    }

    /// A better line: a move and what follows it.
    #[inline]
    pub(super) fn extend_line(&mut self, ply: usize, mv: Move) {
        let (line, rest) = self.scratch.lines.split_at_mut(ply + 1);
        line[ply].clear();
        line[ply].push(mv);
        let room = MAX_PLY - 1;
        line[ply].extend(rest[0].iter().copied().take(room));
    }

    /// What is kept of a ply.
    #[inline]
    pub(super) fn frame(&mut self, ply: usize) -> &mut Frame {
        &mut self.scratch.frames[ply + BEFORE]
    }

    /// What is kept of an earlier ply, which may lie before the root.
    #[inline]
    pub(super) fn earlier(&self, ply: usize, back: usize) -> &Frame {
        &self.scratch.frames[ply + BEFORE - back]
    }

    /// The rows of the moves that led to a ply.
    #[inline]
    pub(super) fn rows(&self, ply: usize) -> Rows {
        CONTINUATIONS.map(|back| self.earlier(ply, back).row)
    }

    /// Tells the processor what a child will ask for first. Its move is noted at `ply`.
    #[inline(always)]
    pub(super) fn prefetch(&self, child: &Position, ply: usize) {
        self.scratch.evals.prefetch(child);
        let last = [self.earlier(ply, 0).row, self.earlier(ply, 1).row];
        self.histories.corrections.prefetch(child, last);
    }

    /// The static evaluation, the table's if it knows one; none in check.
    #[inline(always)]
    pub(super) fn raw_eval(&mut self, node: &Node, entry: Option<&Entry>) -> Option<i32> {
        if node.position.is_check() {
            return None;
        }
        Some(entry.and_then(|entry| entry.eval).unwrap_or_else(|| self.evaluate(node)))
    }

    /// The static evaluation.
    #[inline(always)]
    pub(super) fn evaluate(&mut self, node: &Node) -> i32 {
        self.shared.weights.evaluate_cached(&node.position, &node.accumulator, &mut self.scratch.evals)
    }

    /// What the search has learned of such positions, in centipawns. Lone kings that are driven look all alike.
    #[inline(always)]
    pub(super) fn correction(&self, position: &Position, ply: usize) -> i32 {
        if has_lone_king(position) {
            return 0;
        }
        let last = [self.earlier(ply, 1).row, self.earlier(ply, 2).row];
        self.histories.corrections.get(position, last, self.shared.tunables)
    }

    /// The static evaluation as the search uses it: corrected, and shrunk as the fifty-move rule comes near. A lone king is
    /// driven by small steps, beside which values of the table that were found with another clock would be too tempting.
    #[inline]
    pub(super) fn adjusted(&self, position: &Position, raw_eval: i32, correction: i32) -> i32 {
        let damping = self.shared.tunables.fifty_move_damping;
        let clock = if has_lone_king(position) { 0 } else { position.halfmove_clock().min(100) as i32 };
        undecided(raw_eval * (damping - clock) / damping + correction)
    }

    /// What is known of bishop and knight against the lone king, the mate counted from the root. One that may come too late for the
    /// fifty-move rule is none.
    #[inline]
    pub(super) fn solved(&self, position: &Position, ply: usize) -> Option<i32> {
        let Verdict::Mate(moves) = bishop_knight::verdict(position)? else { return Some(DRAW) };
        let is_lone = !position.by_color(position.turn()).more_than_one();
        let value = if is_lone { mated_in(2 * moves) } else { -mated_in(2 * moves - 1) };
        from_table(value, ply, position.halfmove_clock())
    }

    /// What the endgame tables know of a position: its value and whether that is a bound. Wins and losses may be quicker.
    #[inline]
    pub(super) fn probe(&self, position: &Position, ply: usize) -> Option<(i32, Bound)> {
        let tables = self.shared.tablebases?;
        if position.halfmove_clock() != 0 || position.occupied().count() > tables.largest() {
            return None;
        }
        let wdl = tables.wdl(position)?;
        self.shared.table_hits.fetch_add(1, Ordering::Relaxed);
        Some(match wdl {
            Wdl::Win => (TABLE_WIN - ply as i32, Bound::Lower),
            Wdl::Loss => (ply as i32 - TABLE_WIN, Bound::Upper),
            Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => (DRAW, Bound::Exact),
        })
    }

    #[inline]
    pub(super) fn is_draw(&self, position: &Position) -> bool {
        is_draw(&self.trail, position)
    }

    /// Whether the search is over. The clock is looked at now and then, nodes are counted exactly.
    #[inline]
    pub(super) fn must_stop(&mut self) -> bool {
        if self.nodes >= self.next_look {
            self.look_up();
        }
        self.is_stopped
    }

    #[cold]
    fn look_up(&mut self) {
        let shared = self.shared;
        let often = if self.nodes < FRESH { 16 } else { 1024 };
        self.next_look = (self.nodes / often + 1) * often;
        if self.nodes < shared.deadline.nodes {
            self.next_look = self.next_look.min(shared.deadline.nodes);
        }
        self.publish();
        if self.number == 0 {
            self.is_stopped |= shared.signal.is_over(&shared.deadline) || shared.nodes() >= shared.deadline.nodes;
        }
        self.is_stopped |= shared.is_over.load(Ordering::Relaxed);
        if self.number == 0 && !self.is_stopped {
            self.hunt(0);
        }
    }

    fn publish(&self) {
        self.shared.counters[self.number].store(self.nodes, Ordering::Relaxed);
    }
}

/// Whether the game is drawn, given the positions before this one.
#[inline(always)]
pub(super) fn is_draw(trail: &Trail, position: &Position) -> bool {
    trail.is_repetition(position) || position.is_insufficient_material() || position.is_fifty_move_draw()
}

/// Whether the side to move has more than pawns; without, a null move may be the best one, and hardly anything is left out.
#[inline]
pub(super) fn has_pieces(position: &Position) -> bool {
    let us = position.turn();
    (position.by_color(us) & !position.by_role(Role::Pawn) & !position.by_role(Role::King)).any()
}

/// Whether a side has nothing but its king.
#[inline]
pub(super) fn has_lone_king(position: &Position) -> bool {
    let is_alone = |color| !position.by_color(color).more_than_one();
    is_alone(Color::White) || is_alone(Color::Black)
}
