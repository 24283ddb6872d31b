//! `marquetry perft` as a user types it.

mod common;

use common::{File, marquetry};
use predicates::prelude::*;
use predicates::str::{contains, is_match};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

#[test]
fn counts_the_leaves() {
    marquetry(&["perft", "4"]).success().stdout(contains("Nodes searched: 197281\n"));
    marquetry(&["perft", "0"]).success().stdout(contains("Nodes searched: 1\n"));
}

#[test]
fn divides_as_stockfish_prints_it() {
    let divided = "e1c1: 43\ne1g1: 43\n";
    let line = |text: &'static str| is_match(format!("(?m)^{text}$")).unwrap();
    let both = divided
        .lines()
        .map(line)
        .fold(contains("\n\nNodes searched: 2039\n").boxed(), |all, line| all.and(line).boxed());
    marquetry(&["perft", "2", "--divide", "--fen", KIWIPETE]).success().stdout(both);
}

#[test]
fn writes_castling_as_king_takes_rook_in_chess960() {
    marquetry(&["perft", "1", "--divide", "--chess960", "--fen", KIWIPETE])
        .success()
        .stdout(contains("e1h1: 1\n").and(contains("e1a1: 1\n")).and(contains("e1g1").not()));
    marquetry(&["perft", "1", "--divide", "--fen", "4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1"])
        .success()
        .stdout(contains("e1g1: 1\n").and(contains("e1b1: 1\n")));
}

#[test]
fn threads_and_table_do_not_change_the_count() {
    marquetry(&["perft", "4", "--threads", "3", "--hash", "1", "--fen", KIWIPETE])
        .success()
        .stdout(contains("Nodes searched: 4085603\n"));
}

#[test]
fn prints_json_and_nothing_else() {
    let output = marquetry(&["perft", "3", "--json", "--divide"]).success().get_output().stdout.clone();
    let report: serde_json::Value = serde_json::from_slice(&output).unwrap();
    assert_eq!(report["depth"], 3);
    assert_eq!(report["nodes"], 8902);
    assert!(report["seconds"].as_f64().unwrap() >= 0.0);
    assert_eq!(report["moves"].as_object().unwrap().len(), 20);
    assert_eq!(report["moves"]["b1c3"], 440);
}

#[test]
fn bad_input_is_named_in_one_sentence() {
    let bad_fen = ["perft", "3", "--fen", "4k3/8/8/8/8/8/8/4K2R w KQ - 0 1"];
    marquetry(&bad_fen).code(2).stderr(contains("castling rights: 'Q' needs a king on its first rank and a rook"));
    marquetry(&["perft", "deep"]).code(2).stderr(contains("deep"));
    marquetry(&["perft", "21"]).code(2).stderr(contains("21 is not in 0..=20"));
    marquetry(&["perft", "3", "--threads", "0"]).code(2).stderr(contains("a whole number from 1 up is needed"));
    marquetry(&["perft", "-1"]).code(2).stderr(contains("-1 is not in 0..=20"));
    marquetry(&["perft", "3", "--hash", "99999999999"]).code(2).stderr(contains("MB of memory cannot be had"));
}

#[test]
fn a_count_that_does_not_fit_is_refused() {
    let fen = "8/8/8/3k4/8/8/8/Q3K3 w - - 0 1";
    marquetry(&["perft", "19", "--hash", "64", "--fen", fen]).code(2).stderr(contains("too many to count"));
}

#[test]
fn a_crowd_of_threads_is_no_trouble() {
    marquetry(&["perft", "3", "--threads", "18446744073709551615"]).success().stdout(contains("8902"));
}

#[test]
fn depth_zero_has_no_moves_to_divide() {
    marquetry(&["perft", "0", "--divide"])
        .success()
        .stdout(contains("Nodes searched: 1\n").and(contains("a2a3").not()));
}

/// On Linux there is a device that is always full.
#[test]
#[cfg(target_os = "linux")]
fn a_reader_who_leaves_and_a_full_disk_are_no_panic() {
    use std::process::{Command, Stdio};
    let program = assert_cmd::cargo::cargo_bin("marquetry");
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let output = Command::new(&program).args(["perft", "2"]).stdout(full).stderr(Stdio::piped()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("the output cannot be written"));

    let mut child = Command::new(&program).args(["perft", "5", "--divide"]).stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));

    // Nor are remarks that cannot be written
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let status = Command::new(&program).args(["perft", "2", "--fen", "nonsense"]).stderr(full).status().unwrap();
    assert_eq!(status.code(), Some(2));
}

/// Ctrl-C ends a long count within a moment and shows what there is.
#[test]
#[cfg(unix)]
fn an_interrupted_count_shows_what_it_has() {
    use std::process::{Command, Stdio};
    let program = assert_cmd::cargo::cargo_bin("marquetry");
    let child = Command::new(program)
        .args(["perft", "11", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(700));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["interrupted"], true);
    assert!(String::from_utf8(output.stderr).unwrap().contains("Interrupted: 0 of 20 moves"));
}

#[test]
fn help_has_an_example() {
    marquetry(&["perft", "--help"]).success().stdout(contains("marquetry perft 6"));
    marquetry(&["--help"]).success().stdout(contains("perft"));
}

#[test]
fn a_suite_of_known_numbers_is_checked() {
    let right = File::new("right.epd", format!("{KIWIPETE} ;D1 48 ;D2 2039 ;D3 97862 ;D4 4085603\n"));
    marquetry(&["perft", "3", "--threads", "2", "--suite", right.path()])
        .success()
        .stdout(contains("3 counts to depth 3, 0 failures, 99949 leaves"));
    let wrong = File::new("wrong.epd", format!("{KIWIPETE} ;D1 48 ;D2 2040\n4k3/8/8/8/8/8/8/4K3 w - - bm Ke2;\n"));
    marquetry(&["perft", "3", "--suite", wrong.path(), right.path()])
        .code(1)
        .stdout(
            contains("line 1: depth 2: 2039 leaves instead of 2040").and(contains("5 counts to depth 3, 1 failures")),
        )
        .stderr(contains("line 2: no perft numbers"));
    let output = marquetry(&["perft", "2", "--json", "--suite", wrong.path()]).code(1).get_output().stdout.clone();
    let report: serde_json::Value = serde_json::from_slice(&output).unwrap();
    assert_eq!((&report["counts"], &report["bad_lines"]), (&serde_json::json!(2), &serde_json::json!(1)));
    assert_eq!((&report["failures"][0]["nodes"], &report["failures"][0]["expected"]), (&2039.into(), &2040.into()));
    marquetry(&["perft", "0", "--suite", right.path()]).code(2).stderr(contains("has no perft numbers to depth 0"));
}

#[test]
fn of_many_bad_lines_the_first_are_named() {
    let file = File::new("rubbish.epd", format!("{KIWIPETE} ;D1 48\n{}", "rubbish\n".repeat(40)));
    marquetry(&["perft", "1", "--suite", file.path()])
        .code(1)
        .stderr(contains("rubbish.epd, line ").count(5).and(contains("Lines skipped: 40.")));
}
