//! One thread's search: deepening, aspiration, and the main function, which reads as a list of its steps.

use std::time::Instant;

use chess::{Checks, Move, MoveList, Position, Role, Trail};

use super::Report;
use super::correction::Corrections;
use super::history::History;
use super::limits::Deadline;
use super::picker::{EXCHANGE, Picker, is_tactical};
use super::reductions::Reductions;
use super::signal::Signal;
use super::table::{Bound, Entry, Table};
use super::value::{DRAW, INFINITE, MATE, MAX_PLY, from_table, is_mate, mated_in, to_table};
use crate::{Accumulator, Weights};

/// A position with what is kept beside it.
#[derive(Clone)]
pub(super) struct Node {
    pub(super) position: Position,
    pub(super) accumulator: Accumulator,
}

impl Node {
    #[inline]
    pub(super) fn after(&self, mv: Move, checks: &Checks, weights: &Weights) -> Node {
        let mut child = self.clone();
        child.position.play_observed(mv, checks, &mut child.accumulator.observe(weights));
        child
    }
}

/// The best moves from a position on.
pub(super) type Line = Vec<Move>;

/// One thread's search.
pub(super) struct Worker<'a> {
    pub(super) weights: &'a Weights,
    pub(super) table: &'a Table,
    pub(super) history: &'a mut History,
    pub(super) corrections: &'a mut Corrections,
    pub(super) signal: &'a Signal,
    pub(super) deadline: Deadline,
    pub(super) root_moves: &'a [Move],
    pub(super) trail: Trail,
    pub(super) nodes: u64,
    pub(super) deepest: usize,
    pub(super) is_stopped: bool,
    /// By ply: the static evaluation, if there is one.
    pub(super) evals: [Option<i32>; MAX_PLY],
    /// By ply: whether a move led there, and not a null move.
    pub(super) last_was_move: [bool; MAX_PLY + 1],
    pub(super) reductions: &'a Reductions,
}

/// The first window about the last value, to either side.
const WINDOW: i32 = 24;

