//! Openings from Polyglot books: random walks along moves by their weights.
//!
//! A book is a list of entries of 16 bytes, sorted by the key of the position; all numbers are big endian. The keys are
//! shakmaty's Zobrist hashes. A move has three bits each for file and rank of its end and of its origin, then the
//! promotion; castling is written as the king taking its rook.

use std::collections::HashSet;

use chess::Position;
use engine::openings::PLIES;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{EnPassantMode, Position as _, Square};

use super::{BookError, Entries, Source};

/// So many walks without a new end, and there are no more.
const PATIENCE: usize = 2000;

/// A move that a book knows.
struct BookMove {
    key: u64,
    mv: u16,
    weight: u16,
}

/// Walks through a book.
pub(super) struct Walks {
    moves: Vec<BookMove>,
    plies: usize,
    seed: u64,
}

impl Walks {
    pub(super) fn new(bytes: &[u8], source: &Source) -> Result<Walks, BookError> {
        let (entries, rest) = bytes.as_chunks::<16>();
        if !rest.is_empty() {
            return Err(BookError::NotPolyglot(source.name().to_owned()));
        }
        let mut moves: Vec<BookMove> = entries.iter().map(BookMove::read).collect();
        moves.sort_by_key(|entry| entry.key);
        let walks = Walks { moves, plies: source.plies.unwrap_or(PLIES), seed: source.seed };
        if walks.moves_of(&Position::initial()).is_empty() {
            return Err(BookError::NoFirstMove(source.name().to_owned()));
        }
        Ok(walks)
    }

    /// The ends of walks, all different, until no new ones are found. They are the same each time.
    pub(super) fn entries(&self) -> Entries<'_> {
        let (mut random, mut known) = (fastrand::Rng::with_seed(self.seed), HashSet::new());
        Box::new(std::iter::from_fn(move || {
            let mut ends = (0..PATIENCE).map(|_| self.walk(&mut random));
            let fresh = ends.find(|position| known.insert(position.keys().full()))?;
            Some(Ok(Ok(fresh)))
        }))
    }

    /// Follows the book for the wanted plies, or as far as it goes.
    fn walk(&self, random: &mut fastrand::Rng) -> Position {
        let mut position = Position::initial();
        for _ in 0..self.plies {
            let moves = self.moves_of(&position);
            // A weight of nothing means that a move is not to be played, if there is another
            let is_unweighted = moves.iter().all(|&(_, weight)| weight == 0);
            let weight = |weight: u16| if is_unweighted { 1 } else { u64::from(weight) };
            let all: u64 = moves.iter().map(|&(_, own)| weight(own)).sum();
            if all == 0 {
                break;
            }
            let mut left = random.u64(..all);
            let chosen = moves.iter().find(|&&(_, own)| {
                let is_here = left < weight(own);
                left = left.saturating_sub(weight(own));
                is_here
            });
            let Some(&(mv, _)) = chosen else { break };
            position.play(mv);
        }
        position
    }

    /// The legal moves that the book knows here, with their weights.
    fn moves_of(&self, position: &Position) -> Vec<(chess::Move, u16)> {
        let Zobrist64(key) = position.to_shakmaty().zobrist_hash(EnPassantMode::PseudoLegal);
        let first = self.moves.partition_point(|entry| entry.key < key);
        let here = self.moves[first..].iter().take_while(|entry| entry.key == key);
        here.filter_map(|entry| Some((position.parse_uci(&uci(entry.mv)?).ok()?, entry.weight))).collect()
    }
}

impl BookMove {
    fn read(bytes: &[u8; 16]) -> BookMove {
        let number = |from: usize, to: usize| bytes[from..to].iter().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
        BookMove { key: number(0, 8), mv: number(8, 10) as u16, weight: number(10, 12) as u16 }
    }
}

/// A move of a book as UCI writes it.
fn uci(mv: u16) -> Option<String> {
    let square = |bits: u16| Square::new(u32::from(bits & 63));
    let promotion = ["", "n", "b", "r", "q"].get(usize::from(mv >> 12 & 7))?;
    Some(format!("{}{}{promotion}", square(mv >> 6), square(mv)))
}
