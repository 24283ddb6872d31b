//! `marquetry data wdl`: chances to win, draw and lose, fitted to games.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;
use engine::wdl::MODEL;
use lab::data::Sample;
use lab::files::check_apart;
use lab::wdl::{Cell, Fit, MOST, Outcomes, Verdict, calibration, fit, log_loss, plot};
use serde_json::{Value, json};

use super::inputs::Inputs;
use super::{Threads, grouped};
use crate::interrupt;
use crate::output::outln;

/// Fit the chances to win, draw and lose (UCI_ShowWDL) to games with values
#[derive(Args)]
#[command(after_help = "Examples:
  marquetry data wdl games.mqg
  marquetry data wdl a.mqg b.mqg --degree 1 --svg docs/images/wdl.svg

With a value of v centipawns a share 1/(1+exp((even-v)/spread)) of games is won; the other side's chance is the same curve at -v,
and the rest is drawn. Both numbers are polynomials in the share of material that is left (pawns 1, knights and bishops 3, rooks
5, queens 9; 78 for both sides at the start). The likeliest ones are found over all positions whose value is known and within 2000
centipawns, and printed as engine/src/wdl.rs wants them, with a table of what they foretell beside what happened.")]
pub(crate) struct Wdl {
    /// Files of games or positions with values
    #[arg(required = true)]
    files: Vec<String>,

    /// The degree of the polynomials
    #[arg(long, value_name = "N", default_value = "3", value_parser = clap::value_parser!(u8).range(0..=3))]
    degree: u8,

    /// Draw the curves and the games to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    #[command(flatten)]
    threads: Threads,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Wdl {
    pub(super) fn run(&self) -> Result<ExitCode> {
        check_apart(&self.files, self.svg.as_slice())?;
        let mut inputs = Inputs::new(&self.files, "wdl")?;
        let mut outcomes = Outcomes::default();
        inputs.read(|samples, goes_on| {
            samples.in_parallel(
                self.threads.count(),
                |samples: Vec<Sample>| samples.iter().map(Verdict::of).collect::<Vec<_>>(),
                |verdicts, bytes| {
                    verdicts.into_iter().for_each(|verdict| outcomes.add(verdict));
                    if goes_on(bytes) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                },
            )
        })?;
        let fit = fit(&outcomes, self.degree.into())?;
        let cells = calibration(&outcomes, &fit.model());
        if let Some(path) = &self.svg {
            std::fs::write(path, plot(&fit.model(), &cells))
                .with_context(|| format!("{} cannot be written", path.display()))?;
        }
        if self.json {
            outln!("{}", self.report(&inputs, &outcomes, &fit, &cells));
        } else {
            print(&inputs, &outcomes, &fit, &cells);
        }
        Ok(ExitCode::from(u8::from(interrupt::came())))
    }

    fn report(&self, inputs: &Inputs, outcomes: &Outcomes, fit: &Fit, cells: &[Cell]) -> Value {
        let cell = |cell: &Cell| {
            json!({
                "material": [cell.material.start(), cell.material.end()],
                "value": [cell.value.start(), cell.value.end()],
                "positions": cell.positions, "mean_value": cell.mean_value,
                "foretold": cell.foretold, "observed": cell.observed,
            })
        };
        json!({
            "files": self.files, "positions": outcomes.total(), "silent": outcomes.silent, "decided": outcomes.decided,
            "bad_lines": inputs.bad_count(), "first_bad_lines": inputs.bad_objects(),
            "even": fit.even, "spread": fit.spread, "steps": fit.steps,
            "log_loss": log_loss(outcomes, &fit.model()), "engine_log_loss": log_loss(outcomes, &MODEL),
            "cells": cells.iter().map(cell).collect::<Vec<_>>(), "interrupted": interrupt::came(),
        })
    }
}

fn print(inputs: &Inputs, outcomes: &Outcomes, fit: &Fit, cells: &[Cell]) {
    if interrupt::came() {
        outln!("Interrupted; so far:");
    }
    outln!("{} positions of {}.", grouped(outcomes.total()), inputs.names());
    if outcomes.silent + outcomes.decided > 0 {
        outln!(
            "Left out: {} without a value or a result, {} beyond {MOST} centipawns.",
            grouped(outcomes.silent),
            grouped(outcomes.decided)
        );
    }
    inputs.print_bad();
    let terms = |terms: &[f64]| terms.iter().map(|term| format!("{term:.1}")).collect::<Vec<_>>().join(", ");
    outln!(
        "\npub const MODEL: Model = Model {{ even: &[{}], spread: &[{}] }};\n",
        terms(&fit.even),
        terms(&fit.spread)
    );
    let loss = log_loss(outcomes, &fit.model());
    outln!("Log loss {loss:.5} after {} steps; with the engine's curves {:.5}.", fit.steps, log_loss(outcomes, &MODEL));
    outln!("\n| Material | Value      | Positions     | Foretold: won drawn lost | Observed: won drawn lost |");
    outln!("|----------|------------|---------------|--------------------------|--------------------------|");
    for cell in cells {
        let shares = |shares: [f64; 3]| shares.map(|share| format!("{:>5.1}", 100.0 * share)).join("  ");
        outln!(
            "| {:<8} | {:<10} | {:>13} |    {:>19} % |    {:>19} % |",
            format!("{}-{}", cell.material.start(), cell.material.end()),
            format!("{}-{}", cell.value.start(), cell.value.end()),
            grouped(cell.positions),
            shares(cell.foretold),
            shares(cell.observed)
        );
    }
    outln!("In the view of the side that is ahead; material in pawns, both sides together.");
}
