//! Real tables against the rules of chess, and with bytes changed at random.

use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use chess::{Outcome, Position, Trail};
use engine::{Limits, Memory, RankedMove, Report, Signal, Tablebases, Task, Trace, Wdl, Weights, search};
use fastrand::Rng;

use super::made::Directory;

/// The directory of SYZYGY_PATH; without it the test says that it was skipped.
fn directory() -> Option<String> {
    let directory = std::env::var("SYZYGY_PATH").ok().filter(|path| !path.is_empty());
    if directory.is_none() {
        // Not by a macro, whose output is shown for failed tests only
        let _ = writeln!(std::io::stderr(), "SYZYGY_PATH is not set: a test of real endgame tables was skipped");
    }
    directory
}

fn open() -> Option<Tablebases> {
    let (tables, messages) = Tablebases::open(&directory()?);
    assert!(messages.is_empty() && tables.largest() >= 4, "{messages:?}");
    Some(tables)
}

const ENDINGS: [&str; 12] =
    ["QvK", "RvK", "PvK", "BNvK", "QvKR", "RvKN", "RvKP", "PvKP", "QvKP", "BPvK", "BBvK", "PPvK"];

/// A position of some ending, with the pieces anywhere and the clock at zero.
fn random_position(rng: &mut Rng) -> Position {
    loop {
        let (white, black) = rng.choice(ENDINGS).and_then(|ending| ending.split_once("vK")).unwrap();
        let mut board = ['1'; 64];
        for piece in format!("Kk{white}{}", black.to_lowercase()).chars() {
            board[rng.usize(..64)] = piece;
        }
        let ranks: Vec<String> = board.chunks(8).map(|rank| rank.iter().collect()).collect();
        let fen = format!("{} {} - - 0 1", ranks.join("/"), if rng.bool() { 'w' } else { 'b' });
        let complete = board.iter().filter(|&&square| square != '1').count() == 2 + white.len() + black.len();
        if let Some(position) = fen.parse::<Position>().ok().filter(|_| complete) {
            return if rng.bool() { position.mirrored() } else { position };
        }
    }
}

/// The positions after each legal move.
fn successors(position: &Position) -> Vec<Position> {
    let after = |&mv| {
        let mut after = *position;
        after.play(mv);
        after
    };
    position.legal_moves().iter().map(after).collect()
}

#[test]
fn known_positions_have_their_known_values() {
    let Some(tables) = open() else { return };
    for (fen, wdl, dtz) in [
        ("8/8/8/4k3/8/8/4K3/4R3 b - - 0 1", Wdl::Loss, -28),
        ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", Wdl::Win, 3),
        ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", Wdl::Loss, -4),
        ("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1", Wdl::Draw, 0),
        ("7k/8/8/8/8/8/8/KBN5 w - - 0 1", Wdl::Win, 56),
        ("8/8/8/8/3k4/8/8/KQ5r w - - 0 1", Wdl::Win, 1),
        ("8/2P5/8/1k6/8/8/r7/1K6 w - - 0 1", Wdl::Win, 1),
        ("8/2P5/1K6/8/3r4/8/8/k7 w - - 0 1", Wdl::Win, 1),
        ("7k/5Q2/8/6K1/8/8/8/8 b - - 0 1", Wdl::Draw, 0),
        ("6k1/6Q1/6K1/8/8/8/8/8 b - - 0 1", Wdl::Loss, -1),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Wdl::Draw, 0),
        ("8/8/8/8/8/1k6/1p6/1K6 w - - 0 1", Wdl::Draw, 0),
        ("2K5/8/8/5kpP/8/8/8/8 w - g6 0 1", Wdl::Draw, 0),
        ("2K5/8/8/5kpP/8/8/8/8 w - - 0 1", Wdl::Loss, -1),
        ("8/8/8/8/Pp5k/8/8/4K3 b - a3 0 1", Wdl::Win, 1),
        ("8/8/8/8/Pp5k/8/8/4K3 b - - 0 1", Wdl::Loss, -1),
        ("4k3/8/5K2/6Pp/8/8/8/8 w - h6 0 1", Wdl::Win, 1),
        ("4k3/8/5K2/6Pp/8/8/8/8 w - - 0 1", Wdl::Draw, 0),
    ] {
        let position: Position = fen.parse().unwrap();
        assert_eq!((tables.wdl(&position), tables.dtz(&position)), (Some(wdl), Some(dtz)), "{fen}");
    }
}

