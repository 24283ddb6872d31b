//! Quiescence: captures until nothing hangs, so that the static evaluation can be trusted.

use chess::Checks;

use super::picker::Picker;
use super::table::{Bound, Entry};
use super::value::{DRAW, INFINITE, MAX_PLY, mated_in, to_table};
use super::worker::{Line, Node, Worker, cutoff, replace_line};

impl Worker<'_> {
    /// Captures and promotions until the position is quiet; in check, every way out of it.
    pub(super) fn quiescence(&mut self, node: &Node, mut alpha: i32, beta: i32, ply: usize, line: &mut Line) -> i32 {
        line.clear();
        if self.must_stop() {
            return DRAW;
        }
        self.deepest = self.deepest.max(ply + 1);
        let position = &node.position;
        if ply > 0 && self.is_draw(position) {
            return DRAW;
        }
        let in_check = position.is_check();
        if ply >= MAX_PLY - 1 {
            return self.weights.evaluate(position, &node.accumulator);
        }
        let is_pv = beta - alpha > 1;

        // Transposition table
        let key = position.keys().full();
        let entry = self.table.get(key);
        if let Some(entry) = entry
            && !is_pv
            && let Some(value) = cutoff(&entry, alpha, beta, ply)
        {
            return value;
        }

        // Standing pat
        let raw_eval = self.raw_eval(node, entry.as_ref());
        let eval = self.corrected(position, raw_eval);
        let old_alpha = alpha;
        let mut best_value = eval.unwrap_or(-INFINITE);
        if best_value >= beta {
            return best_value;
        }
        alpha = alpha.max(best_value);

        let table_move = entry.and_then(|entry| entry.mv);
        let mut picker =
            if in_check { Picker::all(position, table_move) } else { Picker::captures(position, table_move) };
        if !in_check {
            picker.skip_bad_captures();
        }
        let checks = Checks::new(position);
        let mut best_move = None;
        let mut child_line = Line::new();
        let mut count = 0;
        while let Some(mv) = picker.next(position, self.history) {
            count += 1;
            self.nodes += 1;
            let child = node.after(mv, &checks, self.weights);
            self.trail.push(position);
            let value = -self.quiescence(&child, -beta, -alpha, ply + 1, &mut child_line);
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
        }
        if in_check && count == 0 {
            return mated_in(ply);
        }
        let bound = if best_value >= beta {
            Bound::Lower
        } else if best_value > old_alpha && is_pv {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.table.set(key, Entry { mv: best_move, value: to_table(best_value, ply), eval: raw_eval, depth: 0, bound });
        best_value
    }
}
