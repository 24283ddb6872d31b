//! Suites as files: EPD in the forms that are met in the wild.

use super::problem::{Problem, ProblemError};

/// A line that cannot be used.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct BadLine {
    /// Its number, from 1.
    pub line: usize,
    /// Why.
    pub error: ProblemError,
}

/// Reads the problems of a file and the lines that are none. `name` is the file's name, for problems without an `id`.
pub fn read_suite(bytes: &[u8], name: &str) -> (Vec<Problem>, Vec<BadLine>) {
    let text = decoded(bytes);
    let (mut problems, mut bad) = (Vec::new(), Vec::new());
    for (line, text) in (1..).zip(text.lines()) {
        if is_blank(text) || text.starts_with('#') {
            continue;
        }
        match Problem::read(text, &format!("{name}:{line}")) {
            Ok(problem) => problems.push(problem),
            Err(error) => bad.push(BadLine { line, error }),
        }
    }
    (problems, bad)
}

/// Whether a line says nothing.
pub(super) fn is_blank(line: &str) -> bool {
    line.chars().all(|c| c.is_whitespace() || c.is_control() || c == '\u{feff}')
}

/// A file's text: UTF-8 or, where it is not, Latin-1.
pub(super) fn decoded(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_files_are_read_and_broken_lines_named() {
        let file = b"# a comment\r\n\
            rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; id \"one\"; c1 \"M\xfcller\";\r\n\
            \r\n\
            rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm Qh5;\r\n\
            rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ; bm d4\0\n\
            nonsense\n\0\n";
        let (problems, bad) = read_suite(file, "test.epd");
        assert_eq!(problems.iter().map(|problem| problem.id.as_str()).collect::<Vec<_>>(), ["one", "test.epd:5"]);
        assert_eq!(bad.iter().map(|bad| bad.line).collect::<Vec<_>>(), [4, 6]);
    }
}
