//! `marquetry uci-check`: whether an engine does what graphical programs and bots rely on.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use lab::arena::Host;
use lab::conformance::{Candidate, Promise, Trial, Verdict, promises};
use serde_json::{Value, json};

use super::engines::{host, own_command};
use crate::interrupt;
use crate::output::{errln, outln};
use crate::progress::Progress;

/// Check any UCI engine against what graphical programs and bots rely on, promise by promise
#[derive(Args)]
#[command(after_help = "Examples:
  marquetry uci-check self
  marquetry uci-check /usr/games/stockfish
  marquetry uci-check ./my-engine --only infinite-holds,ponder-holds --exchange
  marquetry uci-check /usr/games/toga2 --option OwnBook=false --json

ENGINE is a program, with its arguments if it has any (in quotes), or `self`. Every promise is tried on a fresh process. For
one that is not kept it is said why, with what was sent (>) and received (<). The exit code is 1 if any is not kept.")]
pub(crate) struct UciCheck {
    /// The engine: a program with its arguments, or `self`
    #[arg(value_name = "ENGINE", required_unless_present = "list")]
    engine: Option<String>,

    /// List the promises, and try none
    #[arg(long)]
    list: bool,

    /// Only these promises
    #[arg(long, value_name = "ID,…", value_delimiter = ',')]
    only: Vec<String>,

    /// Set an option of the engine before each trial
    #[arg(long, value_name = "NAME=VALUE")]
    option: Vec<String>,

    /// Seconds to wait for an answer where nothing says how fast it must be
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = clap::value_parser!(u64).range(1..=600))]
    patience: u64,

    /// Milliseconds to forgive where a time is promised, since the machine may be busy
    #[arg(long, value_name = "MS", default_value = "500", value_parser = clap::value_parser!(u64).range(0..=60_000))]
    slack: u64,

    /// Show what was sent and received for every promise, not only for those that are not kept
    #[arg(long)]
    exchange: bool,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// So many lines of a conversation are shown: the first and the last.
const SHOWN: usize = 24;

