//! Openings from books of every kind.

use std::collections::HashSet;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use chess::Position;
use engine::Weights;
use engine::openings::{Recipe, Start};
use flate2::Compression;
use flate2::write::GzEncoder;
use lab::arena::{
    Book, BookError, BookFormat, GenerationEnd, Order, Origin, Source, default_book, generate_openings, openings,
};
use proptest::prelude::*;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{EnPassantMode, Position as _};

/// A file that is removed when the test is over.
struct File(PathBuf);

impl File {
    fn new(name: &str, content: impl AsRef<[u8]>) -> File {
        let path = std::env::temp_dir().join(format!("lab-{}-{name}", std::process::id()));
        std::fs::write(&path, content).unwrap();
        File(path)
    }

    fn source(&self, order: Order) -> Source {
        Source { order, ..Source::new(Origin::File(self.0.to_str().unwrap().to_owned()), 7) }
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Positions that a number tells apart: pawns of White on the second or third rank.
fn numbered(number: usize) -> String {
    let pawns = |is_moved: bool| -> String {
        (0..8).map(|file| if (number >> file & 1 == 1) == is_moved { 'P' } else { '1' }).collect()
    };
    format!("rnbqkbnr/pppppppp/8/8/8/{}/{}/RNBQKBNR w KQkq -", pawns(true), pawns(false))
}

fn numbers(book: &Book) -> Vec<usize> {
    let known: Vec<Position> = (0..256).map(|number| numbered(number).parse().unwrap()).collect();
    book.positions.iter().map(|position| known.iter().position(|one| one == position).unwrap()).collect()
}

fn file_of(name: &str, count: usize) -> File {
    File::new(name, (0..count).map(|number| numbered(number) + "\n").collect::<String>())
}

#[test]
fn openings_come_in_order_from_a_starting_point() {
    let file = file_of("order.epd", 10);
    let chosen = |start, count| numbers(&openings(&Source { start, ..file.source(Order::Sequential) }, count).unwrap());
    assert_eq!(chosen(0, 3), [0, 1, 2]);
    assert_eq!(chosen(7, 2), [7, 8]);
    assert_eq!(chosen(8, 4), [8, 9, 0, 1], "after the last comes the first");
    assert_eq!(chosen(23, 3), [3, 4, 5]);
    assert_eq!(chosen(29, 3), [9, 0, 1]);
    assert_eq!(chosen(4, 1000), [4, 5, 6, 7, 8, 9, 0, 1, 2, 3], "none twice");
    assert_eq!(chosen(0, 1000).len(), 10);
}

#[test]
fn a_seed_shuffles_and_fewer_are_the_first_of_more() {
    let file = file_of("shuffle.epd", 200);
    let chosen =
        |seed, start, count| numbers(&openings(&Source { seed, start, ..file.source(Order::Random) }, count).unwrap());
    let all = chosen(1, 0, 1000);
    assert_eq!(all.iter().collect::<HashSet<_>>().len(), 200);
    assert_ne!(all, (0..200).collect::<Vec<_>>());
    assert_ne!(all, chosen(2, 0, 1000));
    assert_eq!(all[..20], chosen(1, 0, 20));
    assert_eq!(all[15..40], chosen(1, 15, 25));
    assert_eq!(chosen(1, 199, 3), [all[199], all[0], all[1]]);
    assert_eq!(chosen(1, 401, 2), all[1..3]);
}

#[test]
fn every_place_of_a_book_is_as_likely_as_any_other() {
    let file = file_of("fair.epd", 20);
    let mut first = [0; 20];
    for seed in 0..2000 {
        let book = openings(&Source { seed, ..file.source(Order::Random) }, 1).unwrap();
        first[numbers(&book)[0]] += 1;
    }
    // 100 each, give or take five standard deviations
    assert!(first.iter().all(|count| (51..150).contains(count)), "{first:?}");
}

#[test]
fn packed_books_are_unpacked() {
    let plain = file_of("plain.epd", 30);
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&std::fs::read(&plain.0).unwrap()).unwrap();
    let packed = File::new("packed.epd.gz", encoder.finish().unwrap());
    let chosen = |file: &File| numbers(&openings(&file.source(Order::Random), 30).unwrap());
    assert_eq!(chosen(&plain), chosen(&packed));
    let broken = File::new("broken.epd.gz", "this is not gzip");
    assert!(openings(&broken.source(Order::Random), 1).unwrap_err().to_string().contains("cannot be read"));
}

#[test]
fn bad_lines_are_named_and_finished_games_left_out() {
    let mate = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq -";
    let (one, two) = (numbered(1), numbered(2));
    let file = File::new("mixed.epd", format!("# a comment\r\n\r\n{one} id \"one\";\r\n{mate}\n{two} 0 1\n"));
    let book = openings(&file.source(Order::Sequential), 5).unwrap();
    assert_eq!((numbers(&book), book.finished), (vec![1, 2], 1));
    assert_eq!(book.remarks(), ["Left out of the openings, because the game is over: 1 positions."]);
    let bad = File::new("bad.epd", format!("{one}\n\nnonsense\n"));
    let error = openings(&bad.source(Order::Random), 5).unwrap_err().to_string();
    assert!(error.contains("bad.epd, line 3: FEN"), "{error}");
    let over = File::new("over.epd", mate);
    assert!(matches!(openings(&over.source(Order::Random), 5), Err(BookError::Finished(_))));
    let empty = File::new("empty.epd", "\n#\n");
    assert!(openings(&empty.source(Order::Sequential), 5).unwrap_err().to_string().ends_with("has no positions"));
}

const GAMES: &str = "\
[Event \"one\"]

1. e4 { best by test } e5 (1... c5 2. Nf3) 2. Nf3 $1 Nc6 3. Bb5 a6 1-0

[Event \"not legal\"]

1. e4 e5 2. Ke3 *

[Event \"other start\"]
[SetUp \"1\"]
[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]

1. e4 Kd7 2. Kd2 *

[Event \"another game\"]
[Variant \"Atomic\"]

1. e4 e5 *

[Event \"Chess960\"]
[Variant \"Chess960\"]
[FEN \"nqnrkr1b/pppppp1p/8/8/8/8/PPPPPP1P/NQNRKR1B w DFdf - 0 1\"]

1. O-O O-O 2. c4 *
";

#[test]
fn games_are_played_to_the_wanted_ply() {
    let file = File::new("games.pgn", GAMES);
    let book = |plies| openings(&Source { plies, ..file.source(Order::Sequential) }, 10).unwrap();
    let fens = |book: &Book| book.positions.iter().map(ToString::to_string).collect::<Vec<_>>();
    let whole = book(None);
    let expected = [
        "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4",
        "8/3k4/8/8/4P3/8/3K4/8 b - - 2 2",
        "nqnr1rkb/pppppp1p/8/8/2P5/8/PP1PPP1P/NQNR1RKB b - - 0 2",
    ];
    assert_eq!(fens(&whole), expected);
    assert_eq!(whole.broken, 2);
    let reasons: Vec<_> = whole.broken_games.iter().map(|game| (game.number, game.reason.as_str())).collect();
    assert_eq!(reasons, [(2, "Ke3 is not legal at ply 3"), (4, "the variant \"Atomic\" is not chess")]);
    assert!(whole.remarks()[0].contains("2 games (game 2: Ke3 is not legal at ply 3; game 4"));

    let two = book(Some(2));
    assert_eq!(fens(&two)[0], "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    assert_eq!(two.broken, 1, "what comes later is not looked at");
    assert_eq!(book(Some(0)).positions[0], Position::initial());
}

#[test]
fn a_file_of_broken_games_is_an_error_that_names_the_first() {
    let file = File::new("broken.pgn", "[Event \"?\"]\n\n1. e4 e4 *\n\n[Event \"?\"]\n\n1. Nf6 *\n");
    let error = openings(&file.source(Order::Random), 3).unwrap_err().to_string();
    assert!(error.ends_with("has no game that can be used; game 1: e4 is not legal at ply 2"), "{error}");
}

/// An entry of a Polyglot book.
fn entry(key: u64, mv: &str, weight: u16) -> Vec<u8> {
    let bytes = mv.as_bytes();
    let square = |place: usize| u16::from(bytes[place] - b'a') | u16::from(bytes[place + 1] - b'1') << 3;
    let mv = square(0) << 6 | square(2);
    [&key.to_be_bytes()[..], &mv.to_be_bytes(), &weight.to_be_bytes(), &[0; 4]].concat()
}

/// A book with one line of moves, keys by the position.
fn line(moves: &[&str]) -> Vec<u8> {
    let mut position = Position::initial();
    let entries = moves.iter().map(|mv| {
        let Zobrist64(key) = position.to_shakmaty().zobrist_hash(EnPassantMode::PseudoLegal);
        position.play(position.parse_uci(mv).unwrap());
        entry(key, mv, 1)
    });
    entries.collect::<Vec<_>>().concat()
}

#[test]
fn polyglot_keys_are_the_published_ones() {
    // The examples of the format's own description, with an en-passant capture and lost castling rights
    let keys = [
        (0x463b_9618_1691_fc9c, "e2e4"),
        (0x823c_9b50_fd11_4196, "d7d5"),
        (0x0756_b944_61c5_0fb0, "e4e5"),
        (0x662f_afb9_65db_29d4, "f7f5"),
        (0x22a4_8b5a_8e47_ff78, "e1e2"),
        (0x652a_607c_a3f2_42c1, "e8f7"),
        (0x00fd_d303_c946_bdd9, "e2d3"),
    ];
    let file = File::new("known.bin", keys.map(|(key, mv)| entry(key, mv, 1)).concat());
    let book = openings(&Source { plies: Some(7), ..file.source(Order::Random) }, 3).unwrap();
    let fens: Vec<String> = book.positions.iter().map(ToString::to_string).collect();
    assert_eq!(fens, ["rnbq1bnr/ppp1pkpp/8/3pPp2/8/3K4/PPPP1PPP/RNBQ1BNR b - - 3 4"]);
}

#[test]
fn polyglot_walks_castle_follow_weights_and_end_with_the_book() {
    let castling = line(&["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5", "e1h1"]);
    let file = File::new("castling.bin", castling);
    let book = openings(&file.source(Order::Sequential), 5).unwrap();
    assert_eq!(book.positions.len(), 1, "there is one line only");
    assert!(book.positions[0].to_string().contains("/RNBQ1RK1 b kq -"), "{}", book.positions[0]);

    // Three moves, of which one has no weight
    let start = 0x463b_9618_1691_fc9c;
    let entries = [entry(start, "e2e4", 300), entry(start, "d2d4", 100), entry(start, "a2a4", 0)].concat();
    let file = File::new("weights.bin", [entries, entry(start, "e2e5", 9)].concat());
    let mut firsts = [0, 0];
    for seed in 0..100 {
        let book = openings(&Source { seed, plies: Some(4), ..file.source(Order::Random) }, 5).unwrap();
        assert_eq!(book.positions.len(), 2);
        let is_king_pawn = book.positions[0].to_string().contains("4P3");
        firsts[usize::from(!is_king_pawn)] += 1;
    }
    assert!((58..92).contains(&firsts[0]), "three of four: {firsts:?}");

    let source = |file: &File| Source { format: Some(BookFormat::Polyglot), ..file.source(Order::Random) };
    let odd = File::new("odd.epd", "123");
    assert!(openings(&source(&odd), 1).unwrap_err().to_string().ends_with("is not a multiple of 16 bytes"));
    let foreign = File::new("foreign.bin", entry(1, "e2e4", 1));
    assert!(openings(&source(&foreign), 1).unwrap_err().to_string().ends_with("no move for the initial position"));
}

proptest! {
    #[test]
    fn no_file_makes_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..400), kind in 0..3usize) {
        let format = [BookFormat::Epd, BookFormat::Pgn, BookFormat::Polyglot][kind];
        let file = File::new(&format!("any-{kind}"), bytes);
        let _ = openings(&Source { format: Some(format), ..file.source(Order::Random) }, 5);
    }
}

#[test]
fn the_built_in_book_has_openings_for_thousands_of_rounds() {
    let book = default_book();
    let keys: HashSet<u64> = book.iter().map(|position| position.keys().full()).collect();
    assert!(keys.len() >= 5000 && keys.len() == book.len(), "{} of {}", keys.len(), book.len());
    assert!(book.iter().all(|position| position.outcome().is_none() && !position.is_check()));
    let chosen = openings(&Source::new(Origin::Builtin, 3), 100).unwrap();
    assert_eq!((chosen.positions.len(), chosen.finished), (100, 0));
    assert!(chosen.positions.iter().all(|position| keys.contains(&position.keys().full())));
}

#[test]
fn a_book_does_not_depend_on_threads() {
    let weights = Arc::new(Weights::load("default").unwrap());
    let recipe = Recipe { start: Start::Chess960, plies: 4..=5, range: 0..=70, nodes: 1500, seed: 2 };
    let make = |threads, count| {
        let mut made = Vec::new();
        let threads = NonZeroUsize::new(threads).unwrap();
        let generated = generate_openings(
            &recipe,
            &weights,
            count,
            threads,
            &mut |opening| made.push((opening.position.to_string(), opening.value)),
            &|| false,
        );
        assert_eq!((generated.openings, generated.end), (count, GenerationEnd::Complete));
        (made, generated.attempts)
    };
    let one = make(1, 25);
    assert_eq!(one, make(3, 25));
    assert_eq!(one.0[..10], make(2, 10).0);
    assert_eq!(one.0.iter().map(|(fen, _)| fen).collect::<HashSet<_>>().len(), 25);
    let interrupted = generate_openings(&recipe, &weights, 25, NonZeroUsize::MIN, &mut |_| (), &|| true);
    assert_eq!((interrupted.openings, interrupted.end), (0, GenerationEnd::Interrupted));
}

#[test]
fn where_there_are_no_more_openings_making_them_ends() {
    let weights = Arc::new(Weights::load("material").unwrap());
    // In check, hence never an opening
    let start = Start::Book(vec!["4k3/8/8/8/8/8/4r3/4K3 w - - 0 1".parse().unwrap()]);
    let recipe = Recipe { start, plies: 0..=0, range: 0..=10_000, nodes: 1, seed: 1 };
    let generated = generate_openings(&recipe, &weights, 9, NonZeroUsize::MIN, &mut |_| (), &|| false);
    assert_eq!((generated.openings, generated.end), (0, GenerationEnd::Exhausted));
}

#[test]
fn a_word_that_is_no_move_breaks_its_game_if_it_is_looked_at() {
    let file = File::new("stray.pgn", "[Event \"?\"]\n\n1. e4 {a\nQh9} e5 2. Qh9 Kd8 *\n\n[Event \"?\"]\n\n1. d4 *\n");
    let book = |plies| openings(&Source { plies, ..file.source(Order::Sequential) }, 10).unwrap();
    let whole = book(None);
    assert_eq!((whole.positions.len(), whole.broken_games[0].reason.as_str()), (1, "\"Qh9\" is no move at ply 3"));
    assert_eq!(book(Some(2)).broken, 0, "what comes later is not looked at");
}
