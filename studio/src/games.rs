//! The games of a run: a page of the list, and one game move by move.

use axum::Json;
use axum::extract::State;
use lab::arena::{Place, Score};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::errors::{ApiError, Asked, Named};
use crate::position::uci;
use crate::runs::read_id;
use crate::server::Shared;

/// A page of the list has at most so many games.
const MOST_ON_PAGE: usize = 200;

/// Which games are wanted.
#[derive(Deserialize, TS)]
pub(crate) struct GamesQuery {
    /// From the nth on, counted from 0.
    #[serde(default)]
    pub(crate) from: usize,
    /// So many.
    pub(crate) count: Option<usize>,
}

/// Some games of a run.
#[derive(Serialize, TS)]
pub(crate) struct GamesPage {
    /// How many there are in all.
    pub(crate) total: u64,
    pub(crate) games: Vec<GameSummary>,
}

/// A game in the list.
#[derive(Serialize, TS)]
pub(crate) struct GameSummary {
    pub(crate) pair: usize,
    pub(crate) game: usize,
    /// The engines by their numbers.
    pub(crate) white: usize,
    /// The engines by their numbers.
    pub(crate) black: usize,
    /// As PGN writes it.
    pub(crate) result: String,
    pub(crate) reason: String,
    pub(crate) is_incident: bool,
}

/// Lists games, by pair.
pub(crate) async fn list(
    State(studio): State<Shared>,
    Named(run): Named<String>,
    Asked(query): Asked<GamesQuery>,
) -> Result<Json<GamesPage>, ApiError> {
    let id = read_id(&run)?;
    let count = query.count.unwrap_or(MOST_ON_PAGE).min(MOST_ON_PAGE);
    let page = studio.ask(move |store| {
        let total = store.run(id)?.games;
        let games = store.results(id, query.from, count)?.into_iter().map(|result| GameSummary {
            pair: result.place.pair,
            game: result.place.game,
            white: result.engines.white,
            black: result.engines.black,
            result: result.ending.winner.to_string(),
            reason: result.ending.reason,
            is_incident: result.ending.is_incident,
        });
        Ok(GamesPage { total, games: games.collect() })
    });
    Ok(Json(page.await?))
}

/// A game, move by move.
#[derive(Serialize, TS)]
pub(crate) struct GameDetails {
    pub(crate) white: String,
    pub(crate) black: String,
    pub(crate) result: String,
    pub(crate) reason: String,
    /// Where it began.
    pub(crate) fen: String,
    /// The moves, as UCI writes them.
    pub(crate) moves: Vec<String>,
    /// By move: the engine's score in centipawns, White's view; a mate counts 10000.
    pub(crate) scores: Vec<Option<i32>>,
    /// By move: seconds.
    pub(crate) seconds: Vec<f64>,
}

/// Shows a game.
pub(crate) async fn show(
    State(studio): State<Shared>,
    Named((run, pair, game)): Named<(String, usize, usize)>,
) -> Result<Json<GameDetails>, ApiError> {
    let id = read_id(&run)?;
    let found = studio.ask(move |store| Ok(store.game(id, Place { pair, game })?)).await?;
    let game = found.ok_or(ApiError::NoGame { run, pair, game })?.game;
    let mut position = game.opening;
    let (mut moves, mut scores) = (Vec::new(), Vec::new());
    for ply in &game.plies {
        let sign = position.turn().fold_wb(1, -1);
        scores.push(ply.score.map(|score| match score {
            Score::Centipawns(value) => sign * value,
            Score::Mate(moves) => sign * moves.signum() * 10_000,
        }));
        moves.push(uci(&position, ply.mv));
        position.play(ply.mv);
    }
    Ok(Json(GameDetails {
        white: game.names.white.clone(),
        black: game.names.black.clone(),
        result: game.ending.winner.to_string(),
        reason: game.ending.reason.clone(),
        fen: game.opening.to_string(),
        moves,
        scores,
        seconds: game.plies.iter().map(|ply| ply.time.as_secs_f64()).collect(),
    }))
}
