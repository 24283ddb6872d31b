//! Mates that are announced really mate, in as many moves as announced.

use chess::{Outcome, Position};

use crate::talk::{Talk, number};

/// Positions and the moves to mate; negative if the side to move is mated.
const MATES: [(&str, i64); 24] = [
    ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", 1),
    ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", 1),
    ("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", 1),
    ("6rk/6pp/7N/8/8/8/8/6K1 w - - 0 1", 1),
    ("3k4/8/3K4/8/8/8/8/7R w - - 0 1", 1),
    ("k7/8/1K6/8/8/8/8/6R1 w - - 0 1", 1),
    ("7k/5K2/8/6Q1/8/8/8/8 w - - 0 1", 1),
    ("8/8/8/8/8/1R6/2K5/k7 w - - 0 1", 1),
    ("8/8/8/8/8/k7/7q/1K6 b - - 0 1", 1),
    ("7k/6pp/8/8/8/1Q6/6PP/3R2K1 w - - 0 1", 1),
    ("6k1/5ppp/8/8/8/8/1r6/K2R4 w - - 0 1", 1),
    ("7k/8/8/8/8/8/R7/1R2K3 w - - 0 1", 2),
    ("8/8/8/8/3Q4/2K5/8/k7 w - - 0 1", 2),
    ("7k/8/5K2/8/8/8/8/R7 w - - 0 1", 2),
    ("8/6P1/8/5K1k/8/8/8/8 w - - 0 1", 2),
    ("4k3/8/8/4K3/8/8/8/QR6 w - - 0 1", 2),
    ("r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 w - - 0 1", 2),
    ("8/8/8/8/8/4k3/r7/4K3 b - - 0 1", 1),
    ("5r1k/6pp/8/6N1/2Q5/8/8/6K1 w - - 0 1", 4),
    ("7k/1R6/8/8/8/8/R7/4K3 b - - 0 1", -1),
    ("7k/8/6K1/8/8/8/8/R7 b - - 0 1", -1),
    ("8/8/8/8/8/2k5/8/K6q w - - 0 1", -2),
    ("7k/8/8/8/8/8/8/KBN5 w - - 0 1", 29),
    ("7k/8/8/8/8/1r6/8/KBN5 w - - 0 1", 31),
];

#[test]
fn an_announced_mate_is_played_to_the_end() {
    for (fen, moves) in MATES {
        let text = Talk::new().send(&format!("position fen {fen}\ngo mate {} depth 24 nodes 2000000", moves.abs()));
        let mut announced: Vec<&str> = text.lines().filter(|line| line.contains("score mate")).collect();
        // Any announcement must hold, the last one must be the shortest mate
        for line in &announced {
            let mut position: Position = fen.parse().unwrap();
            let pv: Vec<&str> = line.split(" pv ").nth(1).unwrap().split(' ').collect();
            for mv in &pv {
                position.play(position.parse_uci(mv).unwrap());
            }
            assert!(matches!(position.outcome(), Some(Outcome::Checkmate { .. })), "{fen}: {line}");
            let found = number(line, "mate");
            let plies = if found > 0 { 2 * found - 1 } else { -2 * found };
            assert_eq!(pv.len() as i64, plies, "{fen}: {line}");
        }
        let last = announced.pop().unwrap_or_else(|| panic!("{fen}: {text}"));
        assert_eq!(number(last, "mate"), moves, "{fen}: {text}");
    }
}

#[test]
fn a_value_is_a_mate_or_that_of_an_evaluation_also_when_fifty_moves_are_near() {
    let text = Talk::new().send("position fen 8/2kN4/4K3/8/8/3B4/8/8 w - - 80 40\ngo nodes 150000");
    let values: Vec<i64> = text.lines().filter(|l| l.contains("score cp")).map(|line| number(line, "cp")).collect();
    assert!(!values.is_empty() && values.iter().all(|value| value.abs() <= 20_000), "{values:?}");
}
