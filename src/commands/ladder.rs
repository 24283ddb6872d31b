//! `marquetry ladder`: how strong an engine is beside an opponent whose strength can be set.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use lab::arena::{EngineSpec, Format, PairingScore, Player, Schedule, Standings, Thinking, read_engines};
use lab::stats::{Level, Performance};
use lab::store::RunId;
use serde_json::{Value, json};

use super::contest::{ContestOptions, Plan, Played, Resumable, print_incidents};
use super::engines::{MoveLimits, own_command};
use super::openings::OpeningOptions;
use crate::output::outln;

/// Where Debian puts games, which is not on everybody's PATH.
const GAMES: &str = "/usr/games";
/// How far the levels are apart unless they are given.
const STEP: i64 = 250;

/// Play against the levels of an opponent of known strength: a table and one rating with its error
#[derive(Args)]
#[command(after_help = "Examples:
  marquetry ladder --tc 2+0.02 --games 60 --concurrency 2
  marquetry ladder --engine self weights=simplified --depth 5 --levels 1350,1400,1500 --opponent-movetime 0.05
  marquetry ladder --engine cmd=./other --opponent /opt/stockfish/stockfish --tc 8+0.08 --pgn ladder.pgn
  marquetry ladder --resume 12

The opponent must have the options UCI_LimitStrength and UCI_Elo. Ratings are on its scale and hold for the conditions printed.")]
pub(crate) struct Ladder {
    /// Who climbs: `self` or cmd=PROGRAM, then settings as in `match`
    #[arg(long = "engine", value_name = "SPEC", num_args = 1.., default_values = ["self"])]
    engine: Vec<String>,

    /// The opponent: a program on the PATH or in /usr/games, or a path
    #[arg(long, value_name = "PROGRAM", default_value = "stockfish")]
    opponent: String,

    /// The opponent's levels in Elo [default: from its lowest to its highest, 250 apart]
    #[arg(long, value_name = "ELO,…", value_delimiter = ',')]
    levels: Vec<i64>,

    /// Clock of both: moves/seconds+increment, such as 2+0.02
    #[arg(long, value_name = "[MOVES/]TIME[+INC]", group = "thinking")]
    tc: Option<String>,

    #[command(flatten)]
    limits: MoveLimits,

    /// Seconds a move for the opponent [default: the same limit as the engine]
    #[arg(long, value_name = "SECONDS")]
    opponent_movetime: Option<String>,

    /// Further options of the opponent, such as Hash=16
    #[arg(long, value_name = "NAME=VALUE", num_args = 1.., default_values = ["Threads=1", "Hash=16"])]
    opponent_option: Vec<String>,

    /// Games against each level; an even number
    #[arg(long, value_name = "N", default_value = "20", value_parser = clap::value_parser!(u32).range(2..))]
    games: u32,

    #[command(flatten)]
    openings: OpeningOptions,

    #[command(flatten)]
    contest: ContestOptions,
}

impl Resumable for Ladder {
    const KIND: &'static str = "ladder";

    fn contest(&mut self) -> &mut ContestOptions {
        &mut self.contest
    }
}

impl Ladder {
    /// Plays and prints.
    pub(crate) fn run(self) -> Result<ExitCode> {
        self.resumed()?.play()
    }

    fn play(&self) -> Result<ExitCode> {
        ensure!(self.games.is_multiple_of(2), "--games must be even: openings are played with both colours");
        let engine = self.climber()?;
        let opponent = self.opponent(engine.thinking)?;
        self.contest.check_files(&self.openings.files(), &[engine.clone(), opponent.clone()], &[])?;
        let levels = self.levels(&opponent)?;
        let mut engines = vec![engine];
        engines.extend(levels.iter().map(|&elo| at_level(&opponent, elo)));
        let rounds = self.games as usize / 2;
        let openings = self.openings.read(rounds, self.contest.json)?;
        let conditions = self.conditions(&engines);
        let plan = Plan {
            kind: Self::KIND,
            schedule: Schedule::new(Format::Gauntlet, engines.len(), rounds),
            engines,
            openings: &openings,
            seed: self.openings.seed,
            sprt: None,
            files: self.openings.files(),
            sentence: &|standings| sentence(standings, &levels),
            report: None,
            tuning: None,
        };
        let Played { standings, run, is_over, .. } = self.contest.play(plan)?;
        let performance = performance(&standings, &levels);
        if self.contest.json {
            let mut object = object(&standings, performance.as_ref(), &conditions, run);
            object["is_finished"] = is_over.into();
            outln!("{object}");
        } else {
            outln!("\n{}", performance.map_or("No game is over.".to_owned(), |found| table(&standings, &found)));
            outln!("Conditions: {conditions}.");
            print_incidents(&standings);
        }
        Ok(ExitCode::from(u8::from(!is_over)))
    }

