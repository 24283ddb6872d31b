//! Legal move generation, in stages.
//!
//! Moves are found as sets (a piece and its targets) and handed to a [`Sink`]: a list that spells them out, or a
//! counter that only wants to know how many. Side, stage and sink are types, so each pairing compiles on its own.

use shakmaty::{Bitboard, Color, Rank, Role, Square, attacks};

use crate::side::{Black, Side, White, step};
use crate::{Move, MoveKind, MoveList, Position};

impl Position {
    /// All legal moves.
    #[inline]
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.generate_all(&mut moves);
        moves
    }

    /// Adds the legal captures and promotions. In check: those that end it.
    #[inline]
    pub fn captures(&self, moves: &mut MoveList) {
        self.generate::<Captures, _>(moves);
    }

    /// Adds the legal moves that neither capture nor promote. In check: those that end it.
    #[inline]
    pub fn quiets(&self, moves: &mut MoveList) {
        self.generate::<Quiets, _>(moves);
    }

    /// Adds all legal moves of a side in check.
    #[inline]
    pub fn evasions(&self, moves: &mut MoveList) {
        debug_assert!(self.is_check());
        self.generate::<Evasions, _>(moves);
    }

    /// How many legal moves there are, without listing them.
    #[inline]
    pub fn count_legal_moves(&self) -> usize {
        let mut count = Count(0);
        self.generate_all(&mut count);
        count.0
    }

    /// Whether there is any legal move.
    pub fn has_legal_move(&self) -> bool {
        self.has_free_pawn() || self.count_legal_moves() > 0
    }

    /// Whether nobody gives check and a pawn that cannot be pinned, being in no line with the king, can step forward. Most
    /// positions have one, and it is found in no time.
    fn has_free_pawn(&self) -> bool {
        let pawns = self.by_piece(self.turn.pawn()) & !Position::lines_of(self.king(self.turn));
        let ahead = self.turn.fold_wb(White::forward(pawns), Black::forward(pawns));
        self.checkers().is_empty() && (ahead & !self.occupied()).any()
    }

    #[inline]
    fn generate_all<K: Sink>(&self, sink: &mut K) {
        if self.is_check() {
            self.generate::<Evasions, K>(sink);
        } else {
            self.generate::<All, K>(sink);
        }
    }

    #[inline]
    fn generate<T: Stage, K: Sink>(&self, sink: &mut K) {
        match self.turn {
            Color::White => Generator::<White>::new(self).all_pieces::<T, K>(sink),
            Color::Black => Generator::<Black>::new(self).all_pieces::<T, K>(sink),
        }
    }
}

/// Which moves are wanted.
trait Stage {
    /// Captures and promotions.
    const CAPTURES: bool;
    /// Moves that are neither.
    const QUIETS: bool;
    /// Whether the stage knows if the side to move is in check.
    const CHECK: Option<bool>;
}

struct All;
struct Captures;
struct Quiets;
struct Evasions;

impl Stage for All {
    const CAPTURES: bool = true;
    const QUIETS: bool = true;
    const CHECK: Option<bool> = Some(false);
}

impl Stage for Captures {
    const CAPTURES: bool = true;
    const QUIETS: bool = false;
    const CHECK: Option<bool> = None;
}

impl Stage for Quiets {
    const CAPTURES: bool = false;
    const QUIETS: bool = true;
    const CHECK: Option<bool> = None;
}

impl Stage for Evasions {
    const CAPTURES: bool = true;
    const QUIETS: bool = true;
    const CHECK: Option<bool> = Some(true);
}

/// Where generated moves go.
trait Sink {
    /// A piece may go to each of these squares.
    fn piece(&mut self, from: Square, targets: Bitboard);

    /// Pawns reach these squares by the same step.
    fn pawns(&mut self, targets: Bitboard, step: i32, kind: MoveKind);

    /// Pawns reach these squares of the last rank by the same step.
    fn promotions(&mut self, targets: Bitboard, step: i32);

    /// A single move.
    fn push(&mut self, mv: Move);
}

