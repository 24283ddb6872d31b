//! A move in 16 bits, and a list of moves. Board, transposition table, store and data files share this encoding.

use std::fmt;
use std::num::NonZeroU16;

use arrayvec::ArrayVec;
use shakmaty::{CastlingMode, File, Role, Square};

use crate::Index;

/// What a move does besides moving a piece to an empty or an enemy square.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum MoveKind {
    /// Nothing else.
    Normal,
    /// A pawn goes two squares.
    DoublePush,
    /// A pawn captures the pawn that has just passed it.
    EnPassant,
    /// The king takes its own rook.
    Castle,
    /// A pawn becomes a knight, bishop, rook or queen.
    Promotion,
}

/// A move: from, to and kind.
///
/// Bits 0–5 hold the origin, 6–11 the destination, 12–14 the kind (0 normal, 1 double push, 2 en passant, 3 castling,
/// 4 to 7 promotion to knight, bishop, rook, queen). Bit 15 is set in every move, so that no move is zero and an
/// `Option<Move>` takes two bytes. Castling is encoded as the king taking its own rook.
#[derive(Copy, Clone, Eq, PartialEq, Hash)]
pub struct Move(NonZeroU16);

const PRESENT: u16 = 1 << 15;
const PROMOTION_ROLES: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

impl Move {
    #[inline]
    const fn encode(from: Square, to: Square, kind: u16) -> Move {
        match NonZeroU16::new(from as u16 | (to as u16) << 6 | kind << 12 | PRESENT) {
            Some(bits) => Move(bits),
            None => unreachable!(),
        }
    }

    /// A move of a kind other than promotion.
    #[inline]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> Move {
        debug_assert!(!matches!(kind, MoveKind::Promotion));
        Move::encode(from, to, kind as u16)
    }

    /// A pawn reaches the last rank and becomes a `role`, which is neither pawn nor king.
    #[inline]
    pub fn promotion(from: Square, to: Square, role: Role) -> Move {
        debug_assert!(!matches!(role, Role::Pawn | Role::King));
        Move::encode(from, to, MoveKind::Promotion as u16 + (role.index() - Role::Knight.index()) as u16)
    }

    /// The move stored in `bits`; zero and other patterns without bit 15 are no move.
    #[inline]
    pub fn from_bits(bits: u16) -> Option<Move> {
        NonZeroU16::new(bits).filter(|bits| bits.get() & PRESENT != 0).map(Move)
    }

    /// The encoding.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The square that the piece leaves.
    #[inline]
    pub const fn from(self) -> Square {
        Square::new(self.bits() as u32 & 63)
    }

    /// The square that the piece goes to; the rook's square in castling.
    #[inline]
    pub const fn to(self) -> Square {
        Square::new((self.bits() >> 6) as u32 & 63)
    }

    /// What the move does besides moving.
    #[inline]
    pub const fn kind(self) -> MoveKind {
        match (self.bits() >> 12) & 7 {
            0 => MoveKind::Normal,
            1 => MoveKind::DoublePush,
            2 => MoveKind::EnPassant,
            3 => MoveKind::Castle,
            _ => MoveKind::Promotion,
        }
    }

    /// The role that a pawn is promoted to.
    #[inline]
    pub const fn promoted_to(self) -> Option<Role> {
        if self.bits() & 1 << 14 != 0 { Some(PROMOTION_ROLES[(self.bits() >> 12 & 3) as usize]) } else { None }
    }

    /// Whether the king castles towards the h-file; only for castling moves.
    #[inline]
    pub(crate) const fn castles_short(self) -> bool {
        self.to() as u8 > self.from() as u8
    }

    /// Where king and rook stand after castling.
    #[inline]
    pub(crate) fn castling_targets(self) -> (Square, Square) {
        let rank = self.from().rank();
        let (king, rook) = if self.castles_short() { (File::G, File::F) } else { (File::C, File::D) };
        (Square::from_coords(king, rank), Square::from_coords(rook, rank))
    }

    /// The move as UCI writes it: castling is `e1g1` in standard chess and `e1h1` in Chess960.
    pub fn uci(self, mode: CastlingMode) -> impl fmt::Display {
        UciMove { mv: self, mode }
    }
}

/// As UCI writes it in Chess960: castling is the king taking its own rook.
impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.uci(CastlingMode::Chess960))
    }
}

struct UciMove {
    mv: Move,
    mode: CastlingMode,
}

impl fmt::Display for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let to = match (self.mv.kind(), self.mode) {
            (MoveKind::Castle, CastlingMode::Standard) => self.mv.castling_targets().0,
            _ => self.mv.to(),
        };
        write!(f, "{}{}", self.mv.from(), to)?;
        self.mv.promoted_to().map_or(Ok(()), |role| write!(f, "{}", role.char()))
    }
}

/// Up to 256 moves on the stack; no legal position has more than 218.
#[derive(Clone)]
pub struct MoveList(ArrayVec<Move, { MoveList::CAPACITY }>);

impl MoveList {
    /// The most moves that there is room for.
    pub const CAPACITY: usize = 256;

    /// An empty list.
    #[inline]
    pub fn new() -> MoveList {
        MoveList(ArrayVec::new())
    }

    /// Forgets all moves.
    #[inline]
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Adds a move at the end.
    #[inline]
    pub fn push(&mut self, mv: Move) {
        self.0.push(mv);
    }
}

impl Default for MoveList {
    fn default() -> MoveList {
        MoveList::new()
    }
}

impl std::ops::Deref for MoveList {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        &self.0
    }
}

impl std::ops::DerefMut for MoveList {
    #[inline]
    fn deref_mut(&mut self) -> &mut [Move] {
        &mut self.0
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_keeps_what_it_was_made_of() {
        for from in Square::ALL {
            for to in Square::ALL {
                for kind in [MoveKind::Normal, MoveKind::DoublePush, MoveKind::EnPassant, MoveKind::Castle] {
                    let mv = Move::new(from, to, kind);
                    assert_eq!((mv.from(), mv.to(), mv.kind(), mv.promoted_to()), (from, to, kind, None));
                    assert_eq!(Move::from_bits(mv.bits()), Some(mv));
                }
                for role in PROMOTION_ROLES {
                    let mv = Move::promotion(from, to, role);
                    assert_eq!(
                        (mv.from(), mv.to(), mv.kind(), mv.promoted_to()),
                        (from, to, MoveKind::Promotion, Some(role))
                    );
                    assert_eq!(Move::from_bits(mv.bits()), Some(mv));
                }
            }
        }
    }

    #[test]
    fn an_optional_move_takes_two_bytes() {
        assert_eq!(size_of::<Option<Move>>(), 2);
        assert_eq!(Move::from_bits(0), None);
    }
}
