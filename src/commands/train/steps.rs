//! The four steps of a generation as the commands that do them. Files are named as seen from the directory of the training.

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, CommandFactory};
use engine::Weights;

use super::options::Settings;
use crate::arguments::with_negative_numbers;
use crate::commands::contest::Again;
use crate::commands::data::Filter;
use crate::commands::datagen::Datagen;
use crate::commands::matches::Match;
use crate::commands::tune::Tune;

/// A step of a generation.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) enum Step {
    Datagen,
    Filter,
    Tune,
    Match,
}

impl Step {
    /// In the order in which they are done.
    pub(super) const ALL: [Step; 4] = [Step::Datagen, Step::Filter, Step::Tune, Step::Match];

    pub(super) fn name(self) -> &'static str {
        match self {
            Step::Datagen => "datagen",
            Step::Filter => "filter",
            Step::Tune => "tune",
            Step::Match => "match",
        }
    }
}

/// Options that make a command do something else than its step, or say that it failed when it is done.
const FOREIGN: [&str; 8] = ["--resume", "--bench", "--engine", "--expect-gain", "--help", "-h", "--version", "-V"];

/// What the one who runs commands adds to them: how many threads, and the store if it is not the usual one.
pub(super) struct Means {
    pub(super) threads: usize,
    pub(super) store: Option<String>,
}

impl Means {
    /// A step's command with what is added to it.
    pub(super) fn added_to(&self, mut words: Vec<String>, step: Step) -> Vec<String> {
        let threads = if step == Step::Match { "--concurrency" } else { "--threads" };
        words.extend([threads.to_owned(), self.threads.to_string()]);
        self.with_store(words, step)
    }

    /// The same without threads, for commands that know how many.
    pub(super) fn with_store(&self, mut words: Vec<String>, step: Step) -> Vec<String> {
        if let Some(store) = self.store.as_ref().filter(|_| matches!(step, Step::Tune | Step::Match)) {
            words.extend(["--store".to_owned(), store.clone()]);
        }
        words.push("--json".to_owned());
        words
    }
}

/// A generation: its number, how it is made, and the best weights before it.
pub(super) struct Generation<'a> {
    pub(super) settings: &'a Settings,
    pub(super) number: u32,
    /// The weights that play, that tuning starts from, and that have to be beaten.
    pub(super) champion: &'a str,
}

/// The folder of a generation.
pub(super) fn folder(number: u32) -> String {
    format!("gen-{number:02}")
}

/// The weights that a generation makes.
pub(super) fn weights_of(number: u32) -> String {
    format!("{}/weights.toml", folder(number))
}

