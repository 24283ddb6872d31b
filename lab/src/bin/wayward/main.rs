//! An engine for tests of the conformance check: it keeps every promise of the list but the one that its argument names.
//! It thinks of nothing: an answer is known at once, and is held back where it must be.

mod mind;
mod settings;

use std::io::{BufRead, Write};
use std::time::{Duration, Instant};

use chess::{Position, Trail, perft};

use mind::{Mind, Order};
use settings::Settings;

/// Longer than anybody waits.
const TOO_LONG: Duration = Duration::from_millis(2500);

fn main() {
    let vice = std::env::args().nth(1).unwrap_or_default();
    let mut engine = Wayward {
        settings: Settings::new(&vice),
        position: Position::initial(),
        trail: Trail::new(),
        held: None,
        last: None,
        is_owed: false,
        vice,
    };
    if engine.has("quiet-start") {
        say("Wayward, by nobody in particular");
    }
    for line in std::io::stdin().lock().split(b'\n') {
        let Ok(line) = line else { break };
        let line = String::from_utf8_lossy(&line).into_owned();
        if engine.has("blanks") && line.contains(['\t', '\r']) {
            continue;
        }
        if engine.handle(line.trim()) {
            return;
        }
    }
    if engine.has("end-of-input") || (engine.has("end-of-input-in-search") && engine.held.is_some()) {
        sleep_for_ever();
    }
}

/// The engine, and what it must not forget.
struct Wayward {
    vice: String,
    settings: Settings,
    position: Position,
    trail: Trail,
    /// The answer that waits for `stop` or `ponderhit`.
    held: Option<String>,
    /// The last answer, for one who gives it twice.
    last: Option<String>,
    /// Whether `isready` waits for the end of the search.
    is_owed: bool,
}

impl Wayward {
    fn has(&self, vice: &str) -> bool {
        self.vice == vice
    }

    /// Handles a line, and says whether to leave.
    fn handle(&mut self, line: &str) -> bool {
        let words: Vec<&str> = line.split_whitespace().collect();
        let is_thinking = self.held.is_some();
        match words.as_slice() {
            [] => (),
            ["uci", ..] => self.settings.introduce(),
            ["isready", ..] if self.has("isready-in-search") && is_thinking => self.is_owed = true,
            ["isready", ..] => say("readyok"),
            ["setoption", ..] if self.has("setoption-in-search") && is_thinking => std::process::exit(3),
            ["setoption", ..] => self.settings.set(line),
            ["ucinewgame", ..] if self.has("newgame-in-search") && is_thinking => std::process::exit(3),
            ["ucinewgame", ..] => (),
            ["position", ..] if self.has("position-in-search") && is_thinking => std::process::exit(3),
            ["position", rest @ ..] => self.set_up(rest),
            ["go", "perft", ..] => {
                let depth = words.get(2).and_then(|word| word.parse().ok()).unwrap_or(1);
                let leaves = perft(&self.position, depth) + u64::from(self.has("go-perft"));
                say(&format!("Nodes searched: {leaves}"));
            }
            ["go", rest @ ..] => self.go(rest),
            ["stop", ..] => self.stop(),
            ["ponderhit", ..] => self.release(),
            ["quit", ..] => {
                let stays = self.has("quit") || (self.has("quit-in-search") && is_thinking);
                return !stays;
            }
            _ if self.has("unknown-command") => say(&format!("Unknown command: {line}")),
            _ => say(&format!("info string {line:?} is not known")),
        }
        false
    }

