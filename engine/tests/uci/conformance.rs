//! What graphical programs and bots stumble over, one by one.

use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use chess::{Position, Trail};
use engine::uci::Session;

use crate::talk::{Talk, number};

#[test]
fn the_end_of_input_ends_a_search() {
    for input in ["position startpos\ngo infinite\n", "go ponder wtime 1000 btime 1000", "go infinite\r\nquit\r\n"] {
        let output = Arc::new(Mutex::new(Vec::new()));
        let session = Session::new(output.clone() as Arc<Mutex<dyn Write + Send>>).unwrap();
        let start = Instant::now();
        session.run(input.as_bytes()).unwrap();
        assert!(start.elapsed() < Duration::from_secs(5));
        let text = String::from_utf8(output.lock().unwrap().clone()).unwrap();
        assert_eq!(text.matches("bestmove").count(), 1, "{text}");
    }
}

/// Whoever listens is gone, or there is no room for more.
struct Failing(std::io::ErrorKind);

impl Write for Failing {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        Err(self.0.into())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn replies_that_could_not_be_written_are_an_error_at_the_end_but_not_if_nobody_listens_any_more() {
    use std::io::ErrorKind::{BrokenPipe, StorageFull};
    for (kind, expected) in [(StorageFull, Some(StorageFull)), (BrokenPipe, None)] {
        let session = Session::new(Arc::new(Mutex::new(Failing(kind)))).unwrap();
        let result = session.run(&b"uci\nisready\ngo depth 1\n"[..]);
        assert_eq!(result.err().map(|error| error.kind()), expected);
    }
}

#[test]
fn line_ends_tabs_and_blanks_of_all_kinds_are_understood() {
    let output = Arc::new(Mutex::new(Vec::new()));
    let session = Session::new(output.clone() as Arc<Mutex<dyn Write + Send>>).unwrap();
    session.run(&b"\r\n\t\n  isready \r\n\tposition\tstartpos  moves\te2e4\r\nd\r\n\xff\xfe\r\nquit"[..]).unwrap();
    let text = String::from_utf8(output.lock().unwrap().clone()).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "readyok");
    assert!(lines[1].starts_with("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq"), "{text}");
    assert!(lines[2].ends_with("is not known") && lines.len() == 3, "{text}");
}

#[test]
fn values_are_rounded_or_refused_with_a_word() {
    let mut talk = Talk::new();
    assert_eq!(talk.send("setoption name MultiPV value 2.4"), "");
    assert!(!talk.send("go depth 2").contains("multipv 3"));
    assert_eq!(talk.send("setoption name MultiPV value 2.5"), "");
    assert!(talk.send("go depth 2").contains("multipv 3"));
    for (line, words) in [
        ("setoption name Hash", "Hash needs a number, not \"\""),
        ("setoption name Hash value", "Hash needs a number, not \"\""),
        ("setoption name Threads value nan", "Threads needs a number"),
        ("setoption name Threads value 0", "Threads is set to 1, the nearest allowed"),
        ("setoption name MultiPV value 1e9", "MultiPV is set to 256, the nearest allowed"),
        ("setoption name value 3", "setoption needs a name"),
        ("setoption name", "setoption needs a name"),
        ("setoption Hash 3", "setoption needs a name"),
    ] {
        let text = talk.send(line);
        assert!(
            text.starts_with("info string ") && text.contains(words) && text.lines().count() == 1,
            "{line}: {text}"
        );
    }
    assert_eq!(talk.send("setoption name Ponder value true"), "");
}

