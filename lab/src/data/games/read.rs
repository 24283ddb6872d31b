//! Games from a file or any other stream, one after the other.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use super::decode::decode;
use super::{CHECKSUM, FileFault, Game, LONGEST, MAGIC, VERSION};
use crate::data::DataError;

/// Reads games one by one and checks them: checksum, bytes, and each move. The first error ends it.
pub struct GameReader<R> {
    name: String,
    input: R,
    manifest: serde_json::Value,
    buffer: Vec<u8>,
    games: u64,
    /// Bytes up to the end of the last whole game.
    whole: u64,
    is_over: bool,
}

/// Why reading did not succeed.
enum Failure {
    Input(std::io::Error),
    /// The stream ended within something.
    Cut,
    Fault(FileFault),
}

impl GameReader<BufReader<File>> {
    /// Opens a file that is not packed.
    pub fn open(path: &Path) -> Result<GameReader<BufReader<File>>, DataError> {
        let name = path.display().to_string();
        match File::open(path) {
            Ok(file) => GameReader::new(BufReader::with_capacity(1 << 16, file), &name),
            Err(error) => Err(DataError::Unreadable(name, error)),
        }
    }
}

impl<R: BufRead> GameReader<R> {
    /// Reads the head of a stream, unpacked already; `name` is for errors.
    pub fn new(input: R, name: &str) -> Result<GameReader<R>, DataError> {
        let mut reader = GameReader {
            name: name.to_owned(),
            input,
            manifest: serde_json::Value::Null,
            buffer: Vec::new(),
            games: 0,
            whole: 0,
            is_over: false,
        };
        match reader.read_head() {
            Ok(manifest) => {
                reader.manifest = manifest;
                Ok(reader)
            }
            Err(Failure::Cut) => Err(reader.error(Failure::Fault(FileFault::Head))),
            Err(failure) => Err(reader.error(failure)),
        }
    }

    /// Whether bytes are the beginning of a file of games.
    pub fn is_games(start: &[u8]) -> bool {
        start.starts_with(MAGIC)
    }

    /// How the games were made.
    pub fn manifest(&self) -> &serde_json::Value {
        &self.manifest
    }

    /// How many games were read so far.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// How many bytes they take, with the head.
    pub fn whole_bytes(&self) -> u64 {
        self.whole
    }

    fn read_head(&mut self) -> Result<serde_json::Value, Failure> {
        self.buffer.clear();
        if self.read(MAGIC.len()).is_err() || self.buffer != MAGIC {
            return Err(Failure::Fault(FileFault::NotGames));
        }
        let version = self.read_byte()?;
        if version != VERSION {
            return Err(Failure::Fault(FileFault::Version(version)));
        }
        let length = self.read_length()?.ok_or(Failure::Fault(FileFault::Head))?;
        let start = self.buffer.len();
        self.read(length)?;
        if !self.fits_checksum()? {
            return Err(Failure::Fault(FileFault::Head));
        }
        self.whole += (self.buffer.len() + CHECKSUM) as u64;
        serde_json::from_slice(&self.buffer[start..]).map_err(|_| Failure::Fault(FileFault::Head))
    }

    /// The next game; none at the end.
    fn read_game(&mut self) -> Result<Option<Game>, Failure> {
        let number = self.games + 1;
        let at_end = loop {
            match self.input.fill_buf() {
                Ok(rest) => break rest.is_empty(),
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => (),
                Err(error) => return Err(Failure::Input(error)),
            }
        };
        if at_end {
            return Ok(None);
        }
        self.buffer.clear();
        let length = self.read_length()?.ok_or(Failure::Fault(FileFault::Damaged(number)))?;
        let start = self.buffer.len();
        self.read(length)?;
        if !self.fits_checksum()? {
            return Err(Failure::Fault(FileFault::Damaged(number)));
        }
        let game = decode(&self.buffer[start..]).map_err(|fault| Failure::Fault(FileFault::Game(number, fault)))?;
        self.games = number;
        self.whole += (self.buffer.len() + CHECKSUM) as u64;
        Ok(Some(game))
    }

    /// A length of something; none if nothing is so long.
    fn read_length(&mut self) -> Result<Option<usize>, Failure> {
        let mut length = 0;
        for shift in [0, 7, 14] {
            let byte = self.read_byte()?;
            length |= usize::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok((length <= LONGEST).then_some(length));
            }
        }
        Ok(None)
    }

    fn read_byte(&mut self) -> Result<u8, Failure> {
        self.read(1)?;
        Ok(self.buffer[self.buffer.len() - 1])
    }

    /// So many bytes more into the buffer.
    fn read(&mut self, length: usize) -> Result<(), Failure> {
        let read = (&mut self.input).take(length as u64).read_to_end(&mut self.buffer);
        match read {
            Ok(read) if read == length => Ok(()),
            Ok(_) => Err(Failure::Cut),
            Err(error) => Err(Failure::Input(error)),
        }
    }

    /// Whether the checksum that follows is that of the buffer.
    fn fits_checksum(&mut self) -> Result<bool, Failure> {
        let mut checksum = [0; CHECKSUM];
        self.input.read_exact(&mut checksum).map_err(|error| match error.kind() {
            std::io::ErrorKind::UnexpectedEof => Failure::Cut,
            _ => Failure::Input(error),
        })?;
        Ok(u32::from_le_bytes(checksum) == crc32fast::hash(&self.buffer))
    }

    fn error(&self, failure: Failure) -> DataError {
        let name = self.name.clone();
        match failure {
            Failure::Input(error) => DataError::Unreadable(name, error),
            Failure::Cut => DataError::Games(name, FileFault::Torn(self.games + 1)),
            Failure::Fault(fault) => DataError::Games(name, fault),
        }
    }
}

impl<R: BufRead> Iterator for GameReader<R> {
    type Item = Result<Game, DataError>;

    fn next(&mut self) -> Option<Result<Game, DataError>> {
        if self.is_over {
            return None;
        }
        let game = self.read_game().map_err(|failure| self.error(failure)).transpose();
        self.is_over = !matches!(game, Some(Ok(_)));
        game
    }
}
