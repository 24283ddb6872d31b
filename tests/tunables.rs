//! `marquetry tunables` as a user types it.

use assert_cmd::Command;

fn run(arguments: &[&str]) -> String {
    let output = Command::cargo_bin("marquetry").unwrap().arg("tunables").args(arguments).assert().success();
    String::from_utf8(output.get_output().stdout.clone()).unwrap()
}

#[test]
fn every_number_is_listed_with_its_range_and_meaning() {
    let text = run(&[]);
    assert_eq!(text.lines().count(), engine::TUNABLES.len());
    for (line, tunable) in text.lines().zip(engine::TUNABLES) {
        assert!(line.starts_with(tunable.name) && line.ends_with(tunable.doc), "{line}");
    }
}

#[test]
fn openbench_reads_a_line_of_seven_fields() {
    for (line, tunable) in run(&["--openbench"]).lines().zip(engine::TUNABLES) {
        let fields: Vec<&str> = line.split(", ").collect();
        let [name, kind, value, min, max, step, rate] = fields[..] else { panic!("{line}") };
        assert_eq!((name, kind, rate), (tunable.name, "int", "0.002"));
        assert_eq!(value.parse::<i32>().unwrap(), tunable.default);
        let (min, max): (f64, f64) = (min.parse().unwrap(), max.parse().unwrap());
        // OpenBench refuses steps of less than a half
        assert!((step.parse::<f64>().unwrap() - ((max - min) / 20.0).max(0.5)).abs() < 1e-9, "{line}");
    }
}

#[test]
fn scripts_get_one_object() {
    let object: serde_json::Value = serde_json::from_str(&run(&["--json"])).unwrap();
    assert_eq!(object["tunables"].as_array().unwrap().len(), engine::TUNABLES.len());
    assert_eq!(object["tunables"][0]["name"], engine::TUNABLES[0].name);
}

#[test]
fn tuned_values_are_put_into_the_list_and_into_its_declaration() {
    let path = std::env::temp_dir().join(format!("marquetry-{}-values.txt", std::process::id()));
    let name = path.to_str().unwrap();
    std::fs::write(&path, "rfp_margin, int, 91, 30, 160, 6.5, 0.002\nrazor_base, 222.4\n").unwrap();
    assert!(run(&["--values", name, "--openbench"]).contains("\nrfp_margin, int, 91, 30, 160, 6.5, 0.002\n"));
    let declared = run(&["--values", name, "--declare"]);
    let source = include_str!("../engine/src/search/tunables.rs");
    assert!(declared.contains("\n    razor_base: 222 in 50..=500;\n"), "{declared}");
    let is_changed = |line: &&str| line.contains("rfp_margin:") || line.contains("razor_base:");
    let unchanged = declared.lines().filter(|line| !is_changed(line));
    assert!(unchanged.into_iter().all(|line| source.contains(line)), "as the source has them");
    for (text, problem) in [
        ("rfp_margin, 500", "rfp_margin may be 30 to 160, not 500"),
        ("nothing, 3", "has no number \"nothing\""),
        ("rfp_margin", "line 1: \"rfp_margin\" is neither"),
    ] {
        std::fs::write(&path, text).unwrap();
        let output = Command::cargo_bin("marquetry").unwrap().args(["tunables", "--values", name]).assert().code(2);
        let error = String::from_utf8(output.get_output().stderr.clone()).unwrap();
        assert!(error.contains(problem), "{error}");
    }
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn uci_lists_them_if_asked_for() {
    let run = |arguments: &[&str]| {
        let output = Command::cargo_bin("marquetry").unwrap().args(arguments).write_stdin("uci\n").assert().success();
        String::from_utf8(output.get_output().stdout.clone()).unwrap()
    };
    assert!(run(&["uci", "--tunables"]).contains("option name rfp_margin type spin "));
    assert!(!run(&["uci"]).contains("rfp_margin"));
}
