//! Whether a move that comes from elsewhere (a table, a file, a person) can be played here.

use shakmaty::{Bitboard, Color, Rank, Role, Square, attacks};

use crate::movegen::Generator;
use crate::side::{Black, Side, White, step};
use crate::{Checks, Move, MoveKind, Position};

impl Position {
    /// Whether the pieces can make this move, whatever becomes of their king. Castling and en passant, whose rules
    /// speak of the king's safety, count only when they are legal.
    #[inline]
    pub fn is_pseudo_legal(&self, mv: Move) -> bool {
        match self.turn {
            Color::White => self.is_pseudo_legal_as::<White>(mv),
            Color::Black => self.is_pseudo_legal_as::<Black>(mv),
        }
    }

    /// Whether the move is legal.
    #[inline]
    pub fn is_legal(&self, mv: Move) -> bool {
        self.is_pseudo_legal(mv) && self.leaves_king_safe(mv)
    }

    /// Whether a legal move gives check. Where many moves are asked about, make one [`Checks`] and ask it.
    pub fn gives_check(&self, mv: Move) -> bool {
        Checks::new(self).given_by(self, mv)
    }

    /// Whether a pseudo-legal move leaves the own king out of check.
    #[inline]
    pub fn leaves_king_safe(&self, mv: Move) -> bool {
        let king = self.king(self.turn);
        let (from, to) = (mv.from(), mv.to());
        if matches!(mv.kind(), MoveKind::EnPassant | MoveKind::Castle) {
            return true;
        }
        if from == king {
            let attackers = self.attackers(to, self.occupied().without(king));
            return (attackers & self.by_color(!self.turn)).is_empty();
        }
        self.ends_check(king, to) && (!self.pinned().contains(from) || attacks::aligned(king, from, to))
    }

    /// Whether a piece other than the king answers every check by going to a square.
    fn ends_check(&self, king: Square, to: Square) -> bool {
        match self.checkers.single_square() {
            Some(checker) => attacks::between(king, checker).with(checker).contains(to),
            None => self.checkers.is_empty(),
        }
    }

    fn is_pseudo_legal_as<S: Side>(&self, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let ours = self.by_color(S::US);
        let Some(role) = self.role_on(from).filter(|_| ours.contains(from)) else {
            return false;
        };
        match mv.kind() {
            MoveKind::Castle => {
                role == Role::King
                    && self.checkers.is_empty()
                    && (self.castling & ours).contains(to)
                    && Generator::<S>::new(self).can_castle(mv)
            }
            MoveKind::EnPassant => {
                role == Role::Pawn
                    && self.en_passant == Some(to)
                    && attacks::pawn_attacks(S::US, from).contains(to)
                    && Generator::<S>::new(self).may_capture_en_passant(from, to)
            }
            MoveKind::DoublePush => {
                role == Role::Pawn
                    && S::rank(Rank::Second).contains(from)
                    && to == step(from, 2 * S::FORWARD)
                    && self.role_on(step(from, S::FORWARD)).is_none()
                    && self.role_on(to).is_none()
            }
            MoveKind::Promotion => {
                role == Role::Pawn && S::rank(Rank::Eighth).contains(to) && self.pawn_reaches::<S>(from, to)
            }
            MoveKind::Normal if role == Role::Pawn => {
                !S::rank(Rank::Eighth).contains(to) && self.pawn_reaches::<S>(from, to)
            }
            MoveKind::Normal => {
                !ours.contains(to) && attacks::attacks(from, role.of(S::US), self.occupied()).contains(to)
            }
        }
    }

    /// Whether a pawn reaches a square by one step forward or by a capture.
    fn pawn_reaches<S: Side>(&self, from: Square, to: Square) -> bool {
        let pushes = S::forward(Bitboard::from_square(from)) & !self.occupied();
        let captures = attacks::pawn_attacks(S::US, from) & self.by_color(S::THEM);
        (pushes | captures).contains(to)
    }
}
