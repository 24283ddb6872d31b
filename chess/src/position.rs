//! A chess position: where the pieces stand, who moves, and what may still be castled or captured en passant.

use shakmaty::{Bitboard, ByColor, ByRole, Color, Piece, Role, Square, attacks};

use crate::Move;
use crate::keys::{BLACK_TO_MOVE, Keys, Material, piece_key};
use crate::side::{Black, Side, White};

/// A legal chess position, standard or Chess960.
///
/// Pieces are kept twice, as bitboards and square by square. A position is small and is copied, not undone:
/// see `README.md` for the measurement.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
#[repr(C)]
pub struct Position {
    pub(crate) roles: ByRole<Bitboard>,
    pub(crate) colors: ByColor<Bitboard>,
    pub(crate) board: [Option<Role>; 64],
    pub(crate) keys: Keys,
    pub(crate) material: Material,
    /// Pieces that give check to the side to move.
    pub(crate) checkers: Bitboard,
    /// Rooks that may still castle.
    pub(crate) castling: Bitboard,
    /// The square behind a pawn that has just gone two squares, if it can really be captured.
    pub(crate) en_passant: Option<Square>,
    pub(crate) turn: Color,
    /// Plies since the last capture or pawn move.
    pub(crate) halfmove_clock: u16,
    pub(crate) fullmove_number: u32,
}

/// A slider's attacks from each square of an empty board.
macro_rules! rays {
    ($attacks:path) => {{
        let mut table = [Bitboard::EMPTY; 64];
        let mut i = 0;
        while i < 64 {
            table[i] = $attacks(Square::new(i as u32), Bitboard::EMPTY);
            i += 1;
        }
        table
    }};
}

/// The squares that pawns attack.
#[inline]
fn pawn_attacks(color: Color, pawns: Bitboard) -> Bitboard {
    match color {
        Color::White => White::attacks_towards_a(pawns) | White::attacks_towards_h(pawns),
        Color::Black => Black::attacks_towards_a(pawns) | Black::attacks_towards_h(pawns),
    }
}

static ROOK_RAYS: [Bitboard; 64] = rays!(attacks::rook_attacks);
static BISHOP_RAYS: [Bitboard; 64] = rays!(attacks::bishop_attacks);

/// Squares that a side attacks, by the worth of what attacks them.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub struct Threats {
    /// By pawns.
    pub by_pawns: Bitboard,
    /// By pawns, knights or bishops.
    pub by_minors: Bitboard,
    /// By anything but queens and the king.
    pub by_rooks: Bitboard,
    /// By anything.
    pub by_any: Bitboard,
}

impl Threats {
    /// Squares that pieces of less worth than this attack. A king is no piece that could be taken, and a pawn has the least.
    #[inline]
    pub fn by_less_than(&self, role: Role) -> Bitboard {
        match role {
            Role::Pawn | Role::King => Bitboard::EMPTY,
            Role::Knight | Role::Bishop => self.by_pawns,
            Role::Rook => self.by_minors,
            Role::Queen => self.by_rooks,
        }
    }
}

impl Position {
    /// The initial position of standard chess.
    pub fn initial() -> Position {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".parse().expect("the initial position is legal")
    }

    /// The same position with colours and side to move exchanged.
    #[must_use]
    pub fn mirrored(&self) -> Position {
        let mut setup = self.to_setup();
        setup.mirror();
        Position::from_setup(&setup, self.halfmove_clock, self.fullmove_number)
    }

    /// The side to move.
    #[inline]
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// One side's pieces.
    #[inline]
    pub fn by_color(&self, color: Color) -> Bitboard {
        *self.colors.get(color)
    }

    /// Both sides' pieces of one role.
    #[inline]
    pub fn by_role(&self, role: Role) -> Bitboard {
        *self.roles.get(role)
    }

    /// One side's pieces of one role.
    #[inline]
    pub fn by_piece(&self, piece: Piece) -> Bitboard {
        self.by_color(piece.color) & self.by_role(piece.role)
    }

