//! Lines of UCI as arguments of the program.

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::{contains, is_match};

fn marquetry(arguments: &[&str]) -> assert_cmd::assert::Assert {
    Command::cargo_bin("marquetry").unwrap().args(arguments).assert()
}

#[test]
fn a_search_that_an_argument_starts_is_waited_for() {
    let search = is_match("(?s)^info depth 1 .*\nbestmove [a-h1-8]{4}( ponder [a-h1-8]{4})?\n$").unwrap();
    marquetry(&["position startpos", "go depth 3", "quit"]).success().stdout(search.clone());
    marquetry(&["position startpos moves e2e4", "go depth 3"]).success().stdout(search);
    let both = ["go depth 2", "position fen 6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "go depth 3", "d"];
    marquetry(&both).success().stdout(is_match("(?s)bestmove .*bestmove a1a8.*\n6k1/").unwrap());
    marquetry(&["go infinite", "stop"]).success().stdout(contains("bestmove"));
}

#[test]
fn openings_are_made_as_openbench_asks_for_them() {
    let made = || marquetry(&["genfens 4 seed 1 book None", "quit"]).success().get_output().stdout.clone();
    let text = String::from_utf8(made()).unwrap();
    assert_eq!(text.lines().count(), 4);
    assert!(text.lines().all(|line| line.starts_with("info string genfens ")), "{text}");
    assert_eq!(text.as_bytes(), made());
}

#[test]
fn what_comes_after_quit_is_not_done() {
    marquetry(&["quit", "d"]).success().stdout("");
    marquetry(&["d"]).success().stdout("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n");
    marquetry(&["isready"]).success().stdout("readyok\n");
}

#[test]
fn commands_of_the_program_are_still_commands() {
    marquetry(&["bench", "1"]).success().stdout(is_match("\\d+ nodes \\d+ nps\n$").unwrap());
    marquetry(&["perf", "3"]).code(2).stderr(contains("unrecognized subcommand").and(contains("perft")));
    marquetry(&["mach"]).code(2).stderr(contains("match"));
}

#[test]
fn words_without_quotes_are_one_line() {
    marquetry(&["go", "nodes", "20"]).success().stdout(contains("bestmove"));
    marquetry(&["position", "startpos", "moves", "e2e4", "go", "depth", "2"]).success().stdout(contains("bestmove"));
    let fen = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1";
    marquetry(&["position", "fen", fen, "d"]).success().stdout(format!("{fen}\n"));
    marquetry(&["go", "stop"]).success().stdout(contains("bestmove"));
    marquetry(&["isready", "go depth 2"]).success().stdout(contains("readyok").and(contains("bestmove")));
}

#[test]
fn what_is_no_command_of_uci_fails() {
    marquetry(&["position startpos", "nonsense 3"]).code(2).stdout(contains("\"nonsense\" is not known"));
}

/// On Linux there is a device that is always full.
#[test]
#[cfg(target_os = "linux")]
fn replies_that_cannot_be_written_are_an_error_and_a_reader_who_leaves_is_none() {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let program = assert_cmd::cargo::cargo_bin("marquetry");
    let full = || std::fs::File::options().write(true).open("/dev/full").unwrap();
    let error = "error: the output cannot be written: No space left on device";

    let output = Command::new(&program).arg("go depth 3").stdout(full()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().starts_with(error));

    let mut command = Command::new(&program);
    let mut child = command.stdin(Stdio::piped()).stdout(full()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"uci\nisready\nquit\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().starts_with(error));

    let mut child = Command::new(&program).args(["go infinite", "stop"]).stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
