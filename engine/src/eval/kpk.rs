//! King and pawn against king: every position, solved once when it is first asked for.

use std::sync::LazyLock;

use chess::{Bitboard, Color, Position, Role, Square, attacks};

use super::geometry::{forward, pawn_attacks};

/// Sides to move, pawns on the files a to d and ranks 2 to 7, both kings.
const SIZE: usize = 2 * 24 * 64 * 64;

static WINS: LazyLock<Box<[u64]>> = LazyLock::new(solve);

/// Whether the side with the only pawn wins, if there is nothing else but kings; none otherwise.
pub(super) fn is_won(position: &Position) -> Option<bool> {
    let pawn = position.by_role(Role::Pawn).single_square()?;
    if position.occupied().count() != 3 {
        return None;
    }
    let strong = if position.by_color(Color::White).contains(pawn) { Color::White } else { Color::Black };
    // As White's pawn on the files a to d
    let is_mirrored = pawn.file().to_u32() > 3;
    let place = |square: Square| {
        let square = strong.fold_wb(square, square.flip_vertical());
        if is_mirrored { square.flip_horizontal() } else { square }
    };
    let is_ours = position.turn() == strong;
    let at = index(is_ours, place(position.king(strong)), place(pawn), place(position.king(!strong)));
    Some(WINS[at / 64] & (1 << (at % 64)) != 0)
}

fn index(is_ours: bool, king: Square, pawn: Square, enemy: Square) -> usize {
    let pawn = pawn.file().to_usize() + 4 * (pawn.rank().to_usize() - 1);
    ((usize::from(is_ours) * 24 + pawn) * 64 + king.to_usize()) * 64 + enemy.to_usize()
}

/// Wins spread from promotions backwards, until nothing changes any more.
fn solve() -> Box<[u64]> {
    let mut wins = vec![0_u64; SIZE / 64].into_boxed_slice();
    let places: Vec<(Square, Square, Square)> = Square::ALL
        .into_iter()
        .filter(|pawn| pawn.file().to_u32() <= 3 && (1..=6).contains(&pawn.rank().to_u32()))
        .flat_map(|pawn| Square::ALL.into_iter().map(move |king| (pawn, king)))
        .flat_map(|(pawn, king)| Square::ALL.into_iter().map(move |enemy| (king, pawn, enemy)))
        .filter(|&(king, pawn, enemy)| king != pawn && enemy != pawn && king.distance(enemy) > 1)
        .collect();
    loop {
        let mut is_changed = false;
        for &(king, pawn, enemy) in &places {
            for is_ours in [true, false] {
                let at = index(is_ours, king, pawn, enemy);
                let is_won = |wins: &[u64], at: usize| wins[at / 64] & (1 << (at % 64)) != 0;
                if is_won(&wins, at) {
                    continue;
                }
                let known = |is_ours, king, pawn, enemy| is_won(&wins, index(is_ours, king, pawn, enemy));
                let wins_now =
                    if is_ours { wins_to_move(king, pawn, enemy, known) } else { loses(king, pawn, enemy, known) };
                if wins_now {
                    wins[at / 64] |= 1 << (at % 64);
                    is_changed = true;
                }
            }
        }
        if !is_changed {
            return wins;
        }
    }
}

/// Whether White to move has a move that is known to win.
fn wins_to_move(
    king: Square,
    pawn: Square,
    enemy: Square,
    known: impl Fn(bool, Square, Square, Square) -> bool,
) -> bool {
    let guarded = pawn_attacks(Color::White, Bitboard::from_square(pawn));
    if guarded.contains(enemy) {
        // Not a position that can arise
        return false;
    }
    let steps = attacks::king_attacks(king) & !attacks::king_attacks(enemy) & !Bitboard::from_square(pawn);
    if steps.into_iter().any(|to| known(false, to, pawn, enemy)) {
        return true;
    }
    let free = !(Bitboard::from_square(king) | Bitboard::from_square(enemy));
    let Some(next) = (forward(Color::White, Bitboard::from_square(pawn)) & free).first() else { return false };
    if next.rank().to_u32() == 7 {
        // A new queen that stays, or at least a new rook: the enemy's king must not take it
        return !attacks::king_attacks(enemy).contains(next) || attacks::king_attacks(king).contains(next);
    }
    let twice = forward(Color::White, Bitboard::from_square(next)) & free;
    known(false, king, next, enemy)
        || (pawn.rank().to_u32() == 1 && twice.first().is_some_and(|to| known(false, king, to, enemy)))
}

/// Whether Black to move has moves and each of them is known to lose.
fn loses(king: Square, pawn: Square, enemy: Square, known: impl Fn(bool, Square, Square, Square) -> bool) -> bool {
    let guarded = pawn_attacks(Color::White, Bitboard::from_square(pawn));
    let steps = attacks::king_attacks(enemy) & !(attacks::king_attacks(king) | guarded);
    steps.any() && steps.into_iter().all(|to| to != pawn && known(true, king, pawn, to))
}
