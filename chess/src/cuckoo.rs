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

static TABLE: LazyLock<Box<[Option<Entry>]>> = LazyLock::new(build);

/// The squares of the one reversible move that turns a position into another with this difference of keys.
#[inline]
pub(crate) fn reversible_move(difference: u64) -> Option<(Square, Square)> {
    places(difference)
        .into_iter()
        .find_map(|place| TABLE[place].filter(|entry| entry.difference == difference))
        .map(|entry| entry.squares)
}

fn places(difference: u64) -> [usize; 2] {
    [difference as usize % SIZE, (difference >> 16) as usize % SIZE]
}

fn build() -> Box<[Option<Entry>]> {
    let mut table = vec![None; SIZE].into_boxed_slice();
    for color in [Color::White, Color::Black] {
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King] {
            let piece = role.of(color);
            for from in Square::ALL {
                for to in attacks::attacks(from, piece, Bitboard::EMPTY).into_iter().filter(|&to| to > from) {
                    let difference = piece_key(piece, from) ^ piece_key(piece, to) ^ BLACK_TO_MOVE;
                    insert(&mut table, Entry { difference, squares: (from, to) });
                }
            }
        }
    }
    table
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
        assert_eq!(TABLE.iter().flatten().count(), 3668);
        let rook = Role::Rook.of(Color::Black);
        let difference = piece_key(rook, Square::C7) ^ piece_key(rook, Square::C2) ^ BLACK_TO_MOVE;
        assert_eq!(reversible_move(difference), Some((Square::C2, Square::C7)));
        assert_eq!(reversible_move(difference ^ 1), None);
    }
}
