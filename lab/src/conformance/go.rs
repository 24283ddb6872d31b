//! Promises about searches: limits, clocks, and when the answer comes.

use std::time::{Duration, Instant};

use chess::Position;

use super::Promise;
use super::talk::{Failure, Search, Talk, after, board, ensure, legal};
use crate::arena::Score;

const SECTION: &str = "go";
/// For so long an answer is held back, where it is.
const HOLD: Duration = Duration::from_millis(400);

pub(super) const PROMISES: &[Promise] = &[
    Promise { id: "go-depth", section: SECTION, text: "go depth N goes so deep and ends", check: go_depth },
    Promise { id: "go-nodes", section: SECTION, text: "go nodes N ends by itself", check: go_nodes },
    Promise { id: "go-movetime", section: SECTION, text: "go movetime T takes no longer than T", check: go_movetime },
    Promise { id: "go-mate", section: SECTION, text: "go mate N finds it and ends", check: go_mate },
    Promise { id: "go-perft", section: SECTION, text: "go perft N counts the leaves", check: go_perft },
    Promise { id: "bare-go", section: SECTION, text: "go alone is answered, at the latest after stop", check: bare_go },
    Promise { id: "mixed-limits", section: SECTION, text: "limits may be mixed on one line", check: mixed_limits },
    Promise { id: "searchmoves", section: SECTION, text: "searchmoves restricts the answer", check: searchmoves },
    Promise {
        id: "searchmoves-first",
        section: SECTION,
        text: "limits may also stand behind searchmoves",
        check: searchmoves_first,
    },
    Promise {
        id: "clock-run-out",
        section: SECTION,
        text: "a clock of 0, 1 or less gets a legal move at once",
        check: clock_run_out,
    },
    Promise { id: "one-clock", section: SECTION, text: "the own clock alone is enough", check: one_clock },
    Promise { id: "movestogo", section: SECTION, text: "movestogo 0 and 1 are no trap", check: movestogo },
    Promise {
        id: "score-and-line",
        section: SECTION,
        text: "a line with score and pv comes before every bestmove",
        check: score_and_line,
    },
    Promise {
        id: "infinite-holds",
        section: SECTION,
        text: "go infinite holds bestmove until stop",
        check: infinite_holds,
    },
    Promise { id: "infinite-at-mate", section: SECTION, text: "also when there is a mate", check: infinite_at_mate },
    Promise { id: "infinite-one-move", section: SECTION, text: "also with a single move", check: infinite_one_move },
    Promise {
        id: "infinite-at-last-depth",
        section: SECTION,
        text: "also at the last depth",
        check: infinite_at_last_depth,
    },
    Promise {
        id: "ponder-holds",
        section: SECTION,
        text: "go ponder holds bestmove until ponderhit, and the clock counts from there",
        check: ponder_holds,
    },
    Promise { id: "ponder-miss", section: SECTION, text: "stop ends pondering with one bestmove", check: ponder_miss },
    Promise {
        id: "no-move",
        section: SECTION,
        text: "without a legal move the answer is bestmove (none)",
        check: no_move,
    },
];

fn start_position(talk: &mut Talk, go: &str) -> Result<Search, Failure> {
    let search = talk.search("position startpos", go)?;
    legal(&after(&[]), &search.best)?;
    Ok(search)
}

fn go_depth(talk: &mut Talk) -> Result<(), Failure> {
    talk.introduce()?;
    let search = start_position(talk, "go depth 5")?;
    let depth = search.last().and_then(|info| info.depth);
    ensure(depth == Some(5), || format!("the last depth is {depth:?}"))
}

fn go_nodes(talk: &mut Talk) -> Result<(), Failure> {
    talk.introduce()?;
    start_position(talk, "go nodes 5000").map(|_| ())
}

fn go_movetime(talk: &mut Talk) -> Result<(), Failure> {
    talk.introduce()?;
    let search = start_position(talk, "go movetime 300")?;
    let most = Duration::from_millis(300) + talk.slack;
    ensure(search.time <= most, || format!("it took {} ms", search.time.as_millis()))
}

