//! How fast the tuner is: reading, gradients and epochs, on one thread, on all, and in as many processes side by side.

use std::io::{BufRead, BufReader, Write};
use std::ops::ControlFlow;
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use engine::Weights;
use lab::ablation::LossKind;
use lab::tune::{Dataset, LoadSettings, Loader, Lot, Objective, Part, Space, Trainer, on_threads, values_of};
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};

use super::Tune;
use crate::output::outln;

/// How long gradients and epochs are repeated.
const SECONDS: f64 = 3.0;

/// Millions a second by the clock on the wall, and a second of processor time: on an idle machine the two agree, and on a
/// busy one the second tells what the first would be.
#[derive(Copy, Clone, Default)]
struct Rate {
    wall: f64,
    processor: f64,
}

/// Positions and coefficients.
#[derive(Copy, Clone, Default)]
struct Rates {
    load: Rate,
    gradient: Rate,
    epoch: Rate,
}

impl Rates {
    fn object(self) -> Value {
        let of = |rate: Rate| json!({ "per_second": rate.wall, "per_processor_second": rate.processor });
        json!({ "load": of(self.load), "gradient": of(self.gradient), "epoch": of(self.epoch) })
    }
}

/// Measures from now on.
struct Watch {
    wall: Instant,
    processor: f64,
}

impl Watch {
    fn start() -> Watch {
        Watch { wall: Instant::now(), processor: processor_seconds() }
    }

    /// The rate, if so many millions were done since.
    fn rate(&self, millions: f64) -> Rate {
        let processor = processor_seconds() - self.processor;
        Rate { wall: millions / self.wall.elapsed().as_secs_f64(), processor: millions / processor }
    }
}

/// Processor time of all threads of this process so far.
fn processor_seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

impl Tune {
    /// Measures and prints. A process that was started for this waits for its turns.
    pub(super) fn bench(&self) -> Result<ExitCode> {
        let start = Weights::load(&self.weights)?;
        let space = self.space_of(&start)?;
        if self.bench_beside {
            return self.beside(&start, &space);
        }
        let threads = self.threads();
        let (data, load) = self.timed_load(&start, &space, 1)?;
        let size = data.size(Part::Training);
        let one = self.rates(data, load, &start, &space, 1)?;
        let (data, load) = self.timed_load(&start, &space, threads)?;
        let all = self.rates(data, load, &start, &space, threads)?;
        let processes = self.processes(threads)?;
        let (rows, coefficients) = (size.rows as f64, size.coefficients as f64);
        if self.json {
            outln!(
                "{}",
                json!({
                    "positions": size.rows, "coefficients": size.coefficients, "bytes": size.bytes, "threads": threads,
                    "one_thread": one.object(), "all_threads": all.object(), "processes": processes.object(),
                })
            );
            return Ok(ExitCode::SUCCESS);
        }
        outln!(
            "{} positions, {:.1} coefficients and {:.1} bytes each; allowed are {:.1} (5 a coefficient and 32 a position).",
            size.rows,
            coefficients / rows,
            size.bytes as f64 / rows,
            5.0 * coefficients / rows + 32.0
        );
        outln!("Millions a second (a second of processor time)");
        outln!("                       1 thread      {threads} threads    {threads} processes   threads/processes");
        for (name, of) in [
            ("positions read", (|rates: &Rates| rates.load) as fn(&Rates) -> Rate),
            ("coef., gradient", |rates| rates.gradient),
            ("coef., epoch", |rates| rates.epoch),
        ] {
            let both = |rate: Rate| format!("{:.2} ({:.2})", rate.wall, rate.processor);
            let (one, all, apart) = (of(&one), of(&all), of(&processes));
            let ratio = all.wall / apart.wall;
            outln!("{name:<15}{:>16}{:>16}{:>16}{ratio:>20.3}", both(one), both(all), both(apart));
        }
        outln!("An epoch is of batches with a step of the descent after each, a gradient of all positions at once.");
        Ok(ExitCode::SUCCESS)
    }

    fn timed_load(&self, start: &Weights, space: &Space, threads: usize) -> Result<(Dataset, Rate)> {
        let watch = Watch::start();
        let mut loader = Loader::new(start, space, LoadSettings { validation: 0.0, threads })?;
        for path in &self.data {
            loader.add(path, Lot::Divided, |_| ControlFlow::Continue(()))?;
        }
        let data = loader.finish()?;
        let rate = watch.rate(data.size(Part::Training).rows as f64 / 1e6);
        Ok((data, rate))
    }

