//! What changes between two evaluations, by term and square.
//!
//! A term's part is what its sums changed by, at what a unit is worth between the two positions: at the mean of both phases
//! and, where worth is not in proportion to the sum (danger to a king), at the slope from one sum to the other. So a term
//! that did not change has no part. Only what goes by the lead itself (how much there is to play for, what makes it hard to
//! win) changes with the lead: its part is what its share changed by. What is left, because the same sums are worth more or
//! less at another phase, is a row of its own, and so is everything that composition does.

use std::collections::BTreeMap;

use chess::{ByColor, Color, Square};
use engine::{Channel, Item, ROLE_NAMES, Rate, TermInfo, Trace};

use super::apportion::apportion;

/// The way from one evaluation to another, in centipawns from one side's view.
#[derive(Clone, Debug)]
pub struct Change {
    /// Whose view it is.
    pub view: Color,
    /// The evaluation that is left.
    pub from_cp: i32,
    /// The evaluation that is reached.
    pub to_cp: i32,
    /// What makes the difference, the largest first. Their centipawns add up to it.
    pub shifts: Vec<Shift>,
}

/// What one term, or composition, has to do with a change.
#[derive(Clone, PartialEq, Debug)]
pub struct Shift {
    /// The term, or what composition did: `phase`, `rounding`, `limit`, `outcome` and the like.
    pub term: &'static str,
    /// The piece, for terms that say something of every piece (`material`, `piece_square`).
    pub role: Option<&'static str>,
    /// The group of terms.
    pub group: &'static str,
    /// Its share in the evaluation that is left, in centipawns.
    pub from: f64,
    /// Its share in the evaluation that is reached.
    pub to: f64,
    /// Its part, in whole centipawns.
    pub cp: i32,
    /// Its part before it was rounded.
    pub exact: f64,
    /// How much of that is due to White's pieces and how much to Black's; the rest to neither.
    pub sides: ByColor<i32>,
    /// Where, the largest first. What belongs to no square is left out.
    pub places: Vec<Place>,
}

/// What is due to one square.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Place {
    /// Whose.
    pub color: Color,
    /// Where.
    pub square: Square,
    /// In whole centipawns.
    pub cp: i32,
    /// Whether it is there only in the evaluation that is left.
    pub is_gone: bool,
}

impl Change {
    /// How much better the second is than the first.
    pub fn difference(&self) -> i32 {
        self.to_cp - self.from_cp
    }

    /// From one evaluation to another.
    pub fn between(from: &Trace, to: &Trace, view: Color) -> Change {
        let own = |white: i32| view.fold_wb(white, -white);
        let (from_cp, to_cp) = (own(from.white_cp), own(to.white_cp));
        let sign = f64::from(own(1));
        let mut parts = parts(from, to);
        let mut rest = f64::from(to.white_cp - from.white_cp);
        let mut drafts: Vec<Draft> = Vec::new();
        for (&(start, role), places) in &mut parts {
            let term = TermInfo::of(start);
            let exact: f64 = places.values().map(|part| part.cp).sum();
            rest -= exact;
            let places = places
                .iter()
                .map(|(&(is_white, square), part)| {
                    (Color::from_white(is_white), square, Part { cp: sign * part.cp, ..*part })
                })
                .collect();
            let [from, to] = [from, to].map(|trace| {
                let is_meant = |item: &&Item| key(item) == (start, role);
                sign * trace.items.iter().filter(is_meant).map(|item| item.cp).sum::<f64>()
            });
            let group = term.group.name();
            drafts.push(Draft { term: term.name, role, group, from, to, exact: sign * exact, places });
        }
        for (term, [before, after]) in composition(from, to) {
            rest -= after - before;
            drafts.push(Draft::of_composition(term, sign * before, sign * after));
        }
        drafts.push(Draft::of_composition("phase", 0.0, sign * rest));
        Change { view, from_cp, to_cp, shifts: rounded(&drafts, to_cp - from_cp) }
    }
}

/// A shift before its parts are whole numbers.
struct Draft {
    term: &'static str,
    role: Option<&'static str>,
    group: &'static str,
    from: f64,
    to: f64,
    exact: f64,
    places: Vec<(Color, Option<Square>, Part)>,
}