#[test]
fn positions_are_read_in_every_usual_form() {
    let mut talk = Talk::new();
    for (line, fen) in [
        ("position startpos moves", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        ("position fen 4k3/8/8/8/8/8/8/4K2R w K -", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
        ("position fen 4k3/8/8/8/8/8/8/4K2R w K - moves e1g1", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"),
        ("position fen 4k3/8/8/8/8/8/8/4K2R w K - moves e1h1", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"),
        (
            "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        ),
    ] {
        assert_eq!(talk.send(line), "", "{line}");
        assert_eq!(talk.send("d").lines().next().unwrap(), fen, "{line}");
    }
    // X-FEN: the outermost rook unless the file is named
    assert_eq!(talk.send("position fen 1rk1r3/8/8/8/8/8/8/1RK1R1R1 w Ekq - 0 1"), "");
    assert!(talk.send("d").contains(" w E"));
}

#[test]
fn impossible_positions_are_refused_and_the_last_one_stays() {
    let mut talk = Talk::new();
    talk.send("position startpos moves e2e4");
    let before = talk.send("d");
    for fen in [
        "4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1",
        "8/8/8/8/8/8/8/4K3 w - - 0 1",
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "4k3/8/8/8/8/8/8/4RK2 w - - 0 1",
        "QQQQQ3/QQQQQ3/8/8/8/7k/8/K7 w - - 0 1",
        "P3k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - e3 0 1",
        "4k3/8/8/8/8/8/8/4K3 x - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - - -5 1",
        "4k3/9/8/8/8/8/8/4K3 w - - 0 1",
    ] {
        let text = talk.send(&format!("position fen {fen}"));
        assert!(text.starts_with("info string FEN, ") && text.ends_with("stays as it was\n"), "{fen}: {text}");
        assert_eq!(text.lines().count(), 1, "{fen}: {text}");
        assert_eq!(talk.send("d"), before, "{fen}");
    }
    // As many queens as a side can have
    talk.send("position fen QQQQQ3/QQQQ4/7k/8/8/8/8/K7 w - - 0 1");
    assert!(talk.send("go depth 2").contains("score mate"));
}

#[test]
fn every_search_shows_a_score_and_a_line_and_plays_it() {
    let mut talk = Talk::new();
    for position in ["startpos", "startpos moves e2e4", "fen 7k/8/8/8/8/8/1r6/K7 w - - 0 1"] {
        for limits in [
            "depth 1",
            "nodes 1",
            "movetime 0",
            "movetime 1",
            "wtime 0",
            "wtime 1 winc 0",
            "wtime -5 btime 7",
            "btime 20",
            "wtime 20 btime 20 movestogo 0",
            "wtime 20 btime 20 movestogo 1",
            "wtime 20 btime 20 winc 5 binc 5 movestogo 40 depth 60 nodes 900 mate 9 movetime 30",
            "movetime 25 infinite_ depth 2",
        ] {
            talk.session.handle(&format!("position {position}"));
            let start = Instant::now();
            talk.session.handle(&format!("go {limits}"));
            // A clock of the other side alone says nothing about ours
            std::thread::sleep(Duration::from_millis(40));
            talk.session.handle("stop");
            let text = talk.send("");
            assert!(start.elapsed() < Duration::from_secs(1), "{limits}");
            let best = text.lines().last().and_then(|line| line.strip_prefix("bestmove ")).expect(limits);
            let shown = text.lines().rfind(|line| line.contains(" score ")).expect(limits);
            let first = shown.split(" pv ").nth(1).unwrap().split(' ').next().unwrap();
            assert_eq!(best.split(' ').next().unwrap(), first, "{limits}: {text}");
        }
    }
}

#[test]
fn an_answer_is_held_at_the_last_depth_too() {
    let mut talk = Talk::new();
    for go in ["go infinite depth 1", "go ponder depth 1", "go infinite nodes 10", "go infinite movetime 1"] {
        talk.session.handle("position startpos");
        talk.session.handle(go);
        std::thread::sleep(Duration::from_millis(50));
        assert!(!talk.received().contains("bestmove"), "{go}");
        assert_eq!(talk.send("stop").matches("bestmove").count(), 1, "{go}");
    }
}

#[test]
fn a_search_answers_at_once_and_ponderhit_is_for_pondering() {
    let mut talk = Talk::new();
    talk.session.handle("go infinite");
    let start = Instant::now();
    talk.session.handle("isready");
    assert!(talk.received().contains("readyok") && start.elapsed() < Duration::from_millis(500));
    talk.session.handle("ponderhit");
    std::thread::sleep(Duration::from_millis(30));
    assert!(!talk.received().contains("bestmove"), "an infinite search goes on");
    talk.send("stop");
    assert_eq!(talk.send("ponderhit"), "", "an idle ponderhit is silent");
    // A ponder miss: stop, and another position
    talk.session.handle("position startpos moves e2e4 e7e5");
    talk.session.handle("go ponder wtime 100 btime 100");
    let text = talk.send("stop\nposition startpos moves e2e4 c7c5\ngo depth 3");
    assert_eq!(text.matches("bestmove").count(), 2, "{text}");
}

#[test]
fn a_table_that_cannot_be_had_changes_nothing() {
    let mut talk = Talk::new();
    talk.send("go depth 6");
    assert!(talk.send("setoption name Hash value 33554432").contains("cannot be had; Hash stays 16 MB"));
    // The old table still knows the search that has just been made
    let text = talk.send("go depth 6");
    assert!(number(text.lines().rfind(|line| line.contains(" hashfull ")).unwrap(), "hashfull") >= 0);
    assert!(text.contains("bestmove"));
}

#[test]
fn lines_are_legal_and_end_where_the_game_ends_and_numbers_are_whole() {
    let mut talk = Talk::new();
    talk.send("setoption name MultiPV value 3\nsetoption name Hash value 1");
    for fen in [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/8/8/8/8/4k3/4p3/4K3 b - - 0 1",
        "7k/8/8/8/8/8/R7/1R2K3 w - - 97 80",
        "8/5k2/3p4/1p1Pp2p/pP2Pp1P/P4P1K/8/8 b - - 96 50",
        "6k1/8/8/8/8/8/1Q6/R5K1 w - - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    ] {
        let text = talk.send(&format!("position fen {fen}\ngo nodes 60000"));
        for line in text.lines().filter(|line| line.starts_with("info ")) {
            let (facts, pv) = line.split_once(" pv ").unwrap();
            for word in ["depth", "seldepth", "multipv", "nodes", "nps", "time"] {
                assert!(number(facts, word) >= 0, "{line}");
            }
            assert!((0..=1000).contains(&number(facts, "hashfull")), "{line}");
            let (mut position, mut trail): (Position, _) = (fen.parse().unwrap(), Trail::new());
            for mv in pv.split(' ') {
                assert!(position.outcome().is_none() && !trail.has_repeated(&position), "{line}");
                assert_eq!(mv, mv.to_lowercase());
                trail.push(&position);
                position.play(position.parse_uci(mv).unwrap_or_else(|error| panic!("{error}: {line}")));
            }
        }
    }
}

#[test]
fn a_reader_who_does_not_read_does_not_hold_up_the_search() {
    let gate = Arc::new(Mutex::new(Vec::new()));
    let mut session = Session::new(gate.clone() as Arc<Mutex<dyn Write + Send>>).unwrap();
    let closed = gate.lock().unwrap();
    let start = Instant::now();
    session.handle("position startpos");
    session.handle("go movetime 60");
    // The next search can only begin when this one is over
    std::thread::sleep(Duration::from_millis(150));
    session.handle("go depth 1");
    assert!(start.elapsed() < Duration::from_secs(2));
    drop(closed);
    session.wait();
    assert_eq!(String::from_utf8_lossy(&gate.lock().unwrap()).matches("bestmove").count(), 2);
}

#[test]
fn repetitions_are_remembered_over_thousands_of_plies() {
    let mut talk = Talk::new();
    let shuffle = "b2c2 g8h8 c2b2 h8g8 ".repeat(1499);
    let moves = format!("{shuffle} b2c2 g8h8 c2b2");
    let fen = "6k1/8/8/8/8/8/1Q6/R5K1 w - - 0 1";
    let text = talk.send(&format!("position fen {fen} moves {moves}\ngo depth 4"));
    assert!(text.contains("score cp 0 "), "{text}");
}

#[test]
fn the_last_line_counts_all_nodes() {
    for nodes in [5_000, 20_011, 60_000] {
        let text = Talk::new().send(&format!("position startpos\ngo nodes {nodes}"));
        let last = text.lines().rfind(|line| line.starts_with("info depth")).unwrap();
        assert_eq!(number(last, "nodes"), nodes, "{text}");
    }
}
