//! UCI, line by line: what is sent, and what must come back.

mod conformance;
mod mates;
mod talk;

use std::io::Write;
use std::sync::{Arc, Mutex};

use engine::uci::Session;
use talk::{Talk, number};

#[test]
fn it_introduces_itself() {
    let text = Talk::new().send("uci");
    assert!(text.starts_with("id name Marquetry"));
    assert!(text.ends_with("uciok\n"));
    for option in [
        "Hash type spin default 16 min 1 max 33554432",
        "Clear Hash type button",
        "Threads type spin default 1 min 1 max 1024",
        "Ponder type check default false",
        "MultiPV type spin default 1 min 1 max 256",
        "Move Overhead type spin default 10 min 0 max 5000",
        "UCI_Chess960 type check default false",
        "UCI_ShowWDL type check default false",
        "UCI_AnalyseMode type check default false",
        "UCI_LimitStrength type check default false",
        "UCI_Elo type spin default 2000 min 1000 max 2800",
        "EvalFile type string default default",
        "UsePSTInterpolation type check default true",
    ] {
        assert!(text.contains(&format!("option name {option}\n")), "{option}");
    }
    assert!(text.lines().all(|line| line == line.trim_end()), "no trailing blanks");
}

#[test]
fn it_finds_mates_in_one_and_two_and_says_so() {
    let mut talk = Talk::new();
    let text = talk.send("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1\ngo depth 3");
    assert!(text.contains("score mate 1") && text.contains("bestmove a1a8"), "{text}");
    let text = talk.send("position fen 7k/8/8/8/8/8/R7/1R2K3 w - - 0 1\ngo mate 2");
    assert!(
        text.contains("score mate 2") && text.contains("bestmove a2a7") || text.contains("bestmove b1b7"),
        "{text}"
    );
    let text = talk.send("position fen 7k/1R6/8/8/8/8/R7/4K3 b - - 0 1\ngo depth 4");
    assert!(text.contains("score mate -1") && text.contains("bestmove h8g8"), "{text}");
}

#[test]
fn a_finished_game_has_no_best_move() {
    let mut talk = Talk::new();
    for fen in ["R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", "7k/8/6Q1/8/8/8/8/4K3 b - - 0 1"] {
        let text = talk.send(&format!("position fen {fen}\ngo depth 5"));
        assert!(text.ends_with("bestmove (none)\n"), "{text}");
        assert!(text.contains("info depth 0 score"), "{text}");
    }
}

#[test]
fn bad_input_is_named_and_changes_nothing() {
    let mut talk = Talk::new();
    talk.send("position startpos moves e2e4");
    let before = talk.send("d");
    for (line, words) in [
        ("position fen 8/8/8 w - - 0 1", "8 ranks are needed, not 3; the position stays as it was"),
        ("position startpos moves e2e4 e2e4", "no piece stands on e2"),
        ("position", "position needs startpos or fen"),
        ("position fen", "board: missing"),
        ("setoption name Nonsense value 3", "there is no option \"Nonsense\""),
        ("setoption", "setoption needs a name"),
        ("setoption name Hash value lots", "Hash needs a number, not \"lots\""),
        ("setoption name UCI_Chess960 value perhaps", "UCI_Chess960 needs true or false"),
        ("setoption name EvalFile value handcraft", "did you mean `handcrafted`?; the weights stay default"),
        ("hello", "\"hello\" is not known"),
    ] {
        let text = talk.send(line);
        assert!(text.starts_with("info string ") && text.contains(words), "{line}: {text}");
        assert_eq!(text.lines().count(), 1, "{line}: {text}");
        assert_eq!(talk.send("d"), before, "{line}");
    }
    assert_eq!(talk.send("\n\t\n  \r"), "");
    assert!(talk.send("  isready\r").contains("readyok"));
}

#[test]
fn options_are_found_whatever_their_capitals_and_kept_within_range() {
    let mut talk = Talk::new();
    assert_eq!(talk.send("setoption name hash value 2"), "");
    assert_eq!(talk.send("setoption name MOVE OVERHEAD value 12.6"), "");
    assert_eq!(
        talk.send("setoption name Move Overhead value -5"),
        "info string Move Overhead is set to 0, the nearest allowed\n"
    );
    assert_eq!(talk.send("setoption name Clear Hash"), "");
    assert!(talk.send("setoption name Hash value 33000000").contains("cannot be had; Hash stays 2 MB"));
}

