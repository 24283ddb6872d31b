//! What a tuning said of its weights: in how many positions each was seen, and how well it is known.

use std::collections::HashMap;

use engine::{PARAM_COUNT, Score, TermInfo, Weights};
use serde::Deserialize;

use super::{Finding, Rule, finding, halves};

/// A weight is hardly known if its standard error is larger than this.
const VAGUE: f64 = 60.0;
/// So many weights are named in a sentence.
const NAMED: usize = 3;

/// What is known of each weight.
#[derive(Clone, Debug)]
pub struct Evidence(HashMap<String, Weight>);

#[derive(Deserialize)]
struct Report {
    parameters: Vec<Weight>,
}

#[derive(Clone, Debug, Deserialize)]
struct Weight {
    name: String,
    positions: u64,
    is_free: bool,
    error_mg: Option<f64>,
    error_eg: Option<f64>,
}

impl Evidence {
    /// Reads the report that a tuning writes beside its weights; none if the text is no such report.
    pub fn read(report: &str) -> Option<Evidence> {
        let report: Report = serde_json::from_str(report).ok()?;
        Some(Evidence(report.parameters.into_iter().map(|weight| (weight.name.clone(), weight)).collect()))
    }

    /// Weights that the data says too little of, by term or table.
    pub(super) fn findings(&self, weights: &Weights) -> Vec<Finding> {
        let mut findings = Vec::new();
        for &(half, of) in halves(weights) {
            let mut unseen: Vec<(String, String)> = Vec::new();
            let mut vague: Vec<(String, String, f64)> = Vec::new();
            for param in 0..PARAM_COUNT {
                let (label, value) = (TermInfo::label(param), weights.values()[param]);
                let Some(known) = self.0.get(&label).filter(|known| known.is_free) else { continue };
                let table = label.rsplit_once('.').map_or(label.as_str(), |(table, _)| table).to_owned();
                let error = if half == "mg" { known.error_mg } else { known.error_eg };
                if known.positions == 0 && value != Score::ZERO && of(value) != 0 {
                    unseen.push((table, format!("{label} ({})", of(value))));
                } else if let Some(error) = error.filter(|&error| known.positions > 0 && error > VAGUE) {
                    vague.push((table, format!("{label} ({} ± {error:.0})", of(value)), error));
                }
            }
            vague.sort_by(|a, b| b.2.total_cmp(&a.2));
            let vague = vague.into_iter().map(|(table, name, _)| (table, name)).collect();
            findings.extend(by_table(half, unseen, "never seen in the data, but not zero"));
            findings.extend(by_table(half, vague, "hardly known"));
        }
        findings
    }
}

/// One finding for each table, which names the first weights.
fn by_table(half: &str, weights: Vec<(String, String)>, what: &str) -> Vec<Finding> {
    let mut tables: Vec<(String, Vec<String>)> = Vec::new();
    for (table, name) in weights {
        match tables.iter_mut().find(|(known, _)| *known == table) {
            Some((_, names)) => names.push(name),
            None => tables.push((table, vec![name])),
        }
    }
    let sentence = |names: &[String]| {
        let more = names.len().saturating_sub(NAMED);
        let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("{what}: {}{rest}", names[..names.len() - more].join(", "))
    };
    let of =
        |(table, names): (String, Vec<String>)| finding(Rule::Evidence, format!("{table}.{half}"), sentence(&names));
    tables.into_iter().map(of).collect()
}
