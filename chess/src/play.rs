//! Playing a move: what changes on the board, in the keys and in the rights.

use shakmaty::{Bitboard, Color, Piece, Rank, Role, Square, attacks};

use crate::side::{Black, Side, White, step};
use crate::{Checks, Move, MoveKind, Observer, Position};

impl Position {
    /// Plays a legal move.
    #[inline]
    pub fn play(&mut self, mv: Move) {
        let checks = Checks::new(self);
        self.play_observed(mv, &checks, &mut ());
    }

    /// Plays a legal move. `checks` belongs to the position before it; `observer` is told what changes.
    #[inline]
    pub fn play_observed<O: Observer>(&mut self, mv: Move, checks: &Checks, observer: &mut O) {
        match self.turn {
            Color::White => self.play_as::<White, O>(mv, checks, observer),
            Color::Black => self.play_as::<Black, O>(mv, checks, observer),
        }
    }

    /// Passes the move to the other side, as a search does to see what is threatened. Not allowed in check.
    pub fn play_null<O: Observer>(&mut self, observer: &mut O) {
        debug_assert!(self.checkers.is_empty());
        self.clear_en_passant();
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.fullmove_number = self.fullmove_number.saturating_add(u32::from(self.turn.is_black()));
        self.turn = !self.turn;
        self.keys.toggle_turn();
        observer.finish(self);
    }

    #[inline]
    fn play_as<S: Side, O: Observer>(&mut self, mv: Move, checks: &Checks, observer: &mut O) {
        debug_assert!(self.is_legal(mv), "{mv:?} is not legal in {self}");
        let (from, to) = (mv.from(), mv.to());
        self.clear_en_passant();
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);

        let gives_check = match mv.kind() {
            MoveKind::Normal => {
                let role = self.role_on(from).expect("a piece moves");
                self.capture(S::THEM, to, observer);
                self.shift(role.of(S::US), from, to, observer);
                if role == Role::Pawn {
                    self.halfmove_clock = 0;
                }
                let home = if role == Role::King { S::rank(Rank::First) } else { Bitboard::EMPTY };
                self.clear_castling(home | Bitboard::from_square(from) | Bitboard::from_square(to));
                checks.given_by_piece(role, from, to)
            }
            MoveKind::DoublePush => {
                self.shift(Role::Pawn.of(S::US), from, to, observer);
                self.halfmove_clock = 0;
                self.set_en_passant::<S>(step(to, -S::FORWARD));
                checks.given_by_piece(Role::Pawn, from, to)
            }
            MoveKind::Promotion | MoveKind::EnPassant | MoveKind::Castle => {
                let gives_check = checks.given_by_special(self, mv);
                self.play_special::<S, O>(mv, observer);
                gives_check
            }
        };

