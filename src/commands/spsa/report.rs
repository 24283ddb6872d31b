//! What came of a tuning: a table, JSON, OpenBench's lines, weights, a picture.

use anyhow::{Context, Result};
use lab::arena::Standings;
use lab::spsa::{Kind, Parameter, Session, Tuner, plot, write_lines};
use serde_json::{Value, json};

/// What became of each number, or, of a screen, what each is worth.
pub(super) fn table(session: &Session) -> String {
    let tuner = session.tuner();
    let width = tuner.parameters().iter().map(|parameter| parameter.name.len()).max().unwrap_or(0).max(6);
    let mut lines = if tuner.course().is_screen { screen(&tuner, width) } else { moves(&tuner, width) };
    let (done, all) = (tuner.done(), tuner.course().iterations);
    let what = match tuner.course().is_screen {
        true => "Worth is the Elo of a step up beside a step down.",
        false => {
            "Change is in units of c_end, the last step. Worth is the Elo of a step up beside a step down, of the steps \
             that were played, wherever the number stood."
        }
    };
    lines.extend([String::new(), format!("After {done} of {all} iterations. {what}")]);
    lines.join("\n")
}

/// Start, step and worth.
fn screen(tuner: &Tuner, width: usize) -> Vec<String> {
    let mut lines = vec![
        format!("| {:<width$} | Start   | Step    | Worth, 95 %     |", "Number"),
        format!("|{}|---------|---------|-----------------|", "-".repeat(width + 2)),
    ];
    for (parameter, worth) in tuner.parameters().iter().zip(tuner.worths()) {
        let worth = worth.map_or(String::new(), |worth| worth.to_string());
        let Parameter { name, start, c_end, .. } = parameter;
        lines.push(format!("| {name:<width$} | {start:>7} | {c_end:>7} | {worth:>15} |"));
    }
    lines
}

/// Start, value and change, and what a step was worth.
fn moves(tuner: &Tuner, width: usize) -> Vec<String> {
    let mut lines = vec![
        format!("| {:<width$} | Start   | Value      | Rounded | Change  | Worth, 95 %     |", "Number"),
        format!("|{}|---------|------------|---------|---------|-----------------|", "-".repeat(width + 2)),
    ];
    let numbers = tuner.parameters().iter().zip(tuner.values()).zip(tuner.moved()).zip(tuner.worths());
    for (((parameter, value), moved), worth) in numbers {
        let worth = worth.map_or(String::new(), |worth| worth.to_string());
        let rounded = if parameter.kind == Kind::Int { parameter.write(*value) } else { String::new() };
        lines.push(format!(
            "| {:<width$} | {:>7} | {value:>10.3} | {rounded:>7} | {:>+7.2} | {worth:>15} |",
            parameter.name,
            parameter.start,
            // Nothing has no minus sign
            moved + 0.0
        ));
    }
    lines
}

/// The same for scripts.
pub(super) fn object(session: &Session, standings: &Standings, conditions: &str) -> Value {
    let tuner = session.tuner();
    let numbers = tuner.parameters().iter().zip(tuner.values()).zip(tuner.moved()).zip(tuner.worths());
    let numbers = numbers.map(|(((parameter, value), moved), worth)| {
        let mut object = json!(parameter);
        (object["value"], object["change"]) = (json!(value), json!(moved));
        (object["worth"], object["worth_error"]) =
            (json!(worth.map(|worth| worth.elo)), json!(worth.map(|worth| worth.error)));
        object["rounded"] = if parameter.kind == Kind::Int { json!(value.round()) } else { json!(value) };
        object
    });
    json!({
        "parameters": numbers.collect::<Vec<_>>(), "iterations": tuner.course().iterations, "done": tuner.done(),
        "games": standings.games(), "incidents": standings.incidents(), "incident_count": standings.incident_count(),
        "conditions": conditions,
    })
}

/// The settings of an engine that plays with the options that changed.
pub(super) fn settings(session: &Session, is_own: bool) -> Option<String> {
    let tuner = session.tuner();
    let start: Vec<f64> = tuner.parameters().iter().map(|parameter| parameter.start).collect();
    let [before, after] =
        [&start[..], tuner.values()].map(|values| session.dials().options(tuner.parameters(), values));
    let changed = after.iter().zip(&before).filter(|(after, before)| after != before);
    let (engine, prefix) = if is_own { ("self", "tunable") } else { ("cmd=PROGRAM", "option") };
    let words: Vec<String> = changed.map(|((name, value), _)| format!("{prefix}.{name}={value}")).collect();
    (!words.is_empty()).then(|| format!("--engine {engine} {}", words.join(" ")))
}

/// OpenBench's lines.
pub(super) fn lines(session: &Session) -> String {
    let tuner = session.tuner();
    write_lines(tuner.parameters(), tuner.values())
}

/// The picture.
pub(super) fn picture(session: &Session) -> String {
    plot(&session.tuner())
}

/// The weights as a file.
pub(super) fn weights(session: &Session, conditions: &str) -> Result<String> {
    let tuner = session.tuner();
    let weights = session.dials().weights(tuner.values()).context("no weights are tuned")?;
    let mut provenance = weights.provenance().clone();
    let names: Vec<&str> = tuner.parameters().iter().map(|parameter| parameter.name.as_str()).collect();
    let made = format!("marquetry spsa, {} iterations done ({conditions}): {}", tuner.done(), names.join(", "));
    provenance.insert("spsa".to_owned(), made);
    let name = format!("{} tuned", weights.name());
    Ok(weights.renamed(&name, weights.description(), provenance).to_toml())
}
