//! `marquetry match`: two engines play pairs of games, and what that proves.

use std::fs::File;
use std::io::Write;
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, bail};
use chess::{CastlingMode, Position};
use clap::Args;
use lab::arena::{
    Contest, EngineSpec, Game, Progress, Summary, Thinking, pgn, random_openings, read_engines, read_openings,
};
use lab::stats::{Estimate, Model, Sprt};

use super::engines::{MoveLimits, own_command};
use super::stats::{in_words, print_block, print_test, report};
use crate::interrupt;
use crate::output::outln;

/// Let two engines play, in pairs with colours exchanged, until all is played or a test is decided
#[derive(Args)]
#[command(after_help = "Examples:
  marquetry match --engine self name=new weights=my.toml --engine self --nodes 20000 --rounds 200
  marquetry match --engine self --engine cmd=/usr/games/stockfish option.UCI_LimitStrength=true option.UCI_Elo=1500 \\
      --tc 2+0.02 --rounds 50 --concurrency 2 --pgn games.pgn
  marquetry match --engine self tc=8+0.08 --engine cmd=./old --tc 8+0.08 --sprt elo0=0,elo1=5 --openings book.epd

An engine is `self` or `cmd=PROGRAM`, then any of name=, weights= and tunable.NAME= (for self), option.NAME=, tc=, movetime=, nodes=, depth=.
A round is a pair of games. Results are from the first engine's view.")]
pub(crate) struct Match {
    /// An engine; give it twice
    #[arg(long = "engine", value_name = "SPEC", num_args = 1.., required = true)]
    engines: Vec<String>,

    /// Clock: seconds at the start plus seconds a move, such as 8+0.08
    #[arg(long, value_name = "TIME+INC", group = "thinking")]
    tc: Option<String>,

    #[command(flatten)]
    limits: MoveLimits,

    /// How many pairs of games at most
    #[arg(long, value_name = "N", default_value = "100", value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,

    /// How many games at once
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=512))]
    concurrency: u32,

    /// Openings, a position a line (EPD or FEN) [default: eight or nine random moves to a level position]
    #[arg(long, value_name = "FILE")]
    openings: Option<String>,

    /// Shuffles the openings or makes the random ones
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,

    /// Stop when decided: elo0=0,elo1=5 and, if you like, alpha=0.05,beta=0.05,model=normalized or logistic
    #[arg(long, value_name = "BOUNDS", value_parser = read_sprt)]
    sprt: Option<Sprt>,

    /// Write the games to this file as they end
    #[arg(long, value_name = "FILE")]
    pgn: Option<String>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Match {
    /// Plays and prints.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let openings = match &self.openings {
            Some(path) => read_openings(path, self.seed)?,
            None => random_openings(self.rounds as usize, self.seed).context("there is no memory to make openings")?,
        };
        let [first, second] = self.specs(&openings)?;
        let mut watcher = Watcher {
            pgn: self.pgn.as_deref().map(create).transpose()?,
            pairs: self.rounds,
            sprt: self.sprt,
            quiet: self.json,
            failure: None,
        };
        interrupt::listen()?;
        if !self.json {
            let source = self.openings.as_deref().unwrap_or("random moves");
            outln!(
                "{} - {}, {} pairs, openings from {source}, seed {}",
                first.name,
                second.name,
                self.rounds,
                self.seed
            );
        }
        let contest = Contest {
            engines: [&first, &second],
            openings: &openings,
            pairs: self.rounds as usize,
            concurrency: self.concurrency as usize,
            sprt: self.sprt,
        };
        let summary = contest.run(&mut watcher, &interrupt::came)?;
        if let Some(failure) = watcher.failure {
            bail!("{} cannot be written: {failure}", self.pgn.as_deref().unwrap_or("the PGN file"));
        }
        self.print(&summary, [&first.name, &second.name])?;
        Ok(ExitCode::SUCCESS)
    }

    fn print(&self, summary: &Summary, names: [&str; 2]) -> Result<()> {
        let tally = summary.tally();
        let estimate = Estimate::of(&tally).context("no pair was played to the end")?;
        let llr = self.sprt.map(|sprt| sprt.llr(&tally));
        let known = Some((summary.wins, summary.draws, summary.losses));
        if self.json {
            let mut object = report(&tally, known, &estimate, llr);
            object["incidents"] = summary.incidents.clone().into();
            outln!("{object}");
            return Ok(());
        }
        outln!("\nResults of {} against {}:", names[0], names[1]);
        print_block(&tally, known, &estimate);
        if let (Some(sprt), Some(llr)) = (self.sprt, llr) {
            print_test(&sprt, llr);
        }
        outln!("{}", in_words(&estimate, names));
        for incident in &summary.incidents {
            outln!("Incident: {incident}");
        }
        Ok(())
    }

    /// The two engines.
    fn specs(&self, openings: &[Position]) -> Result<[EngineSpec; 2]> {
        let mut specs = read_engines(&self.engines, &own_command()?, self.thinking()?)?;
        if openings.iter().any(|opening| opening.castling_mode() == CastlingMode::Chess960) {
            for spec in &mut specs {
                spec.options.push(("UCI_Chess960".to_owned(), "true".to_owned()));
            }
        }
        let [first, mut second] = <[EngineSpec; 2]>::try_from(specs)
            .map_err(|specs| anyhow!("--engine must be given for two engines, not {}", specs.len()))?;
        if first.name == second.name {
            second.name.push_str(" (2)");
        }
        Ok([first, second])
    }

    /// What holds for engines that do not say otherwise.
    fn thinking(&self) -> Result<Option<Thinking>> {
        match &self.tc {
            Some(clock) => Ok(Some(Thinking::read("tc", clock)?)),
            None => self.limits.thinking(),
        }
    }
}

