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
    /// The squares from which any piece gives check.
    any: Bitboard,
    king: Square,
}

impl Checks {
    /// Looks at the enemy king's lines.
    #[inline(always)]
    pub fn new(position: &Position) -> Checks {
        let them = !position.turn;
        let king = position.king(them);
        let occupied = position.occupied();
        let diagonal = attacks::bishop_attacks(king, occupied);
        let straight = attacks::rook_attacks(king, occupied);
        let knight = attacks::knight_attacks(king);
        Checks {
            squares: [
                attacks::pawn_attacks(them, king),
                knight,
                diagonal,
                straight,
                diagonal | straight,
                Bitboard::EMPTY,
            ],
            discoverers: position.blockers(them) & position.by_color(position.turn),
            any: diagonal | straight | knight,
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
                if !self.any.contains(mv.to()) && !self.discoverers.contains(mv.from()) {
                    return false;
                }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quiet_checks_are_the_quiet_moves_that_give_check() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
            // Discovered by a knight, a king and pawns that step once or twice; a pinned knight gives none
            "7k/8/5N2/8/3B4/8/8/K7 w - - 0 1",
            "4r3/8/8/7k/8/8/4N3/4K3 w - - 0 1",
            "8/8/8/8/R1K4k/8/8/8 w - - 0 1",
            "8/8/8/8/8/8/R2P3k/K7 w - - 0 1",
            "k7/8/8/1p6/8/2P5/8/3KB2q b - - 0 1",
            // A pawn gives check by two steps
            "8/8/8/4k3/8/8/3P4/K7 w - - 0 1",
            "k7/5p2/8/6K1/8/8/8/8 b - - 0 1",
        ] {
            let position: Position = fen.parse().unwrap();
            let checks = Checks::new(&position);
            let (mut quiets, mut found) = (MoveList::new(), MoveList::new());
            position.quiets(&mut quiets);
            checks.quiets(&position, &mut found);
            let mut expected: Vec<Move> = quiets
                .iter()
                .copied()
                .filter(|mv| mv.kind() != MoveKind::Castle && checks.given_by(&position, *mv))
                .collect();
            let mut found = found.to_vec();
            expected.sort_by_key(|mv| mv.bits());
            found.sort_by_key(|mv| mv.bits());
            assert_eq!(found, expected, "{fen}");
            for mv in quiets.iter() {
                let mut after = position;
                after.play(*mv);
                let is_check =
                    !after.attackers(after.king(after.turn), after.occupied()).is_disjoint(after.by_color(!after.turn));
                assert_eq!(checks.given_by(&position, *mv), is_check, "{fen} {mv:?}");
            }
        }
    }
}
