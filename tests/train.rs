//! `marquetry train` as a user types it: generations, killed and gone on with, refused in one sentence.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::assert::OutputAssertExt;
use lab::store::hash_file;
use predicates::str::contains;
use serde_json::Value;
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_marquetry");
/// Two generations that take some seconds. One thread, because the order in which games end decides when a test stops.
const TINY: [&str; 25] = [
    "--generations",
    "2",
    "--weights",
    "material",
    "--positions",
    "1500",
    "--nodes",
    "40,60",
    "--validation",
    "30",
    "--match-nodes",
    "60",
    "--max-games",
    "12",
    "--sprt",
    "elo0=0,elo1=400",
    "--threads",
    "1",
    "--datagen",
    "--opening-nodes 40 --hash 1",
    "--tune",
    "--k 1 --only material,mobility --epochs 25 --batch 256",
    "--match",
    "--each option.Hash=1",
    "--json",
];

/// A folder that is removed when the test is over.
struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    /// Without what differs from run to run: times, and the runs' numbers in the store.
    fn manifest(&self, name: &str) -> Value {
        let bytes = std::fs::read(self.0.path().join(name).join("manifest.json")).unwrap();
        let mut manifest: Value = serde_json::from_slice(&bytes).unwrap();
        for step in manifest["steps"].as_array_mut().unwrap() {
            let report = step["report"].as_object_mut().unwrap();
            for key in ["seconds", "positions_a_second", "run", "clock_difference_ms"] {
                report.remove(key);
            }
        }
        manifest
    }

    fn train(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(PROGRAM);
        command.arg("train").args(arguments).env("MARQUETRY_STORE", self.path("runs.db"));
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }
}

#[test]
fn killed_at_any_step_and_gone_on_with_it_gives_the_same_generations() {
    let folder = Folder::new();
    let [whole, killed] = ["whole", "killed"].map(|name| folder.path(name));
    let done = folder.train(&[&["--directory", &whole], &TINY[..]].concat()).assert().success();
    let report: Value = serde_json::from_slice(&done.get_output().stdout).unwrap();
    assert_eq!(report["is_finished"], true);
    let generations = report["generations"].as_array().unwrap();
    assert_eq!(generations.len(), 2);
    assert_eq!((&generations[0]["nodes"], &generations[1]["nodes"]), (&40.into(), &60.into()));
    assert!(generations[1]["tuned_on"].as_u64() > generations[0]["tuned_on"].as_u64(), "both generations' games");

    let first = folder.manifest("whole/gen-01");
    let names: Vec<&str> = first["steps"].as_array().unwrap().iter().filter_map(|step| step["step"].as_str()).collect();
    assert_eq!(names, ["datagen", "filter", "tune", "match"]);
    let hash = hash_file(&folder.0.path().join("whole/gen-01/weights.toml")).unwrap();
    assert_eq!(first["steps"][2]["outputs"]["gen-01/weights.toml"], hash);
    let champion = if first["promoted"] == true { "gen-01/weights.toml" } else { "start.toml" };
    assert_eq!(folder.manifest("whole/gen-02")["champion"], champion);
    let best = report["best"].as_str().unwrap();
    let contents = |name: &str| std::fs::read(folder.0.path().join("whole").join(name)).unwrap();
    assert_eq!(contents("best.toml"), contents(best));

    // Killed when a file appears, one after the other; then to the end
    let mut words = [&["--directory", killed.as_str()], &TINY[..]].concat();
    let files = ["games.mqg", "positions-train.mqp", "weights.toml", "weights.toml.report.json"];
    for file in files.map(|file| format!("gen-01/{file}")).into_iter().chain(["gen-02/games.mqg".to_owned()]) {
        let mut run = folder.train(&words).spawn().unwrap();
        let start = Instant::now();
        while !folder.0.path().join("killed").join(&file).exists() {
            assert!(start.elapsed() < Duration::from_secs(900), "{file} is not made");
            std::thread::sleep(Duration::from_millis(2));
        }
        run.kill().unwrap();
        run.wait().unwrap();
        words = vec!["--resume", &killed, "--threads", "1", "--json"];
    }
    let done = folder.train(&words).assert().success();
    let again: Value = serde_json::from_slice(&done.get_output().stdout).unwrap();
    assert_eq!(again["best"], report["best"]);
    for generation in ["gen-01", "gen-02"] {
        let [whole, killed] = ["whole", "killed"].map(|name| folder.manifest(&format!("{name}/{generation}")));
        for step in 0..4 {
            for part in ["command", "inputs", "outputs"] {
                assert_eq!(whole["steps"][step][part], killed["steps"][step][part], "{generation}, step {step}");
            }
        }
        assert_eq!(whole["steps"][3]["report"], killed["steps"][3]["report"]);
        assert_eq!(whole["promoted"], killed["promoted"]);
    }

    // What is done is not repeated, and what was changed is not believed
    let start = std::fs::metadata(folder.0.path().join("whole/gen-01/games.mqg")).unwrap().modified().unwrap();
    folder.train(&["--resume", &whole]).assert().success().stdout(contains("gen-02"));
    assert_eq!(std::fs::metadata(folder.0.path().join("whole/gen-01/games.mqg")).unwrap().modified().unwrap(), start);
    std::fs::write(folder.0.path().join("whole/gen-01/weights.toml"), "name = \"other\"").unwrap();
    folder.train(&["--resume", &whole]).assert().code(2).stderr(contains("gen-01/weights.toml has changed"));
}

