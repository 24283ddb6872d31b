//! `marquetry weights`: the presets and files of weights.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use chess::{Role, Square};
use clap::Subcommand;
use engine::{CATALOG, PARAM_COUNT, PRESETS, ROLE_NAMES, Score, Shape, Taper, TermInfo, Weights};
use lab::lint::{Evidence, Finding, lint};
use serde_json::{Value, json};

use crate::output::{out, outln};
use crate::paint;

/// List, show, check, compare and write weights
#[derive(Subcommand)]
#[command(after_help = "Examples:
  marquetry weights list
  marquetry weights show seajay
  marquetry weights check my-weights.toml
  marquetry weights diff handset default --top 10
  marquetry weights dump handcrafted --output my-weights.toml")]
pub(crate) enum WeightsCommand {
    /// Name the presets
    #[command(after_help = "Example:
  marquetry weights list")]
    List,
    /// Draw the tables and terms of a preset or file
    #[command(after_help = "Examples:
  marquetry weights show seajay
  marquetry weights show my-weights.toml --term passer")]
    Show {
        /// A preset's name or a file
        weights: String,
        /// This term only, such as knight_mobility
        #[arg(long, value_name = "TERM", value_parser = term_name)]
        term: Option<&'static TermInfo>,
    },
    /// Read files and say what is wrong with them
    #[command(after_help = "Examples:
  marquetry weights check my-weights.toml
  marquetry weights check --lint my-weights.toml

--lint looks for what a player would frown at: a queen cheaper than a rook, wings that differ, curves that fall, squares
unlike those around them, and, with the report that `tune` writes beside its weights, what the data says too little of.
A file can explain what is right after all, and then it is no fault:
  [explained]
  \"piece_square.king.mg\" = \"kings castle short more often\"")]
    Check {
        /// Presets' names or files
        #[arg(required = true)]
        weights: Vec<String>,
        /// Also look for weights that do not look like chess
        #[arg(long)]
        lint: bool,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Compare two presets or files, largest changes first
    #[command(after_help = "Example:
  marquetry weights diff handset default --top 10")]
    Diff {
        /// A preset's name or a file
        a: String,
        /// Another
        b: String,
        /// How many changes to show
        #[arg(long, value_name = "N", default_value = "20")]
        top: usize,
    },
    /// Write a preset or file as TOML, to stdout or a file
    #[command(after_help = "Example:
  marquetry weights dump handcrafted --output my-weights.toml")]
    Dump {
        /// A preset's name or a file
        weights: String,
        /// Where to [default: stdout]
        #[arg(long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
}

fn term_name(name: &str) -> Result<&'static TermInfo, String> {
    let known = || CATALOG.iter().map(|term| term.name).collect::<Vec<_>>().join(", ");
    CATALOG.iter().find(|term| term.name == name).ok_or_else(|| format!("the terms are {}", known()))
}

impl WeightsCommand {
    /// Does what was asked.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        match self {
            WeightsCommand::List => list(),
            WeightsCommand::Show { weights, term } => {
                show(&Weights::load(weights)?, *term);
                Ok(ExitCode::SUCCESS)
            }
            WeightsCommand::Check { weights, lint, json } => Ok(check(weights, *lint, *json)),
            WeightsCommand::Diff { a, b, top } => {
                diff(&Weights::load(a)?, &Weights::load(b)?, *top);
                Ok(ExitCode::SUCCESS)
            }
            WeightsCommand::Dump { weights, output } => {
                let text = Weights::load(weights)?.to_toml();
                match output {
                    Some(path) => {
                        std::fs::write(path, text).with_context(|| format!("{} cannot be written", path.display()))?;
                    }
                    None => out!("{text}"),
                }
                Ok(ExitCode::SUCCESS)
            }
        }
    }
}

fn list() -> Result<ExitCode> {
    for (name, _) in PRESETS {
        let weights = Weights::load(name)?;
        outln!("{name:<18}{}", weights.description());
    }
    Ok(ExitCode::SUCCESS)
}

fn check(names: &[String], lint: bool, json: bool) -> ExitCode {
    let mut failed = false;
    let mut objects = Vec::new();
    for name in names {
        let loaded = Weights::load(name);
        let findings = loaded.as_ref().ok().filter(|_| lint).map(|weights| find(name, weights)).unwrap_or_default();
        let faults = findings.iter().filter(|finding| finding.explanation.is_none()).count();
        failed |= loaded.is_err() || faults > 0;
        if json {
            objects.push(check_object(name, &loaded, &findings));
            continue;
        }
        match loaded {
            Ok(weights) => {
                let set = weights.values().iter().filter(|&&value| value != Score::ZERO).count();
                outln!("{name}: sound; {set} of {PARAM_COUNT} weights are not zero");
            }
            Err(error) => outln!("{error}"),
        }
        for finding in &findings {
            let explained = finding.explanation.as_ref().map_or(String::new(), |why| format!(" (explained: {why})"));
            outln!("{name}: {} {}: {}{explained}", finding.rule.name(), finding.key, finding.sentence);
        }
        if lint {
            outln!("{name}: {faults} to explain, {} explained", findings.len() - faults);
        }
    }
    if json {
        outln!("{}", json!({ "weights": objects }));
    }
    ExitCode::from(u8::from(failed))
}

/// What a player would frown at, with the help of the report beside the file, if there is one.
fn find(name: &str, weights: &Weights) -> Vec<Finding> {
    let report = std::fs::read_to_string(format!("{name}.report.json")).ok();
    lint(weights, report.and_then(|report| Evidence::read(&report)).as_ref())
}

