//! Positions and games as requests give them, and games from PGN.

use chess::{Move, Position};
use lab::data::Scoresheet;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::errors::{ApiError, Body};

/// No FEN is longer.
const LONGEST_FEN: usize = 200;
/// Nor is a game, in plies.
const LONGEST_GAME: usize = 3000;
/// A PGN of one game may have so many bytes.
const LONGEST_PGN: usize = 200_000;

/// A position and the game that led to it.
#[derive(Clone, Deserialize, TS)]
pub(crate) struct GameSoFar {
    /// Where it began.
    pub(crate) fen: String,
    /// The moves since, as UCI writes them.
    #[serde(default)]
    pub(crate) moves: Vec<String>,
}

/// Reads a FEN that is not too long.
pub(crate) fn read_fen(fen: &str) -> Result<Position, ApiError> {
    if fen.len() > LONGEST_FEN {
        return Err(ApiError::Long { what: "FEN", most: LONGEST_FEN, found: fen.len() });
    }
    Ok(fen.trim().parse()?)
}

impl GameSoFar {
    /// Each position with the move that is played in it, then the last position.
    pub(crate) fn replay(&self) -> Result<(Vec<(Position, Move)>, Position), ApiError> {
        if self.moves.len() > LONGEST_GAME {
            return Err(ApiError::Long { what: "game", most: LONGEST_GAME, found: self.moves.len() });
        }
        let mut position = read_fen(&self.fen)?;
        let mut plies = Vec::with_capacity(self.moves.len());
        for (text, number) in self.moves.iter().zip(1..) {
            let mv = position.parse_uci(text).map_err(|error| ApiError::Move { number, error })?;
            plies.push((position, mv));
            position.play(mv);
        }
        Ok((plies, position))
    }
}

/// A move as the page shows it.
pub(crate) fn san_line(position: &Position, line: &[Move]) -> Vec<String> {
    let mut position = *position;
    line.iter()
        .map(|&mv| {
            let san = position.san(mv);
            position.play(mv);
            san
        })
        .collect()
}

/// A move as UCI writes it.
pub(crate) fn uci(position: &Position, mv: Move) -> String {
    mv.uci(position.castling_mode()).to_string()
}

/// Text with a game in it.
#[derive(Deserialize, TS)]
pub(crate) struct PgnText {
    pub(crate) text: String,
}

/// A game that was read.
#[derive(Serialize, TS)]
pub(crate) struct PgnGame {
    /// Where it began.
    pub(crate) fen: String,
    /// Its moves, as UCI writes them.
    pub(crate) moves: Vec<String>,
    /// Its tags.
    pub(crate) tags: Vec<(String, String)>,
}

/// Reads the first game of a PGN.
pub(crate) async fn read_pgn(Body(PgnText { text }): Body<PgnText>) -> Result<axum::Json<PgnGame>, ApiError> {
    if text.len() > LONGEST_PGN {
        return Err(ApiError::Long { what: "PGN", most: LONGEST_PGN, found: text.len() });
    }
    let sheet = Scoresheet::first(&text).map_err(|error| ApiError::Pgn(error.to_string()))?;
    let sheet = sheet.ok_or_else(|| ApiError::Pgn("there is none".to_owned()))?;
    if sheet.plies.len() > LONGEST_GAME {
        return Err(ApiError::Long { what: "game", most: LONGEST_GAME, found: sheet.plies.len() });
    }
    let moves = sheet.plies.iter().map(|ply| uci(&ply.position, ply.mv)).collect();
    Ok(axum::Json(PgnGame { fen: sheet.start.to_string(), moves, tags: sheet.tags }))
}
