//! The options that a program may set, declared once: `uci` lists them and `setoption` finds them here.

use crate::{Strength, TUNABLES, Tunable};

/// An option's name and kind.
#[derive(Copy, Clone)]
pub(crate) struct OptionInfo {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
}

#[derive(Copy, Clone)]
pub(crate) enum Kind {
    Spin { default: i64, min: i64, max: i64 },
    Check { default: bool },
    Text { default: &'static str },
    Button,
}

pub(crate) const DEFAULT_HASH: usize = 16;

pub(crate) static OPTIONS: [OptionInfo; 14] = [
    spin("Hash", DEFAULT_HASH as i64, 1, 1 << 25),
    OptionInfo { name: "Clear Hash", kind: Kind::Button },
    spin("Threads", 1, 1, 1024),
    check("Ponder", false),
    spin("MultiPV", 1, 1, 256),
    spin("Move Overhead", 10, 0, 5000),
    check("UCI_Chess960", false),
    check("UCI_ShowWDL", false),
    check("UCI_AnalyseMode", false),
    check("UCI_LimitStrength", false),
    spin("UCI_Elo", Strength::DEFAULT as i64, Strength::LEAST as i64, Strength::MOST as i64),
    OptionInfo { name: "SyzygyPath", kind: Kind::Text { default: "<empty>" } },
    OptionInfo { name: "EvalFile", kind: Kind::Text { default: "default" } },
    check("UsePSTInterpolation", true),
];

const fn spin(name: &'static str, default: i64, min: i64, max: i64) -> OptionInfo {
    OptionInfo { name, kind: Kind::Spin { default, min, max } }
}

const fn check(name: &'static str, default: bool) -> OptionInfo {
    OptionInfo { name, kind: Kind::Check { default } }
}

/// What the options say, those about memory, weights and the search's numbers left out.
#[derive(Copy, Clone)]
pub(crate) struct Settings {
    /// What a move costs outside the engine, in milliseconds.
    pub(crate) overhead: u64,
    pub(crate) threads: usize,
    pub(crate) multi_pv: usize,
    /// Castling is written king-takes-rook.
    pub(crate) chess960: bool,
    pub(crate) shows_wdl: bool,
    /// Somebody analyses: no limit of strength applies, all else is the same.
    pub(crate) analyses: bool,
    pub(crate) limits_strength: bool,
    pub(crate) elo: i32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            overhead: 10,
            threads: 1,
            multi_pv: 1,
            chess960: false,
            shows_wdl: false,
            analyses: false,
            limits_strength: false,
            elo: Strength::DEFAULT,
        }
    }
}

impl Settings {
    /// Takes a setting over, if it is one of these.
    pub(crate) fn apply(&mut self, name: &str, setting: &Setting) {
        match (name, setting) {
            ("Move Overhead", Setting::Number(milliseconds)) => self.overhead = *milliseconds as u64,
            ("Threads", Setting::Number(threads)) => self.threads = *threads as usize,
            ("MultiPV", Setting::Number(lines)) => self.multi_pv = *lines as usize,
            ("UCI_Chess960", Setting::Switch(on)) => self.chess960 = *on,
            ("UCI_ShowWDL", Setting::Switch(on)) => self.shows_wdl = *on,
            ("UCI_AnalyseMode", Setting::Switch(on)) => self.analyses = *on,
            ("UCI_LimitStrength", Setting::Switch(on)) => self.limits_strength = *on,
            ("UCI_Elo", Setting::Number(elo)) => self.elo = *elo as i32,
            // Pondering is the other side's decision; the option only tells of it
            _ => (),
        }
    }

    /// How strongly to play, if not as strongly as possible.
    pub(crate) fn strength(&self) -> Option<Strength> {
        (self.limits_strength && !self.analyses).then(|| Strength::new(self.elo))
    }
}

impl std::fmt::Display for OptionInfo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match self.kind {
            Kind::Spin { default, min, max } => write!(f, "spin default {default} min {min} max {max}"),
            Kind::Check { default } => write!(f, "check default {default}"),
            Kind::Text { default } => write!(f, "string default {default}"),
            Kind::Button => write!(f, "button"),
        }
    }
}

/// What was set, understood.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Setting {
    Number(i64),
    Switch(bool),
    Text(String),
    Pressed,
}

impl OptionInfo {
    /// A number of the search as an option.
    pub(crate) const fn of(tunable: &Tunable) -> OptionInfo {
        spin(tunable.name, tunable.default as i64, tunable.min as i64, tunable.max as i64)
    }

    /// The option of this name, whatever its capitals. The search's numbers are options too.
    pub(crate) fn find(name: &str) -> Option<OptionInfo> {
        let mut all = OPTIONS.iter().copied().chain(TUNABLES.iter().map(OptionInfo::of));
        all.find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Understands a value. A number outside its range is moved into it, with a word about that.
    pub(crate) fn read(&self, value: &str) -> Result<(Setting, Option<String>), String> {
        match self.kind {
            Kind::Spin { min, max, .. } => {
                let wrong = || format!("{} needs a number, not {value:?}", self.name);
                let number: f64 = value.parse().ok().filter(|number: &f64| !number.is_nan()).ok_or_else(wrong)?;
                let rounded = number.round();
                let clamped = rounded.clamp(min as f64, max as f64);
                let word =
                    (clamped != rounded).then(|| format!("{} is set to {clamped}, the nearest allowed", self.name));
                Ok((Setting::Number(clamped as i64), word))
            }
            Kind::Check { .. } => match value.to_ascii_lowercase().as_str() {
                "true" => Ok((Setting::Switch(true), None)),
                "false" => Ok((Setting::Switch(false), None)),
                _ => Err(format!("{} needs true or false, not {value:?}", self.name)),
            },
            Kind::Text { default } => {
                let is_empty = value.is_empty() || value == "<empty>";
                Ok((Setting::Text(if is_empty { default } else { value }.to_owned()), None))
            }
            Kind::Button => Ok((Setting::Pressed, None)),
        }
    }
}

/// The name and the value in `setoption name … value …`, blanks within the value as they are.
pub(crate) fn split(line: &str) -> Option<(String, &str)> {
    let (_, rest) = line.trim().split_once(char::is_whitespace)?;
    let rest = rest.trim_start().strip_prefix("name")?;
    let starts = |place: usize| rest[..place].ends_with(char::is_whitespace);
    let ends = |place: usize| rest[place..].is_empty() || rest[place..].starts_with(char::is_whitespace);
    let word = rest.match_indices("value").map(|(place, word)| (place, place + word.len()));
    let (name, value) = match word.into_iter().find(|&(start, end)| starts(start) && ends(end)) {
        Some((start, end)) => (&rest[..start], rest[end..].trim()),
        None => (rest, ""),
    };
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    (rest.starts_with(char::is_whitespace) && !name.is_empty()).then_some((name, value))
}
