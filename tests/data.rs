//! `marquetry data` as a user types it.

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use chess::Position;
use lab::arena::Winner;
use lab::data::filter::is_quiet_move;
use lab::data::games::{Game, GameWriter, Ply, Reason};
use lab::data::{self, Form, Sample, SampleWriter};
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;
use tempfile::TempDir;

/// A folder to stand in, removed when the test is over.
struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn data(&self, arguments: &[&str]) -> Assert {
        let mut command = Command::cargo_bin("marquetry").unwrap();
        command.current_dir(self.0.path()).arg("data").args(arguments).assert()
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let output = self.data(&[arguments, &["--json"]].concat()).success();
        serde_json::from_slice(&output.get_output().stdout).unwrap()
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.path().join(name), text).unwrap();
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.0.path().join(name)).unwrap()
    }

    fn samples(&self, name: &str) -> Vec<Sample> {
        data::open(&self.path(name)).unwrap().map(Result::unwrap).collect()
    }
}

/// Games of legal moves that a seed chooses, with values; the same every time.
fn games(count: u64) -> Vec<Game> {
    let mut random = 1_u64;
    let mut next = |below: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % below
    };
    let one = |number: u64| {
        let start = Position::initial();
        let (mut position, mut plies) = (start, Vec::new());
        while plies.len() < 40 + number as usize % 40 && position.outcome().is_none() {
            let moves = position.legal_moves();
            let mv = moves[next(moves.len())];
            let value = (plies.len() >= 8).then(|| next(2000) as i32 - 1000);
            plies.push(Ply { mv, value });
            position.play(mv);
        }
        let result = Winner::ALL[number as usize % 3];
        Game::new(start, plies, result, Reason::Unknown).unwrap()
    };
    (0..count).map(one).collect()
}

/// The games as a file of ours; the number of their positions.
fn write_games(folder: &Folder, name: &str, count: u64) -> usize {
    let games = games(count);
    let mut writer = GameWriter::create(&folder.0.path().join(name), &serde_json::json!({})).unwrap();
    for game in &games {
        writer.write(game).unwrap();
    }
    games.iter().map(|game| game.plies().len()).sum()
}

const MIXED: &str = "# mixed forms
r1bqkb1r/pppppppp/2n5/8/8/2N5/PPPPPPPP/R1BQKB1R w KQkq - c9 \"1/2-1/2\"; c8 \"g1\"; c7 \"0.31\";
r1bqk2r/pppppppp/2n5/8/8/2N5/PPPPPPPP/R1BQKB1R w KQkq - 0 1 [1.0]
nonsense
r1bqkb1r/pppppppp/2n5/8/8/2N5/PPPPPPPP/R1BQK2R b KQkq - 0 1 | -300 | 0.0
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R w KQkq -
";

#[test]
fn stats_count_what_is_there_and_name_what_is_not() {
    let folder = Folder::new();
    folder.write("mixed.epd", MIXED);
    let text = folder.data(&["stats", "mixed.epd"]).success();
    text.stdout(
        contains("3 positions of mixed.epd")
            .and(contains("2 lines or games were left out"))
            .and(contains("mixed.epd, line 4: FEN, board: 8 ranks are needed, not 1"))
            .and(contains("line 6: there is no result"))
            .and(contains("White 33.3 %, drawn 33.3 %, Black 33.3 %")),
    );
    let report = folder.json(&["stats", "mixed.epd", "mixed.epd"]);
    assert_eq!((&report["positions"], &report["games"], &report["duplicates"]), (&6.into(), &6.into(), &3.into()));
    assert_eq!((&report["bad_lines"], &report["first_bad_lines"][3]["line"]), (&4.into(), &6.into()));
    assert_eq!(report["values"]["known"], 4);
    let brief = folder.json(&["stats", "mixed.epd", "--brief", "--threads", "3"]);
    assert_eq!((&brief["positions"], &brief["games"], &brief["quiet"]), (&3.into(), &Value::Null, &Value::Null));
}

#[test]
fn pgn_with_scores_is_read() {
    let folder = Folder::new();
    let game =
        "[Result \"1-0\"]\n\n1. e4 {+0.31/12 0.5s} e5 {-0.20/10 1s} 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# {+M1/1} 1-0\n\n";
    folder.write("games.pgn", &format!("{game}[Result \"*\"]\n\n1. d4 *\n\n{game}"));
    let report = folder.json(&["stats", "games.pgn"]);
    assert_eq!((&report["positions"], &report["games"], &report["bad_lines"]), (&14.into(), &2.into(), &1.into()));
    assert_eq!((&report["values"]["known"], &report["best_moves"]["captures_or_promotions"]), (&6.into(), &2.into()));
    folder.data(&["convert", "games.pgn", "games.txt"]).success();
    let text = String::from_utf8(folder.bytes("games.txt")).unwrap();
    let first = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 | 31 | 1.0";
    assert_eq!(text.lines().next(), Some(first));
}

