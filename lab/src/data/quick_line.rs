//! The short way of reading a line: plain ones, by bytes and without a copy of anything.
//!
//! What is read here is what the long way in `line` reads. `None` means that the long way must be taken: the line is unusual,
//! or wrong, and it knows what to say.

use chess::{FenPrefix, Position};
use memchr::memchr;

use super::line::{Line, centipawns_or_mate, game_result, mover_value, points};

/// Reads a line without blanks at its ends.
pub(super) fn read(line: &[u8]) -> Option<Line> {
    let FenPrefix { position, length, has_move_number } = Position::read_plain_fen(line)?;
    let rest = &line[length..];
    if !rest.iter().all(|byte| (b' '..=b'~').contains(byte)) {
        return None;
    }
    let mut head = Head { position, has_move_number };
    match rest.trim_ascii_start() {
        [b'|', columns @ ..] => {
            let (value, rest) = split(columns, b'|')?;
            let (result, game) = split(rest, b'|').map_or((rest, None), |(result, game)| (result, Some(game)));
            head.short(result, value, game)
        }
        [b'[', rest @ ..] => {
            let (result, value) = split(rest, b']')?;
            head.short(result, value, None)
        }
        operations => head.operations(operations),
    }
}

/// What stands in front.
struct Head {
    position: Position,
    has_move_number: bool,
}

impl Head {
    fn short(&mut self, result: &[u8], value: &[u8], game: Option<&[u8]>) -> Option<Line> {
        let game = game.map(<[u8]>::trim_ascii).filter(|game| !game.is_empty());
        let value = match value.trim_ascii() {
            b"" => None,
            number => Some(text(number)?.parse().ok()?),
        };
        let mut line = Line::new(&self.position, self.has_move_number, result_points(result)?, game);
        line.sample.value = value;
        Some(line)
    }

    /// Operations of one operand each.
    fn operations(&mut self, mut rest: &[u8]) -> Option<Line> {
        let (mut result, mut game, mut value, mut own_value, mut best) = (None, None, None, None, None);
        while !rest.is_empty() {
            let (opcode, after) = split(rest, b' ')?;
            if !opcode.first()?.is_ascii_alphabetic() || !opcode.iter().all(u8::is_ascii_alphanumeric) {
                return None;
            }
            let operand;
            if let [b'"', quoted @ ..] = after {
                (operand, rest) = split(quoted, b'"')?;
            } else {
                let end = after.iter().position(|byte| matches!(byte, b' ' | b';' | b'"')).unwrap_or(after.len());
                (operand, rest) = after.split_at_checked(end).filter(|(operand, _)| !operand.is_empty())?;
            }
            rest = match rest.trim_ascii_start() {
                [] => &[],
                [b';', rest @ ..] => rest.trim_ascii_start(),
                _ => return None,
            };
            // Whatever comes twice counts as it stands first
            let kept = match opcode {
                b"c9" => &mut result,
                b"c8" => &mut game,
                b"c7" => &mut value,
                b"ce" => &mut own_value,
                b"bm" => &mut best,
                b"hmvc" | b"fmvn" => return None,
                _ => continue,
            };
            kept.get_or_insert(operand);
        }
        let game = game.filter(|text| game_result(text).is_none());
        let mut line = Line::new(&self.position, self.has_move_number, result_points(result?)?, game);
        line.sample.value = match (own_value, value) {
            (Some(own), _) => Some(mover_value(&self.position, text(own)?).ok()?),
            (None, Some(value)) => centipawns_or_mate(text(value)?),
            (None, None) => None,
        };
        if let Some(san) = best {
            line.sample.best = self.position.parse_san(text(san)?).ok();
        }
        Some(line)
    }
}

fn result_points(result: &[u8]) -> Option<f64> {
    game_result(result).or_else(|| points(text(result)?))
}

/// What stands before and behind the first such byte.
fn split(text: &[u8], byte: u8) -> Option<(&[u8], &[u8])> {
    let at = memchr(byte, text)?;
    Some((&text[..at], &text[at + 1..]))
}

/// Plain bytes are text.
fn text(bytes: &[u8]) -> Option<&str> {
    str::from_utf8(bytes).ok()
}
