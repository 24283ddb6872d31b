//! Engines as a user names them: `self` or `cmd=PROGRAM`, then settings such as `name=` and `option.Hash=`.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::time::Duration;

use engine::{Engine, TUNABLES, Weights, WeightsError};
use thiserror::Error;

/// How an engine is started and called.
#[derive(Clone, Debug)]
pub struct EngineSpec {
    /// Its name in tables and files.
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// UCI options to set.
    pub options: Vec<(String, String)>,
    /// How it may think.
    pub thinking: Thinking,
    /// Whether it is this program.
    pub is_own: bool,
}

/// What an engine may spend on its moves.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum Thinking {
    /// A clock and what each move adds to it.
    Clock {
        /// After how many moves the time is given again, if it is.
        moves: Option<u32>,
        /// At the start.
        time: Duration,
        /// For each move.
        increment: Duration,
    },
    /// The same time for each move.
    MoveTime(Duration),
    /// Nodes for each move.
    Nodes(u64),
    /// Plies for each move.
    Depth(u32),
}

/// Why words do not name an engine.
#[derive(Debug, Error)]
pub enum SpecError {
    /// The words do not say what to start.
    #[error("--engine {0}: an engine begins with self or cmd=PROGRAM")]
    NoStart(String),
    /// No program is named.
    #[error("--engine cmd=: the program is missing; write cmd=PROGRAM")]
    NoProgram,
    /// A word is no setting.
    #[error("--engine: {0:?} is not KEY=VALUE")]
    NoSetting(String),
    /// There is no such setting.
    #[error(
        "--engine: {0:?} is not known; there are name, args, weights, tunable.NAME, option.NAME, tc, movetime, nodes, \
         depth"
    )]
    Unknown(String),
    /// Weights or numbers of the search for an engine that is not ours.
    #[error("{0}= is for self; for another engine use option.NAME=VALUE")]
    Foreign(String),
    /// Arguments for our own engine.
    #[error("args= is for cmd=PROGRAM; what self does is said by weights=, tunable.NAME= and option.NAME=")]
    OwnArguments,
    /// There is no such number of the search, or it is out of its range.
    #[error("--engine: tunable.{0} is not a number of the search within its range; marquetry tunables lists them")]
    Tunable(String),
    /// There is no such option of ours, or not with this value.
    #[error("--engine: option.{0}: {1}")]
    Option(String, String),
    /// The weights cannot be used.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// A limit is not understood.
    #[error("{key} {value:?} is not understood; write tc 8+0.08 or 40/60+0.6, movetime 0.5, nodes 20000 or depth 6")]
    Thinking {
        /// The limit's name.
        key: String,
        /// What stands there.
        value: String,
    },
    /// A limit that lets the engine look at nothing.
    #[error("{0} must be 1 or more")]
    Nothing(String),
    /// Nothing says how long the engine may think.
    #[error("{0} has no limit: give --tc, --movetime, --nodes or --depth")]
    Unlimited(String),
}

/// Whether a word begins an engine.
pub fn is_engine(word: &str) -> bool {
    word == "self" || word.starts_with("cmd=")
}

/// Reads engines, each `self` or `cmd=PROGRAM` and what follows it. `own` is the command behind `self`; `common` holds for
/// engines that do not say how they think. The settings in `each` come before an engine's own.
pub fn read_engines<S: AsRef<str>>(
    words: &[S],
    each: &[S],
    own: &[String],
    common: Option<Thinking>,
) -> Result<Vec<EngineSpec>, SpecError> {
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for word in words.iter().map(AsRef::as_ref) {
        match groups.last_mut() {
            _ if is_engine(word) => groups.push((word, each.iter().map(AsRef::as_ref).collect())),
            Some((_, settings)) => settings.push(word),
            None => return Err(SpecError::NoStart(word.to_owned())),
        }
    }
    let read = |(start, settings): &(&str, Vec<&str>)| read_engine(start, settings, own, common);
    let mut engines = groups.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    name_apart(&mut engines);
    Ok(engines)
}

/// Gives engines of one name numbers.
fn name_apart(engines: &mut [EngineSpec]) {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for spec in engines {
        let count = seen.entry(spec.name.clone()).or_default();
        *count += 1;
        if *count > 1 {
            spec.name = format!("{} ({count})", spec.name);
        }
    }
}

