//! Pawn structure.

use chess::{Color, Position};

use super::geometry::{ahead, beside, files, pawn_attacks};
use super::ledger::Ledger;
use super::terms::{CONNECTED_PAWN, DOUBLED_PAWN, ISOLATED_PAWN, PASSED_PAWN};

/// Passed, isolated, doubled and connected pawns.
#[inline(always)]
pub(super) fn pawns<L: Ledger>(position: &Position, us: Color, ledger: &mut L) {
    let ours = position.by_piece(us.pawn());
    let stoppers = ahead(!us, position.by_piece((!us).pawn()));

    for square in ours & !(stoppers | beside(stoppers)) {
        ledger.credit(PASSED_PAWN.at(us.relative_rank(square.rank())), Some(square), 1);
    }
    ledger.credit_each(ISOLATED_PAWN.at(()), ours & !files(beside(ours)));
    ledger.credit_each(DOUBLED_PAWN.at(()), ours & (ahead(us, ours) | ahead(!us, ours)));
    for square in ours & (pawn_attacks(us, ours) | beside(ours)) {
        ledger.credit(CONNECTED_PAWN.at(us.relative_rank(square.rank())), Some(square), 1);
    }
}
