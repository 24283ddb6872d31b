//! Positions in which the game is over.

use shakmaty::{Bitboard, Color};

use crate::Position;

/// Why a game ended, as far as one position tells. Repetition is [`Trail`](crate::Trail)'s to know.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Outcome {
    /// The side to move is mated.
    Checkmate {
        /// The side that gave mate.
        winner: Color,
    },
    /// The side to move has no move and is not in check.
    Stalemate,
    /// Neither side can ever give mate.
    InsufficientMaterial,
    /// Fifty moves each without a capture or a pawn move, and no mate on the board.
    FiftyMoves,
}

impl Position {
    /// Whether and why the game is over. Mate on the hundredth ply counts before the fifty-move rule.
    pub fn outcome(&self) -> Option<Outcome> {
        if !self.has_legal_move() {
            return Some(if self.is_check() { Outcome::Checkmate { winner: !self.turn } } else { Outcome::Stalemate });
        }
        if self.is_insufficient_material() {
            Some(Outcome::InsufficientMaterial)
        } else if self.halfmove_clock >= 100 {
            Some(Outcome::FiftyMoves)
        } else {
            None
        }
    }

    /// Whether the fifty-move rule makes the position a draw: not when it is mate.
    #[inline]
    pub fn is_fifty_move_draw(&self) -> bool {
        self.halfmove_clock >= 100 && (self.checkers.is_empty() || self.has_legal_move())
    }

    /// Whether no sequence of moves can end in mate: bare kings, one knight, or bishops of one square colour.
    #[inline]
    pub fn is_insufficient_material(&self) -> bool {
        let roles = &self.roles;
        if (roles.pawn | roles.rook | roles.queen).any() {
            return false;
        }
        if roles.knight.any() {
            return !(roles.knight | roles.bishop).more_than_one();
        }
        (roles.bishop & Bitboard::LIGHT_SQUARES).is_empty() || (roles.bishop & Bitboard::DARK_SQUARES).is_empty()
    }
}
