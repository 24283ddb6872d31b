//! Where samples come from: a file of any known form, taken apart into batches that can be read beside each other.

use std::fs::File;
use std::io::{BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use memchr::memchr;

use super::blocks::{Block, Blocks, Kind, LONGEST};
use super::games::{Game, GameReader};
use super::line::{Line, LineError};
use super::packed::{self, Failure, PackedBlock, PackedStream};
use super::pgn;
use super::reader::{BadLine, DataError};
use super::sample::{Sample, game_of_file};
use super::unpack::{Counted, Stream, peeked, unpacked};

/// How many broken lines are remembered.
pub(super) const NAMED: usize = 5;
/// As many bytes as tell the form of a file.
const START: usize = 1 << 10;
/// Games of a part.
const GAMES: usize = 32;
/// As many bytes as are asked for at once.
const BUFFER: usize = 1 << 16;

/// An open file.
pub(super) struct Source {
    name: String,
    form: Form,
    /// Bytes of the file, and how many of them were read.
    size: u64,
    read: Arc<AtomicU64>,
    /// The file's place among several.
    place: u64,
}

enum Form {
    Text(Blocks, Kind),
    Games(GameReader<BufReader<Stream>>),
    Packed(PackedStream),
}

/// A part of a file, not yet read.
pub(super) struct Batch {
    name: String,
    content: Content,
    place: u64,
}

enum Content {
    Lines(Block),
    Pgn(Block),
    /// Games and the number of the first.
    Games(Vec<Game>, u64),
    Packed(PackedBlock),
}

/// What a part of a file held.
#[derive(Default)]
pub(super) struct Haul {
    pub(super) samples: Vec<Sample>,
    pub(super) bad_count: u64,
    pub(super) bad: Vec<BadLine>,
}

impl Source {
    pub(super) fn open(path: &str, place: u64) -> Result<Source, DataError> {
        let unreadable = |error| DataError::Unreadable(path.to_owned(), error);
        let file = File::open(path).map_err(unreadable)?;
        let metadata = file.metadata().map_err(unreadable)?;
        if metadata.is_dir() {
            return Err(unreadable(std::io::ErrorKind::IsADirectory.into()));
        }
        Source::new(file, metadata.len(), path, place)
    }

    /// Reads from anything of so many bytes; `name` is for errors.
    pub(super) fn new(
        input: impl Read + Send + 'static,
        size: u64,
        name: &str,
        place: u64,
    ) -> Result<Source, DataError> {
        let unreadable = |error| DataError::Unreadable(name.to_owned(), error);
        let read = Arc::new(AtomicU64::new(0));
        let counted: Stream = Box::new(Counted { input, bytes: read.clone() });
        let (start, input) = unpacked(counted).and_then(|input| peeked(input, START)).map_err(unreadable)?;
        let form = if packed::is_packed(&start) {
            Form::Packed(PackedStream::new(input).map_err(|failure| failed(failure, name))?)
        } else if GameReader::<&[u8]>::is_games(&start) {
            Form::Games(GameReader::new(BufReader::with_capacity(BUFFER, input), name)?)
        } else {
            let kind = if is_pgn(&start) { Kind::Pgn } else { Kind::Lines };
            Form::Text(Blocks::new(input, kind), kind)
        };
        Ok(Source { name: name.to_owned(), form, size, read, place })
    }

    /// Bytes of the file, as it is.
    pub(super) fn size(&self) -> u64 {
        self.size
    }

    /// How many of them were read so far.
    pub(super) fn bytes_read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    /// The next part; none at the end.
    pub(super) fn next(&mut self) -> Result<Option<Batch>, DataError> {
        let name = &self.name;
        let content = match &mut self.form {
            Form::Text(blocks, kind) => {
                let block = blocks.next().map_err(|error| DataError::Unreadable(name.clone(), error))?;
                block.map(|block| if *kind == Kind::Pgn { Content::Pgn(block) } else { Content::Lines(block) })
            }
            Form::Games(reader) => {
                let first = reader.games() + 1;
                let games: Vec<Game> = reader.take(GAMES).collect::<Result<_, _>>()?;
                (!games.is_empty()).then_some(Content::Games(games, first))
            }
            Form::Packed(stream) => stream.next().map_err(|failure| failed(failure, name))?.map(Content::Packed),
        };
        Ok(content.map(|content| Batch { name: name.clone(), content, place: self.place }))
    }
}

fn failed(failure: Failure, name: &str) -> DataError {
    match failure {
        Failure::Input(error) => DataError::Unreadable(name.to_owned(), error),
        Failure::Fault(fault) => DataError::PackedPositions(name.to_owned(), fault),
    }
}

/// Whether a text is PGN: no position begins with a bracket.
fn is_pgn(start: &[u8]) -> bool {
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    start.trim_ascii_start().first().is_some_and(|byte| matches!(byte, b'[' | b'%'))
}

impl Batch {
    /// Reads its samples.
    pub(super) fn read(self) -> Result<Haul, DataError> {
        let mut haul = Haul::default();
        match &self.content {
            Content::Lines(block) => haul.read_lines(block),
            Content::Pgn(block) => haul.read_pgn(block),
            Content::Games(games, first) => haul.read_games(games, *first),
            Content::Packed(block) => {
                haul.samples = block.samples().map_err(|fault| DataError::PackedPositions(self.name, fault))?;
            }
        }
        if self.place > 0 {
            for sample in &mut haul.samples {
                sample.game = game_of_file(sample.game, self.place);
            }
        }
        Ok(haul)
    }
}

impl Haul {
    /// Lines that do not name their game belong to the game of the line before if they may continue it; otherwise a game
    /// begins, and the number of its first line is its own.
    fn read_lines(&mut self, block: &Block) {
        let mut rest = block.text.as_slice();
        self.samples.reserve(rest.len() / 64);
        let mut was_named = true;
        for number in block.first.. {
            let end = memchr(b'\n', rest).unwrap_or(rest.len());
            let text = rest[..end].trim_ascii();
            if text.len() > LONGEST {
                self.complain(number, LineError::TooLong);
            } else if !text.is_empty() && text[0] != b'#' {
                match Line::read(text) {
                    Ok(Line { mut sample, has_game }) => {
                        if !has_game {
                            let earlier = self.samples.last().filter(|_| !was_named);
                            let earlier = earlier.filter(|earlier| sample.may_continue(earlier));
                            sample.game = earlier.map_or(number, |earlier| earlier.game);
                        }
                        was_named = has_game;
                        self.samples.push(sample);
                    }
                    Err(error) => self.complain(number, error),
                }
            }
            if end >= rest.len() {
                break;
            }
            rest = &rest[end + 1..];
        }
    }

    fn read_games(&mut self, games: &[Game], first: u64) {
        self.samples.reserve(games.iter().map(|game| game.plies().len()).sum());
        for (number, game) in (first..).zip(games) {
            self.samples.extend(game.positions().map(|step| Sample {
                position: step.position,
                result: game.points(),
                value: step.white_value(),
                game: number,
                ply: Some(Sample::ply_of(&step.position)),
                best: Some(step.mv),
            }));
        }
    }

    fn read_pgn(&mut self, block: &Block) {
        let Haul { samples, bad_count, bad } = self;
        let complain = |line, error: pgn::PgnError| {
            *bad_count += 1;
            if bad.len() < NAMED {
                bad.push(BadLine { line, error: error.into() });
            }
        };
        pgn::read(&block.text, block.first, |sample| samples.push(sample), complain);
    }

    fn complain(&mut self, line: u64, error: LineError) {
        self.bad_count += 1;
        if self.bad.len() < NAMED {
            self.bad.push(BadLine { line, error });
        }
    }
}
