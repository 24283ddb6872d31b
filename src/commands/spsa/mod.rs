//! `marquetry spsa`: numbers of the search and weights of the evaluation, tuned by games.

mod report;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use clap::Args;
use engine::Weights;
use lab::arena::{EngineSpec, Format, Schedule, Thinking, read_engines};
use lab::spsa::{Course, Dials, Parameter, Session, Tuner, matters, read_lines, tunables, weights};

use super::contest::{ContestOptions, Plan, Played, Resumable, clock_object, print_clocks, print_incidents};
use super::engines::{MoveLimits, own_command};
use super::openings::OpeningOptions;
use crate::output::outln;

/// Tune numbers by games: two versions play that differ in all of them, and all move towards the one that wins
#[derive(Args)]
#[command(after_help = "Examples:
  marquetry spsa --tune 'rfp_*,razor_*' --iterations 5000 --nodes 5000 --concurrency 2 --plot rfp.svg
  marquetry tunables --openbench > numbers.txt
  marquetry spsa --params numbers.txt --iterations 20000 --tc 8+0.08 --concurrency 8 --openbench tuned.txt
  marquetry spsa --terms passer,bishop_pair --iterations 3000 --nodes 5000 --write-weights tuned.toml
  marquetry spsa --terms factor.threats,factor.posts --tune 'lmr_*' --screen --iterations 1000 --tc 2+0.02
  marquetry spsa --engine cmd=./other --params its-options.txt --iterations 5000 --tc 4+0.04
  marquetry spsa --resume 12 --plot so-far.svg

A file of numbers has OpenBench's lines: name, int, value, min, max, c_end, r_end. Without the last two, the last step c_end
is a 20th of the range and the rate r_end is 0.002. `marquetry tunables --values tuned.txt` puts the outcome into the list.
At fixed nodes or plies the same numbers come out every time, whatever --concurrency is and however often it is resumed.
With --resume, --openbench, --write-weights and --plot may be given anew.")]
pub(crate) struct Spsa {
    /// What is tuned, as OpenBench's lines: numbers of the search, weights such as passed_pawn.rank6.eg, factors such as
    /// factor.threats.mg, options of cmd=
    #[arg(long, value_name = "FILE", conflicts_with_all = ["tune", "terms"])]
    params: Option<String>,

    /// Numbers of the search to be tuned; one that ends with * stands for all that begin so
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    tune: Vec<String>,

    /// Terms of the evaluation whose weights are tuned; phase stands for what pieces add to the phase, factor.NAME for a
    /// factor of each half, in per cent, of all weights of a group, a term or a part of one
    #[arg(long, value_name = "TERM,…", value_delimiter = ',')]
    terms: Vec<String>,

    /// Who plays against itself: `self` or cmd=PROGRAM, then settings as in `match`
    #[arg(long = "engine", value_name = "SPEC", num_args = 1.., default_values = ["self"])]
    engine: Vec<String>,

    /// How often two new versions are made, and the numbers moved
    #[arg(long, value_name = "N", required_unless_present = "resume", value_parser = clap::value_parser!(u32).range(1..))]
    iterations: Option<u32>,

    /// Pairs of games for each
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pairs: u32,

    /// Iterations that may be played at once: each begins without the results of so many before it
    #[arg(long, value_name = "N", default_value = "16", value_parser = clap::value_parser!(u32).range(0..=10_000))]
    lag: u32,

    /// How fast numbers learn in the last iteration, if no file says so [default: 0.002]; short runs want more
    #[arg(long, value_name = "RATE", value_parser = read_rate, conflicts_with = "params")]
    r_end: Option<f64>,

    /// How fast learning slows down
    #[arg(long, value_name = "ALPHA", default_value = "0.602", value_parser = read_share)]
    alpha: f64,

    /// How fast steps become smaller
    #[arg(long, value_name = "GAMMA", default_value = "0.101", value_parser = read_share)]
    gamma: f64,

    /// Iterations that learning is held back by at the start, as a share of all
    #[arg(long, value_name = "SHARE", default_value = "0.1", value_parser = read_share)]
    a_ratio: f64,

    /// Move nothing: play steps of c_end about the numbers as they are, and tell what each is worth
    #[arg(long, conflicts_with_all = ["r_end", "alpha", "gamma", "a_ratio", "openbench", "write_weights", "plot"])]
    screen: bool,

    /// Clock: moves/seconds+increment, such as 8+0.08 or 40/60
    #[arg(long, value_name = "[MOVES/]TIME[+INC]", group = "thinking")]
    tc: Option<String>,

    #[command(flatten)]
    limits: MoveLimits,

    #[command(flatten)]
    openings: OpeningOptions,

    /// Write the tuned numbers to this file, as OpenBench's lines for the next run
    #[arg(long, value_name = "FILE")]
    openbench: Option<PathBuf>,

