//! Perft: counting the leaves of the tree of legal moves, the field's test of a move generator.

use std::hint::black_box;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;

use crate::{Checks, Move, MoveList, Observer, Position};

/// How many sequences of `depth` legal moves there are. Moves of the last ply are counted, not played.
///
/// A number that does not fit is `u64::MAX`.
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_legal_moves() as u64,
        _ => sum(children(position).map(|(_, child)| perft(&child.0, depth - 1))),
    }
}

fn sum(counts: impl Iterator<Item = u64>) -> u64 {
    counts.fold(0, u64::saturating_add)
}

/// The same number, found by playing every move of the last ply too and telling an observer of each.
pub fn perft_every_leaf<O: Observer>(position: &Position, depth: u32, observer: &mut O) -> u64 {
    let Some(depth) = depth.checked_sub(1) else {
        return 1;
    };
    let checks = Checks::new(position);
    let mut nodes = 0;
    for &mv in &position.legal_moves() {
        let mut child = Aligned(*position);
        child.0.play_observed(mv, &checks, observer);
        nodes += if depth == 0 { leaf(&child.0) } else { perft_every_leaf(&child.0, depth, observer) };
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
    let nodes = sum(children(position).map(|(_, child)| perft_hashed(&child.0, depth - 1, table)));
    table.set(position, depth, nodes);
    nodes
}

/// A position that nobody looks at must be made all the same.
fn leaf(position: &Position) -> u64 {
    black_box(position);
    1
}

/// A copy that begins with a cache line, which makes it faster.
#[repr(align(64))]
struct Aligned(Position);

/// The positions one move away.
fn children(position: &Position) -> impl Iterator<Item = (Move, Aligned)> {
    let moves = position.legal_moves();
    let checks = Checks::new(position);
    (0..moves.len()).map(move |i| {
        let mut child = Aligned(*position);
        child.0.play_observed(moves[i], &checks, &mut ());
        (moves[i], child)
    })
}

/// Counts the leaves below each legal move on several threads.
///
/// The tree is cut some plies down and its parts are handed out one by one. `progress` is told of each finished part
/// (done, of all); `is_stopped` is asked now and then, and breaks the count off.
pub fn divide(
    position: &Position,
    depth: u32,
    threads: NonZeroUsize,
    table: Option<&PerftTable>,
    progress: &(impl Fn(usize, usize) + Sync),
    is_stopped: &(impl Fn() -> bool + Sync),
) -> Vec<Division> {
    let moves = if depth == 0 { MoveList::new() } else { position.legal_moves() };
    let parts = cut(position, depth);
    let counts: Vec<_> = moves.iter().map(|_| AtomicU64::new(0)).collect();
    let unfinished: Vec<_> =
        (0..moves.len()).map(|root| AtomicUsize::new(parts.iter().filter(|part| part.root == root).count())).collect();
    let next = AtomicUsize::new(0);
    let done = AtomicUsize::new(0);

    let work = || {
        while let Some(part) = parts.get(next.fetch_add(1, Ordering::Relaxed)) {
            let Some(leaves) = count(&part.position, part.depth, table, is_stopped) else { return };
            let add = |before: u64| Some(before.saturating_add(leaves));
            let _ = counts[part.root].fetch_update(Ordering::Relaxed, Ordering::Relaxed, add);
            unfinished[part.root].fetch_sub(1, Ordering::Relaxed);
            progress(done.fetch_add(1, Ordering::Relaxed) + 1, parts.len());
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.get().min(parts.len()) {
            // Where no more threads can be had, those that run do the work
            let spawned = thread::Builder::new().spawn_scoped(scope, work);
            if spawned.is_err() {
                break;
            }
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

/// How deep a subtree is counted without asking whether to stop: some milliseconds.
const UNINTERRUPTED: u32 = 5;

/// Counts leaves; none if the count is broken off.
fn count(
    position: &Position,
    depth: u32,
    table: Option<&PerftTable>,
    is_stopped: &(impl Fn() -> bool + Sync),
) -> Option<u64> {
    if is_stopped() {
        return None;
    }
    if depth <= UNINTERRUPTED {
        return Some(table.map_or_else(|| perft(position, depth), |table| perft_hashed(position, depth, table)));
    }
    if let Some(leaves) = table.and_then(|table| table.get(position, depth)) {
        return Some(leaves);
    }
    let mut leaves: u64 = 0;
    for (_, child) in children(position) {
        leaves = leaves.saturating_add(count(&child.0, depth - 1, table, is_stopped)?);
    }
    if let Some(table) = table {
        table.set(position, depth, leaves);
    }
    Some(leaves)
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

/// Cuts the tree two plies down, or up to four if it is deep, so that parts take about as long as a person waits.
fn cut(position: &Position, depth: u32) -> Vec<Part> {
    let Some(below) = depth.checked_sub(1) else { return Vec::new() };
    let roots = children(position).enumerate();
    let mut parts: Vec<Part> = roots.map(|(root, (_, child))| Part { root, position: child.0, depth: below }).collect();
    for _ in 1..depth.saturating_sub(6).clamp(2, 4) {
        if parts.first().is_none_or(|part| part.depth < 2) {
            break;
        }
        let deeper = |part: Part| {
            let children: Vec<_> = children(&part.position).collect();
            let (root, depth) = (part.root, part.depth - 1);
            children.into_iter().map(move |(_, child)| Part { root, position: child.0, depth })
        };
        parts = parts.into_iter().flat_map(deeper).collect();
    }
    parts
}

/// Numbers of leaves by position and depth, shared between threads without locks.
///
/// An entry is two words, the first masked with the second: a torn pair matches no position.
pub struct PerftTable {
    words: Box<[AtomicU64]>,
}

impl PerftTable {
    /// A table of this many megabytes; none if there is not so much memory. Fresh memory costs nothing until it is used.
    pub fn new(megabytes: NonZeroUsize) -> Option<PerftTable> {
        let words = megabytes.get().checked_mul(1 << 20)? / size_of::<AtomicU64>();
        bytemuck::allocation::try_zeroed_slice_box(words).ok().map(|words| PerftTable { words })
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

    fn entry(&self, key: u64) -> [&AtomicU64; 2] {
        let entries = self.words.len() / 2;
        let index = 2 * ((u128::from(key) * entries as u128) >> 64) as usize;
        [&self.words[index], &self.words[index + 1]]
    }
}
