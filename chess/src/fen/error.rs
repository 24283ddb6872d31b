//! Why a text is not the FEN of a legal position.

use std::fmt;

use shakmaty::{Rank, Square};
use thiserror::Error;

/// A field of a FEN.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum FenField {
    /// Where the pieces stand.
    Board,
    /// Who moves.
    Turn,
    /// Who may still castle, and with which rook.
    Castling,
    /// Where a pawn can be captured en passant.
    EnPassant,
    /// Plies since the last capture or pawn move.
    HalfmoveClock,
    /// The number of the move.
    FullmoveNumber,
}

impl fmt::Display for FenField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FenField::Board => "board",
            FenField::Turn => "side to move",
            FenField::Castling => "castling rights",
            FenField::EnPassant => "en passant square",
            FenField::HalfmoveClock => "halfmove clock",
            FenField::FullmoveNumber => "fullmove number",
        })
    }
}

/// Why a text is not the FEN of a legal position.
#[derive(Clone, Eq, PartialEq, Debug, Error)]
#[error("FEN, {field}: {problem}")]
pub struct FenError {
    /// The field that is wrong.
    pub field: FenField,
    /// What is wrong with it.
    pub problem: FenProblem,
}

/// What is wrong with a field of a FEN.
#[derive(Clone, Eq, PartialEq, Debug, Error)]
pub enum FenProblem {
    /// The text ends before the field.
    #[error("missing; a FEN reads: board, w or b, castling rights, en passant square, and two numbers")]
    Missing,
    /// Something follows the last field.
    #[error("{0:?} follows it, but a FEN ends there")]
    TrailingText(String),
    /// The board does not have eight ranks.
    #[error("8 ranks are needed, not {0}")]
    RankCount(usize),
    /// A rank does not have eight files.
    #[error("rank {} has {files} squares instead of 8", .rank.char())]
    RankLength {
        /// The rank.
        rank: Rank,
        /// Its squares.
        files: usize,
    },
    /// A letter that is no piece.
    #[error("{letter:?} on rank {} is neither a piece (PNBRQK, pnbrqk) nor a number of empty squares", .rank.char())]
    UnknownPiece {
        /// The rank.
        rank: Rank,
        /// The letter.
        letter: char,
    },
    /// A side without a king.
    #[error("{0} has no king")]
    NoKing(&'static str),
    /// A side with several kings.
    #[error("{0} has more than one king")]
    ManyKings(&'static str),
    /// A pawn on the first or last rank.
    #[error("a pawn stands on {0}, where none can be")]
    PawnOnBackRank(Square),
    /// More pieces than a game can bring about.
    #[error("{0} has more pieces than eight pawns and their promotions allow")]
    TooMuchMaterial(&'static str),
    /// The side that has just moved is in check.
    #[error("{0} is in check, but it is the other side's move")]
    OppositeCheck(&'static str),
    /// A check that the pawn's double step of the en passant square cannot have given.
    #[error("the pawn that has just gone two squares cannot have given the checks that {0} is in")]
    ImpossibleCheck(&'static str),
    /// Neither `w` nor `b`.
    #[error("{0:?} is neither w nor b")]
    UnknownTurn(String),
    /// A letter that is no castling right.
    #[error("{0:?} is no castling right; write KQkq, rook files such as HAha, or -")]
    UnknownCastling(char),
    /// A right without king and rook in place.
    #[error("{0:?} needs a king on its first rank and a rook there to castle with")]
    NoCastlingRook(char),
    /// Two rights for one side of one king.
    #[error("{0:?} gives a second right on the same side of the king")]
    RepeatedCastling(char),
    /// Not a square.
    #[error("{0:?} is neither a square nor -")]
    UnknownSquare(String),
    /// A square that no pawn has just passed.
    #[error("no pawn can have just passed {0}")]
    NothingPassed(Square),
    /// Not a number, or too large a one.
    #[error("{0:?} is not a number from 0 to {1}")]
    BadNumber(String, u32),
}

impl FenProblem {
    pub(super) fn of(self, field: FenField) -> FenError {
        FenError { field, problem: self }
    }
}

/// The beginning of a text, enough to recognise it by.
pub(crate) fn shortened(text: &str) -> String {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
