//! Promises about starting, options, strange lines and leaving.

use std::time::Duration;

use super::Promise;
use super::talk::{Failure, Talk, after, ensure, legal};

const SECTION: &str = "start and exit";
/// An answer at once.
const SECOND: Duration = Duration::from_secs(1);
/// Options that bots and graphical programs set.
const USUAL: [&str; 12] = [
    "Hash",
    "Threads",
    "Ponder",
    "MultiPV",
    "Move Overhead",
    "SyzygyPath",
    "UCI_ShowWDL",
    "UCI_Chess960",
    "UCI_LimitStrength",
    "UCI_Elo",
    "UCI_AnalyseMode",
    "Clear Hash",
];

pub(super) const PROMISES: &[Promise] = &[
    Promise { id: "uciok", section: SECTION, text: "uci is answered by id name, id author and uciok", check: uciok },
    Promise { id: "quiet-start", section: SECTION, text: "nothing is said before the first command", check: quiet },
    Promise {
        id: "plain-answers",
        section: SECTION,
        text: "uci and isready are answered by nothing but what belongs there",
        check: plain_answers,
    },
    Promise { id: "no-trailing-space", section: SECTION, text: "no line ends in a blank", check: no_trailing_space },
    Promise { id: "options", section: SECTION, text: "the options that bots set are there", check: options },
    Promise { id: "option-lines", section: SECTION, text: "options are listed as UCI says", check: option_lines },
    Promise {
        id: "ready-after-option",
        section: SECTION,
        text: "isready is answered within a second of any setoption",
        check: ready_after_option,
    },
    Promise { id: "option-case", section: SECTION, text: "names of options match in any case", check: option_case },
    Promise {
        id: "option-spaces",
        section: SECTION,
        text: "names of options may have spaces, and values may be empty",
        check: option_spaces,
    },
    Promise { id: "option-decimal", section: SECTION, text: "decimals for spins are rounded", check: option_decimal },
    Promise {
        id: "option-range",
        section: SECTION,
        text: "a value out of range is brought into it, and an info string says so",
        check: option_range,
    },
    Promise {
        id: "unknown-command",
        section: SECTION,
        text: "an unknown command is ignored with an info string",
        check: unknown_command,
    },
    Promise {
        id: "unknown-option",
        section: SECTION,
        text: "an unknown option is ignored with an info string",
        check: unknown_option,
    },
    Promise { id: "blanks", section: SECTION, text: "CRLF, tabs and blank lines are understood", check: blanks },
    Promise { id: "quit", section: SECTION, text: "quit ends the program", check: quit },
    Promise { id: "quit-in-search", section: SECTION, text: "quit ends it in mid-search too", check: quit_in_search },
    Promise { id: "end-of-input", section: SECTION, text: "the end of input ends the program", check: end_of_input },
    Promise {
        id: "end-of-input-in-search",
        section: SECTION,
        text: "the end of input ends it in mid-search too",
        check: end_of_input_in_search,
    },
];

fn uciok(talk: &mut Talk) -> Result<(), Failure> {
    let lines = talk.introduce()?;
    for word in ["id name ", "id author "] {
        ensure(lines.iter().any(|line| line.starts_with(word)), || format!("there is no line {word:?}"))?;
    }
    Ok(())
}

fn quiet(talk: &mut Talk) -> Result<(), Failure> {
    let early = talk.listen(Duration::from_millis(300))?;
    ensure(early.is_empty(), || format!("it says {:?} before it is asked", early[0]))?;
    talk.introduce().map(|_| ())
}

fn plain_answers(talk: &mut Talk) -> Result<(), Failure> {
    // What is said at the start is another promise
    talk.listen(Duration::from_millis(300))?;
    let lines = talk.introduce()?;
    let belongs = |line: &str| {
        ["", "id", "option", "uciok", "copyprotection", "registration"]
            .contains(&line.split_whitespace().next().unwrap_or_default())
    };
    let odd = lines.iter().find(|line| !belongs(line) && !line.starts_with("info string"));
    ensure(odd.is_none(), || format!("{:?} is no answer to uci", odd.map_or("", |line| line)))?;
    let lines = talk.ready()?;
    ensure(lines.is_empty(), || format!("{:?} is no answer to isready", lines[0]))
}

fn no_trailing_space(talk: &mut Talk) -> Result<(), Failure> {
    let mut lines = talk.introduce()?;
    lines.extend(talk.ready()?);
    let search = talk.search("position startpos", "go depth 4")?;
    lines.extend(search.lines);
    let odd = lines.iter().find(|line| line.ends_with([' ', '\t']));
    ensure(odd.is_none(), || format!("{:?} ends in a blank", odd.map_or("", |line| line)))
}

fn options(talk: &mut Talk) -> Result<(), Failure> {
    talk.introduce()?;
    let missing: Vec<&str> = USUAL.into_iter().filter(|name| talk.needs(name).is_err()).collect();
    ensure(missing.is_empty(), || format!("there is no {}", missing.join(", ")))
}