impl Sink for MoveList {
    #[inline]
    fn piece(&mut self, from: Square, targets: Bitboard) {
        for to in targets {
            MoveList::push(self, Move::new(from, to, MoveKind::Normal));
        }
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, by: i32, kind: MoveKind) {
        for to in targets {
            MoveList::push(self, Move::new(step(to, -by), to, kind));
        }
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, by: i32) {
        for to in targets {
            for role in [Role::Queen, Role::Knight, Role::Rook, Role::Bishop] {
                MoveList::push(self, Move::promotion(step(to, -by), to, role));
            }
        }
    }

    #[inline]
    fn push(&mut self, mv: Move) {
        MoveList::push(self, mv);
    }
}

struct Count(usize);

impl Sink for Count {
    #[inline]
    fn piece(&mut self, _: Square, targets: Bitboard) {
        self.0 += targets.count();
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, _: i32, _: MoveKind) {
        self.0 += targets.count();
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, _: i32) {
        if targets.any() {
            self.0 += 4 * targets.count();
        }
    }

    #[inline]
    fn push(&mut self, _: Move) {
        self.0 += 1;
    }
}

/// Generates one side's moves in one position.
pub(crate) struct Generator<'a, S> {
    position: &'a Position,
    king: Square,
    ours: Bitboard,
    theirs: Bitboard,
    occupied: Bitboard,
    side: std::marker::PhantomData<S>,
}

impl<'a, S: Side> Generator<'a, S> {
    #[inline]
    pub(crate) fn new(position: &'a Position) -> Self {
        debug_assert!(position.turn == S::US);
        Generator {
            position,
            king: position.king(S::US),
            ours: position.by_color(S::US),
            theirs: position.by_color(S::THEM),
            occupied: position.occupied(),
            side: std::marker::PhantomData,
        }
    }

    #[inline]
    fn all_pieces<T: Stage, K: Sink>(&self, sink: &mut K) {
        let in_check = T::CHECK.unwrap_or_else(|| self.position.is_check());

        // King moves and castling
        self.king_moves::<T, K>(sink);
        if T::QUIETS && !in_check {
            for mv in self.castling_moves() {
                sink.push(mv);
            }
        }

        // In check, others must take the checker or step between; in double check, they cannot help
        let allowed = if in_check {
            let Some(checker) = self.position.checkers.single_square() else {
                return;
            };
            attacks::between(self.king, checker).with(checker)
        } else {
            Bitboard::FULL
        };

        // Pawns, knights, bishops, rooks, queens
        let pinned = self.position.pinned();
        self.pawn_moves::<T, K>(allowed, pinned, in_check, sink);
        self.piece_moves(allowed & self.targets::<T>(), pinned, in_check, sink);
    }

    /// The squares that a piece may go to.
    #[inline]
    fn targets<T: Stage>(&self) -> Bitboard {
        match (T::CAPTURES, T::QUIETS) {
            (true, true) => !self.ours,
            (true, false) => self.theirs,
            _ => !self.occupied,
        }
    }

    #[inline]
    fn king_moves<T: Stage, K: Sink>(&self, sink: &mut K) {
        let targets = attacks::king_attacks(self.king) & self.targets::<T>();
        if targets.any() {
            sink.piece(self.king, self.safe_for_king(targets));
        }
    }

    /// Leaves out the squares that the other side attacks once the king has left its own.
    #[inline]
    pub(crate) fn safe_for_king(&self, squares: Bitboard) -> Bitboard {
        let roles = &self.position.roles;
        let enemy_king = self.position.king(S::THEM);
        let mut safe = squares & !self.pawn_attacks_of_them() & !attacks::king_attacks(enemy_king);
        if safe.is_empty() {
            return safe;
        }
        for knight in self.theirs & roles.knight {
            safe &= !attacks::knight_attacks(knight);
        }
        let without_king = self.occupied.without(self.king);
        for square in safe {
            if self.position.slider_attacks(S::THEM, square, without_king) {
                safe.discard(square);
            }
        }
        safe
    }

    #[inline]
    fn pawn_attacks_of_them(&self) -> Bitboard {
        let pawns = self.theirs & self.position.roles.pawn;
        match S::THEM {
            Color::White => White::attacks_towards_a(pawns) | White::attacks_towards_h(pawns),
            Color::Black => Black::attacks_towards_a(pawns) | Black::attacks_towards_h(pawns),
        }
    }

