//! `marquetry tunables`: the search's numbers.

use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use engine::{TUNABLES, Tunable};
use lab::spsa::{Parameter, read_values};
use serde_json::json;

use crate::output::outln;

/// List the search's numbers: value, range and meaning
#[derive(Args)]
#[command(after_help = "Examples:
  marquetry tunables
  marquetry tunables --openbench
  marquetry tunables --values tuned.txt --declare
  marquetry \"setoption name rfp_margin value 90\" \"position startpos\" \"go depth 12\"
  marquetry match --engine self tunable.rfp_margin=90 --engine self --nodes 20000")]
pub(crate) struct Tunables {
    /// Print the lines that an SPSA run of OpenBench wants
    #[arg(long, conflicts_with_all = ["json", "declare"])]
    openbench: bool,

    /// Print the lines that declare them in the search's source
    #[arg(long, conflicts_with = "json")]
    declare: bool,

    /// Put in the values of this file: OpenBench's lines, in or out, such as `marquetry spsa --openbench FILE` writes
    #[arg(long, value_name = "FILE")]
    values: Option<String>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Tunables {
    /// Prints the list.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let tunables = self.tunables()?;
        if self.json {
            let rows = tunables.iter().map(|Tunable { name, doc, default, min, max }| {
                json!({ "name": name, "value": default, "min": min, "max": max, "doc": doc })
            });
            outln!("{}", json!({ "tunables": rows.collect::<Vec<_>>() }));
            return Ok(ExitCode::SUCCESS);
        }
        let widest = tunables.iter().map(|tunable| tunable.name.len()).max().unwrap_or(0);
        for Tunable { name, doc, default, min, max } in tunables {
            if self.openbench {
                outln!("{}", Parameter::int(name, default, min, max).line(default.into()));
            } else if self.declare {
                outln!("    /// {doc}\n    {name}: {default} in {min}..={max};");
            } else {
                let range = format!("{min} to {max}");
                outln!("{name:<widest$}  {default:>6}  {range:<14}  {doc}");
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    /// The numbers, with the values of the file if there is one.
    fn tunables(&self) -> Result<Vec<Tunable>> {
        let mut tunables = TUNABLES.to_vec();
        let Some(path) = &self.values else { return Ok(tunables) };
        let text = std::fs::read_to_string(path).with_context(|| format!("{path} cannot be read"))?;
        for (name, value) in read_values(&text).with_context(|| path.clone())? {
            let Some(tunable) = tunables.iter_mut().find(|tunable| tunable.name == name) else {
                bail!("{path}: the search has no number {name:?}; `marquetry tunables` lists them");
            };
            let (min, max) = (tunable.min, tunable.max);
            let is_within = (f64::from(min)..=f64::from(max)).contains(&value.round());
            ensure!(is_within, "{path}: {name} may be {min} to {max}, not {value}");
            tunable.default = value.round() as i32;
        }
        Ok(tunables)
    }
}
