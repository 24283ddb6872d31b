//! Feeds a UCI session with lines that are right, nearly right and wrong, and watches for panics and hangs.
//!
//! `cargo run --profile test -p engine --example fuzz_uci -- LINES SEED`; the test profile keeps every assertion alive. A
//! failure names the seed and shows the last lines.

use std::collections::VecDeque;
use std::io::Write;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use chess::Position;
use engine::uci::Session;
use engine::{PRESETS, TUNABLES};
use fastrand::Rng;

/// Set by the panic of any thread.
static PANICKED: AtomicBool = AtomicBool::new(false);
/// Lines handled so far.
static HANDLED: AtomicU64 = AtomicU64::new(0);
/// A line that takes longer than this hangs.
const PATIENCE: Duration = Duration::from_secs(60);

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).map(|word| word.parse::<u64>());
    let (Ok(lines), Ok(seed)) = (arguments.next().unwrap_or(Ok(100_000)), arguments.next().unwrap_or(Ok(1))) else {
        eprintln!("write fuzz_uci LINES SEED, both whole numbers");
        return ExitCode::from(2);
    };
    let start = Instant::now();
    let show = |done: u64, nodes: u64| {
        let speed = done as f64 / start.elapsed().as_secs_f64();
        println!("{done} lines, {nodes} nodes searched, {speed:.0} lines a second");
    };
    match fuzz(lines, seed, show) {
        Ok(()) => ExitCode::SUCCESS,
        Err(story) => {
            eprintln!("{story}");
            ExitCode::FAILURE
        }
    }
}

/// Feeds so many lines; `show` is told now and then, and at the end, how many lines were handled and nodes searched.
fn fuzz(lines: u64, seed: u64, show: impl Fn(u64, u64)) -> Result<(), String> {
    watch_for_panics();
    let recent = Arc::new(Mutex::new(VecDeque::new()));
    watch_for_hangs(recent.clone(), seed);
    let sink = Arc::new(Mutex::new(Sink::default()));
    let mut session = new_session(&sink)?;
    let mut source = Source { rng: Rng::with_seed(seed) };
    // Lines until a search that runs is stopped
    let mut leash = None;
    for number in 1..=lines {
        let line = if leash == Some(0) { "stop".to_owned() } else { source.line() };
        leash = match leash {
            Some(0) => None,
            _ if line.contains("go") => Some(source.rng.u32(0..3)),
            Some(length) => Some(length - 1),
            None => None,
        };
        remember(&recent, &line);
        if !session.handle(&line) {
            drop(session);
            session = new_session(&sink)?;
        }
        HANDLED.store(number, Ordering::Relaxed);
        if PANICKED.load(Ordering::Relaxed) {
            return Err(story("a panic", seed, &recent));
        }
        if number.is_multiple_of(100_000) || number == lines {
            session.handle("stop");
            session.wait();
            show(number, sink.lock().map_or(0, |sink| sink.nodes));
        }
    }
    drop(session);
    if PANICKED.load(Ordering::Relaxed) { Err(story("a panic", seed, &recent)) } else { Ok(()) }
}

fn new_session(sink: &Arc<Mutex<Sink>>) -> Result<Session, String> {
    let mut session = Session::new(sink.clone()).ok_or("there is no memory for a session")?;
    session.handle("setoption name Hash value 1");
    Ok(session)
}

type Recent = Mutex<VecDeque<String>>;

fn remember(recent: &Recent, line: &str) {
    if let Ok(mut recent) = recent.lock() {
        recent.push_back(line.chars().take(500).collect());
        if recent.len() > 40 {
            recent.pop_front();
        }
    }
}

fn story(what: &str, seed: u64, recent: &Recent) -> String {
    let lines = recent.lock().map(|recent| recent.iter().cloned().collect::<Vec<_>>()).unwrap_or_default();
    let handled = HANDLED.load(Ordering::Relaxed);
    format!("{what} with seed {seed} after {handled} lines, the last of them:\n{}", lines.join("\n"))
}

fn watch_for_panics() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        PANICKED.store(true, Ordering::Relaxed);
        usual(panic);
    }));
}

fn watch_for_hangs(recent: Arc<Recent>, seed: u64) {
    std::thread::spawn(move || {
        let mut last = 0;
        loop {
            std::thread::sleep(PATIENCE);
            let now = HANDLED.load(Ordering::Relaxed);
            if now == last {
                eprintln!("{}", story("a hang", seed, &recent));
                std::process::exit(1);
            }
            last = now;
        }
    });
}

