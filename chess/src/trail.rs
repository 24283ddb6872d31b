//! The positions that a game and a search have passed through, and what they repeat.

use shakmaty::attacks;

use crate::Position;
use crate::cuckoo::{Reversible, reversible_moves};

/// The keys of all positions before the current one, from the start of the game into the search tree.
///
/// Inside the search tree one repetition counts as a draw: what could be repeated once could be repeated again.
/// Positions up to and including the root have to occur three times, as in the rules.
#[derive(Clone, Debug, Default)]
pub struct Trail {
    keys: Vec<u64>,
    /// Where the search began: the index of the root.
    root: usize,
    /// Where null moves were made. Nothing before one is repeated after it.
    nulls: Vec<usize>,
}

impl Trail {
    /// An empty trail, at the start of a game.
    pub fn new() -> Trail {
        Trail::default()
    }

    /// Remembers a position that is about to be left by a move.
    #[inline]
    pub fn push(&mut self, position: &Position) {
        self.keys.push(position.keys().full());
    }

    /// Remembers a position that is about to be left by a null move.
    #[inline]
    pub fn push_null(&mut self, position: &Position) {
        self.nulls.push(self.keys.len());
        self.push(position);
    }

    /// Forgets the last position: its move was taken back.
    #[inline]
    pub fn pop(&mut self) {
        self.keys.pop();
        if self.nulls.last() == Some(&self.keys.len()) {
            self.nulls.pop();
        }
    }

    /// Declares the current position to be the root of a search.
    pub fn start_search(&mut self) {
        self.root = self.keys.len();
    }

    /// The trail as it was at the root of the search.
    #[must_use]
    pub fn at_root(&self) -> Trail {
        let nulls = self.nulls.iter().copied().filter(|&null| null < self.root).collect();
        Trail { keys: self.keys[..self.root].to_vec(), root: self.root, nulls }
    }

    /// Whether the current position is a draw by repetition.
    #[inline]
    pub fn is_repetition(&self, position: &Position) -> bool {
        // Four plies are the shortest way back
        if position.halfmove_clock() < 4 {
            return false;
        }
        let Some(latest) = self.keys.len().checked_sub(4) else {
            return false;
        };
        let key = position.keys().full();
        let first = self.first_comparable(position);
        let mut seen = 0;
        let mut index = latest;
        while index >= first {
            if self.keys[index] == key {
                seen += 1;
                if index > self.root || seen == 2 {
                    return true;
                }
            }
            let Some(earlier) = index.checked_sub(2) else {
                break;
            };
            index = earlier;
        }
        false
    }

    /// Whether any position since the last capture or pawn move, the current one included, has occurred twice.
    pub fn has_repeated(&self, position: &Position) -> bool {
        let mut keys = self.keys[self.first_comparable(position)..].to_vec();
        keys.push(position.keys().full());
        keys.sort_unstable();
        keys.windows(2).any(|pair| pair[0] == pair[1])
    }

    /// Whether the side to move can make the current line a draw by repetition with its next move.
    #[inline]
    pub fn can_repeat(&self, position: &Position) -> bool {
        if position.halfmove_clock() < 3 {
            return false;
        }
        let Some(mut index) = self.keys.len().checked_sub(3) else {
            return false;
        };
        let key = position.keys().full();
        let first = self.first_comparable(position);
        let moves = reversible_moves();
        while index >= first {
            if is_one_move_away(moves, position, key ^ self.keys[index])
                && (index > self.root || self.occurred_before(index, first))
            {
                return true;
            }
            let Some(earlier) = index.checked_sub(2) else {
                break;
            };
            index = earlier;
        }
        false
    }

    /// The earliest position that the current one could repeat.
    fn first_comparable(&self, position: &Position) -> usize {
        let reversible = position.halfmove_clock() as usize;
        let after_null = self.nulls.last().map_or(0, |null| null + 1);
        self.keys.len().saturating_sub(reversible).max(after_null)
    }

    fn occurred_before(&self, index: usize, first: usize) -> bool {
        self.keys[first..index].contains(&self.keys[index])
    }
}

/// Whether one reversible move of the side to move makes this difference of keys.
#[inline]
fn is_one_move_away(moves: &Reversible, position: &Position, difference: u64) -> bool {
    let Some((a, b)) = moves.get(difference) else {
        return false;
    };
    let ours = position.by_color(position.turn());
    (ours.contains(a) || ours.contains(b)) && (attacks::between(a, b) & position.occupied()).is_empty()
}
