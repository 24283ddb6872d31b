//! Files of known perft numbers: lines such as `FEN ;D1 20 ;D2 400`, or blocks of `epd FEN`, `perft 1 20`, `perft 2 400`.

use chess::{Epd, EpdError, Position};
use thiserror::Error;

use super::file::{decoded, is_blank};

/// How many leaves the tree of legal moves has, as a file says.
#[derive(Copy, Clone, Debug)]
pub struct KnownCount {
    /// The line that says so, from 1.
    pub line: usize,
    /// Where the tree begins.
    pub position: Position,
    /// How deep it is.
    pub depth: u32,
    /// The leaves.
    pub leaves: u64,
}

/// Why a line tells no perft numbers.
#[derive(Clone, Eq, PartialEq, Debug, Error)]
pub enum CountError {
    /// The line is not EPD.
    #[error(transparent)]
    Epd(#[from] EpdError),
    /// Depth or leaves are no numbers.
    #[error("{0:?} is no depth and a number of leaves, such as D2 400")]
    Number(String),
    /// Numbers without a position.
    #[error("no position stands before these numbers")]
    NoPosition,
    /// A position without numbers.
    #[error("no perft numbers: something like ;D1 20 ;D2 400 is needed behind the position")]
    NoCounts,
}

/// Reads the numbers of a file, and says which lines have none, by their numbers from 1.
pub fn read_counts(bytes: &[u8]) -> (Vec<KnownCount>, Vec<(usize, CountError)>) {
    let (mut counts, mut bad) = (Vec::new(), Vec::new());
    let mut block = None;
    for (line, text) in (1..).zip(decoded(bytes).lines()) {
        if is_blank(text) || text.starts_with('#') {
            continue;
        }
        let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let read = match word {
            "id" => Ok(Vec::new()),
            "epd" => {
                let epd = rest.parse::<Epd>();
                block = epd.as_ref().ok().map(|epd| epd.position);
                epd.map(|_| Vec::new()).map_err(Into::into)
            }
            "perft" => block.ok_or(CountError::NoPosition).and_then(|position| {
                let (depth, leaves) = rest.trim().split_once(char::is_whitespace).unwrap_or((rest, ""));
                Ok(vec![known(line, position, depth, leaves.trim())?])
            }),
            _ => counts_of_line(line, text),
        };
        match read {
            Ok(read) => counts.extend(read),
            Err(error) => bad.push((line, error)),
        }
    }
    (counts, bad)
}

fn counts_of_line(line: usize, text: &str) -> Result<Vec<KnownCount>, CountError> {
    let epd: Epd = text.parse()?;
    let numbers = epd.operations().filter_map(|(opcode, operands)| Some((opcode.strip_prefix('D')?, operands)));
    let counts = numbers
        .map(|(depth, operands)| known(line, epd.position, depth, operands.first().map_or("", String::as_str)))
        .collect::<Result<Vec<_>, _>>()?;
    if counts.is_empty() { Err(CountError::NoCounts) } else { Ok(counts) }
}

fn known(line: usize, position: Position, depth: &str, leaves: &str) -> Result<KnownCount, CountError> {
    match (depth.parse(), leaves.parse()) {
        (Ok(depth), Ok(leaves)) => Ok(KnownCount { line, position, depth, leaves }),
        _ => Err(CountError::Number(format!("D{depth} {leaves}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_in_both_forms_and_other_lines_are_named() {
        let file = "# known numbers\n\
            rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400\r\n\
            id gentest-1\n\
            perft 1 20\n\
            \u{feff}epd 4k3/8/8/8/8/8/8/4K2R w K - 0 1\n\
            \x20 perft 1 15\n\
            perft two 66\n\
            epd 4k3/8/8 w - - 0 1\n\
            perft 1 15\n\
            4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D3 many\n\
            4k3/8/8/8/8/8/8/4K2R w K - bm O-O;\n\
            4k3/8 w - - ;D1 3\n";
        let (counts, bad) = read_counts(file.as_bytes());
        let read: Vec<_> = counts.iter().map(|known| (known.line, known.depth, known.leaves)).collect();
        assert_eq!(read, [(2, 1, 20), (2, 2, 400), (6, 1, 15)]);
        assert!(counts.iter().all(|known| chess::perft(&known.position, known.depth) == known.leaves));
        let bad: Vec<_> = bad.iter().map(|(line, error)| (*line, error.to_string())).collect();
        assert_eq!(bad.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [4, 7, 8, 9, 10, 11, 12]);
        assert!(bad[0].1.contains("no position") && bad[1].1.contains("Dtwo 66") && bad[2].1.contains("8 ranks"));
        assert!(bad[3].1.contains("no position") && bad[4].1.contains("D3 many"), "{bad:?}");
        assert!(bad[5].1.contains("no perft numbers") && bad[6].1.contains("8 ranks"), "{bad:?}");
    }
}
