//! A game: where it began, what was played and thought, and how it ended.

use std::fmt;

use chess::{Color, Move, Position};

use super::GameFault;
use crate::arena::Winner;

/// No game is longer, so that its bytes have a limit too.
const MOST_PLIES: usize = u16::MAX as usize;

/// A move and what the search thought.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct Ply {
    /// The move.
    pub mv: Move,
    /// The value in centipawns, in the view of the side that moves; none for a move that was not thought about.
    pub value: Option<i32>,
}

/// Why a game ended.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Reason {
    /// Nobody knows.
    Unknown,
    /// Checkmate.
    Checkmate,
    /// Stalemate.
    Stalemate,
    /// Neither side can ever give mate.
    InsufficientMaterial,
    /// Fifty moves without a capture or a pawn move.
    FiftyMoves,
    /// The same position for the third time.
    Repetition,
    /// Both sides thought for a while that it was won.
    Decided,
    /// Both sides thought for a while that it was level.
    Level,
    /// An endgame table knows the result.
    Tables,
    /// It took too long.
    Length,
}

impl Reason {
    /// All of them; the place of each is its code.
    pub const ALL: [Reason; 10] = [
        Reason::Unknown,
        Reason::Checkmate,
        Reason::Stalemate,
        Reason::InsufficientMaterial,
        Reason::FiftyMoves,
        Reason::Repetition,
        Reason::Decided,
        Reason::Level,
        Reason::Tables,
        Reason::Length,
    ];

    /// Its number in files.
    pub fn code(self) -> u8 {
        self as u8
    }
}

/// In words.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Reason::Unknown => "unknown",
            Reason::Checkmate => "checkmate",
            Reason::Stalemate => "stalemate",
            Reason::InsufficientMaterial => "insufficient material",
            Reason::FiftyMoves => "fifty moves",
            Reason::Repetition => "repetition",
            Reason::Decided => "won by both sides' values",
            Reason::Level => "level by both sides' values",
            Reason::Tables => "endgame table",
            Reason::Length => "too long",
        })
    }
}

/// A game whose moves are all legal.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Game {
    start: Position,
    plies: Vec<Ply>,
    result: Winner,
    reason: Reason,
}

/// A position of a game, and what was played in it.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct Step {
    /// The position.
    pub position: Position,
    /// The move.
    pub mv: Move,
    /// The position's value in centipawns, in the view of the side to move, if there is one.
    pub value: Option<i32>,
}

impl Step {
    /// The value in White's view.
    pub fn white_value(&self) -> Option<i32> {
        self.value.map(|value| self.position.turn().fold_wb(value, value.saturating_neg()))
    }
}

impl Game {
    /// A game from a position on. An error if a move is not legal, or if there are more than 65,535.
    pub fn new(start: Position, plies: Vec<Ply>, result: Winner, reason: Reason) -> Result<Game, GameFault> {
        if plies.len() > MOST_PLIES {
            return Err(GameFault::TooLong);
        }
        let mut position = start;
        for (number, ply) in (1..).zip(&plies) {
            if !position.is_legal(ply.mv) {
                return Err(GameFault::Move(number));
            }
            position.play(ply.mv);
        }
        Ok(Game { start, plies, result, reason })
    }

    /// Where it began.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The moves and what was thought of them.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// Who won.
    pub fn result(&self) -> Winner {
        self.result
    }

    /// White's points: 0, ½ or 1.
    pub fn points(&self) -> f64 {
        match self.result {
            Winner::Side(Color::White) => 1.0,
            Winner::Draw => 0.5,
            Winner::Side(Color::Black) => 0.0,
        }
    }

    /// Why it ended.
    pub fn reason(&self) -> Reason {
        self.reason
    }

    /// Every position in which a move was made, in order; the last position of the game is not among them.
    pub fn positions(&self) -> impl Iterator<Item = Step> {
        self.plies.iter().scan(self.start, |position, ply| {
            let step = Step { position: *position, mv: ply.mv, value: ply.value };
            position.play(ply.mv);
            Some(step)
        })
    }
}
