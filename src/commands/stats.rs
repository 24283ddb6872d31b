//! `marquetry stats`: the statistics of a result typed in.

use std::process::ExitCode;
use std::str::FromStr;

use anyhow::{Result, bail};
use clap::{ArgGroup, Args, ValueEnum};
use lab::stats::{Estimate, Model, Sprt, Tally, Verdict};
use serde_json::json;

use crate::output::outln;

/// What a match result proves: Elo with its error, likelihood of superiority, sequential test
#[derive(Args)]
#[command(group = ArgGroup::new("result").required(true), after_help = "Examples:
  marquetry stats --ptnml 31,83,155,125,72 --elo0 0 --elo1 8
  marquetry stats --wdl 384,288,260

All numbers are from the first player's view. Pairs are two games with the same opening and colours exchanged.")]
pub(crate) struct Stats {
    /// Pairs by points of the first player: 0, ½, 1, 1½, 2
    #[arg(long, value_name = "LL,LD,M,WD,WW", group = "result")]
    ptnml: Option<Counts<5>>,

    /// Single games: won, drawn and lost by the first player
    #[arg(long, value_name = "W,D,L", group = "result")]
    wdl: Option<Counts<3>>,

    /// The test's first hypothesis: stronger by no more than this
    #[arg(long, value_name = "ELO", requires = "elo1")]
    elo0: Option<f64>,

    /// The test's second hypothesis: stronger by this
    #[arg(long, value_name = "ELO", requires = "elo0")]
    elo1: Option<f64>,

    /// How often the test may wrongly accept the second hypothesis
    #[arg(long, value_name = "P", default_value = "0.05", requires = "elo0")]
    alpha: f64,

    /// How often the test may wrongly accept the first hypothesis
    #[arg(long, value_name = "P", default_value = "0.05", requires = "elo0")]
    beta: f64,

    /// In which unit the hypotheses are given
    #[arg(long, value_enum, default_value = "normalized", requires = "elo0")]
    model: ModelName,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Whole numbers separated by commas.
#[derive(Copy, Clone)]
struct Counts<const N: usize>([u64; N]);

impl<const N: usize> FromStr for Counts<N> {
    type Err = String;

    fn from_str(text: &str) -> Result<Counts<N>, String> {
        // Counts beyond this would not add up in 64 bits, and no match is so long
        const MOST: u64 = 1_000_000_000_000;
        let number = |text: &str| text.trim().parse().ok().filter(|&count| count <= MOST);
        let counts: Option<Vec<u64>> = text.split(',').map(number).collect();
        let wanted = || format!("{N} whole numbers separated by commas are needed, each {MOST} at most");
        counts.and_then(|counts| counts.try_into().ok()).map(Counts).ok_or_else(wanted)
    }
}

#[derive(Copy, Clone, ValueEnum)]
enum ModelName {
    /// Normalized Elo
    Normalized,
    /// Logistic Elo
    Logistic,
}

impl Stats {
    /// Computes and prints.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let tally = self.tally();
        let Some(estimate) = Estimate::of(&tally) else { bail!("there are no games to look at") };
        let sprt = self.sprt()?;
        let llr = sprt.map(|sprt| sprt.llr(&tally));
        if self.json {
            outln!("{}", report(&tally, None, &estimate, llr));
        } else {
            outln!("{}", block(&tally, None, &estimate));
            if let (Some(sprt), Some(llr)) = (sprt, llr) {
                outln!("{}", test(&sprt, llr));
            }
            outln!("{}", in_words(&estimate, ["The first player", "The second player"]));
        }
        Ok(ExitCode::SUCCESS)
    }

    fn tally(&self) -> Tally {
        match (self.ptnml, self.wdl) {
            (Some(Counts(pairs)), _) => Tally::Pairs(pairs),
            (None, Some(Counts([wins, draws, losses]))) => Tally::Games { wins, draws, losses },
            (None, None) => Tally::Pairs([0; 5]),
        }
    }

    fn sprt(&self) -> Result<Option<Sprt>> {
        let model = match self.model {
            ModelName::Normalized => Model::Normalized,
            ModelName::Logistic => Model::Logistic,
        };
        let bounds = self.elo0.zip(self.elo1);
        Ok(bounds.map(|(elo0, elo1)| Sprt::new(elo0, elo1, self.alpha, self.beta, model)).transpose()?)
    }
}

/// What scripts read. Pairs alone do not tell wins, draws and losses apart; whoever knows them gives them.
pub(super) fn report(
    tally: &Tally,
    known: Option<(u64, u64, u64)>,
    estimate: &Estimate,
    llr: Option<f64>,
) -> serde_json::Value {
    let (games, pairs) = match *tally {
        Tally::Games { wins, draws, losses } => (Some((wins, draws, losses)), None),
        Tally::Pairs(pairs) => (known, Some(pairs)),
    };
    let all = all_games(tally, known);
    json!({
        "games": all.games(),
        "wins": games.map(|(wins, ..)| wins),
        "draws": games.map(|(_, draws, _)| draws),
        "losses": games.map(|(.., losses)| losses),
        "points": all.points(),
        "ptnml": pairs,
        "elo": estimate.elo,
        "elo_error": estimate.elo_error,
        "nelo": estimate.nelo,
        "nelo_error": estimate.nelo_error,
        "los": estimate.los,
        "llr": llr,
    })
}

