//! `marquetry match` as a user types it.

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;

/// A match of which nothing is kept.
fn marquetry(arguments: &[&str]) -> assert_cmd::assert::Assert {
    Command::cargo_bin("marquetry").unwrap().args(arguments).arg("--no-store").assert()
}

fn play(more: &[&str]) -> assert_cmd::assert::Assert {
    let engines =
        ["match", "--engine", "self", "name=a", "--engine", "self", "name=b", "weights=material", "--nodes", "200"];
    marquetry(&[&engines, more].concat())
}

fn json(output: assert_cmd::assert::Assert) -> serde_json::Value {
    serde_json::from_slice(&output.success().get_output().stdout).unwrap()
}

#[test]
fn a_match_at_fixed_nodes_is_the_same_every_time() {
    let report =
        |concurrency: &str| json(play(&["--rounds", "3", "--concurrency", concurrency, "--seed", "7", "--json"]));
    let (one, two) = (report("1"), report("2"));
    assert_eq!(one, two, "the number of games at once changes nothing");
    assert_eq!(one["games"], 6);
    let counted = ["wins", "draws", "losses"].map(|key| one[key].as_u64().unwrap()).iter().sum::<u64>();
    assert_eq!(counted, 6);
    assert_eq!(one["incidents"], serde_json::json!([]));
}

#[test]
fn a_test_ends_the_match_when_it_is_decided() {
    // An engine with an evaluation against one that counts pieces: decided long before all pairs are played
    let more = ["--rounds", "400", "--concurrency", "2", "--sprt", "elo0=-50,elo1=0,model=logistic"];
    let output = play(&more).success().stdout(contains("H1 is accepted")).get_output().stdout.clone();
    let text = String::from_utf8(output).unwrap();
    assert!(!text.contains("  400 of 400"), "{text}");
}

#[test]
fn games_are_written_as_they_end() {
    let path = std::env::temp_dir().join(format!("marquetry-{}-games.pgn", std::process::id()));
    let name = path.to_str().unwrap();
    play(&["--rounds", "2", "--pgn", name]).success().stdout(contains("Games: 4, Wins: "));
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text.matches("[Event ").count(), 4);
    assert_eq!(text.matches("[White \"a\"]").count(), 2, "colours are exchanged");
    assert!(text.contains("[Termination \""));
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn openings_come_from_a_file() {
    let path = std::env::temp_dir().join(format!("marquetry-{}-book.epd", std::process::id()));
    let name = path.to_str().unwrap();
    std::fs::write(&path, "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - id \"open game\";\n").unwrap();
    play(&["--rounds", "1", "--openings", name]).success().stdout(contains("Games: 2"));
    std::fs::write(&path, "rnbqkbnr/pppp1ppp w - -\n").unwrap();
    play(&["--openings", name]).code(2).stderr(contains("line 1: FEN, board: 8 ranks are needed, not 2"));
    std::fs::write(&path, "\n").unwrap();
    play(&["--openings", name]).code(2).stderr(contains("has no positions"));
    std::fs::remove_file(&path).unwrap();
    play(&["--openings", name]).code(2).stderr(contains("cannot be read"));
}

#[test]
fn bad_input_is_named_in_one_sentence() {
    let two = |a: &[&str], b: &[&str]| {
        let engines = [&["match", "--engine"], a, &["--engine"], b].concat();
        marquetry(&[engines, vec!["--nodes", "10", "--rounds", "1"]].concat())
    };
    two(&["self"], &["cmd=/nonexistent/engine"]).code(2).stderr(contains("engine does not start"));
    two(&["self"], &["cmd=true"]).code(2).stderr(contains("true has ended"));
    two(&["self", "weights=handcraftd"], &["self"]).code(2).stderr(contains("did you mean `handcrafted`?"));
    two(&["self", "color=red"], &["self"]).code(2).stderr(contains("\"color\" is not known"));
    two(&["self", "fast"], &["self"]).code(2).stderr(contains("\"fast\" is not KEY=VALUE"));
    two(&["cmd=x", "weights=seajay"], &["self"]).code(2).stderr(contains("weights= is for self"));
    marquetry(&["match", "--engine", "self", "--nodes", "10"])
        .code(2)
        .stderr(contains("for two engines or more, not 1"));
    marquetry(&["match", "--engine", "self", "--engine", "self"]).code(2).stderr(contains("has no limit"));
    play(&["--sprt", "elo0=5"]).code(2).stderr(contains("elo0 and elo1 are needed"));
    play(&["--rounds", "0"]).code(2);
    play(&["--pgn", "/nonexistent/x.pgn"]).code(2).stderr(contains("/nonexistent/x.pgn cannot be written"));
    two(&["self"], &["self", "option.Hsh=3"]).code(2).stderr(contains("Hsh"));
    play(&["--draw", "movecount=0"]).code(2).stderr(contains("movecount must be at least 1"));
    play(&["--resign", "score=much"]).code(2).stderr(contains("score needs a number, not \"much\""));
    play(&["--tablebases", "/nonexistent"]).code(2).stderr(contains("has no Syzygy tables"));
    play(&["--anchor", "c=3"]).code(2).stderr(contains("there is no engine \"c\""));
    let three = ["--engine", "self", "name=c", "--sprt", "elo0=0,elo1=5"];
    play(&three).code(2).stderr(contains("a test between two engines, not 3"));
    marquetry(&["match", "--help"]).success().stdout(contains("marquetry match --engine self").and(contains("--sprt")));
}

