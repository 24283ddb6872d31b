//! Weights files as they are written: with the catalogue's own sentences as comments, and tables as boards.

use std::fmt::Write as _;

use chess::Role;

use super::axis::{ROLE_NAMES, Shape};
use super::file::{FORMAT, HALVES, index_of};
use super::phase::Taper;
use super::score::Score;
use super::terms::CATALOG;
use super::weights::Weights;

impl Weights {
    /// The weights as a file, with a comment for each term.
    pub fn to_toml(&self) -> String {
        let spec = self.spec();
        let mut text = String::new();
        let quoted = |text: &str| toml::Value::from(text).to_string();
        let _ = writeln!(text, "format = {FORMAT}");
        let _ = writeln!(text, "name = {}", quoted(&spec.name));
        let _ = writeln!(text, "description = {}", quoted(&spec.description));
        let _ = writeln!(text, "unit = {}", spec.unit);
        let _ = writeln!(text, "interpolation = {}", spec.interpolation);
        if !spec.provenance.is_empty() {
            let _ = writeln!(text, "\n[provenance]");
            for (key, value) in &spec.provenance {
                let _ = writeln!(text, "{key} = {}", quoted(value));
            }
        }
        if !spec.explained.is_empty() {
            let _ = writeln!(text, "\n# What looks odd and is right\n[explained]");
            for (key, value) in &spec.explained {
                let _ = writeln!(text, "{} = {}", quoted(key), quoted(value));
            }
        }
        let _ =
            writeln!(text, "\n# phase = (sum of the pieces' weights + offset) / divisor, rounded, within 0 and 256");
        let _ = writeln!(text, "[phase]");
        for (role, key) in Role::ALL.into_iter().zip(ROLE_NAMES) {
            let _ = writeln!(text, "{key} = {}", spec.phase.weights.get(role));
        }
        let _ = writeln!(text, "offset = {}\ndivisor = {}", spec.phase.offset, spec.phase.divisor);
        if let Taper::Sigmoid { midpoint, width } = spec.king_taper {
            let _ = writeln!(text, "\n[king_taper]\nshape = \"sigmoid\"\nmidpoint = {midpoint}\nwidth = {width}");
        }
        for term in CATALOG {
            let values = &spec.values[term.params()];
            if values.iter().any(|&value| value != Score::ZERO) {
                let _ = writeln!(text, "\n# {}", term.doc);
                write_shape(&mut text, &format!("terms.{}", term.name), &term.shape, values);
            }
        }
        text
    }
}

fn write_shape(text: &mut String, key: &str, shape: &Shape, values: &[Score]) {
    match shape.named() {
        Some((names, Shape::Single)) => {
            let _ = writeln!(text, "[{key}]");
            for (name, value) in names.iter().zip(values) {
                let _ = writeln!(text, "{name} = {{ mg = {}, eg = {} }}", value.mg(), value.eg());
            }
        }
        Some((names, inner)) => {
            for (name, values) in names.iter().zip(values.chunks(inner.size())) {
                write_shape(text, &format!("{key}.{name}"), inner, values);
            }
        }
        None => {
            let _ = writeln!(text, "[{key}]");
            for (half, of) in HALVES.into_iter().zip([Score::mg as fn(Score) -> i32, Score::eg]) {
                let numbers: Vec<i32> = (0..values.len()).map(|nth| of(values[index_of(shape, nth)])).collect();
                let _ = writeln!(text, "{half} = {}", list(shape, &numbers));
            }
        }
    }
}

/// A number, a list on one line, or a board.
fn list(shape: &Shape, numbers: &[i32]) -> String {
    let joined = |numbers: &[i32], width: usize| {
        numbers.iter().map(|number| format!("{number:>width$}")).collect::<Vec<_>>().join(", ")
    };
    match shape {
        Shape::Single => joined(numbers, 0),
        Shape::Square => {
            let rows: Vec<String> = numbers.chunks(8).map(|row| format!("    {},\n", joined(row, 4))).collect();
            format!("[\n{}]", rows.concat())
        }
        _ => format!("[{}]", joined(numbers, 0)),
    }
}
