//! When games are called early, as a user writes it.

use lab::arena::{DrawRule, ResignRule};

/// Splits `key=value,key=value`.
pub(in crate::commands) fn settings(text: &str) -> Result<Vec<(&str, &str)>, String> {
    text.split(',').map(|part| part.split_once('=').ok_or_else(|| format!("{part:?} is not KEY=VALUE"))).collect()
}

fn number<T: std::str::FromStr>(key: &str, value: &str) -> Result<T, String> {
    value.parse().map_err(|_| format!("{key} needs a number, not {value:?}"))
}

pub(super) fn read_draw(text: &str) -> Result<DrawRule, String> {
    let mut rule = DrawRule { movenumber: 34, movecount: 8, score: 20 };
    for (key, value) in settings(text)? {
        match key {
            "movenumber" => rule.movenumber = number(key, value)?,
            "movecount" => rule.movecount = number(key, value)?,
            "score" => rule.score = number(key, value)?,
            _ => return Err(format!("{key:?} is not known; there are movenumber, movecount, score")),
        }
    }
    match rule {
        DrawRule { movecount: 0, .. } => Err("movecount must be at least 1".to_owned()),
        DrawRule { score: ..0, .. } => Err("score must be at least 0".to_owned()),
        rule => Ok(rule),
    }
}

pub(super) fn read_resign(text: &str) -> Result<ResignRule, String> {
    let mut rule = ResignRule { movecount: 3, score: 600, twosided: false };
    for (key, value) in settings(text)? {
        match key {
            "movecount" => rule.movecount = number(key, value)?,
            "score" => rule.score = number(key, value)?,
            "twosided" => rule.twosided = value.parse().map_err(|_| "twosided needs true or false".to_owned())?,
            _ => return Err(format!("{key:?} is not known; there are movecount, score, twosided")),
        }
    }
    match rule {
        ResignRule { movecount: 0, .. } => Err("movecount must be at least 1".to_owned()),
        ResignRule { score: ..=0, .. } => Err("score must be at least 1".to_owned()),
        rule => Ok(rule),
    }
}
