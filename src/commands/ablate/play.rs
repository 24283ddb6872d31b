//! What parts are worth in games: the full weights against those without a part.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};
use engine::Weights;
use lab::ablation::{Part, Rebalance, SAMPLE_GAMES, SAMPLE_NODES, added_material};
use lab::arena::{EngineSpec, Format, PairingScore, Schedule, Standings, Thinking, read_engines};
use lab::stats::Estimate;
use lab::store::RunId;
use serde_json::{Value, json};

use super::{Ablate, SAMPLE_SEED, material_object, material_words, without};
use crate::commands::contest::{Plan, Played, Resumable, print_incidents};
use crate::commands::engines::own_command;
use crate::output::outln;

/// How a move is limited if nothing is said.
const NODES: u64 = 5000;
/// So many parts stand in the sentence about a run.
const TOLD: usize = 3;

/// A part, the file of the weights without it, and those weights.
struct Contender {
    part: Part,
    file: String,
    weights: Weights,
}

/// What the games without a part say.
struct Finding<'a> {
    contender: &'a Contender,
    score: &'a PairingScore,
    /// The full weights' lead.
    lead: Option<Estimate>,
}

impl Ablate {
    /// Plays and prints what is lost without each part.
    pub(super) fn play(&self) -> Result<ExitCode> {
        ensure!(self.games.is_multiple_of(2), "--games must be even: openings are played with both colours");
        let full = Weights::load(&self.weights)?;
        let contenders = self.contenders(&full)?;
        let engines = self.engines(&contenders)?;
        self.contest.check_files(&self.openings.files(), &engines, &[])?;
        let rounds = self.games as usize / 2;
        let openings = self.openings.read(rounds, self.contest.json)?;
        let conditions = format!(
            "{} at {}; {} games a part, {}, seed {}",
            self.weights,
            engines[0].thinking,
            self.games,
            self.openings.describe(),
            self.openings.seed
        );
        let plan = Plan {
            kind: Ablate::KIND,
            schedule: Schedule::new(Format::Gauntlet, engines.len(), rounds),
            engines,
            openings: &openings,
            seed: self.openings.seed,
            sprt: None,
            files: self.openings.files(),
            sentence: &|standings| sentence(&findings(standings, &contenders)),
            report: None,
            tuning: None,
        };
        let Played { standings, run, is_over, .. } = self.contest.play(plan)?;
        let found = findings(&standings, &contenders);
        if self.contest.json {
            let mut object = self.object(&full, &found, &standings, &conditions, run);
            object["is_finished"] = is_over.into();
            outln!("{object}");
            return Ok(ExitCode::from(u8::from(!is_over)));
        }
        outln!("\n{}", table(&found));
        outln!("\nElo lost without a part, +/- its 95 % error; LOS: how likely the part is worth anything.");
        if self.rebalance {
            for Finding { contender, .. } in &found {
                let added = added_material(&full, &contender.weights);
                outln!("Material without {}: {}.", contender.part.name, material_words(&added));
            }
        }
        outln!("Conditions: {conditions}.");
        print_incidents(&standings);
        Ok(ExitCode::from(u8::from(!is_over)))
    }

    /// The weights without each part: written for a new run, read again for one that is gone on with.
    fn contenders(&self, full: &Weights) -> Result<Vec<Contender>> {
        let parts = self.parts(full)?;
        let is_new = !self.contest.is_resumed();
        let balance = if is_new { self.balance(full)? } else { None };
        let mut contenders = Vec::new();
        for part in parts {
            let path = self.file(&part);
            let file = path.to_str().context("--directory must be text")?.to_owned();
            if is_new {
                write(&path, &self.describe(&part, full, balance.as_ref()).to_toml())?;
            }
            contenders.push(Contender { weights: Weights::load(&file)?, part, file });
        }
        Ok(contenders)
    }

    fn file(&self, part: &Part) -> PathBuf {
        let rebalanced = if self.rebalance { "-rebalanced" } else { "" };
        Path::new(&self.directory).join(format!("without-{}{rebalanced}.toml", part.name))
    }

    /// The weights without a part, with a name and how they were made.
    fn describe(&self, part: &Part, full: &Weights, balance: Option<&Rebalance>) -> Weights {
        let terms: Vec<&str> = part.terms.iter().map(|term| term.name).collect();
        let mut provenance = full.provenance().clone();
        let made = format!("marquetry ablate: {} without {} ({})", self.weights, part.name, terms.join(", "));
        provenance.insert("ablation".to_owned(), made);
        if let Some(balance) = balance {
            let material = format!(
                "What {} adds to each piece on average is in material: least squares over {} positions of {SAMPLE_GAMES} \
                 games at {SAMPLE_NODES} nodes a move, seed {SAMPLE_SEED}",
                part.name,
                balance.positions()
            );
            provenance.insert("material".to_owned(), material);
        }
        let name = format!("{} without {}", full.name(), part.name);
        let description = format!("For measuring alone: {} without {}.", full.name(), part.name);
        without(part, full, balance).renamed(&name, &description, provenance)
    }