/// Swallows replies and counts the nodes of searches.
#[derive(Default)]
struct Sink {
    nodes: u64,
    last: u64,
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        if text.starts_with("info depth") {
            let nodes = text.split(' ').skip_while(|&word| word != "nodes").nth(1);
            self.last = nodes.and_then(|nodes| nodes.parse().ok()).unwrap_or(0);
        } else if text.starts_with("bestmove") {
            self.nodes += std::mem::take(&mut self.last);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

const FENS: [&str; 10] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "nrkbbqrn/pp1ppp1p/8/2pP2p1/8/8/PPP1PPPP/NRKBBQRN w GBgb c6 0 3",
    "2r1k1r1/pppppppp/8/8/8/8/PPPPPPPP/R4K1R w HAgc - 99 1",
    "qqqqkqqq/8/8/8/8/8/8/QQQQKQQQ w - - 0 1",
    "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1",
    "7k/8/6Q1/8/8/8/8/4K3 b - - 0 1",
    "8/5k2/3p4/1p1Pp2p/pP2Pp1P/P4P1K/8/8 b - -",
];

const OPTIONS: [(&str, &[&str]); 14] = [
    ("Hash", &["1", "2", "4", "0", "-1", "64", "1e3", "100000", "99999999999"]),
    ("Clear Hash", &[""]),
    ("Threads", &["1", "1", "2", "3", "0", "8", "2000"]),
    ("Ponder", &["true", "false", "maybe"]),
    ("MultiPV", &["1", "1", "2", "5", "256", "0", "1.5"]),
    ("Move Overhead", &["0", "10", "5000", "-1", "inf", "nan"]),
    ("UCI_Chess960", &["true", "false", "", "TRUE"]),
    ("UCI_ShowWDL", &["true", "false"]),
    ("UCI_AnalyseMode", &["true", "false"]),
    ("UCI_LimitStrength", &["true", "false"]),
    ("UCI_Elo", &["1000", "1500", "2800", "-9", "1e9"]),
    ("EvalFile", &["default", "<empty>", "", "no such file", "/", "\u{0}"]),
    ("UsePSTInterpolation", &["true", "false"]),
    ("Nothing", &["true", "4"]),
];

const LIMITS: [&str; 12] = [
    "depth",
    "nodes",
    "movetime",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "mate",
    "infinite",
    "ponder",
    "searchmoves e2e4 e7e5 a1a2",
];

const NUMBERS: [&str; 14] = [
    "0",
    "1",
    "2",
    "3",
    "-1",
    "50",
    "99",
    "3.7",
    "1e4",
    "2147483648",
    "-9223372036854775808",
    "9223372036854775807",
    "99999999999999999999",
    "nan",
];

const WORDS: [&str; 16] = [
    "go",
    "stop",
    "uci",
    "position",
    "startpos",
    "fen",
    "moves",
    "setoption",
    "name",
    "value",
    "infinite",
    "e1g1",
    "e7e8q",
    "0000",
    "(none)",
    "é♞",
];

const EXTRAS: [&str; 4] = ["genfens 1 seed 3 book None", "genfens 0 seed", "bench 1", "bench x"];

const ODDITIES: [&str; 8] = ["", " ", "\t\r", "hello", "register later", "go perft 2", "weights dump", "debug"];

/// Makes lines.
struct Source {
    rng: Rng,
}

impl Source {
    /// A line that is quick to handle.
    fn line(&mut self) -> String {
        loop {
            let mut line = self.valid();
            while self.rng.u32(0..100) < 30 {
                line = self.mutated(&line);
            }
            if self.is_quick(&line) {
                return line;
            }
        }
    }

    /// Whether a line takes little time and memory and writes no file.
    fn is_quick(&mut self, line: &str) -> bool {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |place: usize| words.get(place).and_then(|word| word.parse::<f64>().ok());
        let value = words.iter().position(|&word| word == "value").and_then(|place| number(place + 1));
        let is_about = |name: &str| line.to_ascii_lowercase().contains(name);
        match words.first() {
            Some(&"go") => {
                let mut perfts = (0..words.len()).filter(|&place| words[place] == "perft");
                perfts.all(|place| number(place + 1).is_none_or(|depth| depth <= 2.0))
            }
            Some(&"bench") => words.get(1).is_some_and(|_| number(1).is_none_or(|depth| depth <= 1.0)),
            Some(&"genfens") => number(1).is_none_or(|count| count <= 1.0),
            Some(&"weights") => words.get(1) != Some(&"dump") || words.len() == 2,
            Some(&"setoption") if is_about("threads") => value.is_none_or(|threads| threads <= 8.0),
            Some(&"setoption") if is_about("hash") => {
                value.is_none_or(|megabytes| megabytes <= 64.0 || self.rng.u32(0..50) == 0)
            }
            _ => true,
        }
    }