        self.fullmove_number = self.fullmove_number.saturating_add(u32::from(S::US.is_black()));
        self.turn = S::THEM;
        self.keys.toggle_turn();
        self.checkers = if gives_check {
            self.attackers(self.king(S::THEM), self.occupied()) & self.by_color(S::US)
        } else {
            Bitboard::EMPTY
        };
        observer.finish(self);
    }

    /// Moves that change more than one piece's square.
    fn play_special<S: Side, O: Observer>(&mut self, mv: Move, observer: &mut O) {
        let (from, to) = (mv.from(), mv.to());
        if let Some(role) = mv.promoted_to() {
            self.capture(S::THEM, to, observer);
            self.take(Role::Pawn.of(S::US), from, observer);
            self.put(role.of(S::US), to, observer);
            self.halfmove_clock = 0;
            self.clear_castling(Bitboard::from_square(to));
        } else if mv.kind() == MoveKind::EnPassant {
            self.take(Role::Pawn.of(S::THEM), step(to, -S::FORWARD), observer);
            self.shift(Role::Pawn.of(S::US), from, to, observer);
            self.halfmove_clock = 0;
        } else {
            let (king, rook) = mv.castling_targets();
            self.castle::<S, O>((from, king), (to, rook), observer);
            self.clear_castling(S::rank(Rank::First));
        }
    }

    #[inline]
    fn shift<O: Observer>(&mut self, piece: Piece, from: Square, to: Square, observer: &mut O) {
        let squares = Bitboard::from_square(from) ^ Bitboard::from_square(to);
        self.roles.get_mut(piece.role).toggle(squares);
        self.colors.get_mut(piece.color).toggle(squares);
        self.board[from.to_usize()] = None;
        self.board[to.to_usize()] = Some(piece.role);
        self.keys.shift(piece, from, to);
        observer.shift(piece, from, to);
    }

    #[inline]
    pub(crate) fn put<O: Observer>(&mut self, piece: Piece, square: Square, observer: &mut O) {
        self.toggle(piece, square);
        self.board[square.to_usize()] = Some(piece.role);
        self.material.add(piece);
        observer.put(piece, square);
    }

    #[inline]
    fn take<O: Observer>(&mut self, piece: Piece, square: Square, observer: &mut O) {
        self.toggle(piece, square);
        self.board[square.to_usize()] = None;
        self.material.remove(piece);
        observer.take(piece, square);
    }

    #[inline]
    fn toggle(&mut self, piece: Piece, square: Square) {
        self.roles.get_mut(piece.role).toggle(square);
        self.colors.get_mut(piece.color).toggle(square);
        self.keys.toggle(piece, square);
    }

    #[inline]
    fn capture<O: Observer>(&mut self, color: Color, square: Square, observer: &mut O) {
        if let Some(role) = self.role_on(square) {
            self.take(role.of(color), square, observer);
            self.halfmove_clock = 0;
        }
    }

    /// Moves king and rook. Each may land where the other stood, so both are lifted before either is set down.
    fn castle<S: Side, O: Observer>(&mut self, king: (Square, Square), rook: (Square, Square), observer: &mut O) {
        for (role, (from, to)) in [(Role::King, king), (Role::Rook, rook)] {
            self.toggle(role.of(S::US), from);
            self.toggle(role.of(S::US), to);
            observer.shift(role.of(S::US), from, to);
        }
        self.board[king.0.to_usize()] = None;
        self.board[rook.0.to_usize()] = None;
        self.board[king.1.to_usize()] = Some(Role::King);
        self.board[rook.1.to_usize()] = Some(Role::Rook);
    }

    #[inline]
    fn clear_castling(&mut self, touched: Bitboard) {
        let lost = self.castling & touched;
        if lost.any() {
            self.keys.toggle_castling(lost);
            self.castling ^= lost;
        }
    }

    #[inline]
    fn clear_en_passant(&mut self) {
        if let Some(square) = self.en_passant.take() {
            self.keys.toggle_en_passant(square.file());
        }
    }

    /// Remembers that a pawn has just passed a square, if it can be captured there by the side that is not `S`.
    #[inline]
    fn set_en_passant<S: Side>(&mut self, passed: Square) {
        let capturers = attacks::pawn_attacks(S::US, passed) & self.roles.pawn & self.by_color(S::THEM);
        if capturers.any() && self.can_capture_en_passant(capturers, passed, step(passed, S::FORWARD)) {
            self.en_passant = Some(passed);
            self.keys.toggle_en_passant(passed.file());
        }
    }

    /// Remembers that the side that is not to move has just passed a square with a pawn, if it can be captured.
    pub(crate) fn allow_en_passant(&mut self, passed: Square) {
        match self.turn {
            Color::White => self.set_en_passant::<Black>(passed),
            Color::Black => self.set_en_passant::<White>(passed),
        }
    }

    /// Whether one of the capturing pawns may take the pawn on `pushed` without exposing its own king.
    pub(crate) fn can_capture_en_passant(&self, capturers: Bitboard, passed: Square, pushed: Square) -> bool {
        capturers.into_iter().any(|from| {
            let color = Color::from_white(self.colors.white.contains(from));
            let occupied = self.occupied().without(from).without(pushed).with(passed);
            !self.slider_attacks(!color, self.king(color), occupied)
        })
    }
}
