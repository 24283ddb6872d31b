//! The conformance check against an engine that keeps every promise, and against one that breaks each in turn.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use lab::arena::Host;
use lab::conformance::{Candidate, Promise, Trial, Verdict, promises};

fn try_on_wayward(promise: &Promise, vice: &str) -> Trial {
    let candidate = Candidate {
        command: vec![env!("CARGO_BIN_EXE_wayward").to_owned(), vice.to_owned()],
        options: Vec::new(),
        patience: Duration::from_secs(4),
        slack: Duration::from_millis(900),
    };
    promise.try_on(&candidate, &Host::default()).unwrap()
}

/// Does something for each promise, several at once: most of the time is waiting.
fn for_each_promise(work: impl Fn(&Promise) + Sync) {
    let (all, next): (Vec<&Promise>, AtomicUsize) = (promises().collect(), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| {
                while let Some(promise) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                    work(promise);
                }
            });
        }
    });
}

#[test]
fn an_engine_that_keeps_every_promise_passes() {
    for_each_promise(|promise| {
        let trial = try_on_wayward(promise, "");
        assert_eq!(trial.verdict, Verdict::Pass, "{}: {:#?}", promise.id, trial.exchange);
    });
}

#[test]
fn every_check_can_fail() {
    for_each_promise(|promise| {
        let trial = try_on_wayward(promise, promise.id);
        assert!(matches!(trial.verdict, Verdict::Fail(_)), "{}: {:#?}", promise.id, trial);
        assert!(!trial.exchange.is_empty(), "{}: nothing was written down", promise.id);
    });
}

#[test]
fn an_engine_that_does_not_start_is_an_error() {
    let candidate = Candidate {
        command: vec!["/no/such/engine".to_owned()],
        options: Vec::new(),
        patience: Duration::from_secs(1),
        slack: Duration::ZERO,
    };
    let first = promises().next().unwrap().try_on(&candidate, &Host::default());
    assert_eq!(first.unwrap_err().kind(), std::io::ErrorKind::NotFound);
}

#[test]
fn an_option_that_is_missing_is_no_failure_of_what_needs_it() {
    let wdl = promises().find(|promise| promise.id == "wdl").unwrap();
    let candidate = Candidate {
        command: vec![env!("CARGO_BIN_EXE_hostile").to_owned()],
        options: Vec::new(),
        patience: Duration::from_secs(2),
        slack: Duration::from_millis(500),
    };
    let trial = wdl.try_on(&candidate, &Host::default()).unwrap();
    assert_eq!(trial.verdict, Verdict::Skip("the engine has no option UCI_ShowWDL".to_owned()));
}