    fn one<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.rng.usize(0..all.len())]
    }

    /// A line that a program might send.
    fn valid(&mut self) -> String {
        match self.rng.u32(0..1000) {
            0..300 => self.position(),
            300..380 => self.go(),
            380..520 => self.option(),
            520..620 => "isready".to_owned(),
            620..720 => "stop".to_owned(),
            720..780 => "ponderhit".to_owned(),
            780..790 => "uci".to_owned(),
            790..850 => "d".to_owned(),
            850..880 => "eval".to_owned(),
            880..930 => "flip".to_owned(),
            930..960 => format!("debug {}", self.one(&["on", "off", "", "maybe"])),
            960..963 => "ucinewgame".to_owned(),
            963..966 => format!("weights load {}", self.one(&["seajay", "default", "nothing", ""])),
            966..967 => self.one(&EXTRAS).to_owned(),
            967..969 => "quit".to_owned(),
            _ => self.one(&ODDITIES).to_owned(),
        }
    }

    fn position(&mut self) -> String {
        let fen = self.one(&FENS);
        let Some(mut position) = fen.parse::<Position>().ok().filter(|_| self.rng.bool()) else {
            return format!("position fen {fen}");
        };
        let mut line = format!("position fen {fen} moves");
        for _ in 0..self.rng.u32(0..12) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[self.rng.usize(0..moves.len())];
            line.push_str(&format!(" {}", mv.uci(position.castling_mode())));
            position.play(mv);
        }
        line
    }

    fn go(&mut self) -> String {
        let mut line = "go".to_owned();
        for _ in 0..self.rng.u32(0..4) {
            let word = self.one(&LIMITS);
            line.push_str(&format!(" {word}"));
            if !matches!(word, "infinite" | "ponder") && !word.starts_with("search") {
                line.push_str(&format!(" {}", self.one(&NUMBERS)));
            }
        }
        line
    }

    fn option(&mut self) -> String {
        match self.rng.u32(0..10) {
            0..3 => {
                let tunable = &TUNABLES[self.rng.usize(0..TUNABLES.len())];
                format!("setoption name {} value {}", tunable.name, self.rng.i32(tunable.min - 1..=tunable.max + 1))
            }
            // A table of the usual size again
            3 => "setoption name Hash value 1".to_owned(),
            4 if self.rng.u32(0..20) == 0 => format!("setoption name EvalFile value {}", self.one(PRESETS).0),
            _ => {
                let (name, values) = self.one(&OPTIONS);
                format!("setoption name {name} value {}", self.one(values))
            }
        }
    }

    /// The line with something wrong in it.
    fn mutated(&mut self, line: &str) -> String {
        let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let (here, there) = (self.rng.usize(0..words.len()), self.rng.usize(0..words.len()));
        match self.rng.u32(0..12) {
            0 => {
                words.remove(here);
            }
            1 => words.insert(here, words[there].clone()),
            2 => words.swap(here, there),
            3 => self.one(&WORDS).clone_into(&mut words[here]),
            4 => self.one(&NUMBERS).clone_into(&mut words[here]),
            5 => words[here] = words[here].to_uppercase(),
            6 => words.truncate(here),
            7 => words[here].push_str(self.one(&["\t", "\r", "\u{0}", "é", "--", "/", "9", "=q"])),
            8 => words[here] = self.garbage(),
            9 if self.rng.u32(0..50) == 0 => {
                words[here] = format!("{} ", words[here]).repeat(self.rng.usize(1..2000));
            }
            _ => words[here] = self.misspelt(&words[here]),
        }
        words.join(" ")
    }

    /// Any bytes at all.
    fn garbage(&mut self) -> String {
        let bytes: Vec<u8> = (0..self.rng.usize(0..30)).map(|_| self.rng.u8(..)).collect();
        String::from_utf8_lossy(&bytes).replace('\n', " ")
    }

    /// A word with one letter exchanged for one that fits into a FEN or a move.
    fn misspelt(&mut self, word: &str) -> String {
        let mut letters: Vec<char> = word.chars().collect();
        if letters.is_empty() {
            return String::new();
        }
        let place = self.rng.usize(0..letters.len());
        letters[place] = char::from(self.one(b"pnbrqkPNBRQK/12345678wb-KQkqAHah0"));
        letters.into_iter().collect()
    }
}

#[test]
fn twenty_thousand_lines_do_no_harm() {
    if let Err(story) = fuzz(20_000, 7, |_, _| ()) {
        panic!("{story}");
    }
}
