//! What came of it: for people, for scripts, and for whoever wants to make the file again.

use std::path::PathBuf;

use anyhow::{Context, Result};
use chess::Color;
use lab::arena::Winner;
use lab::datagen::Statistics;
use serde_json::{Value, json};

use crate::arguments;
use crate::output::outln;

/// A file of games and what is in it.
pub(super) struct Report {
    pub(super) path: PathBuf,
    /// What the head of the file says.
    pub(super) manifest: Value,
    pub(super) file_hash: String,
    pub(super) bytes: u64,
    pub(super) statistics: Statistics,
    /// How long this run took.
    pub(super) seconds: f64,
    /// Positions of this run.
    pub(super) played: u64,
    pub(super) is_complete: bool,
}

impl Report {
    /// Writes all that is needed to make the file again beside it, as a whole or not at all.
    pub(super) fn write_manifest(&self) -> Result<()> {
        let beside = |ending: &str| {
            let mut path = self.path.as_os_str().to_owned();
            path.push(ending);
            PathBuf::from(path)
        };
        let (draft, path) = (beside(".json.new"), beside(".json"));
        let manifest = json!({
            "command": arguments::typed(&arguments::given()),
            "made": self.manifest,
            "games": self.statistics.games,
            "positions": self.statistics.positions,
            "bytes": self.bytes,
            "sha256": self.file_hash,
            "complete": self.is_complete,
            "statistics": self.statistics.to_json(),
        });
        std::fs::write(&draft, format!("{manifest:#}\n"))
            .and_then(|()| std::fs::rename(&draft, &path))
            .with_context(|| format!("{} cannot be written", path.display()))
    }

    fn bytes_a_position(&self) -> f64 {
        self.bytes as f64 / self.statistics.positions.max(1) as f64
    }

    fn speed(&self) -> f64 {
        if self.seconds > 0.0 { self.played as f64 / self.seconds } else { 0.0 }
    }

    pub(super) fn print_json(&self) {
        let report = json!({
            "output": self.path.display().to_string(),
            "complete": self.is_complete,
            "games": self.statistics.games,
            "positions": self.statistics.positions,
            "bytes": self.bytes,
            "bytes_a_position": self.bytes_a_position(),
            "sha256": self.file_hash,
            "seconds": self.seconds,
            "positions_a_second": self.speed(),
            "statistics": self.statistics.to_json(),
        });
        outln!("{report}");
    }

    pub(super) fn print(&self) {
        let statistics = &self.statistics;
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        let of_games = |count: u64| percent(count as f64 / statistics.games.max(1) as f64);
        if !self.is_complete {
            outln!("Interrupted; --resume goes on.");
        }
        outln!("{}: {} games, {} positions", self.path.display(), statistics.games, statistics.positions);
        outln!(
            "results     White {}, drawn {}, Black {}",
            of_games(statistics.result(Winner::Side(Color::White))),
            of_games(statistics.result(Winner::Draw)),
            of_games(statistics.result(Winner::Side(Color::Black))),
        );
        let reasons: Vec<String> =
            statistics.reasons().iter().map(|&(reason, count)| format!("{reason} {}", of_games(count))).collect();
        outln!("ends        {}", reasons.join(", "));
        let [least, tenth, median, most_of_all, most] = [0.0, 0.1, 0.5, 0.9, 1.0].map(|share| statistics.length(share));
        let mean = statistics.positions as f64 / statistics.games.max(1) as f64;
        outln!(
            "plies       {mean:.1} on average; {least} at least, a tenth up to {tenth}, half up to {median}, \
             nine tenths up to {most_of_all}, {most} at most"
        );
        let [opening, early, late, endgame] = statistics.phases().map(percent);
        outln!("phases      {opening} with nearly all pieces, {early} with most, {late} with some, {endgame} with few");
        outln!("material    {:.1} men on average, {:.1} of them pawns", statistics.men(), statistics.pawns());
        outln!(
            "values      {:.0} centipawns from level on average; {} in check",
            statistics.mean_value(),
            percent(statistics.checks())
        );
        outln!(
            "repeated    {} of the positions, {} of the openings",
            percent(statistics.repeated_positions()),
            percent(statistics.repeated_openings()),
        );
        outln!(
            "size        {} bytes, {:.2} a position; SHA-256 {}",
            self.bytes,
            self.bytes_a_position(),
            self.file_hash
        );
        outln!("time        {:.1} s for {} positions, {:.0} a second", self.seconds, self.played, self.speed());
    }
}
