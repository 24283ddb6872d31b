//! Games written as PGN, with scores, depths and times as comments.

use std::fmt::Write as _;

use chess::{CastlingMode, Color, Position};

use super::game::Game;
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
    let mut column = 0;
    for (place, ply) in game.plies.iter().enumerate() {
        let number = match position.turn() {
            Color::White => format!("{}. ", position.fullmove_number()),
            Color::Black if place == 0 => format!("{}... ", position.fullmove_number()),
            Color::Black => String::new(),
        };
        let seconds = ply.time.as_secs_f64();
        let remark = match ply.score {
            Some(score) => format!("{score}/{} {seconds:.3}s", ply.depth),
            None => format!("{seconds:.3}s"),
        };
        let last = if place + 1 == game.plies.len() {
            format!(", {}", within_comment(&game.ending.reason))
        } else {
            String::new()
        };
        let word = format!("{number}{} {{{remark}{last}}}", position.san(ply.mv));
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
