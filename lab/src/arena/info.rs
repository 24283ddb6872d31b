//! What an engine says while it thinks: the `info` lines of UCI.

use std::fmt;

/// One `info` line, as far as it tells of a search.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Info<'a> {
    /// How deep the search is.
    pub depth: Option<u32>,
    /// The value of the position.
    pub score: Option<Score>,
    /// Whether the value is only known to be as high or as low as this.
    pub is_bound: bool,
    /// Positions searched so far.
    pub nodes: Option<u64>,
    /// Milliseconds since the search began.
    pub time: Option<u64>,
    /// The best line, as the engine wrote it.
    pub line: &'a str,
}

/// A score in an engine's own view.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Score {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Mate in so many moves; negative if the side to move is mated.
    Mate(i32),
}

impl Score {
    /// A value of our own search.
    pub fn of(value: i32) -> Score {
        engine::moves_to_mate(value).map_or(Score::Centipawns(value), Score::Mate)
    }

    /// Hundredths of a pawn; a mate is more than any of them.
    pub fn centipawns(self) -> i32 {
        match self {
            Score::Centipawns(value) => value,
            Score::Mate(moves) if moves > 0 => i32::MAX,
            Score::Mate(_) => -i32::MAX,
        }
    }
}

/// As PGN comments write it: `+0.31` or `-M3`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Score::Centipawns(value) => {
                let (sign, size) = (if *value < 0 { '-' } else { '+' }, value.unsigned_abs());
                format!("{sign}{}.{:02}", size / 100, size % 100)
            }
            Score::Mate(moves) if *moves < 0 => format!("-M{}", moves.unsigned_abs()),
            Score::Mate(moves) => format!("+M{moves}"),
        };
        f.pad(&text)
    }
}

impl<'a> Info<'a> {
    /// The last of many lines that gives a score of the best line.
    pub(super) fn last_with_score(mut lines: &[u8]) -> Option<&[u8]> {
        while !lines.is_empty() {
            let start = memchr::memrchr(b'\n', lines).map_or(0, |end| end + 1);
            if Info::has_score(&lines[start..]) {
                return Some(&lines[start..]);
            }
            lines = &lines[..start.saturating_sub(1)];
        }
        None
    }

    /// Whether a line gives a score of the best line.
    fn has_score(line: &[u8]) -> bool {
        let mut words = line.split(u8::is_ascii_whitespace);
        let (mut is_about_a_line, mut has_score) = (words.next() == Some(b"info"), false);
        while let (true, Some(word)) = (is_about_a_line, words.next()) {
            match word {
                b"score" => has_score = true,
                b"string" => is_about_a_line = false,
                b"multipv" => is_about_a_line = words.next() == Some(b"1"),
                b"pv" => break,
                _ => (),
            }
        }
        is_about_a_line && has_score
    }

    /// Reads a line. Remarks, lines of lesser moves and everything that is no `info` give nothing.
    pub fn read(text: &'a str) -> Option<Info<'a>> {
        let mut rest = text;
        if word(&mut rest) != "info" {
            return None;
        }
        let mut info = Info::default();
        loop {
            match word(&mut rest) {
                "" => return Some(info),
                "string" => return None,
                "multipv" if word(&mut rest) != "1" => return None,
                "depth" => info.depth = number(&mut rest),
                "nodes" => info.nodes = number(&mut rest),
                "time" => info.time = number(&mut rest),
                "cp" => info.score = number(&mut rest).map(bounded).map(Score::Centipawns),
                "mate" => info.score = number(&mut rest).map(bounded).map(Score::Mate),
                "lowerbound" | "upperbound" => info.is_bound = true,
                "pv" => info.line = std::mem::take(&mut rest).trim(),
                _ => (),
            }
        }
    }

    /// The moves of the best line.
    pub fn moves(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.line.split_whitespace()
    }
}

/// Takes the next word off a text; nothing at its end.
fn word<'a>(rest: &mut &'a str) -> &'a str {
    let text = rest.trim_ascii_start();
    let (word, left) = text.split_at(text.bytes().position(|byte| byte.is_ascii_whitespace()).unwrap_or(text.len()));
    *rest = left;
    word
}

/// No engine means more than this.
fn bounded(value: i64) -> i32 {
    value.clamp(-1_000_000, 1_000_000) as i32
}

fn number<T: std::str::FromStr>(rest: &mut &str) -> Option<T> {
    word(rest).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read() {
        let info = Info::read("info depth 9 seldepth 12 multipv 1 score cp -31 nodes 500 time 3 pv e2e4 e7e5").unwrap();
        assert_eq!((info.depth, info.score, info.nodes), (Some(9), Some(Score::Centipawns(-31)), Some(500)));
        assert_eq!(info.time, Some(3));
        assert_eq!((info.line, info.moves().count()), ("e2e4 e7e5", 2));
        assert!(!info.is_bound);
        assert!(Info::read("info depth 9 score mate 3 lowerbound pv a1a8").unwrap().is_bound);
    }

    #[test]
    fn what_is_not_about_the_best_line_gives_nothing() {
        assert_eq!(Info::read("info string depth 9 score cp 31"), None);
        assert_eq!(Info::read("info depth 9 multipv 2 score cp 31 pv e2e4"), None);
        assert_eq!(Info::read("bestmove e2e4"), None);
        assert_eq!(Info::read("info depth many score cp"), Some(Info::default()));
        let absurd = Info::read("info score cp -99999999999").unwrap();
        assert_eq!(absurd.score, Some(Score::Centipawns(-1_000_000)));
    }

    #[test]
    fn lines_with_a_score_are_told_from_others() {
        assert!(Info::has_score(b"info depth 9 score cp 31 pv e2e4"));
        assert!(Info::has_score(b"info depth 9 multipv 1 score mate 3"));
        assert!(!Info::has_score(b"info depth 9 multipv 2 score cp 31"));
        assert!(!Info::has_score(b"info depth 9 currmove e2e4"));
        assert!(!Info::has_score(b"the score is "));
        assert!(!Info::has_score(b"info string the score is "));
        let (first, second) = (&b"info depth 8 score cp 1"[..], &b"info depth 9 score cp 2"[..]);
        let others = b"info depth 10\ninfo string score\n";
        assert_eq!(Info::last_with_score(&[first, b"\n", second, b"\n", others].concat()), Some(second));
        assert_eq!(Info::last_with_score(&[first, b"\n", others].concat()), Some(first));
        assert_eq!(Info::last_with_score(others), None);
        assert_eq!(Info::last_with_score(b"\n\n"), None);
    }

    #[test]
    fn scores_are_written_as_in_pgn_comments() {
        let written = [31, -200, -5, 0].map(|value| Score::Centipawns(value).to_string());
        assert_eq!(written, ["+0.31", "-2.00", "-0.05", "+0.00"]);
        assert_eq!([3, -1].map(|moves| Score::Mate(moves).to_string()), ["+M3", "-M1"]);
    }
}