impl UciCheck {
    /// Tries and prints.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let chosen = self.chosen()?;
        let Some(engine) = self.engine.as_deref().filter(|_| !self.list) else {
            self.print_list(&chosen);
            return Ok(ExitCode::SUCCESS);
        };
        let candidate = self.candidate(engine)?;
        interrupt::listen()?;
        let trials = self.trials(&chosen, &candidate)?;
        let count = |is_it: fn(&Verdict) -> bool| trials.iter().filter(|(_, trial)| is_it(&trial.verdict)).count();
        let passed = count(|verdict| *verdict == Verdict::Pass);
        let failed = count(|verdict| matches!(verdict, Verdict::Fail(_)));
        let skipped = count(|verdict| matches!(verdict, Verdict::Skip(_)));
        let is_interrupted = trials.len() < chosen.len();
        if self.json {
            let results: Vec<Value> = trials.iter().map(|(promise, trial)| report(promise, trial)).collect();
            outln!(
                "{}",
                json!({
                    "engine": engine, "passed": passed, "failed": failed, "skipped": skipped,
                    "interrupted": is_interrupted, "promises": results,
                })
            );
        } else {
            let which = format!("{engine} keeps {passed} of {} promises", passed + failed);
            let skipped = if skipped > 0 { format!("; {skipped} could not be tried") } else { String::new() };
            outln!("\n{which}{skipped}.");
        }
        if is_interrupted {
            errln!("Interrupted: {} of {} promises were tried.", trials.len(), chosen.len());
        }
        Ok(ExitCode::from(u8::from(failed > 0 || is_interrupted)))
    }

    fn chosen(&self) -> Result<Vec<&'static Promise>> {
        for id in &self.only {
            if !promises().any(|promise| promise.id == id) {
                bail!("--only: there is no promise {id:?}; marquetry uci-check --list names them");
            }
        }
        let is_chosen = |promise: &&Promise| self.only.is_empty() || self.only.iter().any(|id| id == promise.id);
        Ok(promises().filter(is_chosen).collect())
    }

    fn candidate(&self, engine: &str) -> Result<Candidate> {
        let command = match engine {
            "self" => own_command("uci")?,
            _ => shlex::split(engine).with_context(|| format!("ENGINE {engine:?} has a quote that does not end"))?,
        };
        if command.first().is_none_or(String::is_empty) {
            bail!("ENGINE {engine:?} names no program; give one, or `self`");
        }
        let read = |text: &String| match text.split_once('=') {
            Some((name, value)) => Ok((name.trim().to_owned(), value.trim().to_owned())),
            None => bail!("--option {text:?} is not NAME=VALUE"),
        };
        Ok(Candidate {
            command,
            options: self.option.iter().map(read).collect::<Result<_>>()?,
            patience: Duration::from_secs(self.patience),
            slack: Duration::from_millis(self.slack),
        })
    }

    /// Tries one promise after the other, so that none disturbs the times of another.
    fn trials(&self, chosen: &[&'static Promise], candidate: &Candidate) -> Result<Vec<(&'static Promise, Trial)>> {
        let (progress, host): (Progress, Host) = (Progress::new("uci-check"), host());
        let (mut trials, mut section) = (Vec::new(), "");
        for (place, promise) in chosen.iter().enumerate() {
            let trial = promise.try_on(candidate, &host);
            if interrupt::came() {
                break;
            }
            let trial = trial.with_context(|| format!("{} does not start", candidate.command.join(" ")))?;
            progress.update(place as u64 + 1, chosen.len() as u64);
            if !self.json {
                if section != promise.section {
                    outln!("{}{}", if section.is_empty() { "" } else { "\n" }, promise.section);
                    section = promise.section;
                }
                self.print(promise, &trial);
            }
            trials.push((*promise, trial));
        }
        Ok(trials)
    }

    fn print_list(&self, chosen: &[&Promise]) {
        if self.json {
            let listed = chosen
                .iter()
                .map(|promise| json!({ "id": promise.id, "section": promise.section, "promise": promise.text }));
            outln!("{}", json!({ "promises": listed.collect::<Value>() }));
        } else {
            chosen.iter().for_each(|promise| outln!("{:<24} {:<15} {}", promise.id, promise.section, promise.text));
        }
    }

    fn print(&self, promise: &Promise, trial: &Trial) {
        let (word, why) = in_words(&trial.verdict);
        outln!("  {word:<5} {:<24} {}", promise.id, promise.text);
        if !why.is_empty() {
            outln!("        {why}");
        }
        if self.exchange || word == "FAIL" {
            let lines = plain(promise, &trial.exchange);
            for (place, line) in lines.iter().enumerate() {
                if lines.len() > SHOWN && place == SHOWN / 2 {
                    outln!("          … {} lines", lines.len() - SHOWN);
                }
                if place < SHOWN / 2 || place + SHOWN / 2 >= lines.len() {
                    outln!("          {line}");
                }
            }
        }
    }
}

/// A conversation without the list of options, where that is not what it is about.
fn plain<'a>(promise: &Promise, exchange: &'a [String]) -> Vec<&'a String> {
    let is_about_options = promise.id.starts_with("option") || promise.id == "no-trailing-space";
    exchange.iter().filter(|line| is_about_options || !line.starts_with("< option name ")).collect()
}

fn in_words(verdict: &Verdict) -> (&'static str, &str) {
    match verdict {
        Verdict::Pass => ("pass", ""),
        Verdict::Fail(why) => ("FAIL", why),
        Verdict::Skip(why) => ("skip", why),
    }
}

fn report(promise: &Promise, trial: &Trial) -> Value {
    let (word, why) = in_words(&trial.verdict);
    json!({
        "id": promise.id,
        "section": promise.section,
        "promise": promise.text,
        "outcome": word.to_lowercase(),
        "reason": (!why.is_empty()).then_some(why),
        "exchange": trial.exchange,
    })
}
