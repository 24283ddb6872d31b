//! The options of the wayward engine, most of which mean nothing to it.

use std::time::Duration;

use crate::say;

/// Options as they are listed.
const OPTIONS: [&str; 12] = [
    "Hash type spin default 16 min 1 max 33554432",
    "Threads type spin default 1 min 1 max 64",
    "Ponder type check default false",
    "MultiPV type spin default 1 min 1 max 50",
    "Move Overhead type spin default 10 min 0 max 5000",
    "SyzygyPath type string default <empty>",
    "UCI_ShowWDL type check default false",
    "UCI_Chess960 type check default false",
    "UCI_LimitStrength type check default false",
    "UCI_Elo type spin default 1500 min 1000 max 2000",
    "UCI_AnalyseMode type check default false",
    "Clear Hash type button",
];

/// What was set.
pub(crate) struct Settings {
    vice: String,
    pub(crate) multi_pv: usize,
    pub(crate) shows_wdl: bool,
    pub(crate) is_chess960: bool,
}

impl Settings {
    pub(crate) fn new(vice: &str) -> Settings {
        Settings { vice: vice.to_owned(), multi_pv: 1, shows_wdl: false, is_chess960: false }
    }

    fn has(&self, vice: &str) -> bool {
        self.vice == vice
    }

    /// Answers `uci`.
    pub(crate) fn introduce(&self) {
        say(if self.has("no-trailing-space") { "id name Wayward " } else { "id name Wayward" });
        if !self.has("uciok") {
            say("id author nobody");
        }
        if self.has("plain-answers") {
            say("how do you do");
        }
        for option in OPTIONS {
            let is_left_out = self.has("options") && option.starts_with("UCI_Elo");
            let option =
                if self.has("option-lines") { option.replace("default 16 ", "default 0 ") } else { option.to_owned() };
            if !is_left_out {
                say(&format!("option name {option}"));
            }
        }
        say("uciok");
    }

    /// Takes `setoption name NAME value VALUE` over.
    pub(crate) fn set(&mut self, line: &str) {
        let rest = line.split_once("name ").map_or("", |(_, rest)| rest);
        let (name, value) = rest.split_once(" value").unwrap_or((rest, ""));
        let (name, value) = (name.trim(), value.trim());
        let listed = OPTIONS.iter().filter_map(|option| option.split_once(" type "));
        let is_meant = |listed: &str| {
            if self.has("option-case") { listed == name } else { listed.eq_ignore_ascii_case(name) }
        };
        let Some((name, kind)) = listed.into_iter().find(|(listed, _)| is_meant(listed)) else {
            let sign = if self.has("unknown-option") { "" } else { "info string " };
            return say(&format!("{sign}no such option: {name}"));
        };
        if self.has("option-spaces") && name.contains(' ') {
            return say(&format!("info string no such option: {name}"));
        }
        if self.has("ready-after-option") && name == "Hash" {
            std::thread::sleep(Duration::from_secs(3));
        }
        match name {
            "UCI_ShowWDL" => self.shows_wdl = value == "true",
            "UCI_Chess960" => self.is_chess960 = value == "true",
            "Hash" if self.has("no-memory") && value.len() > 6 => std::process::exit(1),
            "MultiPV" => self.multi_pv = self.number(name, kind, value) as usize,
            _ => (),
        }
    }

    /// A spin's value within its range; what was wrong with it is said.
    fn number(&self, name: &str, kind: &str, value: &str) -> i64 {
        let words: Vec<&str> = kind.split_whitespace().collect();
        let bound = |word: &str| {
            let at = words.iter().position(|found| *found == word);
            at.and_then(|at| words.get(at + 1)?.parse::<i64>().ok()).unwrap_or(1)
        };
        let is_whole = value.parse::<i64>().is_ok();
        let Some(number) = value.parse::<f64>().ok().filter(|_| is_whole || !self.has("option-decimal")) else {
            say(&format!("info string {name} needs a number"));
            return bound("default");
        };
        let rounded = number.round() as i64;
        let within = rounded.clamp(bound("min"), bound("max"));
        if within != rounded && !self.has("option-range") {
            say(&format!("info string {name} is set to {within}"));
        }
        within
    }
}
