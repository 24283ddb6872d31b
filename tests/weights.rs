//! `marquetry weights` as a user types it.

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;

fn marquetry(arguments: &[&str]) -> assert_cmd::assert::Assert {
    Command::cargo_bin("marquetry").unwrap().args(arguments).assert()
}

fn temporary(name: &str) -> String {
    let path = std::env::temp_dir().join(format!("marquetry-{}-{name}", std::process::id()));
    path.to_str().unwrap().to_owned()
}

#[test]
fn the_presets_are_listed() {
    let all = [
        "default",
        "handset",
        "handcrafted",
        "positional",
        "positional-fixed",
        "seajay",
        "seajay-pawns",
        "simplified",
        "stockfish",
        "centre",
        "material",
    ];
    let listed = marquetry(&["weights", "list"]).success();
    for name in all {
        listed.get_output().stdout.windows(name.len()).find(|window| *window == name.as_bytes()).expect(name);
    }
}

#[test]
fn tables_are_drawn_as_boards() {
    marquetry(&["weights", "show", "simplified", "--term", "piece_square"])
        .success()
        .stdout(contains("    8   -50  -40  -30  -30  -30  -30  -40  -50 ").and(contains("\x1b").not()));
    marquetry(&["weights", "show", "handcrafted", "--term", "passed_pawn"])
        .success()
        .stdout(contains("  eg        0   10   13   22   37   58   85    0\n"));
    marquetry(&["weights", "show", "handset", "--term", "pased"]).code(2).stderr(contains("the terms are material"));
}

#[test]
fn a_dumped_file_can_be_changed_checked_and_compared() {
    let path = temporary("dump.toml");
    marquetry(&["weights", "dump", "handcrafted", "--output", &path]).success();
    marquetry(&["weights", "diff", "handcrafted", &path]).success().stdout(contains("0 weights differ"));
    marquetry(&["weights", "check", &path]).success().stdout(contains("sound"));

    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("# A rook on a file without pawns."), "each term carries its sentence");
    std::fs::write(&path, text.replace("[terms.rook_open_file]\nmg = 15", "[terms.rook_open_file]\nmg = 35")).unwrap();
    marquetry(&["weights", "diff", "handcrafted", &path])
        .success()
        .stdout(contains("rook_open_file").and(contains("(  +20)")).and(contains("1 weights differ")));

    std::fs::write(&path, text.replace("[terms.rook_open_file]", "[terms.rock_open_file]")).unwrap();
    marquetry(&["weights", "check", "material", &path]).code(1).stdout(
        contains("`terms.rock_open_file` is not known; did you mean `rook_open_file`?")
            .and(contains("material: sound")),
    );
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn the_largest_changes_come_first() {
    let output =
        marquetry(&["weights", "diff", "material", "handcrafted", "--top", "3"]).success().get_output().stdout.clone();
    let text = String::from_utf8(output).unwrap();
    assert!(text.contains("smaller changes are not shown"), "{text}");
    let first = text.lines().find(|line| line.contains(" -> ")).unwrap();
    assert!(first.starts_with("passed_pawn.rank7"), "{text}");
}

#[test]
fn a_place_that_cannot_be_written_is_named() {
    marquetry(&["weights", "dump", "material", "--output", "/nonexistent/x.toml"])
        .code(2)
        .stderr(contains("/nonexistent/x.toml cannot be written"));
}

#[test]
fn a_file_without_end_is_not_read_to_its_end() {
    marquetry(&["weights", "check", "/dev/zero"])
        .code(1)
        .stdout(contains("/dev/zero: the file is larger than a weights file can be"));
}

#[test]
fn a_number_that_is_far_too_large_is_told_its_own_range() {
    let path = temporary("huge.toml");
    let text = engine::Weights::load("material").unwrap().to_toml();
    for (line, range) in [
        ("unit = ", "`unit` is 99999999999999999999, but must be from 1 to 10000"),
        ("divisor = ", "`phase.divisor` is 99999999999999999999, but must be from 1 to 10000000"),
        ("format = ", "`format` is 99999999999999999999, but must be from 1 to 1"),
    ] {
        let huge = format!("{line}99999999999999999999");
        let lines: Vec<&str> =
            text.lines().map(|old| if old.starts_with(line) { huge.as_str() } else { old }).collect();
        std::fs::write(&path, lines.join("\n")).unwrap();
        marquetry(&["weights", "check", &path]).code(1).stdout(contains(range));
    }
    std::fs::remove_file(&path).unwrap();
}