#[test]
fn a_position_is_worth_the_best_of_its_moves() {
    let Some(tables) = open() else { return };
    let rng = &mut Rng::with_seed(1);
    for _ in 0..3000 {
        let position = random_position(rng);
        let best = successors(&position).iter().map(|after| -tables.wdl(after).unwrap()).max();
        let at_end = if position.is_check() { Wdl::Loss } else { Wdl::Draw };
        assert_eq!(tables.wdl(&position), Some(best.unwrap_or(at_end)), "{position}");
        assert_eq!(tables.dtz(&position).unwrap().signum(), best.unwrap_or(at_end).signum(), "{position}");
    }
}

/// Plays on with `choose` for the winner and the longest defence for the loser; panics unless mate follows.
///
/// Returns whether any position came back, if only once.
fn win(tables: &Tablebases, mut position: Position, mut choose: impl FnMut(&[RankedMove]) -> RankedMove) -> bool {
    let (start, winner) = (position, position.turn());
    let mut has_repeated = false;
    let mut trail = Trail::new();
    while position.has_legal_move() {
        assert_ne!(position.outcome(), Some(Outcome::FiftyMoves), "from {start} to {position}");
        trail.start_search();
        assert!(!trail.is_repetition(&position), "from {start} to {position}");
        has_repeated |= trail.has_repeated(&position);
        let ranked = tables.rank_root(&position, &trail).unwrap();
        let ours = position.turn() == winner;
        assert_eq!(ranked[0].wdl, if ours { Wdl::Win } else { Wdl::Loss }, "from {start} to {position}");
        let best = ranked.partition_point(|ranked_move| ranked_move.rank == ranked[0].rank);
        let chosen = if ours { choose(&ranked[..best]) } else { ranked[0] };
        trail.push(&position);
        position.play(chosen.mv);
    }
    assert_eq!(position.outcome(), Some(Outcome::Checkmate { winner }), "from {start}");
    has_repeated
}

#[test]
fn wins_are_won_by_any_of_the_best_moves_before_fifty_moves_and_without_repetition() {
    let Some(tables) = open() else { return };
    let rng = &mut Rng::with_seed(2);
    let mut won = 0;
    while won < 200 {
        let mut position = random_position(rng);
        if tables.wdl(&position) != Some(Wdl::Win) {
            continue;
        }
        // A clock that leaves just enough time, or more
        let latest = 98 - tables.dtz(&position).unwrap();
        let clock = if rng.bool() { latest } else { rng.i32(0..=latest) };
        position = position.to_string().replace("- - 0", &format!("- - {clock}")).parse().unwrap();
        assert!(!win(&tables, position, |best| best[0]), "{position}");
        win(&tables, position, |best| *rng.choice(best).unwrap());
        won += 1;
    }
}

#[test]
fn threads_share_the_tables() {
    let Some(tables) = open() else { return };
    let values = || {
        let rng = &mut Rng::with_seed(3);
        (0..500).map(|_| tables.wdl(&random_position(rng))).collect::<Vec<_>>()
    };
    let all: Vec<_> = std::thread::scope(|scope| {
        let threads = [(); 4].map(|()| scope.spawn(values));
        threads.map(|thread| thread.join().unwrap()).into()
    });
    assert!(all.windows(2).all(|pair| pair[0] == pair[1]) && all[0].iter().all(Option::is_some));
}

#[test]
fn changed_bytes_are_never_more_than_a_wrong_value() {
    let Some(source) = directory() else { return };
    let directory = Directory::new("changed");
    for name in ["KPvK", "KQvK", "KRvK", "KBvK", "KNvK", "KPvKP", "KQvKP", "KQvKR", "KRvKP", "KBNvK"] {
        for ending in ["rtbw", "rtbz"] {
            let file = format!("{name}.{ending}");
            std::fs::copy(Path::new(&source).join(&file), directory.0.join(&file)).unwrap();
        }
    }
    let rng = &mut Rng::with_seed(4);
    let mut complaints = 0;
    for _ in 0..300 {
        let name = rng.choice(["KPvKP.rtbw", "KPvKP.rtbz", "KQvKR.rtbz", "KQvKP.rtbw", "KBNvK.rtbw"]).unwrap();
        let sound = std::fs::read(Path::new(&source).join(name)).unwrap();
        let mut changed = sound.clone();
        // Mostly in the head, where a byte decides how all others are read
        let reach = *rng.choice(&[32, 600, sound.len()]).unwrap();
        for _ in 0..rng.usize(1..4) {
            changed[rng.usize(4..reach)] = rng.u8(..);
        }
        directory.write(name, &changed);
        let (tables, messages) = directory.open();
        for _ in 0..30 {
            let position = random_position(rng);
            tables.rank_root(&position, &Trail::new());
        }
        complaints += messages.len() + tables.complaints().len();
        directory.write(name, &sound);
    }
    assert!(complaints > 30, "{complaints}");
}

