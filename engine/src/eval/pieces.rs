//! The pieces: what they are, where they stand, how far they see.

use chess::{Bitboard, ByColor, Color, Position, Rank, Role, attacks};

use super::axis::UpTo;
use super::king_tables::KingView;
use super::ledger::Ledger;
use super::structure::Outline;
use super::terms::{
    BISHOP_MOBILITY, BISHOP_PAIR, ENEMY_KING_SQUARE, Group, KNIGHT_MOBILITY, MATERIAL, OWN_KING_SQUARE, PIECE_SQUARE,
    QUEEN_MOBILITY, ROOK_MOBILITY, ROOK_ON_SEVENTH, ROOK_OPEN_FILE, ROOK_SEMI_OPEN_FILE,
};

/// Material and tables, piece by piece. The accumulator keeps the same sum.
#[inline(always)]
pub(super) fn pieces<L: Ledger>(position: &Position, us: Color, ledger: &mut L) {
    let (by_own, by_enemy) = (KingView::new(position.king(us), us, us), KingView::new(position.king(!us), !us, us));
    let wants_king_tables = ledger.wants(Group::KingTables);
    for role in Role::ALL {
        let squares = position.by_piece(role.of(us));
        ledger.credit_each(MATERIAL.at(role), squares);
        for square in squares {
            let seen = if us.is_white() { square } else { square.flip_vertical() };
            ledger.credit(PIECE_SQUARE.at((role, seen)), Some(square), 1);
            if wants_king_tables {
                if role != Role::King {
                    ledger.credit(OWN_KING_SQUARE.at(by_own.of(role, square)), Some(square), 1);
                }
                ledger.credit(ENEMY_KING_SQUARE.at(by_enemy.of(role, square)), Some(square), 1);
            }
        }
    }
}

/// What a combination of pieces is worth beyond their sum.
#[inline(always)]
pub(super) fn imbalance<L: Ledger>(position: &Position, us: Color, ledger: &mut L) {
    if position.by_piece(us.bishop()).more_than_one() {
        ledger.credit(BISHOP_PAIR.at(()), None, 1);
    }
}

/// Rooks on open files and on the seventh rank.
#[inline(always)]
pub(super) fn rooks<L: Ledger>(position: &Position, us: Color, outlines: &ByColor<Outline>, ledger: &mut L) {
    let rooks = position.by_piece(us.rook());
    if rooks.is_empty() {
        return;
    }
    let enemy_pawns = position.by_piece((!us).pawn());
    let without_own = rooks & !outlines.get(us).files;
    let with_enemy = outlines.get(!us).files;
    ledger.credit_each(ROOK_OPEN_FILE.at(()), without_own & !with_enemy);
    ledger.credit_each(ROOK_SEMI_OPEN_FILE.at(()), without_own & with_enemy);

    let rank = |rank: Rank| Bitboard::from_rank(us.relative_rank(rank));
    let targets = (enemy_pawns & rank(Rank::Seventh)) | (position.by_piece((!us).king()) & rank(Rank::Eighth));
    if targets.any() {
        ledger.credit_each(ROOK_ON_SEVENTH.at(()), rooks & rank(Rank::Seventh));
    }
}

/// How many squares each piece attacks, own pieces left out.
#[inline(always)]
pub(super) fn mobility<L: Ledger>(position: &Position, us: Color, ledger: &mut L) {
    let occupied = position.occupied();
    let free = !position.by_color(us);
    for square in position.by_piece(us.knight()) {
        let count = (attacks::knight_attacks(square) & free).count();
        ledger.credit(KNIGHT_MOBILITY.at(UpTo(count)), Some(square), 1);
    }
    for square in position.by_piece(us.bishop()) {
        let count = (attacks::bishop_attacks(square, occupied) & free).count();
        ledger.credit(BISHOP_MOBILITY.at(UpTo(count)), Some(square), 1);
    }
    for square in position.by_piece(us.rook()) {
        let count = (attacks::rook_attacks(square, occupied) & free).count();
        ledger.credit(ROOK_MOBILITY.at(UpTo(count)), Some(square), 1);
    }
    for square in position.by_piece(us.queen()) {
        let count = (attacks::queen_attacks(square, occupied) & free).count();
        ledger.credit(QUEEN_MOBILITY.at(UpTo(count)), Some(square), 1);
    }
}
