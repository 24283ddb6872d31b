//! All reversible moves by the change they make to the key, so that one lookup tells whether two positions of a game
//! are one move apart. Cuckoo hashing, after Marcel van Kervinck (2013).

use std::sync::LazyLock;

use shakmaty::{Bitboard, Color, Role, Square, attacks};

use crate::keys::{BLACK_TO_MOVE, piece_key};

const SIZE: usize = 8192;

/// One place in the table: a difference of keys, and the two squares of the move that makes it.
#[derive(Copy, Clone)]
struct Entry {
    difference: u64,
    squares: (Square, Square),
}

/// All reversible moves.
pub(crate) struct Reversible {
    entries: Box<[Option<Entry>]>,
    /// A bit for the low half of each difference that is an entry's: nineteen of twenty others need no more than a look at it.
    filter: Box<[u64; FILTER]>,
}

/// Words of the filter, a bit for every value of sixteen.
const FILTER: usize = (1 << 16) / 64;

static MOVES: LazyLock<Reversible> = LazyLock::new(build);

/// All reversible moves, made when they are first asked for.
#[inline]
pub(crate) fn reversible_moves() -> &'static Reversible {
    &MOVES
}

impl Reversible {
    /// The squares of the one reversible move that turns a position into another with this difference of keys.
    #[inline]
    pub(crate) fn get(&self, difference: u64) -> Option<(Square, Square)> {
        let low = usize::from(difference as u16);
        if self.filter[low / 64] & 1 << (low % 64) == 0 {
            return None;
        }
        self.find(difference)
    }

    fn find(&self, difference: u64) -> Option<(Square, Square)> {
        places(difference)
            .into_iter()
            .find_map(|place| self.entries[place].filter(|entry| entry.difference == difference))
            .map(|entry| entry.squares)
    }
}

fn places(difference: u64) -> [usize; 2] {
    [difference as usize % SIZE, (difference >> 16) as usize % SIZE]
}

fn build() -> Reversible {
    let mut moves = Reversible { entries: vec![None; SIZE].into(), filter: Box::new([0; FILTER]) };
    for color in [Color::White, Color::Black] {
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King] {
            let piece = role.of(color);
            for from in Square::ALL {
                for to in attacks::attacks(from, piece, Bitboard::EMPTY).into_iter().filter(|&to| to > from) {
                    let difference = piece_key(piece, from) ^ piece_key(piece, to) ^ BLACK_TO_MOVE;
                    insert(&mut moves.entries, Entry { difference, squares: (from, to) });
                    let low = usize::from(difference as u16);
                    moves.filter[low / 64] |= 1 << (low % 64);
                }
            }
        }
    }
    moves
}

/// Puts an entry in its first place; whoever was there moves to its other place, and so on.
fn insert(table: &mut [Option<Entry>], entry: Entry) {
    let mut place = places(entry.difference)[0];
    let mut homeless = Some(entry);
    while let Some(entry) = homeless {
        homeless = table[place].replace(entry);
        if let Some(entry) = homeless {
            let [first, second] = places(entry.difference);
            place = if place == first { second } else { first };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_holds_every_reversible_move() {
        let moves = reversible_moves();
        assert_eq!(moves.entries.iter().flatten().count(), 3668);
        for entry in moves.entries.iter().flatten() {
            assert_eq!(moves.get(entry.difference), Some(entry.squares));
        }
        let rook = Role::Rook.of(Color::Black);
        let difference = piece_key(rook, Square::C7) ^ piece_key(rook, Square::C2) ^ BLACK_TO_MOVE;
        assert_eq!(moves.get(difference), Some((Square::C2, Square::C7)));
        assert_eq!(moves.get(difference ^ 1), None);
    }
}
