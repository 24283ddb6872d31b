//! What tables of squares should look like: the same on both wings, and smooth.

use chess::Square;
use engine::{CATALOG, ROLE_NAMES, Score, Shape, Weights};

use super::{Finding, Rule, finding, halves};

/// Squares on the two wings differ if they do so by more than this.
const WINGS: i32 = 40;
/// A square is unlike those around it beyond this distance from their median.
const UNLIKE: i32 = 60;

/// Looks at every table.
pub(super) fn tables(weights: &Weights) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (name, start) in names() {
        let values = &weights.values()[start..start + 64];
        if values.iter().all(|&value| value == Score::ZERO) {
            continue;
        }
        let is_pawn = name.ends_with(".pawn");
        for &(half, of) in halves(weights) {
            let numbers: Vec<i32> = values.iter().map(|&value| of(value)).collect();
            findings.extend(wings(&name, half, &numbers));
            findings.extend(outliers(&name, half, &numbers, is_pawn));
        }
    }
    findings
}

/// Tables by name, and where each begins.
fn names() -> Vec<(String, usize)> {
    let mut names = Vec::new();
    for term in CATALOG {
        match term.shape {
            Shape::Square => names.push((term.name.to_owned(), term.start)),
            Shape::Pair(Shape::Role, Shape::Square) => {
                let of = |(nth, role): (usize, &str)| (format!("{}.{role}", term.name), term.start + 64 * nth);
                names.extend(ROLE_NAMES.into_iter().enumerate().map(of));
            }
            _ => (),
        }
    }
    names
}

/// The pair of squares that differs most.
fn wings(name: &str, half: &str, numbers: &[i32]) -> Option<Finding> {
    let pairs = (0..64).filter(|square| square % 8 < 4).map(|square| (square, square ^ 7));
    let apart = |&(left, right): &(usize, usize)| (numbers[left] - numbers[right]).abs();
    let (left, right) = pairs.max_by_key(apart).filter(|pair| apart(pair) > WINGS)?;
    let square = |place: usize| Square::new(place as u32);
    let sentence = format!(
        "{} ({}) and {} ({}) differ by {}",
        square(left),
        numbers[left],
        square(right),
        numbers[right],
        apart(&(left, right))
    );
    Some(finding(Rule::Symmetry, format!("{name}.{half}"), sentence))
}

/// Squares that are unlike those around them.
fn outliers(name: &str, half: &str, numbers: &[i32], is_pawn: bool) -> Vec<Finding> {
    let can_stand = |place: &usize| !is_pawn || (8..56).contains(place);
    let mut findings = Vec::new();
    for place in (0..64).filter(can_stand) {
        let (rank, file) = (place / 8, place % 8);
        let near =
            |other: &usize| (other / 8).abs_diff(rank) <= 1 && (other % 8).abs_diff(file) <= 1 && *other != place;
        let mut around: Vec<i32> = (0..64).filter(can_stand).filter(near).map(|other| numbers[other]).collect();
        around.sort_unstable();
        let median = (around[(around.len() - 1) / 2] + around[around.len() / 2]) / 2;
        if (numbers[place] - median).abs() > UNLIKE {
            let square = Square::new(place as u32);
            let sentence = format!("{} here, but {median} around it", numbers[place]);
            findings.push(finding(Rule::Outlier, format!("{name}.{square}.{half}"), sentence));
        }
    }
    findings
}
