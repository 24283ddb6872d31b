//! Samples to files: as EPD, as columns, or packed; the file packed as its name says.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use lzma_rust2::{XzOptions, XzWriter};

use super::packed::PackedWriter;
use super::reader::DataError;
use super::sample::Sample;
use crate::files::NewFile;

/// How samples are written.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Form {
    /// EPD with result, game, value and best move: everything, in words.
    Epd,
    /// `FEN | centipawns | result`, White's view, or `FEN [result]` where the value is not known: for other programs.
    Columns,
    /// Packed positions: everything, in 40 bytes.
    Packed,
}

/// How a file is packed.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
enum Packing {
    None,
    Gzip,
    Zstd,
    Xz,
}

impl Form {
    /// The form that a file's name tells: `.epd`, `.txt`, or `.mqp` for packed positions, and `.gz`, `.zst` or `.xz` behind it.
    pub fn of(path: &str) -> Option<Form> {
        let (name, _) = Packing::of(path);
        match Path::new(name).extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "epd" => Some(Form::Epd),
            "txt" => Some(Form::Columns),
            "mqp" => Some(Form::Packed),
            _ => None,
        }
    }
}

impl Packing {
    /// The name without what tells of packing, and the packing.
    fn of(path: &str) -> (&str, Packing) {
        let known = [(".gz", Packing::Gzip), (".zst", Packing::Zstd), (".xz", Packing::Xz)];
        let found = known.into_iter().find_map(|(end, packing)| Some((path.strip_suffix(end)?, packing)));
        found.unwrap_or((path, Packing::None))
    }
}

/// The same name with something between its stem and its first ending: `set.epd.gz` becomes `set-train.epd.gz`.
pub fn with_suffix(path: &str, suffix: &str) -> String {
    let start = path.rfind('/').map_or(0, |at| at + 1);
    let dot = path[start + 1.min(path.len() - start)..].find('.').map_or(path.len(), |at| start + 1 + at);
    format!("{}{suffix}{}", &path[..dot], &path[dot..])
}

/// A file that samples are written to. It has its name when it is finished; what is not finished is not left behind.
pub struct SampleWriter {
    path: String,
    name: NewFile,
    sink: Option<Sink>,
    count: u64,
    line: String,
}

enum Sink {
    Text(Output, Form),
    Packed(Box<PackedWriter<Output>>),
}

/// A file, packed on the way or not.
enum Output {
    Plain(BufWriter<File>),
    Gzip(GzEncoder<BufWriter<File>>),
    Zstd(zstd::Encoder<'static, BufWriter<File>>),
    Xz(Box<XzWriter<BufWriter<File>>>),
}

impl SampleWriter {
    /// Begins a file.
    pub fn create(path: &str, form: Form) -> Result<SampleWriter, DataError> {
        let name = NewFile::new(Path::new(path));
        let sink = Output::create(name.name(), Packing::of(path).1).and_then(|output| {
            Ok(match form {
                Form::Packed => Sink::Packed(Box::new(PackedWriter::new(output)?)),
                Form::Epd | Form::Columns => Sink::Text(output, form),
            })
        });
        let sink = sink.map_err(|error| DataError::Unwritable(path.to_owned(), error))?;
        Ok(SampleWriter { path: path.to_owned(), name, sink: Some(sink), count: 0, line: String::new() })
    }

    /// Adds a sample.
    pub fn write(&mut self, sample: &Sample) -> Result<(), DataError> {
        self.count += 1;
        let written = match &mut self.sink {
            Some(Sink::Packed(writer)) => writer.write(sample),
            Some(Sink::Text(output, form)) => {
                self.line.clear();
                match form {
                    Form::Columns => write_columns(&mut self.line, sample),
                    Form::Epd | Form::Packed => write_epd(&mut self.line, sample),
                }
                output.write_all(self.line.as_bytes())
            }
            None => Ok(()),
        };
        written.map_err(|error| self.unwritable(error))
    }

    /// Ends the file and gives it its name. Says how many samples it has.
    pub fn finish(mut self) -> Result<u64, DataError> {
        let finished = match self.sink.take() {
            Some(Sink::Text(output, _)) => output.finish(),
            Some(Sink::Packed(writer)) => writer.finish().and_then(Output::finish),
            None => Ok(()),
        };
        let named = finished.and_then(|()| self.name.settle());
        named.map_err(|error| self.unwritable(error))?;
        Ok(self.count)
    }