fn go_mate(talk: &mut Talk) -> Result<(), Failure> {
    talk.introduce()?;
    let fen = "7k/8/8/8/8/8/R7/1R2K3 w - - 0 1";
    let search = talk.search(&format!("position fen {fen}"), "go mate 2")?;
    legal(&board(fen), &search.best)?;
    let score = search.last().and_then(|info| info.score);
    ensure(matches!(score, Some(Score::Mate(1..=2))), || "no mate in two is announced".to_owned())
}

fn go_perft(talk: &mut Talk) -> Result<(), Failure> {
    talk.introduce()?;
    talk.send("position startpos\ngo perft 3")?;
    let deadline = Instant::now() + talk.patience;
    while let Some(line) = talk.line(deadline.saturating_duration_since(Instant::now()))? {
        if line.split(|c: char| !c.is_ascii_digit()).any(|word| word == "8902") {
            return Ok(());
        }
        if line.starts_with("bestmove") {
            break;
        }
    }
    Err(Failure::Broken("8902, the number of leaves, is not told".to_owned()))
}

fn bare_go(talk: &mut Talk) -> Result<(), Failure> {
    talk.introduce()?;
    talk.send("position startpos")?;
    let start = Instant::now();
    talk.send("go")?;
    // An engine may take it as infinite or choose a time of its own
    let lines = talk.listen(HOLD)?;
    let early: Vec<&String> = lines.iter().filter(|line| line.starts_with("bestmove")).collect();
    let best = match early.as_slice() {
        [line] => line.split_whitespace().nth(1).unwrap_or_default().to_owned(),
        [] => {
            talk.send("stop")?;
            talk.best_move(start, Duration::from_secs(1) + talk.slack)?.best
        }
        _ => return Err(Failure::Broken("several answers came".to_owned())),
    };
    legal(&after(&[]), &best).map(|_| ())
}

fn mixed_limits(talk: &mut Talk) -> Result<(), Failure> {
    talk.introduce()?;
    let go = "go wtime 60000 btime 60000 winc 100 binc 100 movestogo 20 depth 6 nodes 200000 movetime 2000";
    let search = start_position(talk, go)?;
    ensure(search.time <= Duration::from_secs(2) + talk.slack, || format!("it took {} ms", search.time.as_millis()))
}

fn is_restricted(talk: &mut Talk, go: &str) -> Result<(), Failure> {
    talk.introduce()?;
    let search = start_position(talk, go)?;
    let is_among = ["a2a3", "h2h3"].contains(&search.best.as_str());
    ensure(is_among, || format!("bestmove {} is neither a2a3 nor h2h3", search.best))
}

fn searchmoves(talk: &mut Talk) -> Result<(), Failure> {
    is_restricted(talk, "go depth 4 searchmoves a2a3 h2h3")
}

fn searchmoves_first(talk: &mut Talk) -> Result<(), Failure> {
    is_restricted(talk, "go searchmoves a2a3 h2h3 depth 4")
}

/// Each way to set the clocks gets a legal move in time.
fn clocks(talk: &mut Talk, goes: &[(&str, u64)]) -> Result<(), Failure> {
    talk.introduce()?;
    for (go, milliseconds) in goes {
        let search = start_position(talk, go)?;
        let most = Duration::from_millis(*milliseconds) + talk.slack;
        ensure(search.time <= most, || format!("{go:?} took {} ms", search.time.as_millis()))?;
    }
    Ok(())
}

fn clock_run_out(talk: &mut Talk) -> Result<(), Failure> {
    let ways = ["go wtime 0 btime 0", "go wtime 1 btime 1 winc 0 binc 0", "go wtime -50 btime 1000"];
    clocks(talk, &ways.map(|way| (way, 50)))
}

