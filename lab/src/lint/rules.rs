//! What is known of single terms: the order of pieces, what is good and what is bad, what rises.

use chess::{Rank, Role, Square};
use engine::terms::{
    BISHOP_MOBILITY, BISHOP_PAIR, CONNECTED_PAWN, DOUBLED_PAWN, ISOLATED_PAWN, KING_OPEN_FILE, KING_SEMI_OPEN_FILE,
    KNIGHT_MOBILITY, MATERIAL, PASSED_PAWN, PAWN_SHIELD, PIECE_SQUARE, QUEEN_MOBILITY, ROOK_MOBILITY, ROOK_OPEN_FILE,
    ROOK_SEMI_OPEN_FILE, TEMPO,
};
use engine::{ROLE_NAMES, Score, TermInfo, UpTo, Weights, gauges};

use super::{Finding, Rule, finding, halves};

/// A sign is wrong if it is wrong by more than this.
const SIGN_TOLERANCE: i32 = 10;
/// A curve falls if a step goes down by more than this.
const STEP_TOLERANCE: i32 = 15;

/// Pawn, minor piece, rook, queen: each worth more than the one before, on its average square and with average sight.
pub(super) fn order(weights: &Weights) -> Vec<Finding> {
    const ORDER: [(Role, Role); 6] = [
        (Role::Pawn, Role::Knight),
        (Role::Pawn, Role::Bishop),
        (Role::Knight, Role::Rook),
        (Role::Bishop, Role::Rook),
        (Role::Rook, Role::Queen),
        (Role::Pawn, Role::Queen),
    ];
    let mut findings = Vec::new();
    for &(half, of) in halves(weights) {
        let value = |role: Role| {
            let material = MATERIAL.at(role).index();
            let number = |place: usize| f64::from(of(weights.values()[place]));
            let means = gauges().into_iter().filter(|gauge| gauge.whole == Some(material));
            let mean = |parts: &[usize]| parts.iter().map(|&part| number(part)).sum::<f64>() / parts.len() as f64;
            number(material) + means.map(|gauge| mean(&gauge.parts)).sum::<f64>()
        };
        let name = |role: Role| ROLE_NAMES[chess::Index::index(role)];
        for (less, more) in ORDER.into_iter().filter(|&(less, more)| value(less) >= value(more)) {
            let sentence = format!(
                "a {} ({:.0}) is worth no more than a {} ({:.0})",
                name(more),
                value(more),
                name(less),
                value(less)
            );
            findings.push(finding(Rule::Order, format!("material.{}.{half}", name(more)), sentence));
        }
        if value(Role::Pawn) <= 0.0 {
            let sentence = format!("a pawn is worth {:.0}", value(Role::Pawn));
            findings.push(finding(Rule::Order, format!("material.pawn.{half}"), sentence));
        }
    }
    findings
}

/// What is good for those who have it, and what is bad.
pub(super) fn signs(weights: &Weights) -> Vec<Finding> {
    let single = |term: engine::Term<()>| term.at(()).index();
    let both = ["mg", "eg"].as_slice();
    let middlegame = ["mg"].as_slice();
    let mut known = vec![
        (single(BISHOP_PAIR), 1, both),
        (single(ISOLATED_PAWN), -1, both),
        (single(DOUBLED_PAWN), -1, both),
        (single(ROOK_OPEN_FILE), 1, middlegame),
        (single(ROOK_SEMI_OPEN_FILE), 1, middlegame),
        (single(PAWN_SHIELD), 1, middlegame),
        (single(KING_OPEN_FILE), -1, middlegame),
        (single(KING_SEMI_OPEN_FILE), -1, middlegame),
        (single(TEMPO), 1, both),
    ];
    let advanced = [Rank::Fifth, Rank::Sixth, Rank::Seventh];
    known.extend(advanced.map(|rank| (PASSED_PAWN.at(rank).index(), 1, both)));
    let mut findings = Vec::new();
    for (place, sign, of_halves) in known {
        for &(half, of) in halves(weights).iter().filter(|(half, _)| of_halves.contains(half)) {
            let value = of(weights.values()[place]);
            if sign * value < -SIGN_TOLERANCE {
                let wanted = if sign > 0 { "good for the side that has it" } else { "bad for the side that has it" };
                let key = format!("{}.{half}", TermInfo::label(place));
                findings.push(finding(Rule::Sign, key, format!("this should be {wanted}, but is {value}")));
            }
        }
    }
    findings
}