impl Draft {
    fn of_composition(term: &'static str, from: f64, to: f64) -> Draft {
        Draft { term, role: None, group: "Composition", from, to, exact: to - from, places: Vec::new() }
    }
}

/// What is due to one side, or to one of its squares.
#[derive(Copy, Clone, Default)]
struct Part {
    cp: f64,
    /// Whether it is there in the evaluation that is reached.
    is_there: bool,
}

/// Parts of White's view, by whether they are due to White and to which square, if to any.
type Places = BTreeMap<(bool, Option<Square>), Part>;
/// By the first weight of the term, and the piece.
type Parts = BTreeMap<(usize, Option<&'static str>), Places>;

/// What each term's own change is worth.
fn parts(from: &Trace, to: &Trace) -> Parts {
    let mut parts = Parts::new();
    for color in Color::ALL {
        for channel in Channel::ALL {
            let rate = Between::new(from, to, color, channel);
            let sign = color.fold_wb(1.0, -1.0);
            for (trace, factor) in [(from, -1.0), (to, 1.0)] {
                for item in of_channel(trace, color, channel) {
                    let cp = match channel {
                        Channel::Prospects | Channel::Drawish => item.cp,
                        _ => sign * (f64::from(item.mg) * rate.mg + f64::from(item.eg) * rate.eg),
                    };
                    let places = parts.entry(key(item)).or_default();
                    let part = places.entry((color.is_white(), item.square)).or_default();
                    part.cp += factor * cp;
                    part.is_there |= factor > 0.0;
                }
            }
        }
    }
    parts
}

fn of_channel(trace: &Trace, color: Color, channel: Channel) -> impl Iterator<Item = &Item> {
    let is_meant = move |item: &&Item| item.color == color && TermInfo::of(item.param.index()).channel == channel;
    trace.items.iter().filter(is_meant)
}

fn key(item: &Item) -> (usize, Option<&'static str>) {
    let term = TermInfo::of(item.param.index());
    let nth = item.param.index() - term.start;
    let role = match term.name {
        "material" => ROLE_NAMES.get(nth),
        "piece_square" => ROLE_NAMES.get(nth / 64),
        _ => None,
    };
    (term.start, role.copied())
}

/// What a unit of a channel is worth between two positions, in centipawns.
struct Between {
    mg: f64,
    eg: f64,
}

impl Between {
    fn new(from: &Trace, to: &Trace, color: Color, channel: Channel) -> Between {
        let sums = [from, to].map(|trace| {
            of_channel(trace, color, channel)
                .fold((0.0, 0.0), |(mg, eg), item| (mg + f64::from(item.mg), eg + f64::from(item.eg)))
        });
        let rate = |trace: &Trace| -> Rate { trace.rates.get(color)[channel as usize] };
        let [before, after] = [rate(from), rate(to)];
        let slope = |sums: [f64; 2], worths: [f64; 2]| {
            let (sum, worth) = (sums[1] - sums[0], worths[1] * sums[1] - worths[0] * sums[0]);
            if sum == 0.0 { f64::midpoint(worths[0], worths[1]) } else { worth / sum }
        };
        Between {
            mg: f64::midpoint(before.mg, after.mg) * slope(sums.map(|(mg, _)| mg), [before.mg_worth, after.mg_worth]),
            eg: f64::midpoint(before.eg, after.eg) * slope(sums.map(|(_, eg)| eg), [before.eg_worth, after.eg_worth]),
        }
    }
}

/// Rows of composition in both, White's view.
fn composition(from: &Trace, to: &Trace) -> BTreeMap<&'static str, [f64; 2]> {
    let mut rows: BTreeMap<&'static str, [f64; 2]> = BTreeMap::new();
    for (place, trace) in [from, to].into_iter().enumerate() {
        for row in trace.rows.iter().filter(|row| row.group == "Composition") {
            rows.entry(row.term).or_default()[place] += row.cp;
        }
    }
    rows
}