    /// The castling moves that are legal. The king is not in check.
    #[inline]
    fn castling_moves(&self) -> impl Iterator<Item = Move> {
        (self.position.castling & self.ours)
            .into_iter()
            .map(|rook| Move::new(self.king, rook, MoveKind::Castle))
            .filter(|&mv| self.can_castle(mv))
    }

    /// Whether king and rook may castle: the way is free and the king is safe on it and after it.
    pub(crate) fn can_castle(&self, mv: Move) -> bool {
        let (king_to, rook_to) = mv.castling_targets();
        let rook = mv.to();
        let king_path = attacks::between(self.king, king_to).with(king_to);
        let rook_path = attacks::between(rook, rook_to).with(rook_to);
        let others = self.occupied.without(self.king).without(rook);
        (others & (king_path | rook_path)).is_empty()
            && self.safe_for_king(king_path.without(self.king)) == king_path.without(self.king)
            && !self.position.slider_attacks(S::THEM, king_to, others.with(rook_to))
    }

    #[inline(always)]
    fn piece_moves<K: Sink>(&self, targets: Bitboard, pinned: Bitboard, in_check: bool, sink: &mut K) {
        let roles = &self.position.roles;
        let free = self.ours & !pinned;
        for from in free & roles.knight {
            sink.piece(from, attacks::knight_attacks(from) & targets);
        }
        let diagonal = self.position.diagonal_sliders();
        for from in free & diagonal {
            sink.piece(from, attacks::bishop_attacks(from, self.occupied) & targets);
        }
        let straight = self.position.straight_sliders();
        for from in free & straight {
            sink.piece(from, attacks::rook_attacks(from, self.occupied) & targets);
        }

        // A pinned slider moves along the pin; in check, it cannot end the check
        if !in_check && (pinned & (diagonal | straight)).any() {
            for from in pinned & diagonal {
                let line = attacks::ray(self.king, from);
                sink.piece(from, attacks::bishop_attacks(from, self.occupied) & targets & line);
            }
            for from in pinned & straight {
                let line = attacks::ray(self.king, from);
                sink.piece(from, attacks::rook_attacks(from, self.occupied) & targets & line);
            }
        }
    }

    #[inline]
    fn pawn_moves<T: Stage, K: Sink>(&self, allowed: Bitboard, pinned: Bitboard, in_check: bool, sink: &mut K) {
        let pawns = self.ours & self.position.roles.pawn;
        self.pawn_moves_of::<T, K>(pawns & !pinned, allowed, sink);
        if !in_check {
            for pawn in pawns & pinned {
                self.pawn_moves_of::<T, K>(Bitboard::from_square(pawn), attacks::ray(self.king, pawn), sink);
            }
        }
        if T::CAPTURES
            && let Some(to) = self.position.en_passant
        {
            for from in attacks::pawn_attacks(S::THEM, to) & pawns {
                if self.may_capture_en_passant(from, to) {
                    sink.push(Move::new(from, to, MoveKind::EnPassant));
                }
            }
        }
    }

    /// Whether the en passant capture from a square leaves the king safe.
    pub(crate) fn may_capture_en_passant(&self, from: Square, to: Square) -> bool {
        self.position.can_capture_en_passant(Bitboard::from_square(from), to, step(to, -S::FORWARD))
    }

    #[inline(always)]
    fn pawn_moves_of<T: Stage, K: Sink>(&self, pawns: Bitboard, allowed: Bitboard, sink: &mut K) {
        let empty = !self.occupied;
        let last = S::rank(Rank::Eighth);
        let one = S::forward(pawns) & empty;

        if T::CAPTURES {
            let captures = self.theirs & allowed;
            for (targets, step) in [
                (S::attacks_towards_a(pawns) & captures, S::TOWARDS_A),
                (S::attacks_towards_h(pawns) & captures, S::TOWARDS_H),
            ] {
                sink.pawns(targets & !last, step, MoveKind::Normal);
                sink.promotions(targets & last, step);
            }
            sink.promotions(one & last & allowed, S::FORWARD);
        }
        if T::QUIETS {
            let two = S::forward(one & S::rank(Rank::Third)) & empty;
            sink.pawns(one & !last & allowed, S::FORWARD, MoveKind::Normal);
            sink.pawns(two & allowed, 2 * S::FORWARD, MoveKind::DoublePush);
        }
    }
}
