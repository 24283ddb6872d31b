//! Nodes per second of UCI engines, side by side: `make speed`.
//!
//! The engines take turns on the same positions, so that a noisy machine disturbs all of them alike. What counts is the
//! ratio to the last engine, position by position. A rate is the nodes of the last `info` line over the time of that line.

use std::process::ExitCode;
use std::sync::Barrier;
use std::time::Duration;

use clap::Parser;
use engine::bench::POSITIONS;
use lab::arena::{EngineSpec, Host, Info, Player, PlayerError, Thinking, read_engines};

/// Measure nodes per second of UCI engines on the same positions
#[derive(Parser)]
#[command(after_help = "Examples:
  cargo bench -p lab --bench speed -- cmd=./marquetry name=new cmd=./old
  cargo bench -p lab --bench speed -- self --together 2

An engine is `self` (./marquetry, as make leaves it) or `cmd=PROGRAM`, then any of name=, weights= (for self),
option.NAME=. Paths begin at the root of the repository.")]
struct Speed {
    /// The engines; ratios are to the last one
    #[arg(value_name = "SPEC", required = true)]
    engines: Vec<String>,

    /// Seconds for each position
    #[arg(long, value_name = "SECONDS", default_value = "0.5")]
    movetime: f64,

    /// Megabytes of each engine's table
    #[arg(long, value_name = "MB", default_value = "16")]
    hash: u32,

    /// Threads of each engine
    #[arg(long, value_name = "N", default_value = "1", conflicts_with = "together")]
    threads: u32,

    /// For each engine, one process with so many threads against so many processes at once
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=512))]
    together: Option<u32>,

    /// What cargo says to every benchmark
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> ExitCode {
    match Speed::parse().run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

impl Speed {
    fn run(&self) -> Result<(), Box<dyn std::error::Error>> {
        std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))?;
        let time = Duration::try_from_secs_f64(self.movetime)?;
        let own = ["./marquetry".to_owned(), "uci".to_owned()];
        let engines = read_engines(&self.engines, &[], &own, Some(Thinking::MoveTime(time)))?;
        println!("Nodes per second, {} positions, {} s each, Hash {}", POSITIONS.len(), self.movetime, self.hash);
        let Some(count) = self.together else {
            let contender = |spec: &EngineSpec| self.contender(spec, spec.name.clone(), 1, self.threads);
            return Ok(compare(engines.iter().map(contender).collect(), time)?);
        };
        for spec in &engines {
            let threads = self.contender(spec, format!("{}, {count} threads", spec.name), 1, count);
            let processes = self.contender(spec, format!("{}, {count} processes", spec.name), count, 1);
            compare(vec![threads, processes], time)?;
        }
        Ok(())
    }

    /// Some processes of one engine, with what is common to all before its own options.
    fn contender(&self, spec: &EngineSpec, name: String, processes: u32, threads: u32) -> Contender {
        let mut spec = spec.clone();
        let common =
            [("Threads", threads.to_string()), ("Hash", self.hash.to_string()), ("UCI_Chess960", "true".to_owned())];
        spec.options.splice(0..0, common.map(|(key, value)| (key.to_owned(), value)));
        Contender { name, spec, processes, rates: Vec::new() }
    }
}

/// What is measured: processes that work at the same time.
struct Contender {
    name: String,
    spec: EngineSpec,
    processes: u32,
    /// Of each position; none if a search ended too early to tell.
    rates: Vec<Option<Rate>>,
}

/// Nodes, and the seconds that they took.
#[derive(Copy, Clone)]
struct Rate {
    nodes: f64,
    seconds: f64,
}

impl Rate {
    fn per_second(self) -> f64 {
        self.nodes / self.seconds
    }
}

