//! The samples of a file of any known form, one after the other or by several threads. Lines and games that are broken
//! are left out and counted.

use std::ops::ControlFlow;

use thiserror::Error;

use super::games::FileFault;
use super::line::LineError;
use super::packed::PackedFault;
use super::parallel;
use super::sample::Sample;
use super::source::{Haul, NAMED, Source};

/// A line that was left out, or a game that begins there.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct BadLine {
    /// Its number, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub error: LineError,
}

/// Why a file cannot be read or written.
#[derive(Debug, Error)]
pub enum DataError {
    /// The operating system refuses, or what is packed is damaged.
    #[error("{0} cannot be read: {1}")]
    Unreadable(String, std::io::Error),
    /// A file of packed positions is not as it should be.
    #[error("{0} {1}")]
    PackedPositions(String, PackedFault),
    /// A file of games is not as it should be.
    #[error("{0} {1}")]
    Games(String, FileFault),
    /// The operating system refuses to write.
    #[error("{0} cannot be written: {1}")]
    Unwritable(String, std::io::Error),
    /// What is there is not written over.
    #[error("{0} is there already; name another file, or go on with that one")]
    Exists(String),
    /// Another process writes to it.
    #[error("{0} is being written by another process")]
    Busy(String),
}

/// Opens a file of samples: text (a line each), PGN, games or packed positions, as they are or packed with gzip, zstd or xz.
/// What it is is told by its contents.
pub fn open(path: &str) -> Result<Samples, DataError> {
    Samples::open(path, 0)
}

/// The samples of a file, one after the other. In text, empty lines and those that begin with `#` mean nothing.
pub struct Samples {
    source: Source,
    ready: std::vec::IntoIter<Sample>,
    bad_count: u64,
    bad: Vec<BadLine>,
    is_over: bool,
}

impl Samples {
    /// Opens the file with this place among several, from 0, so that their games have different numbers.
    pub fn open(path: &str, place: u64) -> Result<Samples, DataError> {
        Ok(Samples::new(Source::open(path, place)?))
    }

    fn new(source: Source) -> Samples {
        Samples { source, ready: Vec::new().into_iter(), bad_count: 0, bad: Vec::new(), is_over: false }
    }

    /// How many lines, or games of PGN, were left out so far.
    pub fn bad_count(&self) -> u64 {
        self.bad_count
    }

    /// The first lines that were left out.
    pub fn bad_lines(&self) -> &[BadLine] {
        &self.bad
    }

    /// The size of the file in bytes, as it is.
    pub fn size(&self) -> u64 {
        self.source.size()
    }

    /// How many of its bytes were read so far.
    pub fn bytes_read(&self) -> u64 {
        self.source.bytes_read()
    }

    /// Reads the rest by so many threads, some thousand samples at a time: `work` is done beside each other, `take` gets
    /// what came of it in the order of the file, with the bytes read so far, until it breaks off.
    ///
    /// A game is never in two parts but in packed positions and where text lines name their games.
    pub fn in_parallel<T: Send>(
        &mut self,
        threads: usize,
        work: impl Fn(Vec<Sample>) -> T + Sync,
        mut take: impl FnMut(T, u64) -> ControlFlow<()> + Send,
    ) -> Result<(), DataError> {
        let ready: Vec<Sample> = self.ready.by_ref().collect();
        if self.is_over || (!ready.is_empty() && take(work(ready), self.bytes_read()).is_break()) {
            return Ok(());
        }
        self.is_over = true;
        let Samples { source, bad_count, bad, .. } = self;
        parallel::read(source, threads, &work, |done| {
            *bad_count += done.bad_count;
            bad.extend(done.bad);
            bad.truncate(NAMED);
            take(done.work, done.bytes)
        })
    }

