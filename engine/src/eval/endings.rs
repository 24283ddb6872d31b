//! Endings: what is won, what there is to play for, and what is hard to win although one side is ahead.

use chess::{Bitboard, ByColor, Color, File, Position, Rank, Role, Square};

use super::axis::UpTo;
use super::bishop_knight::{self, Verdict};
use super::geometry::{DARK, distance, ranks};
use super::kpk;
use super::ledger::Ledger;
use super::terms::{
    BARE_LEAD, DRAWN_BISHOP_AND_KNIGHT, DRAWN_PAWN_ENDING, FEW_PAWNS, LEVEL_ROOK_ENDING, LONE_KING_CORNER,
    LONE_KING_EDGE, LONE_KING_MATE, LONE_KING_NEAR, NO_MATING_FORCE, OPPOSITE_BISHOPS, OPPOSITE_BISHOPS_AND_MORE,
    PROSPECTS, PROSPECTS_BOTH_WINGS, PROSPECTS_INTRUDER, PROSPECTS_PASSER, PROSPECTS_PAWN, PROSPECTS_PAWN_ENDING,
    WON_ENDING, WRONG_BISHOP,
};

const QUEENSIDE: Bitboard = Bitboard(0x0f0f_0f0f_0f0f_0f0f);

/// Everything but kings and pawns, of one side.
#[inline]
fn pieces(position: &Position, color: Color) -> Bitboard {
    position.by_color(color) & !(position.by_role(Role::Pawn) | position.by_role(Role::King))
}

/// A lone enemy king that can be mated, or a pawn that it cannot stop.
#[inline(always)]
pub(super) fn endings<L: Ledger>(position: &Position, us: Color, ledger: &mut L) {
    if position.by_color(!us) != position.by_piece((!us).king()) {
        return;
    }
    match kpk::is_won(position) {
        Some(true) => ledger.credit(WON_ENDING.at(()), None, 1),
        Some(false) => {}
        None if can_force_mate(position, us) => drive(position, us, ledger),
        None => {}
    }
}

/// The lone king is driven to the edge, or to the right corner; against bishop and knight the way is known.
///
/// Inlined, as all has to be that is handed the ledger while pieces are looked at: a ledger whose address is known
/// elsewhere has its sums in memory, not in registers.
#[inline(always)]
fn drive<L: Ledger>(position: &Position, us: Color, ledger: &mut L) {
    let (king, lone, verdict) = (position.king(us), position.king(!us), bishop_knight::verdict(position));
    if verdict == Some(Verdict::Draw) {
        return;
    }
    ledger.credit(WON_ENDING.at(()), None, 1);
    ledger.credit(LONE_KING_NEAR.at(UpTo(distance(king, lone))), Some(lone), 1);
    if let Some(Verdict::Mate(moves)) = verdict {
        ledger.credit(LONE_KING_MATE.at(UpTo(moves)), Some(lone), 1);
        let is_dark = (position.by_role(Role::Bishop) & DARK).any();
        let corners = if is_dark { [Square::A1, Square::H8] } else { [Square::A8, Square::H1] };
        // Counted so, every step along an edge towards such a corner is one less, and every step to an edge from the middle
        let nearest = corners.into_iter().map(|corner| steps(corner, lone)).min().unwrap_or(0);
        ledger.credit(LONE_KING_CORNER.at(UpTo(nearest)), Some(lone), 1);
    } else {
        let (file, rank) = (lone.file().to_usize(), lone.rank().to_usize());
        let edge = file.min(7 - file).min(rank.min(7 - rank));
        ledger.credit(LONE_KING_EDGE.at(UpTo(edge)), Some(lone), 1);
    }
}

/// Steps from square to square along files and ranks.
fn steps(from: Square, to: Square) -> usize {
    from.file().to_usize().abs_diff(to.file().to_usize()) + from.rank().to_usize().abs_diff(to.rank().to_usize())
}

/// Whether a side could mate a lone king with what it has besides pawns.
fn can_force_mate(position: &Position, us: Color) -> bool {
    let (bishops, knights) = (position.by_piece(us.bishop()), position.by_piece(us.knight()));
    let heavy = position.by_piece(us.rook()) | position.by_piece(us.queen());
    let has_both_colours = (bishops & DARK).any() && (bishops & !DARK).any();
    heavy.any() || has_both_colours || (bishops.any() && knights.any()) || knights.count() > 2
}

/// What there is to play for, as far as pawns alone say it.
pub(super) fn prospects_of_pawns<L: Ledger>(position: &Position, us: Color, passers: Bitboard, ledger: &mut L) {
    let (all, ours) = (position.by_role(Role::Pawn), position.by_piece(us.pawn()));
    ledger.credit(PROSPECTS.at(()), None, 1);
    ledger.credit(PROSPECTS_PAWN.at(()), None, ours.count() as i32);
    ledger.credit_each(PROSPECTS_PASSER.at(()), passers);
    let is_wide = (all & QUEENSIDE).any() && (all & !QUEENSIDE).any();
    ledger.credit(PROSPECTS_BOTH_WINGS.at(()), None, i32::from(is_wide));
}

