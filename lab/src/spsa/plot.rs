//! The numbers of a tuning over its iterations, as a picture: a small panel for each, in SVG.

use std::fmt::Write as _;

use super::tuner::Tuner;

/// Panels in a row.
const COLUMNS: usize = 4;
/// A panel's size and what is left free about it, in pixels.
const PANEL: (f64, f64) = (240.0, 90.0);
const GAP: (f64, f64) = (24.0, 46.0);
/// All panels show as many last steps to either side of the start: so many at least.
const STEPS: f64 = 0.25;

/// Draws each number from its start (a dotted line) to where it is.
pub fn plot(tuner: &Tuner) -> String {
    let rows = tuner.parameters().len().div_ceil(COLUMNS);
    let (width, height) = (COLUMNS as f64 * (PANEL.0 + GAP.0) + GAP.0, rows as f64 * (PANEL.1 + GAP.1) + GAP.1);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    let moments = tuner.history().iter().flat_map(|moment| tuner.steps(&moment.values));
    let most = moments.chain(tuner.moved()).fold(STEPS, |most, steps| steps.abs().max(most));
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"18\">{} of {} iterations; a panel is {:.2} steps of c_end high</text>",
        GAP.0,
        tuner.done(),
        tuner.course().iterations,
        2.0 * most
    );
    for number in 0..tuner.parameters().len() {
        let (row, column) = (number / COLUMNS, number % COLUMNS);
        let (x, y) = (GAP.0 + column as f64 * (PANEL.0 + GAP.0), GAP.1 + row as f64 * (PANEL.1 + GAP.1));
        let _ = writeln!(svg, "<g transform=\"translate({x},{y})\">\n{}</g>", panel(tuner, number, most));
    }
    svg + "</svg>\n"
}

fn panel(tuner: &Tuner, number: usize, most: f64) -> String {
    let (parameter, value) = (&tuner.parameters()[number], tuner.values()[number]);
    let moved = tuner.moved()[number];
    let moments = tuner.history().iter().map(|moment| (moment.iteration, tuner.steps(&moment.values)[number]));
    let points: Vec<(usize, f64)> = moments.chain([(tuner.done(), moved)]).collect();
    let all = tuner.course().iterations.max(1) as f64;
    let place = |&(iteration, steps): &(usize, f64)| {
        format!("{:.1},{:.1}", iteration as f64 / all * PANEL.0, (1.0 - steps / most) / 2.0 * PANEL.1)
    };
    let line: Vec<String> = points.iter().map(place).collect();
    format!(
        "<text y=\"-6\">{name}</text><text x=\"{w}\" y=\"-6\" text-anchor=\"end\" fill=\"#555\">{start} → {value:.2} \
         ({moved:+.2})</text>\n<rect width=\"{w}\" height=\"{h}\" fill=\"none\" stroke=\"#ccc\"/>\
         <path d=\"M0,{middle} H{w}\" stroke=\"#999\" stroke-dasharray=\"2,3\"/>\n\
         <polyline points=\"{line}\" fill=\"none\" stroke=\"#b3541e\" stroke-width=\"1.5\"/>\n",
        name = escaped(&parameter.name),
        start = parameter.start,
        middle = PANEL.1 / 2.0,
        line = line.join(" "),
        w = PANEL.0,
        h = PANEL.1,
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spsa::{Course, Parameter};

    #[test]
    fn every_number_has_a_panel_whose_line_ends_where_it_is() {
        let parameters = (0..5).map(|number| Parameter::int(&format!("a<{number}"), 50, 0, 100)).collect();
        let mut tuner = Tuner::new(parameters, Course::new(4, 3));
        for iteration in 0..2 {
            tuner.hear(iteration, 1);
            tuner.hear(iteration, 1);
        }
        let svg = plot(&tuner);
        assert_eq!(svg.matches("<polyline").count(), 5);
        assert!(svg.contains("a&lt;4") && !svg.contains("a<4"));
        // Start, two iterations of four, and the same place again as the latest
        let line = svg.split("points=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
        let points: Vec<&str> = line.split(' ').collect();
        assert_eq!((points.len(), points[0], points[3]), (4, "0.0,45.0", points[2]));
        assert!(points[3].starts_with("120.0,") && points[3] != "120.0,45.0");
    }
}
