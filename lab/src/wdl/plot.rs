//! The curves as a picture, with the games as dots: a panel for each amount of material, in SVG.

use std::fmt::Write as _;

use engine::wdl::{Model, winning};

use super::outcomes::{Cell, MATERIALS};

/// Values are shown up to here.
const FARTHEST: f64 = 800.0;
/// A panel's size and what is left free about it, in pixels.
const PANEL: (f64, f64) = (320.0, 180.0);
const GAP: (f64, f64) = (44.0, 44.0);
/// Panels in a row.
const COLUMNS: usize = 2;
/// Fewer positions make no dot.
const FEWEST: u64 = 100;
/// Won, drawn and lost.
const COLORS: [&str; 3] = ["#2a7f3f", "#777777", "#b3541e"];
const NAMES: [&str; 3] = ["won", "drawn", "lost"];

/// Draws chances over values for the middle of each amount of material, and what happened.
pub fn plot(model: &Model, cells: &[Cell]) -> String {
    let rows = MATERIALS.len().div_ceil(COLUMNS);
    let size = |count: usize, panel: f64, gap: f64| count as f64 * (panel + gap) + gap;
    let (width, height) = (size(COLUMNS, PANEL.0, GAP.0), size(rows, PANEL.1, GAP.1));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for (number, material) in MATERIALS.iter().enumerate() {
        let (row, column) = (number / COLUMNS, number % COLUMNS);
        let (x, y) = (GAP.0 + column as f64 * (PANEL.0 + GAP.0), GAP.1 + row as f64 * (PANEL.1 + GAP.1));
        let _ = writeln!(svg, "<g transform=\"translate({x},{y})\">");
        let _ = writeln!(
            svg,
            "<text y=\"-8\">material {} to {} pawns</text><text x=\"{}\" y=\"-8\" text-anchor=\"end\">{}</text>",
            material.start(),
            material.end(),
            PANEL.0,
            if number == 0 { legend() } else { String::new() }
        );
        frame(&mut svg);
        let cells = cells.iter().filter(|cell| cell.material == *material && cell.positions >= FEWEST);
        panel(&mut svg, model, u32::midpoint(*material.start(), *material.end()), cells);
        svg += "</g>\n";
    }
    svg + "</svg>\n"
}

fn legend() -> String {
    let word = |(name, color): (&str, &str)| format!("<tspan fill=\"{color}\">{name}</tspan>");
    NAMES.into_iter().zip(COLORS).map(word).collect::<Vec<_>>().join(" ")
}

/// Where a value and a share are.
fn place(value: f64, share: f64) -> (f64, f64) {
    (value / FARTHEST * PANEL.0, (1.0 - share) * PANEL.1)
}

fn frame(svg: &mut String) {
    let (width, height) = PANEL;
    let _ = writeln!(svg, "<rect width=\"{width}\" height=\"{height}\" fill=\"none\" stroke=\"#ccc\"/>");
    for share in [0, 50, 100] {
        let (_, y) = place(0.0, f64::from(share) / 100.0);
        let _ = writeln!(svg, "<text x=\"-6\" y=\"{}\" text-anchor=\"end\" fill=\"#555\">{share} %</text>", y + 4.0);
    }
    for value in [0, 200, 400, 600, 800] {
        let (x, y) = place(value.into(), 0.0);
        let _ = writeln!(svg, "<text x=\"{x}\" y=\"{}\" text-anchor=\"middle\" fill=\"#555\">{value}</text>", y + 15.0);
    }
}

fn panel<'a>(svg: &mut String, model: &Model, material: u32, cells: impl Iterator<Item = &'a Cell>) {
    let (even, spread) = model.at(material);
    let values = (0..=80).map(|step| FARTHEST * f64::from(step) / 80.0);
    let chances = |value: f64| {
        let (win, loss) = (winning(value, even, spread), winning(-value, even, spread));
        [win, 1.0 - win - loss, loss]
    };
    for (outcome, color) in COLORS.into_iter().enumerate() {
        let point = |value: f64| {
            let (x, y) = place(value, chances(value)[outcome]);
            format!("{x:.1},{y:.1}")
        };
        let points: Vec<String> = values.clone().map(point).collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"1.5\"/>",
            points.join(" ")
        );
    }
    for cell in cells.filter(|cell| cell.mean_value <= FARTHEST) {
        for (share, color) in cell.observed.into_iter().zip(COLORS) {
            let (x, y) = place(cell.mean_value, share);
            let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{color}\"/>");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wdl::{Outcomes, Verdict, calibration};

    #[test]
    fn every_panel_has_its_curves_and_dots_where_there_are_games() {
        let mut outcomes = Outcomes::default();
        for number in 0..900 {
            outcomes.add(Verdict::Counts { material: 50, value: 80, outcome: number % 3 });
        }
        outcomes.add(Verdict::Counts { material: 70, value: 80, outcome: 0 });
        let model = Model { even: &[200.0], spread: &[80.0] };
        let svg = plot(&model, &calibration(&outcomes, &model));
        assert_eq!(svg.matches("<polyline").count(), 3 * MATERIALS.len());
        assert_eq!(svg.matches("<circle cx=\"32.0\" cy=\"120.0\"").count(), 3, "a third each; one game is no dot");
        assert_eq!(svg.matches("<circle").count(), 3);
        assert_eq!(svg.matches("<g ").count(), svg.matches("</g>").count());
    }
}
