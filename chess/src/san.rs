//! Standard algebraic notation, through shakmaty.

use shakmaty::san::SanPlus;
use shakmaty::{Board, CastlingMode, Chess, FromSetup, PositionError, Role, Setup};
use thiserror::Error;

use crate::fen::shortened;
use crate::{Move, MoveKind, Position};

/// Why a text is not a move in this position.
#[derive(Clone, Eq, PartialEq, Debug, Error)]
pub enum SanError {
    /// Not SAN at all.
    #[error("{0:?} is not a move in algebraic notation, such as Nf3, exd5, O-O or e8=Q+")]
    Syntax(String),
    /// No legal move fits.
    #[error("{0:?} is not legal in this position")]
    Illegal(String),
    /// More than one legal move fits.
    #[error("{0:?} fits more than one legal move; name the file or rank that the piece comes from")]
    Ambiguous(String),
}

impl Position {
    /// Reads a legal move in algebraic notation.
    pub fn parse_san(&self, text: &str) -> Result<Move, SanError> {
        // Some files castle with zeros
        let letters = if text.starts_with("0-0") { text.replace('0', "O") } else { text.to_owned() };
        let text = shortened(text);
        let san: SanPlus = letters.parse().map_err(|_| SanError::Syntax(text.clone()))?;
        match san.san.to_move(&self.to_shakmaty()) {
            Ok(mv) => Move::from_shakmaty(mv).ok_or(SanError::Illegal(text)),
            Err(shakmaty::san::SanError::AmbiguousSan) => Err(SanError::Ambiguous(text)),
            Err(shakmaty::san::SanError::IllegalSan) => Err(SanError::Illegal(text)),
        }
    }

    /// A legal move in algebraic notation, with `+` or `#` where it gives check or mate.
    pub fn san(&self, mv: Move) -> String {
        SanPlus::from_move(self.to_shakmaty(), self.shakmaty_move(mv)).to_string()
    }

    /// The same position as shakmaty keeps it.
    pub fn to_shakmaty(&self) -> Chess {
        Chess::from_setup(self.to_setup(), CastlingMode::Chess960)
            .or_else(PositionError::ignore_impossible_check)
            .expect("a position is legal")
    }

    pub(crate) fn to_setup(self) -> Setup {
        let mut setup = Setup::empty();
        setup.board = Board::try_from_bitboards(self.roles, self.colors).expect("each square holds one piece");
        setup.turn = self.turn;
        setup.castling_rights = self.castling;
        setup.ep_square = self.en_passant;
        setup.halfmoves = u32::from(self.halfmove_clock);
        setup.fullmoves = std::num::NonZeroU32::new(self.fullmove_number).unwrap_or(std::num::NonZeroU32::MIN);
        setup
    }

    fn shakmaty_move(&self, mv: Move) -> shakmaty::Move {
        let (from, to) = (mv.from(), mv.to());
        match mv.kind() {
            MoveKind::Castle => shakmaty::Move::Castle { king: from, rook: to },
            MoveKind::EnPassant => shakmaty::Move::EnPassant { from, to },
            MoveKind::Normal | MoveKind::DoublePush | MoveKind::Promotion => shakmaty::Move::Normal {
                role: self.role_on(from).unwrap_or(Role::Pawn),
                from,
                capture: self.role_on(to),
                to,
                promotion: mv.promoted_to(),
            },
        }
    }
}

impl Move {
    /// Our form of shakmaty's move; a drop has none.
    pub fn from_shakmaty(mv: shakmaty::Move) -> Option<Move> {
        Some(match mv {
            shakmaty::Move::Castle { king, rook } => Move::new(king, rook, MoveKind::Castle),
            shakmaty::Move::EnPassant { from, to } => Move::new(from, to, MoveKind::EnPassant),
            shakmaty::Move::Normal { from, to, promotion: Some(role), .. } => Move::promotion(from, to, role),
            shakmaty::Move::Normal { role: Role::Pawn, from, to, .. } if from.rank().distance(to.rank()) == 2 => {
                Move::new(from, to, MoveKind::DoublePush)
            }
            shakmaty::Move::Normal { from, to, .. } => Move::new(from, to, MoveKind::Normal),
            shakmaty::Move::Put { .. } => return None,
        })
    }
}