#[test]
fn everything_survives_conversion() {
    let folder = Folder::new();
    let positions = write_games(&folder, "games.mqg", 20);
    let key = |sample: &Sample| {
        let Sample { position, result, value, game, ply, best } = sample;
        (*position, result.to_bits(), *value, *game, *ply, *best)
    };
    let original: Vec<_> = folder.samples("games.mqg").iter().map(key).collect();
    assert_eq!(original.len(), positions);
    let mut before = "games.mqg";
    for name in ["one.mqp", "two.epd", "three.epd.xz", "four.mqp.zst", "five.epd.gz", "six.mqp"] {
        let report = folder.json(&["convert", before, name]);
        assert_eq!(report["positions"], positions);
        let now: Vec<_> = folder.samples(name).iter().map(key).collect();
        assert_eq!(now, original, "{name}");
        before = name;
    }
    assert_eq!(folder.bytes("one.mqp"), folder.bytes("six.mqp"));
    let report = folder.json(&["convert", "games.mqg", "columns", "--to", "columns"]);
    assert_eq!(report["positions"], positions);
    let columns = folder.samples("columns");
    assert!(columns.iter().map(|sample| (sample.position, sample.value)).eq(original.iter().map(|key| (key.0, key.2))));
}

#[test]
fn a_set_is_the_same_on_any_number_of_threads() {
    let folder = Folder::new();
    write_games(&folder, "games.mqg", 150);
    let made = |threads: &str, name: &str| {
        let filters =
            ["--quiet", "--plies", "8..60", "--distinct", "--per-game", "6", "--phases", "0,1,3", "--seed", "7"];
        let more = ["--split", "20", "--output", name, "--threads", threads];
        folder.json(&[&["filter", "games.mqg"][..], &filters, &more].concat())
    };
    let one = made("1", "one.mqp");
    made("3", "three.mqp");
    for part in ["train", "validation"] {
        assert_eq!(folder.bytes(&format!("one-{part}.mqp")), folder.bytes(&format!("three-{part}.mqp")));
    }
    let dropped = one["dropped"].as_array().unwrap();
    let count = |object: &Value| object["positions"].as_u64().unwrap();
    let names: Vec<&str> = dropped.iter().map(|object| object["filter"].as_str().unwrap()).collect();
    assert_eq!(names.len(), 7, "{names:?}");
    assert_eq!(dropped.iter().map(count).sum::<u64>() + one["kept"].as_u64().unwrap(), one["read"].as_u64().unwrap());
    assert!(one["kept"].as_u64().unwrap() > 50, "{one}");
    let files: Vec<String> = std::fs::read_dir(folder.0.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.contains("part") || name.contains("between"))
        .collect();
    assert!(files.is_empty(), "{files:?}");
}

#[test]
fn every_filter_keeps_its_promise_and_games_are_not_split() {
    let folder = Folder::new();
    write_games(&folder, "games.mqg", 200);
    let more =
        ["--quiet", "--plies", "10..", "--max-value", "800", "--min-pieces", "20", "--per-game", "5", "--distinct"];
    folder
        .data(&[&["filter", "games.mqg", "--output", "set.mqp", "--split", "25"], &more[..]].concat())
        .success()
        .stdout(
            contains("in check, or the game is over").and(contains("set-validation.mqp: ")).and(contains("| kept ")),
        );
    let (train, validation) = (folder.samples("set-train.mqp"), folder.samples("set-validation.mqp"));
    let games =
        |samples: &[Sample]| samples.iter().map(|sample| sample.game).collect::<std::collections::HashSet<u64>>();
    assert!(games(&train).is_disjoint(&games(&validation)));
    let (most, least) = (games(&train).len(), games(&validation).len());
    assert!((20..80).contains(&least) && most + least <= 200, "{most} and {least}");
    let all: Vec<&Sample> = train.iter().chain(&validation).collect();
    assert!(all.len() > 200);
    let mut positions = std::collections::HashSet::new();
    for sample in &all {
        assert!(!sample.position.is_check() && sample.ply.unwrap() >= 10 && sample.position.occupied().count() >= 20);
        assert!(sample.value.unwrap().abs() <= 800);
        assert!(is_quiet_move(&sample.position, sample.best.unwrap()));
        assert!(positions.insert(sample.position.keys().full()));
    }
    for game in games(&train) {
        assert!(train.iter().filter(|sample| sample.game == game).count() <= 5);
    }
}

#[test]
fn several_files_have_different_games() {
    let folder = Folder::new();
    write_games(&folder, "a.mqg", 5);
    write_games(&folder, "b.mqg", 5);
    folder.data(&["filter", "a.mqg", "b.mqg", "--output", "both.mqp"]).success();
    let games: std::collections::HashSet<u64> = folder.samples("both.mqp").iter().map(|sample| sample.game).collect();
    assert_eq!(games.len(), 10);
}

