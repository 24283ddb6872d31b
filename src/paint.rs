//! Colour in the terminal: blue for what is good, orange for what is bad, as strong as it is; nothing where there is no
//! terminal or colour is not wanted.

use std::io::IsTerminal;

/// Whether stdout takes colour.
pub(crate) fn is_wanted() -> bool {
    std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}

/// A text on a ground that shows a value from −`most` to `most`.
pub(crate) fn heat(text: &str, value: f64, most: f64, wanted: bool) -> String {
    const GOOD: [u8; 5] = [236, 23, 24, 25, 26];
    const BAD: [u8; 5] = [236, 94, 130, 166, 172];
    if !wanted || most <= 0.0 {
        return text.to_owned();
    }
    let strength = (4.0 * (value.abs() / most).min(1.0)).round() as usize;
    let ground = if value >= 0.0 { GOOD[strength] } else { BAD[strength] };
    format!("\x1b[48;5;{ground};97m{text}\x1b[0m")
}

/// A text that stands out.
pub(crate) fn bold(text: &str, wanted: bool) -> String {
    if wanted { format!("\x1b[1m{text}\x1b[0m") } else { text.to_owned() }
}

/// A curve in one line of blocks, from the smallest value to the largest; long ones are thinned out.
pub(crate) fn curve(values: &[f64], width: usize) -> String {
    const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let (low, high) = values.iter().fold((f64::MAX, f64::MIN), |(low, high), &value| (low.min(value), high.max(value)));
    let columns = values.len().min(width);
    let at = |column: usize| values[column * (values.len() - 1) / (columns - 1).max(1)];
    let block = |value: f64| BLOCKS[((value - low) / (high - low).max(f64::MIN_POSITIVE) * 7.0).round() as usize];
    (0..columns).map(|column| block(at(column))).collect()
}
