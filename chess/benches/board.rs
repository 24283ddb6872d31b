//! Our board beside cozy-chess and shakmaty, in one run: `make bench`.
//!
//! The contenders take turns on the same positions, round after round, and each keeps its best time, so that a noisy
//! machine disturbs all of them alike. What counts is the last column: cozy-chess's time divided by the contender's.

use std::hint::black_box;
use std::time::{Duration, Instant};

use chess::{MoveList, Observer, Piece, Position, Square, perft, perft_every_leaf};
use shakmaty::{CastlingMode, Chess, Position as _, fen::Fen};

struct Case {
    fen: &'static str,
    depth: u32,
}

const CASES: [Case; 4] = [
    Case { fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", depth: 5 },
    Case { fen: "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", depth: 4 },
    Case { fen: "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", depth: 6 },
    Case { fen: "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", depth: 4 },
];

const ROUNDS: usize = 9;

/// One position in each library's clothes.
struct Boards {
    ours: Position,
    cozy: cozy_chess::Board,
    shakmaty: Chess,
    depth: u32,
    near: Near,
}

/// The positions two plies away.
struct Near {
    ours: Vec<Position>,
    cozy: Vec<cozy_chess::Board>,
    shakmaty: Vec<Chess>,
}

struct Contender {
    name: &'static str,
    run: fn(&Boards) -> u64,
}

fn main() {
    let boards: Vec<Boards> = CASES.iter().map(Boards::new).collect();
    compare(
        "Perft, every leaf played",
        &boards,
        &[
            Contender { name: "cozy-chess 0.3.4", run: |b| cozy_every_leaf(&b.cozy, b.depth) },
            Contender { name: "shakmaty 0.30", run: |b| shakmaty_every_leaf(&b.shakmaty, b.depth) },
            Contender { name: "marquetry", run: |b| perft_every_leaf(&b.ours, b.depth, &mut ()) },
            Contender { name: "marquetry, observed", run: |b| perft_every_leaf(&b.ours, b.depth, &mut Sum(0)) },
        ],
    );
    compare(
        "Perft, last ply counted",
        &boards,
        &[
            Contender { name: "cozy-chess 0.3.4", run: |b| cozy_bulk(&b.cozy, b.depth) },
            Contender { name: "shakmaty 0.30", run: |b| shakmaty::perft(&b.shakmaty, b.depth) },
            Contender { name: "marquetry", run: |b| perft(&b.ours, b.depth) },
        ],
    );
    compare(
        "Captures generated at every position two plies away",
        &boards,
        &[
            Contender { name: "cozy-chess 0.3.4", run: |b| repeat(|| cozy_captures(b)) },
            Contender { name: "shakmaty 0.30", run: |b| repeat(|| shakmaty_captures(b)) },
            Contender { name: "marquetry", run: |b| repeat(|| our_captures(b)) },
        ],
    );
}

impl Boards {
    fn new(case: &Case) -> Boards {
        let ours = case.fen.parse().expect("a legal position");
        let cozy = case.fen.parse().expect("a legal position");
        let fen: Fen = case.fen.parse().expect("a FEN");
        let shakmaty = fen.into_position(CastlingMode::Standard).expect("a legal position");
        Boards { near: Near::new(&ours, &cozy, &shakmaty), ours, cozy, shakmaty, depth: case.depth }
    }
}

fn repeat(run: impl Fn() -> u64) -> u64 {
    (0..100).map(|_| run()).sum()
}

/// Lets the contenders take turns and prints their best times.
fn compare(title: &str, boards: &[Boards], contenders: &[Contender]) {
    let mut best = vec![vec![Duration::MAX; boards.len()]; contenders.len()];
    let mut counts = vec![0; contenders.len()];
    for round in 0..ROUNDS {
        for (b, board) in boards.iter().enumerate() {
            for (c, contender) in contenders.iter().enumerate() {
                let start = Instant::now();
                let count = black_box((contender.run)(black_box(board)));
                best[c][b] = best[c][b].min(start.elapsed());
                counts[c] += if round == 0 { count } else { 0 };
            }
        }
    }
    assert!(counts.iter().all(|&count| count == counts[0]), "{title}: the contenders disagree: {counts:?}");

    println!("\n### {title}\n");
    println!("| | million/s | times cozy-chess | by position |");
    println!("|---|---|---|---|");
    let total = |times: &[Duration]| times.iter().sum::<Duration>().as_secs_f64();
    for (contender, times) in contenders.iter().zip(&best) {
        let ratios: Vec<String> = best[0]
            .iter()
            .zip(times)
            .map(|(cozy, ours)| format!("{:.2}", cozy.as_secs_f64() / ours.as_secs_f64()))
            .collect();
        println!(
            "| {} | {:.1} | {:.2} | {} |",
            contender.name,
            counts[0] as f64 / total(times) / 1e6,
            total(&best[0]) / total(times),
            ratios.join(" ")
        );
    }
}

/// An observer about as heavy as an evaluation's accumulator: a table lookup for each change.
struct Sum(i64);

static WEIGHTS: [[i32; 64]; 12] = {
    let mut table = [[0; 64]; 12];
    let mut i = 0;
    while i < 12 * 64 {
        table[i / 64][i % 64] = (i * 2_654_435_761 % 1000) as i32;
        i += 1;
    }
    table
};

impl Sum {
    fn weight(piece: Piece, square: Square) -> i64 {
        i64::from(WEIGHTS[chess::Index::index(piece)][square.to_usize()])
    }
}

impl Observer for Sum {
    fn put(&mut self, piece: Piece, square: Square) {
        self.0 += Sum::weight(piece, square);
    }

    fn take(&mut self, piece: Piece, square: Square) {
        self.0 -= Sum::weight(piece, square);
    }

    fn shift(&mut self, piece: Piece, from: Square, to: Square) {
        self.0 += Sum::weight(piece, to) - Sum::weight(piece, from);
    }

    fn finish(&mut self, _: &Position) {
        black_box(self.0);
    }
}

fn cozy_every_leaf(board: &cozy_chess::Board, depth: u32) -> u64 {
    let Some(depth) = depth.checked_sub(1) else {
        return 1;
    };
    let mut list = CozyList::new();
    board.generate_moves(|set| {
        for mv in set {
            list.push(mv);
        }
        false
    });
    let mut nodes = 0;
    for &mv in list.as_slice() {
        let mut child = board.clone();
        child.play_unchecked(mv);
        nodes += if depth == 0 { leaf(&child) } else { cozy_every_leaf(&child, depth) };
    }
    nodes
}

/// A position that nobody looks at must be made all the same.
fn leaf<T>(position: &T) -> u64 {
    black_box(position);
    1
}

/// The same kind of list as ours: on the stack, without a check for room.
struct CozyList {
    moves: [cozy_chess::Move; 256],
    len: u8,
}

impl CozyList {
    fn new() -> CozyList {
        let none = cozy_chess::Move { from: cozy_chess::Square::A1, to: cozy_chess::Square::A1, promotion: None };
        CozyList { moves: [none; 256], len: 0 }
    }

    fn push(&mut self, mv: cozy_chess::Move) {
        self.moves[usize::from(self.len)] = mv;
        self.len += 1;
    }

    fn as_slice(&self) -> &[cozy_chess::Move] {
        &self.moves[..usize::from(self.len)]
    }
}

fn cozy_bulk(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|set| {
        if depth == 1 {
            nodes += set.len() as u64;
        } else {
            for mv in set {
                let mut child = board.clone();
                child.play_unchecked(mv);
                nodes += cozy_bulk(&child, depth - 1);
            }
        }
        false
    });
    nodes
}