    fn climber(&self) -> Result<EngineSpec> {
        let thinking = match &self.tc {
            Some(clock) => Some(Thinking::read("tc", clock)?),
            None => self.limits.thinking()?,
        };
        let specs = read_engines(&self.engine, &[], &own_command("uci")?, thinking)?;
        let [engine] = <[EngineSpec; 1]>::try_from(specs)
            .map_err(|specs| anyhow::anyhow!("--engine must be given for one engine, not {}", specs.len()))?;
        Ok(engine)
    }

    /// The opponent at full strength.
    fn opponent(&self, thinking: Thinking) -> Result<EngineSpec> {
        let thinking = match &self.opponent_movetime {
            Some(seconds) => Thinking::read("movetime", seconds)?,
            None => thinking,
        };
        let mut options = Vec::new();
        for option in &self.opponent_option {
            let (name, value) =
                option.split_once('=').with_context(|| format!("--opponent-option: {option:?} is not NAME=VALUE"))?;
            options.push((name.to_owned(), value.to_owned()));
        }
        options.push(("UCI_LimitStrength".to_owned(), "true".to_owned()));
        let name =
            Path::new(&self.opponent).file_name().map_or(self.opponent.clone(), |name| name.to_string_lossy().into());
        Ok(EngineSpec { name, command: vec![find(&self.opponent)?], options, thinking, is_own: false })
    }

    /// The levels to play, which the opponent must be able to take.
    fn levels(&self, opponent: &EngineSpec) -> Result<Vec<i64>> {
        let player = Player::start(opponent, &self.contest.host()?)?;
        let name = &opponent.name;
        let range = player.option("UCI_Elo").with_context(|| format!("{name} has no option UCI_Elo"))?;
        let bound = |key: &str| range.split_whitespace().skip_while(|word| *word != key).nth(1)?.parse::<i64>().ok();
        let (least, most) =
            bound("min").zip(bound("max")).with_context(|| format!("{name} gives no range of UCI_Elo"))?;
        // An opponent with millions of levels is none
        ensure!(least <= most && most - least <= 10_000, "{name} gives a range of UCI_Elo from {least} to {most}");
        if let Some(outside) = self.levels.iter().find(|level| !(least..=most).contains(*level)) {
            bail!("--levels: {name} can play at {least} to {most}, not at {outside}");
        }
        let spread = (least..=most).step_by(STEP as usize);
        Ok(if self.levels.is_empty() { spread.collect() } else { self.levels.clone() })
    }

    fn conditions(&self, engines: &[EngineSpec]) -> String {
        let (engine, opponent) = (&engines[0], &engines[1]);
        let options = |spec: &EngineSpec| {
            let told: Vec<String> = spec
                .options
                .iter()
                .filter(|(name, _)| !name.starts_with("UCI_"))
                .map(|(name, value)| format!(", {name} {value}"))
                .collect();
            told.concat()
        };
        format!(
            "{} at {}{}; {} at {}{}; {} games a level, {}, seed {}",
            engine.name,
            engine.thinking,
            options(engine),
            self.opponent,
            opponent.thinking,
            options(opponent),
            self.games,
            self.openings.describe(),
            self.openings.seed
        )
    }
}

