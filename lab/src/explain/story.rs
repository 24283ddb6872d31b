//! An explanation in sentences. Their figures are those of the change, merged into reasons; they come in the order of
//! their size and add up, with what is left named as such.

use chess::{Color, Position};
use engine::CATALOG;

use super::Explanation;
use super::change::{Change, Place, Shift};
use super::motif::motif;
use super::path::{Path, Verdict};
use super::words::{owned, reason_of, score_in_words};

/// So many reasons are named in a sentence.
const NAMED: usize = 6;
/// Less than this many centipawns is not worth a word.
const WORTH_A_WORD: i32 = 3;
/// A search that differs from the evaluation at the end of its line by so much is said to.
const APART: i32 = 10;

/// Terms that a player gives one name.
#[derive(Clone, PartialEq, Debug)]
pub struct Reason {
    /// The name, with whose it is where that matters.
    pub name: String,
    /// The name alone.
    pub kind: String,
    /// Whose it is, if it is one side's.
    pub owner: Option<Color>,
    /// What they make together, in centipawns.
    pub cp: i32,
    /// The terms, the largest part first.
    pub terms: Vec<&'static str>,
    /// Where, the largest first.
    pub places: Vec<Place>,
}

/// The reasons of a change, the largest first. They add up to it.
pub fn reasons(change: &Change) -> Vec<Reason> {
    let mut merged: Vec<(String, Vec<&Shift>)> = Vec::new();
    for shift in &change.shifts {
        let name = reason_of(shift.term, shift.role, shift.group);
        match merged.iter_mut().find(|(known, _)| *known == name) {
            Some((_, shifts)) => shifts.push(shift),
            None => merged.push((name, vec![shift])),
        }
    }
    let mut reasons: Vec<Reason> = merged.iter().map(|(name, shifts)| reason(name, shifts, change.view)).collect();
    reasons.retain(|reason| reason.cp != 0);
    reasons.sort_by_key(|reason| -reason.cp.abs());
    reasons
}

fn reason(name: &str, shifts: &[&Shift], view: Color) -> Reason {
    let mut places: Vec<Place> = Vec::new();
    for place in shifts.iter().flat_map(|shift| &shift.places) {
        match places.iter_mut().find(|known| (known.color, known.square) == (place.color, place.square)) {
            Some(known) => {
                known.cp += place.cp;
                known.is_gone &= place.is_gone;
            }
            None => places.push(*place),
        }
    }
    places.retain(|place| place.cp != 0);
    places.sort_by_key(|place| -place.cp.abs());
    let mut terms: Vec<&'static str> = Vec::new();
    for shift in shifts {
        if !terms.contains(&shift.term) {
            terms.push(shift.term);
        }
    }
    // Three quarters of it make it one side's
    let parts =
        [Color::White, Color::Black].map(|color| shifts.iter().map(|shift| *shift.sides.get(color)).sum::<i32>());
    let all = parts[0].abs() + parts[1].abs();
    let owner = match parts.map(|part| 4 * part.abs() >= 3 * all) {
        [true, false] => Some(Color::White),
        [false, true] => Some(Color::Black),
        _ => None,
    };
    Reason {
        name: owned(name, owner, view),
        kind: name.to_owned(),
        owner,
        cp: shifts.iter().map(|shift| shift.cp).sum(),
        terms,
        places,
    }
}

/// Centipawns as pawns: `+0.41`.
pub fn pawns(cp: i32) -> String {
    format!("{:+.2}", f64::from(cp) / 100.0)
}

/// What a chess player is told.
pub fn tell(explanation: &Explanation) -> Vec<String> {
    let Explanation { position, chosen, rival, .. } = explanation;
    let mut told = vec![headline(explanation)];
    told.extend(motif(position, chosen.mv).map(|motif| format!("The move {motif}.")));
    told.push(match chosen.verdict {
        Verdict::Open => gain(explanation),
        verdict => in_words(position, chosen, verdict),
    });
    told.extend(remark_of_search(position, chosen));
    if let Some((rival, change)) = rival {
        told.push(contrast(position, chosen, rival, change));
        if rival.verdict == Verdict::Open {
            told.extend(remark_of_search(position, rival));
        }
    }
    let change = rival.as_ref().map_or(&explanation.gain, |(_, change)| change);
    let is_open = |path: &Path| path.verdict == Verdict::Open;
    if is_open(chosen) && rival.as_ref().is_none_or(|(rival, _)| is_open(rival)) {
        told.extend(meaning(change));
    }
    told
}

fn headline(explanation: &Explanation) -> String {
    let Explanation { position, chosen, rival, .. } = explanation;
    let (san, value) = (position.san(chosen.mv), score_in_words(chosen.value));
    let depth = chosen.depth;
    match rival {
        Some((rival, _)) if explanation.is_rival_best => {
            let best = position.san(rival.mv);
            format!("{best} is itself the best move; the next best is {san}, {value} (depth {depth}).")
        }
        _ if explanation.is_asked => format!("{san}: the search says {value} (depth {depth})."),
        _ => format!("Best is {san}, {value} (depth {depth})."),
    }
}

/// From here to the end of the line.
fn gain(explanation: &Explanation) -> String {
    let Explanation { position, chosen, gain, .. } = explanation;
    let who = name(explanation.view());
    let line = chosen.san(position);
    let moved = match gain.difference() {
        0 => format!("{who} neither gains nor loses"),
        more if more > 0 => format!("{who} gains {:.2}", f64::from(more) / 100.0),
        less => format!("{who} gives up {:.2}", -f64::from(less) / 100.0),
    };
    let (from, to) = (pawns(gain.from_cp), pawns(gain.to_cp));
    format!("From {from} here to {to} after {line}, {moved}: {}.", listed(gain))
}