#[test]
fn what_cannot_be_done_is_said_before_anything_is_made() {
    let folder = Folder::new();
    let directory = folder.path("new");
    let refuse = |arguments: &[&str], why: &str| {
        folder
            .train(&[&["--directory", directory.as_str()], arguments].concat())
            .assert()
            .code(2)
            .stderr(contains(why));
        assert!(!folder.0.path().join("new").exists(), "{arguments:?}");
    };
    refuse(&["--weights", "nothing"], "nothing");
    refuse(&["--freeze", "nothing"], "nothing");
    refuse(&["--tie", "nothing"], "marquetry tune cannot be run");
    refuse(&["--sprt", "elo0=0"], "elo1");
    refuse(&["--datagen", "--sideways"], "marquetry datagen cannot be run");
    refuse(&["--filter", "--quiet"], "marquetry data filter cannot be run");
    refuse(&["--match", "\"open"], "quote");
    refuse(&["--lambda", "2"], "marquetry tune cannot be run");
    folder.train(&["--resume", &folder.path("")]).assert().code(2).stderr(contains("no training to go on with"));
    folder.train(&["--resume", &directory]).assert().code(2).stderr(contains("cannot be entered"));
    folder.train(&[]).assert().code(2).stderr(contains("--directory"));
    folder
        .train(&["--resume", &directory, "--lambda", "0.5"])
        .assert()
        .code(2)
        .stderr(contains("cannot be used with '--lambda <SHARE>'"));
}

#[test]
fn words_that_would_stop_a_later_step_are_refused_before_anything_is_made() {
    let folder = Folder::new();
    let directory = folder.path("new");
    for (option, words, why) in [
        ("--datagen", "--threads 1", "'--threads <N>' cannot be used multiple times"),
        ("--datagen", "--json", "'--json' cannot be used multiple times"),
        ("--datagen", "--help", "--help is not for a step of a training"),
        ("--filter", "--threads 2", "marquetry data filter cannot be run"),
        ("--tune", "--resume 3", "--resume is not for a step of a training"),
        ("--tune", "--threads=2", "'--threads <N>' cannot be used multiple times"),
        ("--tune", "--bench", "--bench is not for a step of a training"),
        ("--match", "--concurrency 2", "'--concurrency <N>' cannot be used multiple times"),
        ("--match", "--expect-gain", "--expect-gain is not for a step of a training"),
        ("--match", "--store x.db --no-store", "marquetry match cannot be run"),
    ] {
        folder.train(&["--directory", &directory, option, words]).assert().code(2).stderr(contains(why));
        assert!(!folder.0.path().join("new").exists(), "{option} {words}");
    }
}

/// Names of folders may be any bytes, where the system takes them.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_whose_name_is_no_text_does_not_panic() {
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new();
    let directory = folder.0.path().join(std::ffi::OsStr::from_bytes(b"\xfdtr"));
    let mut train = folder.train(&["--generations", "1", "--positions", "1", "--nodes", "1", "--threads", "1"]);
    let output = train.arg("--directory").arg(&directory).output().unwrap();
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!words.contains("panicked") && words.contains("Generation 1 of 1: filter"), "{words}");
    let plan: Value = serde_json::from_slice(&std::fs::read(directory.join("train.json")).unwrap()).unwrap();
    assert!(plan["command"].as_str().unwrap().starts_with("marquetry train --generations 1 "), "{plan}");
}
