//! Matches that are stopped or killed, and gone on with: no game is lost, none is played twice, no engine stays behind.

use std::collections::HashSet;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use lab::store::{Filter, Store, hash_file};
use tempfile::TempDir;

/// What a stubborn engine does when its work is over.
const FOR_EVER: &str = "while :; do sleep 98765; done";
const PROGRAM: &str = env!("CARGO_BIN_EXE_marquetry");

/// A store that is removed when the test is over.
struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        let folder = Folder(tempfile::tempdir().unwrap());
        // The bench of this program is not what is tested here
        folder.open().remember_bench(&hash_file(Path::new(PROGRAM)).unwrap(), 1).unwrap();
        folder
    }

    fn file(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    fn open(&self) -> Store {
        Store::open(&self.0.path().join("runs.db")).unwrap()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(PROGRAM);
        command.args(arguments).env("MARQUETRY_STORE", self.0.path().join("runs.db"));
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn games(&self) -> u64 {
        self.open().runs(Filter::default()).unwrap().last().map_or(0, |run| run.games)
    }
}

/// What is left of a stubborn engine.
fn left_of(engine: &str) -> Vec<String> {
    let Ok(folders) = std::fs::read_dir("/proc") else { return Vec::new() };
    let commands = folders.filter_map(|folder| std::fs::read(folder.ok()?.path().join("cmdline")).ok());
    let commands = commands.map(|bytes| String::from_utf8_lossy(&bytes).replace('\0', " "));
    commands.filter(|command| command.contains(engine) || command.contains("98765")).collect()
}

fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(60), "{what} does not come");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// An engine that does not leave by itself: it ignores `quit` and the end of its input.
fn stubborn(folder: &Folder) -> String {
    let path = folder.file("stubborn");
    // The engine reads the runner's lines; the shell round it stays for ever, and so does what it started
    let script = format!("#!/bin/sh\nexec 3<&0\n\"{PROGRAM}\" uci <&3 &\nexec <&- 3<&-\ntrap '' TERM\n{FOR_EVER}\n");
    std::fs::write(&path, script).unwrap();
    let mut permissions = std::fs::metadata(&path).unwrap().permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o755);
    std::fs::set_permissions(&path, permissions).unwrap();
    path
}

fn start(folder: &Folder, arguments: &[&str]) -> Child {
    folder.command(arguments).spawn().unwrap()
}

#[test]
fn a_match_that_is_killed_twenty_times_has_every_game_once() {
    let folder = Folder::new();
    let (engine, pgn) = (stubborn(&folder), folder.file("games.pgn"));
    let stubborn = format!("cmd={engine}");
    let begin = [
        "match",
        "--engine",
        "self",
        "--engine",
        &stubborn,
        "--processes",
        "--nodes",
        "3000",
        "--rounds",
        "60",
        "--concurrency",
        "2",
        "--max-moves",
        "30",
        "--pgn",
        &pgn,
    ];
    let again = ["match", "--resume", "1"];
    for number in 0..20 {
        let before = folder.games();
        let mut runner = start(&folder, if number == 0 { &begin } else { &again });
        if before < 100 {
            wait_until("another game", || folder.games() > before);
        }
        std::thread::sleep(Duration::from_millis(number * 7 % 50));
        runner.kill().unwrap();
        runner.wait().unwrap();
        wait_until("the end of all engines", || left_of(&engine).is_empty());
    }
    let output = folder.command(&again).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("Games: 120, "));
    let store = folder.open();
    store.integrity_check().unwrap();
    let run = store.runs(Filter::default()).unwrap().remove(0);
    assert_eq!((run.games, run.status()), (120, "finished"));
    let mut places = HashSet::new();
    store
        .for_each_game(run.id, |game| {
            assert!(places.insert(game.place), "{} twice", game.place);
            Ok::<_, lab::store::StoreError>(())
        })
        .unwrap();
    assert_eq!(places.len(), 120);
    let text = std::fs::read_to_string(&pgn).unwrap();
    assert_eq!(text.matches("[Event ").count(), 120, "and the file has what the store has");
    assert_eq!(left_of(&engine), [""; 0]);
}

#[test]
fn a_match_stops_at_ctrl_c_and_says_how_to_go_on() {
    let folder = Folder::new();
    let runner =
        start(&folder, &["match", "--engine", "self", "--engine", "self", "--nodes", "2000", "--rounds", "500"]);
    wait_until("a game", || folder.games() > 0);
    Command::new("kill").args(["-INT", &runner.id().to_string()]).status().unwrap();
    let output = runner.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "it is not finished");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("Go on with: marquetry match --resume 1"), "{text}");
    let run = folder.open().runs(Filter::default()).unwrap().remove(0);
    assert_eq!(run.status(), "stopped");
    assert!(run.games < 1000);
}

