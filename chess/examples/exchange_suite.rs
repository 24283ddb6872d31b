//! Checks static exchange evaluation against a file of known values.
//!
//! `cargo run --release -p chess --example exchange_suite -- FILE` reads lines such as
//! `FEN; Bxf4; -100; comment`, with a pawn at 100, minor pieces at 300, a rook at 500 and a queen at 900.

use std::process::ExitCode;

use chess::{ByRole, Epd, Move, Position, SanError};

const VALUES: ByRole<i32> = ByRole { pawn: 100, knight: 300, bishop: 300, rook: 500, queen: 900, king: 0 };

fn main() -> ExitCode {
    let Some(text) = std::env::args().nth(1).and_then(|path| std::fs::read_to_string(path).ok()) else {
        eprintln!("usage: exchange_suite FILE");
        return ExitCode::from(2);
    };
    let (mut passed, mut failed) = (0, 0);
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        match check(line) {
            Ok(()) => passed += 1,
            Err(why) => {
                failed += 1;
                println!("{line}: {why}");
            }
        }
    }
    if passed + failed == 0 {
        eprintln!("nothing was checked: the file has no lines");
        return ExitCode::from(2);
    }
    println!("{passed} passed, {failed} failed");
    ExitCode::from(u8::from(failed > 0))
}

fn check(line: &str) -> Result<(), String> {
    let mut fields = line.split(';').map(str::trim);
    let mut next = || fields.next().ok_or("a field is missing");
    let position = next()?.parse::<Epd>().map_err(|error| error.to_string())?.position;
    let moves = readings(&position, next()?)?;
    let value: i32 = next()?.parse().map_err(|_| "the value is not a number")?;
    for mv in moves {
        if !position.exchange_reaches(mv, value, &VALUES) {
            return Err(format!("{mv:?}: less than {value}"));
        }
        if position.exchange_reaches(mv, value + 1, &VALUES) {
            return Err(format!("{mv:?}: more than {value}"));
        }
    }
    Ok(())
}

/// The move that a text means, or all of them if it does not say which piece.
fn readings(position: &Position, text: &str) -> Result<Vec<Move>, String> {
    match position.parse_san(text) {
        Ok(mv) => Ok(vec![mv]),
        Err(SanError::Ambiguous(_)) => {
            let fits = |mv: &Move| {
                let mut san = position.san(*mv);
                san.remove(1);
                san == text
            };
            Ok(position.legal_moves().iter().copied().filter(fits).collect())
        }
        Err(error) => Err(error.to_string()),
    }
}
