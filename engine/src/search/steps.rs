//! Steps of the main function that are searches or lessons of their own.

use arrayvec::ArrayVec;
use chess::{Bitboard, Checks, Move, Position, Threats};

use super::history::{NO_ROW, QuietPlace, piece_to};
use super::kind::Bounding;
use super::picker::{Context, Picker, Quiets, is_tactical};
use super::table::{Bound, Entry};
use super::value::{DRAW, to_table};
use super::worker::{Node, Worker};

/// Moves that were tried before the best one was found.
pub(super) type Tried = ArrayVec<Move, 32>;

/// What ProbCut has to show, and how.
pub(super) struct Probe {
    /// The value that has to be reached.
    pub(super) value: i32,
    /// What the exchange of a capture has to bring in.
    pub(super) least: i32,
    /// The node's depth.
    pub(super) depth: i32,
    pub(super) table_move: Option<Move>,
    pub(super) is_cut: bool,
}

impl Worker<'_> {
    /// The value if the side to move passes.
    pub(super) fn null_move(&mut self, node: &Node, beta: i32, depth: i32, ply: usize, is_cut: bool) -> i32 {
        let mut child = *node;
        child.position.play_null(&mut child.accumulator.observe(self.shared.weights));
        self.shared.table.prefetch(child.position.keys().full());
        self.frame(ply).try_unranked(NO_ROW);
        self.prefetch(&child.position, ply);
        self.trail.push_null(&node.position);
        let value = -self.negamax::<Bounding>(&child, -beta, -beta + 1, depth, ply + 1, !is_cut);
        self.trail.pop();
        value
    }

    /// A value of at least the probe's, if a capture brings it at a shallow depth.
    pub(super) fn probcut(&mut self, node: &Node, checks: &Checks, ply: usize, probe: &Probe) -> Option<i32> {
        let shared = self.shared;
        let position = &node.position;
        let rows = self.rows(ply);
        let shallow = probe.depth - shared.tunables.probcut_reduction;
        let (alpha, beta) = (-probe.value, -probe.value + 1);
        let context = Context {
            position,
            tunables: shared.tunables,
            exchange: &shared.exchange,
            checks,
            rows: &rows,
            threats: Threats::default(),
        };
        let mut picker = Picker::captures(position, probe.table_move, probe.least, Quiets::None);
        while let Some(mv) = picker.next(&context, self.histories) {
            shared.table.prefetch(position.likely_key_after(mv));
            self.nodes += 1;
            let mut child = *node;
            child.play(mv, checks, shared.weights);
            self.frame(ply).try_unranked(piece_to(position, mv));
            self.prefetch(&child.position, ply);
            self.trail.push(position);
            let mut value = -self.quiescence::<Bounding>(&child, alpha, beta, ply + 1, true);
            if value >= probe.value && shallow > 0 {
                value = -self.negamax::<Bounding>(&child, alpha, beta, shallow, ply + 1, !probe.is_cut);
            }
            self.trail.pop();
            if self.is_stopped {
                return Some(DRAW);
            }
            if value >= probe.value {
                let entry = Entry {
                    mv: Some(mv),
                    value: to_table(value, ply),
                    eval: None,
                    depth: shallow + 1,
                    bound: Bound::Lower,
                    was_pv: false,
                };
                shared.table.set(position.keys().full(), entry);
                return Some(value);
            }
        }
        None
    }

    /// A move was best, cutoff or not; those tried before it were not.
    pub(super) fn learn_best(
        &mut self,
        position: &Position,
        best: Move,
        (quiets, captures): (&Tried, &Tried),
        depth: i32,
        ply: usize,
        threats: Bitboard,
    ) {
        let (bonus, malus, tunables) = (self.bonus(depth), self.malus(depth), self.shared.tunables);
        if is_tactical(position, best) {
            self.histories.learn_capture(position, best, bonus);
        } else {
            let killers = &mut self.frame(ply).killers;
            if killers[0] != Some(best) {
                *killers = [Some(best), killers[0]];
            }
            let rows = self.rows(ply);
            self.histories.learn_quiet(QuietPlace::new(position, best, threats), &rows, bonus, tunables);
            for &mv in quiets {
                self.histories.learn_quiet(QuietPlace::new(position, mv, threats), &rows, -malus, tunables);
            }
        }
        for &mv in captures {
            self.histories.learn_capture(position, mv, -malus);
        }
    }

    /// The opponent's last move, if it was quiet: a good one if nothing works against it, and a bad one if it was tried early
    /// and is refuted.
    pub(super) fn learn_last(&mut self, depth: i32, ply: usize, is_refuted: bool) {
        let (last, tunables) = (*self.earlier(ply, 1), self.shared.tunables);
        let Some(place) = last.quiet.filter(|_| last.row != NO_ROW) else { return };
        let rows = self.rows(ply - 1);
        if !is_refuted {
            let bonus = (tunables.history_prior_bonus * depth).min(1000);
            self.histories.learn_quiet(place, &rows, bonus, tunables);
        } else if last.count <= 2 {
            let malus = (tunables.history_refuted * depth).min(1000);
            self.histories.learn_continuation(place, &rows, -malus, tunables);
        }
    }

    /// What a success at this depth is worth.
    pub(super) fn bonus(&self, depth: i32) -> i32 {
        let tunables = self.shared.tunables;
        (tunables.history_bonus * depth - tunables.history_bonus_offset).clamp(0, tunables.history_bonus_max)
    }

    /// What a failure at this depth costs.
    fn malus(&self, depth: i32) -> i32 {
        let tunables = self.shared.tunables;
        (tunables.history_malus * depth - tunables.history_bonus_offset).clamp(0, tunables.history_malus_max)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::Weights;
    use crate::search::limits::Limits;
    use crate::search::worker::Shared;
    use crate::search::{Memory, Signal, Task};

    #[test]
    fn the_opponents_quiet_move_is_trusted_less_where_it_was_tried_early_and_is_refuted() {
        let task = Task::new(Position::initial(), Arc::new(Weights::load("default").unwrap()), Limits::default());
        let (mut memory, signal) = (Memory::new(1).unwrap(), Signal::new(false));
        memory.prepare(1, &task.weights);
        let shared = Shared::new(&task, &memory.table, &signal, false);
        let mut worker = Worker::new(&shared, 0, &mut memory.threads[0], chess::Trail::new(), Vec::new());
        let mv = task.position.parse_uci("g1f3").unwrap();
        let (place, before) = (QuietPlace::new(&task.position, mv, Bitboard::EMPTY), 5);
        worker.frame(0).row = before;
        let mut learned = |count: i32, is_quiet: bool, is_refuted: bool| {
            let frame = worker.frame(1);
            (frame.row, frame.quiet, frame.count) = (piece_to(&task.position, mv), is_quiet.then_some(place), count);
            let old = worker.histories.continuation(before, place);
            worker.learn_last(8, 2, is_refuted);
            worker.histories.continuation(before, place) - old
        };
        assert!(learned(1, true, true) < 0);
        assert_eq!(learned(9, true, true), 0, "nobody thought much of it");
        assert!(learned(9, true, false) > 0, "nothing works against it");
        assert_eq!(learned(1, false, true), 0);
    }
}
