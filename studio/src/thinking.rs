//! What a search finds, as the page shows it, and short searches that answer a question.

use std::sync::Arc;
use std::time::Duration;

use chess::{Color, Position};
use engine::{Bound, Limits, Memory, Report, STACK, Signal, Task, Weights, moves_to_mate, search, wdl};
use serde::Serialize;
use ts_rs::TS;

use crate::errors::ApiError;
use crate::position::{san_line, uci};
use crate::server::Shared;

/// The table of a short search, in megabytes.
const HASH: usize = 4;

/// A line that a search found.
#[derive(Clone, Serialize, TS)]
pub(crate) struct Line {
    /// Which of the wanted lines, from 1.
    pub(crate) rank: usize,
    pub(crate) depth: usize,
    /// The deepest line's depth.
    pub(crate) deepest: usize,
    /// The value in centipawns, White's view.
    pub(crate) white_cp: i32,
    /// Moves to mate, positive if White mates.
    pub(crate) mate: Option<i32>,
    /// Whether the value is known or a bound for the side to move.
    #[ts(type = "'exact' | 'lower' | 'upper'")]
    pub(crate) bound: &'static str,
    /// White's chances to win, draw and lose, in thousandths.
    pub(crate) wdl: [u32; 3],
    /// The moves, as UCI writes them.
    pub(crate) moves: Vec<String>,
    /// The moves, as people write them.
    pub(crate) san: Vec<String>,
}

impl Line {
    pub(crate) fn of(position: &Position, report: &Report) -> Line {
        let chances = wdl::chances(report.value, position);
        let sign = position.turn().fold_wb(1, -1);
        let mut moves = Vec::with_capacity(report.line.len());
        let mut current = *position;
        for &mv in &report.line {
            moves.push(uci(&current, mv));
            current.play(mv);
        }
        Line {
            rank: report.rank,
            depth: report.depth,
            deepest: report.deepest,
            white_cp: sign * report.value,
            mate: moves_to_mate(report.value).map(|moves| sign * moves),
            bound: match report.bound {
                Bound::Exact => "exact",
                Bound::Lower => "lower",
                Bound::Upper => "upper",
            },
            wdl: match position.turn() {
                Color::White => [chances.win, chances.draw, chances.loss],
                Color::Black => [chances.loss, chances.draw, chances.win],
            },
            moves,
            san: san_line(position, &report.line),
        }
    }
}

/// Searches so many nodes, among all moves or some, and gives what it found; nothing if there is no move.
pub(crate) async fn look(
    studio: &Shared,
    position: Position,
    weights: Arc<Weights>,
    limits: Limits,
) -> Result<Option<Report>, ApiError> {
    let _turn = studio.looks.acquire().await.map_err(|_| ApiError::Broken)?;
    let (send, receive) = tokio::sync::oneshot::channel();
    let work = move || {
        let found = Memory::new(HASH).ok_or(ApiError::Memory).map(|mut memory| {
            let task = Task::new(position, weights, limits);
            search(&task, &mut memory, &Signal::new(false), &mut |_| ())
        });
        // Whoever asked may have gone
        send.send(found).ok();
    };
    std::thread::Builder::new().stack_size(STACK).spawn(work).map_err(|_| ApiError::Memory)?;
    receive.await.map_err(|_| ApiError::Broken)?
}

/// Positions a second.
pub(crate) fn speed(nodes: u64, time: Duration) -> u64 {
    (nodes as f64 / time.as_secs_f64().max(1e-6)) as u64
}