#[test]
fn inside_the_program_the_moves_are_those_of_processes() {
    let games = |more: &[&str]| {
        let path = std::env::temp_dir().join(format!("marquetry-{}-{}.pgn", std::process::id(), more.len()));
        play(&[&["--rounds", "3", "--seed", "5", "--pgn", path.to_str().unwrap()], more].concat()).success();
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        // All but the times, with scores and depths
        let is_time = |word: &&str| word.trim_end_matches(['}', ',']).ends_with('s') && word.contains("0.");
        text.split_whitespace().filter(|word| !is_time(word)).map(str::to_owned).collect::<Vec<_>>()
    };
    let (inside, outside) = (games(&[]), games(&["--processes"]));
    assert!(inside.len() > 500, "there are moves to compare");
    assert_eq!(inside, outside);
}

#[test]
fn what_is_measured_beyond_the_engines_own_clocks_is_told() {
    let timed = |more: &[&str]| {
        let engines = ["match", "--engine", "self", "name=a", "--engine", "self", "name=b", "--tc", "0.5+0.01"];
        marquetry(&[&engines[..], &["--rounds", "1", "--max-moves", "10"], more].concat())
    };
    let report = json(timed(&["--json"]));
    for name in ["a", "b"] {
        let difference = report["clock_difference_ms"][name].as_f64().unwrap();
        // A machine that does other things may be late, but never early
        assert!((-1.0..100.0).contains(&difference), "{difference} ms");
    }
    timed(&[])
        .success()
        .stdout(contains("Time measured beyond what engines say, medians: ").and(contains(" ms for b (")));
    assert_eq!(json(play(&["--rounds", "1", "--json"]))["clock_difference_ms"], serde_json::json!({}));
}

#[test]
fn several_engines_are_rated_together() {
    let report = json(play(&["--engine", "self", "name=c", "weights=simplified", "--rounds", "2", "--json"]));
    assert_eq!(report["games"], 12);
    assert_eq!(report["pairs"].as_array().unwrap().len(), 3);
    assert_eq!(report["ratings"].as_array().unwrap().len(), 3);
    let text = play(&["--engine", "self", "name=c", "--rounds", "2", "--format", "gauntlet", "--anchor", "c=1000"]);
    let text = String::from_utf8(text.success().get_output().stdout.clone()).unwrap();
    assert!(text.contains("8 games") && text.contains("+1000.0"), "{text}");
}

#[test]
fn a_gain_that_was_expected_and_is_not_there_is_a_failure() {
    let sprt = ["--sprt", "elo0=0,elo1=50,model=logistic", "--rounds", "400", "--concurrency", "2", "--expect-gain"];
    let worse = ["match", "--engine", "self", "weights=material", "--engine", "self", "--nodes", "200"];
    marquetry(&[&worse[..], &sprt].concat()).code(1).stdout(contains("H0 is accepted"));
    play(&sprt).code(0).stdout(contains("H1 is accepted"));
}

#[test]
fn last_positions_and_reports_come_as_asked() {
    let path = std::env::temp_dir().join(format!("marquetry-{}-last.epd", std::process::id()));
    let name = path.to_str().unwrap();
    let more = ["--rounds", "2", "--epd", name, "--report", "2", "--max-moves", "10"];
    let output = play(&more).success().get_output().stdout.clone();
    assert_eq!(String::from_utf8(output).unwrap().matches("Ptnml(0-2)").count(), 3, "every two games and at the end");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(text.lines().count(), 4);
    assert!(text.lines().all(|line| line.contains(" c9 \"")));
}

/// An engine that breaks down, plays nonsense or says nothing loses the game, and the match goes on.
#[test]
#[cfg(unix)]
fn a_broken_engine_loses_its_games_and_the_match_goes_on() {
    use std::os::unix::fs::PermissionsExt;
    let folder = std::env::temp_dir().join(format!("marquetry-{}-broken", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for (name, reply, reason) in [
        ("crash", "exit 1", "has ended"),
        ("illegal", "echo bestmove e2e5", "an illegal move: \\\"e2e5\\\""),
        ("garbage", "echo bestmove ------", "an illegal move: \\\"------\\\""),
    ] {
        let path = folder.join(name);
        let script = format!(
            "#!/bin/sh\nwhile read -r line; do case \"$line\" in uci) echo uciok;; isready) echo readyok;; go*) {reply};; quit) exit;; esac; done\n"
        );
        std::fs::write(&path, script).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        let command = format!("cmd={}", path.display());
        marquetry(&["match", "--engine", "self", "--engine", &command, "--nodes", "50", "--rounds", "2", "--json"])
            .success()
            .stdout(contains("\"wins\":4").and(contains(reason)));
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn two_files_of_one_name_are_refused_before_one_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let book = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n";
    std::fs::write(file("book.epd"), book).unwrap();
    let refused = |arguments: &[&str], sentence: &str| {
        play(&[arguments, &["--rounds", "1"]].concat()).code(2).stderr(contains(sentence));
    };
    refused(&["--pgn", &file("same"), "--epd", &file("./same")], "same would be written twice; name another");
    for option in ["--pgn", "--epd", "--log"] {
        let arguments = ["--openings", &file("book.epd"), option, &file("./book.epd")];
        refused(&arguments, "book.epd would be read and written; name another");
    }
    assert_eq!(std::fs::read_to_string(file("book.epd")).unwrap(), book);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is begun");
}

#[test]
fn no_draft_is_left_where_the_store_cannot_be_opened() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::cargo_bin("marquetry").unwrap();
    command.current_dir(folder.path()).args(["match", "--engine", "self", "--engine", "self", "--nodes", "200"]);
    command.args(["--rounds", "1", "--store", ".", "--pgn", "games.pgn"]).assert().code(2);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}
