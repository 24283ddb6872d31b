//! Tables that depend on where a king is: what a piece on a square is worth beyond the table that all share.

use chess::{ByColor, Color, Index, Piece, Position, Role, Square};

use super::axis::{Axis, Zone};
use super::geometry::turned;
use super::score::Score;
use super::terms::{ENEMY_KING_SQUARE, OWN_KING_SQUARE, Param};

/// A king's zone, and whether the board is turned so that it is on the files e to h.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub(super) struct Place(u8);

/// How many there are.
const PLACES: usize = 2 * Zone::LEN;

impl Place {
    #[inline]
    fn of(king: Square, color: Color) -> Place {
        let zone = Zone::of(color.fold_wb(king, king.flip_vertical()));
        Place((2 * zone.index() + usize::from(king.file().to_u32() < 4)) as u8)
    }
}

/// Both kings' places.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub(super) struct Places(ByColor<Place>);

impl Places {
    /// Where the kings are.
    #[inline]
    pub(super) fn of(position: &Position) -> Places {
        let of = |color: Color| Place::of(position.king(color), color);
        Places(ByColor { white: of(Color::White), black: of(Color::Black) })
    }
}

/// A value for each piece on each square.
type Board = [[Score; 64]; Piece::COUNT];

/// By place of the own king, then of the enemy's. Material and the shared table are in the first.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct KingTables {
    own: Box<[Board; PLACES]>,
    enemy: Box<[Board; PLACES]>,
}

impl KingTables {
    /// Merges tables with what pieces are worth anyway; Black's values are negative.
    pub(super) fn new(shared: &Board, value: impl Fn(Param) -> Score) -> KingTables {
        let mut tables = KingTables {
            own: Box::new([*shared; PLACES]),
            enemy: Box::new([[[Score::ZERO; 64]; Piece::COUNT]; PLACES]),
        };
        for king in Square::ALL {
            for (role, square) in Role::ALL.into_iter().flat_map(|role| Square::ALL.map(|square| (role, square))) {
                for color in [Color::White, Color::Black] {
                    let piece = role.of(color);
                    let at = (Index::index(piece), square.to_usize());
                    let sign = color.fold_wb(1, -1);
                    let own = if role == Role::King { Score::ZERO } else { value(own_king(king, piece, square)) };
                    let place = usize::from(Place::of(king, color).0);
                    tables.own[place][at.0][at.1] = shared[at.0][at.1] + own * sign;
                    let place = usize::from(Place::of(king, !color).0);
                    tables.enemy[place][at.0][at.1] = value(enemy_king(king, piece, square)) * sign;
                }
            }
        }
        tables
    }

    /// What a piece on a square is worth, White's view.
    #[inline]
    pub(super) fn value(&self, places: Places, piece: Piece, square: Square) -> Score {
        let (own, enemy) = (places.0.get(piece.color), places.0.get(!piece.color));
        let at = (Index::index(piece), square.to_usize());
        self.own[usize::from(own.0) % PLACES][at.0][at.1] + self.enemy[usize::from(enemy.0) % PLACES][at.0][at.1]
    }
}

/// The weight of a piece by its own king.
fn own_king(king: Square, piece: Piece, square: Square) -> Param {
    OWN_KING_SQUARE.at(KingView::new(king, piece.color, piece.color).of(piece.role, square))
}

/// The weight of a piece by the enemy's king.
fn enemy_king(king: Square, piece: Piece, square: Square) -> Param {
    ENEMY_KING_SQUARE.at(KingView::new(king, !piece.color, piece.color).of(piece.role, square))
}

/// How one side's pieces are seen with a king on the files e to h.
pub(super) struct KingView {
    zone: Zone,
    /// What turns the board so.
    turn: u32,
}

impl KingView {
    #[inline]
    pub(super) fn new(king: Square, kings_color: Color, color: Color) -> KingView {
        let zone = Zone::of(kings_color.fold_wb(king, king.flip_vertical()));
        KingView { zone, turn: color.fold_wb(0, 56) | if king.file().to_u32() < 4 { 7 } else { 0 } }
    }

    /// The king's zone, and a piece on a square seen from its own side.
    #[inline]
    pub(super) fn of(&self, role: Role, square: Square) -> (Zone, (Role, Square)) {
        (self.zone, (role, turned(square, self.turn)))
    }
}
