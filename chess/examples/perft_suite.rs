//! Checks perft against whole files of known numbers.
//!
//! `cargo run --release -p chess --example perft_suite -- DEPTH FILE…` reads EPD lines such as
//! `FEN ;D1 20 ;D2 400`, and blocks of `epd FEN` followed by `perft 1 20`, `perft 2 400`.

use std::process::ExitCode;
use std::time::Instant;

use chess::{Epd, Position, perft};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(max_depth) = arguments.next().and_then(|depth| depth.parse().ok()) else {
        eprintln!("usage: perft_suite DEPTH FILE…");
        return ExitCode::from(2);
    };
    let mut suite = Suite { max_depth, counts: 0, leaves: 0, failures: 0 };
    let start = Instant::now();
    for path in arguments {
        match std::fs::read_to_string(&path) {
            Ok(text) => suite.check_file(&path, &text),
            Err(error) => {
                eprintln!("{path}: {error}");
                return ExitCode::from(2);
            }
        }
    }
    if suite.counts + suite.failures == 0 {
        eprintln!("nothing was checked: name files with perft numbers");
        return ExitCode::from(2);
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{} counts to depth {max_depth}, {} failures, {} leaves in {seconds:.1} s ({:.0} million/s)",
        suite.counts,
        suite.failures,
        suite.leaves,
        suite.leaves as f64 / seconds / 1e6
    );
    ExitCode::from(u8::from(suite.failures > 0))
}

struct Suite {
    max_depth: u32,
    counts: u64,
    leaves: u64,
    failures: u64,
}

impl Suite {
    fn check_file(&mut self, path: &str, text: &str) {
        let mut block: Option<Position> = None;
        for (number, line) in (1..).zip(text.lines()) {
            let place = format!("{path}:{number}");
            let words: Vec<&str> = line.split_whitespace().collect();
            match (words.first().copied(), &block) {
                (None, _) => (),
                (Some(word), _) if word.starts_with('#') || word == "id" => (),
                (Some("epd"), _) => block = self.read(&place, &words[1..].join(" ")).map(|epd| epd.position),
                (Some("perft"), Some(position)) => {
                    let (depth, leaves) = (words.get(1).copied(), words.get(2).copied());
                    self.check(&place, &position.clone(), depth.unwrap_or(""), leaves.unwrap_or(""));
                }
                _ => self.check_line(&place, line),
            }
        }
    }

    fn check_line(&mut self, place: &str, line: &str) {
        let Some(epd) = self.read(place, line) else { return };
        for (opcode, operands) in epd.operations() {
            if let (Some(depth), Some(leaves)) = (opcode.strip_prefix('D'), operands.first()) {
                self.check(place, &epd.position, depth, leaves);
            }
        }
    }

    fn read(&mut self, place: &str, line: &str) -> Option<Epd> {
        line.parse().map_err(|error| self.fail(place, &format!("{error}"))).ok()
    }

    fn check(&mut self, place: &str, position: &Position, depth: &str, leaves: &str) {
        let (Ok(depth), Ok(leaves)) = (depth.parse(), leaves.parse::<u64>()) else {
            return self.fail(place, "depth and leaves are not numbers");
        };
        if depth > self.max_depth {
            return;
        }
        let found = perft(position, depth);
        self.counts += 1;
        self.leaves += found;
        if found != leaves {
            self.fail(place, &format!("depth {depth}: {found} leaves instead of {leaves} in {position}"));
        }
    }

    fn fail(&mut self, place: &str, why: &str) {
        self.failures += 1;
        println!("{place}: {why}");
    }
}
