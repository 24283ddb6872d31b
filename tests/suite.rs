//! `marquetry suite` as a user types it.

mod common;

use common::{File, marquetry};
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::{Value, json};

/// Two mates, a capture, a move to avoid, points.
const SUITE: &str = "\
6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8#; id \"back rank\";
7k/8/8/8/8/8/R7/1R2K3 w - - bm #2; id \"ladder\";
3qk3/8/8/8/8/8/8/3RK3 w - - bm Rxd8+; id \"a queen for nothing\";
3qk3/3r4/8/8/8/8/8/3QK3 w - - am Qxd7+; id \"not the queen\";
4k3/8/8/8/8/8/4q3/4K3 w - - bm Kxe2; id \"scored\"; c0 \"Kxe2=10\";
";

fn report(arguments: &[&str]) -> Value {
    let output = marquetry(&[&["suite", "--json"], arguments].concat()).success().get_output().stdout.clone();
    serde_json::from_slice(&output).unwrap()
}

#[test]
fn a_suite_is_solved_and_reported_as_json() {
    let file = File::new("suite.epd", SUITE);
    let report = report(&[file.path(), "--depth", "5", "--concurrency", "3", "--verify-mates"]);
    assert_eq!((&report["positions"], &report["solved"]), (&json!(5), &json!(5)));
    assert_eq!((&report["points"], &report["max_points"], &report["bad_lines"]), (&json!(10), &json!(10), &json!(0)));
    assert_eq!((&report["mates_found"], &report["false_mates"]), (&report["lines_that_mate"], &json!(0)));
    let results = report["results"].as_array().unwrap();
    let mate = &results[0];
    assert_eq!((&mate["id"], &mate["move"], &mate["solved"]), (&json!("back rank"), &json!("a1a8"), &json!(true)));
    assert_eq!((&mate["score"], &mate["mate_line"]), (&json!({ "mate": 1 }), &json!("mates")));
    assert_eq!(mate["fen"], "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1");
    assert!(results.iter().all(|result| result["seconds"].as_f64().unwrap() >= 0.0));
    assert_eq!(results[4]["points"], 10);
}

#[test]
fn a_table_and_a_summary_are_printed() {
    let file = File::new("table.epd", SUITE);
    marquetry(&["suite", file.path(), "--nodes", "2000", "--verify-mates"]).success().stdout(
        contains("ladder               solved ")
            .and(contains("wanted: mate in 2, the line mates\n"))
            .and(contains("wanted: not Qxd7+\n"))
            .and(contains("10 of 10 points\n"))
            .and(contains("marquetry solved 5 of 5 positions (100.0 %).\n"))
            .and(contains("Points: 10 of 10 (100.0 %).\n"))
            .and(contains("false mates: 0.\n")),
    );
}

