//! A bad engine, for tests of the arena: it plays the first legal move it finds, and misbehaves as its argument says.

use std::io::{BufRead, Write};
use std::time::Duration;

use chess::{CastlingMode, Move, Position};

/// The move, of those it makes, at which it misbehaves.
const FATAL: usize = 3;

fn main() {
    let vice = std::env::args().nth(1).unwrap_or_default();
    let mut position = Position::initial();
    let mut moves = 0;
    // How it writes castling, and insists that others do, if it castles at all
    let mut mode = CastlingMode::Standard;
    let mut lines = std::io::stdin().lock().lines();
    while let Some(Ok(line)) = lines.next() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["uci", ..] => introduce(&vice),
            ["isready", ..] => say("readyok"),
            ["ucinewgame", ..] => moves = 0,
            ["setoption", "name", "UCI_Chess960", "value", "true"] => mode = CastlingMode::Chess960,
            ["position", rest @ ..] => position = read(rest, (vice == "castles").then_some(mode)),
            ["go", ..] if vice == "castles" => castle(&position, mode),
            ["go", ..] => {
                moves += 1;
                play(&position, &vice, moves);
            }
            ["quit", ..] if vice != "stays" => return,
            _ => (),
        }
    }
    if vice == "stays" {
        sleep_for_ever();
    }
}

fn introduce(vice: &str) {
    match vice {
        "mute" => sleep_for_ever(),
        "late" => std::thread::sleep(Duration::from_millis(1500)),
        "shy" => std::process::exit(0),
        "castles" => say("option name UCI_Chess960 type check default false"),
        _ => (),
    }
    say("id name Hostile\nuciok");
}

fn play(position: &Position, vice: &str, number: usize) {
    let legal = position.legal_moves();
    let best = legal.first().map_or("(none)".to_owned(), |mv| mv.uci(position.castling_mode()).to_string());
    if number >= FATAL {
        match vice {
            "leaves" => std::process::exit(3),
            "aborts" => std::process::abort(),
            "sleeps" => sleep_for_ever(),
            "deaf" => sleep_for_ever(),
            "cheats" => return say("info depth 1 score cp 0\nbestmove e2e5"),
            "resigns" => return say("bestmove (none)"),
            "passes" => return say("bestmove 0000"),
            "mumbles" => return say("bestmove"),
            "floods" => loop {
                say("info depth 1 score cp 0 nodes 1 pv e2e4");
            },
            "drones" => loop {
                print("word ");
            },
            "roars" => loop {
                print(&"x".repeat(1 << 16));
            },
            "slow" => std::thread::sleep(Duration::from_millis(400)),
            _ => (),
        }
    }
    match vice {
        "noise" => {
            let noise: Vec<u8> = (0..4000u32).map(|place| (place.wrapping_mul(2_654_435_761) >> 11) as u8).collect();
            let _ = std::io::stdout().write_all(&noise);
            say("\ninfo depth x score cp y\ninfo score\ninfo\nbest\n");
        }
        "punctual" => {
            std::thread::sleep(Duration::from_millis(20));
            return say(&format!("info depth 1 score cp 3 time 7 pv {best}\nbestmove {best}"));
        }
        "chatty" => (0..3000).for_each(|depth| say(&format!("info depth {depth} score cp 1 pv {best}"))),
        _ => (),
    }
    say(&format!("info depth 5 score cp 12 pv {best}\nbestmove {best}"));
}

/// Castles if it can, and otherwise plays the first legal move.
fn castle(position: &Position, mode: CastlingMode) {
    let legal = position.legal_moves();
    let castles = |mv: &&Move| mv.uci(CastlingMode::Standard).to_string() != mv.uci(CastlingMode::Chess960).to_string();
    let best = legal.iter().find(castles).or(legal.first());
    let best = best.map_or("(none)".to_owned(), |mv| mv.uci(mode).to_string());
    say(&format!("info depth 1 score cp 0 pv {best}\nbestmove {best}"));
}

/// Reads a position; with a way to write castling, moves that are written another way make it leave.
fn read(words: &[&str], mode: Option<CastlingMode>) -> Position {
    let (setup, moves) = match words.iter().position(|&word| word == "moves") {
        Some(place) => (&words[..place], &words[place + 1..]),
        None => (words, &[][..]),
    };
    let mut position = setup.get(1..).and_then(|fen| fen.join(" ").parse().ok()).unwrap_or_else(Position::initial);
    for text in moves {
        if let Ok(mv) = position.parse_uci(text) {
            if mode.is_some_and(|mode| mv.uci(mode).to_string() != *text) {
                std::process::exit(4);
            }
            position.play(mv);
        }
    }
    position
}

fn say(text: &str) {
    print(&format!("{text}\n"));
}

fn print(text: &str) {
    let mut output = std::io::stdout().lock();
    if output.write_all(text.as_bytes()).and_then(|()| output.flush()).is_err() {
        std::process::exit(0);
    }
}

fn sleep_for_ever() -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(3600));
    }
}
