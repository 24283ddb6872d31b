//! An evaluation, opened, as JSON: what `marquetry eval --json` prints and what the page draws.

use axum::Json;
use axum::extract::State;
use chess::{Color, Position};
use engine::{Item, Row, SideSum, TermInfo, Trace, Weights};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::errors::{ApiError, Body};
use crate::position::{GameSoFar, read_fen};
use crate::server::Shared;
use crate::shelf::Choice;

/// An evaluation, opened. The shares of its rows add up to `white_cp`.
#[derive(Serialize, TS)]
pub struct Explanation {
    /// The position.
    pub fen: String,
    /// The weights' name.
    pub weights: String,
    /// How much of the middlegame is left, of 256.
    pub phase: i32,
    /// The evaluation in centipawns, White's view: the number that the search uses.
    pub white_cp: i32,
    /// `checkmate`, `stalemate` or `draw`, where the game is over.
    pub outcome: Option<&'static str>,
    /// Whether the side to move is in check.
    #[serde(rename = "check")]
    pub is_check: bool,
    /// What it is made of.
    pub rows: Vec<ExplainedRow>,
    /// For each square, a1 to h8: what the piece there contributes, White's view.
    pub squares: Vec<f64>,
    /// All that was found, one by one.
    pub findings: Vec<ExplainedFinding>,
}

/// A term with its share.
#[derive(Serialize, TS)]
pub struct ExplainedRow {
    /// The term, or what composition did.
    pub term: &'static str,
    /// Its group.
    pub group: &'static str,
    /// White's sum.
    pub white: ExplainedSide,
    /// Black's sum, in Black's view.
    pub black: ExplainedSide,
    /// Its share in centipawns, White's view.
    pub cp: f64,
}

/// One side's part in a row.
#[derive(Serialize, TS)]
pub struct ExplainedSide {
    /// The middlegame sum, in the weights' units.
    pub mg: i32,
    /// The endgame sum, in the weights' units.
    pub eg: i32,
    /// How often it was found.
    pub count: i32,
}

/// Something that was found.
#[derive(Serialize, TS)]
pub struct ExplainedFinding {
    /// The term.
    pub term: &'static str,
    /// The place of its weight among all weights.
    pub param: usize,
    /// The weight's name, such as `piece_square.knight.d4`.
    pub label: String,
    /// `white` or `black`.
    #[ts(type = "'white' | 'black'")]
    pub color: &'static str,
    /// The square, if it belongs to one.
    pub square: Option<String>,
    /// How often.
    pub count: i32,
    /// The weight, once.
    pub mg: i32,
    /// The weight, once.
    pub eg: i32,
    /// Its share in centipawns, White's view.
    pub cp: f64,
}

impl Explanation {
    /// Evaluates a position and remembers how.
    pub fn of(position: &Position, weights: &Weights) -> Explanation {
        let trace = Trace::of(position, weights);
        Explanation {
            fen: position.to_string(),
            weights: weights.name().to_owned(),
            phase: trace.phase,
            white_cp: trace.white_cp,
            outcome: trace.outcome,
            is_check: position.is_check(),
            rows: trace.rows.iter().map(ExplainedRow::from).collect(),
            squares: trace.squares.to_vec(),
            findings: trace.items.iter().map(ExplainedFinding::from).collect(),
        }
    }
}

impl From<&Row> for ExplainedRow {
    fn from(row: &Row) -> ExplainedRow {
        let side = |&SideSum { mg, eg, count }: &SideSum| ExplainedSide { mg, eg, count };
        ExplainedRow { term: row.term, group: row.group, white: side(&row.white), black: side(&row.black), cp: row.cp }
    }
}

impl From<&Item> for ExplainedFinding {
    fn from(item: &Item) -> ExplainedFinding {
        let param = item.param.index();
        ExplainedFinding {
            term: TermInfo::of(param).name,
            param,
            label: TermInfo::label(param),
            color: if item.color == Color::White { "white" } else { "black" },
            square: item.square.map(|square| square.to_string()),
            count: item.count,
            mg: item.mg / item.count,
            eg: item.eg / item.count,
            cp: item.cp,
        }
    }
}

/// A position to evaluate, and with what.
#[derive(Deserialize, TS)]
pub(crate) struct TraceRequest {
    pub(crate) fen: String,
    #[serde(default)]
    pub(crate) weights: Choice,
}

/// Opens an evaluation.
pub(crate) async fn trace(
    State(studio): State<Shared>,
    Body(request): Body<TraceRequest>,
) -> Result<Json<Explanation>, ApiError> {
    let weights = studio.shelf.choose(&request.weights)?;
    Ok(Json(Explanation::of(&read_fen(&request.fen)?, &weights)))
}

/// A game to evaluate move by move, and with what.
#[derive(Deserialize, TS)]
pub(crate) struct GraphRequest {
    pub(crate) game: GameSoFar,
    #[serde(default)]
    pub(crate) weights: Choice,
}

/// The static evaluation over a game: before the first move, then after each.
#[derive(Serialize, TS)]
pub(crate) struct Graph {
    pub(crate) points: Vec<GraphPoint>,
}

/// What a position is made of, group by group.
#[derive(Serialize, TS)]
pub(crate) struct GraphPoint {
    pub(crate) white_cp: i32,
    pub(crate) phase: i32,
    /// By group, in the order of the catalogue: its share in centipawns, White's view.
    pub(crate) groups: Vec<(&'static str, f64)>,
}

/// Evaluates a game move by move.
pub(crate) async fn graph(
    State(studio): State<Shared>,
    Body(request): Body<GraphRequest>,
) -> Result<Json<Graph>, ApiError> {
    let weights = studio.shelf.choose(&request.weights)?;
    let (plies, last) = request.game.replay()?;
    let positions = plies.iter().map(|(position, _)| position).chain([&last]);
    let points = positions.map(|position| {
        let trace = Trace::of(position, &weights);
        let mut groups: Vec<(&'static str, f64)> = Vec::new();
        for row in &trace.rows {
            match groups.iter_mut().find(|(group, _)| *group == row.group) {
                Some((_, cp)) => *cp += row.cp,
                None => groups.push((row.group, row.cp)),
            }
        }
        GraphPoint { white_cp: trace.white_cp, phase: trace.phase, groups }
    });
    Ok(Json(Graph { points: points.collect() }))
}
