//! Text in blocks that can be read beside each other: cut between lines, and not within a game.

use std::io::{Read, Result};

use memchr::{memchr, memchr_iter, memrchr};

use super::line::Line;
use super::pgn;
use super::unpack::Stream;

/// A block has about so many bytes.
const SIZE: usize = 1 << 18;
/// No line of a position has more bytes.
pub(super) const LONGEST: usize = 4096;
/// At most so many lines are looked at to find where a game begins.
const PATIENCE: usize = 1000;
/// A game of more bytes is cut.
const LARGEST_GAME: usize = 1 << 26;

/// Lines of text.
pub(super) struct Block {
    pub(super) text: Vec<u8>,
    /// The number of the first line, from 1.
    pub(super) first: u64,
}

/// What is in the text.
#[derive(Copy, Clone, Eq, PartialEq)]
pub(super) enum Kind {
    /// A position a line.
    Lines,
    /// Games.
    Pgn,
}

/// Cuts a stream into blocks.
pub(super) struct Blocks {
    input: Stream,
    kind: Kind,
    rest: Vec<u8>,
    line: u64,
    is_over: bool,
}

impl Blocks {
    pub(super) fn new(input: Stream, kind: Kind) -> Blocks {
        Blocks { input, kind, rest: Vec::new(), line: 1, is_over: false }
    }

    /// The next block; none at the end.
    pub(super) fn next(&mut self) -> Result<Option<Block>> {
        let mut size = SIZE;
        loop {
            self.fill(size)?;
            if self.rest.is_empty() {
                return Ok(None);
            }
            if self.is_over {
                return Ok(Some(self.cut(self.rest.len())));
            }
            let end = match self.kind {
                Kind::Lines => end_of_lines(&self.rest),
                Kind::Pgn => pgn::starts(&self.rest).last().map(|start| start.at).filter(|&at| at > 0),
            };
            match (end, self.kind) {
                (Some(end), _) => return Ok(Some(self.cut(end))),
                (None, Kind::Lines) => return self.cut_long_line().map(Some),
                (None, Kind::Pgn) if size < LARGEST_GAME => size *= 2,
                (None, Kind::Pgn) => return Ok(Some(self.cut(self.rest.len()))),
            }
        }
    }

    /// Reads until so many bytes are there or no more come.
    fn fill(&mut self, size: usize) -> Result<()> {
        let wanted = size.saturating_sub(self.rest.len());
        if !self.is_over {
            let read = (&mut self.input).take(wanted as u64).read_to_end(&mut self.rest)?;
            self.is_over = read < wanted;
        }
        Ok(())
    }

    fn cut(&mut self, end: usize) -> Block {
        let after = self.rest.split_off(end);
        let text = std::mem::replace(&mut self.rest, after);
        let first = self.line;
        self.line += memchr_iter(b'\n', &text).count() as u64;
        Block { text, first }
    }

    /// A line that is longer than a block: enough of it to see that, and the rest is skipped.
    fn cut_long_line(&mut self) -> Result<Block> {
        let text = self.rest[..=LONGEST].to_vec();
        let first = self.line;
        loop {
            self.rest.clear();
            self.fill(SIZE)?;
            if let Some(end) = memchr(b'\n', &self.rest) {
                self.rest.drain(..=end);
                break;
            }
            if self.is_over {
                self.rest.clear();
                break;
            }
        }
        self.line += 1;
        Ok(Block { text, first })
    }
}

/// Where to cut lines: after the last one, or where its game begins; none without an end of a line.
fn end_of_lines(text: &[u8]) -> Option<usize> {
    let end = memrchr(b'\n', text)? + 1;
    let mut at = end;
    let mut later = Line::read(last_line(&text[..at])).ok().filter(|line| !line.has_game);
    for _ in 0..PATIENCE {
        let Some(line) = later else { break };
        at -= last_line(&text[..at]).len();
        let earlier = Line::read(last_line(&text[..at])).ok().filter(|line| !line.has_game);
        if !earlier.as_ref().is_some_and(|earlier| line.sample.may_continue(&earlier.sample)) {
            return if at == 0 { Some(end) } else { Some(at) };
        }
        later = earlier;
    }
    Some(end)
}

/// The last line, with its end.
fn last_line(text: &[u8]) -> &[u8] {
    let before = text.len().saturating_sub(1);
    let start = memrchr(b'\n', &text[..before]).map_or(0, |at| at + 1);
    &text[start..]
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    fn blocks(text: &[u8], kind: Kind) -> Vec<Block> {
        let mut blocks = Blocks::new(Box::new(Cursor::new(text.to_vec())), kind);
        std::iter::from_fn(|| blocks.next().unwrap()).collect()
    }

    #[test]
    fn blocks_make_the_text_and_are_cut_between_lines() {
        let text: String = (1..60_000).map(|number| format!("line {number}\n")).collect();
        let text = text.trim_end();
        let blocks = blocks(text.as_bytes(), Kind::Lines);
        assert!(blocks.len() > 2);
        for block in &blocks {
            assert!(block.text.starts_with(format!("line {}\n", block.first).as_bytes()));
        }
        assert_eq!(blocks.iter().flat_map(|block| block.text.clone()).collect::<Vec<u8>>(), text.as_bytes());
    }

    #[test]
    fn a_game_is_not_cut() {
        // Games of 40 plies: knights go out and back, and the results take turns
        let boards = ["w KQkq -", "b KQkq -"];
        let mut text = String::new();
        for game in 0..200 {
            for ply in 0..40 {
                let (turn, number) = (boards[ply % 2], ply / 2 + 1);
                let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
                text +=
                    &format!("{board} {turn} {ply} {number} | 12 | {}\n", if game % 2 == 0 { "1.0" } else { "0.5" });
            }
        }
        let blocks = blocks(text.as_bytes(), Kind::Lines);
        assert!(blocks.len() > 2);
        assert!(blocks.iter().all(|block| (block.first - 1) % 40 == 0));
    }

    #[test]
    fn a_line_without_end_takes_no_memory() {
        let text = [&b"first\n"[..], &vec![b'x'; 3 * SIZE], b"\nlast"].concat();
        let blocks = blocks(&text, Kind::Lines);
        let lines: Vec<(u64, usize)> = blocks.iter().map(|block| (block.first, block.text.len())).collect();
        assert_eq!(lines, [(1, 6), (2, LONGEST + 1), (3, 4)]);
        let endless = vec![b'x'; 2 * SIZE];
        assert_eq!(self::blocks(&endless, Kind::Lines).len(), 1);
    }

    #[test]
    fn pgn_is_cut_between_games() {
        let game = "[Event \"?\"]\n\n[Result \"1-0\"]\n\n1. e4 {a comment\n[%clk 0:01]} e5 1-0\n\n";
        let text = game.repeat(10_000);
        let blocks = blocks(text.as_bytes(), Kind::Pgn);
        assert!(blocks.len() > 2);
        assert!(blocks.iter().all(|block| block.text.starts_with(b"[Event") && (block.first - 1) % 7 == 0));
        assert_eq!(blocks.iter().map(|block| block.text.len()).sum::<usize>(), text.len());
    }
}