    /// Write the weights with the tuned values to this file
    #[arg(long, value_name = "FILE")]
    write_weights: Option<PathBuf>,

    /// Draw the numbers over the iterations, as SVG
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,

    #[command(flatten)]
    contest: ContestOptions,
}

impl Resumable for Spsa {
    const KIND: &'static str = "spsa";

    fn contest(&mut self) -> &mut ContestOptions {
        &mut self.contest
    }
}

impl Spsa {
    /// Tunes and prints.
    pub(crate) fn run(mut self) -> Result<ExitCode> {
        // A run that is gone on with, or is over, can be written elsewhere
        let files = self.files_mut().map(|file| file.take().map(|path| std::path::absolute(&path).unwrap_or(path)));
        let mut command = self.resumed()?;
        for (file, given) in command.files_mut().into_iter().zip(files) {
            if given.is_some() {
                *file = given;
            }
        }
        command.play()
    }

    fn play(&self) -> Result<ExitCode> {
        let engine = self.engine()?;
        let base = base_weights(&engine)?;
        let parameters = self.parameters(&engine, &base)?;
        let dials = if engine.is_own {
            Dials::own(&parameters, base, self.screen)?
        } else {
            Dials::options_only(&parameters, base)
        };
        ensure!(
            self.write_weights.is_none() || dials.has_weights(),
            "--write-weights: no weights are tuned; name some with --terms TERM,… or in --params FILE"
        );
        ensure!(
            !self.screen || self.files().iter().all(Option::is_none),
            "a screen moves nothing, so that there is nothing to write; its table and --json say what was found"
        );
        self.check_files(&engine)?;
        let course = self.course()?;
        let engines = versions(&engine, &dials, &parameters);
        let tuner = Tuner::new(parameters, course);
        let session = Session::new(tuner, dials).context("no folder can be made for the weights that play")?;
        let pairs = course.iterations * course.pairs;
        let openings = self.openings.read(pairs, self.contest.json)?;
        let conditions = self.conditions(&engine, &course);
        let plan = Plan {
            kind: Self::KIND,
            schedule: Schedule::new(Format::RoundRobin, engines.len(), pairs),
            engines,
            openings: &openings,
            seed: self.openings.seed,
            sprt: None,
            files: self.openings.files(),
            sentence: &|_| session.sentence(),
            report: None,
            tuning: Some(&session),
        };
        let Played { standings, run, is_over, clock_differences } = self.contest.play(plan)?;
        if self.contest.json {
            let mut object = report::object(&session, &standings, &conditions);
            (object["run"], object["is_finished"]) = (serde_json::json!(run), is_over.into());
            object["clock_difference_ms"] = clock_object(&clock_differences);
            outln!("{object}");
        } else {
            outln!("\n{}", report::table(&session));
            outln!("Conditions: {conditions}.");
            if let Some(words) = report::settings(&session, engine.is_own) {
                outln!("\nTo play them: {words}");
            }
            print_clocks(&clock_differences);
            print_incidents(&standings);
        }
        self.write_files(&session, &conditions)?;
        Ok(ExitCode::from(u8::from(!is_over)))
    }

    /// The engine that plays against itself.
    fn engine(&self) -> Result<EngineSpec> {
        let thinking = match &self.tc {
            Some(clock) => Some(Thinking::read("tc", clock)?),
            None => self.limits.thinking()?,
        };
        let specs = read_engines(&self.engine, &[], &own_command("uci")?, thinking)?;
        let [engine] = <[EngineSpec; 1]>::try_from(specs)
            .map_err(|specs| anyhow::anyhow!("--engine must be given for one engine, not {}", specs.len()))?;
        Ok(engine)
    }

    /// What is tuned: as the run began, if one is gone on with.
    fn parameters(&self, engine: &EngineSpec, base: &Weights) -> Result<Vec<Parameter>> {
        if let Some(settings) = self.contest.settings()? {
            let lines: Vec<String> = serde_json::from_value(settings["parameters"].clone())
                .context("the store does not say what the run tunes; begin a new one")?;
            return read_lines(&lines.join("\n")).context("the store is wrong about what the run tunes");
        }
        let mut parameters = match &self.params {
            Some(path) => {
                let text = std::fs::read_to_string(path).with_context(|| format!("{path} cannot be read"))?;
                read_lines(&text).with_context(|| path.clone())?
            }
            None => {
                ensure!(engine.is_own, "what is tuned of another engine is named by --params FILE");
                let named = [tunables(&self.tune)?, weights(&self.terms, base)?].concat();
                let rated = |named: Parameter| Parameter { r_end: self.r_end.unwrap_or(named.r_end), ..named };
                named.into_iter().map(rated).collect()
            }
        };
        ensure!(
            !parameters.is_empty(),
            "nothing is named to be tuned: give --params FILE, --tune NAME,… or --terms TERM,…"
        );
        if engine.is_own {
            let (kept, idle): (Vec<_>, Vec<_>) =
                parameters.into_iter().partition(|parameter| matters(&parameter.name, engine.thinking));
            let names: Vec<&str> = idle.iter().map(|parameter| parameter.name.as_str()).collect();
            ensure!(!kept.is_empty(), "{} cannot be tuned without a clock: give --tc", names.join(", "));
            if !names.is_empty() && !self.contest.json {
                outln!("Without a clock these say nothing and are left out: {}.", names.join(", "));
            }
            parameters = kept;
        }
        Ok(parameters)
    }

