//! What the static evaluation misjudges, by phase and by what misled it.

use std::ops::ControlFlow;
use std::process::ExitCode;

use anyhow::{Result, bail};
use engine::Weights;
use lab::analysis::{Census, Inquiry, Miss, MissGroup, Phase, judge};
use lab::data::Sample;
use lab::explain::reasons_known;
use serde_json::{Value, json};

use super::Analyse;
use crate::commands::data::Inputs;
use crate::interrupt;
use crate::output::{errln, outln};

/// So many groups are printed; the JSON has all.
const GROUPS: usize = 15;
/// A group of fewer positions is not said to stand out, nor one that is hardly more frequent than usually.
const ENOUGH: usize = 10;
const OUTSTANDING: f64 = 1.5;
/// What misled the evaluation where nothing did.
const NOTHING: &str = "nothing it knows of";

pub(super) fn run(options: &Analyse) -> Result<ExitCode> {
    let weights = Weights::load(&options.weights)?;
    let known = reasons_known();
    if let Some(unknown) = options.besides.iter().find(|name| !known.contains(*name)) {
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        bail!("--besides: there is no reason {unknown:?}; there are {}", known.join(", "));
    }
    let count = options.count as usize;
    let (yardstick, is_any) = (options.yardstick.into(), options.any);
    let inquiry = Inquiry { yardstick, count, is_any, besides: options.besides.clone() };
    let mut census = Census::default();
    let mut inputs = Inputs::new(&options.misses, "analyse")?;
    inputs.read(|samples, goes_on| {
        let work = |samples: Vec<Sample>| judge(&samples, &weights, &inquiry);
        samples.in_parallel(options.jobs(), work, |part, bytes| {
            census.join(part, count);
            if goes_on(bytes) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })
    })?;
    if census.judged == 0 {
        bail!("{} has no position to judge ({} were left out)", inputs.names(), census.left_out);
    }
    let groups = census.groups(options.examples as usize);
    if options.json {
        let mut report = report(&census, &groups, &weights);
        report["bad_lines"] = inputs.bad_count().into();
        report["bad"] = inputs.bad_objects();
        report["interrupted"] = interrupt::came().into();
        outln!("{report}");
    } else {
        print(&census, &groups, &weights);
        inputs.print_bad();
    }
    if interrupt::came() {
        errln!("Interrupted: {} positions were judged.", census.judged);
    }
    Ok(ExitCode::from(u8::from(interrupt::came())))
}

fn print(census: &Census, groups: &[MissGroup], weights: &Weights) {
    outln!(
        "{} positions judged by {}, {} left out. On average the evaluation is wrong by {:.3} points of a game.\n",
        census.judged,
        weights.name(),
        census.left_out,
        census.mean_error()
    );
    for phase in Phase::ALL {
        if let Some((number, sum)) = census.phases.get(&phase) {
            outln!("  {:<12}{number:>10} positions, wrong by {:.3}", phase.name(), sum / *number as f64);
        }
    }
    outln!("\nThe worst {}, by phase and by what misled the evaluation most:\n", census.worst.len());
    outln!(
        "{:<12}{:<28}{:>7}{:>9}{:>9}{:>8}{:>10}",
        "phase",
        "misled by",
        "count",
        "share",
        "usually",
        "times",
        "wrong by"
    );
    for group in groups.iter().take(GROUPS) {
        outln!(
            "{:<12}{:<28}{:>7}{:>7.1} %{:>7.1} %{:>8}{:>10.3}",
            group.phase.name(),
            culprit(group),
            group.count,
            100.0 * group.share,
            100.0 * group.usual,
            group.times().map_or("-".to_owned(), |times| format!("{times:.1}")),
            group.error
        );
        for miss in &group.examples {
            outln!("    {}  {}", miss.position, in_words(miss));
        }
    }
    if groups.len() > GROUPS {
        outln!("and {} smaller groups", groups.len() - GROUPS);
    }
    let outstanding = outstanding(groups);
    if !outstanding.is_empty() {
        outln!("\nFar more frequent among the worst than usually: {}.", outstanding.join(", "));
        outln!("The evaluation overrates these, or does not know what speaks against them.");
    }
}

fn culprit(group: &MissGroup) -> &str {
    group.culprit.as_deref().unwrap_or(NOTHING)
}

/// The groups that are out of proportion, the most so first.
fn outstanding(groups: &[MissGroup]) -> Vec<String> {
    let is_large = |group: &&MissGroup| group.count >= ENOUGH;
    let mut found: Vec<(f64, &MissGroup)> =
        groups.iter().filter(is_large).filter_map(|group| Some((group.times()?, group))).collect();
    found.retain(|(times, _)| *times >= OUTSTANDING);
    found.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    found
        .iter()
        .map(|(times, group)| format!("{} in the {} ({times:.1} times)", culprit(group), group.phase.name()))
        .collect()
}

fn in_words(miss: &Miss) -> String {
    let value = miss.answer.value.map_or(String::new(), |value| format!(", search {value:+}"));
    let culprit = miss.culprit.as_ref().map_or(String::new(), |(name, cp)| format!(" ({name} {cp:+})"));
    format!("evaluation {:+}{culprit}{value}, result {}", miss.eval, miss.answer.result)
}

fn report(census: &Census, groups: &[MissGroup], weights: &Weights) -> Value {
    let phases = census.phases.iter().map(|(phase, (number, sum))| {
        json!({ "phase": phase.name(), "positions": number, "mean_error": sum / (*number).max(1) as f64 })
    });
    let miss = |miss: &Miss| {
        json!({
            "fen": miss.position.to_string(),
            "eval": miss.eval,
            "value": miss.answer.value,
            "result": miss.answer.result,
            "expected": miss.expected,
            "actual": miss.actual,
            "error": miss.error(),
            "phase": miss.phase.name(),
            "misled_by": miss.culprit.as_ref().map(|(name, _)| name),
            "misled_by_cp": miss.culprit.as_ref().map(|(_, cp)| cp),
        })
    };
    let groups = groups.iter().map(|group| {
        json!({
            "phase": group.phase.name(),
            "misled_by": group.culprit,
            "count": group.count,
            "share": group.share,
            "usual": group.usual,
            "times": group.times(),
            "error": group.error,
            "examples": group.examples.iter().map(miss).collect::<Vec<_>>(),
        })
    });
    json!({
        "weights": weights.name(),
        "judged": census.judged,
        "left_out": census.left_out,
        "mean_error": census.mean_error(),
        "phases": phases.collect::<Vec<_>>(),
        "groups": groups.collect::<Vec<_>>(),
        "worst": census.worst.iter().map(miss).collect::<Vec<_>>(),
    })
}
