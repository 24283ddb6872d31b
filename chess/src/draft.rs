//! A position on its way: pieces are put one by one, as fast as can be, and judged when all stand.

use shakmaty::{Bitboard, ByColor, ByRole, Color, Role, Square};

use crate::keys::{KINDS, Keys, Material};
use crate::{Index, Position};

/// The kind of nothing, which can be put on an empty square as any other, and changes nothing.
pub(crate) const NOTHING: usize = KINDS;

static ROLES: [Option<Role>; KINDS + 1] = {
    let mut roles = [None; KINDS + 1];
    let mut kind = 0;
    while kind < KINDS {
        roles[kind] = Some(Role::ALL[kind % Role::COUNT]);
        kind += 1;
    }
    roles
};

/// Pieces on a board.
pub(crate) struct Draft {
    /// Where the pieces of each kind stand, and where nothing was put.
    sets: [u64; KINDS + 1],
    board: [Option<Role>; 64],
    keys: Keys,
    material: Material,
}

/// All that belongs to a position but the pieces.
pub(crate) struct State {
    pub(crate) turn: Color,
    /// Rooks that may castle, whose places were checked.
    pub(crate) castling: Bitboard,
    pub(crate) halfmove_clock: u16,
    pub(crate) fullmove_number: u32,
}

impl Draft {
    pub(crate) fn new() -> Draft {
        Draft { sets: [0; KINDS + 1], board: [None; 64], keys: Keys::default(), material: Material::default() }
    }

    /// Puts a piece of a kind, counted as [`Index`] counts pieces, on an empty square.
    #[inline]
    pub(crate) fn put(&mut self, kind: usize, square: usize) {
        let square = square & 63;
        self.sets[kind] |= 1 << square;
        self.board[square] = ROLES[kind];
        self.keys.put(kind, square);
        self.material.add_kind(kind);
    }

    /// Where the pieces of a kind stand.
    pub(crate) fn set(&self, kind: usize) -> Bitboard {
        Bitboard(self.sets[kind])
    }

    /// The position, in which nobody can capture en passant. `None`: pieces cannot stand so. Judges as the strict reader of
    /// FENs does.
    pub(crate) fn position(self, state: &State) -> Option<Position> {
        let Draft { sets, board, mut keys, material } = self;
        let role = |role: usize| Bitboard(sets[role] | sets[role + Role::COUNT]);
        let [pawn, knight, bishop, rook, queen, king] = [0, 1, 2, 3, 4, 5].map(role);
        let colors = ByColor {
            white: Bitboard(sets[..Role::COUNT].iter().fold(0, |all, set| all | set)),
            black: Bitboard(sets[Role::COUNT..KINDS].iter().fold(0, |all, set| all | set)),
        };
        let is_single = |set: u64| set != 0 && set & (set - 1) == 0;
        let has_kings = is_single(sets[Role::King.index()]) && is_single(sets[Role::COUNT + Role::King.index()]);
        let men = (colors.white | colors.black).count() as u64;
        if !has_kings || men > 32 || material.total() + 2 != men || (pawn & Bitboard::BACKRANKS).any() {
            return None;
        }
        if Color::ALL.into_iter().any(|color| has_too_much(material, color, bishop & *colors.get(color))) {
            return None;
        }
        keys.join(state.turn, state.castling);
        let mut position = Position {
            roles: ByRole { pawn, knight, bishop, rook, queen, king },
            colors,
            board,
            keys,
            material,
            checkers: Bitboard::EMPTY,
            castling: state.castling,
            en_passant: None,
            turn: state.turn,
            halfmove_clock: state.halfmove_clock,
            fullmove_number: state.fullmove_number,
        };
        let occupied = position.occupied();
        let attackers = |color: Color| position.attackers(position.king(color), occupied) & position.by_color(!color);
        if attackers(!state.turn).any() {
            return None;
        }
        position.checkers = attackers(state.turn);
        Some(position)
    }

    /// Whether these rooks may castle as far as places tell: each on its side's first rank, as the king is, and not two on one
    /// side of it.
    pub(crate) fn has_castling_rooks(&self, rooks: Bitboard) -> bool {
        Color::ALL.into_iter().all(|color| {
            let back_rank = Bitboard::from_rank(color.backrank());
            let ours = rooks & self.set(color.rook().index());
            let Some(king) = (self.set(color.king().index()) & back_rank).first() else { return ours.is_empty() };
            let side = |is_left: bool| ours.into_iter().filter(|&rook: &Square| (rook < king) == is_left).count();
            (ours & !back_rank).is_empty() && side(true) <= 1 && side(false) <= 1
        })
    }
}

/// Whether a side has more pieces than eight pawns and their promotions allow.
fn has_too_much(material: Material, color: Color, bishops: Bitboard) -> bool {
    let count = |role: Role| material.count(role.of(color));
    let beyond = |role: Role, first: u32| count(role).saturating_sub(first);
    let beyond_one = |squares: Bitboard| ((bishops & squares).count() as u32).saturating_sub(1);
    let bishops = match count(Role::Bishop) {
        0 | 1 => 0,
        _ => beyond_one(Bitboard::LIGHT_SQUARES) + beyond_one(Bitboard::DARK_SQUARES),
    };
    count(Role::Pawn) + beyond(Role::Knight, 2) + bishops + beyond(Role::Rook, 2) + beyond(Role::Queen, 1) > 8
}
