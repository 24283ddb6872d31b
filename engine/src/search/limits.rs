//! When a search ends: by depth, nodes or time.

use std::time::Duration;

use chess::{ByColor, Color, Move};

use super::value::MAX_PLY;

/// What `go` asks for.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// So many plies deep.
    pub depth: Option<usize>,
    /// So many nodes.
    pub nodes: Option<u64>,
    /// So many milliseconds.
    pub movetime: Option<u64>,
    /// The clocks, in milliseconds; a clock may have run out.
    pub clock: ByColor<Option<i64>>,
    /// What each move adds to the clocks.
    pub increment: ByColor<u64>,
    /// Moves until the clocks are set again.
    pub moves_to_go: Option<u64>,
    /// A mate in so many moves is enough.
    pub mate: Option<usize>,
    /// Until told to stop.
    pub infinite: bool,
    /// These moves only.
    pub moves: Vec<Move>,
}

/// When to stop, in a form that is quick to ask.
#[derive(Clone, Debug)]
pub(crate) struct Deadline {
    /// No new iteration after this.
    pub(super) soft: Option<Duration>,
    /// An end at once after this.
    pub(super) hard: Option<Duration>,
    pub(crate) nodes: u64,
    pub(crate) depth: usize,
    pub(crate) mate: Option<usize>,
}

/// With this many milliseconds or fewer there is no time to think.
const LEAST: f64 = 1.0;

impl Deadline {
    /// What limits mean for the side to move. `overhead` is what a move costs outside the engine, in milliseconds.
    pub(crate) fn new(limits: &Limits, turn: Color, overhead: u64) -> Deadline {
        let milliseconds = |time: f64| Duration::from_secs_f64(time.max(LEAST) / 1000.0);
        let (mut soft, mut hard) = (None, None);
        if let Some(clock) = *limits.clock.get(turn) {
            let (s, h) = allotment(clock, *limits.increment.get(turn), limits.moves_to_go, overhead);
            (soft, hard) = (Some(milliseconds(s)), Some(milliseconds(h)));
        }
        if let Some(movetime) = limits.movetime {
            let time = milliseconds(movetime as f64 - overhead as f64);
            hard = Some(hard.map_or(time, |hard: Duration| hard.min(time)));
        }
        Deadline {
            soft,
            hard,
            nodes: limits.nodes.unwrap_or(u64::MAX),
            depth: limits.depth.unwrap_or(MAX_PLY - 1).clamp(1, MAX_PLY - 1),
            mate: limits.mate,
        }
    }
}

/// How long a move should take and may take, in milliseconds.
fn allotment(clock: i64, increment: u64, moves_to_go: Option<u64>, overhead: u64) -> (f64, f64) {
    let (clock, increment) = ((clock.max(0) as f64 - overhead as f64).max(LEAST), increment as f64);
    let moves = moves_to_go.map_or(25.0, |moves| (moves.max(1) as f64).min(25.0));
    let usable = if moves <= 1.0 { 0.8 * clock } else { clock };
    let soft = usable / moves + 0.7 * increment;
    let hard = (4.0 * soft).min(0.6 * usable);
    (soft.min(hard), hard)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_never_takes_more_than_the_clock_has() {
        for clock in [-500, 0, 1, 10, 100, 1000, 60_000, 10_000_000] {
            for increment in [0, 10, 1000, 60_000] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40)] {
                    for overhead in [0, 10, 500] {
                        let (soft, hard) = allotment(clock, increment, moves_to_go, overhead);
                        let left = (clock.max(0) as f64 - overhead as f64).max(LEAST);
                        assert!(
                            0.0 < soft && soft <= hard && hard <= left,
                            "{clock} {increment} {moves_to_go:?}: {soft} {hard}"
                        );
                    }
                }
            }
        }
    }
}