/// Lets the contenders take turns, position by position, and prints what came of it.
fn compare(mut contenders: Vec<Contender>, time: Duration) -> Result<(), PlayerError> {
    let start = |contender: &Contender| {
        (0..contender.processes).map(|_| Player::start(&contender.spec, &Host::default())).collect()
    };
    let mut teams = contenders.iter().map(start).collect::<Result<Vec<Vec<Player>>, _>>()?;
    for (place, fen) in POSITIONS.iter().enumerate() {
        let mut turns: Vec<_> = contenders.iter_mut().zip(&mut teams).collect();
        // Nobody is always first
        if place % 2 == 1 {
            turns.reverse();
        }
        for (contender, team) in turns {
            contender.rates.push(measure(team, fen, time)?);
        }
    }
    print(&contenders);
    Ok(())
}

/// The rate of players that begin together: the sum of theirs.
fn measure(team: &mut [Player], fen: &str, time: Duration) -> Result<Option<Rate>, PlayerError> {
    let barrier = &Barrier::new(team.len());
    let rates = std::thread::scope(|scope| {
        let threads: Vec<_> =
            team.iter_mut().map(|player| scope.spawn(move || measure_one(player, fen, time, barrier))).collect();
        let rates = threads.into_iter().map(|thread| thread.join().expect("measuring does not panic"));
        rates.collect::<Result<Option<Vec<Rate>>, _>>()
    })?;
    Ok(rates.map(|rates| {
        let seconds = rates.iter().map(|rate| rate.seconds).sum::<f64>() / rates.len() as f64;
        Rate { nodes: rates.iter().map(|rate| rate.per_second()).sum::<f64>() * seconds, seconds }
    }))
}

fn measure_one(player: &mut Player, fen: &str, time: Duration, barrier: &Barrier) -> Result<Option<Rate>, PlayerError> {
    let is_ready = player.new_game();
    barrier.wait();
    is_ready?;
    let mut last = None;
    let mut note = |info: &Info, time: Duration| {
        if let Some(nodes) = info.nodes {
            last = Some(Rate { nodes: nodes as f64, seconds: time.as_secs_f64() });
        }
    };
    let (position, go) = (format!("position fen {fen}"), Thinking::MoveTime(time).go());
    let patience = time.saturating_add(Duration::from_secs(10));
    player.follow(&position, &go, patience, &mut note, &|| false)?;
    Ok(last.filter(|rate| rate.nodes > 0.0 && rate.seconds >= 0.1 * time.as_secs_f64()))
}

fn print(contenders: &[Contender]) {
    let Some(last) = contenders.last() else { return };
    let is_whole = |place: &usize| contenders.iter().all(|contender| contender.rates[*place].is_some());
    let places: Vec<usize> = (0..POSITIONS.len()).filter(is_whole).collect();
    let rates = |contender: &Contender| places.iter().filter_map(|&place| contender.rates[place]).collect::<Vec<_>>();
    let width = contenders.iter().map(|contender| contender.name.len()).max().unwrap_or(0);
    println!("\n{:width$}  {:>12}  ratio: median   overall", "", "nps");
    for contender in contenders {
        let (own, reference) = (rates(contender), rates(last));
        let ratios = own.iter().zip(&reference).map(|(own, other)| own.per_second() / other.per_second());
        let (speed, reference) = (overall(&own), overall(&reference));
        let (median, overall) = (median(ratios.collect()), speed / reference);
        println!("{:width$}  {speed:>12.0}  {median:>13.3}  {overall:>8.3}", contender.name);
    }
    if places.len() < POSITIONS.len() {
        println!("Left out, because a search ended early: {} positions.", POSITIONS.len() - places.len());
    }
}

fn overall(rates: &[Rate]) -> f64 {
    rates.iter().map(|rate| rate.nodes).sum::<f64>() / rates.iter().map(|rate| rate.seconds).sum::<f64>()
}

/// The middle value, or the mean of the two in the middle.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => f64::NAN,
        odd if odd % 2 == 1 => values[middle],
        _ => 0.5 * (values[middle - 1] + values[middle]),
    }
}
