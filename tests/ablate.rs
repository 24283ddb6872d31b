//! `marquetry ablate` as a user types it.

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use lab::store::{Filter, Store, hash_file};
use predicates::prelude::*;
use predicates::str::contains;
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_marquetry");

/// A folder to stand in, removed when the test is over.
struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn command(&self, arguments: &[&str]) -> std::process::Command {
        let mut command = std::process::Command::new(PROGRAM);
        command.current_dir(self.0.path()).env("MARQUETRY_STORE", self.0.path().join("runs.db"));
        command.arg("ablate").args(arguments);
        // Weights whose groups are the ones that these tests speak of
        if !arguments.contains(&"--weights") && !arguments.contains(&"--resume") {
            command.args(["--weights", "handset"]);
        }
        command
    }

    fn ablate(&self, arguments: &[&str]) -> Assert {
        Command::from_std(self.command(arguments)).assert()
    }

    fn json(&self, arguments: &[&str]) -> serde_json::Value {
        let output = self.ablate(&[arguments, &["--json"]].concat()).success();
        serde_json::from_slice(&output.get_output().stdout).unwrap()
    }

    /// Spares the run the bench of this program, which is not what is tested here.
    fn store(&self) -> Store {
        let store = Store::open(&self.0.path().join("runs.db")).unwrap();
        store.remember_bench(&hash_file(Path::new(PROGRAM)).unwrap(), 1).unwrap();
        store
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.path().join(name), text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.path().join(name)).unwrap()
    }
}

const QUICK: [&str; 4] = ["--nodes", "60", "--games", "2"];

fn names(parts: &serde_json::Value) -> Vec<&str> {
    parts.as_array().unwrap().iter().map(|part| part["name"].as_str().unwrap()).collect()
}

#[test]
fn every_group_is_switched_off_once() {
    let folder = Folder::new();
    let text = folder.ablate(&[&QUICK[..], &["--no-store"]].concat()).success();
    text.stdout(contains("Elo lost").and(contains("| king-safety ")).and(contains("Conditions: handset at nodes 60")));
    let report = folder.json(&[&QUICK[..], &["--no-store"]].concat());
    let mut found = names(&report["parts"]);
    found.sort_unstable();
    assert_eq!(found, ["imbalance", "initiative", "king-safety", "mobility", "pawns", "piece-square", "rooks"]);
    assert_eq!((&report["games"], &report["run"]), (&14.into(), &serde_json::Value::Null));
    let lost: Vec<f64> =
        report["parts"].as_array().unwrap().iter().map(|part| part["elo_lost"].as_f64().unwrap()).collect();
    assert!(lost.is_sorted_by(|a, b| a >= b), "{lost:?}");
    let file = folder.read("ablation/without-mobility.toml");
    assert!(file.contains("ablation = \"marquetry ablate: handset without mobility (knight_mobility, "), "{file}");
    assert!(!file.contains("terms.queen_mobility") && file.contains("terms.pawn_shield"));
}

#[test]
fn the_full_weights_lead_is_what_is_lost() {
    // Without its tables `simplified` only counts pieces: whoever has them must win more often
    let folder = Folder::new();
    let more = ["--weights", "simplified", "--nodes", "400", "--games", "20", "--no-store", "--max-moves", "150"];
    let report = folder.json(&more);
    let part = &report["parts"][0];
    assert_eq!(part["name"], "piece-square");
    assert!(part["wins"].as_u64() > part["losses"].as_u64(), "{part}");
    assert!(part["elo_lost"].as_f64().unwrap() > 0.0 && part["los"].as_f64().unwrap() > 0.5, "{part}");
}

#[test]
fn material_takes_over_what_a_part_gave_the_pieces() {
    let folder = Folder::new();
    let more = ["--terms", "piece_square", "rook_mobility", "--rebalance", "--no-store"];
    let report = folder.json(&[&QUICK[..], &more].concat());
    assert_eq!(report["parts"].as_array().unwrap().len(), 2);
    let part = report["parts"].as_array().unwrap().iter().find(|part| part["name"] == "rook_mobility").unwrap();
    let rook = part["material"]["rook"]["eg"].as_i64().unwrap();
    let knight = part["material"]["knight"]["eg"].as_i64().unwrap();
    assert!(rook.abs() > knight.abs(), "rooks have it, knights do not: {part}");
    let file = folder.read("ablation/without-rook_mobility-rebalanced.toml");
    assert!(file.contains("material = \"What rook_mobility adds to each piece on average"), "{file}");
}

#[test]
fn a_run_is_gone_on_with_and_changed_files_are_noticed() {
    let folder = Folder::new();
    folder.store();
    let first = folder.json(&[&QUICK[..], &["--groups", "Rooks,king_safety"]].concat());
    assert_eq!((&first["run"], &first["games"]), (&1.into(), &4.into()));
    assert_eq!(folder.json(&["--resume", "1"]), first, "nothing is left to play, and the games are there");

    let path = "ablation/without-rooks.toml";
    folder.write(path, &format!("{}# changed\n", folder.read(path)));
    folder.ablate(&["--resume", "1"]).code(2).stderr(contains("weights or openings have changed since run 1 began"));
    folder
        .ablate(&[&QUICK[..], &["--groups", "rooks"]].concat())
        .code(2)
        .stderr(contains("without-rooks.toml is there already").and(contains("--directory")));
}

