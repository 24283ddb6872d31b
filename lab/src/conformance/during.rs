//! Promises about what may be said while a search goes on.

use std::time::{Duration, Instant};

use super::Promise;
use super::talk::{Failure, Talk, after, ensure, legal};

const SECTION: &str = "during search";
const MOMENT: Duration = Duration::from_millis(150);

pub(super) const PROMISES: &[Promise] = &[
    Promise { id: "isready-in-search", section: SECTION, text: "isready is answered at once", check: isready },
    Promise { id: "idle-stop", section: SECTION, text: "stop without a search is silent", check: idle_stop },
    Promise { id: "double-stop", section: SECTION, text: "two stops give one bestmove", check: double_stop },
    Promise {
        id: "setoption-in-search",
        section: SECTION,
        text: "setoption in mid-search is safe",
        check: setoption_in_search,
    },
    Promise {
        id: "newgame-in-search",
        section: SECTION,
        text: "ucinewgame in mid-search is safe",
        check: newgame_in_search,
    },
    Promise {
        id: "position-in-search",
        section: SECTION,
        text: "position in mid-search is safe",
        check: position_in_search,
    },
    Promise {
        id: "no-memory",
        section: SECTION,
        text: "a table that there is no memory for changes nothing",
        check: no_memory,
    },
];

fn searching(talk: &mut Talk) -> Result<(), Failure> {
    talk.introduce()?;
    talk.send("position startpos\ngo infinite")?;
    talk.holds(MOMENT).map(|_| ())
}

fn isready(talk: &mut Talk) -> Result<(), Failure> {
    searching(talk)?;
    let lines = talk.ready_within(Duration::from_millis(200) + talk.slack)?;
    ensure(!lines.iter().any(|line| line.starts_with("bestmove")), || "isready ended the search".to_owned())?;
    let search = talk.stop()?;
    legal(&after(&[]), &search.best).map(|_| ())
}

fn idle_stop(talk: &mut Talk) -> Result<(), Failure> {
    talk.introduce()?;
    talk.send("stop")?;
    let lines = talk.ready()?;
    ensure(lines.is_empty(), || format!("an idle stop is answered by {:?}", lines[0]))?;
    talk.search("position startpos", "go depth 2")?;
    talk.send("stop")?;
    let lines = talk.ready()?;
    ensure(lines.is_empty(), || format!("a late stop is answered by {:?}", lines[0]))
}

fn double_stop(talk: &mut Talk) -> Result<(), Failure> {
    searching(talk)?;
    let search = talk.stop_with("stop\nstop")?;
    legal(&after(&[]), &search.best).map(|_| ())
}

/// After a line in mid-search, one answer comes in the end, and the next search is as it should be.
fn survives(talk: &mut Talk, line: &str) -> Result<(), Failure> {
    searching(talk)?;
    talk.send(line)?;
    let lines = talk.ready()?;
    let answers = lines.iter().filter(|line| line.starts_with("bestmove")).count();
    ensure(answers <= 1, || "several answers came".to_owned())?;
    if answers == 0 {
        talk.stop()?;
    } else {
        talk.send("stop")?;
        let more = talk.ready()?;
        ensure(!more.iter().any(|line| line.starts_with("bestmove")), || "a second bestmove came".to_owned())?;
    }
    let search = talk.search("position startpos moves d2d4", "go depth 3")?;
    legal(&after(&["d2d4"]), &search.best).map(|_| ())
}

fn setoption_in_search(talk: &mut Talk) -> Result<(), Failure> {
    survives(talk, "setoption name Hash value 32\nsetoption name Threads value 2")
}

fn newgame_in_search(talk: &mut Talk) -> Result<(), Failure> {
    survives(talk, "ucinewgame")
}

fn position_in_search(talk: &mut Talk) -> Result<(), Failure> {
    survives(talk, "position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
}

/// Less than so many megabytes could be had, and would take the machine with them.
const FAR_TOO_MUCH: u64 = 1 << 24;

fn no_memory(talk: &mut Talk) -> Result<(), Failure> {
    talk.introduce()?;
    let listed = talk.needs("Hash")?;
    let words: Vec<&str> = listed.split_whitespace().collect();
    let most = words.iter().position(|word| *word == "max").and_then(|at| words.get(at + 1)?.parse::<u64>().ok());
    let Some(most) = most.filter(|most| *most >= FAR_TOO_MUCH) else {
        return Err(Failure::Skipped("so much memory as Hash allows might be had".to_owned()));
    };
    talk.send(&format!("setoption name Hash value {most}"))?;
    let start = Instant::now();
    talk.ready()?;
    let search = talk.search("position startpos", "go depth 4")?;
    legal(&after(&[]), &search.best)?;
    ensure(start.elapsed() <= talk.patience, || "it took too long".to_owned())
}
