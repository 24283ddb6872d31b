//! Static exchange evaluation: what a move wins or loses if both sides go on taking on its square.

use shakmaty::{Bitboard, ByRole, Color, Role, Square, attacks};

use crate::{Move, MoveKind, Position};

impl Position {
    /// Whether a pseudo-legal move, followed by the exchange on its square, brings in at least `threshold`.
    ///
    /// Each side takes with the piece that it risks least by and may stop at any time. A pawn that takes on the last rank
    /// promotes, and since it is risked as a queen it waits until knights, bishops and rooks have taken. Pins are not
    /// looked at. `values` are the caller's: the rules of chess price nothing.
    #[inline(always)]
    pub fn exchange_reaches(&self, mv: Move, threshold: i32, values: &ByRole<i32>) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let moved = self.role_on(from).expect("a piece moves");
        let mut occupied = self.occupied().without(from).with(to);

        // What the move itself brings in, and what stands on the square after it
        let (won, standing) = match mv.kind() {
            MoveKind::Castle => return threshold <= 0,
            MoveKind::EnPassant => {
                occupied.discard(Square::from_coords(to.file(), from.rank()));
                (values.pawn, Role::Pawn)
            }
            _ => {
                let captured = self.role_on(to).map_or(0, |role| *values.get(role));
                let standing = mv.promoted_to().unwrap_or(moved);
                (captured + values.get(standing) - values.get(moved), standing)
            }
        };
        let mut balance = won - threshold;
        if balance < 0 {
            return false;
        }
        if (Bitboard::from_square(to) & Bitboard::BACKRANKS).any() {
            return self.exchange_on_last_rank(to, balance, standing, occupied, values);
        }
        balance -= values.get(standing);
        if balance >= 0 {
            return true;
        }

        // The sides take in turn, each with its cheapest piece. The balance is that of the side that has just taken, once
        // its piece is lost; if it is not negative even then, that side has won the exchange, and whoever cannot take has
        // lost it.
        let (diagonal, straight) = (self.diagonal_sliders(), self.straight_sliders());
        let mut attackers = self.attackers(to, occupied) & occupied;
        let mut side = !self.turn;
        while balance < 0 {
            let ours = attackers & self.by_color(side);
            if ours.is_empty() {
                break;
            }
            let (pawns, knights, bishops) =
                (ours & self.roles.pawn, ours & self.roles.knight, ours & self.roles.bishop);
            let (rooks, queens) = (ours & self.roles.rook, ours & self.roles.queen);
            let worth = if pawns.any() {
                occupied ^= pawns.isolate_first();
                attackers |= attacks::bishop_attacks(to, occupied) & diagonal;
                values.pawn
            } else if knights.any() {
                occupied ^= knights.isolate_first();
                values.knight
            } else if bishops.any() {
                occupied ^= bishops.isolate_first();
                attackers |= attacks::bishop_attacks(to, occupied) & diagonal;
                values.bishop
            } else if rooks.any() {
                occupied ^= rooks.isolate_first();
                attackers |= attacks::rook_attacks(to, occupied) & straight;
                values.rook
            } else if queens.any() {
                occupied ^= queens.isolate_first();
                attackers |= attacks::bishop_attacks(to, occupied) & diagonal;
                attackers |= attacks::rook_attacks(to, occupied) & straight;
                values.queen
            } else {
                // The king may not take what is defended
                if (attackers & self.by_color(!side)).any() {
                    break;
                }
                return side == self.turn;
            };
            attackers &= occupied;
            side = !side;
            balance = -balance - 1 - worth;
        }
        side != self.turn
    }

    /// The same where pawns promote by taking.
    #[cold]
    fn exchange_on_last_rank(
        &self,
        to: Square,
        mut balance: i32,
        standing: Role,
        mut occupied: Bitboard,
        values: &ByRole<i32>,
    ) -> bool {
        let mut attackers = self.attackers(to, occupied) & occupied;
        let mut side = !self.turn;
        let mut taker = self.next_taker(attackers, side);
        balance -= loss(standing, taker.as_ref(), values);
        while let (true, Some(Taker { role, square })) = (balance < 0, taker) {
            if role == Role::King && (attackers & self.by_color(!side)).any() {
                break;
            }
            occupied.discard(square);
            attackers = (attackers | self.uncovered(role, to, occupied)) & occupied;
            side = !side;
            taker = self.next_taker(attackers, side);
            let standing = if role == Role::Pawn { Role::Queen } else { role };
            balance = -balance - 1 - loss(standing, taker.as_ref(), values);
        }
        side != self.turn
    }

    /// The piece that a side takes with on the last rank: the one it risks least by. A pawn that promotes is risked as a
    /// queen.
    fn next_taker(&self, attackers: Bitboard, side: Color) -> Option<Taker> {
        const ORDER: [Role; 6] = [Role::Knight, Role::Bishop, Role::Rook, Role::Pawn, Role::Queen, Role::King];
        let ours = attackers & self.by_color(side);
        ORDER.into_iter().find_map(|role| {
            let square = (ours & self.by_role(role)).first()?;
            Some(Taker { role, square })
        })
    }

    /// Sliders that attack a square now that a piece of this role has left its line.
    fn uncovered(&self, role: Role, square: Square, occupied: Bitboard) -> Bitboard {
        let mut sliders = Bitboard::EMPTY;
        if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
            sliders |= attacks::bishop_attacks(square, occupied) & self.diagonal_sliders();
        }
        if matches!(role, Role::Rook | Role::Queen) {
            sliders |= attacks::rook_attacks(square, occupied) & self.straight_sliders();
        }
        sliders
    }
}

/// A piece that takes in an exchange.
struct Taker {
    role: Role,
    square: Square,
}

/// What the piece on the last rank costs if it is taken: itself, and the promotion of a pawn that takes it.
fn loss(standing: Role, taker: Option<&Taker>, values: &ByRole<i32>) -> i32 {
    let promotes = taker.is_some_and(|taker| taker.role == Role::Pawn);
    values.get(standing) + if promotes { values.queen - values.pawn } else { 0 }
}