#[test]
fn a_killed_run_comes_to_what_it_would_have_come_to() {
    let folder = Folder::new();
    let store = folder.store();
    let arguments = ["--nodes", "300", "--games", "20", "--groups", "mobility,pawns", "--max-moves", "80", "--json"];
    let played = || store.runs(Filter::default()).unwrap().last().map_or(0, |run| run.games);
    let mut runner = folder.command(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let start = Instant::now();
    while played() < 3 {
        assert!(start.elapsed() < Duration::from_secs(60), "no game comes");
        std::thread::sleep(Duration::from_millis(5));
    }
    runner.kill().unwrap();
    runner.wait().unwrap();
    assert!(played() < 40, "it was killed in time");
    let again = folder.json(&["--resume", "1"]);
    assert_eq!(again["games"], 40);
    let whole = folder.json(&[&arguments[..8], &["--no-store"]].concat());
    assert_eq!(again["parts"], whole["parts"]);
}

#[test]
fn loss_is_measured_on_labelled_lines() {
    let folder = Folder::new();
    // Whoever is a bishop ahead wins
    let lines = [
        "r1bqkb1r/pppppppp/2n5/8/8/2N5/PPPPPPPP/R1BQKB1R w KQkq - c9 \"1/2-1/2\";",
        "r1bqk2r/pppppppp/2n5/8/8/2N5/PPPPPPPP/R1BQKB1R w KQkq - 0 1 [1.0]",
        "r1bqkb1r/pppppppp/2n5/8/8/2N5/PPPPPPPP/R1BQK2R b KQkq - 0 1 | -300 | 0.0",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R w KQkq -",
        "nonsense",
    ];
    folder.write("small.epd", &lines.join("\n"));
    let report = folder.json(&["--data", "small.epd"]);
    assert_eq!((&report["positions"], &report["bad_lines"]), (&3.into(), &2.into()));
    assert_eq!(report["first_bad_lines"][1]["line"], 5);
    assert_eq!((report["groups"].as_array().unwrap().len(), report["terms"].as_array().unwrap().len()), (7, 17));
    assert!(!folder.0.path().join("ablation").exists(), "nothing is written");
    folder
        .ablate(&["--data", "small.epd", "--groups", "mobility", "--loss", "logistic", "--rebalance"])
        .success()
        .stdout(contains("3 positions of small.epd, 2 lines left out.").and(contains("Line 4: there is no result")))
        .stdout(contains("(logistic)").and(contains("Material without mobility: pawn ")));
}

#[test]
fn what_groups_cost_is_measured() {
    let folder = Folder::new();
    let report = folder.json(&["--cost", "--groups", "mobility,rooks"]);
    let mut found = names(&report["groups"]);
    found.sort_unstable();
    assert_eq!(found, ["mobility", "rooks"]);
    let cost = |group: &serde_json::Value| group["nanoseconds"].as_f64().unwrap();
    let mobility = report["groups"].as_array().unwrap().iter().find(|group| group["name"] == "mobility").unwrap();
    assert!(cost(mobility) > 0.0 && cost(mobility) < cost(&report), "{report}");
    let text = folder.ablate(&["--cost", "--groups", "mobility"]).success();
    text.stdout(contains("An evaluation with handset takes ").and(contains("| mobility |")));
    assert!(!folder.0.path().join("ablation").exists(), "nothing is written");
}

#[test]
fn what_cannot_be_done_is_told() {
    let folder = Folder::new();
    folder.write("empty.epd", "nonsense\n");
    for (arguments, sentence) in [
        (&["--terms", "material"][..], "material is not switched off"),
        (&["--groups", "kings"], "there is no \"kings\" to switch off; there are piece-square, king-tables, imbalance"),
        (&["--weights", "seajay", "--groups", "mobility"], "mobility has no weight in seajay"),
        (&["--weights", "material"], "material has nothing but material"),
        (&["--games", "3"], "--games must be even"),
        (&["--groups", "rooks", "--terms"], "cannot be used with"),
        (&["--data", "empty.epd", "--games", "4"], "cannot be used with"),
        (&["--loss", "logistic"], "--data"),
        (&["--cost", "--terms"], "cannot be used with"),
        (&["--data", "empty.epd"], "empty.epd has fewer than two positions with results; line 1: "),
        (&["--data", "missing.epd"], "missing.epd cannot be read"),
        (&["--weights", "defualt"], "did you mean `default`?"),
    ] {
        folder.ablate(arguments).code(2).stderr(contains(sentence));
    }
    assert!(!folder.0.path().join("ablation").exists(), "nothing is written");
}
