//! `marquetry eval` as a user types it.

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

const FEN: &str = "2r3k1/pp3ppp/4p3/3pP3/3P4/P1R2N2/1b3PPP/4K3 w - - 0 24";

fn marquetry(arguments: &[&str]) -> assert_cmd::assert::Assert {
    Command::cargo_bin("marquetry").unwrap().args(arguments).assert()
}

fn json(arguments: &[&str]) -> Value {
    let output = marquetry(&[arguments, &["--json"]].concat()).success().get_output().stdout.clone();
    serde_json::from_slice(&output).unwrap()
}

#[test]
fn the_worked_example_of_the_documentation_is_true() {
    let document = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/evaluation.md")).unwrap();
    let example = document.split("```\n").nth(1).unwrap();
    let (command, printed) = example.split_once('\n').unwrap();
    assert_eq!(command, format!("$ marquetry eval --weights handcrafted --fen \"{FEN}\""));
    let output = marquetry(&["eval", "--weights", "handcrafted", "--fen", FEN]).success().get_output().stdout.clone();
    let actual: Vec<String> =
        String::from_utf8(output).unwrap().lines().map(|line| line.trim_end().to_owned()).collect();
    assert_eq!(printed.lines().collect::<Vec<_>>(), actual);
}

#[test]
fn the_json_rows_add_up_to_the_evaluation() {
    for weights in ["handcrafted", "default", "stockfish"] {
        let report = json(&["eval", "--weights", weights, "--fen", FEN]);
        let rows = report["rows"].as_array().unwrap();
        let sum: f64 = rows.iter().map(|row| row["cp"].as_f64().unwrap()).sum();
        assert!((sum - report["white_cp"].as_f64().unwrap()).abs() < 1e-6, "{weights}");
        assert_eq!(report["fen"], FEN);
        assert_eq!(report["weights"], weights);
        assert_eq!(report["outcome"], Value::Null);
        assert_eq!(report["squares"].as_array().unwrap().len(), 64);
        assert!(report["white_cp"].is_i64());
    }
    let report = json(&["eval", "--weights", "handcrafted", "--fen", FEN]);
    assert_eq!(report["phase"], 64);
    assert_eq!(report["white_cp"], -112);
    let isolated = report["rows"].as_array().unwrap().iter().find(|row| row["term"] == "isolated_pawn").unwrap();
    assert_eq!(isolated["white"], serde_json::json!({ "mg": -15, "eg": -20, "count": 1 }));
    assert_eq!(isolated["cp"], -18.75);
    assert_eq!(isolated["group"], "Pawns");
}

#[test]
fn a_finished_game_is_one_row() {
    let mate = json(&["eval", "--fen", "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1"]);
    assert_eq!((mate["white_cp"].as_i64(), mate["outcome"].as_str()), (Some(10_000), Some("checkmate")));
    assert_eq!(mate["rows"].as_array().unwrap().len(), 1);
    assert_eq!(mate["rows"][0]["term"], "outcome");
    let stalemate = json(&["eval", "--fen", "7k/8/6Q1/8/8/8/8/4K3 b - - 0 1"]);
    assert_eq!((stalemate["white_cp"].as_i64(), stalemate["outcome"].as_str()), (Some(0), Some("stalemate")));
    let draw = json(&["eval", "--fen", "4k3/8/8/8/8/8/4P3/4K3 w - - 100 90"]);
    assert_eq!((draw["white_cp"].as_i64(), draw["outcome"].as_str()), (Some(0), Some("draw")));
    marquetry(&["eval", "--fen", "7k/8/6Q1/8/8/8/8/4K3 b - - 0 1"])
        .success()
        .stdout(contains("The game is over: stalemate."));
}

#[test]
fn a_check_is_said_to_be_one() {
    let fen = "4k3/8/8/8/8/8/4r3/4K2R w K - 0 1";
    marquetry(&["eval", "--fen", fen]).success().stdout(contains("White to move, in check"));
    assert_eq!(json(&["eval", "--fen", fen])["check"], true);
}

#[test]
fn two_weights_are_compared_term_by_term() {
    marquetry(&["eval", "--compare", "handcrafted", "seajay", "--fen", FEN])
        .success()
        .stdout(contains("handcrafted and seajay").and(contains("isolated_pawn")).and(contains("difference")));
    let both = json(&["eval", "--compare", "handcrafted", "seajay", "--fen", FEN]);
    assert_eq!((both["a"]["weights"].as_str(), both["b"]["weights"].as_str()), (Some("handcrafted"), Some("seajay")));
}

#[test]
fn bad_input_is_named_in_one_sentence() {
    marquetry(&["eval", "--weights", "handcrafte"])
        .code(2)
        .stderr(contains("there is no preset and no file of this name; did you mean `handcrafted`?"));
    marquetry(&["eval", "--weights", ""]).code(2).stderr(contains("error: \"\": there is no preset and no file"));
    marquetry(&["eval", "--fen", "nonsense"]).code(2).stderr(contains("board: 8 ranks are needed, not 1"));
    marquetry(&["eval", "--compare", "handset"]).code(2);
    marquetry(&["eval", "--help"]).success().stdout(contains("marquetry eval --weights seajay --json"));
}
