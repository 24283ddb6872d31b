//! King and pawn against king: every position, solved once when it is first asked for.

use std::sync::LazyLock;

use chess::{Bitboard, Color, File, Position, Rank, Role, Square, attacks};

use super::geometry::{forward, neighbours, pawn_attacks};

/// Pawns on the files a to d and ranks 2 to 7.
const PAWNS: usize = 24;

/// By pawn, then by White's king: where Black's king loses.
struct Wins {
    to_move: [[Bitboard; 64]; PAWNS],
    to_wait: [[Bitboard; 64]; PAWNS],
}

static WINS: LazyLock<Box<Wins>> = LazyLock::new(solve);

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
    let wins = if position.turn() == strong { &WINS.to_move } else { &WINS.to_wait };
    let by_king = &wins[number(place(pawn))];
    Some(by_king[place(position.king(strong)).to_usize()].contains(place(position.king(!strong))))
}

fn number(pawn: Square) -> usize {
    pawn.file().to_usize() + 4 * (pawn.rank().to_usize() - 1)
}

/// Wins spread from promotions backwards: from the pawn's last rank to its first, and there until nothing changes.
fn solve() -> Box<Wins> {
    let nothing = [[Bitboard::EMPTY; 64]; PAWNS];
    let mut wins = Box::new(Wins { to_move: nothing, to_wait: nothing });
    for rank in [Rank::Seventh, Rank::Sixth, Rank::Fifth, Rank::Fourth, Rank::Third, Rank::Second] {
        for file in [File::A, File::B, File::C, File::D] {
            let pawn = Square::from_coords(file, rank);
            while spread(&mut wins, pawn) {}
        }
    }
    wins
}

/// Adds what follows from the wins that are known already; says whether there was anything.
fn spread(wins: &mut Wins, pawn: Square) -> bool {
    let (pawns, at) = (Bitboard::from_square(pawn), number(pawn));
    let guarded = pawn_attacks(Color::White, pawns);
    let mut is_changed = false;
    for king in Square::ALL.into_iter().filter(|&king| king != pawn) {
        let near = attacks::king_attacks(king);
        let here = Bitboard::from_square(king);
        let legal = !(near | here | pawns);
        let steps = near & !pawns;
        let by_king = steps.into_iter().fold(Bitboard::EMPTY, |won, to| won | wins.to_wait[at][to.to_usize()]);
        let to_move = legal & !guarded & (by_king | by_pawn(wins, pawn, king));
        // Black keeps the draw by a step to where White, to move, does not win, or onto the pawn
        let allowed = !(near | here | guarded);
        let holds = neighbours(allowed & !to_move);
        let to_wait = legal & neighbours(allowed) & !holds;
        is_changed |= to_move != wins.to_move[at][king.to_usize()] || to_wait != wins.to_wait[at][king.to_usize()];
        wins.to_move[at][king.to_usize()] = to_move;
        wins.to_wait[at][king.to_usize()] = to_wait;
    }
    is_changed
}

/// Where Black's king loses after a step of the pawn.
fn by_pawn(wins: &Wins, pawn: Square, king: Square) -> Bitboard {
    let step = |from: Square| {
        let next = forward(Color::White, Bitboard::from_square(from)).first();
        next.filter(|&next| next != king)
    };
    let Some(next) = step(pawn) else { return Bitboard::EMPTY };
    let free = !Bitboard::from_square(next);
    if next.rank() == Rank::Eighth {
        // The new piece must not be taken at once
        let takes =
            if attacks::king_attacks(king).contains(next) { Bitboard::EMPTY } else { attacks::king_attacks(next) };
        return free & !takes;
    }
    let once = wins.to_wait[number(next)][king.to_usize()];
    let twice = step(next).filter(|_| pawn.rank() == Rank::Second);
    let twice = twice.map_or(Bitboard::EMPTY, |to| wins.to_wait[number(to)][king.to_usize()]);
    free & (once | twice)
}
