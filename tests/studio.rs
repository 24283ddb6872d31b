//! `marquetry studio` as a user types it. The page itself is tested in a browser (studio/web/tests).

use std::net::TcpListener;

use assert_cmd::Command;
use predicates::str::contains;

#[test]
fn help_has_examples() {
    let help = Command::cargo_bin("marquetry").unwrap().args(["studio", "--help"]).assert().success();
    help.stdout(contains("marquetry studio --port 9000 --no-open"));
}

#[test]
fn a_port_that_is_taken_or_a_page_that_was_not_built_is_told_in_a_sentence() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let folder = std::env::temp_dir().join(format!("marquetry-studio-port-{}", std::process::id()));
    let mut command = Command::cargo_bin("marquetry").unwrap();
    let run = command.args(["studio", "--no-open", "--port", &port, "--store"]).arg(folder.join("runs.db")).assert();
    if studio::has_page() {
        run.code(2).stderr(contains("choose another with --port"));
    } else {
        run.code(1).stderr(contains("built without the page; `make run`"));
    }
    std::fs::remove_dir_all(&folder).ok();
}

#[test]
fn weights_that_are_no_weights_are_refused_before_anything_is_opened() {
    if studio::has_page() {
        let mut command = Command::cargo_bin("marquetry").unwrap();
        command
            .args(["studio", "--no-open", "--weights", "Cargo.toml"])
            .assert()
            .code(2)
            .stderr(contains("Cargo.toml"));
    }
}
