//! A reviewed game as PGN: everything that stood there, the value behind each move, and what was better.

use chess::{Color, Position};

use super::review::{Judgement, Review};
use crate::data::{Note, numbered};
use crate::explain::{Verdict, line_in_san, pawns, score_in_words};

/// Lines are broken before this.
const WIDTH: usize = 100;
/// So many plies are shown of a better line.
const SHOWN: usize = 10;
/// So many reasons are named.
const NAMED: usize = 3;
/// Glyphs of good and bad moves, which ours replace.
const GLYPHS: std::ops::RangeInclusive<u8> = 1..=6;

/// The game as PGN, with an empty line behind it. `name` is who annotated it.
pub fn annotated(review: &Review, name: &str) -> String {
    let sheet = &review.sheet;
    let mut text = String::new();
    for (key, value) in sheet.tags.iter().filter(|(key, _)| !key.eq_ignore_ascii_case("Annotator")) {
        text += &format!("[{key} \"{}\"]\n", escaped(value));
    }
    text += &format!("[Annotator \"{}\"]\n\n", escaped(name));
    let mut words: Vec<String> = Vec::new();
    sheet.notes.iter().for_each(|note| add_note(&mut words, note));
    let mut is_numbered = true;
    for (ply, judgement) in sheet.plies.iter().zip(&review.judgements) {
        add(&mut words, &numbered(&ply.position, ply.mv, is_numbered));
        let glyphs = ply.nags.iter().copied().filter(|nag| judgement.grade.is_none() || !GLYPHS.contains(nag));
        for nag in judgement.grade.map(super::Grade::nag).into_iter().chain(glyphs) {
            words.push(format!("${nag}"));
        }
        let remark = remark(&ply.position, judgement);
        is_numbered = !remark.is_empty() || !ply.notes.is_empty();
        if !remark.is_empty() {
            add(&mut words, &format!("{{{remark}}}"));
        }
        ply.notes.iter().for_each(|note| add_note(&mut words, note));
        if !judgement.better.is_empty() {
            let line = &judgement.better[..judgement.better.len().min(SHOWN)];
            add(&mut words, &format!("({})", line_in_san(&ply.position, line)));
            is_numbered = true;
        }
    }
    words.push(sheet.result.clone());
    text += &wrapped(&words);
    text.push('\n');
    text
}

/// The value behind a move and, if it is graded, what was better and why.
fn remark(position: &Position, judgement: &Judgement) -> String {
    let value = judgement.value.map(|value| format!("[%eval {}]", eval(value)));
    let words = judgement.grade.zip(judgement.better.first()).map(|(grade, &better)| {
        let grade = grade.name();
        let capital = grade[..1].to_uppercase() + &grade[1..];
        format!("{capital}, {}. Better is {}{}.", cost(judgement), position.san(better), why(judgement))
    });
    value.into_iter().chain(words).collect::<Vec<_>>().join(" ")
}

/// What a move cost, in words.
fn cost(judgement: &Judgement) -> String {
    match judgement.verdicts {
        Some((Verdict::Mate(moves), _)) if moves > 0 => format!("a mate in {moves} is missed"),
        Some((_, Verdict::Mate(moves))) if moves < 0 => format!("it allows mate in {}", -moves),
        _ => format!("it costs {:.2}", f64::from(judgement.loss) / 100.0),
    }
}

/// Why the other move is better, with a colon before it.
fn why(judgement: &Judgement) -> String {
    let named = judgement.reasons.iter().take(NAMED).filter(|reason| reason.cp.abs() >= 3);
    let named: Vec<String> = named.map(|reason| format!("{} {}", reason.name, pawns(reason.cp))).collect();
    if named.is_empty() { String::new() } else { format!(": {}", named.join(", ")) }
}

/// A value as Lichess writes it: pawns, or `#-3`, White's view.
fn eval(value: i32) -> String {
    match engine::moves_to_mate(value) {
        Some(moves) => format!("#{moves}"),
        None => format!("{:.2}", f64::from(value) / 100.0),
    }
}

fn add_note(words: &mut Vec<String>, note: &Note) {
    match note {
        Note::Comment(text) => {
            let text = without_eval(text);
            if !text.is_empty() {
                add(words, &format!("{{{text}}}"));
            }
        }
        Note::Variation(text) => add(words, &format!("({text})")),
    }
}

/// A comment without the value that stood in it.
fn without_eval(text: &str) -> String {
    let mut rest = text.to_owned();
    while let Some(start) = rest.find("[%eval ") {
        let end = rest[start..].find(']').map_or(rest.len(), |end| start + end + 1);
        rest.replace_range(start..end, "");
    }
    rest.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Takes text in word by word, between which lines may be broken; a command such as `[%eval 0.30]` stays in one piece.
fn add(words: &mut Vec<String>, text: &str) {
    for word in text.split(' ') {
        match words.last_mut().filter(|last| last.rfind("[%") > last.rfind(']')) {
            Some(command) => *command += &format!(" {word}"),
            None => words.push(word.to_owned()),
        }
    }
}

fn wrapped(words: &[String]) -> String {
    let (mut text, mut column) = (String::new(), 0);
    for word in words {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > WIDTH {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text += word;
        column += length;
    }
    text.push('\n');
    text
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

/// A mistake in one line, for people: `12... Qh4?? (+0.30 to -4.10): better Nf6 …`.
pub(super) fn in_a_line(position: &Position, judgement: &Judgement) -> String {
    let mark = match judgement.grade {
        Some(super::Grade::Blunder) => "??",
        Some(super::Grade::Mistake) => "?",
        _ => "?!",
    };
    let own = |white: i32| if judgement.color == Color::White { white } else { -white };
    let value = judgement.value.map_or("the game is over".to_owned(), |value| score_in_words(own(value)));
    let played = numbered(position, judgement.mv, true);
    let better = judgement
        .better
        .first()
        .map_or(String::new(), |&better| format!(", better {}{}", position.san(better), why(judgement)));
    format!("{played}{mark} {} ({value}){better}", cost(judgement))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_never_broken() {
        let mut words = Vec::new();
        add(&mut words, "{[%eval 0.30] [%clk 0:01:00] well played}");
        assert_eq!(words, ["{[%eval 0.30]", "[%clk 0:01:00]", "well", "played}"]);
    }
}