fn read_engine(
    start: &str,
    settings: &[&str],
    own: &[String],
    common: Option<Thinking>,
) -> Result<EngineSpec, SpecError> {
    let program = start.strip_prefix("cmd=");
    let words = |text: &str| -> Vec<String> { text.split_whitespace().map(str::to_owned).collect() };
    let mut command = match program {
        None => own.to_vec(),
        Some(program) if program.trim().is_empty() => return Err(SpecError::NoProgram),
        // A path may have spaces in it
        Some(program) if Path::new(program).is_file() => vec![program.to_owned()],
        Some(program) => words(program),
    };
    let file_name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let mut name = program.map_or("marquetry".to_owned(), file_name);
    if let Some(weights) = settings.iter().rev().find_map(|setting| setting.strip_prefix("weights=")) {
        name = file_name(weights).trim_end_matches(".toml").to_owned();
    }
    let (mut options, mut thinking) = (Vec::new(), common);
    for setting in settings {
        let (key, value) = setting.split_once('=').ok_or_else(|| SpecError::NoSetting((*setting).to_owned()))?;
        match key {
            "name" => value.clone_into(&mut name),
            "args" if program.is_none() => return Err(SpecError::OwnArguments),
            "args" => command.extend(words(value)),
            "weights" if program.is_none() => {
                Weights::load(value)?;
                options.push(("EvalFile".to_owned(), value.to_owned()));
            }
            "weights" => return Err(SpecError::Foreign(key.to_owned())),
            "tc" | "movetime" | "nodes" | "depth" => thinking = Some(Thinking::read(key, value)?),
            _ => match key.split_once('.') {
                Some(("option", option)) => {
                    if program.is_none() {
                        check_own(option, value)?;
                    }
                    options.push((option.to_owned(), value.to_owned()));
                }
                Some(("tunable", _)) if program.is_some() => return Err(SpecError::Foreign(key.to_owned())),
                Some(("tunable", name)) if is_tunable(name, value) => options.push((name.to_owned(), value.to_owned())),
                Some(("tunable", name)) => return Err(SpecError::Tunable(format!("{name}={value}"))),
                _ => return Err(SpecError::Unknown(key.to_owned())),
            },
        }
    }
    let thinking = thinking.ok_or_else(|| SpecError::Unlimited(name.clone()))?;
    Ok(EngineSpec { name, command, options, thinking, is_own: program.is_none() })
}

/// Whether our own engine takes an option as it is given.
fn check_own(option: &str, value: &str) -> Result<(), SpecError> {
    if option.eq_ignore_ascii_case("EvalFile") {
        Weights::load(value)?;
    }
    Engine::check_option(option, value).map_err(|why| SpecError::Option(option.to_owned(), why))
}

/// Whether there is such a number of the search and the value lies within its range.
fn is_tunable(name: &str, value: &str) -> bool {
    let value: Option<i32> = value.parse().ok();
    let allows =
        |value| TUNABLES.iter().any(|tunable| tunable.name == name && (tunable.min..=tunable.max).contains(&value));
    value.is_some_and(allows)
}

/// No clock has more seconds or minutes than this.
const LONGEST: f64 = 1e9;

impl Thinking {
    /// Reads a limit by its name: `tc`, `movetime`, `nodes` or `depth`.
    pub fn read(key: &str, value: &str) -> Result<Thinking, SpecError> {
        match Thinking::recall(key, value)? {
            Thinking::Nodes(0) | Thinking::Depth(0) => Err(SpecError::Nothing(key.to_owned())),
            thinking => Ok(thinking),
        }
    }

    /// Reads a limit of a game that was played, even one that is not allowed any more.
    pub(crate) fn recall(key: &str, value: &str) -> Result<Thinking, SpecError> {
        let wrong = || SpecError::Thinking { key: key.to_owned(), value: value.to_owned() };
        let seconds = |text: &str| -> Result<Duration, SpecError> {
            let number: f64 = text.parse().ok().filter(|number| *number <= LONGEST).ok_or_else(wrong)?;
            Duration::try_from_secs_f64(number).map_err(|_| wrong())
        };
        Ok(match key {
            "tc" => {
                let (moves, rest) = value.split_once('/').map_or((None, value), |(moves, rest)| (Some(moves), rest));
                let moves = moves.map(str::parse).transpose().map_err(|_| wrong())?.filter(|&moves| moves > 0);
                let (time, increment) = rest.split_once('+').unwrap_or((rest, "0"));
                // Minutes may be told apart from seconds
                let (minutes, time) = time.split_once(':').unwrap_or(("0", time));
                Thinking::Clock { moves, time: 60 * seconds(minutes)? + seconds(time)?, increment: seconds(increment)? }
            }
            "movetime" => Thinking::MoveTime(seconds(value)?),
            "nodes" => Thinking::Nodes(value.parse().map_err(|_| wrong())?),
            "depth" => Thinking::Depth(value.parse().map_err(|_| wrong())?),
            _ => return Err(wrong()),
        })
    }

    /// Whether what is found depends on the machine's speed.
    pub fn is_timed(&self) -> bool {
        matches!(self, Thinking::Clock { .. } | Thinking::MoveTime(_))
    }

