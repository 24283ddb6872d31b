//! `marquetry runs` as a user types it.

use std::path::PathBuf;
use std::time::Duration;

use assert_cmd::Command;
use chess::{ByColor, Color, Position};
use lab::arena::Place;
use lab::arena::{Ending, Game, Ply, Score, Thinking, Winner};
use lab::store::{Claim, NewRun, Request, RunEngine, State, Store};
use predicates::prelude::*;
use predicates::str::{contains, is_match};
use serde_json::{Value, json};

/// A store in a folder that is removed afterwards.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let folder = std::env::temp_dir().join(format!("marquetry-{}-runs-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Scratch(folder)
    }

    fn file(&self) -> PathBuf {
        self.0.join("runs.db")
    }

    fn store(&self) -> Store {
        Store::open(&self.file()).unwrap()
    }

    /// `marquetry runs` with this store.
    fn runs(&self, arguments: &[&str]) -> assert_cmd::assert::Assert {
        let mut command = Command::cargo_bin("marquetry").unwrap();
        command.arg("runs").args(arguments).arg("--store").arg(self.file()).assert()
    }

    fn json(&self, arguments: &[&str]) -> Value {
        serde_json::from_slice(&self.runs(arguments).success().get_output().stdout).unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).unwrap();
    }
}

fn begin(store: &Store) -> Claim {
    let engine = |name: &str| RunEngine {
        name: name.to_owned(),
        command: vec!["/opt/my engine".to_owned(), "uci".to_owned()],
        options: vec![("Hash".to_owned(), "16".to_owned())],
        limit: "8+0.08".to_owned(),
        file_hash: Some("c0ffee".to_owned()),
        bench: Some(3_103_954),
    };
    let command = ["match", "--engine", "self", "name=new one"].map(str::to_owned);
    let engines = [engine("new one"), engine("old")];
    let settings = json!({ "rounds": 100 });
    store
        .begin(&NewRun { kind: "match", command: &command, seed: u64::MAX, settings: &settings, engines: &engines })
        .unwrap()
}

/// Fool's mate; the second engine plays White in the second game of a pair, and always loses.
fn add_pair(store: &Store, claim: &Claim, pair: usize) {
    for game in 0..2 {
        let moves: &[&str] =
            if game == 1 { &["f2f3", "e7e5", "g2g4", "d8h4"] } else { &["e2e4", "f7f6", "d2d4", "g7g5", "d1h5"] };
        let mut position = Position::initial();
        let plies = moves.iter().zip(1..).map(|(text, number)| {
            let mv = position.parse_uci(text).unwrap();
            position.play(mv);
            let score = if number == moves.len() { Score::Mate(1) } else { Score::Centipawns(-31) };
            Ply { mv, score: Some(score), depth: 7, time: Duration::from_millis(105) }
        });
        let plies = plies.collect();
        let names = if game == 0 { ["new one", "old"] } else { ["old", "new one"] }.map(str::to_owned);
        let [white, black] = names;
        let winner = if game == 0 { Color::White } else { Color::Black };
        let thinking = Thinking::read("tc", "8+0.08").unwrap();
        let game_played = Game {
            opening: Position::initial(),
            names: ByColor { white, black },
            thinking: ByColor { white: thinking, black: thinking },
            plies,
            ending: Ending { winner: Winner::Side(winner), reason: "checkmate".to_owned(), is_incident: pair == 1 },
        };
        let engines = ByColor { white: game, black: 1 - game };
        store.add_game(claim, Place { pair, game }, engines, &game_played).unwrap();
    }
}

#[test]
fn runs_are_listed_with_what_they_came_to() {
    let scratch = Scratch::new("list");
    scratch.runs(&["list"]).code(2).stderr(contains("there is no run store at"));
    let store = scratch.store();
    scratch.runs(&["list"]).success().stdout("There are no runs.\n");
    let (done, going) = (begin(&store), begin(&store));
    add_pair(&store, &done, 0);
    store.finish(&done, State::Finished, "new one is stronger").unwrap();
    store.save_progress(&going, &json!({ "sentence": "LLR 1.20 of 2.94" })).unwrap();
    scratch.runs(&["list"]).success().stdout(
        is_match("(?m)^run  kind   state     started           games  engines        result$")
            .unwrap()
            .and(
                is_match("(?m)^1    match  finished  20..-..-.. ..:..  2      new one - old  new one is stronger$")
                    .unwrap(),
            )
            .and(
                is_match("(?m)^2    match  running   20..-..-.. ..:..  0      new one - old  LLR 1.20 of 2.94$")
                    .unwrap(),
            ),
    );
    scratch.runs(&["list", "--kind", "ladder"]).success().stdout("There are no runs.\n");
    let listed = scratch.json(&["list", "--last", "1", "--json"]);
    assert_eq!(listed["runs"].as_array().unwrap().len(), 1);
    assert_eq!(listed["runs"][0]["id"], 2);
    assert_eq!(listed["runs"][0]["seed"], u64::MAX);
    assert_eq!(listed["runs"][0]["status"], "running");
}