    /// How many samples were added.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The file's name.
    pub fn path(&self) -> &str {
        &self.path
    }

    fn unwritable(&self, error: io::Error) -> DataError {
        DataError::Unwritable(self.path.clone(), error)
    }
}

impl Output {
    fn create(path: &Path, packing: Packing) -> io::Result<Output> {
        let file = BufWriter::with_capacity(1 << 16, File::create(path)?);
        Ok(match packing {
            Packing::None => Output::Plain(file),
            Packing::Gzip => Output::Gzip(GzEncoder::new(file, Compression::default())),
            Packing::Zstd => {
                let mut encoder = zstd::Encoder::new(file, zstd::DEFAULT_COMPRESSION_LEVEL)?;
                encoder.include_checksum(true)?;
                Output::Zstd(encoder)
            }
            Packing::Xz => Output::Xz(Box::new(XzWriter::new(file, XzOptions::with_preset(6))?)),
        })
    }

    fn finish(self) -> io::Result<()> {
        let mut file = match self {
            Output::Plain(file) => file,
            Output::Gzip(encoder) => encoder.finish()?,
            Output::Zstd(encoder) => encoder.finish()?,
            Output::Xz(writer) => writer.finish()?,
        };
        file.flush()
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Plain(file) => file.write(bytes),
            Output::Gzip(encoder) => encoder.write(bytes),
            Output::Zstd(encoder) => encoder.write(bytes),
            Output::Xz(writer) => writer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Plain(file) => file.flush(),
            Output::Gzip(encoder) => encoder.flush(),
            Output::Zstd(encoder) => encoder.flush(),
            Output::Xz(writer) => writer.flush(),
        }
    }
}

/// `FEN c9 "1-0"; c8 "17"; ce 31; bm Nf3;`: four fields where the number of the move is not known.
fn write_epd(line: &mut String, sample: &Sample) {
    let Sample { position, result, value, game, ply, best } = sample;
    // Writing to a text does not fail
    let _ = write!(line, "{position}");
    if ply.is_none() {
        let end = line.match_indices(' ').nth(3).map_or(line.len(), |(at, _)| at);
        line.truncate(end);
    }
    let _ = match *result {
        1.0 => write!(line, " c9 \"1-0\";"),
        0.0 => write!(line, " c9 \"0-1\";"),
        0.5 => write!(line, " c9 \"1/2-1/2\";"),
        points => write!(line, " c9 \"{points}\";"),
    };
    let _ = write!(line, " c8 \"{game}\";");
    if let Some(value) = value {
        let _ = write!(line, " ce {};", position.turn().fold_wb(*value, value.saturating_neg()));
    }
    if let Some(mv) = best.filter(|mv| position.is_legal(*mv)) {
        let _ = write!(line, " bm {};", position.san(mv));
    }
    line.push('\n');
}

