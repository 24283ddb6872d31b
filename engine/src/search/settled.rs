//! A plain quiescence search, for choosing positions to learn from: captures and promotions until it is best to stand still.
//!
//! The search's own quiescence asks tables and histories, so that its values depend on what was searched before. This one
//! knows none, and prunes nothing but exchanges that lose material: a value depends on the position and the weights alone.

use chess::{ByRole, Checks, Move, MoveList, Position, Role};

use super::picker::is_tactical;
use super::tunables::Tunables;
use super::value::{DRAW, INFINITE, mated_in};
use super::worker::Node;
use crate::{Accumulator, EvalCache, Weights};

/// Lines end here, whatever hangs. Captures use up pieces, so that hardly any line comes so far.
const DEEPEST: usize = 48;

/// Values of positions after all captures, by one set of weights.
pub struct Quiescence<'w> {
    weights: &'w Weights,
    evals: EvalCache,
    exchange: ByRole<i32>,
}

impl<'w> Quiescence<'w> {
    /// Nothing is remembered from one position to the next but sums of pawn terms.
    pub fn new(weights: &'w Weights) -> Quiescence<'w> {
        Quiescence { weights, evals: EvalCache::new(), exchange: Tunables::default().exchange() }
    }

    /// The static evaluation in centipawns, in the view of the side to move.
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        let accumulator = Accumulator::new(position, self.weights);
        self.weights.evaluate_cached(position, &accumulator, &mut self.evals)
    }

    /// The value after the best captures and promotions, in centipawns, in the view of the side to move; in check, after
    /// the best way out.
    pub fn value(&mut self, position: &Position) -> i32 {
        let node = Node { position: *position, accumulator: Accumulator::new(position, self.weights) };
        self.search(&node, -INFINITE, INFINITE, 0)
    }

    /// Whether the side to move is not in check and no capture or promotion is better than standing still: the value is
    /// the static evaluation.
    pub fn is_settled(&mut self, position: &Position) -> bool {
        if position.is_check() {
            return false;
        }
        let node = Node { position: *position, accumulator: Accumulator::new(position, self.weights) };
        let standing = self.weights.evaluate_cached(position, &node.accumulator, &mut self.evals);
        self.gain(&node, standing, standing, standing + 1, 0) <= standing
    }

    fn search(&mut self, node: &Node, alpha: i32, beta: i32, ply: usize) -> i32 {
        let position = &node.position;
        if ply > 0 && position.is_insufficient_material() {
            return DRAW;
        }
        if position.is_check() && ply < DEEPEST {
            return self.evade(node, alpha, beta, ply);
        }
        let standing = self.weights.evaluate_cached(position, &node.accumulator, &mut self.evals);
        if standing >= beta || ply >= DEEPEST { standing } else { self.gain(node, standing, alpha, beta, ply) }
    }

    /// The best of standing still and of captures and promotions that lose nothing.
    fn gain(&mut self, node: &Node, standing: i32, alpha: i32, beta: i32, ply: usize) -> i32 {
        let position = &node.position;
        let mut moves = MoveList::new();
        position.captures(&mut moves);
        moves.sort_unstable_by_key(|&mv| -self.gain_at_once(position, mv));
        let (mut best, mut alpha) = (standing, alpha.max(standing));
        let checks = Checks::new(position);
        for &mv in &moves {
            if position.exchange_reaches(mv, 0, &self.exchange) {
                let value = self.after(node, mv, &checks, alpha, beta, ply);
                best = best.max(value);
                alpha = alpha.max(value);
                if alpha >= beta {
                    break;
                }
            }
        }
        best
    }

    /// The best way out of check; mate if there is none.
    fn evade(&mut self, node: &Node, mut alpha: i32, beta: i32, ply: usize) -> i32 {
        let position = &node.position;
        let mut moves = position.legal_moves();
        moves.sort_by_key(|&mv| -self.gain_at_once(position, mv));
        let mut best = mated_in(ply);
        let checks = Checks::new(position);
        for &mv in &moves {
            best = best.max(self.after(node, mv, &checks, alpha, beta, ply));
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    fn after(&mut self, node: &Node, mv: Move, checks: &Checks, alpha: i32, beta: i32, ply: usize) -> i32 {
        let mut child = *node;
        child.play(mv, checks, self.weights);
        -self.search(&child, -beta, -alpha, ply + 1)
    }

    /// What a move takes and promotes to; among equal ones, those of small pieces are better.
    fn gain_at_once(&self, position: &Position, mv: Move) -> i32 {
        if !is_tactical(position, mv) {
            return -1000;
        }
        let worth = |role: Option<Role>| role.map_or(0, |role| *self.exchange.get(role));
        let taken = position.role_on(mv.to()).or(Some(Role::Pawn).filter(|_| mv.promoted_to().is_none()));
        16 * (worth(taken) + worth(mv.promoted_to())) - worth(position.role_on(mv.from()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        fen.parse().unwrap()
    }

    #[test]
    fn a_position_is_settled_if_its_value_is_its_evaluation() {
        let weights = Weights::load("material").unwrap();
        let mut quiescence = Quiescence::new(&weights);
        for (fen, is_settled) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", true),
            // A queen hangs to a pawn
            ("4k3/2p5/3p4/8/3q4/2P5/3Q4/4K3 w - - 0 1", false),
            // A pawn that is protected does not
            ("4k3/2p5/3p4/8/8/2P5/3Q4/4K3 w - - 0 1", true),
            // A pawn promotes
            ("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", false),
            // Check
            ("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", false),
            // The knight that takes the pawn is taken, and then the bishop that took it
            ("4k3/8/5b2/8/3p4/5N2/8/3RK3 w - - 0 1", false),
        ] {
            assert_eq!(quiescence.is_settled(&position(fen)), is_settled, "{fen}");
            let (value, standing) = (quiescence.value(&position(fen)), quiescence.evaluate(&position(fen)));
            let is_check = position(fen).is_check();
            assert_eq!(is_settled, value == standing && !is_check, "{fen}: {value} and {standing}");
            assert!(is_check || value >= standing, "{fen}");
        }
    }

    #[test]
    fn captures_are_followed_to_their_end() {
        let weights = Weights::load("material").unwrap();
        let mut quiescence = Quiescence::new(&weights);
        let mut gain = |fen: &str| {
            let position = position(fen);
            quiescence.value(&position) - quiescence.evaluate(&position)
        };
        let pawn = gain("4k3/8/8/3p4/8/8/8/3QK3 w - - 0 1");
        assert!((50..200).contains(&pawn), "{pawn}");
        assert!(gain("3qk3/8/8/3p4/8/8/3Q4/3RK3 w - - 0 1") < 200, "the queen that takes is taken");
        assert!(gain("4k3/8/8/8/8/8/5q2/4K1R1 w - - 0 1") > 500, "the way out takes the queen");
        assert!(gain("6rk/5Npp/8/8/8/8/8/4K3 b - - 0 1") < -30_000, "mate");
    }

    #[test]
    fn a_value_does_not_depend_on_what_was_asked_before() {
        let weights = Weights::load("default").unwrap();
        let mut old = Quiescence::new(&weights);
        let mut position = position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
        for step in 0..60 {
            let mut new = Quiescence::new(&weights);
            assert_eq!(old.value(&position), new.value(&position), "{position}");
            assert_eq!(old.is_settled(&position), new.is_settled(&position), "{position}");
            let moves = position.legal_moves();
            let Some(&mv) = moves.get(7 * step % moves.len().max(1)) else { break };
            position.play(mv);
        }
    }
}