fn check_object(name: &str, loaded: &Result<Weights, engine::WeightsError>, findings: &[Finding]) -> Value {
    let finding = |finding: &Finding| {
        json!({
            "rule": finding.rule.name(), "key": finding.key, "sentence": finding.sentence,
            "explanation": finding.explanation,
        })
    };
    json!({
        "name": name,
        "error": loaded.as_ref().err().map(ToString::to_string),
        "findings": findings.iter().map(finding).collect::<Vec<_>>(),
    })
}

fn show(weights: &Weights, only: Option<&TermInfo>) {
    let colour = paint::is_wanted();
    outln!("{}: {}", paint::bold(weights.name(), colour), weights.description());
    for (key, value) in weights.provenance() {
        outln!("{key}: {value}");
    }
    outln!("unit {}, interpolation {}", weights.unit(), if weights.interpolates() { "on" } else { "off" });
    outln!("phase = {}", phase(weights));
    outln!("king safety fades {}", taper(weights));
    for term in CATALOG.iter().filter(|term| only.is_none_or(|only| only.name == term.name)) {
        let values = &weights.values()[term.params()];
        if values.iter().any(|&value| value != Score::ZERO) {
            outln!("\n{}  {}", paint::bold(term.name, colour), term.doc);
            draw(&term.shape, values, colour);
        }
    }
}

/// The phase model as a formula.
fn phase(weights: &Weights) -> String {
    let model = weights.phase_model();
    let counted = Role::ALL.into_iter().zip(ROLE_NAMES).filter(|(role, _)| *model.weights.get(*role) != 0);
    let mut sum: Vec<String> = counted.map(|(role, name)| format!("{} {name}s", model.weights.get(role))).collect();
    if model.offset != 0 {
        sum.push(model.offset.to_string());
    }
    format!("({}) / {}, within 0 and 256", sum.join(" + ").replace("+ -", "- "), model.divisor)
}

/// The taper of king safety in words.
fn taper(weights: &Weights) -> String {
    match weights.king_taper() {
        Taper::Linear => "with the phase".to_owned(),
        Taper::Sigmoid { midpoint, width } => format!("by a sigmoid about phase {midpoint}, {width} wide"),
    }
}

fn draw(shape: &Shape, values: &[Score], colour: bool) {
    if let Some((names, inner)) = shape.named() {
        for (name, values) in names.iter().zip(values.chunks(inner.size())) {
            if let ([value], Shape::Single) = (values, inner) {
                outln!("  {name:<8} mg {:>5}  eg {:>5}", value.mg(), value.eg());
            } else {
                outln!("  {name}");
                draw(inner, values, colour);
            }
        }
        return;
    }
    match shape {
        Shape::Square => draw_boards(values, colour),
        Shape::Single => outln!("  mg {:>5}  eg {:>5}", values[0].mg(), values[0].eg()),
        _ => {
            let first = if *shape == Shape::Rank { 1 } else { 0 };
            let label = if *shape == Shape::Rank { "rank" } else { "count" };
            let line = |cells: Vec<String>| cells.concat();
            outln!("  {label:<6}{}", line((first..first + values.len()).map(|n| format!("{n:>5}")).collect()));
            for (half, of) in [("mg", Score::mg as fn(Score) -> i32), ("eg", Score::eg)] {
                let most = values.iter().map(|&value| of(value).abs()).max().unwrap_or(0);
                let cell = |&value: &Score| {
                    paint::heat(&format!("{:>5}", of(value)), f64::from(of(value)), f64::from(most), colour)
                };
                outln!("  {half:<6}{}", line(values.iter().map(cell).collect()));
            }
        }
    }
}

/// Middlegame and endgame beside each other, rank 8 on top.
fn draw_boards(values: &[Score], colour: bool) {
    let most = values.iter().map(|value| value.mg().abs().max(value.eg().abs())).max().unwrap_or(0);
    outln!("       {:<40}     eg", "mg");
    for rank in (0..8).rev() {
        let row = |of: fn(Score) -> i32| {
            (0..8)
                .map(|file| {
                    let value = of(values[Square::new(8 * rank + file).to_usize()]);
                    paint::heat(&format!("{value:>5}"), f64::from(value), f64::from(most), colour)
                })
                .collect::<String>()
        };
        outln!("    {} {}   {}", rank + 1, row(Score::mg), row(Score::eg));
    }
}

fn diff(a: &Weights, b: &Weights, top: usize) {
    outln!("from {} to {}", a.name(), b.name());
    let settings: [(&str, String, String); 4] = [
        ("unit", a.unit().to_string(), b.unit().to_string()),
        ("interpolation", a.interpolates().to_string(), b.interpolates().to_string()),
        ("phase", phase(a), phase(b)),
        ("king safety fades", taper(a), taper(b)),
    ];
    for (key, a, b) in settings.iter().filter(|(_, a, b)| a != b) {
        outln!("{key}: {a} -> {b}");
    }
    let change = |index: usize| {
        let (a, b) = (a.values()[index], b.values()[index]);
        (b.mg() - a.mg(), b.eg() - a.eg())
    };
    let mut changed: Vec<usize> = (0..PARAM_COUNT).filter(|&index| change(index) != (0, 0)).collect();
    changed.sort_by_key(|&index| std::cmp::Reverse(change(index).0.abs().max(change(index).1.abs())));
    for &index in changed.iter().take(top) {
        let (from, to) = (a.values()[index], b.values()[index]);
        let (mg, eg) = change(index);
        outln!(
            "{:<28} mg {:>5} -> {:>5} ({mg:>+5})   eg {:>5} -> {:>5} ({eg:>+5})",
            TermInfo::label(index),
            from.mg(),
            to.mg(),
            from.eg(),
            to.eg()
        );
    }
    match changed.len().saturating_sub(top) {
        0 => outln!("{} weights differ", changed.len()),
        more => outln!("{} weights differ; {more} smaller changes are not shown (--top)", changed.len()),
    }
}
