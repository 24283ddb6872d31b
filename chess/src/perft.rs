//! Perft: counting the leaves of the tree of legal moves, the field's test of a move generator.

use std::collections::TryReserveError;
use std::hint::black_box;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;

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

/// Counts the leaves below each legal move on several threads.
///
/// The tree is cut two plies down and its parts are handed out one by one. `progress` is told of each finished part
/// (done, of all) and says whether to go on; if not, what was counted so far is missing from [`Division::leaves`].
pub fn divide(
    position: &Position,
    depth: u32,
    threads: NonZeroUsize,
    table: Option<&PerftTable>,
    progress: &(impl Fn(usize, usize) -> bool + Sync),
) -> Vec<Division> {
    let moves = position.legal_moves();
    let counts: Vec<_> = moves.iter().map(|_| AtomicU64::new(0)).collect();
    let parts = cut(position, depth);
    let unfinished: Vec<_> =
        (0..moves.len()).map(|root| AtomicUsize::new(parts.iter().filter(|part| part.root == root).count())).collect();
    let next = AtomicUsize::new(0);
    let done = AtomicUsize::new(0);

    let work = || {
        while let Some(part) = parts.get(next.fetch_add(1, Ordering::Relaxed)) {
            let leaves = match table {
                Some(table) => perft_hashed(&part.position, part.depth, table),
                None => perft(&part.position, part.depth),
            };
            counts[part.root].fetch_add(leaves, Ordering::Relaxed);
            unfinished[part.root].fetch_sub(1, Ordering::Relaxed);
            if !progress(done.fetch_add(1, Ordering::Relaxed) + 1, parts.len()) {
                next.store(parts.len(), Ordering::Relaxed);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.get() {
            scope.spawn(work);
        }
        work();
    });

    let counted = counts.iter().zip(&unfinished);
    let leaves = counted.map(|(count, unfinished)| (unfinished.load(Ordering::Relaxed) == 0, count));
    moves
        .iter()
        .zip(leaves)
        .map(|(&mv, (whole, count))| Division { mv, leaves: whole.then(|| count.load(Ordering::Relaxed)) })
        .collect()
}

/// The leaves below one move.
#[derive(Copy, Clone, Debug)]
pub struct Division {
    /// The move.
    pub mv: Move,
    /// How many leaves there are below it; none if the count was broken off.
    pub leaves: Option<u64>,
}

/// A part of the tree: a position, and how deep it still goes.
struct Part {
    root: usize,
    position: Position,
    depth: u32,
}

fn cut(position: &Position, depth: u32) -> Vec<Part> {
    let Some(depth) = depth.checked_sub(1) else { return Vec::new() };
    let roots = children(position).enumerate();
    let deeper = |(root, (_, child)): (usize, (Move, Position))| match depth {
        0 | 1 => vec![Part { root, position: child, depth }],
        _ => children(&child).map(|(_, position)| Part { root, position, depth: depth - 1 }).collect(),
    };
    roots.flat_map(deeper).collect()
}

/// Numbers of leaves by position and depth, shared between threads without locks.
///
/// An entry is two words, the second masked with the first: a torn pair matches no position.
pub struct PerftTable {
    entries: Vec<[AtomicU64; 2]>,
}

impl PerftTable {
    /// A table of this many megabytes, if there is so much memory.
    pub fn new(megabytes: NonZeroUsize) -> Result<PerftTable, TryReserveError> {
        let count = megabytes.get().saturating_mul(1 << 20) / size_of::<[AtomicU64; 2]>();
        let mut entries = Vec::new();
        entries.try_reserve_exact(count)?;
        entries.resize_with(count, || [const { AtomicU64::new(0) }; 2]);
        Ok(PerftTable { entries })
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
