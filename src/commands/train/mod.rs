//! `marquetry train`: generations of games, tuning and matches, each with the best weights of those before.
//!
//! Each step is one of this program's own commands, started as a process of its own: `datagen`, `data filter`, `tune`, `match`.
//! These can be stopped, killed and gone on with, they give their memory back, and what a manifest says about how a file was
//! made is the very command that made it. A step counts as done when its manifest has it, with the hashes of all files that it
//! read and wrote; everything before that is the command's own to save. Two processes hold the directory's lock, this one and the
//! command that runs, so that nothing that a kill left behind is ever beside its successor.

mod manifest;
mod options;
mod report;
mod runner;
mod steps;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;
use engine::Weights;

use super::store::StoreOption;
use crate::interrupt;
use crate::output::{errln, outln};
use manifest::{Manifest, PLAN, Plan, hash_of, write_whole};
use options::Settings;
use runner::Runner;
use steps::{Generation, Means, Step, folder, weights_of};

/// The weights that the first generation plays with.
const START: &str = "start.toml";
/// The best weights so far.
const BEST: &str = "best.toml";

/// Make weights better by generations: play, filter, tune, prove by a match, and again
#[derive(Args)]
#[command(after_help = "Examples:
  marquetry train --directory runs/a --generations 3 --weights material --tune \"--k 1 --tie mirror\"
  marquetry train --directory quick --generations 2 --positions 20000 --nodes 300 --match-nodes 1000 --max-games 40
  marquetry train --resume runs/a
  marquetry train --resume runs/a --generations 6

