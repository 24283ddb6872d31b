//! Pawn structure in full: what depends on pawns alone.

use chess::{Bitboard, ByColor, Color, Position};

use super::axis::Flank;
use super::geometry::{ahead, beside, files, forward, pawn_attacks, pawn_double_attacks, pawn_reach};
use super::ledger::Ledger;
use super::terms::{
    BACKWARD_PAWN, BLOCKED_PAWN, CANDIDATE, DEFENDED_PAWN, FORKED_PAWN, LONE_PAWN, PASSER, PHALANX, REAR_PAWN,
};

/// The pawns of a side that are passed: no enemy pawn can block or capture them, and no own pawn stands before them.
#[inline]
fn passers(position: &Position, us: Color) -> Bitboard {
    let (ours, theirs) = (position.by_piece(us.pawn()), position.by_piece((!us).pawn()));
    let stoppers = ahead(!us, theirs);
    ours & !(stoppers | beside(stoppers) | ahead(!us, ours))
}

/// What others need to know of one side's pawns.
#[derive(Copy, Clone, Default)]
pub(super) struct Outline {
    pub(super) passers: Bitboard,
    /// The files on which pawns stand.
    pub(super) files: Bitboard,
    /// The squares that pawns attack now or after advancing.
    pub(super) reach: Bitboard,
    /// The squares that pawns attack.
    pub(super) attacks: Bitboard,
    /// The squares that two pawns attack.
    pub(super) double_attacks: Bitboard,
}

impl Outline {
    #[inline]
    fn of(position: &Position, us: Color) -> Outline {
        let pawns = position.by_piece(us.pawn());
        Outline {
            passers: passers(position, us),
            files: files(pawns),
            reach: pawn_reach(us, pawns),
            attacks: pawn_attacks(us, pawns),
            double_attacks: pawn_double_attacks(us, pawns),
        }
    }

    /// Of both sides.
    #[inline]
    pub(super) fn both(position: &Position) -> ByColor<Outline> {
        ByColor { white: Outline::of(position, Color::White), black: Outline::of(position, Color::Black) }
    }
}

/// Passed pawns and those that may be, chains, and weaknesses.
#[inline(always)]
pub(super) fn structure<L: Ledger>(position: &Position, us: Color, ledger: &mut L) {
    let (ours, theirs) = (position.by_piece(us.pawn()), position.by_piece((!us).pawn()));
    let (held, attacked) = (pawn_attacks(us, ours), pawn_attacks(!us, theirs));
    let opposed = ahead(!us, theirs);
    let passers = passers(position, us);

    for pawn in passers {
        ledger.credit(PASSER.at(us.relative_rank(pawn.rank())), Some(pawn), 1);
    }
    for pawn in candidates(us, ours & !passers, ours, theirs) {
        ledger.credit(CANDIDATE.at(us.relative_rank(pawn.rank())), Some(pawn), 1);
    }
    for pawn in ours & beside(ours) {
        ledger.credit(PHALANX.at(us.relative_rank(pawn.rank())), Some(pawn), 1);
    }
    for pawn in ours & held {
        ledger.credit(DEFENDED_PAWN.at(us.relative_rank(pawn.rank())), Some(pawn), 1);
    }
    let lone = ours & !files(beside(ours));
    for pawn in lone {
        ledger.credit(LONE_PAWN.at((opposed.contains(pawn), Flank::of(pawn.file()))), Some(pawn), 1);
    }
    // No own pawn beside it or behind, and an enemy pawn guards the next square or stands there
    let unheld = ours & !lone & !(pawn_reach(us, ours) | beside(ours));
    let backward = unheld & forward(!us, attacked | theirs);
    ledger.credit_each(BACKWARD_PAWN.at(false), backward & !opposed);
    ledger.credit_each(BACKWARD_PAWN.at(true), backward & opposed);
    let right_behind = ours & forward(!us, ours);
    ledger.credit_each(REAR_PAWN.at(true), right_behind);
    ledger.credit_each(REAR_PAWN.at(false), ours & ahead(!us, ours) & !right_behind);
    ledger.credit_each(FORKED_PAWN.at(()), ours & pawn_double_attacks(!us, theirs) & !held);
    for pawn in ours & forward(!us, theirs) {
        ledger.credit(BLOCKED_PAWN.at(us.relative_rank(pawn.rank())), Some(pawn), 1);
    }
}

/// Pawns with a free file whose helpers beside and behind are at least as many as the enemy pawns that can stop them.
#[inline]
fn candidates(us: Color, pawns: Bitboard, ours: Bitboard, theirs: Bitboard) -> impl Iterator<Item = chess::Square> {
    let free = pawns & !ahead(!us, theirs) & !ahead(!us, ours);
    free.into_iter().filter(move |&pawn| {
        let single = Bitboard::from_square(pawn);
        let sentries = theirs & beside(ahead(us, single));
        let step = beside(single);
        let helpers = ours & (step | ahead(!us, step));
        helpers.count() >= sentries.count()
    })
}
