//! `marquetry analyse` as a user types it.

mod common;

use common::{File, marquetry};
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::{Value, json};

const GAMES: &[u8] = b"\xef\xbb\xbf[Event \"one\"]\n[White \"M\xfcller\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n\
{ a quick mate } 1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 $6 {[%eval 9.99] he \"overlooks\" it} (3... g6 4. Qf3 (4. Qd1 $1) 4... Nf6) 4. Qxf7# 1-0\n\n\
[Event \"two\"]\n\n1. e4 e5 2. Ke4 *\n\n\
[Event \"three\"]\n[Result \"*\"]\n\n*\n\n\
[Event \"four\"]\n[Result \"1/2-1/2\"]\n\ne2e4 e7e5 d1h5 b8c6 h5e5 c6e5 1/2-1/2\n";

fn text(output: &[u8]) -> String {
    String::from_utf8(output.to_vec()).unwrap()
}

#[test]
fn annotated_games_keep_what_stood_there_and_say_what_was_better() {
    let file = File::new("games.pgn", GAMES);
    let done = marquetry(&["analyse", file.path(), "--depth", "5", "--jobs", "2"]).success();
    let (pgn, words) = (text(&done.get_output().stdout), text(&done.get_output().stderr));
    let flat = pgn.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "[White \"Müller\"]",
        "{a quick mate}",
        "{he \"overlooks\" it}",
        "(3... g6 4. Qf3 (4. Qd1 $1) 4... Nf6)",
        "3... Nf6 $4 {[%eval #1] Blunder, it allows mate in 1. Better is ",
        "4. Qxf7# 1-0",
        "3. Qxe5+ $4 {[%eval ",
        "[Annotator \"Marquetry ",
    ] {
        assert!(flat.contains(part), "{part}\n{pgn}");
    }
    assert!(!pgn.contains("9.99"), "an old value goes");
    assert_eq!(pgn.matches("[Event ").count(), 3);
    assert!(words.contains("game 2 (line 8): Ke4 is not legal at ply 3; it is skipped"), "{words}");
    assert!(words.contains("3 games reviewed, 13 moves") && words.contains("1 game could not be read."), "{words}");
    assert!(words.contains("material"), "{words}");
}

#[test]
fn several_files_are_summed_up_one_by_one_and_together() {
    let files = ["a.pgn", "b.pgn"].map(|name| File::new(name, "[White \"A\"]\n\n1. e4 *\n"));
    let output = File::new("several.pgn", "");
    let arguments = ["analyse", files[0].path(), files[1].path(), "--depth", "2", "--output", output.path()];
    let lines = files.each_ref().map(|file| format!("{}: 1 game reviewed, 1 move: ", file.path()));
    let together = contains("\n2 games reviewed, 2 moves: ");
    marquetry(&arguments).success().stdout(contains(&lines[0]).and(contains(&lines[1])).and(together));
}

#[test]
fn the_outcome_does_not_depend_on_the_number_of_jobs() {
    let file = File::new("jobs.pgn", GAMES);
    let run = |jobs: &str| {
        text(&marquetry(&["analyse", file.path(), "--nodes", "2000", "--jobs", jobs]).success().get_output().stdout)
    };
    assert_eq!(run("1"), run("3"));
}

#[test]
fn json_has_games_mistakes_and_reasons() {
    let file = File::new("json.pgn", GAMES);
    let output = File::new("out.pgn", "");
    let arguments = ["analyse", file.path(), "--depth", "5", "--json", "--output", output.path()];
    let report: Value = serde_json::from_slice(&marquetry(&arguments).success().get_output().stdout).unwrap();
    assert_eq!((&report["games"], &report["interrupted"]), (&json!(3), &json!(false)));
    assert_eq!(report["broken"][0]["number"], 2);
    assert_eq!((&report["files"][0]["file"], &report["files"][0]["games"]), (&json!(file.path()), &json!(3)));
    let mistake = report["reviews"][0]["mistakes"].as_array().unwrap().last().unwrap().clone();
    assert_eq!((&mistake["ply"], &mistake["side"], &mistake["grade"]), (&json!(6), &json!("black"), &json!("blunder")));
    let mistakes = report["reviews"][2]["mistakes"].as_array().unwrap();
    let queen = mistakes.iter().find(|mistake| mistake["move"] == "h5e5").unwrap();
    assert_eq!((&queen["grade"], &queen["reasons"][0]["reason"]), (&json!("blunder"), &json!("material")));
    assert!(queen["reasons"][0]["cp"].as_i64().unwrap() > 500);
    assert!(std::fs::read_to_string(output.path()).unwrap().contains("[%eval "));
}