#[test]
fn a_store_that_was_never_made_has_no_runs() {
    let scratch = Scratch::new("new");
    let runs = || {
        let mut command = Command::cargo_bin("marquetry").unwrap();
        command.args(["runs", "list"]).env("MARQUETRY_STORE", scratch.file()).assert()
    };
    runs().success().stdout("There are no runs.\n");
    assert!(!scratch.file().exists(), "looking makes nothing");
    begin(&scratch.store());
    runs().success().stdout(contains("new one - old"));
}

#[test]
fn a_run_is_shown_with_all_that_is_needed_to_do_it_again() {
    let scratch = Scratch::new("show");
    let store = scratch.store();
    let claim = begin(&store);
    for pair in 0..3 {
        add_pair(&store, &claim, pair);
    }
    let alive = format!("Run 1: match, running by process {} on ", std::process::id());
    scratch.runs(&["show", "1"]).success().stdout(contains(alive).and(contains("It goes on with").not()));
    for (step, loss) in [(1, 3.0), (2, 1.0), (3, 2.0)] {
        store.add_points(&claim, step, &[("loss", loss)]).unwrap();
    }
    store.finish(&claim, State::Stopped, "stopped by hand").unwrap();
    let hint = format!("marquetry match --resume 1 --store {}", scratch.file().display());
    scratch.runs(&["show", "1"]).success().stdout(
        contains("Run 1: match, stopped\n")
            .and(contains("command   match --engine self 'name=new one'\n"))
            .and(contains("seed      18446744073709551615\n"))
            .and(contains(
                "engine 0  new one\n  command  '/opt/my engine' uci\n  limit    8+0.08\n  option   Hash = 16\n",
            ))
            .and(contains("  sha256   c0ffee\n  bench    3103954\n"))
            .and(contains("Games: 6, Wins: 6, Losses: 0, Draws: 0").and(contains("Ptnml(0-2): [0, 0, 0, 0, 3]")))
            .and(contains("stopped by hand\n"))
            .and(contains("Incident: game 2.1: checkmate\nIncident: game 2.2: checkmate\n"))
            .and(contains("loss  █▁▅  3.000000 -> 2.000000, steps 1 to 3\n"))
            .and(contains(format!("It goes on with: {hint}\n"))),
    );
    let shown = scratch.json(&["show", "1", "--json"]);
    assert_eq!(shown["curves"]["loss"], json!([[1, 3.0], [2, 1.0], [3, 2.0]]));
    assert_eq!((&shown["resume"], &shown["games"]), (&json!(hint), &json!(6)));
    assert_eq!((&shown["result"]["wins"], &shown["result"]["ptnml"]), (&json!(6), &json!([0, 0, 0, 0, 3])));
    assert_eq!(shown["scores"][1], json!({ "wins": 0, "draws": 0, "losses": 6 }));
    assert_eq!(shown["incidents"].as_array().unwrap().len(), 2);
    scratch.runs(&["show", "7"]).code(2).stderr("error: there is no run 7: `marquetry runs list` names them\n");
    scratch.runs(&["show", "seven"]).code(2).stderr(contains("a run's number is needed"));
}