/// All games. Those that are known one by one may be more than those of whole pairs: in a match that was stopped the second
/// game of some is missing.
fn all_games(tally: &Tally, known: Option<(u64, u64, u64)>) -> Tally {
    known.map_or(*tally, |(wins, draws, losses)| Tally::Games { wins, draws, losses })
}

/// The block that match runners print.
pub(super) fn block(tally: &Tally, known: Option<(u64, u64, u64)>, estimate: &Estimate) -> String {
    let Estimate { elo, elo_error, nelo, nelo_error, los } = estimate;
    let first = format!("Elo: {elo:.2} +/- {elo_error:.2}, nElo: {nelo:.2} +/- {nelo_error:.2}");
    let all = all_games(tally, known);
    let share = 100.0 * all.points() / all.games() as f64;
    let games = format!("Games: {}", all.games());
    let points = format!("Points: {:.1} ({share:.2} %)", all.points());
    let counts = |(wins, draws, losses)| format!("Wins: {wins}, Losses: {losses}, Draws: {draws}, ");
    let percent = |part: u64, all: u64| 100.0 * part as f64 / all as f64;
    let los = 100.0 * los;
    match *tally {
        Tally::Games { wins, draws, losses } => {
            let ratio = percent(draws, tally.games());
            let counts = counts((wins, draws, losses));
            format!("{first}\nLOS: {los:.2} %, DrawRatio: {ratio:.2} %\n{games}, {counts}{points}")
        }
        Tally::Pairs(pairs) => {
            let [ll, ld, even, wd, ww] = pairs;
            let ratio = match ll + ld {
                0 => "no lost pair".to_owned(),
                lost => format!("{:.2}", (wd + ww) as f64 / lost as f64),
            };
            let draws = percent(even, pairs.iter().sum());
            let counts = known.map(counts).unwrap_or_default();
            let second = format!("LOS: {los:.2} %, DrawRatio: {draws:.2} %, PairsRatio: {ratio}");
            format!("{first}\n{second}\n{games}, {counts}{points}\nPtnml(0-2): {pairs:?}")
        }
    }
}

/// Where the test stands: a line as match runners print it, and a sentence.
pub(super) fn test(sprt: &Sprt, llr: f64) -> String {
    let ((lower, upper), (elo0, elo1)) = (sprt.bounds(), sprt.hypotheses());
    let way = if llr >= 0.0 { llr / upper } else { llr / lower };
    let line = format!("LLR: {llr:.2} ({:.1}%) ({lower:.2}, {upper:.2}) [{elo0:.2}, {elo1:.2}]", 100.0 * way);
    let sentence = match sprt.verdict(llr) {
        Verdict::H1 => format!("H1 is accepted: stronger by {elo1} rather than by {elo0}."),
        Verdict::H0 => format!("H0 is accepted: stronger by {elo0} at most, rather than by {elo1}."),
        Verdict::Undecided => "Undecided: more games are needed.".to_owned(),
    };
    format!("{line}\n{sentence}")
}

/// Who is stronger, as a sentence.
pub(super) fn in_words(estimate: &Estimate, names: [&str; 2]) -> String {
    let Estimate { elo, elo_error, los, .. } = estimate;
    let (stronger, likelihood) = if *elo >= 0.0 { (names[0], *los) } else { (names[1], 1.0 - los) };
    let (low, high) = (elo.abs() - elo_error, elo.abs() + elo_error);
    if low > 0.0 {
        format!("{stronger} is stronger, by {low:.0} to {high:.0} Elo with 95 % confidence.")
    } else {
        format!("Not proven: {stronger} is stronger with a likelihood of {:.0} %.", 100.0 * likelihood)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_without_a_second_one_count_beside_whole_pairs() {
        let tally = Tally::Pairs([0, 1, 1, 0, 0]);
        let (known, estimate) = (Some((1, 2, 2)), Estimate::of(&tally).unwrap());
        let text = block(&tally, known, &estimate);
        assert!(text.contains("Games: 5, Wins: 1, Losses: 2, Draws: 2, Points: 2.0 (40.00 %)"), "{text}");
        let object = report(&tally, known, &estimate, None);
        assert_eq!((object["games"].as_u64(), object["points"].as_f64()), (Some(5), Some(2.0)));
        let object = report(&tally, None, &estimate, None);
        assert_eq!((object["games"].as_u64(), object["points"].as_f64()), (Some(4), Some(1.5)));
    }
}