#[test]
fn weights_and_interpolation_change_the_evaluation() {
    let mut talk = Talk::new();
    talk.send("position fen 8/P4pk1/4p1p1/3pP2p/1R1P3P/r5P1/5P2/6K1 w - - 3 40");
    let default = talk.send("eval");
    talk.send("setoption name EvalFile value seajay");
    let seajay = talk.send("eval");
    assert_ne!(default, seajay);
    talk.send("setoption name UsePSTInterpolation value false");
    let middlegame = talk.send("eval");
    assert_ne!(seajay, middlegame);
    talk.send("setoption name EvalFile value seajay");
    assert_eq!(talk.send("eval"), seajay, "loading a file sets the switch again");
}

#[test]
fn every_limit_ends_a_search_with_a_legal_move() {
    let mut talk = Talk::new();
    for limits in [
        "depth 1",
        "depth 4",
        "nodes 1",
        "nodes 5000",
        "movetime 1",
        "movetime 30",
        "wtime 0 btime 0",
        "wtime 1 btime 1",
        "wtime -100 btime -100",
        "wtime 100 btime 100 winc 10 binc 10",
        "wtime 50 btime 50 movestogo 1",
        "wtime 50 btime 50 movestogo 0",
        "depth 3 nodes 100 movetime 50 wtime 1000",
        "mate 1 depth 3",
        "depth 0",
        "nodes 0",
    ] {
        let best = talk.best_move(&format!("position startpos\ngo {limits}"));
        assert!(chess::Position::initial().parse_uci(&best).is_ok(), "{limits}: {best}");
    }
    assert_eq!(talk.best_move("position startpos\ngo depth 3 searchmoves a2a3"), "a2a3");
    assert_eq!(talk.best_move("position startpos\ngo searchmoves a2a3 h2h3 nodes 1"), "a2a3");
}

#[test]
fn an_endless_search_holds_its_answer_until_told() {
    let mut talk = Talk::new();
    for go in ["go infinite", "go", "go ponder wtime 100 btime 100"] {
        // A single legal move and a mate on the board would end any other search
        for fen in ["7k/8/8/8/8/8/1r6/K7 w - - 0 1", "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1"] {
            talk.session.handle(&format!("position fen {fen}"));
            talk.session.handle(go);
            std::thread::sleep(std::time::Duration::from_millis(60));
            talk.session.handle("isready");
            let early = talk.received();
            assert!(early.contains("readyok") && !early.contains("bestmove"), "{go}: {early}");
            talk.session.handle("stop");
            talk.session.handle("stop");
            talk.session.wait();
            assert_eq!(talk.received().matches("bestmove").count(), 1);
        }
    }
    assert_eq!(talk.send("stop"), "", "an idle stop is silent");
}

#[test]
fn a_ponder_hit_starts_the_clock() {
    let mut talk = Talk::new();
    talk.session.handle("position startpos moves e2e4");
    talk.session.handle("go ponder wtime 200 btime 200");
    std::thread::sleep(std::time::Duration::from_millis(400));
    assert!(!talk.received().contains("bestmove"), "the clock does not count while pondering");
    talk.session.handle("ponderhit");
    talk.session.wait();
    assert!(talk.received().contains("bestmove"));
}

#[test]
fn commands_in_mid_search_are_safe() {
    let mut talk = Talk::new();
    for command in ["ucinewgame", "setoption name Hash value 1", "position startpos moves d2d4", "go depth 1", "flip"] {
        talk.session.handle("position startpos");
        talk.session.handle("go infinite");
        talk.session.handle(command);
        let text = talk.send("isready");
        assert!(text.contains("readyok"), "{command}: {text}");
    }
}

#[test]
fn castling_is_written_as_the_other_side_expects() {
    let mut talk = Talk::new();
    let fen = "position fen 5k2/8/8/8/8/8/8/4K2R w K - 0 1\ngo depth 1 searchmoves e1g1";
    assert_eq!(talk.best_move(fen), "e1g1");
    talk.send("setoption name UCI_Chess960 value true");
    assert_eq!(talk.best_move(fen), "e1h1");
    assert_eq!(talk.best_move(&fen.replace("e1g1", "e1h1")), "e1h1");
}

