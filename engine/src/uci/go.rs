//! `go` and its limits.

use chess::Position;

use crate::{Limits, MAX_PLY};

/// What `go` asks for.
pub(super) enum Go {
    /// A search.
    Search { limits: Limits, ponder: bool },
    /// Counting leaves.
    Perft(u32),
}

/// Reads the words after `go`. What is not understood is said and left out.
pub(super) fn read(words: &[&str], position: &Position) -> (Go, Vec<String>) {
    let mut limits = Limits::default();
    let mut ponder = false;
    let mut remarks = Vec::new();
    let mut rest = words.iter().copied().peekable();
    while let Some(word) = rest.next() {
        match word {
            "infinite" => limits.infinite = true,
            "ponder" => ponder = true,
            "searchmoves" => {
                while let Some(mv) = rest.peek().and_then(|text| position.parse_uci(text).ok()) {
                    limits.moves.push(mv);
                    rest.next();
                }
            }
            "depth" | "nodes" | "movetime" | "wtime" | "btime" | "winc" | "binc" | "movestogo" | "mate" | "perft" => {
                let Some(number) = rest.peek().and_then(|text| number(text)) else {
                    remarks.push(format!("go {word} needs a number"));
                    continue;
                };
                rest.next();
                let natural = number.max(0) as u64;
                match word {
                    "depth" => limits.depth = Some(natural as usize),
                    "nodes" => limits.nodes = Some(natural.max(1)),
                    "movetime" => limits.movetime = Some(natural),
                    "wtime" => limits.clock.white = Some(number),
                    "btime" => limits.clock.black = Some(number),
                    "winc" => limits.increment.white = natural,
                    "binc" => limits.increment.black = natural,
                    "movestogo" => limits.moves_to_go = Some(natural),
                    "mate" => limits.mate = Some(natural.min(MAX_PLY as u64) as usize),
                    _ => return (Go::Perft(natural.min(20) as u32), remarks),
                }
            }
            other => remarks.push(format!("go {other} is not known")),
        }
    }
    limits.infinite |= has_no_end(&limits);
    (Go::Search { limits, ponder }, remarks)
}

/// A bare `go` is a `go infinite`.
fn has_no_end(limits: &Limits) -> bool {
    let clocks = [limits.clock.white, limits.clock.black];
    limits.depth.is_none()
        && limits.nodes.is_none()
        && limits.movetime.is_none()
        && limits.mate.is_none()
        && clocks.iter().all(Option::is_none)
}

/// A whole number; decimals are rounded, and what is too large becomes the largest.
fn number(text: &str) -> Option<i64> {
    let decimal = || text.parse::<f64>().ok().filter(|number| number.is_finite());
    text.parse().ok().or_else(|| Some(decimal()?.round() as i64))
}