fn option_lines(talk: &mut Talk) -> Result<(), Failure> {
    talk.introduce()?;
    for line in talk.options.clone() {
        let odd = |why: &str| format!("{line:?}: {why}");
        let (_, rest) = line.split_once(" type ").ok_or_else(|| Failure::Broken(odd("it has no type")))?;
        let words: Vec<&str> = rest.split_whitespace().collect();
        let behind = |word: &str| words.iter().position(|&found| found == word).and_then(|at| words.get(at + 1));
        let number = |word: &str| behind(word).and_then(|text| text.parse::<i64>().ok());
        match words.first().copied() {
            Some("spin") => {
                let range = (number("min"), number("default"), number("max"));
                let is_right =
                    matches!(range, (Some(min), Some(default), Some(max)) if min <= default && default <= max);
                ensure(is_right, || odd("a spin has a default between min and max"))?;
            }
            Some("check") => {
                let is_right = matches!(behind("default"), Some(&"true" | &"false"));
                ensure(is_right, || odd("a check is true or false by default"))?;
            }
            Some("combo") => {
                let default = rest.split_once("default ").map(|(_, rest)| rest.split(" var ").next().unwrap_or(rest));
                let has = |default: &str| rest.split(" var ").skip(1).any(|var| var.trim() == default.trim());
                ensure(default.is_some_and(has), || odd("a combo has its default among its values"))?;
            }
            Some("button" | "string") => (),
            _ => return Err(Failure::Broken(odd("there is no such type"))),
        }
    }
    Ok(())
}

fn ready_after_option(talk: &mut Talk) -> Result<(), Failure> {
    talk.introduce()?;
    for (name, value) in [("Hash", " value 64"), ("Threads", " value 2"), ("MultiPV", " value 2"), ("Clear Hash", "")] {
        if talk.needs(name).is_ok() {
            talk.send(&format!("setoption name {name}{value}"))?;
            talk.ready_within(SECOND + talk.slack)?;
        }
    }
    Ok(())
}

/// Whether two lines are shown after MultiPV was set to two in some way.
fn shows_two(talk: &mut Talk, line: &str) -> Result<(), Failure> {
    talk.introduce()?;
    talk.needs("MultiPV")?;
    talk.send(line)?;
    let search = talk.search("position startpos", "go depth 4")?;
    let shows = |number: u32| search.lines.iter().any(|line| line.contains(&format!(" multipv {number} ")));
    ensure(shows(2) && !shows(3), || format!("after {line:?} there are not two lines"))
}

fn option_case(talk: &mut Talk) -> Result<(), Failure> {
    shows_two(talk, "setoption name mUlTiPv value 2")
}

fn option_decimal(talk: &mut Talk) -> Result<(), Failure> {
    shows_two(talk, "setoption name MultiPV value 2.4")
}

fn option_spaces(talk: &mut Talk) -> Result<(), Failure> {
    talk.introduce()?;
    let mut tried = false;
    for (name, rest) in
        [("Move Overhead", " value 50"), ("Clear Hash", ""), ("SyzygyPath", " value"), ("SyzygyPath", " value <empty>")]
    {
        if talk.needs(name).is_ok() {
            tried = true;
            talk.send(&format!("setoption name {name}{rest}"))?;
            let lines = talk.ready()?;
            let odd = lines.iter().find(|line| {
                let line = line.to_lowercase();
                ["no such", "unknown", "not known", "no option", "needs"].iter().any(|word| line.contains(word))
            });
            ensure(odd.is_none(), || format!("{name} is refused: {:?}", odd.map_or("", |line| line)))?;
        }
    }
    if tried { Ok(()) } else { Err(Failure::Skipped("it has no option with a space in its name".to_owned())) }
}

fn option_range(talk: &mut Talk) -> Result<(), Failure> {
    talk.introduce()?;
    talk.needs("MultiPV")?;
    talk.send("setoption name MultiPV value 0")?;
    let lines = talk.ready()?;
    let search = talk.search("position startpos", "go depth 2")?;
    legal(&after(&[]), &search.best)?;
    ensure(lines.iter().any(|line| line.starts_with("info string")), || "nothing is said of it".to_owned())
}

fn ignored(talk: &mut Talk, line: &str) -> Result<(), Failure> {
    talk.introduce()?;
    talk.send(line)?;
    let lines = talk.ready()?;
    ensure(!lines.is_empty(), || "nothing is said of it".to_owned())?;
    let odd = lines.iter().find(|line| !line.starts_with("info string"));
    ensure(odd.is_none(), || format!("{:?} is no info string", odd.map_or("", |line| line)))
}

fn unknown_command(talk: &mut Talk) -> Result<(), Failure> {
    ignored(talk, "fly me to the moon")
}

fn unknown_option(talk: &mut Talk) -> Result<(), Failure> {
    ignored(talk, "setoption name Flux Capacitor value 88")
}

fn blanks(talk: &mut Talk) -> Result<(), Failure> {
    talk.introduce()?;
    talk.send_raw("\r\n\t\n  isready \r\n")?;
    talk.until("readyok", talk.patience)?;
    talk.send_raw("\tposition\tstartpos  moves\te2e4\r\n")?;
    talk.send_raw("go   depth\t2\r\n")?;
    let search = talk.best_move(std::time::Instant::now(), talk.patience)?;
    legal(&after(&["e2e4"]), &search.best).map(|_| ())
}

fn quit(talk: &mut Talk) -> Result<(), Failure> {
    talk.introduce()?;
    talk.send("quit")?;
    talk.ends_within(SECOND + talk.slack).map(|_| ())
}

fn quit_in_search(talk: &mut Talk) -> Result<(), Failure> {
    talk.introduce()?;
    talk.send("position startpos\ngo infinite")?;
    talk.listen(Duration::from_millis(100))?;
    talk.send("quit")?;
    talk.ends_within(SECOND + talk.slack).map(|_| ())
}

fn end_of_input(talk: &mut Talk) -> Result<(), Failure> {
    talk.introduce()?;
    talk.hang_up();
    talk.ends_within(SECOND + talk.slack).map(|_| ())
}

fn end_of_input_in_search(talk: &mut Talk) -> Result<(), Failure> {
    talk.introduce()?;
    talk.send("position startpos\ngo infinite")?;
    talk.listen(Duration::from_millis(100))?;
    talk.hang_up();
    talk.ends_within(SECOND + talk.slack).map(|_| ())
}