#[test]
fn the_same_search_gives_the_same_nodes_after_a_new_game() {
    let mut talk = Talk::new();
    let go = "position startpos moves e2e4 c7c5\ngo depth 5";
    let nodes = |text: String| {
        let last = text.lines().rfind(|line| line.starts_with("info depth 5")).unwrap().to_owned();
        let words: Vec<&str> = last.split(' ').collect();
        words[words.iter().position(|&word| word == "nodes").unwrap() + 1].to_owned()
    };
    let first = nodes(talk.send(go));
    talk.send("ucinewgame");
    assert_eq!(nodes(talk.send(go)), first);
}

#[test]
fn a_game_of_six_thousand_plies_is_followed() {
    let mut talk = Talk::new();
    let moves = "g1f3 g8f6 f3g1 f6g8 ".repeat(1500);
    let best = talk.best_move(&format!("position startpos moves {moves}\ngo depth 2"));
    assert!(chess::Position::initial().parse_uci(&best).is_ok());
}

#[test]
fn perft_is_counted() {
    let text = Talk::new().send("position startpos\ngo perft 3");
    assert!(text.contains("a2a3: 380\n") && text.ends_with("\n\nNodes searched: 8902\n"), "{text}");
}

#[test]
fn draws_by_repetition_and_by_fifty_moves_are_seen() {
    let mut talk = Talk::new();
    // Black is lost, but Kg8 brings the first position back for the third time
    let moves = "b2c2 g8h8 c2b2 h8g8 b2c2 g8h8 c2b2";
    let text = talk.send(&format!("position fen 6k1/8/8/8/8/8/1Q6/R5K1 w - - 0 1 moves {moves}\ngo depth 4"));
    assert!(text.contains("info depth 4") && text.contains("score cp 0 ") && text.contains("bestmove h8g8"), "{text}");
    // White has a mate in two, but the hundredth ply comes first
    let text = talk.send("position fen 7k/8/8/8/8/8/R7/1R2K3 w - - 99 80\ngo depth 4");
    assert!(text.lines().any(|line| line.starts_with("info depth 4") && line.contains("score cp 0 ")), "{text}");
}

#[test]
fn several_lines_are_shown_in_order_best_first() {
    let mut talk = Talk::new();
    let text = talk.send("setoption name MultiPV value 5\nposition startpos\ngo depth 6");
    let last: Vec<&str> = text.lines().filter(|line| line.starts_with("info depth 6 ")).collect();
    assert_eq!(last.iter().map(|line| number(line, "multipv")).collect::<Vec<_>>(), [1, 2, 3, 4, 5], "{text}");
    let values: Vec<i64> = last.iter().map(|line| number(line, "cp")).collect();
    assert!(values.is_sorted_by(|a, b| a >= b), "{values:?}");
    let mut firsts: Vec<&str> = last.iter().filter_map(|line| line.split(" pv ").nth(1)?.split(' ').next()).collect();
    let best = text.lines().rfind(|line| line.starts_with("bestmove")).unwrap();
    assert!(best.starts_with(&format!("bestmove {}", firsts[0])), "{text}");
    firsts.sort_unstable();
    firsts.dedup();
    assert_eq!(firsts.len(), 5, "each line begins with a move of its own");
    let few = talk.send("setoption name MultiPV value 256\nposition fen 7k/8/8/8/8/8/1r6/K7 w - - 0 1\ngo depth 3");
    assert!(few.contains("multipv 1 ") && !few.contains("multipv 2 "), "{few}");
}

#[test]
fn chances_are_shown_if_asked_for_and_sum_to_a_thousand() {
    let mut talk = Talk::new();
    assert!(!talk.send("go depth 3").contains("wdl"));
    talk.send("setoption name UCI_ShowWDL value true");
    for fen in ["startpos", "fen 6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "fen 7k/1R6/8/8/8/8/R7/4K3 b - - 0 1"] {
        let text = talk.send(&format!("position {fen}\ngo depth 4"));
        for line in text.lines().filter(|line| line.contains(" score ")) {
            let words: Vec<&str> = line.split(' ').skip_while(|&word| word != "wdl").skip(1).take(3).collect();
            assert_eq!(words.iter().map(|word| word.parse::<i32>().unwrap()).sum::<i32>(), 1000, "{line}");
        }
        assert_eq!(fen.starts_with("fen 6k1"), text.contains("mate 1 wdl 1000 0 0"), "{text}");
    }
}