    /// All pieces.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors.white | self.colors.black
    }

    /// Both sides' bishops and queens.
    #[inline]
    pub fn diagonal_sliders(&self) -> Bitboard {
        self.roles.bishop | self.roles.queen
    }

    /// Both sides' rooks and queens.
    #[inline]
    pub fn straight_sliders(&self) -> Bitboard {
        self.roles.rook | self.roles.queen
    }

    /// The role of the piece on a square.
    #[inline]
    pub fn role_on(&self, square: Square) -> Option<Role> {
        self.board[square.to_usize()]
    }

    /// The piece on a square.
    #[inline]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.role_on(square).map(|role| role.of(Color::from_white(self.colors.white.contains(square))))
    }

    /// Where a side's king stands.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        (self.by_color(color) & self.roles.king).first().expect("each side has a king")
    }

    /// The pieces that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn is_check(&self) -> bool {
        self.checkers.any()
    }

    /// The rooks of both sides that may still castle.
    #[inline]
    pub fn castling_rooks(&self) -> Bitboard {
        self.castling
    }

    /// The square on which a pawn can be captured en passant; none where no such capture is legal.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Plies since the last capture or pawn move.
    #[inline]
    pub fn halfmove_clock(&self) -> u32 {
        u32::from(self.halfmove_clock)
    }

    /// The number of the move, counted from 1 and raised after Black's.
    #[inline]
    pub fn fullmove_number(&self) -> u32 {
        self.fullmove_number
    }

    /// The keys of the position and its parts.
    #[inline]
    pub fn keys(&self) -> &Keys {
        &self.keys
    }

    /// The full key after a move, found without playing it. Castling, promotions, and changes of castling rights and of en
    /// passant are left out, so that it is no more than likely: good enough to ask a table's memory in advance.
    #[inline]
    pub fn likely_key_after(&self, mv: Move) -> u64 {
        let (from, to) = (mv.from(), mv.to());
        let role = self.role_on(from).expect("a piece moves");
        let moved = piece_key(role.of(self.turn), from) ^ piece_key(role.of(self.turn), to);
        let taken = self.role_on(to).map_or(0, |role| piece_key(role.of(!self.turn), to));
        self.keys.full() ^ BLACK_TO_MOVE ^ moved ^ taken
    }

    /// How many of each piece there are.
    #[inline]
    pub fn material(&self) -> Material {
        self.material
    }

    /// The pieces of both sides that attack a square, given these occupied squares.
    #[inline]
    pub fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        (attacks::pawn_attacks(Color::White, square) & self.roles.pawn & self.colors.black)
            | (attacks::pawn_attacks(Color::Black, square) & self.roles.pawn & self.colors.white)
            | (attacks::knight_attacks(square) & self.roles.knight)
            | (attacks::king_attacks(square) & self.roles.king)
            | (attacks::bishop_attacks(square, occupied) & self.diagonal_sliders())
            | (attacks::rook_attacks(square, occupied) & self.straight_sliders())
    }

    /// All squares that a side attacks.
    pub fn attacked_by(&self, color: Color) -> Bitboard {
        self.threats_by(color).by_any
    }

    /// All squares that a side attacks, and those among them that pieces of little worth attack.
    pub fn threats_by(&self, color: Color) -> Threats {
        let occupied = self.occupied();
        let ours = self.by_color(color);
        let by_pawns = pawn_attacks(color, ours & self.roles.pawn);
        let mut by_minors = by_pawns;
        for knight in ours & self.roles.knight {
            by_minors |= attacks::knight_attacks(knight);
        }
        for bishop in ours & self.roles.bishop {
            by_minors |= attacks::bishop_attacks(bishop, occupied);
        }
        let mut by_rooks = by_minors;
        for rook in ours & self.roles.rook {
            by_rooks |= attacks::rook_attacks(rook, occupied);
        }
        let mut by_any = by_rooks | attacks::king_attacks(self.king(color));
        for queen in ours & self.roles.queen {
            by_any |= attacks::queen_attacks(queen, occupied);
        }
        Threats { by_pawns, by_minors, by_rooks, by_any }
    }

    /// Whether a slider of `color` attacks a square, given these occupied squares.
    #[inline]
    pub(crate) fn slider_attacks(&self, color: Color, square: Square, occupied: Bitboard) -> bool {
        let (diagonal, straight) = self.sliders_in_line(color, square);
        (diagonal.any() && (attacks::bishop_attacks(square, occupied) & diagonal).any())
            || (straight.any() && (attacks::rook_attacks(square, occupied) & straight).any())
    }

    /// The pieces of either side that stand alone between a side's king and a slider of the other side.
    ///
    /// The king's own are pinned; the other side's would give check by leaving the line.
    #[inline]
    pub fn blockers(&self, king_color: Color) -> Bitboard {
        let king = self.king(king_color);
        let (diagonal, straight) = self.sliders_in_line(!king_color, king);
        let mut blockers = Bitboard::EMPTY;
        for slider in diagonal | straight {
            let between = attacks::between(king, slider) & self.occupied();
            if !between.more_than_one() {
                blockers |= between;
            }
        }
        blockers
    }

    /// The pieces of the side to move that are pinned to their king.
    #[inline]
    pub fn pinned(&self) -> Bitboard {
        self.blockers(self.turn) & self.by_color(self.turn)
    }

    /// The squares in a line with a square: on its diagonals, its rank and its file.
    pub(crate) fn lines_of(square: Square) -> Bitboard {
        BISHOP_RAYS[square.to_usize()] | ROOK_RAYS[square.to_usize()]
    }

    /// A side's sliders that would attack a square on an empty board: along diagonals, and along ranks and files.
    #[inline]
    fn sliders_in_line(&self, color: Color, square: Square) -> (Bitboard, Bitboard) {
        let ours = self.by_color(color);
        (
            BISHOP_RAYS[square.to_usize()] & self.diagonal_sliders() & ours,
            ROOK_RAYS[square.to_usize()] & self.straight_sliders() & ours,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MoveKind;

    #[test]
    fn the_likely_key_is_the_key_unless_a_move_is_special() {
        // No castling rights, and no pawn that could be taken en passant
        for fen in [
            "r4rk1/1b2bppp/p1nppn2/1p6/3NP3/1BN1B3/PPP1QPPP/R4RK1 w - - 0 12",
            "8/2p2pk1/1p1p2p1/p2Pp2p/P1P1P2P/1P3KP1/5P2/8 b - - 0 1",
        ] {
            let position: Position = fen.parse().unwrap();
            for &mv in position.legal_moves().iter().filter(|mv| mv.kind() == MoveKind::Normal) {
                let mut after = position;
                after.play(mv);
                assert_eq!(position.likely_key_after(mv), after.keys().full(), "{fen} {mv:?}");
            }
        }
    }
}