    /// What UCI calls it, with fresh clocks.
    pub fn go(&self) -> String {
        match self {
            Thinking::Clock { moves, time, increment } => {
                let (time, increment) = (time.as_millis(), increment.as_millis());
                let moves = moves.map_or(String::new(), |moves| format!(" movestogo {moves}"));
                format!("go wtime {time} btime {time} winc {increment} binc {increment}{moves}")
            }
            Thinking::MoveTime(time) => format!("go movetime {}", time.as_millis()),
            Thinking::Nodes(nodes) => format!("go nodes {nodes}"),
            Thinking::Depth(depth) => format!("go depth {depth}"),
        }
    }
}

/// As [`Thinking::read`] takes it, a clock without its name: `8+0.08`, `40/60`, `movetime 0.5`, `nodes 20000`, `depth 6`.
impl fmt::Display for Thinking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Thinking::Clock { moves, time, increment } => {
                if let Some(moves) = moves {
                    write!(f, "{moves}/")?;
                }
                write!(f, "{}", time.as_secs_f64())?;
                if increment.is_zero() { Ok(()) } else { write!(f, "+{}", increment.as_secs_f64()) }
            }
            Thinking::MoveTime(time) => write!(f, "movetime {}", time.as_secs_f64()),
            Thinking::Nodes(nodes) => write!(f, "nodes {nodes}"),
            Thinking::Depth(depth) => write!(f, "depth {depth}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_are_told_apart_by_their_first_words() {
        let words = ["self", "name=a", "nodes=50", "cmd=/usr/bin/other --quiet", "option.Use NNUE=false"];
        let own = ["marquetry".to_owned(), "uci".to_owned()];
        let engines = read_engines(&words, &[], &own, Some(Thinking::Depth(3))).unwrap();
        assert_eq!(engines.len(), 2);
        assert_eq!((engines[0].name.as_str(), engines[0].thinking), ("a", Thinking::Nodes(50)));
        assert_eq!(engines[0].command, own);
        assert_eq!(engines[1].command, ["/usr/bin/other", "--quiet"]);
        assert_eq!(engines[1].options, [("Use NNUE".to_owned(), "false".to_owned())]);
        assert_eq!(engines[1].thinking, Thinking::Depth(3));
        let engines = read_engines(&["cmd=other", "args=uci --quiet"], &[], &own, Some(Thinking::Depth(3))).unwrap();
        assert_eq!(engines[0].command, ["other", "uci", "--quiet"]);
        assert!(matches!(read_engines(&["self", "args=x"], &[], &own, None), Err(SpecError::OwnArguments)));
        assert!(matches!(read_engines(&["name=a"], &[], &own, None), Err(SpecError::NoStart(_))));
        assert!(matches!(read_engines(&["self"], &[], &own, None), Err(SpecError::Unlimited(_))));
    }

    #[test]
    fn a_program_may_have_spaces_in_its_path() {
        let name = format!("an engine {}", std::process::id());
        let path = std::env::temp_dir().join(&name);
        std::fs::write(&path, "").unwrap();
        let word = format!("cmd={}", path.display());
        let engines = read_engines(&[&*word], &[], &[], Some(Thinking::Depth(3))).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert_eq!((engines[0].command.len(), &engines[0].name), (1, &name));
    }

    #[test]
    fn clocks_are_read_as_people_write_them() {
        let written = |text: &str| Thinking::read("tc", text).map(|thinking| thinking.to_string()).ok();
        for text in ["8+0.08", "40/60", "40/60+0.6", "5"] {
            assert_eq!(written(text).as_deref(), Some(text));
        }
        assert_eq!(written("1:30+1").as_deref(), Some("90+1"));
        assert_eq!(written("0/60+1").as_deref(), Some("60+1"), "no moves to go");
        for text in ["", "8+", "x/60", "8+0.08+1", "-1+0", "nan", "1e30"] {
            assert_eq!(written(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_of_the_search_are_for_our_own_engine_and_within_their_range() {
        let own = ["marquetry".to_owned()];
        let read = |words: &[&str]| read_engines(words, &[], &own, Some(Thinking::Depth(3)));
        let engines = read(&["self", "tunable.rfp_margin=90"]).unwrap();
        assert_eq!(engines[0].options, [("rfp_margin".to_owned(), "90".to_owned())]);
        for word in ["tunable.rfp_margin=9000", "tunable.rfp_margin=many", "tunable.nothing=3"] {
            assert!(matches!(read(&["self", word]), Err(SpecError::Tunable(_))), "{word}");
        }
        assert!(matches!(read(&["cmd=other", "tunable.rfp_margin=90"]), Err(SpecError::Foreign(_))));
    }
}
