//! The moves at the root, and what is known of them.

use chess::Move;

use super::Task;
use super::table::Bound;
use super::value::{DRAW, INFINITE, TABLE_WIN, is_mate};
use super::worker::Worker;
use crate::Wdl;

/// A move at the root and what is known of it.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) mv: Move,
    /// The value of the last search in which it was best or first; otherwise less than any.
    pub(super) value: i32,
    /// Its value in the iteration before.
    pub(super) previous: i32,
    /// Whether the value is known or only bounded.
    pub(super) bound: Bound,
    /// The best line that begins with it.
    pub(super) line: Vec<Move>,
    /// How deep its deepest line went.
    pub(super) deepest: usize,
    /// Nodes spent on it.
    pub(super) nodes: u64,
    /// Its result, if the endgame tables know it.
    pub(super) table_value: Option<i32>,
}

impl RootMove {
    pub(super) fn new(mv: Move) -> RootMove {
        RootMove {
            mv,
            value: -INFINITE,
            previous: -INFINITE,
            bound: Bound::Exact,
            line: vec![mv],
            deepest: 0,
            nodes: 0,
            table_value: None,
        }
    }

    /// The value, or the tables' where the search has found no mate.
    pub(super) fn shown_value(&self) -> i32 {
        if is_mate(self.value) { self.value } else { self.table_value.unwrap_or(self.value) }
    }
}

/// The legal moves, or those of them that are asked for.
pub(super) fn moves(task: &Task) -> Vec<RootMove> {
    let wanted = &task.limits.moves;
    let legal = task.position.legal_moves();
    legal.iter().filter(|mv| wanted.is_empty() || wanted.contains(mv)).map(|&mv| RootMove::new(mv)).collect()
}

/// Keeps only the moves that the tables rank highest, if the root is in the tables, and says whether it is.
pub(super) fn rank(task: &Task, root_moves: &mut Vec<RootMove>) -> bool {
    let ranked = task.tablebases.as_ref().and_then(|tables| tables.rank_root(&task.position, &task.trail));
    let Some(mut ranked) = ranked else { return false };
    ranked.retain(|known| root_moves.iter().any(|root_move| root_move.mv == known.mv));
    let Some(best) = ranked.first().copied() else { return false };
    root_moves.retain_mut(|root_move| {
        let known = ranked.iter().find(|known| known.mv == root_move.mv && known.rank == best.rank);
        root_move.table_value = known.map(|known| table_value(known.wdl));
        known.is_some()
    });
    true
}

/// A result of the tables as a value at the root. What the fifty-move rule makes a draw is one.
fn table_value(wdl: Wdl) -> i32 {
    match wdl {
        Wdl::Win => TABLE_WIN,
        Wdl::Loss => -TABLE_WIN,
        Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => DRAW,
    }
}

impl Worker<'_> {
    /// Whether a root move belongs to the current line's choice.
    pub(super) fn is_searched_at_root(&self, mv: Move) -> bool {
        self.root_moves[self.rank..].iter().any(|root_move| root_move.mv == mv)
    }

    /// Keeps what was found of a root move.
    pub(super) fn note_root_move(
        &mut self,
        mv: Move,
        value: i32,
        is_first: bool,
        (alpha, beta): (i32, i32),
        nodes: u64,
    ) {
        let (deepest, rest) = (self.deepest, self.scratch.lines[1].clone());
        if let Some(root_move) = self.root_moves.iter_mut().find(|root_move| root_move.mv == mv) {
            root_move.nodes += nodes;
            if !is_first && value <= alpha {
                root_move.value = -INFINITE;
                return;
            }
            root_move.value = value;
            root_move.deepest = deepest;
            root_move.bound = Bound::of(value, alpha, beta);
            root_move.line.clear();
            root_move.line.push(mv);
            root_move.line.extend_from_slice(&rest);
        }
    }
}
