//! The table of runs.

use anyhow::Result;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use lab::store::{Filter, Run};
use serde_json::{Value, json};

use crate::commands::store::StoreOption;
use crate::output::outln;

/// Prints the table, or an object with the list `runs`. Where no store was made yet, there are none.
pub(super) fn list(option: &StoreOption, kind: Option<&str>, last: Option<usize>, json: bool) -> Result<()> {
    let is_new = option.words().is_empty() && !option.path()?.exists();
    let runs = if is_new { Vec::new() } else { option.open_existing()?.runs(Filter { kind, last })? };
    if json {
        outln!("{}", json!({ "runs": runs.iter().map(object).collect::<Result<Vec<_>>>()? }));
    } else if runs.is_empty() {
        outln!("There are no runs.");
    } else {
        let heads = ["run", "kind", "state", "started", "games", "engines", "result"].map(str::to_owned);
        print_table(&[vec![heads], runs.iter().map(row).collect()].concat());
    }
    Ok(())
}

/// A run for scripts.
pub(super) fn object(run: &Run) -> Result<Value> {
    let mut object = serde_json::to_value(run)?;
    object["status"] = run.status().into();
    object["sentence"] = run.sentence().into();
    Ok(object)
}

fn row(run: &Run) -> [String; 7] {
    let names: Vec<&str> = run.engines.iter().map(|engine| engine.name.as_str()).collect();
    let engines = match names.as_slice() {
        [first, second] => format!("{first} - {second}"),
        [first, rest @ ..] if rest.len() > 2 => format!("{first} and {} more", rest.len()),
        names => names.join(", "),
    };
    [
        run.id.to_string(),
        run.kind.clone(),
        run.status().to_owned(),
        time(run.created),
        run.games.to_string(),
        engines,
        run.sentence().to_owned(),
    ]
}

/// Milliseconds since 1970 as people here read them.
pub(super) fn time(milliseconds: i64) -> String {
    let Ok(timestamp) = Timestamp::from_millisecond(milliseconds) else { return "?".to_owned() };
    timestamp.to_zoned(TimeZone::system()).strftime("%Y-%m-%d %H:%M").to_string()
}

/// Columns as wide as their widest cell; the last one is not filled up.
fn print_table(rows: &[[String; 7]]) {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; 7] = std::array::from_fn(width);
    for row in rows {
        let cells: Vec<String> = row.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        outln!("{}", cells.join("  ").trim_end());
    }
}