/// What the own king adds to that.
pub(super) fn prospects_of_king<L: Ledger>(position: &Position, us: Color, ledger: &mut L) {
    let is_beyond = ranks(us, Rank::Fifth, Rank::Eighth).contains(position.king(us));
    ledger.credit(PROSPECTS_INTRUDER.at(()), None, i32::from(is_beyond));
}

/// More of it if pawns are all that is left.
#[inline(always)]
pub(super) fn prospects_of_pawn_ending<L: Ledger>(position: &Position, ledgers: &mut ByColor<L>) {
    if position.occupied() == position.by_role(Role::Pawn) | position.by_role(Role::King) {
        ledgers.white.credit(PROSPECTS_PAWN_ENDING.at(()), None, 1);
        ledgers.black.credit(PROSPECTS_PAWN_ENDING.at(()), None, 1);
    }
}

/// What makes it hard to win for each side if it is ahead.
#[inline(always)]
pub(super) fn drawish<L: Ledger>(position: &Position, ledgers: &mut ByColor<L>) {
    let has_opposite_bishops = has_opposite_bishops(position);
    drawish_for(position, Color::White, has_opposite_bishops, &mut ledgers.white);
    drawish_for(position, Color::Black, has_opposite_bishops, &mut ledgers.black);
}

#[inline(always)]
fn drawish_for<L: Ledger>(position: &Position, us: Color, has_opposite_bishops: bool, ledger: &mut L) {
    let pawns = position.by_piece(us.pawn());
    let count = UpTo(pawns.count());
    if has_opposite_bishops {
        let minors_and_more = pieces(position, Color::White) | pieces(position, Color::Black);
        let is_alone = minors_and_more == position.by_role(Role::Bishop);
        let term = if is_alone { OPPOSITE_BISHOPS } else { OPPOSITE_BISHOPS_AND_MORE };
        ledger.credit(term.at(count), None, 1);
    } else {
        ledger.credit(FEW_PAWNS.at(count), None, 1);
    }
    if pawns.is_empty() {
        let (ours, theirs) = (force(position, us), force(position, !us));
        if !can_force_mate(position, us) {
            ledger.credit(NO_MATING_FORCE.at(()), None, 1);
        } else if ours - theirs <= 3 && position.by_color(!us).more_than_one() {
            ledger.credit(BARE_LEAD.at(()), None, 1);
        } else if bishop_knight::verdict(position) == Some(Verdict::Draw) {
            ledger.credit(DRAWN_BISHOP_AND_KNIGHT.at(()), None, 1);
        }
        return;
    }
    // With more pieces none of the following can be
    if pieces(position, us).count() > 2 || pieces(position, !us).count() > 2 {
        return;
    }
    if is_level_rook_ending(position, us, pawns) {
        ledger.credit(LEVEL_ROOK_ENDING.at(()), None, 1);
    }
    if kpk::is_won(position) == Some(false) {
        ledger.credit(DRAWN_PAWN_ENDING.at(()), None, 1);
    }
    if has_wrong_bishop(position, us, pawns) {
        ledger.credit(WRONG_BISHOP.at(()), None, 1);
    }
}

/// One bishop each, on squares of different colours.
#[inline]
fn has_opposite_bishops(position: &Position) -> bool {
    let (white, black) = (position.by_piece(Color::White.bishop()), position.by_piece(Color::Black.bishop()));
    white.count() == 1 && black.count() == 1 && (white & DARK).any() != (black & DARK).any()
}

/// What a side has besides pawns, counted as beginners do.
fn force(position: &Position, color: Color) -> i32 {
    let worth = [(Role::Knight, 3), (Role::Bishop, 3), (Role::Rook, 5), (Role::Queen, 9)];
    worth.into_iter().map(|(role, worth)| worth * position.by_piece(role.of(color)).count() as i32).sum()
}

/// One rook each and nothing else, at most one pawn more, own pawns on one wing.
fn is_level_rook_ending(position: &Position, us: Color, pawns: Bitboard) -> bool {
    let has_rook = |color: Color| {
        let pieces = pieces(position, color);
        pieces.single_square().is_some() && pieces == position.by_piece(color.rook())
    };
    let is_narrow = (pawns & QUEENSIDE).is_empty() || (pawns & !QUEENSIDE).is_empty();
    let theirs = position.by_piece((!us).pawn());
    is_narrow && theirs.any() && pawns.count() <= theirs.count() + 1 && has_rook(us) && has_rook(!us)
}

/// Rook's pawns on one file, besides nothing but bishops of the wrong colour, and the enemy's king in the corner.
fn has_wrong_bishop(position: &Position, us: Color, pawns: Bitboard) -> bool {
    let corner_file = match () {
        () if (pawns & !Bitboard::from_file(File::A)).is_empty() => File::A,
        () if (pawns & !Bitboard::from_file(File::H)).is_empty() => File::H,
        () => return false,
    };
    let (bishops, lone) = (position.by_piece(us.bishop()), position.king(!us));
    let corner = Square::from_coords(corner_file, us.relative_rank(Rank::Eighth));
    let of_corner = if DARK.contains(corner) { DARK } else { !DARK };
    pieces(position, us) == bishops && (bishops & of_corner).is_empty() && distance(lone, corner) <= 1
}
