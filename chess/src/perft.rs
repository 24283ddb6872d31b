//! Perft: counting the leaves of the tree of legal moves, the field's test of a move generator.

use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::{Checks, Move, Observer, Position};

/// How many sequences of `depth` legal moves there are. Moves of the last ply are counted, not played.
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_legal_moves() as u64,
        _ => children(position).map(|(_, child)| perft(&child, depth - 1)).sum(),
    }
}

/// The same number, found by playing every move of the last ply too and telling an observer of each.
pub fn perft_every_leaf<O: Observer>(position: &Position, depth: u32, observer: &mut O) -> u64 {
    let Some(depth) = depth.checked_sub(1) else {
        return 1;
    };
    let checks = Checks::new(position);
    let mut nodes = 0;
    for &mv in &position.legal_moves() {
        let mut child = *position;
        child.play_observed(mv, &checks, observer);
        nodes += if depth == 0 { leaf(&child) } else { perft_every_leaf(&child, depth, observer) };
    }
    nodes
}

/// The same number, with subtrees that were counted before looked up in a table.
pub fn perft_hashed(position: &Position, depth: u32, table: &PerftTable) -> u64 {
    if depth < 2 {
        return perft(position, depth);
    }
    if let Some(nodes) = table.get(position, depth) {
        return nodes;
    }
    let nodes = children(position).map(|(_, child)| perft_hashed(&child, depth - 1, table)).sum();
    table.set(position, depth, nodes);
    nodes
}

/// A position that nobody looks at must be made all the same.
fn leaf(position: &Position) -> u64 {
    black_box(position);
    1
}

/// The positions one move away.
fn children(position: &Position) -> impl Iterator<Item = (Move, Position)> {
    let moves = position.legal_moves();
    let checks = Checks::new(position);
    (0..moves.len()).map(move |i| {
        let mut child = *position;
        child.play_observed(moves[i], &checks, &mut ());
        (moves[i], child)
    })
}

/// Numbers of leaves by position and depth, shared between threads without locks.
///
/// An entry is two words, the second masked with the first: a torn pair matches no position.
pub struct PerftTable {
    entries: Vec<[AtomicU64; 2]>,
}

impl PerftTable {
    /// A table of at most this many megabytes.
    pub fn new(megabytes: usize) -> PerftTable {
        let entries = (megabytes << 20) / size_of::<[AtomicU64; 2]>();
        PerftTable { entries: (0..entries.max(1)).map(|_| [const { AtomicU64::new(0) }; 2]).collect() }
    }

    fn get(&self, position: &Position, depth: u32) -> Option<u64> {
        let key = Self::key(position, depth);
        let [masked, nodes] = self.entry(key);
        let nodes = nodes.load(Ordering::Relaxed);
        (masked.load(Ordering::Relaxed) ^ nodes == key).then_some(nodes)
    }

    fn set(&self, position: &Position, depth: u32, value: u64) {
        let key = Self::key(position, depth);
        let [masked, nodes] = self.entry(key);
        masked.store(key ^ value, Ordering::Relaxed);
        nodes.store(value, Ordering::Relaxed);
    }

    fn key(position: &Position, depth: u32) -> u64 {
        position.keys().full() ^ u64::from(depth).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn entry(&self, key: u64) -> &[AtomicU64; 2] {
        &self.entries[((u128::from(key) * self.entries.len() as u128) >> 64) as usize]
    }
}