    /// Reads the next part of the file. None at the end.
    fn refill(&mut self) -> Result<Option<()>, DataError> {
        let Some(batch) = self.source.next()? else { return Ok(None) };
        let Haul { samples, bad_count, bad } = batch.read()?;
        self.bad_count += bad_count;
        self.bad.extend(bad);
        self.bad.truncate(NAMED);
        self.ready = samples.into_iter();
        Ok(Some(()))
    }
}

impl Iterator for Samples {
    type Item = Result<Sample, DataError>;

    fn next(&mut self) -> Option<Result<Sample, DataError>> {
        loop {
            if let Some(sample) = self.ready.next() {
                return Some(Ok(sample));
            }
            if self.is_over {
                return None;
            }
            match self.refill() {
                Ok(Some(())) => (),
                Ok(None) => self.is_over = true,
                Err(error) => {
                    self.is_over = true;
                    return Some(Err(error));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::data::packed::PackedWriter;
    use crate::data::unpack::tests::packed;

    fn reader(bytes: &[u8]) -> Samples {
        Samples::new(Source::new(Cursor::new(bytes.to_vec()), bytes.len() as u64, "test", 0).unwrap())
    }

    fn file() -> Vec<u8> {
        let long = "x".repeat(30_000);
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
        let mut files = vec![file()];
        files.extend(packed(&file()));
        for bytes in files {
            let mut samples = reader(&bytes);
            let results: Vec<f64> = samples.by_ref().map(|sample| sample.unwrap().result).collect();
            assert_eq!(results, [1.0, 0.5, 1.0]);
            assert_eq!(samples.bad_count(), 3);
            assert_eq!(samples.bad_lines().iter().map(|bad| bad.line).collect::<Vec<_>>(), [3, 6, 7]);
            assert_eq!(samples.bad_lines()[1].error, LineError::TooLong);
            assert_eq!(samples.bad_lines()[2].error, LineError::NoResult);
            assert_eq!(samples.bytes_read(), samples.size());
        }
    }

    #[test]
    fn a_damaged_file_is_an_error_and_not_an_end() {
        for whole in packed(&file()) {
            // Some ways of packing show it when the first bytes are asked for
            let cut = Cursor::new(whole[..whole.len() - 12].to_vec());
            if let Ok(mut cut) = Source::new(cut, 0, "test", 0).map(Samples::new) {
                assert!(matches!(cut.by_ref().last(), Some(Err(DataError::Unreadable(..)))));
                assert!(cut.next().is_none());
            }
        }
        assert_eq!(reader(b"").count(), 0);
        assert!(open("/no/such/file").is_err());
        assert!(open("/").is_err());
    }

    #[test]
    fn many_bad_lines_are_all_counted_but_few_kept() {
        let mut reader = reader("bad\n".repeat(200_000).as_bytes());
        assert!(reader.next().is_none());
        assert_eq!((reader.bad_count(), reader.bad_lines().len()), (200_000, NAMED));
        assert_eq!(reader.bad_lines()[4].line, 5);
    }

    /// Lines of four games by turns, and a bad one now and then.
    fn long_file() -> Vec<u8> {
        let mut text = String::new();
        for number in 0..50_000 {
            let rank = "8/".repeat(number % 3);
            let bad = if number % 10_000 == 9_999 { "bad\n" } else { "" };
            let files = 1 + number % 7;
            text += &format!(
                "4k3/{rank}{files}n{}/{}4K3 w - - c9 \"1-0\"; c8 \"{}\"; ce {value};\n{bad}",
                7 - files,
                "8/".repeat(5 - number % 3),
                number % 4,
                value = number % 30_000,
            );
        }
        text.replace("0n", "n").replace("n0", "n").into_bytes()
    }

    #[test]
    fn several_threads_read_what_one_reads_in_its_order() {
        let bytes = long_file();
        let mut alone = reader(&bytes);
        let expected: Vec<(u64, Option<i32>)> =
            alone.by_ref().map(|sample| sample.map(|sample| (sample.game, sample.value)).unwrap()).collect();
        assert_eq!(expected.len(), 50_000);
        for threads in [1, 3] {
            let mut samples = reader(&bytes);
            let mut found = Vec::new();
            let work = |samples: Vec<Sample>| -> Vec<(u64, Option<i32>)> {
                samples.iter().map(|sample| (sample.game, sample.value)).collect()
            };
            let mut last = 0;
            let take = |part: Vec<(u64, Option<i32>)>, bytes| {
                found.extend(part);
                last = bytes;
                ControlFlow::Continue(())
            };
            samples.in_parallel(threads, work, take).unwrap();
            assert_eq!(found, expected);
            assert_eq!(last, bytes.len() as u64);
            assert_eq!(samples.bad_count(), 5);
            assert_eq!(samples.bad_lines(), alone.bad_lines());
        }
    }

    #[test]
    fn what_is_broken_off_or_damaged_ends_for_all_threads() {
        let bytes = long_file();
        let mut parts = 0;
        let take = |_, _| {
            parts += 1;
            if parts == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        reader(&bytes).in_parallel(2, |samples| samples.len(), take).unwrap();
        assert_eq!(parts, 3);
        let [gzip, ..] = packed(&bytes);
        let mut cut = reader(&gzip[..gzip.len() - 9]);
        assert!(cut.in_parallel(2, |samples| samples.len(), |_, _| ControlFlow::Continue(())).is_err());
        assert!(cut.next().is_none());
    }

    #[test]
    fn packed_positions_come_back_from_streams_and_their_damage_is_noticed() {
        let mut writer = PackedWriter::new(Vec::new()).unwrap();
        for sample in reader(&long_file()) {
            writer.write(&sample.unwrap()).unwrap();
        }
        let bytes = writer.finish().unwrap();
        let key = |sample: Sample| (sample.position, sample.result.to_bits(), sample.value, sample.game, sample.ply);
        let expected: Vec<_> = reader(&long_file()).map(|sample| key(sample.unwrap())).collect();
        let [gzip, ..] = packed(&bytes);
        for bytes in [&bytes, &gzip] {
            assert!(reader(bytes).map(|sample| key(sample.unwrap())).eq(expected.iter().copied()));
        }
        let faults = |bytes: &[u8]| reader(bytes).filter(Result::is_err).count();
        for cut in [1, 16, 17, 60, 1000] {
            assert_eq!(faults(&bytes[..bytes.len() - cut]), 1, "cut by {cut}");
        }
        let mut damaged = bytes.clone();
        damaged[bytes.len() / 2] ^= 1;
        assert_eq!(faults(&damaged), 1);
    }

    #[test]
    fn lines_that_name_no_game_make_games_of_runs() {
        let text = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 | 3 | 1.0",
            "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2 | 3 | 1.0",
            "rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2 | 90 | 1.0",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 | 3 | 1.0",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 | 3 | 1.0 | 77",
            "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2 | 3 | 1.0",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - [1.0]",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - [1.0]",
        ];
        let games: Vec<u64> = reader(text.join("\n").as_bytes()).map(|sample| sample.unwrap().game).collect();
        assert_eq!(games, [1, 1, 1, 4, 77, 6, 7, 8]);
    }

    #[test]
    fn pgn_is_told_by_its_contents() {
        let text =
            "[Event \"one\"]\n\n1. e4 e5 1-0\n\n[Event \"two\"]\n\n1. e4 *\n\n[Event \"three\"]\n\n1. d4 1/2-1/2\n";
        let mut samples = reader(text.as_bytes());
        let found: Vec<(u64, f64)> =
            samples.by_ref().map(|sample| sample.map(|sample| (sample.game, sample.result)).unwrap()).collect();
        assert_eq!(found, [(1, 1.0), (1, 1.0), (9, 0.5)]);
        assert_eq!((samples.bad_count(), samples.bad_lines()[0].line), (1, 5));
        assert_eq!(samples.bad_lines()[0].error.to_string(), "the game has no result");
    }
}
