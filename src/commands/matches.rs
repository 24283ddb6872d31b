//! `marquetry match`: engines play pairs of games, and what that proves.

use std::process::ExitCode;

use anyhow::{Result, bail, ensure};
use clap::{Args, ValueEnum};
use lab::arena::{EngineSpec, Format, PairingScore, Schedule, Standings, Thinking, read_engines};
use lab::stats::{Estimate, Sprt, Verdict};
use lab::store::RunId;
use serde_json::{Value, json};

use super::contest::{ContestOptions, Plan, Played, Resumable, Words, clock_object, print_clocks, print_incidents};
use super::engines::{MoveLimits, own_command};
use super::openings::OpeningOptions;
use super::ratings;
use super::stats::{block, in_words, report, test};
use crate::output::outln;

/// Let engines play, in pairs with colours exchanged, until all is played or a test is decided
#[derive(Args)]
#[command(after_help = "Examples:
  marquetry match --engine self name=new weights=my.toml --engine self --nodes 20000 --rounds 200
  marquetry match --engine self --engine cmd=/usr/games/stockfish option.UCI_LimitStrength=true option.UCI_Elo=1500 \\
      --tc 2+0.02 --rounds 50 --concurrency 2 --pgn games.pgn
  marquetry match --engine self tc=8+0.08 --engine cmd=./old --tc 8+0.08 --sprt elo0=0,elo1=5 --openings book.epd
  marquetry match --engine self --engine cmd=toga2 --engine cmd=glaurung --each option.Hash=16 --tc 2+0.02 --format gauntlet
  marquetry match --resume 12

An engine is `self` or `cmd=PROGRAM`, then any of name=, args= (for cmd), weights= and tunable.NAME= (for self),
option.NAME=, tc=, movetime=, nodes=, depth=.
A round is a pair of games for every two engines that meet. Results are from the first engine's view.")]
pub(crate) struct Match {
    /// An engine; give it twice or more often
    #[arg(long = "engine", value_name = "SPEC", num_args = 1.., required_unless_present = "resume")]
    engines: Vec<String>,

    /// Settings that all engines have unless they say otherwise
    #[arg(long, value_name = "SETTING", num_args = 1..)]
    each: Vec<String>,

    /// Clock: moves/seconds+increment, such as 8+0.08 or 40/60
    #[arg(long, value_name = "[MOVES/]TIME[+INC]", group = "thinking")]
    tc: Option<String>,

    #[command(flatten)]
    limits: MoveLimits,

    /// Who meets whom, if there are more than two
    #[arg(long, value_enum, default_value = "round-robin")]
    format: FormatName,

    /// How many pairs of games at most for every two engines that meet
    #[arg(long, value_name = "N", default_value = "100", value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,

    #[command(flatten)]
    openings: OpeningOptions,

    /// Stop when decided: elo0=0,elo1=5 and, if you like, alpha=0.05,beta=0.05,model=normalized or logistic
    #[arg(long, value_name = "BOUNDS")]
    sprt: Option<Sprt>,

    /// End with exit code 1 unless the test finds the first engine stronger
    #[arg(long, requires = "sprt")]
    expect_gain: bool,

    /// Print the results so far every so many games
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    report: Option<u64>,

    /// Ratings are counted from this engine's
    #[arg(long, value_name = "NAME=ELO", value_parser = read_anchor, allow_hyphen_values = true)]
    anchor: Option<(String, f64)>,

    #[command(flatten)]
    contest: ContestOptions,
}

#[derive(Copy, Clone, ValueEnum)]
enum FormatName {
    /// Everybody meets everybody
    RoundRobin,
    /// The first meets each of the others
    Gauntlet,
}

impl Resumable for Match {
    const KIND: &'static str = "match";

    fn contest(&mut self) -> &mut ContestOptions {
        &mut self.contest
    }
}

impl Match {
    /// Plays and prints.
    pub(crate) fn run(self) -> Result<ExitCode> {
        self.resumed()?.play()
    }

    fn play(&self) -> Result<ExitCode> {
        let engines = self.specs()?;
        self.contest.check_files(&self.openings.files(), &engines, &[])?;
        let format = match self.format {
            FormatName::RoundRobin => Format::RoundRobin,
            FormatName::Gauntlet => Format::Gauntlet,
        };
        let openings = self.openings.read(self.rounds as usize, self.contest.json)?;
        let schedule = Schedule::new(format, engines.len(), self.rounds as usize);
        if let Some((name, _)) = &self.anchor {
            ensure!(engines.iter().any(|spec| spec.name == *name), "--anchor: there is no engine {name:?}");
        }
        let names: Vec<String> = engines.iter().map(|spec| spec.name.clone()).collect();
        let describe = |standings: &Standings| self.describe(standings, &names);
        let sentence = |standings: &Standings| sentence(standings, &names, self.sprt);
        let plan = Plan {
            kind: Self::KIND,
            engines,
            schedule,
            openings: &openings,
            seed: self.openings.seed,
            sprt: self.sprt,
            files: self.openings.files(),
            sentence: &sentence,
            report: self.report.map(|interval| (interval, &describe as Words)),
            tuning: None,
        };
        let Played { standings, run, is_over, clock_differences } = self.contest.play(plan)?;
        if self.contest.json {
            let mut object = self.object(&standings, &names, run);
            object["is_finished"] = is_over.into();
            object["clock_difference_ms"] = clock_object(&clock_differences);
            outln!("{object}");
        } else {
            outln!("\n{}", self.describe(&standings, &names));
            print_clocks(&clock_differences);
            print_incidents(&standings);
        }
        let verdict = self.sprt.map(|sprt| sprt.verdict(sprt.llr(&standings.scores()[0].tally())));
        let is_missing = self.expect_gain && verdict != Some(Verdict::H1);
        Ok(ExitCode::from(u8::from(is_missing || !is_over)))
    }

