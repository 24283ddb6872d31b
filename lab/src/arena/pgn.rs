//! Games written as PGN, with scores, depths and times as comments.

use std::fmt::{self, Write as _};
use std::time::Duration;

use chess::{CastlingMode, Color, Position};

use super::game::{Game, Ply};
use super::spec::Thinking;

/// A game as PGN.
pub fn pgn(game: &Game, event: &str, round: &str) -> String {
    let result = game.ending.winner.to_string();
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let _ = writeln!(text, "[{name} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""));
    };
    tag("Event", event);
    tag("Site", "?");
    tag("Date", "????.??.??");
    tag("Round", round);
    tag("White", &game.names.white);
    tag("Black", &game.names.black);
    tag("Result", &result);
    if game.opening != Position::initial() {
        tag("SetUp", "1");
        tag("FEN", &game.opening.to_string());
    }
    if game.opening.castling_mode() == CastlingMode::Chess960 {
        tag("Variant", "Chess960");
    }
    tag("PlyCount", &game.plies.len().to_string());
    tag("TimeControl", &time_control(game.thinking.white));
    tag("Termination", &game.ending.reason);
    text.push('\n');
    write_moves(&mut text, game);
    let _ = writeln!(text, "{result}\n");
    text
}

/// The last position of a game as EPD, with clocks, reason, result and number.
pub fn last_position(game: &Game, number: &str) -> String {
    let mut position = game.opening;
    for ply in &game.plies {
        position.play(ply.mv);
    }
    let fen = position.to_string();
    let board = fen.split(' ').take(4).collect::<Vec<_>>().join(" ");
    let (halfmoves, fullmoves) = (position.halfmove_clock(), position.fullmove_number());
    // EPD has no way to write a quotation mark within a text
    let reason = game.ending.reason.replace('"', "'");
    let result = game.ending.winner;
    format!("{board} hmvc {halfmoves}; fmvn {fullmoves}; c0 \"{reason}\"; c9 \"{result}\"; id \"{number}\";\n")
}

fn write_moves(text: &mut String, game: &Game) {
    let mut position = game.opening;
    let (mut column, mut word) = (0, String::new());
    for (place, ply) in game.plies.iter().enumerate() {
        word.clear();
        let is_last = place + 1 == game.plies.len();
        let reason = is_last.then_some(game.ending.reason.as_str());
        // A text always takes what is written to it
        let _ = write_move(&mut word, &position, ply, place == 0, reason);
        if column + word.len() > 79 && column > 0 {
            text.push('\n');
            column = 0;
        }
        column += word.len() + 1;
        text.push_str(&word);
        text.push(' ');
        position.play(ply.mv);
    }
}

/// One move with its number and remark. The first one has a number whoever moves, the last one a reason.
fn write_move(word: &mut String, position: &Position, ply: &Ply, is_first: bool, reason: Option<&str>) -> fmt::Result {
    match position.turn() {
        Color::White => write!(word, "{}. ", position.fullmove_number())?,
        Color::Black if is_first => write!(word, "{}... ", position.fullmove_number())?,
        Color::Black => (),
    }
    write!(word, "{} {{", position.san(ply.mv))?;
    if let Some(score) = ply.score {
        write!(word, "{score}/{} ", ply.depth)?;
    }
    let thousandths = (ply.time + Duration::from_micros(500)).as_millis();
    write!(word, "{}.{:03}s", thousandths / 1000, thousandths % 1000)?;
    if let Some(reason) = reason {
        write!(word, ", {}", within_comment(reason))?;
    }
    word.write_char('}')
}

/// A comment ends with its first closing brace, whoever wrote that.
fn within_comment(text: &str) -> String {
    text.replace('{', "(").replace('}', ")")
}

/// PGN knows clocks only.
fn time_control(thinking: Thinking) -> String {
    match thinking {
        Thinking::Clock { .. } => thinking.to_string(),
        Thinking::MoveTime(_) | Thinking::Nodes(_) | Thinking::Depth(_) => "-".to_owned(),
    }
}