fn one_clock(talk: &mut Talk) -> Result<(), Failure> {
    clocks(talk, &[("go wtime 500", 500), ("go wtime 500 winc 10", 500)])
}

fn movestogo(talk: &mut Talk) -> Result<(), Failure> {
    clocks(talk, &[("go wtime 500 btime 500 movestogo 0", 500), ("go wtime 500 btime 500 movestogo 1", 500)])
}

/// A position with one legal move.
const ONE_MOVE: &str = "7k/8/8/8/8/8/1r6/K7 w - - 0 1";

fn score_and_line(talk: &mut Talk) -> Result<(), Failure> {
    talk.introduce()?;
    for (position, go) in [
        ("position startpos", "go depth 1"),
        ("position startpos", "go nodes 1"),
        ("position startpos", "go movetime 20"),
        ("position startpos", "go wtime 10 btime 10"),
        (&format!("position fen {ONE_MOVE}"), "go depth 2"),
        (&format!("position fen {ONE_MOVE}"), "go wtime 1000 btime 1000"),
    ] {
        let search = talk.search(position, go)?;
        ensure(search.infos().next().is_some(), || format!("no line with score and pv after {go:?}"))?;
    }
    Ok(())
}

/// Held until stop, and then one answer that is legal.
fn held(talk: &mut Talk, fen: Option<&str>, go: &str, time: Duration) -> Result<(), Failure> {
    talk.introduce()?;
    let position = fen.map_or_else(Position::initial, board);
    talk.send(&fen.map_or("position startpos".to_owned(), |fen| format!("position fen {fen}")))?;
    talk.send(go)?;
    talk.holds(time)?;
    let search = talk.stop()?;
    legal(&position, &search.best).map(|_| ())
}

fn infinite_holds(talk: &mut Talk) -> Result<(), Failure> {
    held(talk, None, "go infinite", HOLD)
}

fn infinite_at_mate(talk: &mut Talk) -> Result<(), Failure> {
    held(talk, Some("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"), "go infinite", 2 * HOLD)
}

fn infinite_one_move(talk: &mut Talk) -> Result<(), Failure> {
    held(talk, Some(ONE_MOVE), "go infinite", HOLD)
}

fn infinite_at_last_depth(talk: &mut Talk) -> Result<(), Failure> {
    // Pawns that block each other and kings that cannot pass: every depth is over at once
    held(talk, Some("7k/8/8/8/8/p1p5/P1P5/K7 w - - 0 1"), "go infinite depth 2", HOLD)
}

fn ponder_holds(talk: &mut Talk) -> Result<(), Failure> {
    talk.introduce()?;
    talk.send("position startpos moves e2e4 e7e5\ngo ponder wtime 600 btime 600")?;
    talk.holds(2 * HOLD)?;
    let start = Instant::now();
    talk.send("ponderhit")?;
    let most = Duration::from_millis(600) + talk.slack;
    let search = talk.best_move(start, most)?;
    legal(&after(&["e2e4", "e7e5"]), &search.best).map(|_| ())
}

fn ponder_miss(talk: &mut Talk) -> Result<(), Failure> {
    talk.introduce()?;
    talk.send("position startpos moves e2e4 e7e5\ngo ponder wtime 1000 btime 1000")?;
    talk.holds(HOLD / 4)?;
    let search = talk.stop()?;
    legal(&after(&["e2e4", "e7e5"]), &search.best)?;
    let search = talk.search("position startpos moves e2e4 c7c5", "go depth 3")?;
    legal(&after(&["e2e4", "c7c5"]), &search.best).map(|_| ())
}

fn no_move(talk: &mut Talk) -> Result<(), Failure> {
    talk.introduce()?;
    for (what, fen) in [("mate", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"), ("stalemate", "7k/8/6QK/8/8/8/8/8 b - - 0 1")] {
        let search = talk.search(&format!("position fen {fen}"), "go depth 3")?;
        ensure(search.best == "(none)", || format!("in {what} the answer is bestmove {}", search.best))?;
    }
    Ok(())
}