#[test]
fn what_cannot_be_done_is_told() {
    let folder = Folder::new();
    folder.write("mixed.epd", MIXED);
    folder.write("rubbish.epd", "rubbish\n");
    std::os::unix::fs::symlink("mixed.epd", folder.path("link.epd")).unwrap();
    std::fs::create_dir(folder.path("folder.epd")).unwrap();
    let path = folder.path("whole.mqp.gz");
    let mut writer = SampleWriter::create(&path, Form::Packed).unwrap();
    folder.samples("mixed.epd").iter().for_each(|sample| writer.write(sample).unwrap());
    writer.finish().unwrap();
    let bytes = folder.bytes("whole.mqp.gz");
    std::fs::write(folder.0.path().join("cut.mqp.gz"), &bytes[..bytes.len() - 6]).unwrap();
    for (arguments, sentence) in [
        (&["stats", "missing.epd"][..], "missing.epd cannot be read"),
        (&["stats", "."], ". cannot be read"),
        (&["stats", "cut.mqp.gz"], "cut.mqp.gz cannot be read"),
        (&["stats", "mixed.epd", "--weights", "defualt"], "did you mean `default`?"),
        (&["stats", "rubbish.epd"], "rubbish.epd has no position to use; rubbish.epd, line 1: FEN, board: "),
        (&["convert", "rubbish.epd", "out.epd"], "rubbish.epd has no position to use"),
        (&["filter", "rubbish.epd", "--output", "x.epd"], "rubbish.epd has no position to use"),
        (&["convert", "mixed.epd", "out"], "the name out tells no form; end it with .epd"),
        (&["convert", "missing.epd", "out.epd"], "missing.epd cannot be read"),
        (&["convert", "mixed.epd", "no/out.epd"], "no/out.epd cannot be written"),
        (&["convert", "mixed.epd", "mixed.epd"], "mixed.epd would be read and written; name another"),
        (&["convert", "mixed.epd", "link.epd"], "link.epd would be read and written"),
        (&["filter", "mixed.epd", "--output", "mixed.epd"], "mixed.epd would be read and written"),
        (&["filter", "./mixed.epd", "--output", "mixed.epd"], "mixed.epd would be read and written"),
        (&["filter", "mixed.epd", "--output", "folder.epd"], "folder.epd cannot be written"),
        (&["wdl", "mixed.epd", "--svg", "./mixed.epd"], "mixed.epd would be read and written"),
        (&["filter", "mixed.epd", "--output", "x.epd", "--plies", "9"], "a range such as 16.. or 16..200 is needed"),
        (&["filter", "mixed.epd", "--output", "x.epd", "--split", "100"], "more than 0 and less than 100"),
        (&["filter", "mixed.epd", "--output", "x.epd", "--phases", "1"], "shares are 2 to 25 numbers"),
        (&["filter", "mixed.epd"], "--output"),
        (&["filter", "mixed.epd", "--output", "x.epd", "--memory", "9"], "--distinct"),
    ] {
        folder.data(arguments).code(2).stdout(predicate::str::is_empty()).stderr(contains(sentence));
    }
    let left = |name: &str| folder.0.path().join(name).exists();
    assert!(!left("out.epd") && !left("out.epd.part") && !left("x.epd") && !left("x.epd.part"));
    assert!(!left("folder.epd.part") && !left("mixed.epd.part"));
    assert_eq!(folder.bytes("mixed.epd"), MIXED.as_bytes());
}

#[test]
fn what_is_no_ordinary_file_is_written_to_and_not_replaced() {
    let folder = Folder::new();
    folder.write("mixed.epd", MIXED);
    folder.data(&["convert", "mixed.epd", "plain.epd"]).success();
    let plain = folder.bytes("plain.epd");
    std::os::unix::fs::symlink("target.epd", folder.path("link.epd")).unwrap();
    for _ in 0..2 {
        folder.data(&["convert", "mixed.epd", "link.epd"]).success();
        assert!(std::path::Path::new(&folder.path("link.epd")).is_symlink());
        assert_eq!(folder.bytes("target.epd"), plain);
    }
    let output = folder.data(&["convert", "mixed.epd", "/dev/stdout", "--to", "epd"]).success();
    assert!(output.get_output().stdout.starts_with(&plain));
    assert!(std::process::Command::new("mkfifo").arg(folder.path("pipe.epd")).status().unwrap().success());
    let path = folder.path("pipe.epd");
    let reader = std::thread::spawn(move || std::fs::read(path).unwrap());
    folder.data(&["filter", "mixed.epd", "--output", "pipe.epd"]).success();
    assert_eq!(reader.join().unwrap(), plain);
}

#[test]
fn a_game_with_a_word_that_is_no_move_is_left_out() {
    let folder = Folder::new();
    folder.write("games.pgn", "[White \"A\"]\n\n1. e4 e5 2. Qh9 1-0\n\n[White \"B\"]\n\n1. e4 e5 1-0\n");
    let report = folder.json(&["stats", "games.pgn", "--brief"]);
    assert_eq!((&report["positions"], &report["bad_lines"]), (&2.into(), &1.into()));
    assert_eq!(report["first_bad_lines"][0]["reason"], "\"Qh9\" is no move at ply 3");
}