    /// What the results say.
    fn describe(&self, standings: &Standings, names: &[String]) -> String {
        let [score] = standings.scores() else { return ratings::describe(standings, names, self.anchor.as_ref()) };
        let tally = score.tally();
        let Some(estimate) = Estimate::of(&tally) else { return "No pair was played to its end.".to_owned() };
        let mut text = format!("Results of {} against {}:\n", names[0], names[1]);
        text += &block(&tally, Some((score.wins, score.draws, score.losses)), &estimate);
        if let Some(sprt) = self.sprt {
            text += &format!("\n{}", test(&sprt, sprt.llr(&tally)));
        }
        text + "\n" + &in_words(&estimate, [&names[0], &names[1]])
    }

    fn object(&self, standings: &Standings, names: &[String], run: Option<RunId>) -> Value {
        let mut object = match standings.scores() {
            [score] => score_object(score, self.sprt),
            scores => {
                let pairings = standings.schedule().pairings().iter().zip(scores).map(|([first, second], score)| {
                    let mut pairing = score_object(score, self.sprt);
                    pairing["engines"] = json!([names[*first], names[*second]]);
                    pairing
                });
                let mut object = ratings::object(standings, names, self.anchor.as_ref());
                object["pairs"] = pairings.collect();
                object["games"] = json!(standings.games());
                object
            }
        };
        object["incidents"] = standings.incidents().into();
        object["incident_count"] = standings.incident_count().into();
        object["run"] = json!(run);
        object
    }

    /// The engines.
    fn specs(&self) -> Result<Vec<EngineSpec>> {
        let own = own_command("uci")?;
        let specs = read_engines(&self.engines, &self.each, &own, self.thinking()?)?;
        match specs.len() {
            0 | 1 => bail!("--engine must be given for two engines or more, not {}", specs.len()),
            2 => (),
            count => ensure!(self.sprt.is_none(), "--sprt is a test between two engines, not {count}"),
        }
        Ok(specs)
    }

    /// What holds for engines that do not say otherwise.
    fn thinking(&self) -> Result<Option<Thinking>> {
        match &self.tc {
            Some(clock) => Ok(Some(Thinking::read("tc", clock)?)),
            None => self.limits.thinking(),
        }
    }
}

/// What two engines' games say; before a pair is over they are only counted.
fn score_object(score: &PairingScore, sprt: Option<Sprt>) -> Value {
    let (tally, games) = (score.tally(), score.games());
    let (wins, draws, losses) = (score.wins, score.draws, score.losses);
    let Some(estimate) = Estimate::of(&tally) else {
        return json!({ "games": games, "wins": wins, "draws": draws, "losses": losses });
    };
    report(&tally, Some((wins, draws, losses)), &estimate, sprt.map(|sprt| sprt.llr(&tally)))
}

/// Where a contest stands, in a sentence.
fn sentence(standings: &Standings, names: &[String], sprt: Option<Sprt>) -> String {
    let [score] = standings.scores() else { return format!("{} games", standings.games()) };
    let Some(estimate) = Estimate::of(&score.tally()) else { return "no pair is over".to_owned() };
    let test = sprt.map_or(String::new(), |sprt| format!(", LLR {:.2}", sprt.llr(&score.tally())));
    let counts = format!("+{} ={} -{}", score.wins, score.draws, score.losses);
    format!("{counts} for {}, Elo {:+.1} +/- {:.1}{test}", names[0], estimate.elo, estimate.elo_error)
}

fn read_anchor(text: &str) -> Result<(String, f64), String> {
    let parts = text.rsplit_once('=').and_then(|(name, elo)| Some((name.to_owned(), elo.parse().ok()?)));
    parts.filter(|(_, elo): &(String, f64)| elo.is_finite()).ok_or_else(|| "write NAME=ELO".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_game_of_the_first_pair_is_counted() {
        let score = PairingScore { wins: 1, ..PairingScore::default() };
        assert_eq!(score_object(&score, None), json!({ "games": 1, "wins": 1, "draws": 0, "losses": 0 }));
    }
}
