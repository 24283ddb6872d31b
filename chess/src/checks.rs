//! Which moves give check: the squares to give it from, and the pieces that uncover it.

use shakmaty::{Bitboard, Color, Rank, Role, Square, attacks};

use crate::side::{Black, Side, White, step};
use crate::{Index, Move, MoveKind, MoveList, Position};

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

    /// Adds the legal quiet moves that give check, castling left out. Not for a side that is in check itself.
    pub fn quiets(&self, position: &Position, moves: &mut MoveList) {
        debug_assert!(!position.is_check());
        match position.turn {
            Color::White => self.quiets_as::<White>(position, moves),
            Color::Black => self.quiets_as::<Black>(position, moves),
        }
    }

    fn quiets_as<S: Side>(&self, position: &Position, moves: &mut MoveList) {
        let ours = position.by_color(S::US);
        let pawns = ours & position.by_role(Role::Pawn);
        let empty = !position.occupied();
        let mut add = |mv| {
            if position.leaves_king_safe(mv) {
                moves.push(mv);
            }
        };

        // Pieces that go to a square to give it from
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            let targets = self.squares(role) & empty;
            for from in ours & position.by_role(role) & !self.discoverers {
                for to in attacks::attacks(from, role.of(S::US), position.occupied()) & targets {
                    add(Move::new(from, to, MoveKind::Normal));
                }
            }
        }
        // Pieces that uncover one by leaving their line
        for from in self.discoverers & !pawns {
            let role = position.role_on(from).expect("a piece moves");
            let targets = (self.squares(role) | !attacks::ray(self.king, from)) & empty;
            for to in attacks::attacks(from, role.of(S::US), position.occupied()) & targets {
                add(Move::new(from, to, MoveKind::Normal));
            }
        }
        // Pawns of either sort
        let one = S::forward(pawns) & empty & !S::rank(Rank::Eighth);
        let two = S::forward(one & S::rank(Rank::Third)) & empty;
        for (targets, by, kind) in [(one, S::FORWARD, MoveKind::Normal), (two, 2 * S::FORWARD, MoveKind::DoublePush)] {
            for to in targets & (self.squares(Role::Pawn) | (self.discoverers & pawns).shift(by)) {
                let from = step(to, -by);
                if self.given_by_piece(Role::Pawn, from, to) {
                    add(Move::new(from, to, kind));
                }
            }
        }
    }

    #[inline]
    fn is_discovered(&self, from: Square, to: Square) -> bool {
        self.discoverers.contains(from) && !attacks::aligned(from, to, self.king)
    }
}