    /// The full weights and the others.
    fn engines(&self, contenders: &[Contender]) -> Result<Vec<EngineSpec>> {
        let mut words = vec!["self".to_owned(), "name=full".to_owned(), format!("weights={}", self.weights)];
        for Contender { part, file, .. } in contenders {
            words.extend(["self".to_owned(), format!("name=without {}", part.name), format!("weights={file}")]);
        }
        let thinking = self.limits.thinking()?.unwrap_or(Thinking::Nodes(NODES));
        Ok(read_engines(&words, &[], &own_command("uci")?, Some(thinking))?)
    }

    fn object(
        &self,
        full: &Weights,
        found: &[Finding],
        standings: &Standings,
        conditions: &str,
        run: Option<RunId>,
    ) -> Value {
        let part = |Finding { contender, score, lead }: &Finding| {
            let terms: Vec<&str> = contender.part.terms.iter().map(|term| term.name).collect();
            let mut object = json!({
                "name": contender.part.name, "terms": terms, "file": contender.file,
                "elo_lost": lead.map(|lead| lead.elo), "elo_error": lead.map(|lead| lead.elo_error),
                "los": lead.map(|lead| lead.los), "games": score.games(), "wins": score.wins, "draws": score.draws,
                "losses": score.losses, "ptnml": score.pairs,
            });
            if self.rebalance {
                object["material"] = material_object(&added_material(full, &contender.weights));
            }
            object
        };
        json!({
            "weights": self.weights, "rebalance": self.rebalance, "parts": found.iter().map(part).collect::<Vec<_>>(),
            "conditions": conditions, "games": standings.games(), "incidents": standings.incidents(), "run": run,
        })
    }
}

/// Writes a file, unless there is another of that name: a run that was stopped may depend on it.
fn write(path: &Path, text: &str) -> Result<()> {
    if let Ok(there) = std::fs::read(path) {
        if there != text.as_bytes() {
            bail!(
                "{} is there already and says something else, perhaps for another run; name another --directory or remove it",
                path.display()
            );
        }
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    }
    std::fs::write(path, text).with_context(|| format!("{} cannot be written", path.display()))
}

/// What the games say of each part, the most valuable first; without games last.
fn findings<'a>(standings: &'a Standings, contenders: &'a [Contender]) -> Vec<Finding<'a>> {
    let finding = |(contender, score): (&'a Contender, &'a PairingScore)| Finding {
        contender,
        score,
        lead: Estimate::of(&score.tally()),
    };
    let mut found: Vec<Finding> = contenders.iter().zip(standings.scores()).map(finding).collect();
    let elo = |finding: &Finding| finding.lead.map_or(f64::NEG_INFINITY, |lead| lead.elo);
    found.sort_by(|a, b| elo(b).total_cmp(&elo(a)));
    found
}

fn sentence(found: &[Finding]) -> String {
    let told = found.iter().filter_map(|finding| {
        let lead = finding.lead?;
        Some(format!("{} {:+.0} +/- {:.0}", finding.contender.part.name, lead.elo, lead.elo_error))
    });
    let told: Vec<String> = told.take(TOLD).collect();
    if told.is_empty() { "no pair is over".to_owned() } else { format!("Elo lost without: {}", told.join(", ")) }
}

fn table(found: &[Finding]) -> String {
    let width = found.iter().map(|finding| finding.contender.part.name.len()).max().unwrap_or(0).max(7);
    let mut lines = vec![
        format!("| {:<width$} | Elo lost | +/-    | LOS     | Games | Won - drawn - lost |", "Without"),
        format!("|{}|----------|--------|---------|-------|--------------------|", "-".repeat(width + 2)),
    ];
    for Finding { contender, score, lead } in found {
        let (elo, error, los) = match lead {
            Some(lead) => {
                // Level games make a zero with a minus sign
                (
                    format!("{:+.1}", lead.elo + 0.0),
                    format!("{:.1}", lead.elo_error),
                    format!("{:.1} %", 100.0 * lead.los),
                )
            }
            None => ("-".to_owned(), "-".to_owned(), "-".to_owned()),
        };
        let results = format!("{} - {} - {}", score.wins, score.draws, score.losses);
        lines.push(format!(
            "| {:<width$} | {elo:>8} | {error:>6} | {los:>7} | {:>5} | {results:<18} |",
            contender.part.name,
            score.games()
        ));
    }
    lines.join("\n")
}
