//! The 960 starting positions, by their numbers.

use shakmaty::Role;

use crate::Position;

/// How many ways there are to set up the back rank.
const ARRANGEMENTS: u32 = 960;

impl Position {
    /// A start of double Chess960: each side's back rank by Scharnagl's number, taken modulo 960. 518 is standard.
    pub fn chess960(white: u32, black: u32) -> Position {
        let [white, black] = [white, black].map(|number| back_rank(number % ARRANGEMENTS));
        let letters = |rank: [Role; 8]| rank.map(Role::char).iter().collect::<String>();
        let rooks = |rank: [Role; 8]| {
            let files = ('a'..='h').zip(rank).filter(|&(_, role)| role == Role::Rook);
            files.map(|(file, _)| file).collect::<String>()
        };
        let fen = format!(
            "{}/pppppppp/8/8/8/8/PPPPPPPP/{} w {}{} - 0 1",
            letters(black),
            letters(white).to_ascii_uppercase(),
            rooks(white).to_ascii_uppercase(),
            rooks(black),
        );
        fen.parse().expect("every arrangement is legal")
    }
}

/// Sets up a back rank: bishops on a light and a dark square, queen and knights on the nth free square, and rook, king,
/// rook on the rest. Reinhard Scharnagl's numbering.
fn back_rank(number: u32) -> [Role; 8] {
    let mut rank = [None; 8];
    rank[(2 * (number % 4) + 1) as usize] = Some(Role::Bishop);
    rank[(2 * (number / 4 % 4)) as usize] = Some(Role::Bishop);
    place(&mut rank, (number / 16 % 6) as usize, Role::Queen);

    let pairs = (0..5).flat_map(|first| (first + 1..5).map(move |second| (first, second)));
    let (first, second) = pairs.into_iter().nth((number / 96) as usize).expect("there are ten pairs of squares");
    place(&mut rank, second, Role::Knight);
    place(&mut rank, first, Role::Knight);

    for role in [Role::Rook, Role::King, Role::Rook] {
        place(&mut rank, 0, role);
    }
    rank.map(|role| role.expect("eight pieces fill eight squares"))
}

/// Puts a piece on the nth free square.
fn place(rank: &mut [Option<Role>; 8], nth: usize, role: Role) {
    let free = rank.iter_mut().filter(|square| square.is_none()).nth(nth);
    *free.expect("there is a free square") = Some(role);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_518_is_the_initial_position() {
        assert_eq!(Position::chess960(518, 518), Position::initial());
        assert_eq!(Position::chess960(518 + 960, 518), Position::initial());
    }

    #[test]
    fn the_numbers_give_different_arrangements() {
        let mut ranks: Vec<_> = (0..ARRANGEMENTS).map(|n| back_rank(n).map(Role::char)).collect();
        ranks.sort_unstable();
        ranks.dedup();
        assert_eq!(ranks.len(), ARRANGEMENTS as usize);
        assert_eq!(back_rank(0).map(Role::char), ['b', 'b', 'q', 'n', 'n', 'r', 'k', 'r']);
        assert_eq!(back_rank(959).map(Role::char), ['r', 'k', 'r', 'n', 'n', 'q', 'b', 'b']);
    }
}
