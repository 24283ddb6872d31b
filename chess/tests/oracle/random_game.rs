//! Random games, the soil of the property tests.

use chess::{Move, Position};
use proptest::prelude::*;

/// Where a random game starts and which moves it picks: each number, modulo the legal moves, chooses one.
#[derive(Clone, Debug)]
pub(crate) struct RandomGame {
    white: u32,
    black: u32,
    choices: Vec<u16>,
}

/// Games of standard chess, Chess960 and double Chess960, up to `plies` long.
pub(crate) fn random_game(plies: usize) -> impl Strategy<Value = RandomGame> {
    let start = prop_oneof![Just((518, 518)), (0..960u32).prop_map(|n| (n, n)), (0..960u32, 0..960u32)];
    (start, prop::collection::vec(any::<u16>(), 1..=plies)).prop_map(|((white, black), choices)| RandomGame {
        white,
        black,
        choices,
    })
}

impl RandomGame {
    /// Plays the game and shows each position, from the first to the last.
    pub(crate) fn walk(&self, mut visit: impl FnMut(&Position)) {
        self.walk_with_moves(|position, _| visit(position));
    }

    /// Plays the game and shows each position with the move that led to it.
    pub(crate) fn walk_with_moves(&self, mut visit: impl FnMut(&Position, Option<Move>)) {
        let mut position = Position::chess960(self.white, self.black);
        let mut last = None;
        for &choice in &self.choices {
            visit(&position, last);
            let moves = position.legal_moves();
            if moves.is_empty() {
                return;
            }
            let mv = moves[usize::from(choice) % moves.len()];
            position.play(mv);
            last = Some(mv);
        }
        visit(&position, last);
    }
}
