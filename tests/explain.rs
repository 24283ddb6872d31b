//! `marquetry explain` as a user types it.

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

const FEN: &str = "rnbqkb1r/ppp2ppp/4pn2/3p4/3P4/4P3/PPP2PPP/RNBQKBNR w KQkq - 0 4";

fn marquetry(arguments: &[&str]) -> assert_cmd::assert::Assert {
    Command::cargo_bin("marquetry").unwrap().args(arguments).assert()
}

fn sum(rows: &Value) -> i64 {
    rows.as_array().unwrap().iter().map(|row| row["cp"].as_i64().unwrap()).sum()
}

#[test]
fn a_table_and_sentences_are_printed() {
    let arguments = ["--weights", "handset", "--depth", "2", "--move", "Nf3", "--against", "g1h3"];
    marquetry(&[&["explain", "--fen", FEN], &arguments[..]].concat()).success().stdout(
        contains("from here to the end of Nf3")
            .and(contains("Nf3 rather than Nh3"))
            .and(contains("piece_square (knight)"))
            .and(contains("evaluation   "))
            .and(contains("Nf3 over Nh3, by "))
            .and(contains("knight placement +")),
    );
}

#[test]
fn json_has_rows_that_add_up() {
    let arguments = ["--weights", "handcrafted", "--nodes", "3000", "--against", "h4", "--json"];
    let output =
        marquetry(&[&["explain", "--fen", FEN], &arguments[..]].concat()).success().get_output().stdout.clone();
    let report: Value = serde_json::from_slice(&output).unwrap();
    for change in [&report["gain"], &report["contrast"]] {
        let difference = change["difference_cp"].as_i64().unwrap();
        assert_eq!(sum(&change["rows"]), difference);
        assert_eq!(sum(&change["reasons"]), difference);
        assert_eq!(change["to_cp"], report["move"]["end_cp"]);
    }
    assert_eq!(report["gain"]["from_cp"], report["here"]["cp"]);
    assert_eq!(report["contrast"]["from_cp"], report["against"]["end_cp"]);
    assert_eq!((&report["view"], &report["against"]["uci"]), (&"white".into(), &"h2h4".into()));
    assert_eq!(report["is_best"], true);
    assert!(report["sentences"].as_array().unwrap().len() >= 3);
}

#[test]
fn a_mate_is_said_to_be_one() {
    marquetry(&["explain", "--fen", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "--depth", "3"])
        .success()
        .stdout(contains("Best is Ra8#, mate in 1").and(contains("Ra8# is checkmate, so terms do not count.")));
}

#[test]
fn what_cannot_be_done_is_said_in_a_sentence() {
    let fails = |arguments: &[&str], words: &str| {
        marquetry(&[&["explain", "--depth", "2"], arguments].concat()).code(2).stderr(contains(words));
    };
    fails(&["--move", "Nf6"], "--move: \"Nf6\" is not legal in this position");
    fails(&["--against", "whatever"], "--against: \"whatever\" is not a move in algebraic notation");
    fails(&["--move", "e4", "--against", "e2e4"], "e4 cannot be compared with itself");
    fails(&["--fen", "7k/8/6Q1/8/8/8/8/4K3 b - - 0 1"], "the game is over (stalemate)");
    fails(&["--tablebases", "/no/such/directory"], "has no Syzygy tables");
    marquetry(&["explain", "--time", "-1"]).code(2);
    marquetry(&["explain", "--time", "0"]).code(2).stderr(contains("--time needs seconds"));
}

/// Ctrl-C ends a search early; what it found is told, and that it was not to the end.
#[test]
#[cfg(unix)]
fn an_explanation_that_is_interrupted_is_not_called_done() {
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("marquetry"));
    command.args(["explain", "--time", "60"]).stdout(std::process::Stdio::piped());
    let child = command.spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1500));
    std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("evaluation"));
}
