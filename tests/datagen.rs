//! `marquetry datagen` as a user types it: reproducible, killed and gone on with, refused in one sentence.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::assert::OutputAssertExt;
use lab::data::games::{Game, GameReader};
use lab::store::hash_file;
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_marquetry");
/// Games that take a fraction of a second each.
const QUICK: [&str; 6] = ["--nodes", "60", "--opening-nodes", "60", "--hash", "1"];

/// A folder that is removed when the test is over.
struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.0.path().join(name)).unwrap()
    }

    fn games(&self, name: &str) -> Vec<Game> {
        GameReader::open(&self.0.path().join(name)).unwrap().collect::<Result<_, _>>().unwrap()
    }

    fn manifest(&self, name: &str) -> Value {
        serde_json::from_slice(&self.bytes(&format!("{name}.json"))).unwrap()
    }
}

fn datagen(arguments: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command.arg("datagen").args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn quick(arguments: &[&str]) -> Command {
    datagen(&[&QUICK[..], arguments].concat())
}

#[test]
fn a_file_is_the_same_for_any_number_of_threads_and_tells_about_itself() {
    let folder = Folder::new();
    let [one, three] = ["one", "three"].map(|name| folder.file(name));
    let made =
        quick(&["--output", &one, "--games", "12", "--dfrc", "50", "--threads", "1", "--json"]).assert().success();
    let report: Value = serde_json::from_slice(&made.get_output().stdout).unwrap();
    quick(&["--output", &three, "--games", "12", "--dfrc", "50", "--threads", "3"])
        .assert()
        .success()
        .stdout(contains("12 games").and(contains("SHA-256")));
    assert_eq!(folder.bytes("one"), folder.bytes("three"));

    let games = folder.games("one");
    let positions: usize = games.iter().map(|game| game.plies().len()).sum();
    let bytes = folder.bytes("one").len();
    assert_eq!(games.len(), 12);
    assert_eq!((&report["games"], &report["positions"]), (&12.into(), &positions.into()));
    assert!(bytes < 5 * positions + 1000, "{bytes} bytes for {positions} positions");
    let manifest = folder.manifest("one");
    let hash = hash_file(&folder.0.path().join("one")).unwrap();
    assert_eq!((&manifest["sha256"], &report["sha256"]), (&hash.clone().into(), &hash.into()));
    assert_eq!(manifest["made"]["plan"]["seed"], 1);
    assert_eq!(manifest["made"]["weights"]["name"], "default");
    assert_eq!(manifest["complete"], true);
    let results = ["white_wins", "draws", "black_wins"].map(|key| manifest["statistics"][key].as_u64().unwrap());
    assert_eq!(results.iter().sum::<u64>(), 12);
}

#[test]
fn other_seeds_and_shares_give_other_games() {
    let folder = Folder::new();
    let starts = |name: &str, more: &[&str]| -> Vec<String> {
        quick(&[&["--output", &folder.file(name), "--games", "6"], more].concat()).assert().success();
        folder.games(name).iter().map(|game| game.start().to_string()).collect()
    };
    let standard = starts("a", &["--dfrc", "0"]);
    assert_ne!(standard, starts("b", &["--dfrc", "0", "--seed", "2"]));
    let rooks = |fen: &String| fen.split(' ').nth(2).unwrap().chars().all(|letter| "KQkq-".contains(letter));
    assert!(standard.iter().all(rooks));
    assert_ne!(standard, starts("c", &["--dfrc", "100"]));
}

#[test]
fn a_killed_run_goes_on_as_if_nothing_had_happened() {
    let folder = Folder::new();
    let whole = folder.file("whole");
    quick(&["--output", &whole, "--games", "60", "--threads", "2"]).assert().success();
    let expected = folder.bytes("whole");

    let killed = folder.file("killed");
    let mut run: Child = quick(&["--output", &killed, "--games", "60", "--threads", "2"]).spawn().unwrap();
    wait_for(&folder, expected.len() / 6);
    run.kill().unwrap();
    run.wait().unwrap();
    // And again, from where it was
    let mut run: Child = datagen(&["--resume", &killed, "--games", "60", "--threads", "1"]).spawn().unwrap();
    wait_for(&folder, expected.len() / 2);
    run.kill().unwrap();
    run.wait().unwrap();
    // As if the last write had been cut short, too
    let mut bytes = folder.bytes("killed");
    assert!(bytes.len() < expected.len(), "it was killed too late to prove anything");
    bytes.truncate(bytes.len() - 3);
    std::fs::write(&killed, &bytes).unwrap();
    datagen(&["--resume", &killed, "--games", "60", "--threads", "2"])
        .assert()
        .success()
        .stderr(contains("bytes were cut off"));
    assert_eq!(folder.bytes("killed"), expected);
    assert_eq!(folder.manifest("killed")["sha256"], folder.manifest("whole")["sha256"]);
    assert_eq!(folder.manifest("killed")["statistics"], folder.manifest("whole")["statistics"]);
}

/// Until the file that will be killed has so many bytes.
fn wait_for(folder: &Folder, bytes: usize) {
    let start = Instant::now();
    while std::fs::metadata(folder.0.path().join("killed")).map_or(0, |file| file.len()) < bytes as u64 {
        assert!(start.elapsed() < Duration::from_secs(120), "nothing is written");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn positions_can_be_counted_and_a_file_made_longer() {
    let folder = Folder::new();
    let file = folder.file("games");
    quick(&["--output", &file, "--positions", "300"]).assert().success();
    let count = || folder.games("games").iter().map(|game| game.plies().len()).sum::<usize>();
    let last = folder.games("games").last().unwrap().plies().len();
    assert!(count() >= 300 && count() - last < 300, "not a game too many");
    datagen(&["--resume", &file, "--positions", "300"]).assert().success();
    let before = count();
    datagen(&["--resume", &file, "--positions", "900"]).assert().success();
    assert!(before < 900 && count() >= 900);
}

#[test]
fn what_cannot_be_done_is_said_in_one_sentence() {
    let folder = Folder::new();
    let (file, games) = (folder.file("games"), ["--games", "2"]);
    let refuse = |arguments: &[&str], why: &str| {
        datagen(arguments).assert().code(2).stderr(contains(why));
    };
    quick(&["--output", &file, "--games", "2"]).assert().success();
    refuse(&["--output", &file, "--games", "2"], "is there already");
    refuse(&[&["--output", &folder.file("no/such/folder")], &games[..]].concat(), "cannot be written");
    refuse(&[&["--resume", &folder.file("nothing")], &games[..]].concat(), "cannot be");
    refuse(&[&["--resume", &file, "--weights", "material"], &games[..]].concat(), "other weights");
    refuse(&[&["--resume", &file, "--nodes", "9"], &games[..]].concat(), "cannot be used with");
    refuse(&[&["--resume", &format!("{file}.json")], &games[..]].concat(), "is not a file of games");
    refuse(&["--output", &folder.file("other")], "--games");
    refuse(&["--games", "2"], "--output");
    let conflict = "the argument '--resume <FILE>' cannot be used with '--nodes <N>'";
    refuse(&[&["--resume", &file, "--nodes", "9"], &games[..]].concat(), conflict);
    refuse(&["--output", &folder.file("other"), "--games", "2", "--draw", "plies=3"], "value is missing");
    let draw = |rule| ["--output", "other", "--games", "2", "--draw", rule];
    refuse(&draw("value=-3"), "value needs a whole number, 0 at least, not \"-3\"");
    refuse(&draw("value=8,plies=0"), "plies needs a whole number, 1 at least, not \"0\"");
    refuse(
        &["--output", &folder.file("other"), "--games", "2", "--tablebases", &folder.file("none")],
        "endgame tables",
    );
    assert_eq!(folder.games("games").len(), 2);
}

/// Where no more can be written.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_keeps_what_was_written() {
    let folder = Folder::new();
    let file = folder.file("games");
    // The shell's limit on the size of files stands for a disk that fills up
    let command =
        format!("ulimit -f 8; exec {PROGRAM} datagen {} --output {file} --games 500 --threads 1", QUICK.join(" "));
    Command::new("sh")
        .args(["-c", &format!("trap '' XFSZ; {command}")])
        .stdout(Stdio::null())
        .assert()
        .code(2)
        .stderr(contains("cannot be written").and(contains("games before are whole")));
    let before = folder.games("games").len();
    assert!(before > 0, "whole games and nothing else");
    datagen(&["--resume", &file, "--games", &(before + 1).to_string()]).assert().success();
    assert_eq!(folder.games("games").len(), before + 1);
}

/// Names of files may be any bytes, where the system takes them.
#[cfg(target_os = "linux")]
#[test]
fn a_name_that_is_no_text_does_not_panic_after_the_games() {
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new();
    let output = folder.0.path().join(std::ffi::OsStr::from_bytes(b"\xfe.mqg"));
    quick(&["--games", "1", "--output"]).arg(&output).assert().success();
    let manifest = std::fs::read(folder.0.path().join(std::ffi::OsStr::from_bytes(b"\xfe.mqg.json"))).unwrap();
    let manifest: Value = serde_json::from_slice(&manifest).unwrap();
    assert!(manifest["command"].as_str().unwrap().starts_with("marquetry datagen "), "{manifest}");
}
