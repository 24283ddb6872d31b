//! Promises about what an engine writes while it thinks.

use std::time::{Duration, Instant};

use chess::Position;

use super::Promise;
use super::talk::{Failure, Search, Talk, after, board, broken, ensure, legal};

const SECTION: &str = "output";

pub(super) const PROMISES: &[Promise] = &[
    Promise { id: "info-fields", section: SECTION, text: "info lines hold whole numbers in range", check: fields },
    Promise { id: "seldepth", section: SECTION, text: "seldepth, nodes and time are told", check: seldepth },
    Promise { id: "line-legal", section: SECTION, text: "every move of a pv is legal", check: line_legal },
    Promise {
        id: "line-begins",
        section: SECTION,
        text: "the last pv begins with bestmove and goes on with ponder",
        check: line_begins,
    },
    Promise { id: "line-ends", section: SECTION, text: "a pv ends where the game ends", check: line_ends },
    Promise { id: "promotion", section: SECTION, text: "promotions are in lower case", check: promotion },
    Promise { id: "multipv-order", section: SECTION, text: "several lines come in order", check: multipv_order },
    Promise { id: "wdl", section: SECTION, text: "chances to win, draw and lose sum to 1000", check: wdl },
    Promise {
        id: "slow-reader",
        section: SECTION,
        text: "a reader who does not read does not hold up the search",
        check: slow_reader,
    },
];

/// Positions with something to show: tactics, a mate, an ending, promotions.
const POSITIONS: [&str; 4] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "6k1/8/8/8/8/8/1Q6/R5K1 w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
];

fn searches(talk: &mut Talk) -> Result<Vec<(Position, Search)>, Failure> {
    talk.introduce()?;
    POSITIONS.iter().map(|fen| Ok((board(fen), talk.search(&format!("position fen {fen}"), "go depth 7")?))).collect()
}

fn word_behind<'a>(words: &[&'a str], word: &str) -> Option<&'a str> {
    words.iter().position(|found| *found == word).and_then(|at| words.get(at + 1)).copied()
}

fn fields(talk: &mut Talk) -> Result<(), Failure> {
    for (_, search) in searches(talk)? {
        for line in search.infos() {
            let facts: Vec<&str> = line.split(" pv ").next().unwrap_or(line).split_whitespace().collect();
            for word in ["depth", "seldepth", "multipv", "nodes", "nps", "time", "hashfull", "tbhits"] {
                let Some(text) = word_behind(&facts, word) else { continue };
                let Ok(number) = text.parse::<u64>() else {
                    return broken(format!("{word} {text} is no number: {line}"));
                };
                ensure(word != "hashfull" || number <= 1000, || format!("hashfull {number} is above 1000"))?;
            }
            let (kind, text) = (word_behind(&facts, "score"), ["cp", "mate"].map(|word| word_behind(&facts, word)));
            let number = text.into_iter().flatten().next().and_then(|text| text.parse::<i64>().ok());
            let is_score = matches!(kind, Some("cp" | "mate")) && number.is_some();
            ensure(is_score, || format!("the score is neither cp nor mate with a whole number: {line}"))?;
        }
    }
    Ok(())
}

fn seldepth(talk: &mut Talk) -> Result<(), Failure> {
    talk.introduce()?;
    let search = talk.search("position startpos", "go depth 6")?;
    let last: Vec<&str> = search.infos().next_back().unwrap_or("").split_whitespace().collect();
    let missing: Vec<&str> =
        ["depth", "seldepth", "nodes", "time"].into_iter().filter(|word| !last.contains(word)).collect();
    ensure(missing.is_empty(), || format!("the last line has no {}", missing.join(", ")))
}

fn line_of(info: &str) -> impl Iterator<Item = &str> {
    info.split_once(" pv ").map_or("", |(_, line)| line).split_whitespace()
}

fn line_legal(talk: &mut Talk) -> Result<(), Failure> {
    for (position, search) in searches(talk)? {
        for info in search.infos() {
            let mut position = position;
            for text in line_of(info) {
                match position.parse_uci(text) {
                    Ok(mv) => position.play(mv),
                    Err(error) => return broken(format!("{error} in {info}")),
                }
            }
        }
    }
    Ok(())
}

fn line_begins(talk: &mut Talk) -> Result<(), Failure> {
    for (position, search) in searches(talk)? {
        legal(&position, &search.best)?;
        let mut line = search.last().unwrap_or_default().moves();
        let first = line.next().unwrap_or("nothing");
        ensure(first == search.best, || format!("bestmove {} after a line that begins with {first}", search.best))?;
        if let (Some(ponder), Some(second)) = (&search.ponder, line.next()) {
            ensure(ponder == second, || format!("ponder {ponder} after a line that goes on with {second}"))?;
        }
    }
    Ok(())
}

