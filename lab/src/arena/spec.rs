//! Engines as a user names them: `self` or `cmd=PROGRAM`, then settings such as `name=` and `option.Hash=`.

use std::time::Duration;

use engine::{Weights, WeightsError};
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
}

/// What an engine may spend on its moves.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum Thinking {
    /// A clock and what each move adds to it.
    Clock {
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
    /// A word is no setting.
    #[error("--engine: {0:?} is not KEY=VALUE")]
    NoSetting(String),
    /// There is no such setting.
    #[error("--engine: {0:?} is not known; there are name, weights, option.NAME, tc, movetime, nodes, depth")]
    Unknown(String),
    /// Weights for an engine that is not ours.
    #[error("weights= is for self; for another engine use option.NAME=VALUE")]
    ForeignWeights,
    /// The weights cannot be used.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// A limit is not understood.
    #[error("{key} {value:?} is not understood; write tc 8+0.08, movetime 0.5, nodes 20000 or depth 6")]
    Thinking {
        /// The limit's name.
        key: String,
        /// What stands there.
        value: String,
    },
    /// Nothing says how long the engine may think.
    #[error("{0} has no limit: give --tc, --movetime, --nodes or --depth")]
    Unlimited(String),
}

/// Whether a word begins an engine.
pub fn is_engine(word: &str) -> bool {
    word == "self" || word.starts_with("cmd=")
}

/// Reads engines, each `self` or `cmd=PROGRAM` and what follows it. `own` is the command behind `self`; `common` holds for
/// engines that do not say how they think.
pub fn read_engines<S: AsRef<str>>(
    words: &[S],
    own: &[String],
    common: Option<Thinking>,
) -> Result<Vec<EngineSpec>, SpecError> {
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for word in words.iter().map(AsRef::as_ref) {
        match groups.last_mut() {
            _ if is_engine(word) => groups.push((word, Vec::new())),
            Some((_, settings)) => settings.push(word),
            None => return Err(SpecError::NoStart(word.to_owned())),
        }
    }
    groups.iter().map(|(start, settings)| read_engine(start, settings, own, common)).collect()
}

fn read_engine(
    start: &str,
    settings: &[&str],
    own: &[String],
    common: Option<Thinking>,
) -> Result<EngineSpec, SpecError> {
    let program = start.strip_prefix("cmd=");
    let command = program.map_or(own.to_vec(), |program| program.split_whitespace().map(str::to_owned).collect());
    let file_name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let mut name = program.map_or("marquetry".to_owned(), file_name);
    let (mut options, mut thinking) = (Vec::new(), common);
    for setting in settings {
        let (key, value) = setting.split_once('=').ok_or_else(|| SpecError::NoSetting((*setting).to_owned()))?;
        match key {
            "name" => value.clone_into(&mut name),
            "weights" if program.is_none() => {
                Weights::load(value)?;
                options.push(("EvalFile".to_owned(), value.to_owned()));
            }
            "weights" => return Err(SpecError::ForeignWeights),
            "tc" | "movetime" | "nodes" | "depth" => thinking = Some(Thinking::read(key, value)?),
            _ => match key.strip_prefix("option.") {
                Some(option) => options.push((option.to_owned(), value.to_owned())),
                None => return Err(SpecError::Unknown(key.to_owned())),
            },
        }
    }
    let thinking = thinking.ok_or_else(|| SpecError::Unlimited(name.clone()))?;
    Ok(EngineSpec { name, command, options, thinking })
}

impl Thinking {
    /// Reads a limit by its name: `tc`, `movetime`, `nodes` or `depth`.
    pub fn read(key: &str, value: &str) -> Result<Thinking, SpecError> {
        let wrong = || SpecError::Thinking { key: key.to_owned(), value: value.to_owned() };
        let seconds = |text: &str| -> Result<Duration, SpecError> {
            let number: f64 = text.parse().map_err(|_| wrong())?;
            Duration::try_from_secs_f64(number).map_err(|_| wrong())
        };
        Ok(match key {
            "tc" => {
                let (time, increment) = value.split_once('+').unwrap_or((value, "0"));
                Thinking::Clock { time: seconds(time)?, increment: seconds(increment)? }
            }
            "movetime" => Thinking::MoveTime(seconds(value)?),
            "nodes" => Thinking::Nodes(value.parse().map_err(|_| wrong())?),
            "depth" => Thinking::Depth(value.parse().map_err(|_| wrong())?),
            _ => return Err(wrong()),
        })
    }

    /// What UCI calls it, with fresh clocks.
    pub fn go(&self) -> String {
        match self {
            Thinking::Clock { time, increment } => {
                let (time, increment) = (time.as_millis(), increment.as_millis());
                format!("go wtime {time} btime {time} winc {increment} binc {increment}")
            }
            Thinking::MoveTime(time) => format!("go movetime {}", time.as_millis()),
            Thinking::Nodes(nodes) => format!("go nodes {nodes}"),
            Thinking::Depth(depth) => format!("go depth {depth}"),
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
        let engines = read_engines(&words, &own, Some(Thinking::Depth(3))).unwrap();
        assert_eq!(engines.len(), 2);
        assert_eq!((engines[0].name.as_str(), engines[0].thinking), ("a", Thinking::Nodes(50)));
        assert_eq!(engines[0].command, own);
        assert_eq!(engines[1].command, ["/usr/bin/other", "--quiet"]);
        assert_eq!(engines[1].options, [("Use NNUE".to_owned(), "false".to_owned())]);
        assert_eq!(engines[1].thinking, Thinking::Depth(3));
        assert!(matches!(read_engines(&["name=a"], &own, None), Err(SpecError::NoStart(_))));
        assert!(matches!(read_engines(&["self"], &own, None), Err(SpecError::Unlimited(_))));
    }
}
