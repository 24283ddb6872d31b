//! Quiescence: captures until nothing hangs, so that the static evaluation can be trusted.

use std::hint::cold_path;

use chess::{Checks, Threats};

use super::history::piece_to;
use super::kind::Kind;
use super::picker::{Context, Picker, Quiets, is_tactical};
use super::table::{Bound, Entry};
use super::value::{DRAW, INFINITE, MAX_PLY, from_table, is_decisive, mated_in, to_table};
use super::worker::{Node, Worker, has_pieces};

impl Worker<'_> {
    /// Captures and promotions until the position is quiet; in check, every way out of it. `is_first`: this is a leaf of
    /// the main search, where quiet checks are tried too.
    pub(super) fn quiescence<K: Kind>(
        &mut self,
        node: &Node,
        mut alpha: i32,
        beta: i32,
        ply: usize,
        is_first: bool,
    ) -> i32 {
        let shared = self.shared;
        let tunables = shared.tunables;
        let position = &node.position;
        if K::PV {
            self.scratch.lines[ply].clear();
            self.deepest = self.deepest.max(ply + 1);
        }
        if self.must_stop() {
            cold_path();
            return DRAW;
        }
        if self.is_draw(position) {
            return DRAW;
        }
        if ply >= MAX_PLY - 1 {
            cold_path();
            return self.evaluate(node);
        }
        if let Some(value) = self.solved(position, ply) {
            cold_path();
            return value;
        }
        // Upcoming repetition
        if alpha < DRAW && self.trail.can_repeat(position) {
            alpha = DRAW;
            if alpha >= beta {
                return alpha;
            }
        }

        // Transposition table
        let in_check = position.is_check();
        let key = position.keys().full();
        let entry = shared.table.get(key);
        let table_value = entry.and_then(|entry| from_table(entry.value, ply, position.halfmove_clock()));
        let was_pv = K::PV || entry.is_some_and(|entry| entry.was_pv);
        if let (Some(entry), Some(value)) = (entry, table_value)
            && !K::PV
            && entry.bound.suffices(value, alpha, beta)
        {
            return value;
        }

        // Standing pat
        let raw_eval = self.raw_eval(node, entry.as_ref());
        let static_eval = raw_eval.map(|raw| self.adjusted(position, raw, self.correction(position, ply)));
        self.frame(ply).eval = static_eval;
        let mut best_value = match (static_eval, entry, table_value) {
            (Some(eval), Some(entry), Some(value)) if !is_decisive(value) && entry.bound.is_better(value, eval) => {
                value
            }
            (Some(eval), ..) => eval,
            (None, ..) => -INFINITE,
        };
        let set = |value: i32, mv, bound| {
            let entry = Entry { mv, value: to_table(value, ply), eval: raw_eval, depth: 0, bound, was_pv };
            shared.table.set(key, entry);
        };
        if best_value >= beta {
            if !is_decisive(best_value) && !is_decisive(beta) {
                best_value = (best_value + beta) / 2;
            }
            if entry.is_none() {
                set(best_value, None, Bound::Lower);
            }
            return best_value;
        }
        let old_alpha = alpha;
        alpha = alpha.max(best_value);

        let table_move = entry.and_then(|entry| entry.mv);
        let mut picker = if in_check {
            Picker::all(position, table_move)
        } else {
            let quiets = if is_first { Quiets::Checks } else { Quiets::None };
            Picker::captures(position, table_move, -tunables.quiescence_see, quiets)
        };
        let checks = Checks::new(position);
        let threats = if in_check { position.threats_by(!position.turn()) } else { Threats::default() };
        let rows = self.rows(ply);
        let context = Context { position, tunables, exchange: &shared.exchange, checks: &checks, rows: &rows, threats };
        // Without pieces there are few moves, and taking the last enemy piece is worth more than it: it draws
        let may_leave_out = has_pieces(position);
        let hope = static_eval.map(|eval| eval + tunables.quiescence_futility);
        let mut best_move = None;
        let mut count = 0;
        while let Some(mv) = picker.next(&context, self.histories) {
            count += 1;
            if may_leave_out && !is_decisive(best_value) {
                // One way out of check that is quiet is enough
                if in_check && !is_tactical(position, mv) {
                    picker.skip_quiets();
                }
                // Quiet checks that lose material
                if !in_check && !is_tactical(position, mv) && !position.exchange_reaches(mv, 0, &shared.exchange) {
                    continue;
                }
                if let Some(hope) = hope
                    && !checks.given_by(position, mv)
                    && mv.promoted_to().is_none()
                {
                    // Move count
                    if count > tunables.quiescence_moves {
                        continue;
                    }
                    // Futility
                    let victim =
                        position.role_on(mv.to()).map_or(shared.exchange.pawn, |role| *shared.exchange.get(role));
                    if hope + victim <= alpha {
                        best_value = best_value.max(hope + victim);
                        continue;
                    }
                    if hope <= alpha && !position.exchange_reaches(mv, 1, &shared.exchange) {
                        best_value = best_value.max(hope);
                        continue;
                    }
                }
            }
            shared.table.prefetch(position.likely_key_after(mv));
            self.nodes += 1;
            let mut child = *node;
            child.play(mv, &checks, shared.weights);
            self.frame(ply).try_unranked(piece_to(position, mv));
            self.prefetch(&child.position, ply);
            self.trail.push(position);
            let value = -self.quiescence::<K>(&child, -beta, -alpha, ply + 1, false);
            self.trail.pop();
            if self.is_stopped {
                cold_path();
                return DRAW;
            }
            if value > best_value {
                best_value = value;
                if value > alpha {
                    best_move = Some(mv);
                    if K::PV {
                        self.extend_line(ply, mv);
                    }
                    if value >= beta {
                        break;
                    }
                    alpha = value;
                }
            }
        }
        if in_check && count == 0 {
            return mated_in(ply);
        }
        let bound = Bound::of(best_value, old_alpha, beta);
        set(best_value, best_move, bound);
        best_value
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::{Limits, Memory, Signal, Task, Weights, search};

    #[test]
    fn a_rook_that_a_lone_king_takes_is_no_winning_chance_for_a_wrong_bishop() {
        let weights = Arc::new(Weights::load("default").unwrap());
        for fen in ["8/2b5/8/8/7k/8/7p/7K b - - 0 1", "7k/7P/8/7K/8/8/2B5/8 w - - 0 1"] {
            let limits = Limits { depth: Some(12), ..Limits::default() };
            let task = Task::new(fen.parse().unwrap(), weights.clone(), limits);
            let found = search(&task, &mut Memory::new(1).unwrap(), &Signal::new(false), &mut |_| ()).unwrap();
            assert!(found.value.abs() < 60, "{fen}: {}", found.value);
        }
    }
}
