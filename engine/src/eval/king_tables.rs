//! What pieces are worth where they stand, and beyond the table that all share by where the kings are.

use chess::{ByColor, Color, Index, Piece, Position, Role, Square};

use super::axis::{Axis, Zone};
use super::geometry::turned;
use super::score::Score;
use super::terms::{ENEMY_KING_SQUARE, MATERIAL, OWN_KING_SQUARE, PIECE_SQUARE, Param};

/// How many places a king can be at: its zone, and whether the board is turned so that it is on the files e to h.
const PLACES: usize = 2 * Zone::LEN;

/// A king's place, seen from its own side.
fn place(king: Square, color: Color) -> usize {
    let zone = Zone::of(color.fold_wb(king, king.flip_vertical()));
    2 * zone.index() + usize::from(king.file().to_u32() < 4)
}

/// Which board counts.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) struct Page(u8);

/// A value for each piece on each square: material and tables in one; Black's flipped and negated.
type Board = [[Score; 64]; Piece::COUNT];

/// What pieces are worth where they stand: one board for all positions or, if any weight depends on where the kings are, one
/// for each pair of places. While no king leaves its place, a move looks at one board alone.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Boards {
    boards: Box<[Board]>,
    /// By a king's square, its share in the number of the board.
    places: ByColor<[u8; 64]>,
}

impl Boards {
    pub(super) fn new(value: impl Fn(Param) -> Score, by_kings: bool) -> Boards {
        let board = |add: &dyn Fn(Piece, Square) -> Score| -> Board {
            Role::ALL.into_iter().fold([[Score::ZERO; 64]; Piece::COUNT], |mut board, role| {
                for piece in [role.of(Color::White), role.of(Color::Black)] {
                    for square in Square::ALL {
                        board[Index::index(piece)][square.to_usize()] = add(piece, square) * piece.color.fold_wb(1, -1);
                    }
                }
                board
            })
        };
        let shared = board(&|piece, square| {
            let seen = piece.color.fold_wb(square, square.flip_vertical());
            value(MATERIAL.at(piece.role)) + value(PIECE_SQUARE.at((piece.role, seen)))
        });
        if !by_kings {
            return Boards { boards: Box::new([shared]), places: ByColor::new_with(|_| [0; 64]) };
        }
        let with = |color: Color| {
            let mut boards = [[[Score::ZERO; 64]; Piece::COUNT]; PLACES];
            for king in Square::ALL {
                boards[place(king, color)] = board(&|piece, square| match piece {
                    Piece { color: own, role: Role::King } if own == color => Score::ZERO,
                    Piece { color: own, .. } if own == color => value(own_king(king, piece, square)),
                    _ => value(enemy_king(king, piece, square)),
                });
            }
            boards
        };
        let (white, black) = (with(Color::White), with(Color::Black));
        let sum = |number: usize| {
            let mut sum = shared;
            for (at, row) in sum.iter_mut().enumerate() {
                for (square, score) in row.iter_mut().enumerate() {
                    *score += white[number / PLACES][at][square] + black[number % PLACES][at][square];
                }
            }
            sum
        };
        let places = |color: Color| Square::ALL.map(|king| (place(king, color) * color.fold_wb(PLACES, 1)) as u8);
        Boards { boards: (0..PLACES * PLACES).map(sum).collect(), places: ByColor::new_with(places) }
    }

    /// The board for a position.
    #[inline]
    pub(super) fn page(&self, position: &Position) -> Page {
        let of = |color: Color| self.places.get(color)[position.king(color).to_usize()];
        Page(of(Color::White) + of(Color::Black))
    }

    /// What a piece on a square is worth, White's view.
    #[inline]
    pub(super) fn value(&self, page: Page, piece: Piece, square: Square) -> Score {
        self.boards[usize::from(page.0)][Index::index(piece)][square.to_usize()]
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
