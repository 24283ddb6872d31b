//! The lines that a search sends: `info` and `bestmove`.

use chess::{CastlingMode, Move, Position};

use crate::{Bound, Report, uci_score, wdl};

/// How lines are written.
pub(super) struct Style {
    pub(super) mode: CastlingMode,
    /// Whether the chances to win, draw and lose are told.
    pub(super) wdl: bool,
    /// The position that is searched.
    pub(super) position: Position,
}

impl Style {
    /// What an iteration found.
    pub(super) fn info(&self, report: &Report) -> String {
        let milliseconds = report.time.as_millis();
        let speed = (report.nodes as f64 / report.time.as_secs_f64().max(1e-6)) as u64;
        let bound = match report.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        };
        format!(
            "info depth {} seldepth {} multipv {} score {}{bound}{} nodes {} nps {speed} hashfull {} tbhits {} time {milliseconds} pv {}",
            report.depth,
            report.deepest,
            report.rank,
            uci_score(report.value),
            self.chances(report.value),
            report.nodes,
            report.fullness,
            report.table_hits,
            self.line(&report.line)
        )
    }

    /// The game is over: mate or stalemate.
    pub(super) fn no_move(&self) -> String {
        let score = if self.position.is_check() { "mate 0" } else { "cp 0" };
        format!("info depth 0 score {score}")
    }

    /// The move to play and the reply that is expected.
    pub(super) fn best_move(&self, report: Option<&Report>) -> String {
        match report.map(|report| report.line.as_slice()) {
            Some([best, expected, ..]) => {
                format!("bestmove {} ponder {}", best.uci(self.mode), expected.uci(self.mode))
            }
            Some([best]) => format!("bestmove {}", best.uci(self.mode)),
            _ => "bestmove (none)".to_owned(),
        }
    }

    fn chances(&self, value: i32) -> String {
        if !self.wdl {
            return String::new();
        }
        let wdl::Chances { win, draw, loss } = wdl::chances(value, &self.position);
        format!(" wdl {win} {draw} {loss}")
    }

    /// Moves separated by blanks.
    fn line(&self, moves: &[Move]) -> String {
        moves.iter().map(|mv| mv.uci(self.mode).to_string()).collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn bounds_and_chances_follow_the_score() {
        let position = Position::initial();
        let mut report = Report {
            depth: 7,
            deepest: 9,
            rank: 2,
            value: 31,
            bound: Bound::Exact,
            nodes: 5000,
            time: Duration::from_millis(10),
            fullness: 3,
            table_hits: 0,
            line: position.legal_moves().iter().copied().take(1).collect(),
        };
        let style = |wdl| Style { mode: CastlingMode::Standard, wdl, position };
        assert!(style(false).info(&report).starts_with("info depth 7 seldepth 9 multipv 2 score cp 31 nodes 5000 "));
        report.bound = Bound::Lower;
        assert!(style(true).info(&report).contains(" score cp 31 lowerbound wdl "));
        report.bound = Bound::Upper;
        assert!(style(true).info(&report).contains(" score cp 31 upperbound wdl "));
    }
}