/// Whole numbers that add up: the shifts to the whole, and the places of each shift to its part.
fn rounded(drafts: &[Draft], whole: i32) -> Vec<Shift> {
    let exact: Vec<f64> = drafts.iter().map(|draft| draft.exact).collect();
    let mut shifts: Vec<Shift> = apportion(&exact, whole)
        .into_iter()
        .zip(drafts)
        .map(|(cp, draft)| {
            let shares: Vec<f64> = draft.places.iter().map(|(.., part)| part.cp).collect();
            let found = draft.places.iter().zip(apportion(&shares, cp));
            let mut places: Vec<Place> = found
                .filter_map(|(&(color, square, part), cp)| {
                    Some(Place { color, square: square?, cp, is_gone: !part.is_there })
                })
                .filter(|place| place.cp != 0)
                .collect();
            places.sort_by_key(|place| -place.cp.abs());
            let sides = sides(draft);
            let Draft { term, role, group, from, to, exact, .. } = *draft;
            Shift { term, role, group, from, to, cp, exact, sides, places }
        })
        .filter(|shift| shift.cp != 0 || shift.exact.abs() > 1e-6)
        .collect();
    shifts.sort_by(|a, b| b.cp.abs().cmp(&a.cp.abs()).then(b.exact.abs().total_cmp(&a.exact.abs())));
    shifts
}

/// What each side's pieces have to do with it, rounded.
fn sides(draft: &Draft) -> ByColor<i32> {
    ByColor::new_with(|color| {
        let own = draft.places.iter().filter(|(owner, ..)| *owner == color);
        own.map(|(.., part)| part.cp).sum::<f64>().round() as i32
    })
}

#[cfg(test)]
mod tests {
    use chess::Position;
    use engine::Weights;

    use super::*;

    fn trace(fen: &str, weights: &Weights) -> Trace {
        Trace::of(&fen.parse::<Position>().unwrap(), weights)
    }

    #[test]
    fn what_does_not_change_has_no_part_and_a_traded_piece_moves_the_phase() {
        let weights = Weights::load("handset").unwrap();
        let before = trace("4k3/pp6/8/8/8/8/PPP5/2RRK1r1 w - - 0 1", &weights);
        let after = trace("4k3/pp6/8/8/8/8/PPP5/2R1K3 w - - 0 1", &weights);
        let change = Change::between(&before, &after, Color::White);
        let shift = |term: &str, role| change.shifts.iter().find(|shift| (shift.term, shift.role) == (term, role));
        assert_eq!(shift("material", Some("pawn")), None);
        assert_eq!(shift("material", Some("king")), None);
        assert_eq!(shift("piece_square", Some("king")), None, "the kings stay where they are");
        assert!(shift("phase", None).is_some());
        assert_eq!(change.shifts.iter().map(|shift| shift.cp).sum::<i32>(), after.white_cp - before.white_cp);
    }

    #[test]
    fn the_largest_comes_first_and_views_are_opposite() {
        let weights = Weights::load("handcrafted").unwrap();
        let before = trace("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &weights);
        let after = trace("rnbqkb1r/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 1", &weights);
        let [white, black] = Color::ALL.map(|view| Change::between(&before, &after, view));
        assert_eq!(white.difference(), -black.difference());
        for change in [&white, &black] {
            assert_eq!(change.shifts.iter().map(|shift| shift.cp).sum::<i32>(), change.difference());
            assert!(change.shifts.windows(2).all(|pair| pair[0].cp.abs() >= pair[1].cp.abs()));
        }
        let knight = white.shifts.iter().find(|shift| shift.role == Some("knight")).unwrap();
        assert!(knight.places.iter().all(|place| place.cp != 0));
        assert!(knight.places.iter().map(|place| place.cp).sum::<i32>() == knight.cp);
        let gone = |square| knight.places.iter().find(|place| place.square == square).map(|place| place.is_gone);
        assert_eq!((gone(Square::G1), gone(Square::F3), gone(Square::G8)), (Some(true), Some(false), Some(true)));
    }

    #[test]
    fn what_goes_by_the_lead_changes_with_it_and_the_phase_has_no_part_in_that() {
        let weights = Weights::load("default").unwrap();
        // The same pieces and the same phase, won with the opposition and drawn without it
        let won = trace("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", &weights);
        let drawn = trace("4k3/8/8/3KP3/8/8/8/8 b - - 0 1", &weights);
        let change = Change::between(&drawn, &won, Color::White);
        let part = |term: &str| change.shifts.iter().find(|shift| shift.term == term).map_or(0, |shift| shift.cp);
        assert!(part("drawn_pawn_ending") > 0 && part("won_ending") > 0);
        assert_eq!(part("phase"), 0);
    }
}