impl Worker<'_> {
    /// Searches deeper and deeper.
    pub(super) fn deepen(mut self, root: &Node, first: Move, show: &mut dyn FnMut(&Report)) -> Report {
        let start = Instant::now();
        let mut best = Report {
            depth: 0,
            deepest: 0,
            value: self.weights.evaluate(&root.position, &root.accumulator),
            nodes: 0,
            time: start.elapsed(),
            fullness: 0,
            line: vec![first],
        };
        for depth in 1..=self.deadline.depth {
            self.deepest = 0;
            let (value, line) = self.aspirate(root, depth as i32, best.value);
            if self.is_stopped {
                break;
            }
            best = Report {
                depth,
                deepest: self.deepest,
                value,
                nodes: self.nodes,
                time: start.elapsed(),
                fullness: self.table.fullness(),
                line,
            };
            show(&best);
            let mated = self.deadline.mate.is_some_and(|mate| MATE - value < 2 * mate as i32);
            if mated || !self.signal.allows_iteration(&self.deadline) {
                break;
            }
        }
        if best.depth == 0 {
            best.nodes = self.nodes;
            show(&best);
        }
        best
    }

    /// Searches a window about the last value, and a wider one if the value lies outside.
    fn aspirate(&mut self, root: &Node, depth: i32, last: i32) -> (i32, Line) {
        let mut width = WINDOW;
        let (mut alpha, mut beta) = if depth < 4 { (-INFINITE, INFINITE) } else { (last - width, last + width) };
        loop {
            let mut line = Line::new();
            let value = self.negamax(root, alpha.max(-INFINITE), beta.min(INFINITE), depth, 0, &mut line);
            if self.is_stopped {
                return (value, line);
            }
            width *= 2;
            if value <= alpha && alpha > -INFINITE {
                beta = (alpha + beta) / 2;
                alpha = if width > 1000 { -INFINITE } else { value - width };
            } else if value >= beta && beta < INFINITE {
                beta = if width > 1000 { INFINITE } else { value + width };
            } else {
                return (value, line);
            }
        }
    }

    fn negamax(
        &mut self,
        node: &Node,
        mut alpha: i32,
        mut beta: i32,
        mut depth: i32,
        ply: usize,
        line: &mut Line,
    ) -> i32 {
        // Quiescence at the leaves
        if depth <= 0 {
            return self.quiescence(node, alpha, beta, ply, line);
        }
        line.clear();
        if self.must_stop() {
            return DRAW;
        }
        self.deepest = self.deepest.max(ply + 1);
        let position = &node.position;
        let is_root = ply == 0;
        let is_pv = beta - alpha > 1;

        if !is_root {
            // Draws
            if self.is_draw(position) {
                return DRAW;
            }
            if ply >= MAX_PLY - 1 {
                return self.weights.evaluate(position, &node.accumulator);
            }
            // Mate distance pruning
            alpha = alpha.max(mated_in(ply));
            beta = beta.min(-mated_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
            // Upcoming repetition
            if alpha < DRAW && self.trail.can_repeat(position) {
                alpha = DRAW;
                if alpha >= beta {
                    return alpha;
                }
            }
        }

        // Transposition table
        let key = position.keys().full();
        let entry = self.table.get(key);
        if let Some(entry) = entry
            && !is_pv
            && entry.depth >= depth
            && let Some(value) = cutoff(&entry, alpha, beta, ply)
        {
            return value;
        }

        // Static evaluation
        let in_check = position.is_check();
        let raw_eval = self.raw_eval(node, entry.as_ref());
        let eval = self.corrected(position, raw_eval);
        self.evals[ply] = eval;
        let improving = ply >= 2 && eval.zip(self.evals[ply - 2]).is_some_and(|(now, before)| now > before);
        let table_move = entry.and_then(|entry| entry.mv);

        if let Some(eval) = eval
            && !is_pv
            && !is_mate(beta)
        {
            // Reverse futility pruning
            if depth <= 8 && eval - 80 * (depth - i32::from(improving)) >= beta {
                return (eval + beta) / 2;
            }

            // Null move pruning
            if depth >= 3 && eval >= beta && self.last_was_move[ply] && has_pieces(position) {
                let reduction = 3 + depth / 3 + ((eval - beta) / 200).min(3);
                let mut child = node.clone();
                child.position.play_null(&mut child.accumulator.observe(self.weights));
                self.trail.push_null(position);
                self.last_was_move[ply + 1] = false;
                let value = -self.negamax(&child, -beta, -beta + 1, depth - reduction, ply + 1, &mut Line::new());
                self.trail.pop();
                if self.is_stopped {
                    return DRAW;
                }
                if value >= beta {
                    return if is_mate(value) { beta } else { value };
                }
            }
        }

        // Internal iterative reduction
        if depth >= 4 && table_move.is_none() {
            depth -= 1;
        }

        let checks = Checks::new(position);
        let mut picker = Picker::all(position, table_move);
        let mut best_value = -INFINITE;
        let mut best_move = None;
        let old_alpha = alpha;
        let mut tried_quiets = MoveList::new();
        let mut child_line = Line::new();
        let mut count = 0;

        while let Some(mv) = picker.next(position, self.history) {
            if is_root && !self.root_moves.is_empty() && !self.root_moves.contains(&mv) {
                continue;
            }
            let is_quiet = !is_tactical(position, mv);
            if !is_root && best_value > -INFINITE && !is_mate(best_value) && !in_check {
                // Late move pruning
                if is_quiet && !is_pv && depth <= 8 && count >= (3 + depth * depth) / (2 - i32::from(improving)) {
                    continue;
                }
                // Futility pruning
                if is_quiet && depth <= 6 && eval.is_some_and(|eval| eval + 100 + 100 * depth <= alpha) {
                    continue;
                }
                // Exchanges that lose too much
                let least = if is_quiet { -60 * depth } else { -90 * depth };
                if depth <= 8 && !position.exchange_reaches(mv, least, &EXCHANGE) {
                    continue;
                }
            }
            count += 1;
            self.nodes += 1;
            let child = node.after(mv, &checks, self.weights);
            self.trail.push(position);
            self.last_was_move[ply + 1] = true;

            // Late move reductions
            let mut value = alpha + 1;
            let mut is_to_be_proven = count > 1;
            if count > 2 && depth >= 3 && is_quiet {
                let history = self.history.quiet(position, mv);
                let reduction =
                    self.reductions.get(depth, count) - i32::from(is_pv) - i32::from(child.position.is_check())
                        + i32::from(!improving)
                        - history / 4096;
                let reduced = (depth - 1 - reduction).clamp(1, depth - 1);
                if reduced < depth - 1 {
                    value = -self.negamax(&child, -alpha - 1, -alpha, reduced, ply + 1, &mut child_line);
                    is_to_be_proven = value > alpha;
                }
            }

            // Principal variation search: the first move in full, the others have to prove that they are better
            if is_to_be_proven {
                value = -self.negamax(&child, -alpha - 1, -alpha, depth - 1, ply + 1, &mut child_line);
            }
            if count == 1 || (is_pv && value > alpha) {
                value = -self.negamax(&child, -beta, -alpha, depth - 1, ply + 1, &mut child_line);
            }

            self.trail.pop();
            if self.is_stopped {
                return DRAW;
            }
            if value > best_value {
                best_value = value;
                if value > alpha {
                    alpha = value;
                    best_move = Some(mv);
                    if is_pv {
                        replace_line(line, mv, &child_line);
                    }
                    if alpha >= beta {
                        break;
                    }
                }
            }
            if is_quiet {
                tried_quiets.push(mv);
            }
        }

        // Mate and stalemate
        if count == 0 {
            return if in_check { mated_in(ply) } else { DRAW };
        }

        // History
        if best_value >= beta
            && let Some(mv) = best_move
            && !is_tactical(position, mv)
        {
            self.history.reward(position, mv, &tried_quiets, depth);
        }

        let bound = if best_value >= beta {
            Bound::Lower
        } else if best_value > old_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        // Correction history
        if let Some(eval) = eval
            && !is_mate(best_value)
            && best_move.is_none_or(|mv| !is_tactical(position, mv))
            && !(bound == Bound::Lower && best_value <= eval)
            && !(bound == Bound::Upper && best_value >= eval)
        {
            self.corrections.learn(position, best_value - eval, depth);
        }

        let value = to_table(best_value, ply);
        self.table.set(key, Entry { mv: best_move, value, eval: raw_eval, depth, bound });
        best_value
    }

    /// The static evaluation, the table's if it knows one; none in check.
    pub(super) fn raw_eval(&self, node: &Node, entry: Option<&Entry>) -> Option<i32> {
        let evaluate = || self.weights.evaluate(&node.position, &node.accumulator);
        (!node.position.is_check()).then(|| entry.and_then(|entry| entry.eval).unwrap_or_else(evaluate))
    }

    /// The static evaluation with what the search has learned of such positions.
    pub(super) fn corrected(&self, position: &Position, raw_eval: Option<i32>) -> Option<i32> {
        raw_eval.map(|eval| eval + self.corrections.get(position))
    }

    pub(super) fn is_draw(&self, position: &Position) -> bool {
        self.trail.is_repetition(position) || position.is_insufficient_material() || position.is_fifty_move_draw()
    }

    /// Whether the search is over. The clock is looked at now and then, nodes are counted exactly.
    pub(super) fn must_stop(&mut self) -> bool {
        if self.nodes >= self.deadline.nodes || (self.nodes.is_multiple_of(1024) && self.signal.is_over(&self.deadline))
        {
            self.is_stopped = true;
        }
        self.is_stopped
    }
}

/// A better line: a move and what follows it.
pub(super) fn replace_line(line: &mut Line, mv: Move, rest: &Line) {
    line.clear();
    line.push(mv);
    line.extend_from_slice(rest);
}

/// Whether the side to move has more than pawns; without, a null move may be the best one.
fn has_pieces(position: &Position) -> bool {
    let us = position.turn();
    (position.by_color(us) & !position.by_role(Role::Pawn) & !position.by_role(Role::King)).any()
}

/// The value of an entry, where its bound is enough to leave the node.
pub(super) fn cutoff(entry: &Entry, alpha: i32, beta: i32, ply: usize) -> Option<i32> {
    let value = from_table(entry.value, ply);
    let suffices = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => value >= beta,
        Bound::Upper => value <= alpha,
    };
    suffices.then_some(value)
}
