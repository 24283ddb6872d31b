//! Files of labelled positions, read line by line, packed or not. Lines that are broken are left out and counted.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};

use flate2::bufread::MultiGzDecoder;
use thiserror::Error;

use super::line::{Labelled, LineError};

/// How many broken lines are remembered.
const NAMED: usize = 5;
/// No line of a position has more bytes.
const LONGEST: u64 = 4096;
const GZIP: [u8; 2] = [0x1f, 0x8b];
const XZ: [u8; 2] = [0xfd, b'7'];

/// A line that was left out.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct BadLine {
    /// Its number, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub error: LineError,
}

/// Why a file cannot be read.
#[derive(Debug, Error)]
pub enum DataError {
    /// The operating system refuses, or what is packed is damaged.
    #[error("{0} cannot be read: {1}")]
    Unreadable(String, std::io::Error),
    /// Packed in a way that is not known here.
    #[error("{0} is packed with xz; unpack it first (xz -dk), or pack it with gzip")]
    Packed(String),
}

/// Reads the labelled positions of a file, one after the other. Empty lines and those that begin with `#` mean nothing.
pub struct LabelledReader {
    name: String,
    input: Box<dyn BufRead>,
    line: u64,
    buffer: Vec<u8>,
    bad_count: u64,
    bad: Vec<BadLine>,
    is_over: bool,
}

impl LabelledReader {
    /// Opens a file; whether it is packed with gzip is told by its contents.
    pub fn open(path: &str) -> Result<LabelledReader, DataError> {
        let file = File::open(path).map_err(|error| DataError::Unreadable(path.to_owned(), error))?;
        LabelledReader::new(BufReader::with_capacity(1 << 16, file), path)
    }

    /// Reads from anything; `name` is for errors.
    pub fn new(mut input: impl BufRead + 'static, name: &str) -> Result<LabelledReader, DataError> {
        let name = name.to_owned();
        let start = match input.fill_buf() {
            Ok(start) => start,
            Err(error) => return Err(DataError::Unreadable(name, error)),
        };
        let input: Box<dyn BufRead> = if start.starts_with(&GZIP) {
            Box::new(BufReader::with_capacity(1 << 16, MultiGzDecoder::new(input)))
        } else if start.starts_with(&XZ) {
            return Err(DataError::Packed(name));
        } else {
            Box::new(input)
        };
        let (line, buffer, bad) = (0, Vec::new(), Vec::new());
        Ok(LabelledReader { name, input, line, buffer, bad_count: 0, bad, is_over: false })
    }

    /// How many lines were left out so far.
    pub fn bad_count(&self) -> u64 {
        self.bad_count
    }

    /// The first lines that were left out.
    pub fn bad_lines(&self) -> &[BadLine] {
        &self.bad
    }

    /// The next line that means something, read or not; none at the end.
    fn next_line(&mut self) -> std::io::Result<Option<Result<Labelled, LineError>>> {
        loop {
            self.buffer.clear();
            self.line += 1;
            if (&mut self.input).take(LONGEST).read_until(b'\n', &mut self.buffer)? == 0 {
                return Ok(None);
            }
            if self.buffer.len() as u64 == LONGEST && !self.buffer.ends_with(b"\n") {
                self.skip_line()?;
                return Ok(Some(Err(LineError::TooLong)));
            }
            let text = String::from_utf8_lossy(&self.buffer);
            let text = text.trim();
            if !text.is_empty() && !text.starts_with('#') {
                return Ok(Some(text.parse()));
            }
        }
    }

    /// Goes on to the next line without keeping this one.
    fn skip_line(&mut self) -> std::io::Result<()> {
        while !self.buffer.is_empty() && !self.buffer.ends_with(b"\n") {
            self.buffer.clear();
            (&mut self.input).take(LONGEST).read_until(b'\n', &mut self.buffer)?;
        }
        Ok(())
    }
}

impl Iterator for LabelledReader {
    type Item = Result<Labelled, DataError>;

    fn next(&mut self) -> Option<Result<Labelled, DataError>> {
        while !self.is_over {
            match self.next_line() {
                Ok(Some(Ok(labelled))) => return Some(Ok(labelled)),
                Ok(Some(Err(error))) => {
                    self.bad_count += 1;
                    if self.bad.len() < NAMED {
                        self.bad.push(BadLine { line: self.line, error });
                    }
                }
                Ok(None) => self.is_over = true,
                Err(error) => {
                    self.is_over = true;
                    return Some(Err(DataError::Unreadable(self.name.clone(), error)));
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::{Cursor, Write};

    fn reader(bytes: &[u8]) -> LabelledReader {
        LabelledReader::new(Cursor::new(bytes.to_vec()), "test").unwrap()
    }

    fn packed(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn file() -> Vec<u8> {
        let long = "x".repeat(3 * LONGEST as usize);
        let lines = [
            "# mixed forms",
            "4k3/8/8/8/8/8/4P3/4K3 w - - c9 \"1-0\";\r",
            "nonsense",
            "",
            "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 [0.5]",
            &long,
            "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
            "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 | 90 | 1.0",
        ];
        lines.join("\n").into_bytes()
    }

    #[test]
    fn good_lines_are_read_and_bad_ones_counted_packed_or_not() {
        for bytes in [file(), packed(&file()), [packed(&file()[..30]), packed(&file()[30..])].concat()] {
            let mut reader = reader(&bytes);
            let results: Vec<f64> = reader.by_ref().map(|labelled| labelled.unwrap().result).collect();
            assert_eq!(results, [1.0, 0.5, 1.0]);
            assert_eq!(reader.bad_count(), 3);
            assert_eq!(reader.bad_lines().iter().map(|bad| bad.line).collect::<Vec<_>>(), [3, 6, 7]);
            assert_eq!(reader.bad_lines()[1].error, LineError::TooLong);
            assert_eq!(reader.bad_lines()[2].error, LineError::NoResult);
        }
    }

    #[test]
    fn a_damaged_file_is_an_error_and_not_an_end() {
        let whole = packed(&file());
        let mut cut = reader(&whole[..whole.len() - 12]);
        assert!(matches!(cut.by_ref().last(), Some(Err(DataError::Unreadable(..)))));
        assert!(cut.next().is_none());
        assert!(LabelledReader::new(Cursor::new(b"\xfd7zXZ".to_vec()), "a.xz").is_err());
        assert_eq!(reader(b"").count(), 0);
        assert!(LabelledReader::open("/no/such/file").is_err());
    }

    #[test]
    fn many_bad_lines_are_all_counted_but_few_kept() {
        let mut reader = reader("bad\n".repeat(1000).as_bytes());
        assert!(reader.next().is_none());
        assert_eq!((reader.bad_count(), reader.bad_lines().len()), (1000, NAMED));
    }
}
