//! When a search ends: by depth, nodes or time.

use std::time::Duration;

use chess::{ByColor, Move, Position};

use super::tunables::Tunables;
use super::value::MAX_PLY;

/// What `go` asks for.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// So many plies deep.
    pub depth: Option<usize>,
    /// So many nodes.
    pub nodes: Option<u64>,
    /// After so many nodes no new iteration begins. Without a limit of nodes, eight times as many are the most.
    pub soft_nodes: Option<u64>,
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
pub(super) struct Deadline {
    /// No new iteration after this, more or less.
    pub(super) soft: Option<Duration>,
    /// An end at once after this.
    pub(super) hard: Option<Duration>,
    pub(super) nodes: u64,
    /// No new iteration after so many.
    pub(super) soft_nodes: u64,
    pub(super) depth: usize,
    pub(super) mate: Option<usize>,
    /// Whether nothing but time limits the search, and no clock runs.
    pub(super) is_analysis: bool,
}

/// With this many milliseconds or fewer there is no time to think: the first depths take no longer.
const LEAST: f64 = 0.2;
/// How many times as many nodes as wanted an iteration may bring a search to.
const OVERRUN: u64 = 8;

impl Deadline {
    pub(super) fn new(limits: &Limits, position: &Position, overhead: u64, tunables: &Tunables) -> Deadline {
        let turn = position.turn();
        let milliseconds = |time: f64| Duration::from_secs_f64(time.max(LEAST) / 1000.0);
        let (mut soft, mut hard) = (None, None);
        if let Some(clock) = *limits.clock.get(turn) {
            let moves = moves_to_come(limits.moves_to_go, position.fullmove_number(), tunables);
            let (s, h) = allotment(clock, *limits.increment.get(turn), moves, overhead, tunables);
            (soft, hard) = (Some(milliseconds(s)), Some(milliseconds(h)));
        }
        if let Some(movetime) = limits.movetime {
            let time = milliseconds(movetime as f64 - overhead as f64);
            hard = Some(hard.map_or(time, |hard: Duration| hard.min(time)));
        }
        Deadline {
            soft,
            hard,
            nodes: limits.nodes.or(limits.soft_nodes.map(|soft| soft.saturating_mul(OVERRUN))).unwrap_or(u64::MAX),
            soft_nodes: limits.soft_nodes.unwrap_or(u64::MAX),
            depth: limits.depth.unwrap_or(MAX_PLY - 1).clamp(1, MAX_PLY - 1),
            mate: limits.mate,
            is_analysis: limits.clock.get(turn).is_none()
                && limits.nodes.or(limits.soft_nodes).is_none()
                && limits.depth.is_none(),
        }
    }
}

/// How many moves the clock is divided among. Without a time control ahead that is a guess, and fewer the longer the game is.
fn moves_to_come(moves_to_go: Option<u64>, number: u32, tunables: &Tunables) -> f64 {
    let most = f64::from(tunables.time_moves);
    match moves_to_go {
        Some(moves) => (moves.max(1) as f64).min(most),
        None => {
            let played = f64::from(number) * f64::from(tunables.time_moves_played) / 100.0;
            (most - played).max(f64::from(tunables.time_moves_least).min(most))
        }
    }
}

/// How long a move should take and may take, in milliseconds, if the clock has to last for so many moves.
///
/// Increments to come are spent in advance while there is a clock to draw on; what a move may lose outside the engine makes
/// them worth less. As the clock runs low a move takes no more than a share of it, and a reserve is kept back: below
/// it the engine moves at once, so that a clock which is only fed by its increment settles where a late wake-up does no
/// harm.
fn allotment(clock: i64, increment: u64, moves: f64, overhead: u64, tunables: &Tunables) -> (f64, f64) {
    let percent = |value: i32| f64::from(value) / 100.0;
    let overhead = overhead as f64;
    let left = (clock.max(0) as f64 - overhead).max(LEAST);
    if moves <= 1.0 {
        return (LAST_MOVE * left, LAST_MOVE * left);
    }
    let calm = (left - KEPT_BACK * overhead - STANDSTILL).max(0.0);
    let increment = (increment as f64 - overhead / 2.0).max(0.0);
    let most = calm * percent(tunables.time_share).max(1.0 / moves);
    let soft = (calm / moves + percent(tunables.time_increment) * increment).min(most).max(LEAST);
    let hard = (percent(tunables.time_hard) * soft).min((percent(tunables.time_clock) * calm).max(LEAST));
    (soft.min(hard), hard)
}

