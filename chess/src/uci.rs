//! Reading moves as UCI writes them, in both castling notations.

use shakmaty::{CastlingMode, Color, Role, Square, attacks};
use thiserror::Error;

use crate::fen::shortened;
use crate::{Move, MoveKind, Position};

/// Why a text is not a legal move of a position.
#[derive(Clone, Eq, PartialEq, Debug, Error)]
pub enum UciMoveError {
    /// Not of the form `e2e4` or `e7e8q`.
    #[error("{0:?} is not a move; UCI writes from, to and promotion, such as e2e4 or e7e8q")]
    Syntax(String),
    /// Nothing to move.
    #[error("{text:?} is not legal: no piece stands on {from}")]
    NoPiece {
        /// The move as written.
        text: String,
        /// The empty square.
        from: Square,
    },
    /// A piece of the other side.
    #[error("{text:?} is not legal: the piece on {from} belongs to the side that is not to move")]
    WrongSide {
        /// The move as written.
        text: String,
        /// The piece's square.
        from: Square,
    },
    /// The piece does not move so.
    #[error("{text:?} is not legal: the {role} on {from} cannot go there")]
    Unreachable {
        /// The move as written.
        text: String,
        /// The piece.
        role: &'static str,
        /// Its square.
        from: Square,
    },
    /// A pawn reaches the last rank and nothing says what it becomes.
    #[error("{0:?} is not legal: a pawn that reaches the last rank needs a promotion, such as {0}q")]
    NoPromotion(String),
    /// The way is not free, or the king would be in check on it.
    #[error("{0:?} is not legal: to castle, the way must be free and the king safe before, on and after it")]
    NoCastling(String),
    /// The own king would be in check.
    #[error("{0:?} is not legal: it leaves the king in check")]
    KingInCheck(String),
}

impl Position {
    /// Reads a legal move. Castling may be written as the king's step (`e1g1`) or as king takes rook (`e1h1`).
    pub fn parse_uci(&self, text: &str) -> Result<Move, UciMoveError> {
        let owned = || shortened(text);
        let (from, to, promotion) = split(text).ok_or_else(|| UciMoveError::Syntax(owned()))?;
        let Some(role) = self.role_on(from) else {
            return Err(UciMoveError::NoPiece { text: owned(), from });
        };
        if !self.by_color(self.turn).contains(from) {
            return Err(UciMoveError::WrongSide { text: owned(), from });
        }
        let Some(mv) = self.interpret(role, from, to, promotion).filter(|&mv| self.is_pseudo_legal(mv)) else {
            let needs_promotion = role == Role::Pawn
                && promotion.is_none()
                && self.is_pseudo_legal(Move::promotion(from, to, Role::Queen));
            let special = self.interpret(role, from, to, promotion).map(Move::kind);
            return Err(if needs_promotion {
                UciMoveError::NoPromotion(owned())
            } else if special == Some(MoveKind::Castle) {
                UciMoveError::NoCastling(owned())
            } else if special == Some(MoveKind::EnPassant) && attacks::pawn_attacks(self.turn, from).contains(to) {
                UciMoveError::KingInCheck(owned())
            } else {
                UciMoveError::Unreachable { text: owned(), role: role_name(role), from }
            });
        };
        if self.leaves_king_safe(mv) { Ok(mv) } else { Err(UciMoveError::KingInCheck(owned())) }
    }

    /// The move that these squares mean if a piece of this role stands on the first.
    fn interpret(&self, role: Role, from: Square, to: Square, promotion: Option<Role>) -> Option<Move> {
        let kind = match (role, promotion) {
            (Role::Pawn, Some(promotion)) => return Some(Move::promotion(from, to, promotion)),
            (_, Some(_)) => return None,
            (Role::Pawn, None) if self.en_passant == Some(to) && from.file() != to.file() => MoveKind::EnPassant,
            (Role::Pawn, None) if from.rank().distance(to.rank()) == 2 => MoveKind::DoublePush,
            (Role::King, None) => return Some(self.interpret_king(from, to)),
            _ => MoveKind::Normal,
        };
        Some(Move::new(from, to, kind))
    }

    /// A king's step, or castling in either notation.
    fn interpret_king(&self, from: Square, to: Square) -> Move {
        let castles = (self.castling & self.by_color(self.turn))
            .into_iter()
            .map(|rook| Move::new(from, rook, MoveKind::Castle))
            .find(|mv| to == mv.to() || (to == mv.castling_targets().0 && from.distance(to) > 1));
        castles.unwrap_or(Move::new(from, to, MoveKind::Normal))
    }

    /// Whether castling in this position can only be written as king takes rook: king and rooks do not stand, or did
    /// not start, as in standard chess.
    pub fn castling_mode(&self) -> CastlingMode {
        let standard = (self.castling).into_iter().all(|rook| {
            let color = Color::from_white(self.colors.white.contains(rook));
            self.king(color).file() == shakmaty::File::E && matches!(rook.file(), shakmaty::File::A | shakmaty::File::H)
        });
        if standard { CastlingMode::Standard } else { CastlingMode::Chess960 }
    }
}

fn split(text: &str) -> Option<(Square, Square, Option<Role>)> {
    let promotion = match text.get(4..)? {
        "" => None,
        "n" | "N" => Some(Role::Knight),
        "b" | "B" => Some(Role::Bishop),
        "r" | "R" => Some(Role::Rook),
        "q" | "Q" => Some(Role::Queen),
        _ => return None,
    };
    Some((text.get(..2)?.parse().ok()?, text.get(2..4)?.parse().ok()?, promotion))
}

fn role_name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}
