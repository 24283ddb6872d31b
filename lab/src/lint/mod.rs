//! Whether weights look like chess: what a player would frown at, each in a sentence. A weights file may explain what is
//! found in it (`[explained]`); what it does not explain is a fault.

mod evidence;
mod rules;
mod tables;

use engine::Weights;

pub use evidence::Evidence;

/// What kind of thing was found.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Rule {
    /// A piece is cheaper than a lesser one.
    Order,
    /// What should be good is bad, or the other way round.
    Sign,
    /// Left and right of a table differ.
    Symmetry,
    /// What should rise falls.
    Rise,
    /// A square is unlike those around it.
    Outlier,
    /// The data says too little.
    Evidence,
}

impl Rule {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Order => "order",
            Rule::Sign => "sign",
            Rule::Symmetry => "symmetry",
            Rule::Rise => "rise",
            Rule::Outlier => "outlier",
            Rule::Evidence => "evidence",
        }
    }
}

/// Something that a player would frown at.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Finding {
    /// What kind.
    pub rule: Rule,
    /// Where: the name of a weight, a table or a curve, with its half.
    pub key: String,
    /// What, in a sentence.
    pub sentence: String,
    /// Why it is right after all, if the file says so.
    pub explanation: Option<String>,
}

/// Looks through weights, and through what is known of how they were tuned.
pub fn lint(weights: &Weights, evidence: Option<&Evidence>) -> Vec<Finding> {
    let mut findings =
        [rules::order(weights), rules::signs(weights), rules::rises(weights), tables::tables(weights)].concat();
    findings.extend(evidence.into_iter().flat_map(|evidence| evidence.findings(weights)));
    for finding in &mut findings {
        finding.explanation = explanation(weights, &finding.key).cloned();
    }
    findings
}

/// What a file says of a key, or of the term or table that it belongs to.
fn explanation<'w>(weights: &'w Weights, key: &str) -> Option<&'w String> {
    let explained = weights.explained();
    let parts = key.match_indices('.').map(|(at, _)| &key[..at]);
    explained.get(key).or_else(|| parts.rev().find_map(|part| explained.get(part)))
}

/// A half's name, and how values have it.
type Half = (&'static str, fn(engine::Score) -> i32);

/// Middlegame and endgame. Where weights are not blended there is only the first.
fn halves(weights: &Weights) -> &'static [Half] {
    const BOTH: [Half; 2] = [("mg", engine::Score::mg), ("eg", engine::Score::eg)];
    if weights.interpolates() { &BOTH } else { &BOTH[..1] }
}

fn finding(rule: Rule, key: String, sentence: String) -> Finding {
    Finding { rule, key, sentence, explanation: None }
}
