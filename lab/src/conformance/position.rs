//! Promises about positions: how they are written, and what happens to wrong ones.

use super::Promise;
use super::talk::{Failure, Talk, after, board, ensure, legal};

const SECTION: &str = "position";

pub(super) const PROMISES: &[Promise] = &[
    Promise { id: "empty-moves", section: SECTION, text: "the word moves without moves is fine", check: empty_moves },
    Promise { id: "four-fields", section: SECTION, text: "a FEN of four fields is enough", check: four_fields },
    Promise {
        id: "shredder-fen",
        section: SECTION,
        text: "Shredder-FEN and X-FEN are read in Chess960 mode",
        check: shredder_fen,
    },
    Promise {
        id: "castling-chess960",
        section: SECTION,
        text: "in Chess960 mode castling is the king taking its rook, in and out",
        check: castling_chess960,
    },
    Promise {
        id: "castling-standard",
        section: SECTION,
        text: "otherwise castling is the king's two steps, in and out",
        check: castling_standard,
    },
    Promise {
        id: "wrong-rights",
        section: SECTION,
        text: "wrong castling rights are put right, or refused with an info string; nothing breaks",
        check: wrong_rights,
    },
    Promise {
        id: "no-king",
        section: SECTION,
        text: "a position without a king is refused with an info string, and the last one stays",
        check: no_king,
    },
    Promise {
        id: "king-in-prise",
        section: SECTION,
        text: "so is one in which the side to move could take the king",
        check: king_in_prise,
    },
    Promise {
        id: "ten-queens",
        section: SECTION,
        text: "ten queens of one side are played with, or refused with an info string; nothing breaks",
        check: ten_queens,
    },
    Promise {
        id: "broken-fen",
        section: SECTION,
        text: "what is no FEN is refused with an info string, and the last position stays",
        check: broken_fen,
    },
    Promise {
        id: "illegal-move",
        section: SECTION,
        text: "an illegal move in the list is told in an info string, and the last position stays",
        check: illegal_move,
    },
    Promise { id: "long-game", section: SECTION, text: "a game of 6,000 plies is taken in", check: long_game },
    Promise {
        id: "repetition",
        section: SECTION,
        text: "repetitions are known from the moves that led to the position",
        check: repetition,
    },
];

fn plays(talk: &mut Talk, command: &str, position: &chess::Position) -> Result<(), Failure> {
    let search = talk.search(command, "go depth 2")?;
    legal(position, &search.best).map(|_| ())
}

fn empty_moves(talk: &mut Talk) -> Result<(), Failure> {
    talk.introduce()?;
    plays(talk, "position startpos moves", &after(&[]))
}

fn four_fields(talk: &mut Talk) -> Result<(), Failure> {
    talk.introduce()?;
    let fen = "4k3/8/8/8/8/8/8/4K2R w K -";
    plays(talk, &format!("position fen {fen}"), &board(fen))?;
    let mut castled = board(fen);
    castled.play(legal(&castled, "e1g1")?);
    plays(talk, &format!("position fen {fen} moves e1g1"), &castled)
}

fn shredder_fen(talk: &mut Talk) -> Result<(), Failure> {
    talk.introduce()?;
    talk.needs("UCI_Chess960")?;
    talk.send("setoption name UCI_Chess960 value true")?;
    for fen in [
        "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1",
        "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1",
        "1rk1r3/8/8/8/8/8/8/1RK1R1R1 w Ekq - 0 1",
    ] {
        plays(talk, &format!("position fen {fen}"), &board(fen))?;
    }
    Ok(())
}

/// A position in which White mates by castling, and by nothing else.
const CASTLE: &str = "4R3/8/8/8/8/5k1P/7P/4K2R w K - 0 1";

fn castles(talk: &mut Talk, text: &str) -> Result<(), Failure> {
    let search = talk.search(&format!("position fen {CASTLE}"), "go depth 4")?;
    ensure(search.best == text, || format!("where only castling mates it answers {}, not {text}", search.best))?;
    // A game that goes on: the rooks are further away
    let fen = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1";
    let mut castled = board(fen);
    castled.play(legal(&castled, text)?);
    plays(talk, &format!("position fen {fen} moves {text}"), &castled)
}