fn shakmaty_every_leaf(board: &Chess, depth: u32) -> u64 {
    let Some(depth) = depth.checked_sub(1) else {
        return 1;
    };
    let mut nodes = 0;
    for mv in board.legal_moves() {
        let mut child = board.clone();
        child.play_unchecked(mv);
        nodes += if depth == 0 { leaf(&child) } else { shakmaty_every_leaf(&child, depth) };
    }
    nodes
}

/// Captures and promotions of each position, listed and counted.
fn our_captures(boards: &Boards) -> u64 {
    let mut count = 0;
    for position in &boards.near.ours {
        let mut moves = MoveList::new();
        position.captures(&mut moves);
        count += black_box(&moves).len() as u64;
    }
    count
}

fn cozy_captures(boards: &Boards) -> u64 {
    use cozy_chess::{BitBoard, Piece, Rank, Square};

    let mut count = 0;
    for board in &boards.near.cozy {
        let turn = board.side_to_move();
        let enemies = board.colors(!turn);
        let passed = board
            .en_passant()
            .map_or(BitBoard::EMPTY, |file| Square::new(file, Rank::Sixth.relative_to(turn)).bitboard());
        let pawn_targets = enemies | passed | Rank::Eighth.relative_to(turn).bitboard();
        let mut list = CozyList::new();
        board.generate_moves(|mut set| {
            set.to &= if set.piece == Piece::Pawn { pawn_targets } else { enemies };
            for mv in set {
                list.push(mv);
            }
            false
        });
        count += black_box(&list).as_slice().len() as u64;
    }
    count
}

fn shakmaty_captures(boards: &Boards) -> u64 {
    let mut count = 0;
    for position in &boards.near.shakmaty {
        let captures = position.capture_moves();
        let promotions = position.promotion_moves();
        count += captures.len() as u64 + promotions.iter().filter(|mv| !mv.is_capture()).count() as u64;
    }
    count
}

impl Near {
    fn new(ours: &Position, cozy: &cozy_chess::Board, chess: &Chess) -> Near {
        let mut near = Near { ours: Vec::new(), cozy: Vec::new(), shakmaty: Vec::new() };
        for &first in &ours.legal_moves() {
            let mut child = *ours;
            child.play(first);
            for &second in &child.legal_moves() {
                let mut position = child;
                position.play(second);
                near.ours.push(position);

                let mut board = cozy.clone();
                let mut other = chess.clone();
                for mv in [first, second] {
                    let uci = format!("{mv:?}");
                    board.play_unchecked(uci.parse().expect("cozy-chess writes castling as we do"));
                    let parsed: shakmaty::uci::UciMove = uci.parse().expect("UCI");
                    other.play_unchecked(parsed.to_move(&other).expect("a legal move"));
                }
                near.cozy.push(board);
                near.shakmaty.push(other);
            }
        }
        near
    }
}
