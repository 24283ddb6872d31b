//! What one thread works with during a search: too large to be made anew for each, since small searches take less time than
//! that.

use std::sync::Arc;

use chess::Move;

use super::history::{CONTINUATIONS, NO_ROW, QuietPlace};
use super::hunt::Hunt;
use super::picker::{Killers, NO_KILLERS};
use super::value::MAX_PLY;
use super::worker::Line;
use crate::{EvalCache, Weights};

/// What the search keeps of each ply of the current line.
#[derive(Copy, Clone)]
pub(super) struct Frame {
    /// The corrected evaluation; none in check.
    pub(super) eval: Option<i32>,
    /// The row of continuations of the move that is being tried; none for a null move.
    pub(super) row: usize,
    /// Where the histories of the move that is being tried are kept, if it is quiet.
    pub(super) quiet: Option<QuietPlace>,
    /// A move that is left out, to see how good the others are.
    pub(super) excluded: Option<Move>,
    /// By how many 1024ths of a ply the move that is being tried is reduced.
    pub(super) reduction: i32,
    /// The number of the move that is being tried, from 1; none for a null move or a probe.
    pub(super) count: i32,
    /// How far the quiet move that is being tried is trusted.
    pub(super) history: i32,
    /// Whether a principal variation goes or once went through here.
    pub(super) was_pv: bool,
    /// Cutoffs at this ply since the ply two before was entered.
    pub(super) cutoffs: i32,
    /// The quiet moves that were best here last.
    pub(super) killers: Killers,
}

const NO_FRAME: Frame = Frame {
    eval: None,
    row: NO_ROW,
    quiet: None,
    excluded: None,
    reduction: 0,
    count: 0,
    history: 0,
    was_pv: false,
    cutoffs: 0,
    killers: NO_KILLERS,
};

impl Frame {
    /// A move of this row is tried of which nothing else is to be known: a capture of a probe, or none at all.
    #[inline]
    pub(super) fn try_unranked(&mut self, row: usize) {
        *self = Frame { row, quiet: None, reduction: 0, count: 0, history: 0, ..*self };
    }
}

/// Frames before the root, so that looking back needs no question.
pub(super) const BEFORE: usize = CONTINUATIONS[CONTINUATIONS.len() - 1];

/// One thread's working memory.
pub(super) struct Scratch {
    pub(super) frames: Box<[Frame; MAX_PLY + BEFORE + 2]>,
    pub(super) lines: Vec<Line>,
    pub(super) evals: EvalCache,
    pub(super) hunt: Hunt,
    /// Whose values the cache holds. Kept, so that nobody else's weights can come to stand in their place.
    weights: Option<Arc<Weights>>,
}

impl Scratch {
    pub(super) fn new() -> Scratch {
        Scratch {
            frames: Box::new([NO_FRAME; MAX_PLY + BEFORE + 2]),
            lines: vec![Line::new(); MAX_PLY + 1],
            evals: EvalCache::new(),
            hunt: Hunt::new(),
            weights: None,
        }
    }

    /// As new, for a search with these weights. What was evaluated stays while the weights are the same.
    pub(super) fn prepare(&mut self, weights: &Arc<Weights>) {
        self.frames.fill(NO_FRAME);
        self.hunt.prepare();
        for line in &mut self.lines {
            line.clear();
        }
        if !self.weights.as_ref().is_some_and(|known| Arc::ptr_eq(known, weights)) {
            self.evals = EvalCache::new();
            self.weights = Some(weights.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Accumulator, evaluate};
    use chess::Position;

    #[test]
    fn pawns_of_other_weights_are_forgotten() {
        let position: Position = "4k3/pp3p2/8/3P4/8/2P5/2P3PP/4K3 w - - 0 1".parse().unwrap();
        let mut scratch = Scratch::new();
        for name in ["default", "positional", "default"] {
            let weights = Arc::new(Weights::load(name).unwrap());
            for _ in 0..2 {
                scratch.prepare(&weights);
                let accumulator = Accumulator::new(&position, &weights);
                let value = weights.evaluate_cached(&position, &accumulator, &mut scratch.evals);
                assert_eq!(value, evaluate(&position, &weights), "{name}");
            }
        }
    }
}