/// Curves that should rise: passed pawns on their way, pieces that see more.
pub(super) fn rises(weights: &Weights) -> Vec<Finding> {
    let ranks = || Rank::ALL.into_iter().skip(1).take(6);
    let mobility: [(&str, Vec<usize>); 4] = [
        ("knight_mobility", (0..=8).map(|count| KNIGHT_MOBILITY.at(UpTo(count)).index()).collect()),
        ("bishop_mobility", (0..=13).map(|count| BISHOP_MOBILITY.at(UpTo(count)).index()).collect()),
        ("rook_mobility", (0..=14).map(|count| ROOK_MOBILITY.at(UpTo(count)).index()).collect()),
        ("queen_mobility", (0..=27).map(|count| QUEEN_MOBILITY.at(UpTo(count)).index()).collect()),
    ];
    let pawns = [
        ("passed_pawn", ranks().map(|rank| PASSED_PAWN.at(rank).index()).collect()),
        ("connected_pawn", ranks().take(5).map(|rank| CONNECTED_PAWN.at(rank).index()).collect::<Vec<_>>()),
    ];
    let mut findings = Vec::new();
    for (name, places) in mobility.into_iter().chain(pawns) {
        for &(half, of) in halves(weights) {
            findings
                .extend(falls(weights, &places, of).map(|fall| finding(Rule::Rise, format!("{name}.{half}"), fall)));
        }
    }
    findings.extend(pawn_on_its_way(weights));
    findings
}

/// Where a curve goes down, in a sentence.
fn falls(weights: &Weights, places: &[usize], of: fn(Score) -> i32) -> Option<String> {
    let value = |place: usize| of(weights.values()[place]);
    let label = |place: usize| TermInfo::label(place);
    let steps = places.iter().zip(&places[1..]);
    let worst = steps.max_by_key(|&(&before, &after)| value(before) - value(after));
    let (first, last) = (*places.first()?, *places.last()?);
    match worst {
        Some((&before, &after)) if value(before) - value(after) > STEP_TOLERANCE => {
            Some(format!("falls from {} at {} to {} at {}", value(before), label(before), value(after), label(after)))
        }
        _ if value(last) < value(first) => Some(format!(
            "ends below its beginning: {} at {}, {} at {}",
            value(first),
            label(first),
            value(last),
            label(last)
        )),
        _ => None,
    }
}

/// A pawn on the seventh rank, which is always passed, is worth no less than one on the second.
fn pawn_on_its_way(weights: &Weights) -> Vec<Finding> {
    let mut findings = Vec::new();
    for &(half, of) in halves(weights) {
        let number = |place: usize| f64::from(of(weights.values()[place]));
        let mean = |rank: Rank| {
            let squares = Square::ALL.into_iter().filter(|square| square.rank() == rank);
            squares.map(|square| number(PIECE_SQUARE.at((Role::Pawn, square)).index())).sum::<f64>() / 8.0
        };
        let (second, seventh) =
            (mean(Rank::Second), mean(Rank::Seventh) + number(PASSED_PAWN.at(Rank::Seventh).index()));
        if seventh < second {
            let sentence =
                format!("a pawn on the seventh rank ({seventh:.0}) is worth less than on the second ({second:.0})");
            findings.push(finding(Rule::Rise, format!("piece_square.pawn.{half}"), sentence));
        }
    }
    findings
}