#[test]
fn a_runner_that_stands_still_lets_nobody_lose() {
    let folder = Folder::new();
    let begin = ["match", "--engine", "self", "--engine", "self", "--tc", "0.5+0.01", "--rounds", "1"];
    let runner = start(&folder, &begin);
    let signal = |name: &str| Command::new("kill").args([name, &runner.id().to_string()]).status().unwrap();
    wait_until("the run", || !folder.open().runs(Filter::default()).unwrap().is_empty());
    std::thread::sleep(Duration::from_millis(300));
    signal("-STOP");
    std::thread::sleep(Duration::from_millis(2500));
    signal("-CONT");
    let output = runner.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("Games: 2, ") && !text.contains("Incident"), "{text}");
}

#[test]
fn a_run_is_paused_and_stopped_from_outside() {
    let folder = Folder::new();
    let arguments = ["match", "--engine", "self", "--engine", "self", "--nodes", "2000", "--rounds", "5000", "--json"];
    let runner = start(&folder, &arguments);
    wait_until("a game", || folder.games() > 0);
    let ask = |word: &str| assert!(folder.command(&["runs", word, "1"]).status().unwrap().success(), "{word}");
    let status = || folder.open().runs(Filter::default()).unwrap()[0].status();
    ask("pause");
    wait_until("the pause", || status() == "paused");
    std::thread::sleep(Duration::from_millis(1500));
    let played = folder.games();
    std::thread::sleep(Duration::from_millis(1500));
    assert_eq!(folder.games(), played, "no new game begins");
    ask("resume");
    wait_until("the next game", || folder.games() > played);
    ask("stop");
    let output = runner.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "it is not finished");
    assert_eq!(status(), "stopped");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&report["run"], &report["is_finished"]), (&1.into(), &false.into()));
}

#[test]
fn work_that_ctrl_c_ends_early_is_not_called_done() {
    let folder = Folder::new();
    let ladder = ["ladder", "--opponent", PROGRAM, "--nodes", "3000", "--games", "2000", "--levels", "1500"];
    let without = folder.file("ablation");
    let ablate = ["ablate", "--groups", "shelter", "--games", "2000", "--nodes", "3000", "--directory", &without];
    let spsa = ["spsa", "--tune", "rfp_margin", "--iterations", "2000", "--nodes", "3000"];
    for (number, arguments) in [&ladder[..], &ablate, &spsa].into_iter().enumerate() {
        let runner = start(&folder, &[arguments, &["--json"]].concat());
        let runs = || folder.open().runs(Filter::default()).unwrap();
        wait_until("a game", || runs().get(number).is_some_and(|run| run.games > 0));
        Command::new("kill").args(["-INT", &runner.id().to_string()]).status().unwrap();
        let output = runner.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["is_finished"], false, "{report}");
    }
}

#[test]
fn what_cannot_be_gone_on_with_is_told() {
    let folder = Folder::new();
    let book = folder.file("book.epd");
    std::fs::write(&book, "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n").unwrap();
    let engines = ["match", "--engine", "self", "--engine", "self", "--nodes", "200", "--openings", &book];
    let output = folder.command(&[&engines[..], &["--rounds", "1"]].concat()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    std::fs::write(&book, "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n# changed\n").unwrap();
    for (arguments, sentence) in [
        (["match", "--resume", "1"], "weights or openings have changed since run 1 began"),
        (["match", "--resume", "7"], "7"),
        (["ladder", "--resume", "1"], "go on with marquetry match --resume 1\n"),
        (["tune", "--resume", "1"], "go on with marquetry match --resume 1\n"),
    ] {
        let output = folder.command(&arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(text.contains(sentence), "{text}");
    }
    let store = folder.file("runs.db");
    let output = folder.command(&["ladder", "--resume", "1", "--store", &store]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.contains(&format!("go on with marquetry match --resume 1 --store {store}")), "{text}");
}

#[test]
fn a_store_that_is_not_there_is_not_made_to_go_on() {
    let folder = Folder::new();
    let store = folder.file("typo.db");
    for command in ["match", "ladder", "spsa", "ablate", "tune"] {
        let output = folder.command(&[command, "--resume", "3", "--store", &store]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{command}");
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(words.contains("there is no run store at") && words.contains("typo.db"), "{words}");
        assert!(!Path::new(&store).exists(), "{command}");
    }
}