    fn rates(&self, mut data: Dataset, load: Rate, start: &Weights, space: &Space, threads: usize) -> Result<Rates> {
        on_threads(threads, || {
            let gradient = gradient_rate(&mut data, start)?;
            Ok(Rates { load, gradient, epoch: self.epoch_rate(&mut data, start, space)? })
        })?
    }

    fn epoch_rate(&self, data: &mut Dataset, start: &Weights, space: &Space) -> Result<Rate> {
        let coefficients = data.size(Part::Training).coefficients as f64;
        let mut trainer = Trainer::new(data, space, &values_of(start), OBJECTIVE, self.train())?;
        rate(coefficients, || Ok(trainer.epoch(&mut || true).map(drop)?))
    }

    /// The sum of the rates of so many processes that do the same at the same time.
    fn processes(&self, count: usize) -> Result<Rates> {
        let mut children = (0..count).map(|_| self.start_beside()).collect::<Result<Vec<_>>>()?;
        let mut sum = Rates::default();
        for rate in [&mut sum.load, &mut sum.gradient, &mut sum.epoch] {
            for child in &mut children {
                writeln!(child.stdin.as_mut().context("a process cannot be told to begin")?)?;
            }
            for child in &mut children {
                let one = read_rate(child)?;
                rate.wall += one.wall;
                rate.processor += one.processor / count as f64;
            }
        }
        for mut child in children {
            child.wait()?;
        }
        Ok(sum)
    }

    fn start_beside(&self) -> Result<Child> {
        let program = std::env::current_exe().context("this program's file is not known")?;
        let mut command = Command::new(program);
        command.args(["tune", "--bench", "--bench-beside", "--threads", "1", "--weights", &self.weights]);
        command.args(self.rows_words()).arg("--data").args(&self.data).stdin(Stdio::piped()).stdout(Stdio::piped());
        command.spawn().context("a process to compare with cannot be started")
    }

    /// One of these processes: measures one thing for each line that it is told.
    fn beside(&self, start: &Weights, space: &Space) -> Result<ExitCode> {
        let wait = || std::io::stdin().read_line(&mut String::new());
        wait()?;
        let (mut data, load) = self.timed_load(start, space, 1)?;
        outln!("{} {}", load.wall, load.processor);
        wait()?;
        let gradient = on_threads(1, || gradient_rate(&mut data, start))??;
        outln!("{} {}", gradient.wall, gradient.processor);
        wait()?;
        let epoch = on_threads(1, || self.epoch_rate(&mut data, start, space))??;
        outln!("{} {}", epoch.wall, epoch.processor);
        Ok(ExitCode::SUCCESS)
    }
}

const OBJECTIVE: Objective = Objective { kind: LossKind::Squared, scale: 1.0, lambda: 0.0 };

fn gradient_rate(data: &mut Dataset, start: &Weights) -> Result<Rate> {
    let coefficients = data.size(Part::Training).coefficients as f64;
    rate(coefficients, || Ok(data.full_gradient(&values_of(start), OBJECTIVE).map(drop)?))
}

/// The rate of work of which each turn does so much.
fn rate(each: f64, mut work: impl FnMut() -> Result<()>) -> Result<Rate> {
    work()?;
    let watch = Watch::start();
    let mut turns = 0.0;
    while watch.wall.elapsed() < Duration::from_secs_f64(SECONDS) {
        work()?;
        turns += 1.0;
    }
    Ok(watch.rate(turns * each / 1e6))
}

fn read_rate(child: &mut Child) -> Result<Rate> {
    let stdout = child.stdout.as_mut().context("a process to compare with says nothing")?;
    let mut line = String::new();
    // A line is all that is there
    BufReader::with_capacity(1, stdout).read_line(&mut line)?;
    let numbers: Vec<f64> = line.split_whitespace().filter_map(|number| number.parse().ok()).collect();
    match numbers.as_slice() {
        &[wall, processor] => Ok(Rate { wall, processor }),
        _ => bail!("a process to compare with has failed"),
    }
}
