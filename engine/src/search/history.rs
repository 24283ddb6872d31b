//! What past cutoffs say of a move: by its squares and the opponent's threats, by what it captures, by the moves before it,
//! and by the pawns.

use bytemuck::zeroed_box;
use chess::{Bitboard, Checks, Color, Index, Move, MoveKind, Piece, Position, Role, Square, Threats};

use super::correction::Corrections;
use super::tunables::Tunables;

/// The most a move can be trusted, but by the moves before it, whose limit is a tunable.
const LIMIT: i32 = 8192;
/// Origin and destination.
const SQUARES: usize = 64 * 64;
/// A number for each origin and destination.
type Butterfly = [i16; SQUARES];
/// A piece and the square it goes to.
pub(super) const PIECE_TO: usize = Piece::COUNT * 64;
/// The row of continuations for which there is no earlier move.
pub(super) const NO_ROW: usize = PIECE_TO;
/// How many plies back continuations look.
pub(super) const CONTINUATIONS: [usize; 4] = [1, 2, 4, 6];
/// Pawn structures that are told apart.
const STRUCTURES: usize = 512;

/// All that one thread has learned of moves and evaluations. Kept between moves of a game.
pub(crate) struct Histories {
    /// By side, whether origin and destination are attacked, origin and destination.
    butterfly: Box<[Butterfly; Color::COUNT * 4]>,
    /// By piece and destination, then what is captured.
    captures: Box<[[i16; Role::COUNT]; PIECE_TO]>,
    /// By an earlier piece and its destination, then a piece and its destination.
    continuations: Box<[[i16; PIECE_TO]; PIECE_TO + 1]>,
    /// By pawn structure, then a piece and its destination.
    pawns: Box<[[i16; PIECE_TO]; STRUCTURES]>,
    pub(super) corrections: Corrections,
}

/// Where a quiet move's histories are kept.
#[derive(Copy, Clone)]
pub(super) struct QuietPlace {
    butterfly: (usize, usize),
    piece_to: usize,
    structure: usize,
}

/// The rows of the moves one, two, four and six plies back.
pub(super) type Rows = [usize; CONTINUATIONS.len()];

impl Histories {
    pub(crate) fn new() -> Histories {
        Histories {
            butterfly: zeroed_box(),
            captures: zeroed_box(),
            continuations: zeroed_box(),
            pawns: zeroed_box(),
            corrections: Corrections::new(),
        }
    }

    /// Forgets everything, in the same memory.
    pub(super) fn clear(&mut self) {
        self.butterfly.fill([0; SQUARES]);
        self.captures.fill([0; Role::COUNT]);
        self.continuations.fill([0; PIECE_TO]);
        self.pawns.fill([0; PIECE_TO]);
        self.corrections.clear();
    }

    #[inline]
    pub(super) fn butterfly(&self, place: QuietPlace) -> i32 {
        i32::from(self.butterfly[place.butterfly.0][place.butterfly.1])
    }

    #[inline]
    pub(super) fn continuation(&self, row: usize, place: QuietPlace) -> i32 {
        i32::from(self.continuations[row][place.piece_to])
    }

    #[inline]
    pub(super) fn capture(&self, position: &Position, mv: Move) -> i32 {
        i32::from(self.captures[piece_to(position, mv)][captured(position, mv).index()])
    }

    /// What orders the quiet moves of a position, gathered so that each move is a few steps.
    #[inline]
    pub(super) fn quiet_order<'h>(
        &'h self,
        position: &Position,
        checks: &Checks,
        rows: &Rows,
        threats: Threats,
        tunables: &Tunables,
    ) -> QuietOrder<'h> {
        let side = 4 * position.turn().index();
        let piece = |role: Role, escape: i32| QuietPiece {
            place: 64 * role.of(position.turn()).index(),
            checks: checks.squares(role),
            cheaper: threats.by_less_than(role),
            escape,
        };
        let minor = tunables.order_escape_minor;
        QuietOrder {
            butterfly: std::array::from_fn(|threatened| &self.butterfly[side + threatened]),
            tables: [
                (&self.pawns[structure(position)], tunables.order_pawns),
                (&self.continuations[rows[0]], tunables.order_continuation_1),
                (&self.continuations[rows[1]], tunables.order_continuation_2),
                (&self.continuations[rows[2]], tunables.order_continuation_4),
                (&self.continuations[rows[3]], tunables.order_continuation_6),
            ],
            butterfly_weight: tunables.order_butterfly,
            attacked: threats.by_any,
            check: tunables.order_check,
            pieces: [
                piece(Role::Pawn, 0),
                piece(Role::Knight, minor),
                piece(Role::Bishop, minor),
                piece(Role::Rook, tunables.order_escape_rook),
                piece(Role::Queen, tunables.order_escape_queen),
                piece(Role::King, 0),
            ],
        }
    }

    /// The sum that pruning and reductions look at.
    #[inline(always)]
    pub(super) fn quiet_trust(&self, place: QuietPlace, rows: &Rows, tunables: &Tunables) -> i32 {
        let sum = tunables.trust_butterfly * self.butterfly(place)
            + tunables.trust_continuation_1 * self.continuation(rows[0], place)
            + tunables.trust_continuation_2 * self.continuation(rows[1], place)
            + tunables.trust_continuation_4 * self.continuation(rows[2], place);
        sum / 16
    }

    /// A quiet move did well (positive) or badly (negative).
    pub(super) fn learn_quiet(&mut self, place: QuietPlace, rows: &Rows, bonus: i32, tunables: &Tunables) {
        self.learn_butterfly(place, bonus);
        add(&mut self.pawns[place.structure][place.piece_to], bonus, LIMIT);
        self.learn_continuation(place, rows, bonus, tunables);
    }

    /// The same, for its squares alone.
    pub(super) fn learn_butterfly(&mut self, place: QuietPlace, bonus: i32) {
        add(&mut self.butterfly[place.butterfly.0][place.butterfly.1], bonus, LIMIT);
    }

    /// The same, for the moves before it alone.
    pub(super) fn learn_continuation(&mut self, place: QuietPlace, rows: &Rows, bonus: i32, tunables: &Tunables) {
        for &row in rows.iter().filter(|&&row| row != NO_ROW) {
            add(&mut self.continuations[row][place.piece_to], bonus, tunables.history_continuation_limit);
        }
    }

    /// A capture or promotion did well or badly.
    pub(super) fn learn_capture(&mut self, position: &Position, mv: Move, bonus: i32) {
        add(&mut self.captures[piece_to(position, mv)][captured(position, mv).index()], bonus, LIMIT);
    }
}

