//! How a contest goes, while it goes: a live table on a terminal, now and then a line elsewhere.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lab::arena::{PairingScore, Standings};
use lab::spsa::Session;
use lab::stats::{Estimate, Sprt};

/// On a terminal the table is drawn anew this often at most.
const REFRESH: Duration = Duration::from_millis(250);
/// Away from a terminal, a line this often at most.
const INTERVAL: Duration = Duration::from_secs(10);
/// How wide the test's bar is.
const BAR: usize = 32;

/// Shows a contest on stderr.
pub(crate) struct Scoreboard<'a> {
    names: Vec<String>,
    total: u64,
    sprt: Option<Sprt>,
    /// Numbers that the games tune, which are shown instead of results.
    tuning: Option<&'a Session>,
    start: Instant,
    /// Games that were there before.
    before: u64,
    last: Option<Instant>,
    display: Display,
}

enum Display {
    Table(ProgressBar),
    Lines,
    Nothing,
}

impl<'a> Scoreboard<'a> {
    /// A board for a contest of so many games, of which the standings have some already.
    pub(crate) fn new(
        names: Vec<String>,
        sprt: Option<Sprt>,
        tuning: Option<&'a Session>,
        standings: &Standings,
        is_quiet: bool,
    ) -> Scoreboard<'a> {
        let total = 2 * standings.schedule().pairs() as u64;
        let display = if is_quiet {
            Display::Nothing
        } else if std::io::stderr().is_terminal() {
            let style = ProgressStyle::with_template("{msg}\n{wide_bar} {pos}/{len} games").expect("it is correct");
            let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr()).with_style(style);
            Display::Table(bar)
        } else {
            Display::Lines
        };
        let (start, before) = (Instant::now(), standings.games());
        Scoreboard { names, total, sprt, tuning, start, before, last: None, display }
    }

    /// Shows where the contest stands, if it is time to.
    pub(crate) fn update(&mut self, standings: &Standings) {
        let interval = match self.display {
            Display::Table(_) => REFRESH,
            Display::Lines => INTERVAL,
            Display::Nothing => return,
        };
        // The first line comes with the first result
        if self.last.is_some_and(|last| last.elapsed() < interval) || standings.games() == self.before {
            return;
        }
        self.last = Some(Instant::now());
        match &self.display {
            Display::Table(bar) => {
                bar.set_message(self.table(standings));
                bar.set_position(standings.games());
            }
            // A reader who has left is no reason to stop
            Display::Lines => drop(writeln!(std::io::stderr(), "{}", self.line(standings))),
            Display::Nothing => (),
        }
    }

    /// Prints something above the table.
    pub(crate) fn suspend(&self, print: impl FnOnce()) {
        match &self.display {
            Display::Table(bar) => bar.suspend(print),
            Display::Lines | Display::Nothing => print(),
        }
    }

    fn line(&self, standings: &Standings) -> String {
        let (played, total) = (standings.games(), self.total);
        let result = match (self.tuning, standings.scores()) {
            (Some(session), _) => format!(": {}", session.sentence()),
            (None, [score]) => format!(": {}", self.result(score)),
            _ => String::new(),
        };
        format!("{played:>5} of {total} games{result}; {}", self.pace(played))
    }

    fn table(&self, standings: &Standings) -> String {
        let mut lines = vec![match self.names.as_slice() {
            [first, second] => format!("{first} against {second}"),
            names => format!("{} engines", names.len()),
        }];
        match (self.tuning, standings.scores()) {
            (Some(session), _) => lines = session.lines(),
            (None, [score]) => {
                lines.push(self.result(score));
                lines.push(format!("pairs {:?} by points 0, ½, 1, 1½, 2", score.pairs));
                if let Some(sprt) = &self.sprt {
                    lines.push(bar(sprt, sprt.llr(&score.tally())));
                }
            }
            (None, scores) => lines.extend(points(&self.names, standings.schedule().pairings(), scores)),
        }
        if let Some(last) = standings.incidents().last() {
            lines.push(format!("{} incidents, the last: {last}", standings.incident_count()));
        }
        lines.push(self.pace(standings.games()));
        lines.join("\n")
    }

    fn result(&self, score: &PairingScore) -> String {
        let counts = format!("+{} ={} -{}", score.wins, score.draws, score.losses);
        let Some(estimate) = Estimate::of(&score.tally()) else { return counts };
        let Estimate { elo, elo_error, los, .. } = estimate;
        let test = self.sprt.map_or(String::new(), |sprt| format!(", LLR {:.2}", sprt.llr(&score.tally())));
        format!("{counts}, Elo {elo:+.1} +/- {elo_error:.1}, LOS {:.1} %{test}", 100.0 * los)
    }

    fn pace(&self, played: u64) -> String {
        let seconds = self.start.elapsed().as_secs_f64().max(1e-3);
        let speed = (played - self.before) as f64 / seconds;
        let left = (self.total - played) as f64 / speed;
        let most = if self.sprt.is_some() { "at most " } else { "" };
        format!("{:.0} games an hour, {most}{} to go", 3600.0 * speed, time(left))
    }
}

impl Drop for Scoreboard<'_> {
    fn drop(&mut self) {
        if let Display::Table(bar) = &self.display {
            bar.finish_and_clear();
        }
    }
}

/// Seconds as people say them.
fn time(seconds: f64) -> String {
    match seconds {
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7200.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

/// Where a test stands between its bounds.
fn bar(sprt: &Sprt, llr: f64) -> String {
    let (lower, upper) = sprt.bounds();
    let place = ((llr - lower) / (upper - lower) * BAR as f64).clamp(0.0, BAR as f64 - 1.0) as usize;
    let line: String = (0..BAR).map(|cell| if cell == place { '●' } else { '─' }).collect();
    format!("LLR {llr:+.2}  H0 {lower:.2} {line} {upper:.2} H1")
}

/// Points of each engine, the best first.
fn points(names: &[String], pairings: &[[usize; 2]], scores: &[PairingScore]) -> Vec<String> {
    let mut rows: Vec<(f64, u64, &str)> = names.iter().map(|name| (0.0, 0, name.as_str())).collect();
    for ([first, second], score) in pairings.iter().zip(scores) {
        let points = score.wins as f64 + score.draws as f64 / 2.0;
        let games = score.games();
        rows[*first].0 += points;
        rows[*second].0 += games as f64 - points;
        rows[*first].1 += games;
        rows[*second].1 += games;
    }
    rows.sort_by(|a, b| (b.0 * a.1.max(1) as f64).total_cmp(&(a.0 * b.1.max(1) as f64)));
    rows.iter().map(|(points, games, name)| format!("{name:<24} {points:>7.1} of {games}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lab::stats::Model;

    #[test]
    fn the_bar_moves_from_one_bound_to_the_other() {
        let sprt = Sprt::new(0.0, 5.0, 0.05, 0.05, Model::Normalized).unwrap();
        let place = |llr: f64| bar(&sprt, llr).chars().filter(|&c| c == '─' || c == '●').position(|c| c == '●');
        assert_eq!(place(-9.0), Some(0));
        assert_eq!(place(0.0), Some(BAR / 2));
        assert_eq!(place(9.0), Some(BAR - 1));
    }

    #[test]
    fn times_are_said_as_people_say_them() {
        assert_eq!([5.0, 600.0, 9000.0].map(time), ["5 s", "10 min", "2.5 h"]);
    }
}
