//! Positions and games as requests give them, and games from PGN.

use std::ops::ControlFlow;

use chess::{Move, Position};
use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
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
    let mut reader = Reader::new(text.as_bytes());
    let game = reader.read_game(&mut Replay).map_err(|error| ApiError::Pgn(error.to_string()))?;
    Ok(axum::Json(game.unwrap_or_else(|| Err(no_game()))?))
}

fn no_game() -> ApiError {
    ApiError::Pgn("there is none".to_owned())
}

/// Plays a game over.
struct Replay;

/// A game on its way.
struct Replayed {
    position: Position,
    game: PgnGame,
}

impl Visitor for Replay {
    type Tags = Vec<(String, String)>;
    type Movetext = Replayed;
    type Output = Result<PgnGame, ApiError>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Self::Tags> {
        ControlFlow::Continue(Vec::new())
    }

    fn tag(&mut self, tags: &mut Self::Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
        tags.push((String::from_utf8_lossy(name).into_owned(), value.decode_utf8_lossy().into_owned()));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Self::Tags) -> ControlFlow<Self::Output, Replayed> {
        let fen = tags.iter().find(|(name, _)| name.eq_ignore_ascii_case("FEN")).map(|(_, fen)| read_fen(fen));
        match fen.unwrap_or_else(|| Ok(Position::initial())) {
            Ok(position) => {
                let game = PgnGame { fen: position.to_string(), moves: Vec::new(), tags };
                ControlFlow::Continue(Replayed { position, game })
            }
            Err(error) => ControlFlow::Break(Err(error)),
        }
    }

    fn san(&mut self, replayed: &mut Replayed, san: SanPlus) -> ControlFlow<Self::Output> {
        let ply = replayed.game.moves.len() + 1;
        if ply > LONGEST_GAME {
            return ControlFlow::Break(Err(ApiError::Long { what: "game", most: LONGEST_GAME, found: ply }));
        }
        match replayed.position.parse_san(&san.to_string()) {
            Ok(mv) => {
                replayed.game.moves.push(uci(&replayed.position, mv));
                replayed.position.play(mv);
                ControlFlow::Continue(())
            }
            Err(_) => ControlFlow::Break(Err(ApiError::Pgn(format!("{san} is not legal at ply {ply}")))),
        }
    }

    fn end_game(&mut self, Replayed { game, .. }: Replayed) -> Self::Output {
        // Any text is a PGN, with nothing in it
        if game.moves.is_empty() && game.tags.is_empty() { Err(no_game()) } else { Ok(game) }
    }
}
