//! All that is known of a run.

use anyhow::Result;
use lab::arena::Winner;
use lab::stats::{Estimate, Tally};
use lab::store::{Curve, Run, RunId, Store};
use serde_json::{Value, json};

use super::list::{object, time};
use super::{OneRun, resume_hint};
use crate::arguments::quoted;
use crate::commands::stats::{block, in_words, report};
use crate::output::outln;
use crate::paint;

/// So many incidents are printed.
const INCIDENTS: usize = 20;
/// So many curves are printed, and so wide.
const CURVES: usize = 20;
const CURVE_WIDTH: usize = 40;

/// Prints a run, or one object with `result`, `incidents`, `curves` and `resume` beside what the store has.
pub(super) fn show(which: &OneRun, json: bool) -> Result<()> {
    let store = which.store.open_existing()?;
    let run = store.run(which.run)?;
    let record = Record::of(&store, which.run, run.engines.len())?;
    let curves = store.curves(which.run)?;
    let hint = resume_hint(&run, &which.store);
    if json {
        let mut object = object(&run)?;
        let score = |score: &[u64; 3]| json!({ "wins": score[0], "draws": score[1], "losses": score[2] });
        object["scores"] = record.scores.iter().map(score).collect();
        object["result"] = record
            .tally(&run)
            .and_then(|tally| Some(report(&tally, record.known(&tally), &Estimate::of(&tally)?, None)))
            .unwrap_or_default();
        object["incidents"] = record.incidents.into();
        object["curves"] = curves.iter().map(|curve| (curve.name.clone(), json!(curve.points))).collect::<Value>();
        object["resume"] = hint.into();
        outln!("{object}");
        return Ok(());
    }
    print_head(&run);
    print_engines(&run);
    print_result(&run, &record);
    print_curves(&curves);
    if let Some(hint) = hint {
        outln!("\nIt goes on with: {hint}");
    }
    Ok(())
}

fn print_head(run: &Run) {
    let owner = run.owner.as_ref().filter(|_| run.is_alive).map_or_else(String::new, |owner| format!(" by {owner}"));
    outln!("{}", paint::bold(&format!("Run {}: {}, {}{owner}", run.id, run.kind, run.status()), paint::is_wanted()));
    outln!("command   {}", quoted(&run.command));
    outln!("in        {}", run.directory);
    outln!("seed      {}", run.seed);
    outln!("started   {} on {}, marquetry {}", time(run.created), run.host, run.version);
    outln!("updated   {}", time(run.updated));
    outln!("games     {}", run.games);
    if !run.settings.is_null() {
        outln!("settings  {}", run.settings);
    }
}

fn print_engines(run: &Run) {
    for (number, engine) in run.engines.iter().enumerate() {
        outln!("\nengine {number}  {}", engine.name);
        outln!("  command  {}", quoted(&engine.command));
        outln!("  limit    {}", engine.limit);
        for (name, value) in &engine.options {
            outln!("  option   {name} = {value}");
        }
        outln!("  sha256   {}", engine.file_hash.as_deref().unwrap_or("not known"));
        outln!("  bench    {}", engine.bench.map_or_else(|| "not known".to_owned(), |nodes| nodes.to_string()));
    }
}

fn print_result(run: &Run, record: &Record) {
    outln!();
    match record.tally(run) {
        Some(tally) => {
            if let Some(estimate) = Estimate::of(&tally) {
                outln!("Results of {} against {}:", run.engines[0].name, run.engines[1].name);
                outln!("{}", block(&tally, record.known(&tally), &estimate));
                outln!("{}", in_words(&estimate, [&run.engines[0].name, &run.engines[1].name]));
            }
        }
        None => {
            for (engine, [wins, draws, losses]) in run.engines.iter().zip(&record.scores) {
                outln!("{}: +{wins} ={draws} -{losses}", engine.name);
            }
        }
    }
    if !run.sentence().is_empty() {
        outln!("{}", run.sentence());
    }
    if !run.progress.is_null() {
        outln!("progress  {}", run.progress);
    }
    for incident in record.incidents.iter().take(INCIDENTS) {
        outln!("Incident: {incident}");
    }
    if record.incidents.len() > INCIDENTS {
        outln!("and {} more incidents (--json has them all)", record.incidents.len() - INCIDENTS);
    }
}

fn print_curves(curves: &[Curve]) {
    let width = curves.iter().map(|curve| curve.name.chars().count()).max().unwrap_or(0);
    for curve in curves.iter().take(CURVES) {
        let Some(((first, from), (last, to))) = curve.points.first().zip(curve.points.last()) else { continue };
        let values: Vec<f64> = curve.points.iter().map(|&(_, value)| value).collect();
        outln!(
            "{:<width$}  {}  {from:.6} -> {to:.6}, steps {first} to {last}",
            curve.name,
            paint::curve(&values, CURVE_WIDTH)
        );
    }
    if curves.len() > CURVES {
        outln!("and {} more curves (--json has them all)", curves.len() - CURVES);
    }
}

/// What the games of a run come to.
struct Record {
    /// Won, drawn and lost, by engine.
    scores: Vec<[u64; 3]>,
    /// Whole pairs by half points of the first engine.
    pairs: [u64; 5],
    /// Games in which an engine broke down or broke a rule.
    incidents: Vec<String>,
}

impl Record {
    fn of(store: &Store, run: RunId, engines: usize) -> Result<Record> {
        let mut record = Record { scores: vec![[0; 3]; engines], pairs: [0; 5], incidents: Vec::new() };
        let mut half: Option<(usize, usize)> = None;
        store.for_each_result(run, |result| {
            let (place, ending) = (result.place, result.ending);
            let mut first = 0;
            for (color, engine) in result.engines.zip_color() {
                let half_points = match ending.winner {
                    Winner::Draw => 1,
                    Winner::Side(winner) => 2 * usize::from(winner == color),
                };
                if let Some(score) = record.scores.get_mut(engine) {
                    score[2 - half_points] += 1;
                }
                if engine == 0 {
                    first = half_points;
                }
            }
            match half.take_if(|(pair, _)| *pair == place.pair) {
                Some((_, points)) => record.pairs[points + first] += 1,
                None => half = Some((place.pair, first)),
            }
            if ending.is_incident {
                record.incidents.push(format!("game {place}: {}", ending.reason));
            }
            Ok::<(), anyhow::Error>(())
        })?;
        Ok(record)
    }

    /// The pairs of a match of two.
    fn tally(&self, run: &Run) -> Option<Tally> {
        (run.engines.len() == 2).then_some(Tally::Pairs(self.pairs))
    }

    /// Games won, drawn and lost by the first engine, if they are the games of the pairs: no pair is half played.
    fn known(&self, tally: &Tally) -> Option<(u64, u64, u64)> {
        let [wins, draws, losses] = *self.scores.first()?;
        (wins + draws + losses == tally.games()).then_some((wins, draws, losses))
    }
}
