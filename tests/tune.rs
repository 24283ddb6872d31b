//! `marquetry tune` as a user types it: weights and a report, nothing lost, refused in one sentence.

use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use lab::store::Store;
use serde_json::Value;
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_marquetry");

/// Whoever has a bishop more wins; without one it is a draw.
const LINES: &str = "r1bqkb1r/pppppppp/2n5/8/8/2N5/PPPPPPPP/R1BQKB1R w KQkq - c9 \"1/2-1/2\";
r1bqk2r/pppppppp/2n5/8/8/2N5/PPPPPPPP/R1BQKB1R w KQkq - 0 1 [1.0]
r1bqkb1r/pppppppp/2n5/8/8/2N5/PPPPPPPP/R1BQK2R b KQkq - 0 1 | -300 | 0.0
";

/// A folder with a file of positions in it.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("games.epd"), LINES.repeat(50)).unwrap();
    folder
}

fn tune(folder: &TempDir, arguments: &[&str]) -> Output {
    let mut command = Command::new(PROGRAM);
    command.current_dir(folder).args(["tune", "--data", "games.epd", "--validation", "0", "--no-store"]);
    command.args(["--weights", "handset", "--output", "tuned.toml"]).args(arguments);
    command.output().unwrap()
}

#[test]
fn weights_are_written_with_a_report_of_each() {
    let folder = folder();
    let output = tune(&folder, &["--epochs", "5", "--l2", "1e-4", "--json"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    let written: Value =
        serde_json::from_slice(&std::fs::read(folder.path().join("tuned.toml.report.json")).unwrap()).unwrap();
    assert!(result["parameters"].as_array().is_some_and(|each| each.len() > 100), "{result}");
    assert_eq!(result["parameters"], written["parameters"]);
    let tuned = std::fs::read_to_string(folder.path().join("tuned.toml")).unwrap();
    assert!(tuned.contains("# Never seen in the data"), "there are no queens on most squares");
    assert!(engine::Weights::parse(&tuned, "tuned.toml").is_ok());
}

#[test]
fn weights_that_the_engine_refuses_are_kept_beside() {
    let folder = folder();
    let output = tune(&folder, &["--epochs", "40", "--rate", "1000", "--k", "0.02"]);
    let words = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{words}");
    assert!(words.contains("tuned.toml.refused: the weights are too large together"), "{words}");
    assert!(words.contains("--l2"), "{words}");
    assert!(std::fs::read_to_string(folder.path().join("tuned.toml.refused")).unwrap().contains("[terms"));
    assert!(!folder.path().join("tuned.toml").exists(), "nothing stands where weights are expected");
}

#[test]
fn groups_that_the_start_weights_do_not_use_stay_out() {
    let folder = folder();
    let output = tune(&folder, &["--epochs", "5", "--freeze", "unused", "--anchor", "material.pawn.eg=100", "--json"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    let tuned = result["parameters"].as_array().unwrap();
    let is_free = |name: &str| tuned.iter().any(|each| each["name"] == name && each["is_free"] == true);
    assert!(is_free("material.pawn") && !is_free("knight_scope.0"), "{result}");
    let written = std::fs::read_to_string(folder.path().join("tuned.toml")).unwrap();
    assert!(!engine::Weights::parse(&written, "tuned.toml").unwrap().uses(engine::Group::KingTables));

    for (frozen, anchor, why) in [
        ("tempo,unused", "material.pawn.eg=100", "all of --freeze but unused"),
        ("unused", "wrong_bishop.eg=10", "does not use"),
    ] {
        let output = tune(&folder, &["--freeze", frozen, "--anchor", anchor]);
        let words = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words}");
        assert!(words.contains(why), "{words}");
    }
}

#[test]
fn rows_of_a_cache_are_used_for_the_same_terms_alone() {
    let folder = folder();
    let tuned = |arguments: &[&str]| {
        let output = tune(&folder, &[&["--epochs", "3", "--l2", "1e-4", "--k", "1", "--json"], arguments].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let result: Value = serde_json::from_slice(&output.stdout).unwrap();
        result["parameters"].clone()
    };
    for terms in [["--freeze", "unused"], ["--only", "material"]] {
        let plain = tuned(&terms);
        for _ in 0..2 {
            assert_eq!(tuned(&[&terms[..], &["--cache", "rows.bin"]].concat()), plain, "{terms:?}");
        }
    }
}

/// Names of files may be any bytes, where the system takes them.
#[cfg(target_os = "linux")]
#[test]
fn a_name_that_is_no_text_does_not_panic() {
    use std::os::unix::ffi::OsStrExt;
    let folder = folder();
    let name = std::ffi::OsStr::from_bytes(b"\xff.toml");
    for more in [&["--no-store"][..], &["--store", "runs.db"]] {
        let mut command = Command::new(PROGRAM);
        command.current_dir(&folder).args(["tune", "--data", "games.epd", "--validation", "0", "--weights", "handset"]);
        command.args(["--epochs", "2", "--l2", "1e-4", "--json"]).args(more).arg("--output").arg(name);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let result: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((&result["weights"], &result["is_finished"]), (&"\u{fffd}.toml".into(), &true.into()));
        assert!(folder.path().join(name).exists());
    }
}

/// Ctrl-C ends a tuning; scripts get an object.
#[cfg(unix)]
#[test]
fn a_stopped_tuning_prints_one_object_for_scripts() {
    let folder = folder();
    let mut command = Command::new(PROGRAM);
    command.current_dir(&folder).args(["tune", "--data", "games.epd", "--validation", "0", "--store", "runs.db"]);
    command.args(["--weights", "handset", "--epochs", "100000", "--patience", "100000", "--json"]);
    let runner = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let store = folder.path().join("runs.db");
    let start = Instant::now();
    let is_there = || {
        Store::open_existing(&store).is_ok_and(|store| store.run("1".parse().unwrap()).is_ok_and(|run| run.is_alive))
    };
    while !is_there() {
        assert!(start.elapsed() < Duration::from_secs(60), "the run does not begin");
        std::thread::sleep(Duration::from_millis(20));
    }
    let ask = |word: &str| {
        Command::new(PROGRAM).args(["runs", word, "1", "--store", "runs.db"]).current_dir(&folder).output()
    };
    let refused = ask("pause").unwrap();
    let words = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(2));
    assert!(words.contains("run 1 is a tuning, which does not pause") && words.contains("tune --resume 1"), "{words}");
    Command::new("kill").args(["-INT", &runner.id().to_string()]).status().unwrap();
    let output = runner.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&result["run"], &result["is_finished"]), (&1.into(), &false.into()));
    assert!(result["epochs"].is_u64(), "{result}");
}

/// The names in a folder, sorted.
fn names(folder: &TempDir) -> Vec<String> {
    let entries = std::fs::read_dir(folder.path()).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// What it says when it refuses.
fn refused(folder: &TempDir, arguments: &[&str]) -> String {
    let output = tune(folder, arguments);
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {words}");
    words
}

#[test]
fn what_is_read_is_not_written() {
    let folder = folder();
    std::fs::write(folder.path().join("start.toml"), engine::Weights::load("handset").unwrap().to_toml()).unwrap();
    let files = names(&folder);
    let run = |arguments: &[&str]| {
        let mut command = Command::new(PROGRAM);
        command.current_dir(&folder).args([
            "tune",
            "--data",
            "games.epd",
            "--weights",
            "start.toml",
            "--store",
            "runs.db",
        ]);
        let output = command.args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    for option in ["--output", "--cache", "--checkpoint"] {
        for name in ["./games.epd", "start.toml"] {
            let words = run(&[option, name]);
            assert!(words.contains(&format!("{name} would be read and written; name another")), "{words}");
        }
    }
    let words = run(&["--cache", "new", "--checkpoint", "./new"]);
    assert!(words.contains("new would be written twice; name another"), "{words}");
    assert_eq!(std::fs::read_to_string(folder.path().join("games.epd")).unwrap(), LINES.repeat(50));
    assert_eq!(names(&folder), files);
}

#[test]
fn a_tuning_that_cannot_begin_leaves_nothing() {
    let folder = folder();
    std::fs::write(folder.path().join("empty"), "").unwrap();
    let run = |arguments: &[&str]| {
        let mut command = Command::new(PROGRAM);
        let output = command.current_dir(&folder).arg("tune").args(arguments).args(["--output", "t.toml"]).output();
        let output = output.unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(names(&folder), ["empty", "games.epd"], "{arguments:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let words = run(&["--data", "empty", "--no-store", "--cache", "rows"]);
    assert!(words.contains("there are no positions to tune on"), "{words}");
    for option in ["--checkpoint", "--cache"] {
        let words = run(&["--data", "games.epd", "--store", "no/runs.db", option, "/nonexistent/c"]);
        assert!(words.contains("/nonexistent/c cannot be written"), "{words}");
    }
}

#[test]
fn a_tuning_that_nothing_can_resume_leaves_no_checkpoint() {
    let folder = folder();
    let mut command = Command::new(PROGRAM);
    command.current_dir(&folder).args(["tune", "--data", "games.epd", "--validation", "0", "--no-store", "--k", "1"]);
    command.args(["--epochs", "4000000000", "--patience", "4000000000", "--output", "tuned.toml"]);
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(child.stdout.take().unwrap()));
    assert!(lines.any(|line| line.unwrap().contains("free numbers")));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    lines.for_each(drop);
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert_eq!(names(&folder), ["games.epd"]);
}

#[test]
fn a_wrong_value_of_an_anchor_is_named_and_not_its_weight() {
    let folder = folder();
    for value in ["0", "nan", "-5", "much"] {
        let words = refused(&folder, &["--anchor", &format!("material.pawn.eg={value}")]);
        let sentence = format!("\"{value}\" is no value for material.pawn.eg: a number above 0 is needed");
        assert!(words.contains(&sentence), "{words}");
    }
    assert!(refused(&folder, &["--anchor", "material.pwn.eg=0"]).contains("there is no weight"));
}