    fn course(&self) -> Result<Course> {
        let course = Course {
            iterations: self.iterations.context("--iterations is missing")? as usize,
            pairs: self.pairs as usize,
            lag: self.lag as usize,
            alpha: self.alpha,
            gamma: self.gamma,
            a_ratio: self.a_ratio,
            seed: self.openings.seed,
            is_screen: self.screen,
        };
        let most = 2 * course.pairs * (course.lag + 1);
        let concurrency = self.contest.concurrency();
        ensure!(
            concurrency <= most,
            "--concurrency {concurrency}: only {most} games can be played at once; give a larger --lag or more --pairs"
        );
        Ok(course)
    }

    fn conditions(&self, engine: &EngineSpec, course: &Course) -> String {
        let Course { iterations, pairs, lag, alpha, gamma, a_ratio, seed, is_screen } = course;
        let pairs = if *pairs == 1 { "a pair".to_owned() } else { format!("{pairs} pairs") };
        let rates = match is_screen {
            true => "nothing moved".to_owned(),
            false => format!("lag {lag}, alpha {alpha}, gamma {gamma}, A {a_ratio} of all"),
        };
        format!(
            "{} at {}; {iterations} iterations of {pairs}, {rates}, {}, seed {seed}",
            engine.name,
            engine.thinking,
            self.openings.describe()
        )
    }

    fn files(&self) -> [Option<&Path>; 3] {
        [self.openbench.as_deref(), self.write_weights.as_deref(), self.plot.as_deref()]
    }

    fn files_mut(&mut self) -> [&mut Option<PathBuf>; 3] {
        [&mut self.openbench, &mut self.write_weights, &mut self.plot]
    }

    /// Refuses files that cannot be written or would be lost, before the games.
    fn check_files(&self, engine: &EngineSpec) -> Result<()> {
        let read: Vec<String> = self.openings.files().into_iter().chain(self.params.clone()).collect();
        let written: Vec<&Path> = self.files().into_iter().flatten().collect();
        self.contest.check_files(&read, std::slice::from_ref(engine), &written)?;
        for file in self.files().into_iter().flatten() {
            let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
            let is_possible = folder.is_none_or(Path::is_dir) && !file.is_dir();
            ensure!(is_possible, "{} cannot be written: it is a folder, or its folder is not there", file.display());
        }
        Ok(())
    }

    fn write_files(&self, session: &Session, conditions: &str) -> Result<()> {
        let texts: [&dyn Fn() -> Result<String>; 3] =
            [&|| Ok(report::lines(session)), &|| report::weights(session, conditions), &|| {
                Ok(report::picture(session))
            }];
        for (file, text) in self.files().into_iter().zip(texts) {
            if let Some(file) = file {
                std::fs::write(file, text()?).with_context(|| format!("{} cannot be written", file.display()))?;
            }
        }
        Ok(())
    }
}

/// The weights that an engine begins with.
fn base_weights(engine: &EngineSpec) -> Result<Weights> {
    let named = engine.options.iter().rev().find(|(name, _)| name.eq_ignore_ascii_case("EvalFile"));
    let name = named.filter(|_| engine.is_own).map_or("default", |(_, value)| value);
    Ok(Weights::load(name)?)
}

/// The version that takes a step and its mirror image, both with the values at the start.
fn versions(engine: &EngineSpec, dials: &Dials, parameters: &[Parameter]) -> Vec<EngineSpec> {
    let start: Vec<f64> = parameters.iter().map(|parameter| parameter.start).collect();
    let version = |name: &str| {
        let mut spec = EngineSpec { name: format!("{} {name}", engine.name), ..engine.clone() };
        spec.options.extend(dials.options(parameters, &start));
        spec
    };
    vec![version("plus"), version("minus")]
}

fn read_rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok().filter(|rate: &f64| *rate > 0.0 && *rate <= 1.0);
    rate.ok_or_else(|| "a number above 0 and up to 1 is needed".to_owned())
}

fn read_share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=2.0).contains(share));
    share.ok_or_else(|| "a number from 0 to 2 is needed".to_owned())
}
