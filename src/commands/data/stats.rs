//! `marquetry data stats`: what files of positions hold.

use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;
use clap::Args;
use engine::Weights;
use lab::data::census::{Census, Judged, PARTS, PLIES, Points, STRETCHES};
use lab::data::filter::KeySet;
use serde_json::{Value, json};

use super::inputs::Inputs;
use super::{Threads, grouped, percent};
use crate::interrupt;
use crate::output::outln;

/// Phases of a line of the table.
const PHASES: usize = 5;

/// Show what files hold: positions, games, results, values, phases, plies, duplicates, what is quiet
#[derive(Args)]
#[command(after_help = "Examples:
  marquetry data stats positions.epd.xz
  marquetry data stats a.mqg b.mqg --json
  marquetry data stats positions.epd --brief --threads 1

Lines and games that cannot be read are counted, and the first of them are shown with their line numbers. --brief leaves out
what takes longer: games, duplicates, and what the evaluation says. A position is quiet if nobody is in check, the best move is
no capture or promotion where it is known, and no capture is better than standing still. Ctrl-C ends it with the numbers so far.")]
pub(crate) struct Stats {
    /// The files
    #[arg(required = true)]
    files: Vec<String>,

    /// Only what stands in the files
    #[arg(long)]
    brief: bool,

    /// The weights that judge: a preset's name or a file
    #[arg(long, value_name = "WEIGHTS", default_value = "default")]
    weights: String,

    /// Megabytes to remember positions in, to find duplicates
    #[arg(long, value_name = "MB", default_value = "256", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    memory: u32,

    #[command(flatten)]
    threads: Threads,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What is found in all files together.
struct Found {
    census: Census,
    seen: Option<Seen>,
    seconds: f64,
}

/// Positions and games that were met.
struct Seen {
    positions: KeySet,
    games: KeySet,
    duplicates: u64,
    game_count: u64,
}

impl Seen {
    fn new(megabytes: usize) -> Seen {
        Seen {
            positions: KeySet::new(megabytes),
            games: KeySet::new(megabytes.div_ceil(4)),
            duplicates: 0,
            game_count: 0,
        }
    }

    fn add(&mut self, position: u64, game: u64) {
        self.duplicates += u64::from(!self.positions.insert(position));
        // Numbers of games are spread over all buckets by a large odd factor
        self.game_count += u64::from(self.games.insert((game + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)));
    }

    /// Whether some may have been counted twice.
    fn is_incomplete(&self) -> bool {
        self.positions.forgotten() + self.games.forgotten() > 0
    }
}

impl Stats {
    pub(super) fn run(&self) -> Result<ExitCode> {
        let weights = Weights::load(&self.weights)?;
        let weights = (!self.brief).then_some(&weights);
        let mut inputs = Inputs::new(&self.files, "stats")?;
        let mut found = Found {
            census: Census::default(),
            seen: (!self.brief).then(|| Seen::new(self.memory as usize)),
            seconds: 0.0,
        };
        let start = Instant::now();
        inputs.read(|samples, goes_on| {
            samples.in_parallel(
                self.threads.count(),
                |samples| {
                    let keys = samples.iter().map(|sample| (sample.position.keys().full(), sample.game));
                    let keys: Vec<(u64, u64)> = if self.brief { Vec::new() } else { keys.collect() };
                    (Census::of(&samples, weights), keys)
                },
                |(census, keys), bytes| {
                    found.census.join(&census);
                    if let Some(seen) = &mut found.seen {
                        keys.into_iter().for_each(|(position, game)| seen.add(position, game));
                    }
                    if goes_on(bytes) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                },
            )
        })?;
        found.seconds = start.elapsed().as_secs_f64();
        inputs.refuse_nothing(found.census.positions)?;
        if self.json {
            outln!("{}", self.report(&inputs, &found));
        } else {
            print(&inputs, &found);
        }
        Ok(ExitCode::from(u8::from(interrupt::came())))
    }