#[test]
fn many_threads_share_a_search() {
    let mut talk = Talk::new();
    for threads in [2, 5, 16, 1] {
        let best =
            talk.best_move(&format!("setoption name Threads value {threads}\nposition startpos\ngo nodes 20000"));
        assert!(chess::Position::initial().parse_uci(&best).is_ok(), "{threads}: {best}");
    }
}

#[test]
fn limited_strength_holds_in_play_and_not_in_analysis() {
    let mut talk = Talk::new();
    let nodes = |text: &str| number(text.lines().rfind(|line| line.contains(" nodes ")).unwrap(), "nodes");
    talk.send("setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 1000\nposition startpos");
    for _ in 0..5 {
        let text = talk.send("ucinewgame\ngo depth 9");
        assert!(nodes(&text) < 1000, "{text}");
        let shown = text.lines().rfind(|line| line.contains(" pv ")).unwrap().split(" pv ").nth(1).unwrap();
        let first = shown.split(' ').next().unwrap();
        assert!(text.contains(&format!("\nbestmove {first}")), "{text}");
        assert!(!text.contains("multipv 2"), "{text}");
    }
    talk.send("setoption name UCI_AnalyseMode value true");
    assert!(nodes(&talk.send("go depth 9")) > 2000);
    assert_eq!(
        talk.send("setoption name UCI_Elo value 5000"),
        "info string UCI_Elo is set to 2800, the nearest allowed\n"
    );
}

#[test]
fn it_makes_openings_for_training_games() {
    let openings = |command: &str| {
        let text = Talk::new().send(command);
        let fens = text.lines().map(|line| line.strip_prefix("info string genfens ").expect(line).to_owned());
        fens.collect::<Vec<_>>()
    };
    let four = openings("genfens 4 seed 1 book None");
    assert_eq!(four.len(), 4);
    assert!(four.iter().all(|fen| fen.parse::<chess::Position>().is_ok()));
    assert_eq!(four, openings("genfens 4 seed 1 book None and more words"), "further words are ignored");
    assert_ne!(four, openings("genfens 4 seed 2 book None"));
    let is_chess960 = |fen: &String| !fen.starts_with("rnbqkbnr/") && fen.parse::<chess::Position>().is_ok();
    assert!(openings("setoption name UCI_Chess960 value true\ngenfens 4 seed 1 book None").iter().any(is_chess960));
}

#[test]
fn openings_begin_from_a_book() {
    let path = std::env::temp_dir().join(format!("marquetry-{}-genfens.epd", std::process::id()));
    std::fs::write(&path, "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - id \"Petrov\";\n").unwrap();
    let text = Talk::new().send(&format!("genfens 3 seed 5 book {}", path.display()));
    assert_eq!(text.matches("info string genfens ").count(), 3, "{text}");
    std::fs::remove_file(&path).unwrap();
    let text = Talk::new().send(&format!("genfens 3 seed 5 book {}", path.display()));
    assert!(text.starts_with("info string genfens: ") && text.contains("cannot be read"), "{text}");
    for wrong in ["genfens", "genfens x seed 1 book None", "genfens 3 sed 1", "genfens 3 seed -1 book None"] {
        assert!(Talk::new().send(wrong).contains("write genfens N seed S book None"), "{wrong}");
    }
}

#[test]
fn numbers_of_the_search_are_options_and_listed_if_asked_for() {
    let mut talk = Talk::new();
    assert!(!talk.send("uci").contains("rfp_margin"));
    let output = Arc::new(Mutex::new(Vec::new()));
    let mut session = Session::new(output.clone() as Arc<Mutex<dyn Write + Send>>).unwrap().with_tunables();
    session.handle("uci");
    session.flush();
    let text = String::from_utf8(output.lock().unwrap().clone()).unwrap();
    let options = text.lines().filter(|line| line.starts_with("option name ")).count();
    let plain = talk.send("uci").lines().filter(|line| line.starts_with("option name ")).count();
    assert_eq!(options, plain + engine::TUNABLES.len());
    let tunable = &engine::TUNABLES[0];
    let (name, default, min, max) = (tunable.name, tunable.default, tunable.min, tunable.max);
    assert!(text.contains(&format!("option name {name} type spin default {default} min {min} max {max}\n")));

    // It takes effect in the next search, and setting it back brings the old search back
    let go = "ucinewgame\nposition startpos moves e2e4 c7c5\ngo depth 8";
    let nodes = |text: &str| number(text.lines().rfind(|line| line.contains(" nodes ")).unwrap(), "nodes");
    let first = nodes(&talk.send(go));
    assert_eq!(talk.send("setoption name RFP_margin value 30"), "");
    assert_ne!(nodes(&talk.send(go)), first);
    assert!(talk.send("setoption name rfp_margin value 100000").contains("rfp_margin is set to "));
    let value = engine::Tunables::default().rfp_margin;
    talk.send(&format!("setoption name rfp_margin value {value}"));
    assert_eq!(nodes(&talk.send(go)), first);
}

