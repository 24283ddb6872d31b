//! Quiet positions, in which a static evaluation can be right: nobody is in check, the best move is no capture or
//! promotion, and no capture is better than standing still.

use chess::{Move, MoveKind, Position};
use engine::{Quiescence, Weights};

use super::Criterion;
use crate::data::sample::Sample;

/// Drops positions in check, which a search does not evaluate, and those whose game is over.
pub struct NotInCheck;

impl Criterion for NotInCheck {
    fn drops(&self) -> &'static str {
        "in check, or the game is over"
    }

    fn keeps(&mut self, sample: &Sample) -> bool {
        !sample.position.is_check() && sample.position.outcome().is_none()
    }
}

/// Drops positions whose best move captures or promotes, where it is known.
pub struct QuietMove;

impl Criterion for QuietMove {
    fn drops(&self) -> &'static str {
        "best move captures or promotes"
    }

    fn keeps(&mut self, sample: &Sample) -> bool {
        sample.best.is_none_or(|mv| is_quiet_move(&sample.position, mv))
    }
}

/// Whether a move neither captures nor promotes.
pub fn is_quiet_move(position: &Position, mv: Move) -> bool {
    match mv.kind() {
        MoveKind::Castle | MoveKind::DoublePush => true,
        MoveKind::EnPassant | MoveKind::Promotion => false,
        MoveKind::Normal => position.role_on(mv.to()).is_none(),
    }
}

/// Drops positions in which a capture or promotion is better than standing still, by some weights.
pub struct Settled<'w>(Quiescence<'w>);

impl<'w> Settled<'w> {
    /// By these weights.
    pub fn new(weights: &'w Weights) -> Settled<'w> {
        Settled(Quiescence::new(weights))
    }
}

impl Criterion for Settled<'_> {
    fn drops(&self) -> &'static str {
        "a capture beats the static evaluation"
    }

    fn keeps(&mut self, sample: &Sample) -> bool {
        self.0.is_settled(&sample.position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(fen: &str, best: Option<&str>) -> Sample {
        let position: Position = fen.parse().unwrap();
        Sample { best: best.map(|best| position.parse_uci(best).unwrap()), ..Sample::new(position, 0.5) }
    }

    #[test]
    fn checks_and_ends_of_games_are_dropped() {
        assert!(NotInCheck.keeps(&sample("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", None)));
        assert!(!NotInCheck.keeps(&sample("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", None)));
        assert!(!NotInCheck.keeps(&sample("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", None)));
        assert!(!NotInCheck.keeps(&sample("7k/8/6K1/8/8/8/8/8 b - - 0 1", None)));
    }

    #[test]
    fn moves_that_take_or_promote_are_not_quiet() {
        for (fen, mv, is_quiet) in [
            ("r3k2r/8/8/3pP3/8/8/P7/R3K2R w KQkq d6 0 1", "e1g1", true),
            ("r3k2r/8/8/3pP3/8/8/P7/R3K2R w KQkq d6 0 1", "a2a4", true),
            ("r3k2r/8/8/3pP3/8/8/P7/R3K2R w KQkq d6 0 1", "e5d6", false),
            ("r3k2r/8/8/3pP3/8/8/P7/R3K2R w KQkq d6 0 1", "h1h8", false),
            ("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7a8n", false),
            ("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "e1e2", true),
        ] {
            assert_eq!(QuietMove.keeps(&sample(fen, Some(mv))), is_quiet, "{fen} {mv}");
            assert!(QuietMove.keeps(&sample(fen, None)));
        }
    }

    #[test]
    fn what_hangs_is_not_settled() {
        let weights = Weights::load("default").unwrap();
        let mut settled = Settled::new(&weights);
        assert!(settled.keeps(&sample("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", None)));
        assert!(!settled.keeps(&sample("4k3/2p5/3p4/8/3q4/2P5/3Q4/4K3 w - - 0 1", None)));
    }
}
