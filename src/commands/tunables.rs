//! `marquetry tunables`: the search's numbers.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use engine::{TUNABLES, Tunable};
use serde_json::json;

use crate::output::outln;

/// List the search's numbers: value, range and meaning
#[derive(Args)]
#[command(after_help = "Examples:
  marquetry tunables
  marquetry tunables --openbench
  printf 'setoption name rfp_margin value 90\\nposition startpos\\ngo depth 12\\n' | marquetry uci
  marquetry match --engine self tunable.rfp_margin=90 --engine self --nodes 20000")]
pub(crate) struct Tunables {
    /// Print the lines that an SPSA run of OpenBench wants
    #[arg(long, conflicts_with = "json")]
    openbench: bool,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// How far a value moves at the end of an SPSA run, as a share of its range.
const FINAL_STEPS: f64 = 20.0;
/// How fast a value learns at the end of an SPSA run.
const FINAL_RATE: f64 = 0.002;

impl Tunables {
    /// Prints the list.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        if self.json {
            let rows = TUNABLES.iter().map(|Tunable { name, doc, default, min, max }| {
                json!({ "name": name, "value": default, "min": min, "max": max, "doc": doc })
            });
            outln!("{}", json!({ "tunables": rows.collect::<Vec<_>>() }));
            return Ok(ExitCode::SUCCESS);
        }
        let widest = TUNABLES.iter().map(|tunable| tunable.name.len()).max().unwrap_or(0);
        for Tunable { name, doc, default, min, max } in TUNABLES {
            if self.openbench {
                let step = f64::from(max - min) / FINAL_STEPS;
                outln!("{name}, int, {default}, {min}, {max}, {step}, {FINAL_RATE}");
            } else {
                let range = format!("{min} to {max}");
                outln!("{name:<widest$}  {default:>6}  {range:<14}  {doc}");
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}