#[test]
fn weights_go_to_a_file_and_come_back() {
    let mut talk = Talk::new();
    let path = std::env::temp_dir().join(format!("marquetry uci  weights {}.toml", std::process::id()));
    let path = path.to_str().unwrap();
    talk.send("setoption name EvalFile value seajay");
    let seajay = talk.send("eval");
    assert!(talk.send(&format!("weights dump {path}")).contains("the weights seajay are written to"));
    talk.send("setoption name EvalFile value");
    assert_ne!(talk.send("eval"), seajay, "an empty value is the default");
    assert_eq!(talk.send(&format!("weights load {path}")), "");
    assert_eq!(talk.send("eval"), seajay);
    assert_eq!(talk.send(&format!("setoption name EvalFile value {path}")), "", "blanks in values are kept");
    std::fs::remove_file(path).unwrap();
    for (line, words) in [
        ("weights", "weights needs dump FILE or load FILE"),
        ("weights dump", "weights needs dump FILE or load FILE"),
        ("weights eat FILE", "weights needs dump FILE or load FILE"),
        ("weights load nowhere.toml", "the weights stay seajay"),
        ("weights dump /nowhere/at/all.toml", "cannot be written: "),
    ] {
        let text = talk.send(line);
        assert!(
            text.starts_with("info string ") && text.contains(words) && text.lines().count() == 1,
            "{line}: {text}"
        );
    }
}

#[test]
fn debugging_tells_what_the_search_starts_from() {
    let mut talk = Talk::new();
    let started = |text: &str| text.lines().filter(|line| line.contains("the search starts")).count();
    assert_eq!(started(&talk.send("go depth 4")), 0);
    let text = talk.send("debug on\ngo depth 4");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[lines.len() - 1].starts_with("bestmove"), "{text}");
    assert!(lines[lines.len() - 2].contains("the search starts from"), "{text}");
    assert!(lines[lines.len() - 2].ends_with("a draw is +0"), "{text}");
    assert_eq!(started(&talk.send("debug off\ngo depth 4")), 0);

    // The parts add up, and the halfmove clock takes its share
    talk.send("ucinewgame\nposition fen 4k3/p7/8/8/8/8/8/QR2K3 w - - 60 80");
    let text = talk.send("eval");
    let line = text.lines().last().unwrap().replace(',', "");
    let (eval, damping) = (number(&line, "evaluation"), number(&line, "damping"));
    assert!(text.contains(&format!("White's view: {eval:+}\n")), "{text}");
    assert!(damping < 0 && number(&line, "correction") == 0, "{text}");
    assert_eq!(number(&line, "from"), eval + damping);
    // But not while a lone king is driven
    let text = talk.send("position fen 4k3/8/8/8/8/8/8/QR2K3 w - - 60 80\neval").replace(',', "");
    assert_eq!(number(text.lines().last().unwrap(), "damping"), 0, "{text}");
    assert!(talk.send("position fen 4k3/8/8/8/8/8/8/4RK2 b - - 0 1\neval").contains("starts without an evaluation"));
    assert_eq!(talk.send("debug perhaps"), "info string debug needs on or off\n");
}

#[test]
fn the_bench_can_be_run_in_a_conversation() {
    let mut talk = Talk::new();
    let text = talk.send("bench 2");
    let last = text.lines().last().unwrap();
    assert!(last.contains(" nodes ") && last.ends_with(" nps"), "{text}");
    assert_eq!(talk.send("bench deep"), "info string bench needs a depth, such as bench 12\n");
}