/// One move beside another.
fn contrast(position: &Position, chosen: &Path, rival: &Path, change: &Change) -> String {
    let [ours, theirs] = [chosen, rival].map(|path| position.san(path.mv));
    if (chosen.verdict, rival.verdict) != (Verdict::Open, Verdict::Open) {
        return in_words(position, rival, rival.verdict);
    }
    let line = rival.san(position);
    let difference = f64::from(change.difference()) / 100.0;
    let head = match change.difference() {
        0 => format!("{ours} and {theirs} are level"),
        more if more > 0 => format!("{ours} over {theirs}, by {difference:.2}"),
        _ => format!("{ours} behind {theirs}, by {:.2}", -difference),
    };
    format!("{head} ({theirs} leads to {} after {line}): {}.", pawns(change.from_cp), listed(change))
}

/// The reasons with their figures, which add up.
fn listed(change: &Change) -> String {
    let reasons = reasons(change);
    let count = reasons.iter().take(NAMED).take_while(|reason| reason.cp.abs() >= WORTH_A_WORD).count();
    let (named, others) = reasons.split_at(count);
    let mut words: Vec<String> = named
        .iter()
        .map(|reason| format!("{} {}{}", reason.name, pawns(reason.cp), places(reason, change.view)))
        .collect();
    let rest: i32 = others.iter().map(|reason| reason.cp).sum();
    if words.is_empty() {
        return "nothing that is worth a word".to_owned();
    }
    if rest != 0 {
        words.push(format!("all else {}", pawns(rest)));
    }
    words.join(", ")
}

/// The squares that make most of a reason, in brackets: `(d5, not c3 or Black's b8)` where what was on c3 and b8 is gone.
fn places(reason: &Reason, view: Color) -> String {
    if reason.kind == "material" {
        return String::new();
    }
    let most = reason.places.first().map_or(0, |place| place.cp.abs());
    let large = reason.places.iter().take(3).filter(|place| 2 * place.cp.abs() >= most);
    let (gone, there): (Vec<&Place>, Vec<&Place>) = large.partition(|place| place.is_gone);
    let square = |place: &&Place| {
        // Of an attack the name says whose it is, and the squares are those of its aims, too
        let is_plain = matches!(reason.kind.as_str(), "king attack" | "threats");
        let is_plain = is_plain || place.color == reason.owner.unwrap_or(view);
        let whose = if is_plain { String::new() } else { format!("{}'s ", name(place.color)) };
        format!("{whose}{}", place.square)
    };
    let mut words: Vec<String> = there.iter().map(square).collect();
    let gone: Vec<String> = gone.iter().map(square).collect();
    match &gone[..] {
        [] => (),
        [one] => words.push(format!("not {one}")),
        [some @ .., last] => words.push(format!("not {} or {last}", some.join(", "))),
    }
    if words.is_empty() { String::new() } else { format!(" ({})", words.join(", ")) }
}

/// What the largest reason counts, in the words of the catalogue; what these say of how it is counted is left out. Material
/// and tables need no words.
fn meaning(change: &Change) -> Option<String> {
    let reasons = reasons(change);
    let mut loud = reasons.iter().take_while(|reason| reason.cp.abs() >= WORTH_A_WORD);
    loud.find_map(|reason| {
        let term = CATALOG.iter().find(|term| Some(&term.name) == reason.terms.first())?;
        let what = term.doc.split([':', ';']).next()?.trim_end_matches('.');
        let what = what[..1].to_lowercase() + &what[1..];
        let is_plain = matches!(term.name, "material" | "piece_square" | "tempo");
        (!is_plain).then(|| format!("Here \"{}\" means above all: {what}.", reason.kind))
    })
}

/// What a search knows that the evaluation at the end of its line does not.
fn remark_of_search(position: &Position, path: &Path) -> Option<String> {
    let more = path.value - path.end_cp(position.turn());
    let is_worth_it = path.verdict == Verdict::Open && more.abs() >= APART;
    is_worth_it.then(|| {
        let san = position.san(path.mv);
        let direction = if more > 0 { "more" } else { "less" };
        let much = f64::from(more.abs()) / 100.0;
        format!(
            "The search values {san} at {}, {much:.2} {direction} than the evaluation at the end of the line: it sees \
             further there, or has learned that such positions are misjudged.",
            pawns(path.value)
        )
    })
}

/// What is known of a line beyond evaluations.
fn in_words(position: &Position, path: &Path, verdict: Verdict) -> String {
    let (san, line) = (position.san(path.mv), path.san(position));
    let (us, them) = (name(position.turn()), name(!position.turn()));
    match verdict {
        Verdict::Mate(1) => format!("{san} is checkmate, so terms do not count."),
        Verdict::Mate(moves) if moves > 0 => format!("{san} forces mate in {moves}, so terms do not count: {line}."),
        Verdict::Mate(moves) => {
            format!("After {san} {us} is mated in {} at the latest, so terms do not count: {line}.", -moves)
        }
        Verdict::Table(true) => format!("{san} wins by the endgame tables, so terms do not count: {line}."),
        Verdict::Table(false) => {
            format!("After {san} {them} wins by the endgame tables, so terms do not count: {line}.")
        }
        Verdict::TableDraw => format!("{san} is a draw by the endgame tables, so terms do not count: {line}."),
        Verdict::Draw(how) => format!("The line of {san} ends in a draw by {how}: {line}."),
        Verdict::Open => format!("{san} leads to {} after {line}.", pawns(path.end_cp(position.turn()))),
    }
}

fn name(color: Color) -> &'static str {
    color.fold_wb("White", "Black")
}
