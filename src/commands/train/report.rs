//! What generations came to: a line after each step, a table and an object at the end.

use lab::stats::{Sprt, Verdict};
use serde_json::{Value, json};

use super::manifest::Manifest;
use super::steps::{Step, folder, weights_of};
use crate::output::outln;

/// A likelihood of superiority that is a gain where the test is not decided.
const LIKELY: f64 = 0.95;

/// Whether a match shows that the new weights are better: the test says so, or it is undecided when the games are over and they
/// are better with 95 % likelihood.
pub(super) fn is_gain(report: &Value, sprt: &str) -> bool {
    let (Some(llr), Some(los)) = (report["llr"].as_f64(), report["los"].as_f64()) else { return false };
    match sprt.parse::<Sprt>().map(|sprt| sprt.verdict(llr)) {
        Ok(Verdict::H1) => true,
        Ok(Verdict::Undecided) => los >= LIKELY,
        Ok(Verdict::H0) | Err(_) => false,
    }
}

/// What came of a step, in a sentence.
pub(super) fn sentence(step: Step, report: &Value) -> String {
    let number = |name: &str| report[name].as_f64().unwrap_or_default();
    match step {
        Step::Datagen => format!("{} games, {} positions", number("games"), number("positions")),
        Step::Filter => format!("{} of {} positions are kept", number("kept"), number("read")),
        Step::Tune => {
            let (which, [start, tuned]) = losses(report);
            format!("{which} loss {start} -> {tuned} after {} epochs", number("epochs"))
        }
        Step::Match => result(report),
    }
}

/// The losses that decide, before and after: those of validation, if any game is for that.
fn losses(report: &Value) -> (&'static str, [String; 2]) {
    let which = if report["validation"]["start"].is_null() { "training" } else { "validation" };
    let loss = |name: &str| report[which][name].as_f64().map_or("-".to_owned(), |loss| format!("{loss:.6}"));
    (which, [loss("start"), loss("rounded")])
}

/// Wins, draws and losses, and Elo.
fn result(report: &Value) -> String {
    let count = |name: &str| report[name].as_u64().unwrap_or_default();
    let number = |name: &str| report[name].as_f64().unwrap_or_default();
    format!(
        "+{} ={} -{}, Elo {:+.1} +/- {:.1}, LLR {:.2}",
        count("wins"),
        count("draws"),
        count("losses"),
        number("elo"),
        number("elo_error"),
        number("llr")
    )
}

/// Prints a line for each generation.
pub(super) fn print(manifests: &[Manifest], champion: &str) {
    outln!(
        "| Generation | Nodes  | Positions  | Tuned on   | Validation loss      | Match                                          | Promoted |"
    );
    outln!(
        "|------------|--------|------------|------------|----------------------|------------------------------------------------|----------|"
    );
    for manifest in manifests {
        let report = |step: Step| manifest.done(step).map_or(&Value::Null, |done| &done.report);
        let count =
            |step: Step, name: &str| report(step)[name].as_u64().map_or("-".to_owned(), |count| count.to_string());
        let (_, [start, tuned]) = losses(report(Step::Tune));
        outln!(
            "| {:<10} | {:>6} | {:>10} | {:>10} | {:>8} -> {:>8} | {:<46} | {:<8} |",
            folder(manifest.generation),
            manifest.nodes,
            count(Step::Datagen, "positions"),
            count(Step::Tune, "positions"),
            start,
            tuned,
            manifest.done(Step::Match).map_or_else(|| "-".to_owned(), |done| result(&done.report)),
            manifest.promoted.map_or("-", |is_promoted| if is_promoted { "yes" } else { "no" })
        );
    }
    outln!("The best weights are {champion}, also in best.toml.");
}

/// All of it for scripts.
pub(super) fn object(directory: &str, manifests: &[Manifest], champion: &str, is_finished: bool) -> Value {
    let generation = |manifest: &Manifest| {
        let report = |step: Step| manifest.done(step).map_or(Value::Null, |done| done.report.clone());
        let (datagen, tune, played) = (report(Step::Datagen), report(Step::Tune), report(Step::Match));
        json!({
            "generation": manifest.generation, "nodes": manifest.nodes, "seed": manifest.seed,
            "champion": manifest.champion, "weights": weights_of(manifest.generation),
            "sha256": manifest.made(&weights_of(manifest.generation)),
            "games": datagen["games"], "positions": datagen["positions"],
            "tuned_on": tune["positions"], "training": tune["training"], "validation": tune["validation"],
            "match": played, "promoted": manifest.promoted,
        })
    };
    json!({
        "directory": directory, "best": champion, "is_finished": is_finished,
        "generations": manifests.iter().map(generation).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_gain_that_is_shown_counts() {
        let gain = |llr: Value, los: f64| is_gain(&json!({ "llr": llr, "los": los }), "elo0=0,elo1=10");
        assert!(gain(json!(2.95), 0.99));
        assert!(!gain(json!(-2.95), 0.5));
        assert!(gain(json!(1.0), 0.96) && !gain(json!(1.0), 0.94));
        assert!(!gain(Value::Null, 1.0));
        assert!(!is_gain(&json!({ "games": 0 }), "elo0=0,elo1=10"));
    }
}