/// The last report of a search with tables.
fn searched(tables: Tablebases, fen: &str, nodes: u64) -> Report {
    let position: Position = fen.parse().unwrap();
    let weights = Arc::new(Weights::load("default").unwrap());
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let task = Task { tablebases: Some(Arc::new(tables)), ..Task::new(position, weights, limits) };
    search(&task, &mut Memory::new(4).unwrap(), &Signal::new(false), &mut |_| ()).unwrap()
}

#[test]
fn a_search_knows_the_result_at_the_root_and_finds_it_in_the_tree() {
    let Some(tables) = open() else { return };
    // Bishop and knight mate is far away, but it is a win, and only moves that keep it are looked at
    let won = searched(tables, "8/8/8/3k4/8/8/3BN3/3K4 w - - 0 1", 2_000);
    assert!(won.value > 29_000 && won.table_hits > 0, "{won:?}");
    // A rook's pawn with the wrong bishop: all material says win, the tables say draw
    let Some(tables) = open() else { return };
    let drawn = searched(tables, "k7/8/8/8/8/P7/1B6/2K5 w - - 0 1", 2_000);
    assert_eq!(drawn.value, 0, "{drawn:?}");
    // One capture leads into the tables
    let Some(tables) = open() else { return };
    let near = searched(tables, "8/8/8/8/3k1p2/8/3B1P2/3K4 w - - 0 1", 20_000);
    assert!(near.value > 29_000 && near.table_hits > 10, "{near:?}");
}

/// The FEN of a board with these men on it, counted from a8; of two on one square the later one stands. Turn 0 is White's.
fn placed(men: &[(usize, char)], turn: usize) -> String {
    let mut board = ['1'; 64];
    for &(square, piece) in men {
        board[square] = piece;
    }
    let ranks: Vec<String> = board.chunks(8).map(|rank| rank.iter().collect()).collect();
    format!("{} {} - - 0 1", ranks.join("/"), ['w', 'b'][turn])
}

#[test]
fn king_and_pawn_against_king_is_known_as_tables_know_it() {
    let Some(tables) = open() else { return };
    let weights = Weights::load("default").unwrap();
    let mut compared = 0;
    for place in 0..48 * 64 * 64 * 2 {
        let (pawn, king, lone, turn) = (8 + place / 2 / 64 / 64, place / 2 / 64 % 64, place / 2 % 64, place % 2);
        // The right half of the board mirrors the left one, so that a part of it will do
        if pawn == king || pawn == lone || king == lone || (pawn % 8 > 3 && place % 11 != 0) {
            continue;
        }
        let fen = placed(&[(pawn, 'P'), (king, 'K'), (lone, 'k')], turn);
        let Ok(position) = fen.parse::<Position>() else { continue };
        let trace = Trace::of(&position, &weights);
        if trace.outcome.is_some() {
            continue;
        }
        let is_found = |term: &str| trace.rows.iter().any(|row| row.term == term && row.white.count == 1);
        let is_won = tables.wdl(&position).unwrap() != Wdl::Draw;
        assert_eq!((is_found("won_ending"), is_found("drawn_pawn_ending")), (is_won, !is_won), "{fen}");
        assert!(is_won || trace.white_cp == 0, "{fen}: {}", trace.white_cp);
        compared += 1;
    }
    assert!(compared > 160_000, "{compared}");
}

#[test]
fn bishop_and_knight_against_king_are_known_as_tables_know_them() {
    let Some(tables) = open() else { return };
    let weights = Weights::load("default").unwrap();
    let (mut won, mut drawn) = (0, 0);
    // One place in 311, so that every square and both sides to move are seen with every other
    for place in (0..64 * 64 * 64 * 64 * 2).step_by(311) {
        let (turn, men) = (place % 2, [1, 7, 13, 19].map(|shift| place >> shift & 63));
        let [king, bishop, knight, lone] = men;
        let fen = placed(&[(king, 'K'), (bishop, 'B'), (knight, 'N'), (lone, 'k')], turn);
        let Ok(position) = fen.parse::<Position>() else { continue };
        if position.occupied().count() < 4 {
            continue;
        }
        let trace = Trace::of(&position, &weights);
        if trace.outcome.is_some() {
            continue;
        }
        let is_found = |term: &str| trace.rows.iter().any(|row| row.term == term && row.white.count == 1);
        let found = ["won_ending", "lone_king_mate", "drawn_bishop_and_knight"].map(is_found);
        let is_won = tables.wdl(&position).unwrap() != Wdl::Draw;
        assert_eq!(found, [is_won, is_won, !is_won], "{fen}");
        assert!(is_won || trace.white_cp < 150, "{fen}: {}", trace.white_cp);
        if is_won { won += 1 } else { drawn += 1 }
    }
    assert!(won > 50_000 && drawn > 3_000, "{won} {drawn}");
}
