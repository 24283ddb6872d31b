//! A move and where it leads: the main line of a search, followed until nothing hangs.

use std::sync::Arc;

use chess::{Color, Move, Outcome, Position, Trail};
use engine::{Limits, Memory, Quiescence, Report, Signal, Tablebases, Task, Trace, Weights, moves_to_mate};

use super::Question;
use crate::data::numbered;

/// A value beyond this is no evaluation.
pub(super) const DECIDED: i32 = 25_000;
/// How often a line that ends too early is searched on from its end.
const TURNS: usize = 4;
/// Nodes for that, each time.
const NODES: u64 = 40_000;
/// A line of fewer plies is searched on.
const SHORT: usize = 4;
/// An evaluation that is as near to the search's value agrees with it.
const CLOSE: u32 = 10;

/// What is known of a line beyond evaluations.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Verdict {
    /// Nothing: the evaluation at its end speaks.
    Open,
    /// Mate in so many moves; negative if the side whose view it is gets mated.
    Mate(i32),
    /// A win (true) or a loss by endgame tables.
    Table(bool),
    /// A draw by endgame tables.
    TableDraw,
    /// A draw at the end of the line: `stalemate`, `repetition`, `insufficient material` or `the fifty-move rule`.
    Draw(&'static str),
}

/// A move, its line, and the evaluation at the end of it.
#[derive(Clone, Debug)]
pub struct Path {
    /// The move.
    pub mv: Move,
    /// The line that begins with it.
    pub line: Vec<Move>,
    /// The search's value, from the view of the side that moves.
    pub value: i32,
    /// How deep it was searched.
    pub depth: usize,
    /// Where the line ends.
    pub leaf: Position,
    /// The evaluation there.
    pub end: Trace,
    /// What is known beyond it.
    pub verdict: Verdict,
}

impl Path {
    /// The evaluation at the end, from a side's view.
    pub fn end_cp(&self, view: Color) -> i32 {
        view.fold_wb(self.end.white_cp, -self.end.white_cp)
    }

    /// The line as players write it, with numbers.
    pub fn san(&self, position: &Position) -> String {
        line_in_san(position, &self.line)
    }
}

/// A line as players write it, with numbers.
pub(crate) fn line_in_san(position: &Position, line: &[Move]) -> String {
    let (mut position, mut words) = (*position, Vec::new());
    for (place, &mv) in line.iter().enumerate() {
        words.push(numbered(&position, mv, place == 0));
        position.play(mv);
    }
    words.join(" ")
}

/// Searches moves and follows their lines.
pub(crate) struct Guide<'q> {
    pub(crate) weights: Arc<Weights>,
    pub(crate) limits: Limits,
    pub(crate) tablebases: Option<Arc<Tablebases>>,
    /// Nodes for each search from the end of a line that ends too early.
    pub(crate) more: u64,
    pub(crate) is_stopped: &'q (dyn Fn() -> bool + Sync),
    pub(crate) memory: Memory,
}

