//! `marquetry spsa` as a user types it.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use engine::Weights;
use lab::store::{Filter, Store, hash_file};
use serde_json::Value;
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_marquetry");

/// A folder with a store, removed when the test is over.
struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        let folder = Folder(tempfile::tempdir().unwrap());
        // The bench of this program is not what is tested here
        folder.store().remember_bench(&hash_file(Path::new(PROGRAM)).unwrap(), 1).unwrap();
        folder
    }

    fn file(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    fn store(&self) -> Store {
        Store::open(&self.0.path().join("runs.db")).unwrap()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(PROGRAM);
        command.arg("spsa").args(arguments).env("MARQUETRY_STORE", self.0.path().join("runs.db"));
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let output = self.command(&[arguments, &["--json"]].concat()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    fn games(&self) -> u64 {
        self.store().runs(Filter::default()).unwrap().last().map_or(0, |run| run.games)
    }
}

const SHORT: [&str; 6] = ["--nodes", "200", "--resign", "movecount=2,score=300", "--seed", "5"];

/// A short tuning of which nothing is kept.
fn tuned(folder: &Folder, more: &[&str]) -> Value {
    folder.json(&[&SHORT, more, &["--no-store"]].concat())
}

/// How many numbers have moved.
fn moved(tuning: &Value) -> usize {
    tuning["parameters"].as_array().unwrap().iter().filter(|parameter| parameter["change"] != 0.0).count()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn the_numbers_do_not_depend_on_how_many_games_are_played_at_once_or_where() {
    let folder = Folder::new();
    let numbers = folder.file("numbers.txt");
    std::fs::write(&numbers, "rfp_margin, int, 78, 30, 160, 30, 0.1\nlmr_base, int, 700, 0, 1600\n").unwrap();
    let tuned =
        |more: &[&str]| tuned(&folder, &[&["--params", &numbers, "--iterations", "12", "--lag", "3"], more].concat());
    let one = tuned(&["--concurrency", "1"]);
    assert_eq!(one["done"], 12);
    assert_eq!(one["games"], 24);
    assert_eq!(one["incidents"], serde_json::json!([]));
    assert_eq!(moved(&one), 2, "{one}");
    let strip = |mut object: Value| {
        object.as_object_mut().unwrap().remove("conditions");
        object
    };
    let one = strip(one);
    assert_eq!(one, strip(tuned(&["--concurrency", "2"])), "on two cores");
    assert_eq!(one, strip(tuned(&["--processes", "--concurrency", "2"])), "over UCI");
    let other = format!("cmd={PROGRAM} uci --tunables");
    assert_eq!(one, strip(tuned(&["--engine", &other])), "as options of whatever engine");
}

#[test]
fn a_tuning_that_is_killed_ends_with_the_numbers_of_one_that_is_not() {
    let folder = Folder::new();
    let tune = ["--tune", "rfp_*,razor_base", "--iterations", "60", "--nodes", "500", "--max-moves", "80"];
    let begin = [&tune[..], &["--concurrency", "2", "--seed", "3"]].concat();
    let whole = folder.json(&[&begin[..], &["--no-store"]].concat());
    assert!(moved(&whole) > 3, "{whole}");
    let (mut resume, mut kills) = (begin.clone(), 0);
    loop {
        let (before, start) = (folder.games(), Instant::now());
        let mut runner = folder.command(&resume).spawn().unwrap();
        resume = vec!["--resume", "1"];
        while folder.games() < before + 15 && runner.try_wait().unwrap().is_none() {
            assert!(start.elapsed() < Duration::from_secs(60), "no games come");
            std::thread::sleep(Duration::from_millis(5));
        }
        if runner.try_wait().unwrap().is_some() {
            break;
        }
        runner.kill().unwrap();
        runner.wait().unwrap();
        kills += 1;
    }
    assert!(kills >= 3, "{kills}");
    // A run that is over says its result again, and is drawn wherever one likes
    let plot = folder.file("numbers.svg");
    let resumed = folder.json(&["--resume", "1", "--plot", &plot]);
    assert_eq!(resumed["parameters"], whole["parameters"]);
    assert_eq!((&resumed["done"], &resumed["games"], &resumed["is_finished"]), (&60.into(), &120.into(), &true.into()));
    let count = whole["parameters"].as_array().unwrap().len();
    assert_eq!(std::fs::read_to_string(&plot).unwrap().matches("<polyline").count(), count);
    let (store, run) = (folder.store(), "1".parse().unwrap());
    let curves = store.curves(run).unwrap();
    assert_eq!(curves.len(), count);
    for curve in &curves {
        let steps: Vec<u64> = curve.points.iter().map(|(step, _)| *step).collect();
        assert_eq!(steps, (0..=60).collect::<Vec<_>>(), "{}", curve.name);
        let parameters = whole["parameters"].as_array().unwrap();
        let parameter = parameters.iter().find(|parameter| parameter["name"] == curve.name.as_str()).unwrap();
        assert!((curve.points[60].1 - parameter["value"].as_f64().unwrap()).abs() < 1e-9, "{}", curve.name);
    }
    assert_eq!(store.run(run).unwrap().progress["iteration"], 60);
}

#[test]
fn weights_are_tuned_and_written_and_their_scratch_files_removed() {
    let folder = Folder::new();
    let scratch = folder.0.path().join("scratch");
    std::fs::create_dir(&scratch).unwrap();
    let (tuned, lines) = (folder.file("tuned.toml"), folder.file("tuned.txt"));
    let mut command = folder.command(&SHORT);
    command.args(["--terms", "bishop_pair,tempo", "--tune", "rfp_margin", "--iterations", "8", "--no-store"]);
    command.args(["--engine", "self", "weights=handset", "--write-weights", &tuned, "--openbench", &lines]);
    let output = command.env("TMPDIR", &scratch).output().unwrap();
    assert!(output.status.success(), "{}", text(&output));
    assert!(text(&output).contains("| bishop_pair.mg |"), "{}", text(&output));
    assert_eq!(std::fs::read_dir(&scratch).unwrap().count(), 0);
    let (weights, base) = (Weights::load(&tuned).unwrap(), Weights::load("handset").unwrap());
    assert_eq!(weights.name(), "handset tuned");
    assert!(weights.provenance()["spsa"].contains("8 iterations"));
    let term = |name: &str| engine::CATALOG.iter().find(|term| term.name == name).unwrap().params();
    let tuned_places: Vec<usize> = term("bishop_pair").chain(term("tempo")).collect();
    let lines = std::fs::read_to_string(&lines).unwrap();
    for index in 0..engine::PARAM_COUNT {
        let (is, was) = (weights.values()[index], base.values()[index]);
        if tuned_places.contains(&index) {
            let line = format!("{}.mg, int, {}, ", engine::TermInfo::label(index), is.mg());
            assert!(lines.contains(&line), "{line} in {lines}");
        } else {
            assert_eq!(is, was);
        }
    }
}

#[test]
fn what_comes_out_goes_in_again() {
    let folder = Folder::new();
    let (numbers, next) = (folder.file("numbers.txt"), folder.file("next.txt"));
    let list = Command::new(PROGRAM).args(["tunables", "--openbench"]).output().unwrap();
    std::fs::write(&numbers, &list.stdout).unwrap();
    let more = ["--iterations", "4", "--no-store", "--openbench", &next];
    let output = folder.command(&[&SHORT[..], &["--params", &numbers], &more].concat()).output().unwrap();
    let said = text(&output);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("left out: time_moves, "), "{said}");
    assert!(
        said.contains("After 4 of 4 iterations.") && said.contains("Conditions: marquetry at nodes 200;"),
        "{said}"
    );
    let again = tuned(&folder, &["--params", &next, "--iterations", "2", "--pairs", "2", "--lag", "0"]);
    assert_eq!(again["games"], 8);
    let lines = std::fs::read_to_string(&next).unwrap();
    assert_eq!(again["parameters"].as_array().unwrap().len(), lines.lines().count());
}

#[test]
fn a_screen_moves_nothing_and_tells_what_groups_and_numbers_are_worth() {
    let folder = Folder::new();
    let screen = ["--terms", "factor.threats", "--tune", "rfp_margin", "--screen", "--iterations", "16"];
    let screened = tuned(&folder, &screen);
    assert_eq!((moved(&screened), &screened["done"]), (0, &16.into()), "{screened}");
    let names: Vec<&str> =
        screened["parameters"].as_array().unwrap().iter().map(|number| number["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["rfp_margin", "factor.threats.mg", "factor.threats.eg"]);
    for number in screened["parameters"].as_array().unwrap() {
        let worth = [&number["worth"], &number["worth_error"]].map(|worth| worth.as_f64().unwrap());
        assert!(worth[0].abs() < 700.0 && worth[1] > 0.0, "{number}");
    }
    let output = folder.command(&[&SHORT[..], &screen, &["--no-store"]].concat()).output().unwrap();
    let said = text(&output);
    assert!(said.contains("| factor.threats.mg |") && said.contains("Worth, 95 %"), "{said}");
    assert!(said.contains("16 iterations of a pair, nothing moved"), "{said}");
}

#[test]
fn a_clock_is_played_by_too() {
    let folder = Folder::new();
    let tuning =
        folder.json(&["--tune", "time_*,rfp_margin", "--iterations", "2", "--tc", "0.3+0.005", "--max-moves", "20"]);
    assert_eq!(tuning["games"], 4);
    let names: Vec<&str> =
        tuning["parameters"].as_array().unwrap().iter().map(|parameter| parameter["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"time_moves") && names.contains(&"rfp_margin"));
    let run = folder.store().runs(Filter::default()).unwrap().remove(0);
    assert_eq!((run.kind.as_str(), run.status()), ("spsa", "finished"));
    assert!(run.sentence().starts_with("iteration 2 of 2"), "{}", run.sentence());
}

#[test]
fn bad_input_is_named_in_one_sentence() {
    let folder = Folder::new();
    let numbers = folder.file("numbers.txt");
    std::fs::write(&numbers, "rfp_margin, int, 78, 30, 160\nrfp_margn, int, 1, 0, 9\n").unwrap();
    let nothing = folder.file("nothing/there.svg");
    let (one, same) = (folder.file("one"), folder.file("./one"));
    for (arguments, problem) in [
        (vec![], "nothing is named to be tuned"),
        (vec!["--params", &numbers], "there is nothing called \"rfp_margn\" to be tuned; did you mean rfp_margin?"),
        (vec!["--params", "/nonexistent"], "/nonexistent cannot be read"),
        (vec!["--tune", "zz*"], "no number of the search begins with \"zz\""),
        (vec!["--tune", "time_moves"], "time_moves cannot be tuned without a clock: give --tc"),
        (vec!["--terms", "pased_pawn"], "did you mean passed_pawn?"),
        (vec!["--tune", "rfp_margin", "--write-weights", "x.toml"], "no weights are tuned"),
        (vec!["--tune", "rfp_margin", "--plot", &nothing], "there.svg cannot be written"),
        (
            vec!["--tune", "rfp_margin", "--openbench", &one, "--plot", &same],
            "one would be written twice; name another",
        ),
        (
            vec!["--tune", "rfp_margin", "--openings", &numbers, "--plot", &numbers],
            "numbers.txt would be read and written",
        ),
        (vec!["--tune", "rfp_margin", "--concurrency", "40"], "only 34 games can be played at once"),
        (vec!["--tune", "rfp_margin", "--engine", "self", "self"], "for one engine, not 2"),
        (vec!["--tune", "rfp_margin", "--engine", "cmd=x"], "is named by --params FILE"),
        (vec!["--params", &numbers, "--engine", "cmd=true"], "true plus has ended"),
        (vec!["--terms", "factor.mobilty"], "called \"factor.mobilty\" to be tuned; did you mean factor.Mobility?"),
        (vec!["--tune", "rfp_margin", "--screen", "--plot", "x.svg"], "cannot be used with"),
        (vec!["--terms", "factor.tempo.eg", "--screen"], "changes no weight of factor.tempo.eg"),
        (vec!["--terms", "factor.threats,hanging"], "turn the same weight"),
        (vec!["--tune", "rfp_margin", "--alpha", "x"], "a number from 0 to 2 is needed"),
        (vec!["--resume", "7", "--store", &folder.file("runs.db")], "there is no run 7"),
    ] {
        let rest = if arguments.contains(&"--resume") { vec![] } else { vec!["--iterations", "2", "--no-store"] };
        let output = folder.command(&[&SHORT[..], &arguments, &rest].concat()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output).contains(problem), "{problem}: {}", text(&output));
    }
    let output = folder.command(&["--tune", "rfp_margin", "--iterations", "2"]).output().unwrap();
    assert!(text(&output).contains("has no limit: give --tc"), "{}", text(&output));
    let output = folder.command(&["--help"]).output().unwrap();
    assert!(text(&output).contains("marquetry spsa --tune"));
}
