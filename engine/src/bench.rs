//! The bench: positions of all kinds, searched to a fixed depth. Its number of nodes changes when, and only when, what the
//! program plays changes.

use std::sync::Arc;
use std::time::{Duration, Instant};

use chess::Position;

use crate::{Limits, Memory, Signal, Task, Weights, search};

/// How deep the bench goes unless told otherwise.
pub const DEPTH: usize = 12;

const HASH: usize = 16;

/// Openings, middlegames, endgames, tactics, mates and stalemates near, and Chess960; typed for this purpose.
pub static POSITIONS: [&str; 40] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkb1r/ppp1pppp/5n2/3p4/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 1 3",
    "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "rnbqkb1r/pp2pp1p/3p1np1/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6",
    "rnbq1rk1/ppp1ppbp/3p1np1/8/2PPP3/2N2N2/PP2BPPP/R1BQK2R b KQ - 2 6",
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P4/2PBPN2/PP1N1PPP/R1BQ1RK1 w - - 4 8",
    "rn1qk2r/p1pb1ppp/1p2pn2/3p4/1bPP4/2N1PN2/PP2BPPP/R1BQ1RK1 w kq - 2 8",
    "r1bqk2r/2p1bppp/p1np1n2/1p2p3/4P3/1B3N2/PPPP1PPP/RNBQR1K1 w kq - 0 8",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "r2q1rk1/1b1nbppp/p2ppn2/1p6/3NPP2/1BN1B3/PPP1Q1PP/R4RK1 w - - 2 12",
    "2rq1rk1/pb1nbppp/1p2pn2/2pp4/2PP4/1PN1PN2/PB1QBPPP/2RR2K1 w - - 4 13",
    "r1b2rk1/pp1nqppp/2pb1n2/3p4/2PP4/P1N1BN2/1P2BPPP/R2Q1RK1 b - - 0 12",
    "r2qr1k1/pp1nbppp/2p2n2/3p2B1/3P4/2NBP3/PPQ2PPP/R4RK1 w - - 7 13",
    "2kr3r/ppp2ppp/2n1bn2/2b1p1q1/4P3/2NP1N1P/PPP1BPP1/R1BQ1RK1 b - - 2 10",
    "r4rk1/pp2ppbp/2npb1p1/q7/2P1P3/2N1BP2/PP1QB1PP/R4RK1 w - - 5 15",
    "3r1rk1/p1q1bppp/1pn1pn2/8/2P5/1P2PN2/PBQNBPPP/3R1RK1 w - - 0 16",
    "5rk1/1p3ppp/pB3b2/2pN4/2P1pn2/1P5P/P4PP1/3R2K1 b - - 2 25",
    "1r2r1k1/3bnppp/p2q4/2RPp3/4P3/6P1/2Q1NPBP/2R3K1 w - - 0 26",
    "r1b1k2r/5n2/p4q2/1ppn1Pp1/3pp1p1/NP2P3/P1PPBK2/1RQN2R1 w kq - 0 22",
    "8/5pk1/4p1p1/3pP2p/1R1P3P/r5P1/5P2/6K1 w - - 3 40",
    "8/1p2kp2/p1p1p1p1/P1P1P1Pp/1P2KP1P/8/8/8 w - - 0 1",
    "8/8/1p1k1p2/p1p2P1p/P1P1K2P/1P6/8/8 w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/5k2/3p4/1p1Pp2p/pP2Pp1P/P4P1K/8/8 b - - 99 50",
    "6k1/5pp1/7p/2B5/1n3P2/6PP/5K2/8 w - - 0 34",
    "8/3k1p2/2nPp1p1/2K1P2p/5P1P/4N1P1/8/8 w - - 1 45",
    "4r1k1/R4ppp/8/1P6/8/5P2/6PP/6K1 w - - 1 30",
    "8/8/3k4/8/8/3BN3/3K4/8 w - - 0 1",
    "8/3k4/8/8/3P4/3K4/8/8 w - - 0 1",
    "6k1/8/6KP/8/8/8/7B/8 w - - 0 1",
    "8/8/5k2/8/3q4/8/2K5/6R1 b - - 0 1",
    "5rk1/5ppp/8/8/8/8/q4PPP/1R4K1 w - - 0 1",
    "r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 w - - 0 1",
    "6k1/3b3r/1p1p4/p1n2p2/1PPNpP1q/P3Q1p1/1R1RB1P1/5K2 b - - 0 1",
    "7k/8/8/8/8/6q1/8/7K b - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "nrkbbqrn/pp1ppp1p/8/2pP2p1/8/8/PPP1PPPP/NRKBBQRN w GBgb c6 0 3",
    "bqnbrkrn/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RKQNBBNR w HAge - 0 2",
    "2r1k1r1/pppppppp/8/8/8/8/PPPPPPPP/R4K1R w HAgc - 0 1",
];

/// Searches the positions and tells of each; returns the nodes and the time of all. `None`: there is no memory for it.
pub fn run(depth: usize, mut show: impl FnMut(usize, &str, u64)) -> Option<(u64, Duration)> {
    let mut memory = Memory::new(HASH)?;
    let weights = Arc::new(Weights::load("default").expect("the default weights are sound"));
    let start = Instant::now();
    let mut nodes = 0;
    for (place, fen) in (1..).zip(POSITIONS) {
        let position = fen.parse::<Position>().expect("the bench's positions are legal");
        let task = Task::new(position, weights.clone(), Limits { depth: Some(depth), ..Limits::default() });
        let searched = search(&task, &mut memory, &Signal::new(false), &mut |_| ()).map_or(0, |report| report.nodes);
        show(place, fen, searched);
        nodes += searched;
    }
    Some((nodes, start.elapsed()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bench_is_the_same_every_time() {
        let mut each = Vec::new();
        let (nodes, _) = run(3, |_, _, nodes| each.push(nodes)).unwrap();
        assert_eq!(each.len(), POSITIONS.len());
        assert_eq!(each.iter().sum::<u64>(), nodes);
        assert_eq!(run(3, |_, _, _| ()).unwrap().0, nodes);
    }
}