    /// Takes a position over, or says why not.
    fn set_up(&mut self, words: &[&str]) {
        let (setup, moves) = match words.iter().position(|&word| word == "moves") {
            Some(place) => (&words[..place], Some(&words[place + 1..])),
            None => (words, None),
        };
        let fen = setup.get(1..).unwrap_or_default().join(" ");
        let rights = fen.split(' ').nth(2).unwrap_or("-");
        let is_shredder = rights.contains(|c: char| !"KQkq-".contains(c));
        let is_fatal = (self.has("empty-moves") && moves.is_some_and(<[&str]>::is_empty))
            || (self.has("four-fields") && setup.len() == 5)
            || (self.has("shredder-fen") && is_shredder)
            || (self.has("long-game") && moves.is_some_and(|moves| moves.len() > 3000))
            || (self.has("ten-queens") && fen.starts_with("QQQQQ3"))
            || (self.has("no-king") && fen.starts_with("8/8/8/8/8/8/4P3/4K3"))
            || (self.has("wrong-rights") && fen.starts_with("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w KQkq"))
            || (self.has("king-in-prise") && fen.starts_with("4k3/8/8/8/8/8/8/K3R3"));
        if is_fatal {
            std::process::exit(3);
        }
        let start = if setup.first() == Some(&"fen") { fen.parse() } else { Ok(Position::initial()) };
        let is_silent = self.has("broken-fen") || self.has("illegal-move");
        let refuse = |why: String| if is_silent { String::new() } else { format!("info string {why}") };
        let mut position: Position = match start {
            Ok(position) => position,
            Err(error) => return say(&refuse(error.to_string())),
        };
        let mut trail = Trail::new();
        for text in moves.unwrap_or_default() {
            match position.parse_uci(text) {
                Ok(mv) => {
                    trail.push(&position);
                    position.play(mv);
                }
                Err(error) => return say(&refuse(error.to_string())),
            }
        }
        (self.position, self.trail) = (position, trail);
    }

    /// Answers, now or when it is time.
    fn go(&mut self, words: &[&str]) {
        let order = Order::read(words, &self.position);
        self.dawdle(words, &order);
        let mind = Mind { position: &self.position, trail: &self.trail, settings: &self.settings, vice: &self.vice };
        let start = Instant::now();
        let mut answer = mind.think(&order);
        if self.has("slow-reader") {
            // As much as no pipe holds, and only then the time
            for _ in 0..3000 {
                say("info depth 1 currmove e2e4 currmovenumber 1 and a lot of words that nobody has asked for");
            }
            let time = start.elapsed().as_millis();
            answer.lines.push(format!("info depth 9 seldepth 9 score cp 0 nodes 1 time {time} pv {}", answer.best));
        }
        answer.lines.iter().for_each(|line| say(line));
        let is_mate_near = mind.mating_move().is_some();
        let is_early = match self.vice.as_str() {
            "infinite-holds" => order.is_infinite,
            "infinite-at-mate" => order.is_infinite && is_mate_near,
            "infinite-one-move" => order.is_infinite && self.position.legal_moves().len() == 1,
            "infinite-at-last-depth" => order.is_infinite && order.depth.is_some(),
            "ponder-holds" => order.is_ponder,
            _ => false,
        };
        let is_stuck = (self.has("go-nodes") && words.contains(&"nodes"))
            || (self.has("searchmoves-first") && words.first() == Some(&"searchmoves"));
        if ((order.is_infinite || order.is_ponder) && !is_early) || is_stuck {
            self.held = Some(answer.line());
        } else if !(self.has("bare-go") && words.is_empty()) {
            say(&answer.line());
        }
        self.last = Some(answer.line());
    }

    /// Takes too long where its vice is to be late.
    fn dawdle(&self, words: &[&str], order: &Order) {
        let is_late = match self.vice.as_str() {
            "go-movetime" => words.contains(&"movetime"),
            "mixed-limits" => words.len() > 12,
            "clock-run-out" => order.clock.is_some_and(|clock| clock <= 1),
            "one-clock" => order.clock.is_some() && !words.contains(&"btime"),
            "movestogo" => words.contains(&"movestogo"),
            _ => false,
        };
        if is_late {
            std::thread::sleep(if self.has("mixed-limits") { 2 * TOO_LONG } else { TOO_LONG });
        }
    }

    fn stop(&mut self) {
        let was_pondering = self.held.is_some();
        self.release();
        let is_said_again = match self.vice.as_str() {
            "idle-stop" | "double-stop" => !was_pondering,
            "ponder-miss" => was_pondering,
            _ => false,
        };
        if is_said_again {
            say(&self.last.clone().unwrap_or("bestmove e2e4".to_owned()));
        }
    }

    fn release(&mut self) {
        if let Some(answer) = self.held.take() {
            say(&answer);
        }
        if std::mem::take(&mut self.is_owed) {
            say("readyok");
        }
    }
}

fn say(text: &str) {
    if text.is_empty() {
        return;
    }
    let mut output = std::io::stdout().lock();
    if output.write_all(format!("{text}\n").as_bytes()).and_then(|()| output.flush()).is_err() {
        std::process::exit(0);
    }
}

fn sleep_for_ever() -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(3600));
    }
}
