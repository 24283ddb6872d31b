//! Checks static exchange evaluation against a file of known values.
//!
//! `cargo run --release -p chess --example exchange_suite -- FILE` reads lines such as
//! `FEN; Bxf4; -100; comment`, with a pawn at 100, minor pieces at 300, a rook at 500 and a queen at 900.

use std::process::ExitCode;

use chess::{ByRole, Epd};

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
    println!("{passed} passed, {failed} failed");
    ExitCode::from(u8::from(failed > 0))
}

fn check(line: &str) -> Result<(), String> {
    let mut fields = line.split(';').map(str::trim);
    let mut next = || fields.next().ok_or("a field is missing");
    let position = next()?.parse::<Epd>().map_err(|error| error.to_string())?.position;
    let mv = position.parse_san(next()?).map_err(|error| error.to_string())?;
    let value: i32 = next()?.parse().map_err(|_| "the value is not a number")?;
    if !position.exchange_reaches(mv, value, &VALUES) {
        return Err(format!("less than {value}"));
    }
    if position.exchange_reaches(mv, value + 1, &VALUES) {
        return Err(format!("more than {value}"));
    }
    Ok(())
}