impl<'q> Guide<'q> {
    pub(super) fn new(question: &Question<'q>, memory: Memory) -> Guide<'q> {
        Guide {
            weights: question.weights.clone(),
            limits: question.limits.clone(),
            tablebases: question.tablebases.clone(),
            more: NODES,
            is_stopped: question.is_stopped,
            memory,
        }
    }

    /// The best of some moves, or of all if none is named, and where it leads. There must be a legal move.
    pub(super) fn follow(&mut self, position: &Position, trail: &Trail, moves: &[Move]) -> Path {
        let limits = Limits { moves: moves.to_vec(), ..self.limits.clone() };
        let report = self.search(position, trail, limits);
        let first = moves.first().copied().or(position.legal_moves().first().copied());
        let line = report.as_ref().map_or_else(|| first.into_iter().collect(), |report| report.line.clone());
        let (value, depth) = report.map_or((0, 0), |report| (report.value, report.depth));
        self.lead(position, trail, line, value, depth)
    }

    /// Where a line leads that a search has found, with its value and depth. The line must have a move.
    pub(crate) fn lead(
        &mut self,
        position: &Position,
        trail: &Trail,
        mut line: Vec<Move>,
        value: i32,
        depth: usize,
    ) -> Path {
        let verdict = match moves_to_mate(value) {
            Some(moves) => Verdict::Mate(moves),
            None if value.abs() > DECIDED => Verdict::Table(value > 0),
            None => Verdict::Open,
        };
        if verdict == Verdict::Open {
            self.lead_on(position, trail, &mut line, depth, value);
        }
        let (leaf, trail) = play(position, trail, &line);
        let drawn = match leaf.outcome() {
            Some(Outcome::Stalemate) => Some("stalemate"),
            Some(Outcome::InsufficientMaterial) => Some("insufficient material"),
            Some(Outcome::FiftyMoves) => Some("the fifty-move rule"),
            Some(Outcome::Checkmate { .. }) => None,
            None => trail.is_repetition(&leaf).then_some("repetition"),
        };
        let is_in_tables = || self.tablebases.as_ref()?.rank_root(position, &Trail::new());
        let verdict = match (verdict, drawn) {
            (Verdict::Open, Some(how)) => Verdict::Draw(how),
            (Verdict::Open, None) if value == 0 && is_in_tables().is_some() => Verdict::TableDraw,
            (verdict, _) => verdict,
        };
        let end = Trace::of(&leaf, &self.weights);
        Path { mv: line[0], line, value, depth, leaf, end, verdict }
    }

    /// Searches on from the end of a line that a table cut short, or at whose end something hangs, and keeps of all its
    /// ends the one where the evaluation agrees best with the search's value: there is what the search decided by.
    fn lead_on(&mut self, position: &Position, trail: &Trail, line: &mut Vec<Move>, depth: usize, value: i32) {
        let weights = self.weights.clone();
        let mut best: Option<(bool, u32, usize)> = None;
        for turn in 0..=TURNS {
            let (leaf, trail) = play(position, trail, line);
            let is_repeated = trail.is_repetition(&leaf);
            let worth = match leaf.outcome() {
                // The search knows of no mate, so that this is not what it decided by
                Some(Outcome::Checkmate { .. }) if turn > 0 => break,
                Some(_) => 0,
                None if is_repeated => 0,
                None => engine::evaluate(&leaf, &weights),
            };
            let is_over = is_repeated || leaf.outcome().is_some();
            let is_settled = is_over || Quiescence::new(&weights).is_settled(&leaf);
            let own = if leaf.turn() == position.turn() { worth } else { -worth };
            let apart = own.abs_diff(value);
            let end = (!is_settled, apart, line.len());
            best = Some(best.map_or(end, |best| best.min(end)));
            let is_long = line.len() >= depth.min(SHORT) && is_settled;
            if is_over || turn == TURNS || is_long && apart <= CLOSE {
                break;
            }
            let deep = depth.saturating_sub(line.len()).clamp(1, 8);
            let limits = Limits { depth: Some(deep), nodes: Some(self.more), ..Limits::default() };
            match self.search(&leaf, &trail, limits) {
                Some(report) => line.extend(report.line),
                None => break,
            }
        }
        if let Some((_, _, length)) = best {
            line.truncate(length);
        }
    }

    /// Searches; none if there is no legal move.
    pub(crate) fn search(&mut self, position: &Position, trail: &Trail, limits: Limits) -> Option<Report> {
        let signal = Signal::new(false);
        let mut task = Task::new(*position, self.weights.clone(), limits);
        task.trail = trail.clone();
        task.tablebases = self.tablebases.clone();
        engine::search(&task, &mut self.memory, &signal, &mut |_| {
            if (self.is_stopped)() {
                signal.stop();
            }
        })
    }
}

/// Where a line leads, and what was passed on the way.
fn play(position: &Position, trail: &Trail, line: &[Move]) -> (Position, Trail) {
    let (mut leaf, mut trail) = (*position, trail.clone());
    trail.start_search();
    for &mv in line {
        trail.push(&leaf);
        leaf.play(mv);
    }
    (leaf, trail)
}
