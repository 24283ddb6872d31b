//! Which moves give check: the squares to give it from, and the pieces that uncover it.

use shakmaty::{Bitboard, Role, Square, attacks};

use crate::{Index, Move, MoveKind, Position};

/// What the side to move needs to know of the enemy king. Made once a position, asked for each move.
#[derive(Clone, Debug)]
pub struct Checks {
    /// By role: the squares from which such a piece gives check.
    squares: [Bitboard; Role::COUNT],
    /// Own pieces that stand between an own slider and the enemy king.
    discoverers: Bitboard,
    king: Square,
}

impl Checks {
    /// Looks at the enemy king's lines.
    #[inline]
    pub fn new(position: &Position) -> Checks {
        let them = !position.turn;
        let king = position.king(them);
        let occupied = position.occupied();
        let diagonal = attacks::bishop_attacks(king, occupied);
        let straight = attacks::rook_attacks(king, occupied);
        Checks {
            squares: [
                attacks::pawn_attacks(them, king),
                attacks::knight_attacks(king),
                diagonal,
                straight,
                diagonal | straight,
                Bitboard::EMPTY,
            ],
            discoverers: position.blockers(them) & position.by_color(position.turn),
            king,
        }
    }

    /// The squares from which a piece of this role gives check.
    #[inline]
    pub fn squares(&self, role: Role) -> Bitboard {
        self.squares[role.index()]
    }

    /// Own pieces that give check by leaving their line.
    #[inline]
    pub fn discoverers(&self) -> Bitboard {
        self.discoverers
    }

    /// Whether a pseudo-legal move of this position gives check.
    #[inline]
    pub fn given_by(&self, position: &Position, mv: Move) -> bool {
        match mv.kind() {
            MoveKind::Normal | MoveKind::DoublePush => {
                let role = position.role_on(mv.from()).expect("a piece moves");
                self.given_by_piece(role, mv.from(), mv.to())
            }
            MoveKind::Promotion | MoveKind::EnPassant | MoveKind::Castle => self.given_by_special(position, mv),
        }
    }

    /// Whether a piece gives check by going to a square, directly or by leaving its line.
    #[inline]
    pub(crate) fn given_by_piece(&self, role: Role, from: Square, to: Square) -> bool {
        self.squares(role).contains(to) || self.is_discovered(from, to)
    }

    /// Whether a move that changes more than one piece's square gives check.
    pub(crate) fn given_by_special(&self, position: &Position, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        if let Some(role) = mv.promoted_to() {
            let occupied = position.occupied().without(from);
            return attacks::attacks(to, role.of(position.turn), occupied).contains(self.king)
                || self.is_discovered(from, to);
        }
        if mv.kind() == MoveKind::EnPassant {
            let captured = Square::from_coords(to.file(), from.rank());
            let occupied = position.occupied().without(from).without(captured).with(to);
            return self.squares(Role::Pawn).contains(to)
                || position.slider_attacks(position.turn, self.king, occupied);
        }
        let (king, rook) = mv.castling_targets();
        let occupied = position.occupied().without(from).without(to).with(king).with(rook);
        attacks::rook_attacks(rook, occupied).contains(self.king)
    }

    #[inline]
    fn is_discovered(&self, from: Square, to: Square) -> bool {
        self.discoverers.contains(from) && !attacks::aligned(from, to, self.king)
    }
}