/// What orders the quiet moves of a position.
pub(super) struct QuietOrder<'h> {
    /// By whether origin and destination are attacked.
    butterfly: [&'h Butterfly; 4],
    /// By piece and destination, with weights in sixteenths.
    tables: [(&'h [i16; PIECE_TO], i32); 5],
    butterfly_weight: i32,
    /// Squares that the opponent attacks.
    attacked: Bitboard,
    /// What a check is worth.
    check: i32,
    pieces: [QuietPiece; Role::COUNT],
}

/// What orders the quiet moves of one kind of piece.
struct QuietPiece {
    /// Where its destinations begin.
    place: usize,
    /// Squares from which it gives check.
    checks: Bitboard,
    /// Squares that something cheaper attacks.
    cheaper: Bitboard,
    /// What it is worth to leave such a square, and what it costs to go to one.
    escape: i32,
}

impl QuietOrder<'_> {
    /// The score of a quiet move of this role.
    #[inline]
    pub(super) fn score(&self, mv: Move, role: Role) -> i32 {
        let (from, to) = (mv.from(), mv.to());
        let piece = &self.pieces[role.index()];
        let mut sum = self.butterfly_weight * i32::from(self.butterfly[threatened(self.attacked, mv)][squares(mv)]);
        let place = piece.place + to.to_usize();
        for (table, weight) in self.tables {
            sum += weight * i32::from(table[place]);
        }
        let escapes = bit(piece.cheaper, from) - bit(piece.cheaper, to);
        (sum >> 4) + escapes * piece.escape + bit(piece.checks, to) * self.check
    }
}

/// One if the square belongs to the set. Without a branch, which would often be mistaken.
#[inline]
fn bit(set: Bitboard, square: Square) -> i32 {
    (set.0 >> square.to_u32()) as i32 & 1
}

/// A move's origin and destination as one number.
#[inline]
fn squares(mv: Move) -> usize {
    usize::from(mv.bits()) % SQUARES
}

impl QuietPlace {
    /// Where the histories of a quiet move are kept, given the squares that the opponent attacks.
    #[inline]
    pub(super) fn new(position: &Position, mv: Move, threats: Bitboard) -> QuietPlace {
        QuietPlace {
            butterfly: (4 * position.turn().index() + threatened(threats, mv), squares(mv)),
            piece_to: piece_to(position, mv),
            structure: structure(position),
        }
    }
}

/// Whether origin and destination are attacked.
#[inline]
fn threatened(attacked: Bitboard, mv: Move) -> usize {
    (2 * bit(attacked, mv.from()) + bit(attacked, mv.to())) as usize
}

/// The place of a move's piece and destination, which is also its row for the moves that follow.
#[inline]
pub(super) fn piece_to(position: &Position, mv: Move) -> usize {
    let role = position.role_on(mv.from()).unwrap_or(Role::Pawn);
    64 * role.of(position.turn()).index() + mv.to().to_usize()
}

#[inline]
fn structure(position: &Position) -> usize {
    position.keys().pawns() as usize % STRUCTURES
}

/// What a move captures; a promotion without a capture counts as taking a pawn's place.
#[inline]
fn captured(position: &Position, mv: Move) -> Role {
    match mv.kind() {
        MoveKind::Castle => Role::Pawn,
        _ => position.role_on(mv.to()).unwrap_or(Role::Pawn),
    }
}

/// Adds a bonus whose weight shrinks as the limit comes near.
#[inline]
pub(super) fn add(entry: &mut i16, bonus: i32, limit: i32) {
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / limit) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quiet_move_is_trusted_after_success_and_never_beyond_the_limit() {
        let (mut histories, tunables) = (Histories::new(), Tunables::default());
        let position = Position::initial();
        let mv = position.parse_uci("g1f3").unwrap();
        let place = QuietPlace::new(&position, mv, Bitboard::EMPTY);
        let rows = [NO_ROW, 5, NO_ROW, NO_ROW];
        assert_eq!(histories.quiet_trust(place, &rows, &tunables), 0);
        for _ in 0..1000 {
            histories.learn_quiet(place, &rows, 1500, &tunables);
        }
        assert!((LIMIT - 8..=LIMIT).contains(&histories.butterfly(place)));
        let most = tunables.history_continuation_limit;
        assert!((most - 32..=most).contains(&histories.continuation(5, place)));
        assert_eq!(histories.continuation(NO_ROW, place), 0, "without an earlier move nothing is learned");
        let attacked = QuietPlace::new(&position, mv, Bitboard::from_square(mv.to()));
        assert_eq!(histories.butterfly(attacked), 0, "attacked squares are another matter");
        for _ in 0..1000 {
            histories.learn_quiet(place, &rows, -1500, &tunables);
        }
        assert!(histories.butterfly(place) < 8 - LIMIT);
    }
}