fn castling_chess960(talk: &mut Talk) -> Result<(), Failure> {
    talk.introduce()?;
    talk.needs("UCI_Chess960")?;
    talk.send("setoption name UCI_Chess960 value true")?;
    castles(talk, "e1h1")
}

fn castling_standard(talk: &mut Talk) -> Result<(), Failure> {
    talk.introduce()?;
    castles(talk, "e1g1")
}

/// Sends a wrong position after a right one. The engine lives; either it says so in an info string and plays on in the last
/// position, or, where `mended` has a position, it plays in that one.
fn refuses(talk: &mut Talk, command: &str, mended: Option<&str>) -> Result<(), Failure> {
    talk.introduce()?;
    talk.send("position startpos moves e2e4")?;
    talk.ready()?;
    talk.send(command)?;
    let lines = talk.ready()?;
    let is_said = lines.iter().any(|line| line.starts_with("info string"));
    let start = std::time::Instant::now();
    talk.send("go depth 2")?;
    let search = talk.best_move(start, talk.patience)?;
    let is_mended = mended.is_some_and(|fen| board(fen).parse_uci(&search.best).is_ok());
    if is_mended {
        return Ok(());
    }
    ensure(after(&["e2e4"]).parse_uci(&search.best).is_ok(), || {
        format!("bestmove {} is no move of the position before", search.best)
    })?;
    ensure(is_said, || "no info string tells of it".to_owned())
}

fn wrong_rights(talk: &mut Talk) -> Result<(), Failure> {
    let mended = "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1";
    refuses(talk, "position fen 4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w KQkq - 0 1", Some(mended))
}

fn no_king(talk: &mut Talk) -> Result<(), Failure> {
    refuses(talk, "position fen 8/8/8/8/8/8/4P3/4K3 w - - 0 1", None)
}

fn king_in_prise(talk: &mut Talk) -> Result<(), Failure> {
    refuses(talk, "position fen 4k3/8/8/8/8/8/8/K3R3 w - - 0 1", None)
}

fn ten_queens(talk: &mut Talk) -> Result<(), Failure> {
    talk.introduce()?;
    talk.send("position startpos moves e2e4")?;
    talk.ready()?;
    talk.send("position fen QQQQQ3/QQQQQ3/8/8/8/7k/8/K7 w - - 0 1")?;
    let lines = talk.ready()?;
    let start = std::time::Instant::now();
    talk.send("go depth 2")?;
    let search = talk.best_move(start, talk.patience)?;
    let is_kept = after(&["e2e4"]).parse_uci(&search.best).is_ok();
    if is_kept && lines.iter().any(|line| line.starts_with("info string")) {
        return Ok(());
    }
    // Our own rules do not know such a position, so that the move's form has to do: from White's part of the board
    let is_move = search.best.len() == 4
        && (search.best.contains('7') || search.best.contains('8') || search.best.starts_with("a1"));
    ensure(is_move, || format!("bestmove {} is no move of either position", search.best))
}

fn broken_fen(talk: &mut Talk) -> Result<(), Failure> {
    refuses(talk, "position fen once upon a time there was a king", None)
}

fn illegal_move(talk: &mut Talk) -> Result<(), Failure> {
    refuses(talk, "position startpos moves e2e4 e7e5 e1e3", None)
}

/// Knights that go out and back.
fn shuffles(count: usize) -> String {
    "g1f3 g8f6 f3g1 f6g8 ".repeat(count)
}

fn long_game(talk: &mut Talk) -> Result<(), Failure> {
    talk.introduce()?;
    plays(talk, &format!("position startpos moves {}", shuffles(1500).trim_end()), &after(&[]))
}

/// Black is lost but for a repetition: going back makes the position for the third time.
fn repetition(talk: &mut Talk) -> Result<(), Failure> {
    talk.introduce()?;
    let fen = "6k1/8/8/8/8/8/1Q6/R5K1 w - - 0 1";
    let moves = "b2c2 g8h8 c2b2 h8g8 b2c2 g8h8 c2b2";
    let search = talk.search(&format!("position fen {fen} moves {moves}"), "go depth 4")?;
    ensure(search.best == "h8g8", || format!("bestmove {} loses; h8g8 is a draw", search.best))?;
    let score = search.last().and_then(|info| info.score);
    let is_level = score.is_some_and(|score| score.centipawns().abs() <= 50);
    ensure(is_level, || "a draw by repetition is not seen: the score is not level".to_owned())
}