/// Overheads that are kept back.
const KEPT_BACK: f64 = 4.0;
/// Milliseconds that are kept back besides: now and then a busy machine stands still for so long.
const STANDSTILL: f64 = 40.0;
/// The part of the clock that the last move before a time control may use.
const LAST_MOVE: f64 = 0.8;

/// How the course of a search stretches or shrinks its time.
#[derive(Debug, Default)]
pub(super) struct Pace {
    best: Option<Move>,
    /// Iterations since the best move changed.
    stable: i32,
    /// A running mean of the values.
    mean: Option<i32>,
}

impl Pace {
    /// After an iteration: the factor for the time that a move should take, given the best move's share of the nodes.
    pub(super) fn factor(&mut self, best: Move, value: i32, share: f64, tunables: &Tunables) -> f64 {
        let percent = |value: i32| f64::from(value) / 100.0;
        self.stable = if self.best == Some(best) { (self.stable + 1).min(8) } else { 0 };
        self.best = Some(best);
        let mean = self.mean.unwrap_or(value);
        self.mean = Some((3 * mean + value) / 4);
        let fallen = f64::from((mean - value).clamp(-20, 80)) / 10.0;
        let nodes = percent(tunables.time_node_base) - percent(tunables.time_node_slope) * share;
        let stability = percent(tunables.time_unstable) - percent(tunables.time_stable) * f64::from(self.stable);
        nodes.max(0.3) * stability.max(0.3) * (1.0 + percent(tunables.time_falling) * fallen).max(0.5)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_never_takes_more_than_the_clock_has() {
        let tunables = Tunables::default();
        for clock in [-500, 0, 1, 10, 100, 1000, 60_000, 10_000_000] {
            for increment in [0, 10, 1000, 60_000] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40)] {
                    for (overhead, number) in [(0, 1), (10, 30), (500, 60), (10, u32::MAX)] {
                        let moves = moves_to_come(moves_to_go, number, &tunables);
                        let (soft, hard) = allotment(clock, increment, moves, overhead, &tunables);
                        let left = (clock.max(0) as f64 - overhead as f64).max(LEAST);
                        assert!(
                            0.0 < soft && soft <= hard && hard <= left,
                            "{clock} {increment} {moves_to_go:?} {number}: {soft} {hard}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn the_longer_a_game_is_the_larger_the_share_of_the_clock() {
        let tunables = Tunables::default();
        let moves = [1, 10, 20, 30, 100].map(|number| moves_to_come(None, number, &tunables));
        assert!(moves.is_sorted_by(|earlier, later| earlier > later || *later == f64::from(tunables.time_moves_least)));
        assert!(moves[4] < moves[0]);
        assert_eq!(moves_to_come(Some(3), 50, &tunables), 3.0, "a time control ahead is no guess");
        assert_eq!(moves_to_come(Some(40), 50, &tunables), moves_to_come(Some(40), 1, &tunables));
    }

    #[test]
    fn a_clear_choice_takes_less_time_than_a_hard_one() {
        let tunables = Tunables::default();
        let moves = Position::initial().legal_moves();
        let (mut clear, mut hard) = (Pace::default(), Pace::default());
        let (mut clear_factor, mut hard_factor) = (1.0, 1.0);
        for round in 0..8 {
            clear_factor = clear.factor(moves[0], 30, 0.95, &tunables);
            hard_factor = hard.factor(moves[round % 2], 30 - 10 * round as i32, 0.3, &tunables);
        }
        assert!(clear_factor < 0.8 && hard_factor > 1.5, "{clear_factor} {hard_factor}");
    }

    #[test]
    fn a_soft_limit_of_nodes_ends_between_two_iterations() {
        let weights = std::sync::Arc::new(crate::Weights::load("default").unwrap());
        let report = |limits: Limits, hash: &mut crate::Memory| {
            let task = crate::Task::new(Position::initial(), weights.clone(), limits);
            crate::search(&task, hash, &crate::Signal::new(false), &mut |_| ()).unwrap()
        };
        let memory = || crate::Memory::new(1).unwrap();
        for soft in [100, 500, 3000] {
            let limits = Limits { soft_nodes: Some(soft), ..Limits::default() };
            let found = report(limits, &mut memory());
            assert!(found.nodes >= soft);
            let exact = |depth| report(Limits { depth: Some(depth), ..Limits::default() }, &mut memory());
            let whole = exact(found.depth);
            assert_eq!((found.nodes, found.value, &found.line), (whole.nodes, whole.value, &whole.line));
            assert!(found.depth == 1 || exact(found.depth - 1).nodes < soft, "no iteration too many");
        }
        let hard = report(Limits { soft_nodes: Some(3000), nodes: Some(1000), ..Limits::default() }, &mut memory());
        assert!(hard.nodes <= 1000);
    }
}