#[test]
fn what_the_evaluation_misjudges_is_grouped() {
    let lines = "4k3/pppp4/8/8/8/8/PPPP4/R3K3 w - - 0 1 | -900 | 0.0\n\
                 4k3/pppp4/8/8/8/8/PPPP4/R3K3 w - - 0 1 | 600 | 1.0\n\
                 nonsense\n";
    let file = File::new("misses.epd", lines);
    let arguments = ["analyse", "--misses", file.path(), "--weights", "handset"];
    marquetry(&arguments).success().stdout(
        contains("2 positions judged by handset, 0 left out.")
            .and(contains("endgame     material"))
            .and(contains("search -900, result 0"))
            .and(contains("1 lines or games were left out")),
    );
    let output =
        marquetry(&[&arguments[..], &["--json", "--count", "1"]].concat()).success().get_output().stdout.clone();
    let report: Value = serde_json::from_slice(&output).unwrap();
    assert_eq!((&report["judged"], &report["worst"].as_array().unwrap().len()), (&json!(2), &1));
    assert_eq!((&report["worst"][0]["misled_by"], &report["worst"][0]["value"]), (&json!("material"), &json!(-900)));
    assert_eq!(report["groups"][0]["share"], 1.0);
}

#[test]
fn what_cannot_be_done_is_said_in_a_sentence() {
    let fails = |arguments: &[&str], words: &str| {
        marquetry(&[&["analyse"], arguments].concat()).code(2).stderr(contains(words));
    };
    let empty = File::new("empty.pgn", "no game at all\n");
    fails(&[empty.path()], "has no game");
    fails(&["/no/such/file.pgn"], "cannot be read");
    fails(&[], "<GAMES>");
    fails(&[empty.path(), "--scale", "3,2,1"], "three numbers of centipawns that rise");
    fails(&[empty.path(), "--scale", "50,100,x,300"], "three numbers of centipawns that rise");
    fails(&["--misses", empty.path()], "has no position to judge");
    fails(&["--misses", empty.path(), "--besides", "nosuch"], "there is no reason \"nosuch\"; there are ");
    fails(&["--misses", empty.path(), "--nodes", "20"], "cannot be used with '--nodes <N>'");
    fails(&[empty.path(), "--yardstick", "search"], "cannot be used with");
    fails(&[empty.path(), "--depth", "0"], "depth must be 1 or more");
    let broken = File::new("broken.pgn", "[Event \"two\"]\n\n1. e4 e5 2. Ke4 *\n");
    fails(&[broken.path(), "--depth", "1"], "has no game that can be read");
}

#[test]
fn the_file_that_is_read_is_not_emptied() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(file("same.pgn"), GAMES).unwrap();
    std::os::unix::fs::symlink("same.pgn", file("link.pgn")).unwrap();
    for output in ["same.pgn", "./same.pgn", "link.pgn"] {
        let arguments = ["analyse", &file("same.pgn"), "--nodes", "20", "--output", &file(output)];
        marquetry(&arguments).code(2).stderr(contains("would be read and written; name another"));
        assert_eq!(std::fs::read(file("same.pgn")).unwrap(), GAMES);
    }
}

#[test]
fn an_output_stays_if_there_is_nothing_to_put_in_its_place() {
    let broken = File::new("all-broken.pgn", "[White \"A\"]\n\n1. e5 *\n");
    let output = File::new("kept.pgn", "old");
    marquetry(&["analyse", broken.path(), "--nodes", "20", "--output", output.path()])
        .stderr(contains("e5 is not legal"));
    assert_eq!(std::fs::read_to_string(output.path()).unwrap(), "old");
    assert!(!std::path::Path::new(&format!("{}.part", output.path())).exists());
}

#[test]
fn a_word_that_is_no_move_is_named() {
    let file = File::new("stray.pgn", "[White \"A\"]\n\n1. e4 e5 2. Qh9 1-0\n\n[White \"B\"]\n\n1. e4 e5 1-0\n");
    marquetry(&["analyse", file.path(), "--nodes", "20"])
        .success()
        .stdout(contains("[White \"A\"]").not())
        .stderr(contains("game 1 (line 1): \"Qh9\" is no move at ply 3; it is skipped"));
}