/// The program's file: as it is given, on the PATH, or among the system's games.
fn find(program: &str) -> Result<String> {
    if program.contains('/') {
        ensure!(Path::new(program).is_file(), "--opponent: there is no file {program}");
        return Ok(program.to_owned());
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([GAMES.into()]);
    let found = folders.map(|folder| folder.join(program)).find(|file| file.is_file());
    let found = found.with_context(|| {
        format!(
            "{program} is neither on the PATH nor in {GAMES}; install it (Debian: apt install {program}) or give its path \
             with --opponent"
        )
    })?;
    Ok(found.to_string_lossy().into_owned())
}

fn at_level(opponent: &EngineSpec, elo: i64) -> EngineSpec {
    let mut spec = opponent.clone();
    spec.name = format!("{} {elo}", opponent.name);
    spec.options.push(("UCI_Elo".to_owned(), elo.to_string()));
    spec
}

/// The rating by all games.
fn performance(standings: &Standings, levels: &[i64]) -> Option<Performance> {
    let level = |(&elo, score): (&i64, &PairingScore)| Level {
        elo: elo as f64,
        wins: score.wins,
        draws: score.draws,
        losses: score.losses,
        pairs: Some(score.pairs),
    };
    Performance::of(&levels.iter().zip(standings.scores()).map(level).collect::<Vec<_>>())
}

fn sentence(standings: &Standings, levels: &[i64]) -> String {
    performance(standings, levels)
        .map_or("no game is over".to_owned(), |found| format!("{:.0} +/- {:.0} Elo", found.elo, found.error))
}

fn table(standings: &Standings, performance: &Performance) -> String {
    let mut lines = vec![
        "| Level | Elo  | Score        | Share   | Performance  | Expected |".to_owned(),
        "|-------|------|--------------|---------|--------------|----------|".to_owned(),
    ];
    for (number, (level, score)) in performance.levels.iter().zip(standings.scores()).enumerate() {
        let points = format!("{:.1}/{}", level.points, level.games);
        let share = 100.0 * level.points / level.games.max(1) as f64;
        let own = match (level.performance, level.error) {
            _ if score.wins + score.draws == 0 => format!("<{:.0}", level.performance.unwrap_or(level.opponent)),
            _ if score.losses + score.draws == 0 => format!(">{:.0}", level.performance.unwrap_or(level.opponent)),
            (Some(elo), Some(error)) => format!("{elo:.0} +/- {error:.0}"),
            _ => "-".to_owned(),
        };
        lines.push(format!(
            "| {number:<5} | {:<4.0} | {points:<12} | {share:>5.1} % | {own:<12} | {:>8.1} |",
            level.opponent, level.expected
        ));
    }
    lines.push(format!(
        "\nRating: {:.0} +/- {:.0} Elo (95 %), joint over all levels.",
        performance.elo, performance.error
    ));
    if !performance.is_bounded {
        lines.push(
            "All points went one way, so the games alone bound it on one side only: try other levels.".to_owned(),
        );
    }
    if let Some(p_value) = performance.misfit.p_value.filter(|p_value| *p_value < 0.01) {
        lines.push(format!("One rating does not explain the results against all levels (p {p_value:.4})."));
    }
    lines.join("\n")
}

fn object(standings: &Standings, performance: Option<&Performance>, conditions: &str, run: Option<RunId>) -> Value {
    let played = performance.map_or(&[][..], |found| &found.levels).iter().zip(standings.scores());
    let levels = played.map(|(level, score)| {
        json!({
            "elo": level.opponent, "games": level.games, "points": level.points, "wins": score.wins, "draws": score.draws,
            "losses": score.losses, "ptnml": score.pairs, "performance": level.performance,
            "performance_error": level.error, "expected": level.expected, "z": level.z,
        })
    });
    json!({
        "elo": performance.map(|found| found.elo), "elo_error": performance.map(|found| found.error),
        "is_bounded": performance.map(|found| found.is_bounded), "levels": levels.collect::<Vec<_>>(),
        "p_value": performance.and_then(|found| found.misfit.p_value), "conditions": conditions,
        "games": standings.games(), "incidents": standings.incidents(), "run": run,
    })
}