fn write_columns(line: &mut String, sample: &Sample) {
    let Sample { position, result, value, .. } = sample;
    let _ = match value {
        Some(value) => writeln!(line, "{position} | {value} | {result:?}"),
        None => writeln!(line, "{position} [{result:?}]"),
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::open;
    use crate::data::packed::PackedFile;

    fn path(name: &str) -> String {
        let name = format!("marquetry-{}-write-{name}", std::process::id());
        std::env::temp_dir().join(name).display().to_string()
    }

    const LINES: [&str; 5] = [
        "1rk1r3/8/8/8/8/8/8/1RK1RR2 w Eq - 0 5 c9 \"0-1\"; c8 \"0\"; ce -7;",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 c9 \"1-0\"; c8 \"12\"; ce 31; bm e4;",
        "nrkbbqrn/pp1ppp1p/8/2pP2p1/8/8/PPP1PPPP/NRKBBQRN w KQkq c6 0 3 c9 \"0.731\"; c8 \"12\";",
        "8/8/6pk/3P3p/3KPp1P/5q2/8/R6R b - - c9 \"1/2-1/2\"; c8 \"13\"; ce -7; bm Qe3+;",
        "4k3/8/8/8/8/8/4P3/4K3 b - - 30 80 c9 \"0-1\"; c8 \"13\";",
    ];

    fn key(sample: &Sample) -> (chess::Position, u64, Option<i32>, Option<u32>) {
        (sample.position, sample.result.to_bits(), sample.value, sample.ply)
    }

    #[test]
    fn what_is_written_is_read_in_every_form_and_packing() {
        let samples: Vec<Sample> = LINES.iter().map(|line| line.parse().unwrap()).collect();
        for form in ["epd", "txt", "mqp"] {
            for packing in ["", ".gz", ".zst", ".xz"] {
                let path = path(&format!("round.{form}{packing}"));
                let form = Form::of(&path).unwrap();
                let mut writer = SampleWriter::create(&path, form).unwrap();
                samples.iter().for_each(|sample| writer.write(sample).unwrap());
                assert!(!Path::new(&path).exists(), "not before it is whole");
                assert_eq!(writer.finish().unwrap(), 5);
                let again: Vec<Sample> = open(&path).unwrap().map(Result::unwrap).collect();
                std::fs::remove_file(&path).unwrap();
                for (before, after) in samples.iter().zip(&again) {
                    let (before_key, mut after_key) = (key(before), key(after));
                    if form == Form::Columns {
                        after_key.3 = before.ply;
                    } else {
                        assert_eq!((before.game, before.best), (after.game, after.best), "{path}");
                    }
                    assert_eq!(before_key, after_key, "{path}");
                }
            }
        }
    }

    #[test]
    fn epd_is_written_as_it_was_read() {
        for line in LINES {
            let mut text = String::new();
            write_epd(&mut text, &line.parse().unwrap());
            assert_eq!(text.trim_end(), line);
        }
    }

    #[test]
    fn blocks_of_a_packed_file_are_read_in_any_order() {
        let path = path("blocks.mqp");
        let mut writer = SampleWriter::create(&path, Form::Packed).unwrap();
        let sample: Sample = LINES[0].parse().unwrap();
        for value in 0..10_000 {
            writer.write(&Sample { value: Some(value), ..sample.clone() }).unwrap();
        }
        writer.finish().unwrap();
        let file = PackedFile::open(&path).unwrap();
        assert_eq!((file.positions(), file.blocks()), (10_000, 3));
        for block in [2, 0, 1] {
            let values: Vec<Option<i32>> = file.block(block).unwrap().iter().map(|sample| sample.value).collect();
            let first = 4096 * block as i32;
            assert_eq!(values, (first..(first + 4096).min(10_000)).map(Some).collect::<Vec<_>>());
        }
        assert!(file.block(3).is_err() && file.block(u64::MAX).is_err());
        let bytes = std::fs::read(&path).unwrap();
        for cut in [1, 100, bytes.len() - 20, bytes.len() - 3] {
            std::fs::write(&path, &bytes[..bytes.len() - cut]).unwrap();
            assert!(PackedFile::open(&path).is_err(), "cut by {cut}");
        }
        let mut damaged = bytes.clone();
        damaged[200_000] ^= 1;
        std::fs::write(&path, &damaged).unwrap();
        let file = PackedFile::open(&path).unwrap();
        assert!(file.block(0).is_ok() && file.block(1).is_err());
        assert!(file.block(1).unwrap_err().to_string().contains("is damaged in block 1"));
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn what_is_not_finished_is_not_left() {
        let path = path("dropped.epd");
        drop(SampleWriter::create(&path, Form::Epd).unwrap());
        assert!(!Path::new(&path).exists() && !Path::new(&format!("{path}.part")).exists());
        assert!(SampleWriter::create("/no/such/folder/x.epd", Form::Epd).is_err());
    }

    #[test]
    fn names_tell_forms() {
        assert_eq!(Form::of("a/b.EPD"), Some(Form::Epd));
        assert_eq!(Form::of("b.mqp.zst"), Some(Form::Packed));
        assert_eq!(Form::of("b.txt.xz"), Some(Form::Columns));
        assert_eq!((Form::of("b"), Form::of("b.gz"), Form::of("b.pgn")), (None, None, None));
        assert_eq!(with_suffix("a.b/set.epd.gz", "-train"), "a.b/set-train.epd.gz");
        assert_eq!(with_suffix("set", "-train"), "set-train");
        assert_eq!(with_suffix(".epd", "-train"), ".epd-train");
        assert_eq!(with_suffix("", "-train"), "-train");
    }
}