Each generation plays games with the best weights so far, keeps quiet positions of them, tunes these weights on what the last
generations kept (the newest one's validation games judge), and lets the result play against them. It is promoted if the test
accepts it, or is undecided when all games are played and the new weights are better with 95 % likelihood. If not, the next
generation plays with the same weights as this one, and this one's games still count.
DIR/gen-NN has games.mqg, positions-train.mqp, positions-validation.mqp, weights.toml and manifest.json: commands, hashes, seed,
losses and the match. DIR/best.toml has the best weights. Ctrl-C and `kill -9` lose little: --resume does not repeat what is done.
Options of the four commands that are not listed here are given with --datagen, --filter, --tune and --match; files that they
name are seen from DIR, so that whole paths are best.")]
pub(crate) struct Train {
    /// A new directory for all files
    #[arg(long, value_name = "DIR", required_unless_present = "resume", conflicts_with = "resume")]
    directory: Option<PathBuf>,

    /// Go on with a training, as it was begun
    #[arg(long, value_name = "DIR", conflicts_with = "Settings")]
    resume: Option<PathBuf>,

    /// How many generations there shall be [default: 3, or as many as were asked for before]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=999))]
    generations: Option<u32>,

    #[command(flatten)]
    settings: Settings,

    /// How many threads [default: as many as there are processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=512))]
    threads: Option<u32>,

    #[command(flatten)]
    store: StoreOption,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Train {
    /// Makes generations, or those that are left, and says what they are like.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        interrupt::listen()?;
        let (root, plan, runner) = match (&self.directory, &self.resume) {
            (_, Some(directory)) => self.resumed(directory)?,
            (Some(directory), None) => self.begun(directory)?,
            (None, None) => bail!("name a directory with --directory"),
        };
        let (mut champion, mut manifests) = (START.to_owned(), Vec::new());
        if hash_of(&root, START)? != plan.start {
            bail!("{} has changed since the training began; put it back", root.join(START).display());
        }
        while (manifests.len() as u32) < plan.generations && !interrupt::came() {
            let number = manifests.len() as u32 + 1;
            let generation = Generation { settings: &plan.settings, number, champion: &champion };
            let manifest = self.generation(&root, &generation, &runner, plan.generations)?;
            if manifest.promoted == Some(true) {
                champion = weights_of(number);
                let best = std::fs::read_to_string(root.join(&champion));
                let best = best.with_context(|| format!("{champion} cannot be read"))?;
                write_whole(&root.join(BEST), &best)?;
            }
            manifests.push(manifest);
        }
        let is_finished =
            manifests.last().is_some_and(|last| last.promoted.is_some()) && manifests.len() as u32 == plan.generations;
        if self.json {
            outln!("{}", report::object(&root.to_string_lossy(), &manifests, &champion, is_finished));
        } else {
            report::print(&manifests, &champion);
            if !is_finished {
                outln!("Stopped. Go on with: marquetry train --resume {}", root.display());
            }
        }
        Ok(ExitCode::from(u8::from(!is_finished)))
    }

    /// A new training, whose settings are right for all commands.
    fn begun(&self, directory: &Path) -> Result<(PathBuf, Plan, Runner)> {
        let start = Weights::load(&self.settings.weights)?;
        let means = Means { threads: self.threads(), store: self.store.words().get(1).cloned() };
        Generation { settings: &self.settings, number: 1, champion: START }.check(&start, &means)?;
        let weights = start.to_toml();
        if directory.join(PLAN).exists() {
            let shown = directory.display();
            bail!("{shown} holds a training already; name another directory, or go on with --resume {shown}");
        }
        std::fs::create_dir_all(directory).with_context(|| format!("{} cannot be made", directory.display()))?;
        let root = real(directory)?;
        let store = means.store.clone();
        let runner = Runner::new(&root, means)?;
        write_whole(&root.join(START), &weights)?;
        write_whole(&root.join(BEST), &weights)?;
        let plan = Plan::new(self.generations.unwrap_or(3), self.settings.clone(), store, hash_of(&root, START)?);
        plan.write(&root)?;
        Ok((root, plan, runner))
    }

    /// A training that is gone on with, perhaps for more generations.
    fn resumed(&self, directory: &Path) -> Result<(PathBuf, Plan, Runner)> {
        let root = real(directory)?;
        let mut plan = Plan::read(&root)?;
        if let Some(store) = self.store.words().get(1) {
            plan.store = Some(store.clone());
        }
        let runner = Runner::new(&root, Means { threads: self.threads(), store: plan.store.clone() })?;
        plan.generations = self.generations.unwrap_or(plan.generations);
        plan.write(&root)?;
        Ok((root, plan, runner))
    }

    /// Does what is left of a generation, until Ctrl-C comes.
    fn generation(&self, root: &Path, generation: &Generation, runner: &Runner, all: u32) -> Result<Manifest> {
        let name = folder(generation.number);
        let path = root.join(&name);
        std::fs::create_dir_all(&path).with_context(|| format!("{} cannot be made", path.display()))?;
        let mut manifest = Manifest::open(root, generation, &runner.program_hash)?;
        if manifest.promoted.is_some() {
            let weights = weights_of(generation.number);
            if manifest.made(&weights) != Some(&hash_of(root, &weights)?) {
                bail!("{weights} has changed since it was tuned; put it back, or remove {name} to make it again");
            }
            return Ok(manifest);
        }
        for step in Step::ALL {
            if manifest.is_whole(root, step)? {
                continue;
            }
            errln!("Generation {} of {all}: {}", generation.number, step.name());
            let Some(mut report) = runner.run(generation, step)? else { return Ok(manifest) };
            if let Some(report) = report.as_object_mut() {
                // The file beside the weights has them
                report.remove("parameters");
            }
            let sentence = report::sentence(step, &report);
            manifest.add(root, generation, step, report)?;
            errln!("  {sentence}");
        }
        let played = manifest.done(Step::Match).map(|done| &done.report);
        let is_promoted = played.is_some_and(|played| report::is_gain(played, &generation.settings.sprt));
        manifest.promoted = Some(is_promoted);
        manifest.write(root)?;
        errln!("  {name} is {}promoted", if is_promoted { "" } else { "not " });
        Ok(manifest)
    }

    fn threads(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(all, |threads| threads as usize)
    }
}

/// A directory by the path that its processes see.
fn real(directory: &Path) -> Result<PathBuf> {
    std::fs::canonicalize(directory).with_context(|| format!("{} cannot be entered", directory.display()))
}
