//! Words among the moves of a game that are none. A reader of PGN drops them without a word, so that later moves would be
//! blamed for them, or nothing. Here they become comments with a mark, which reach the reader where the words stood.

use std::borrow::Cow;
use std::io::{BufRead, Read};

use memchr::memchr;
use shakmaty::san::SanPlus;

/// The first byte of a comment that is made of a stray word.
const MARK: u8 = 1;
/// What is written behind moves: en passant, a novelty, a diagram, an editor's remark.
const REMARKS: [&[u8]; 6] = [b"e", b"p", b"ep", b"N", b"D", b"RR"];
/// What ends a game; words behind it are none of its moves.
const RESULTS: [&[u8]; 3] = [b"1-0", b"0-1", b"1/2-1/2"];
/// So much of a word is shown.
const SHOWN: usize = 30;
/// No line is longer.
const LONGEST_LINE: u64 = 1 << 20;

/// Whole lines with their stray words marked. Is told whether they begin in a comment, and tells whether they end in one.
pub(crate) fn marked<'t>(text: &'t [u8], is_comment: &mut bool) -> Cow<'t, [u8]> {
    let (mut marked, mut done, mut at) = (Vec::new(), 0, 0);
    let mut is_first = true;
    while at < text.len() {
        let rest = &text[at..];
        if *is_comment {
            let end = memchr(b'}', rest);
            *is_comment = end.is_none();
            (at, is_first) = (at + end.map_or(rest.len(), |end| end + 1), false);
            continue;
        }
        let was_first = is_first;
        is_first = rest[0] == b'\n' || (was_first && rest[0].is_ascii_whitespace());
        at += match rest[0] {
            b'[' | b'%' if was_first => line(rest),
            b';' | b'*' => line(rest),
            b'{' => {
                *is_comment = true;
                1
            }
            // What tells of UTF-8 at the beginning of a file
            _ if rest.starts_with(b"\xef\xbb\xbf") => {
                is_first = was_first;
                3
            }
            byte if is_end(byte) => 1,
            _ => {
                let word = &rest[..rest.iter().position(|&byte| is_end(byte)).unwrap_or(rest.len())];
                if is_stray(word) {
                    marked.extend_from_slice(&text[done..at]);
                    marked.extend([b'{', MARK].iter().chain(&word[..word.len().min(SHOWN)]).chain(b"}"));
                    done = at + word.len();
                }
                if RESULTS.contains(&word) { line(rest) } else { word.len() }
            }
        };
    }
    if done == 0 {
        return Cow::Borrowed(text);
    }
    marked.extend_from_slice(&text[done..]);
    Cow::Owned(marked)
}

/// The stray word that a comment is made of, if it is.
pub(crate) fn stray(comment: &[u8]) -> Option<String> {
    comment.strip_prefix(&[MARK]).map(|word| String::from_utf8_lossy(word).into_owned())
}

/// How much is left of a line.
fn line(text: &[u8]) -> usize {
    memchr(b'\n', text).unwrap_or(text.len())
}

/// Whether a word ends before this byte.
fn is_end(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'{' | b'}' | b'(' | b')' | b'!' | b'?' | b'$' | b';' | b'.' | b'*')
}

/// Whether a word looks like a move and is none. Words without letters are numbers, results, castling or signs such as `+-`.
fn is_stray(word: &[u8]) -> bool {
    let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let name = &word[digits..];
    name.iter().any(u8::is_ascii_alphabetic) && !REMARKS.contains(&name) && SanPlus::from_ascii(name).is_err()
}

/// A text whose stray words are marked while it is read, line by line.
pub(crate) struct Marked<R> {
    input: R,
    line: Vec<u8>,
    at: usize,
    is_comment: bool,
}

impl<R: BufRead> Marked<R> {
    pub(crate) fn new(input: R) -> Marked<R> {
        Marked { input, line: Vec::new(), at: 0, is_comment: false }
    }
}

impl<R: BufRead> Read for Marked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.at == self.line.len() {
            let mut line = Vec::new();
            self.input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)?;
            (self.line, self.at) = (marked(&line, &mut self.is_comment).into_owned(), 0);
        }
        let read = (&self.line[self.at..]).read(buffer)?;
        self.at += read;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strays(text: &str) -> Vec<String> {
        let text = marked(text.as_bytes(), &mut false);
        text.split(|&byte| byte == b'{').filter_map(|part| stray(part.split(|&byte| byte == b'}').next()?)).collect()
    }

    #[test]
    fn words_that_are_no_moves_are_found() {
        assert_eq!(strays("\n1. e4 e5 2. Qh9 Kd8 1-0\n"), ["Qh9"]);
        assert_eq!(
            strays("1.Sf3 12Nf3x o-o $3 Nf3++! ♘f3 (foo) 0-0-0\n"),
            ["Sf3", "12Nf3x", "o-o", "Nf3++", "♘f3", "foo"]
        );
        assert_eq!(strays(&format!("{}\n", "x".repeat(1000))), ["x".repeat(SHOWN)]);
    }

    #[test]
    fn what_belongs_to_a_game_is_left_alone() {
        for text in [
            "\u{feff}[White \"Qh9\"]\n  [Black \"foo\"]\n\n1. e4 {Qh9\nfoo} e5 $13 2. Nf3!? Nc6 ; Qh9\n%foo\n3. O-O-O+ 0-0 1/2-1/2",
            "1.exd6 e.p. 2... e8=Q# 3. g1f3 N -- +/- ½-½ * White resigns\n",
            "e2e4 e7e8=Q 1-0 (forfeit)\n",
        ] {
            assert_eq!(marked(text.as_bytes(), &mut false), text.as_bytes());
        }
    }

    #[test]
    fn a_text_is_marked_line_by_line_as_it_is_at_once() {
        let text = b"1. e4 {a\nQh9 b} Qh9\n[White \"foo\"]\n\n1. Sf3 *\nmore";
        let mut read = Vec::new();
        Marked::new(&text[..]).read_to_end(&mut read).unwrap();
        assert_eq!(read, *marked(text, &mut false));
    }
}