    fn report(&self, inputs: &Inputs, found: &Found) -> Value {
        let Found { census, seen, seconds } = found;
        let [white, drawn, black] = census.results;
        let (known, sum, sizes) = census.values;
        let mean = |sum: f64| (known > 0).then(|| sum / known as f64);
        let points = |points: &Points| json!({ "positions": points.count, "white_points": points.mean() });
        let judged = census.judged.as_ref();
        json!({
            "files": self.files, "positions": census.positions, "seconds": seconds, "threads": self.threads.count(),
            "bad_lines": inputs.bad_count(), "first_bad_lines": inputs.bad_objects(),
            "games": seen.as_ref().map(|seen| seen.game_count),
            "duplicates": seen.as_ref().map(|seen| seen.duplicates),
            "may_be_incomplete": seen.as_ref().map(Seen::is_incomplete),
            "results": { "white": white, "drawn": drawn, "black": black, "other": census.positions - white - drawn - black },
            "white_points": census.all.mean(), "black_to_move": census.black_to_move,
            "in_check": census.in_check, "finished": census.finished,
            "values": { "known": known, "mean": mean(sum as f64), "mean_size": mean(sizes as f64) },
            "best_moves": { "known": census.best_moves.0, "captures_or_promotions": census.best_moves.1 },
            "phases": census.phases.iter().map(points).collect::<Vec<_>>(),
            "plies": { "stretch": PLIES, "positions": census.plies, "unknown": census.no_ply },
            "men": census.men as f64 / census.positions.max(1) as f64,
            "level_material": census.level_material, "chess960": census.chess960,
            "quiet": judged.map(|judged| judged.quiet), "unsettled": judged.map(|judged| judged.unsettled),
            "static_values": judged.map(|judged| json!({
                "parted_at": PARTS, "parts": judged.by_value.iter().map(points).collect::<Vec<_>>(),
            })),
            "weights": (!self.brief).then_some(&self.weights), "interrupted": interrupt::came(),
        })
    }
}

fn print(inputs: &Inputs, found: &Found) {
    let Found { census, seen, seconds } = found;
    let all = census.positions;
    if interrupt::came() {
        outln!("Interrupted; so far:");
    }
    let rate = all as f64 / seconds.max(1e-9) / 1e6;
    outln!("{} positions of {} in {seconds:.1} s, {rate:.2} million a second.\n", grouped(all), inputs.names());
    inputs.print_bad();
    let share = |count: u64| format!("{:.1} %", percent(count, all));
    let line = |what: &str, text: String| outln!("{what:<12} {text}");
    if let Some(seen) = seen {
        let a_game = all as f64 / seen.game_count.max(1) as f64;
        line("Games", format!("{}, {a_game:.1} positions each", grouped(seen.game_count)));
        line("Duplicates", format!("{} ({})", grouped(seen.duplicates), share(seen.duplicates)));
        if seen.is_incomplete() {
            line("", "more than fits into --memory: some positions or games were counted twice".to_owned());
        }
    }
    let [white, drawn, black] = census.results;
    let others = all - white - drawn - black;
    let others = if others > 0 { format!(", others {}", share(others)) } else { String::new() };
    let points = 100.0 * census.all.mean().unwrap_or(0.5);
    line(
        "Results",
        format!(
            "White {}, drawn {}, Black {}{others}; White's points {points:.1} %",
            share(white),
            share(drawn),
            share(black)
        ),
    );
    let (known, sum, sizes) = census.values;
    let mean = |sum: f64| sum / known.max(1) as f64;
    line(
        "Values",
        format!(
            "{} known ({}); mean {:+.0}, mean size {:.0}",
            grouped(known),
            share(known),
            mean(sum as f64),
            mean(sizes as f64)
        ),
    );
    let (best, tactical) = census.best_moves;
    line(
        "Best moves",
        format!("{} known, {:.1} % of them captures or promotions", grouped(best), percent(tactical, best)),
    );
    line(
        "To move",
        format!(
            "Black {}; in check {}, game over {}",
            share(census.black_to_move),
            share(census.in_check),
            share(census.finished)
        ),
    );
    line(
        "Pieces",
        format!("{:.1} on average; level in {}", census.men as f64 / all.max(1) as f64, share(census.level_material)),
    );
    line("Chess960", format!("{} ({})", grouped(census.chess960), share(census.chess960)));
    if let Some(judged) = &census.judged {
        line(
            "Quiet",
            format!("{}; a capture beats the static evaluation in {}", share(judged.quiet), share(judged.unsettled)),
        );
    }
    print_phases(census);
    print_plies(census);
    if let Some(judged) = &census.judged {
        print_values(judged);
    }
}

fn print_phases(census: &Census) {
    outln!(
        "\n| Phase | Positions     | Share   | White's points |\n|-------|---------------|---------|----------------|"
    );
    for (place, phases) in census.phases.chunks(PHASES).enumerate() {
        let from = place * PHASES;
        let count: u64 = phases.iter().map(|phase| phase.count).sum();
        let points: f64 = phases.iter().map(|phase| phase.points).sum();
        row(&format!("{from}-{}", from + phases.len() - 1), 5, &Points { count, points }, census.positions);
    }
    outln!("0 has pawns at most, 24 all pieces: 4 a queen, 2 a rook, 1 a bishop or knight.");
}

fn print_plies(census: &Census) {
    outln!("\n| Ply     | Positions     | Share   |\n|---------|---------------|---------|");
    let line = |name: &str, count: u64| {
        if count > 0 {
            outln!("| {name:<7} | {:>13} | {:>5.1} % |", grouped(count), percent(count, census.positions));
        }
    };
    for (place, &count) in census.plies.iter().enumerate() {
        let from = place * PLIES;
        let to = if place + 1 == STRETCHES { String::new() } else { (from + PLIES - 1).to_string() };
        line(&format!("{from}-{to}"), count);
    }
    line("unknown", census.no_ply);
}

fn print_values(judged: &Judged) {
    outln!(
        "\n| Static value  | Positions     | Share   | White's points |\n|---------------|---------------|---------|----------------|"
    );
    let all = judged.by_value.iter().map(|part| part.count).sum();
    for (place, part) in judged.by_value.iter().enumerate() {
        let from = place.checked_sub(1).map_or(String::new(), |before| format!("{:+}", PARTS[before]));
        let to = PARTS.get(place).map_or(String::new(), |part| format!("{part:+}"));
        row(&format!("{from} to {to}"), 13, part, all);
    }
    outln!("In White's view, in centipawns, of positions without check.");
}

fn row(name: &str, width: usize, points: &Points, all: u64) {
    let mean = points.mean().map_or("-".to_owned(), |mean| format!("{:.1} %", 100.0 * mean));
    outln!("| {name:<width$} | {:>13} | {:>5.1} % | {mean:>14} |", grouped(points.count), percent(points.count, all));
}
