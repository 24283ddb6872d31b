//! Where games begin: some random moves, as long as neither side has won or lost by them. One generator serves matches,
//! training games and `genfens`; books are made one numbered attempt at a time.

mod book;
mod recipe;

use std::collections::HashSet;
use std::sync::Arc;

use chess::Position;

pub use book::{BookError, read_book, read_positions};
pub use recipe::{Cook, Opening, Recipe};

use crate::{Limits, Memory, Signal, Task, Weights, evaluate, search};

/// From where random moves are played.
#[derive(Clone, Debug)]
pub enum Start {
    /// The initial position.
    Initial,
    /// One of the 960 starting positions.
    Chess960,
    /// A starting position of double Chess960, where each side has its own.
    DoubleChess960,
    /// One of these positions.
    Book(Vec<Position>),
}

/// How many random moves are played from a starting position; at random, one more.
pub const PLIES: usize = 8;
/// How many are played from a position of a book.
pub const PLIES_AFTER_BOOK: usize = 4;

/// Further from level than this, in centipawns, an opening is not used.
const MOST: i32 = 200;
/// How long a search looks at each.
const NODES: u64 = 1000;
const DEPTH: usize = 12;
const HASH: usize = 1;
/// So many drafts without an opening, and there are no more.
const ATTEMPTS: usize = 10_000;

impl Start {
    /// A position to play from; none if there is none.
    fn first(&self, random: &mut fastrand::Rng) -> Option<Position> {
        let mut number = || random.u32(..960);
        match self {
            Start::Initial => Some(Position::initial()),
            Start::Chess960 => {
                let number = number();
                Some(Position::chess960(number, number))
            }
            Start::DoubleChess960 => Some(Position::chess960(number(), number())),
            Start::Book(positions) => random.choice(positions).copied(),
        }
    }
}

/// Plays so many random moves; none if the game ends on the way.
fn play_on(mut position: Position, plies: usize, random: &mut fastrand::Rng) -> Option<Position> {
    for _ in 0..plies {
        position.play(random.choice(position.legal_moves().to_vec())?);
    }
    Some(position)
}

/// Openings, all different, in an order that the seed gives: level, not in check, not over.
pub struct Openings {
    start: Start,
    plies: usize,
    weights: Arc<Weights>,
    random: fastrand::Rng,
    memory: Memory,
    known: HashSet<u64>,
}

impl Openings {
    /// The openings of a seed; none if there is no memory to look at them.
    pub fn new(start: Start, plies: usize, weights: Arc<Weights>, seed: u64) -> Option<Openings> {
        let (random, memory) = (fastrand::Rng::with_seed(seed), Memory::new(HASH)?);
        Some(Openings { start, plies, weights, random, memory, known: HashSet::new() })
    }

    /// Plays random moves; none if the game ends on the way.
    fn draft(&mut self) -> Option<Position> {
        let first = self.start.first(&mut self.random)?;
        // One more or not, so that either side may be the first to think
        let plies = self.plies + usize::from(self.random.bool());
        play_on(first, plies, &mut self.random)
    }

    /// Whether a game can fairly begin here: first by a glance, then by a small search.
    fn is_level(&mut self, position: &Position) -> bool {
        if position.is_check() || position.outcome().is_some() {
            return false;
        }
        if evaluate(position, &self.weights).abs() > 2 * MOST {
            return false;
        }
        let limits = Limits { nodes: Some(NODES), depth: Some(DEPTH), ..Limits::default() };
        let task = Task::new(*position, self.weights.clone(), limits);
        let report = search(&task, &mut self.memory, &Signal::new(false), &mut |_| ());
        report.is_some_and(|report| report.value.abs() <= MOST)
    }
}

/// Ends only where no more can be found.
impl Iterator for Openings {
    type Item = Position;

    fn next(&mut self) -> Option<Position> {
        for _ in 0..ATTEMPTS {
            if let Some(position) = self.draft()
                && !self.known.contains(&position.keys().full())
                && self.is_level(&position)
            {
                self.known.insert(position.keys().full());
                return Some(position);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::{CastlingMode, Color};

    fn openings(start: Start, seed: u64) -> Openings {
        Openings::new(start, PLIES, Arc::new(Weights::load("default").unwrap()), seed).unwrap()
    }

    fn first(start: Start, seed: u64, count: usize) -> Vec<String> {
        openings(start, seed).take(count).map(|position| position.to_string()).collect()
    }

    #[test]
    fn a_seed_gives_the_same_openings_every_time() {
        let twenty = first(Start::Initial, 7, 20);
        assert_eq!(twenty, first(Start::Initial, 7, 20));
        assert_eq!(twenty[..5], first(Start::Initial, 7, 5), "however many are asked for");
        assert_ne!(twenty, first(Start::Initial, 8, 20));
        assert_eq!(twenty.iter().collect::<HashSet<_>>().len(), 20, "all different");
    }

    #[test]
    fn openings_can_be_played_by_either_side() {
        let positions: Vec<Position> = openings(Start::Initial, 1).take(30).collect();
        assert!(positions.iter().all(|position| !position.is_check() && position.outcome().is_none()));
        for color in Color::ALL {
            assert!(positions.iter().any(|position| position.turn() == color));
        }
    }

    #[test]
    fn openings_of_chess960_and_of_a_book() {
        for start in [Start::Chess960, Start::DoubleChess960] {
            let mode = |position: Position| position.castling_mode();
            assert!(openings(start, 1).take(10).map(mode).any(|mode| mode == CastlingMode::Chess960));
        }
        let book = || Start::Book(vec!["8/2k5/3p4/8/8/4P3/2K5/8 w - - 0 1".parse().unwrap()]);
        let found = first(book(), 3, 3);
        assert_eq!(found.len(), 3);
        assert!(found.iter().all(|fen| !fen.contains('q')), "the book's pieces: {found:?}");
    }

    #[test]
    fn where_there_is_no_opening_the_search_for_one_ends() {
        let lost = Start::Book(vec!["4k3/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1".parse().unwrap()]);
        assert!(openings(lost, 1).next().is_none());
        assert!(openings(Start::Book(Vec::new()), 1).next().is_none());
    }
}
