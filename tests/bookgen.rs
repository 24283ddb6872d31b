//! `marquetry bookgen` as a user types it.

use assert_cmd::Command;
use chess::{CastlingMode, Epd};
use predicates::prelude::*;
use predicates::str::contains;

fn bookgen(arguments: &[&str]) -> assert_cmd::assert::Assert {
    Command::cargo_bin("marquetry").unwrap().arg("bookgen").args(arguments).assert()
}

fn lines(arguments: &[&str]) -> Vec<String> {
    let output = bookgen(arguments).success().stderr(contains(" attempts.")).get_output().stdout.clone();
    String::from_utf8(output).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn a_book_is_the_same_on_any_number_of_threads() {
    let made = |threads| lines(&["--count", "8", "--nodes", "1500", "--seed", "4", "--threads", threads, "--ce"]);
    let one = made("1");
    assert_eq!(one, made("3"));
    assert_eq!(one.len(), 8);
    for line in &one {
        let epd: Epd = line.parse().unwrap();
        let value: i32 = epd.text("ce").unwrap().parse().unwrap();
        assert!(value.abs() <= 80 && !epd.position.is_check() && epd.position.outcome().is_none(), "{line}");
    }
}

#[test]
fn openings_of_chess960_within_a_range() {
    let more = ["--count", "6", "--nodes", "1200", "--range", "20..150", "--plies", "4", "--ce", "--double-chess960"];
    let made: Vec<Epd> = lines(&more).iter().map(|line| line.parse().unwrap()).collect();
    assert!(made.iter().any(|epd| epd.position.castling_mode() == CastlingMode::Chess960));
    let value = |epd: &Epd| epd.text("ce").unwrap().parse::<i32>().unwrap().abs();
    assert!(made.iter().all(|epd| (20..=150).contains(&value(epd))));
}

#[test]
fn a_book_is_written_to_a_file_and_summed_up_as_json() {
    let path = std::env::temp_dir().join(format!("marquetry-{}-made.epd", std::process::id()));
    let name = path.to_str().unwrap();
    let output = bookgen(&["--count", "5", "--nodes", "1000", "--output", name, "--json"]).success();
    let report: serde_json::Value = serde_json::from_slice(&output.get_output().stdout).unwrap();
    assert_eq!((&report["openings"], &report["interrupted"]), (&5.into(), &false.into()));
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.lines().count() == 5 && text.lines().all(|line| line.split(' ').count() == 4), "{text}");
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn bad_input_is_named_in_one_sentence() {
    let refused = |arguments: &[&str], sentence: &str| {
        bookgen(arguments).code(2).stdout(predicate::str::is_empty()).stderr(contains(sentence));
    };
    refused(&["--range", "80..20"], "the range must run upwards");
    refused(&["--range", "some"], "centipawns such as 80");
    refused(&["--plies", "8..6"], "the range must run upwards");
    refused(&["--start", "/no/such/file"], "/no/such/file cannot be read");
    refused(&["--output", "/no/such/folder/book.epd"], "/no/such/folder/book.epd cannot be written");
    refused(&["--weights", "no-such-weights"], "no-such-weights");
    refused(&["--json"], "--output");
    refused(&["--chess960", "--double-chess960"], "cannot be used with");
}

#[test]
fn the_positions_that_a_book_begins_with_are_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("same.epd").display().to_string();
    let line = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n";
    std::fs::write(&path, line).unwrap();
    let output = folder.path().join("./same.epd").display().to_string();
    bookgen(&["--start", &path, "--output", &output, "--count", "2"])
        .code(2)
        .stderr(contains("would be read and written"));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), line);
}

#[test]
fn where_no_opening_is_found_the_old_book_stays() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    // In check, hence never an opening
    std::fs::write(file("start.epd"), "4k3/8/8/8/8/8/4r3/4K3 w - -\n").unwrap();
    std::fs::write(file("book.epd"), "old").unwrap();
    let arguments = ["--start", &file("start.epd"), "--plies", "0", "--nodes", "1", "--count", "9"];
    bookgen(&[&arguments[..], &["--output", &file("book.epd")]].concat())
        .code(1)
        .stderr(contains("only 0 of 9 openings could be found"));
    assert_eq!(std::fs::read_to_string(file("book.epd")).unwrap(), "old");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "no draft is left");
}
