//! `marquetry uci-check` as a user types it, and our own engine's answer to it.

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

fn marquetry(arguments: &[&str]) -> assert_cmd::assert::Assert {
    Command::cargo_bin("marquetry").unwrap().args(arguments).assert()
}

#[test]
fn our_own_engine_keeps_every_promise() {
    let output = marquetry(&["uci-check", "self", "--json", "--slack", "1500"]).get_output().stdout.clone();
    let report: Value = serde_json::from_slice(&output).unwrap();
    let promises = report["promises"].as_array().unwrap();
    let kept = |promise: &&Value| promise["outcome"] == "pass";
    let others: Vec<&Value> = promises.iter().filter(|promise| !kept(promise)).collect();
    assert!(others.is_empty(), "{others:#?}");
    assert_eq!(report["passed"].as_u64(), Some(promises.len() as u64));
    assert!(promises.len() > 60);
}

#[test]
fn promises_are_listed_and_chosen_by_name() {
    marquetry(&["uci-check", "--list"]).success().stdout(contains("infinite-holds").and(contains("wdl")));
    let listed = marquetry(&["uci-check", "--list", "--json"]).success().get_output().stdout.clone();
    let listed: Value = serde_json::from_slice(&listed).unwrap();
    assert_eq!(listed["promises"][0]["id"], "uciok", "one object");
    marquetry(&["uci-check", "self", "--only", "uciok,quit", "--exchange"]).success().stdout(
        contains("pass  uciok")
            .and(contains("> uci\n"))
            .and(contains("< uciok\n"))
            .and(contains("keeps 2 of 2 promises.")),
    );
    marquetry(&["uci-check", "self", "--only", "nonsense"])
        .code(2)
        .stderr(contains("there is no promise \"nonsense\""));
    marquetry(&["uci-check"]).code(2).stderr(contains("<ENGINE>"));
    marquetry(&["uci-check", "self", "--option", "Hash"]).code(2).stderr(contains("is not NAME=VALUE"));
}

#[test]
fn what_is_no_engine_keeps_nothing() {
    marquetry(&["uci-check", "/no/such/engine"])
        .code(2)
        .stdout("")
        .stderr(contains("error: /no/such/engine does not start: No such file or directory"));
    marquetry(&["uci-check", ""]).code(2).stderr(contains("ENGINE \"\" names no program"));
    marquetry(&["uci-check", "'cat"]).code(2).stderr(contains("has a quote that does not end"));
    marquetry(&["uci-check", "cat", "--only", "uciok", "--patience", "1"])
        .code(1)
        .stdout(contains("no uciok within 1000 ms").and(contains("> uci\n")).and(contains("< uci\n")));
}