#[test]
fn the_first_ones_or_a_sample_that_a_seed_draws() {
    let file = File::new("sample.epd", SUITE);
    let ids = |more: &[&str]| {
        let report = report(&[&[file.path(), "--depth", "1"], more].concat());
        let results = report["results"].as_array().unwrap().clone();
        results.iter().map(|result| result["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(ids(&["--limit", "2"]), ["back rank", "ladder"]);
    assert_eq!(ids(&["--limit", "100"]).len(), 5);
    let drawn = ids(&["--sample", "3", "--seed", "4"]);
    assert_eq!(drawn.len(), 3);
    assert_eq!(drawn, ids(&["--sample", "3", "--seed", "4"]));
    assert!((5..20).any(|seed: u64| ids(&["--sample", "3", "--seed", &seed.to_string()]) != drawn));
}

#[test]
fn odd_files_are_read_and_broken_lines_named_and_skipped() {
    let odd = b"6k1/5ppp/8/8/8/8/8/R3K3 w Q - ; bm Ra8 +\0\r\n\
        6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1 ; bm Ra9\r\n\
        nonsense\n\n\
        6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8; id \"M\xfcller\";\n";
    let file = File::new("odd.epd", odd);
    let assert = marquetry(&["suite", file.path(), "--depth", "3", "--json"]).success().stderr(
        contains("odd.epd, line 2: bm: \"Ra9\" is not a move")
            .and(contains("odd.epd, line 3: FEN, board: "))
            .and(contains("Lines skipped: 2.")),
    );
    let report: Value = serde_json::from_slice(&assert.get_output().stdout).unwrap();
    assert_eq!((&report["solved"], &report["bad_lines"]), (&json!(2), &json!(2)));
    assert_eq!(report["results"][1]["id"], "Müller");
    assert!(report["results"][0]["id"].as_str().unwrap().ends_with("odd.epd:1"));
}

#[test]
fn chess960_positions_are_solved_too() {
    let file = File::new("960.epd", "4k3/8/8/8/8/8/8/1R2K1R1 w GB - am Kd1; id \"x\";\n");
    let report = report(&[file.path(), "--depth", "3"]);
    assert_eq!((&report["solved"], &report["results"][0]["trouble"]), (&json!(1), &Value::Null));
}

#[test]
fn bad_input_is_named_in_one_sentence() {
    let file = File::new("bad.epd", SUITE);
    let empty = File::new("empty.epd", "\n# nothing\nrubbish\n");
    let suite = |arguments: &[&str]| marquetry(&[&["suite"], arguments].concat()).code(2);
    suite(&[]).stderr(contains("name one or more EPD files"));
    suite(&["/nonexistent/x.epd"]).stderr(contains("/nonexistent/x.epd cannot be read"));
    suite(&[empty.path()]).stderr(contains("line 3: ").and(contains("empty.epd has no position to solve")));
    suite(&[file.path(), "--engine", "cmd=/nonexistent/engine"]).stderr(contains("engine does not start"));
    suite(&["--engine", "self", "weights=handcraftd", file.path()]).stderr(contains("did you mean `handcrafted`?"));
    suite(&[file.path(), "--engine", "self", "color=red"]).stderr(contains("\"color\" is not known"));
    suite(&[file.path(), "--engine", "self", "--engine", "self"]).stderr(contains("for one engine, not 2"));
    suite(&[file.path(), "--movetime", "soon"]).stderr(contains("movetime \"soon\" is not understood"));
    suite(&[file.path(), "--nodes", "0"]).stderr(contains("nodes must be 1 or more"));
    suite(&[file.path(), "--nodes", "-3"]).stderr(contains("nodes \"-3\" is not understood"));
    suite(&[file.path(), "--engine", "cmd="]).stderr(contains("--engine cmd=: the program is missing"));
    suite(&[file.path(), "--nodes", "5", "--depth", "5"]).stderr(contains("cannot be used with"));
    suite(&[file.path(), "--limit", "0"]);
    suite(&[file.path(), "--limit", "2", "--sample", "2"]);
    marquetry(&["suite", "--help"]).success().stdout(contains("marquetry suite wac.epd"));
}

/// A script that answers `go` with these lines.
#[cfg(unix)]
fn script(name: &str, reply: &str) -> File {
    use std::os::unix::fs::PermissionsExt;
    let text = format!(
        "#!/bin/sh\nwhile read -r line; do case \"$line\" in uci) echo uciok;; isready) echo readyok;; go*) {reply};; quit) exit;; esac; done\n"
    );
    let file = File::new(name, text);
    std::fs::set_permissions(file.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    file
}

#[test]
#[cfg(unix)]
fn a_false_mate_is_found_out() {
    let file = File::new("mates.epd", SUITE.lines().nth(1).unwrap());
    let lie = script("lie", "echo info depth 3 score mate 2 pv a2a7 h8g8 b1b7; echo bestmove a2a7");
    let report = report(&[file.path(), "--engine", &format!("cmd={}", lie.path()), "name=liar", "--verify-mates"]);
    assert_eq!((&report["engine"], &report["solved"]), (&json!("liar"), &json!(1)));
    let counts = ["mates_found", "lines_that_mate", "lines_that_break_off", "false_mates"].map(|key| &report[key]);
    assert_eq!(counts, [&json!(1), &json!(0), &json!(0), &json!(1)]);
}

#[test]
#[cfg(unix)]
fn a_broken_engine_solves_nothing_and_the_suite_goes_on() {
    let file = File::new("trouble.epd", SUITE);
    for (name, reply, reason) in
        [("crash", "exit 1", "has ended"), ("illegal", "echo bestmove e2e5", "an illegal move")]
    {
        let engine = script(name, reply);
        marquetry(&["suite", file.path(), "--engine", &format!("cmd={}", engine.path())]).success().stdout(
            contains("solved 0 of 5 positions").and(contains(reason)).and(contains("in trouble in 5 positions")),
        );
    }
}

/// Ctrl-C ends a long suite within a moment and shows what there is.
#[test]
#[cfg(unix)]
fn an_interrupted_suite_shows_what_it_has() {
    use std::process::{Command, Stdio};
    let file = File::new("interrupted.epd", format!("{SUITE}{SUITE}"));
    let child = Command::new(assert_cmd::cargo::cargo_bin("marquetry"))
        .args(["suite", file.path(), "--movetime", "1.2", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(3500));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let positions = report["positions"].as_u64().unwrap();
    assert!((1..10).contains(&positions), "{report}");
    assert_eq!(report["interrupted"], true);
    assert!(String::from_utf8(output.stderr).unwrap().contains(&format!("Interrupted: {positions} of 10 positions")));
}

#[test]
fn of_many_bad_lines_the_first_are_named() {
    let file = File::new("rubbish.epd", format!("{SUITE}{}", "rubbish\n".repeat(40)));
    marquetry(&["suite", file.path(), "--depth", "1"])
        .success()
        .stderr(contains("rubbish.epd, line ").count(5).and(contains("Lines skipped: 40.")));
}
