//! Questions that a short search answers: why not another move, and what edited weights change.

use axum::Json;
use axum::extract::State;
use engine::Limits;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::errors::{ApiError, Body};
use crate::explanation::Explanation;
use crate::position::{read_fen, uci};
use crate::server::Shared;
use crate::shelf::Choice;
use crate::thinking::{Line, look};

/// The most nodes that a question may cost.
const MOST_NODES: u64 = 5_000_000;

fn within(nodes: u64) -> Result<u64, ApiError> {
    let range = Err(ApiError::Range { what: "nodes", low: 1, high: MOST_NODES, found: nodes });
    if (1..=MOST_NODES).contains(&nodes) { Ok(nodes) } else { range }
}

/// Two moves to compare.
#[derive(Deserialize, TS)]
pub(crate) struct CompareRequest {
    pub(crate) fen: String,
    /// The moves, as UCI writes them.
    pub(crate) moves: [String; 2],
    #[serde(default)]
    pub(crate) weights: Choice,
    /// How many nodes each is searched.
    pub(crate) nodes: u64,
}

/// What comes of a move.
#[derive(Serialize, TS)]
pub(crate) struct Branch {
    /// The move, as people write it.
    pub(crate) san: String,
    /// What a search of this move alone found.
    pub(crate) line: Line,
    /// The evaluation at the end of that line.
    pub(crate) end: Explanation,
}

/// Two moves compared.
#[derive(Serialize, TS)]
pub(crate) struct Comparison {
    pub(crate) branches: Vec<Branch>,
}

/// Searches two moves and opens the evaluation at the end of their lines.
pub(crate) async fn compare(
    State(studio): State<Shared>,
    Body(request): Body<CompareRequest>,
) -> Result<Json<Comparison>, ApiError> {
    let position = read_fen(&request.fen)?;
    let weights = studio.shelf.choose(&request.weights)?;
    let nodes = within(request.nodes)?;
    let mut branches = Vec::new();
    for (text, number) in request.moves.iter().zip(1..) {
        let mv = position.parse_uci(text).map_err(|error| ApiError::Move { number, error })?;
        let limits = Limits { nodes: Some(nodes), moves: vec![mv], ..Limits::default() };
        let report = look(&studio, position, weights.clone(), limits).await?.ok_or(ApiError::Broken)?;
        let mut last = position;
        for &mv in &report.line {
            last.play(mv);
        }
        let end = Explanation::of(&last, &weights);
        branches.push(Branch { san: position.san(mv), line: Line::of(&position, &report), end });
    }
    Ok(Json(Comparison { branches }))
}

/// Weights whose effect is wanted.
#[derive(Deserialize, TS)]
pub(crate) struct EffectRequest {
    pub(crate) fen: String,
    #[serde(default)]
    pub(crate) weights: Choice,
    /// How many nodes are searched for the best move.
    pub(crate) nodes: u64,
}

/// What weights say of a position.
#[derive(Serialize, TS)]
pub(crate) struct Effect {
    /// The static evaluation in centipawns, White's view.
    pub(crate) white_cp: i32,
    /// The best move as UCI writes it; nothing where the game is over.
    pub(crate) best: Option<String>,
    /// What the search found.
    pub(crate) line: Option<Line>,
}

/// Evaluates a position and looks for the best move.
pub(crate) async fn effect(
    State(studio): State<Shared>,
    Body(request): Body<EffectRequest>,
) -> Result<Json<Effect>, ApiError> {
    let position = read_fen(&request.fen)?;
    let weights = studio.shelf.choose(&request.weights)?;
    let white_cp = Explanation::of(&position, &weights).white_cp;
    let limits = Limits { nodes: Some(within(request.nodes)?), ..Limits::default() };
    let report = look(&studio, position, weights, limits).await?;
    let best = report.as_ref().and_then(|report| report.line.first()).map(|&mv| uci(&position, mv));
    Ok(Json(Effect { white_cp, best, line: report.map(|report| Line::of(&position, &report)) }))
}