impl Generation<'_> {
    fn file(&self, name: &str) -> String {
        format!("{}/{name}", folder(self.number))
    }

    /// The games.
    pub(super) fn games(&self) -> String {
        self.file("games.mqg")
    }

    /// The files that a step reads.
    pub(super) fn inputs(&self, step: Step) -> Vec<String> {
        let champion = self.champion.to_owned();
        match step {
            Step::Datagen => vec![champion],
            Step::Filter => vec![self.games(), champion],
            Step::Tune => [self.training(), vec![self.file("positions-validation.mqp"), champion]].concat(),
            Step::Match => vec![weights_of(self.number), champion],
        }
    }

    /// The files that a step makes.
    pub(super) fn outputs(&self, step: Step) -> Vec<String> {
        match step {
            Step::Datagen => vec![self.games()],
            Step::Filter => vec![self.file("positions-train.mqp"), self.file("positions-validation.mqp")],
            Step::Tune => vec![weights_of(self.number)],
            Step::Match => Vec::new(),
        }
    }

    /// The positions of this generation and some before it.
    fn training(&self) -> Vec<String> {
        let window = self.settings.window_of(self.number);
        window.map(|number| format!("{}/positions-train.mqp", folder(number))).collect()
    }

    /// The command that does a step; threads and what is printed are left to the one who runs it.
    pub(super) fn words(&self, step: Step) -> Result<Vec<String>> {
        let Generation { settings, number, champion } = self;
        let seed = settings.seed_of(*number).to_string();
        let mut words = Vec::new();
        let mut add = |text: &[&str]| words.extend(text.iter().map(|&word| word.to_owned()));
        match step {
            Step::Datagen => {
                add(&["datagen", "--output", &self.games(), "--weights", champion]);
                add(&["--positions", &settings.positions.to_string()]);
                add(&["--nodes", &settings.nodes_of(*number).to_string(), "--seed", &seed]);
            }
            Step::Filter => {
                add(&["data", "filter", &self.games(), "--output", &self.file("positions.mqp"), "--weights", champion]);
                add(&["--quiet", "--plies", "16..", "--max-value", "1500", "--distinct"]);
                add(&["--per-game", &settings.per_game.to_string()]);
                add(&["--split", &settings.validation.to_string(), "--seed", &seed]);
            }
            Step::Tune => {
                add(&["tune", "--data"]);
                add(&self.training().iter().map(String::as_str).collect::<Vec<_>>());
                add(&["--validation", &self.file("positions-validation.mqp"), "--weights", champion]);
                add(&["--output", &weights_of(*number), "--name", &folder(*number), "--seed", &seed]);
                for (name, number) in
                    [("--lambda", settings.lambda), ("--l2", settings.l2), ("--smooth", settings.smooth)]
                {
                    if number != 0.0 {
                        add(&[name, &number.to_string()]);
                    }
                }
                for (name, list) in [("--freeze", &settings.freeze), ("--tie", &settings.tie)] {
                    if !list.is_empty() {
                        add(&[name, &list.join(",")]);
                    }
                }
            }
            Step::Match => {
                let (new, old) = (weights_of(*number), champion.trim_end_matches("/weights.toml"));
                let old = old.trim_end_matches(".toml");
                add(&["match", "--engine", "self", &format!("name={}", folder(*number)), &format!("weights={new}")]);
                add(&["--engine", "self", &format!("name={old}"), &format!("weights={champion}")]);
                add(&["--nodes", &settings.match_nodes.to_string(), "--sprt", &settings.sprt]);
                add(&["--rounds", &(settings.max_games / 2).to_string(), "--seed", &seed]);
            }
        }
        let more = self.added(step);
        words.extend(shlex::split(more).with_context(|| format!("{more:?} has a quote that does not end"))?);
        Ok(words)
    }

    /// Whether the commands would take all these options as they will be run, beginning with these weights.
    pub(super) fn check(&self, start: &Weights, means: &Means) -> Result<()> {
        self.check_words()?;
        let words = |step: Step, skipped: usize| {
            Ok::<_, anyhow::Error>(means.added_to(self.words(step)?, step).split_off(skipped))
        };
        read::<Datagen>(&words(Step::Datagen, 1)?).context("marquetry datagen cannot be run")?;
        read::<Filter>(&words(Step::Filter, 2)?).context("marquetry data filter cannot be run")?;
        read::<Tune>(&words(Step::Tune, 1)?).context("marquetry tune cannot be run")?.space_of(start)?;
        read::<Match>(&words(Step::Match, 1)?).context("marquetry match cannot be run")?;
        ensure!(!self.settings.nodes.is_empty(), "--nodes needs a number");
        Ok(())
    }

    /// Whether the words that a user adds to commands leave these what they are.
    fn check_words(&self) -> Result<()> {
        for step in Step::ALL {
            let added = self.added(step);
            let words = shlex::split(added).unwrap_or_default();
            if let Some(name) =
                FOREIGN.iter().find(|name| words.iter().any(|word| word.split('=').next() == Some(name)))
            {
                bail!("--{} {added:?}: {name} is not for a step of a training; leave it away", step.name());
            }
        }
        Ok(())
    }

    /// What a user adds to the command of a step.
    fn added(&self, step: Step) -> &str {
        match step {
            Step::Datagen => &self.settings.datagen,
            Step::Filter => &self.settings.filter,
            Step::Tune => &self.settings.tune,
            Step::Match => &self.settings.match_words,
        }
    }
}

/// Reads a command's options as it would itself; what is wrong with them is said in its first line.
fn read<A: Args>(words: &[String]) -> Result<A> {
    let matches = with_negative_numbers(Again::<A>::command()).try_get_matches_from(words);
    let read = matches.and_then(|matches| A::from_arg_matches(&matches));
    read.map_err(|error| {
        let text = error.to_string();
        anyhow::anyhow!("{}", text.lines().next().unwrap_or_default().trim_start_matches("error: "))
    })
}