fn line_ends(talk: &mut Talk) -> Result<(), Failure> {
    talk.introduce()?;
    // A mate in one, a capture that leaves bare kings, and the fifty-move rule near its end
    for fen in
        ["6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "8/8/8/3k4/8/8/1p6/K7 w - - 0 1", "7k/8/8/8/8/8/R7/4K3 w - - 97 80"]
    {
        let search = talk.search(&format!("position fen {fen}"), "go depth 8")?;
        for info in search.infos() {
            let mut position = board(fen);
            for text in line_of(info) {
                ensure(position.outcome().is_none(), || format!("{text} comes after the end of the game in {info}"))?;
                position.play(legal(&position, text)?);
            }
        }
    }
    Ok(())
}

fn promotion(talk: &mut Talk) -> Result<(), Failure> {
    talk.introduce()?;
    // The king has no move
    let search = talk.search("position fen 8/P7/8/8/8/6p1/5k2/7K w - - 0 1", "go depth 4")?;
    let is_right = search.best.strip_prefix("a7a8").is_some_and(|role| ["q", "r", "b", "n"].contains(&role));
    ensure(is_right, || format!("where a pawn has to promote it answers {}", search.best))
}

fn multipv_order(talk: &mut Talk) -> Result<(), Failure> {
    talk.introduce()?;
    talk.needs("MultiPV")?;
    talk.send("setoption name MultiPV value 3")?;
    let search = talk.search("position startpos", "go depth 6")?;
    let mut ranks: Vec<(u64, u64, String)> = Vec::new();
    for info in search.infos().filter(|info| !info.contains("bound ")) {
        let words: Vec<&str> = info.split_whitespace().collect();
        let number = |word: &str| word_behind(&words, word).and_then(|text| text.parse::<u64>().ok());
        let (Some(depth), Some(rank)) = (number("depth"), number("multipv")) else {
            return broken(format!("multipv is missing in {info}"));
        };
        ranks.push((depth, rank, line_of(info).next().unwrap_or_default().to_owned()));
    }
    let last = ranks.last().map_or(0, |(depth, ..)| *depth);
    let shown: Vec<&(u64, u64, String)> = ranks.iter().filter(|(depth, ..)| *depth == last).collect();
    let order: Vec<u64> = shown.iter().map(|(_, rank, _)| *rank).collect();
    ensure(order.ends_with(&[1, 2, 3]), || format!("the last lines are numbered {order:?}"))?;
    let mut moves: Vec<&String> = shown.iter().rev().take(3).map(|(_, _, mv)| mv).collect();
    moves.sort_unstable();
    moves.dedup();
    ensure(moves.len() == 3, || "two lines begin with the same move".to_owned())
}

fn wdl(talk: &mut Talk) -> Result<(), Failure> {
    talk.introduce()?;
    talk.needs("UCI_ShowWDL")?;
    talk.send("setoption name UCI_ShowWDL value true")?;
    let search = talk.search("position startpos", "go depth 6")?;
    let mut has_any = false;
    for info in search.infos() {
        let words: Vec<&str> = info.split_whitespace().collect();
        let Some(at) = words.iter().position(|word| *word == "wdl") else { continue };
        has_any = true;
        let sum: Option<u32> = (1..=3).map(|place| words.get(at + place)?.parse::<u32>().ok()).sum();
        ensure(sum == Some(1000), || format!("the chances do not sum to 1000 in {info}"))?;
    }
    ensure(has_any, || "no line has chances".to_owned())
}

fn slow_reader(talk: &mut Talk) -> Result<(), Failure> {
    talk.introduce()?;
    if talk.needs("MultiPV").is_ok() {
        talk.send("setoption name MultiPV value 20")?;
    }
    talk.send("position startpos")?;
    let start = Instant::now();
    talk.send("go movetime 400")?;
    std::thread::sleep(Duration::from_millis(1500) + talk.slack);
    let search = talk.best_move(start, talk.patience + Duration::from_secs(2))?;
    legal(&after(&[]), &search.best)?;
    let time = search.last().and_then(|info| info.time).unwrap_or(0);
    let most = (Duration::from_millis(400) + talk.slack).as_millis() as u64;
    ensure(time <= most, || format!("the search went on for {time} ms while nobody read"))
}