#[test]
fn games_are_exported_in_each_form() {
    let scratch = Scratch::new("export");
    let store = scratch.store();
    let claim = begin(&store);
    for pair in 0..40 {
        add_pair(&store, &claim, pair);
    }
    let pgn = contains("[Event \"Marquetry match 1\"]")
        .and(contains("[Round \"40.2\"]\n[White \"old\"]"))
        .and(contains("Qh4# {"));
    let printed = scratch.runs(&["export", "1"]).success().stdout(pgn).get_output().stdout.clone();
    assert_eq!(String::from_utf8(printed.clone()).unwrap().matches("[TimeControl \"8+0.08\"]").count(), 80);
    let file = scratch.0.join("games.pgn");
    scratch.runs(&["export", "1", "--pgn", file.to_str().unwrap()]).success().stdout("");
    assert_eq!(std::fs::read(&file).unwrap(), printed);
    scratch.runs(&["export", "1", "--pgn", "-"]).success().stdout(printed);
    scratch.runs(&["export", "9", "--pgn", file.to_str().unwrap()]).code(2).stderr(contains("there is no run 9"));
    assert_ne!(std::fs::metadata(&file).unwrap().len(), 0, "a wrong number leaves the file alone");
    scratch
        .runs(&["export", "1", "--pgn", "/nonexistent/x"])
        .code(2)
        .stderr(contains("/nonexistent/x cannot be written"));

    let lines = scratch.runs(&["export", "1", "--json"]).success().get_output().stdout.clone();
    let games: Vec<Value> =
        String::from_utf8(lines).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(games.len(), 80);
    let game = &games[3];
    assert_eq!((&game["pair"], &game["game"], &game["result"]), (&json!(1), &json!(1), &json!("0-1")));
    let last = json!({ "move": "d8h4", "cp": null, "mate": 1, "depth": 7, "seconds": 0.105 });
    assert_eq!(game["moves"][3], last);
    assert_eq!((&game["white"], &game["white_engine"], &game["is_incident"]), (&json!("old"), &json!(1), &json!(true)));

    let mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - hmvc 1; fmvn 3; c0 \"checkmate\"; c9 \"0-1\"; id \"40.2\";\n";
    scratch.runs(&["export", "1", "--epd"]).success().stdout(contains(mated));
    scratch.runs(&["export", "1", "--epd", "--json"]).code(2).stderr(contains("cannot be used with"));
}

#[test]
fn a_living_run_hears_requests_and_a_dead_one_says_how_it_goes_on() {
    let scratch = Scratch::new("requests");
    let store = scratch.store();
    let claim = begin(&store);
    for (word, request) in [("pause", Request::Pause), ("resume", Request::None), ("stop", Request::Stop)] {
        scratch.runs(&[word, "1"]).success().stdout(contains("Run 1 is asked to"));
        assert_eq!(store.beat(&claim).unwrap(), request);
        scratch.runs(&[word, "2"]).code(2).stderr(contains("there is no run 2"));
    }
    scratch.runs(&["delete", "1"]).code(2).stderr(contains("run 1 is being worked on by process"));
    store.finish(&claim, State::Stopped, "").unwrap();
    for word in ["pause", "resume", "stop"] {
        scratch.runs(&[word, "1"]).code(2).stderr(
            contains("run 1 is stopped, so nobody hears the request; it goes on with: ")
                .and(contains("marquetry match --resume 1 --store")),
        );
    }
    begin(&store);
    scratch.runs(&["delete", "1", "2", "3"]).code(2).stdout("Run 1 is deleted.\n").stderr(contains("no run 3"));
    scratch.runs(&["list"]).success().stdout(contains("\n1 ").not().and(contains("\n2 ")));
}

#[test]
fn a_list_that_would_hide_all_runs_is_refused() {
    let scratch = Scratch::new("hidden");
    begin(&scratch.store());
    scratch.runs(&["list", "--last", "0"]).code(2).stderr(contains("0 is not in 1.."));
    scratch.runs(&["list", "--kind", "bogus"]).code(2).stderr(contains("match, ladder, spsa, ablate, tune"));
    scratch.runs(&["list", "--kind", "tune"]).success().stdout("There are no runs.\n");
}

#[test]
fn what_is_no_store_is_named() {
    let scratch = Scratch::new("foreign");
    std::fs::write(scratch.file(), "not a database, but long enough to be one ".repeat(100)).unwrap();
    for arguments in [&["list"][..], &["show", "1"], &["export", "1"], &["stop", "1"], &["delete", "1"]] {
        scratch
            .runs(arguments)
            .code(2)
            .stderr(is_match("^error: .* is not a run store: it is no SQLite database\n$").unwrap());
    }
}

#[test]
fn an_empty_file_is_no_store_and_stays_empty() {
    let scratch = Scratch::new("empty");
    std::fs::write(scratch.file(), "").unwrap();
    scratch.runs(&["list"]).code(2).stderr(is_match("^error: .* is not a run store: it is empty\n$").unwrap());
    assert!(std::fs::read(scratch.file()).unwrap().is_empty());
}

#[test]
fn games_are_not_written_over_the_store() {
    let scratch = Scratch::new("over");
    begin(&scratch.store());
    let path = scratch.file().display().to_string();
    scratch.runs(&["export", "1", "--pgn", &path]).code(2).stderr(contains("would be read and written"));
    scratch.runs(&["list"]).success().stdout(contains("\n1 "));
}

#[test]
fn each_command_explains_itself() {
    for command in ["list", "show", "export", "pause", "resume", "stop", "delete"] {
        let mut program = Command::cargo_bin("marquetry").unwrap();
        let example = format!("\n  marquetry runs {command}");
        program.args(["runs", command, "--help"]).assert().success().stdout(contains(example).and(contains("--store")));
    }
}