/// Reads `elo0=0,elo1=5,alpha=0.05,beta=0.05,model=normalized`.
fn read_sprt(text: &str) -> Result<Sprt, String> {
    let (mut elo0, mut elo1, mut alpha, mut beta, mut model) = (None, None, 0.05, 0.05, Model::Normalized);
    for part in text.split(',') {
        let (key, value) = part.split_once('=').ok_or_else(|| format!("{part:?} is not KEY=VALUE"))?;
        let number = || value.parse::<f64>().map_err(|_| format!("{key} needs a number, not {value:?}"));
        match key {
            "elo0" => elo0 = Some(number()?),
            "elo1" => elo1 = Some(number()?),
            "alpha" => alpha = number()?,
            "beta" => beta = number()?,
            "model" if value == "normalized" => model = Model::Normalized,
            "model" if value == "logistic" => model = Model::Logistic,
            _ => return Err(format!("{part:?} is not known; there are elo0, elo1, alpha, beta, model")),
        }
    }
    let (Some(elo0), Some(elo1)) = (elo0, elo1) else { return Err("elo0 and elo1 are needed".to_owned()) };
    Sprt::new(elo0, elo1, alpha, beta, model).map_err(|error| error.to_string())
}

fn create(path: &str) -> Result<File> {
    File::create(path).with_context(|| format!("{path} cannot be written"))
}

/// Shows how a match goes and writes its games.
struct Watcher {
    pgn: Option<File>,
    pairs: u32,
    sprt: Option<Sprt>,
    quiet: bool,
    failure: Option<std::io::Error>,
}

impl Progress for Watcher {
    fn pair(&mut self, number: usize, games: [&Game; 2], summary: &Summary) {
        if let Some(file) = &mut self.pgn {
            let text: String = games
                .into_iter()
                .zip(1..)
                .map(|(game, side)| pgn(game, "Marquetry match", &format!("{number}.{side}")))
                .collect();
            if let Err(error) = file.write_all(text.as_bytes()) {
                self.failure.get_or_insert(error);
            }
        }
        let played: u64 = summary.pairs.iter().sum();
        if !self.quiet && (played.is_multiple_of(10) || played <= 1) {
            let tally = summary.tally();
            if let Some(estimate) = Estimate::of(&tally) {
                let test = self.sprt.map_or(String::new(), |sprt| format!(", LLR {:.2}", sprt.llr(&tally)));
                outln!(
                    "{played:>5} of {} pairs: +{} ={} -{}, Elo {:+.1} +/- {:.1}{test}",
                    self.pairs,
                    summary.wins,
                    summary.draws,
                    summary.losses,
                    estimate.elo,
                    estimate.elo_error
                );
            }
        }
    }
}
