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
        assert!((step.parse::<f64>().unwrap() - (max - min) / 20.0).abs() < 1e-9, "{line}");
    }
}

#[test]
fn scripts_get_one_object() {
    let object: serde_json::Value = serde_json::from_str(&run(&["--json"])).unwrap();
    assert_eq!(object["tunables"].as_array().unwrap().len(), engine::TUNABLES.len());
    assert_eq!(object["tunables"][0]["name"], engine::TUNABLES[0].name);
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
