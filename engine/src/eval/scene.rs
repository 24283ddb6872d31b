//! What attacks what: looked at once for both sides, and shared by all groups that need it. On the way each piece is
//! credited its scope and its part in an attack on the enemy's king.

use chess::{Bitboard, ByColor, ByRole, Color, Position, Rank, Role, Square, attacks};

use super::axis::UpTo;
use super::geometry::{forward, ranks};
use super::ledger::Ledger;
use super::structure::Outline;
use super::terms::{ASSAILANT, ASSAULT, BISHOP_SCOPE, Group, KNIGHT_SCOPE, QUEEN_SCOPE, ROOK_SCOPE};

/// What one side attacks.
#[derive(Copy, Clone, Default)]
pub(super) struct View {
    /// By the role of the attackers.
    pub(super) by_role: ByRole<Bitboard>,
    /// By anything.
    pub(super) all: Bitboard,
    /// By two or more.
    pub(super) twice: Bitboard,
    /// The squares about its own king.
    pub(super) ring: Bitboard,
    /// Pieces of either side that stand alone between its king and an enemy slider.
    pub(super) blockers: Bitboard,
}

/// What both sides attack.
pub(super) struct Scene {
    views: ByColor<View>,
}

impl Scene {
    /// Looks at a position and credits what is seen on the way.
    #[inline(always)]
    pub(super) fn new<L: Ledger>(position: &Position, outlines: &ByColor<Outline>, ledgers: &mut ByColor<L>) -> Scene {
        let white = base(position, Color::White, &outlines.white);
        let black = base(position, Color::Black, &outlines.black);
        let views = ByColor {
            white: look(position, Color::White, white, &black, &mut ledgers.white),
            black: look(position, Color::Black, black, &white, &mut ledgers.black),
        };
        Scene { views }
    }

    /// What a side attacks.
    #[inline]
    pub(super) fn view(&self, color: Color) -> &View {
        self.views.get(color)
    }
}

/// Adds the attacks of knights, bishops, rooks and queens to what pawns and king attack. Of the enemy's view nothing is
/// needed but what its pawns and king tell.
#[inline(always)]
fn look<L: Ledger>(position: &Position, us: Color, mut view: View, enemy: &View, ledger: &mut L) -> View {
    let occupied = position.occupied();
    let (rooks, queens) = (position.by_piece(us.rook()), position.by_piece(us.queen()));
    let eye = Eye::new(&view, enemy, position, us, ledger.wants(Group::Danger));
    for square in position.by_piece(us.knight()) {
        let reached = eye.take(&mut view, Role::Knight, square, attacks::knight_attacks(square), ledger);
        ledger.credit(KNIGHT_SCOPE.at(UpTo(reached)), Some(square), 1);
    }
    for square in position.by_piece(us.bishop()) {
        let attacked = attacks::bishop_attacks(square, occupied ^ queens);
        let reached = eye.take(&mut view, Role::Bishop, square, attacked, ledger);
        ledger.credit(BISHOP_SCOPE.at(UpTo(reached)), Some(square), 1);
    }
    for square in rooks {
        let attacked = attacks::rook_attacks(square, occupied ^ queens ^ rooks);
        let reached = eye.take(&mut view, Role::Rook, square, attacked, ledger);
        ledger.credit(ROOK_SCOPE.at(UpTo(reached)), Some(square), 1);
    }
    for square in queens {
        let reached = eye.take(&mut view, Role::Queen, square, attacks::queen_attacks(square, occupied), ledger);
        ledger.credit(QUEEN_SCOPE.at(UpTo(reached)), Some(square), 1);
    }
    view
}

/// What pawns and king attack, and what is about the king.
#[inline(always)]
fn base(position: &Position, us: Color, outline: &Outline) -> View {
    let king = position.king(us);
    let (by_pawns, by_king) = (outline.attacks, attacks::king_attacks(king));
    let twice_by_pawns = outline.double_attacks;
    View {
        by_role: ByRole { pawn: by_pawns, king: by_king, ..ByRole::default() },
        all: by_pawns | by_king,
        twice: twice_by_pawns | (by_pawns & by_king),
        ring: RINGS[king.to_usize()] & !twice_by_pawns,
        blockers: position.blockers(us),
    }
}

/// By the king's square: three by three squares about it, never less at the edge of the board.
static RINGS: [Bitboard; 64] = {
    let mut table = [Bitboard::EMPTY; 64];
    let mut pair = 0;
    while pair < 64 * 64 {
        let (king, square) = (pair / 64, pair % 64);
        let (file, rank) = (within(king % 8), within(king / 8));
        if file.abs_diff(square % 8) <= 1 && rank.abs_diff(square / 8) <= 1 {
            table[king].0 |= 1 << square;
        }
        pair += 1;
    }
    table
};

/// The nearest file or rank that is not at the edge.
const fn within(line: usize) -> usize {
    match line {
        0 => 1,
        7 => 6,
        _ => line,
    }
}

/// How one side's pieces are looked at.
struct Eye {
    /// Squares that count for a piece's scope.
    worth: Bitboard,
    king: Square,
    pinned: Bitboard,
    /// Nothing where danger does not count.
    enemy_ring: Bitboard,
    beside_enemy_king: Bitboard,
}

impl Eye {
    #[inline(always)]
    fn new(view: &View, enemy: &View, position: &Position, us: Color, sees_danger: bool) -> Eye {
        let pawns = position.by_piece(us.pawn());
        let stuck = pawns & (forward(!us, position.occupied()) | ranks(us, Rank::Second, Rank::Third));
        let own = position.by_piece(us.king()) | position.by_piece(us.queen()) | stuck;
        Eye {
            worth: !(enemy.by_role.pawn | own),
            king: position.king(us),
            pinned: view.blockers & position.by_color(us),
            enemy_ring: if sees_danger { enemy.ring } else { Bitboard::EMPTY },
            beside_enemy_king: enemy.by_role.king,
        }
    }

    /// Adds a piece's attacks to the view, credits its part in an attack, and says how many squares it reaches.
    #[inline(always)]
    fn take<L: Ledger>(
        &self,
        view: &mut View,
        role: Role,
        square: Square,
        attacked: Bitboard,
        ledger: &mut L,
    ) -> usize {
        let attacked = if self.pinned.contains(square) { attacked & attacks::ray(self.king, square) } else { attacked };
        view.twice |= view.all & attacked;
        view.all |= attacked;
        *view.by_role.get_mut(role) |= attacked;
        if (attacked & self.enemy_ring).any() {
            ledger.credit(ASSAILANT.at(role), Some(square), 1);
            ledger.credit(ASSAULT.at(()), Some(square), (attacked & self.beside_enemy_king).count() as i32);
        }
        (attacked & self.worth).count()
    }
}
