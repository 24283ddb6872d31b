//! Games to a file, which only grows.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufReader, Seek, SeekFrom, Write};
use std::path::Path;

use super::encode::encode;
use super::{FileFault, Game, GameReader, LONGEST, MAGIC, VERSION};
use crate::data::DataError;
use crate::varint::put;

/// More than this behind the last whole game is not the trace of a kill.
const TORN: u64 = 2 * LONGEST as u64;

/// So many bytes are handed over at once.
const BUFFER: usize = 1 << 16;

/// Writes games behind each other. While it lives nobody else can write to the file.
pub struct GameWriter {
    name: String,
    file: File,
    /// Games that were not handed to the operating system yet.
    buffer: Vec<u8>,
    /// Bytes of the file without them.
    bytes: u64,
}

/// What was found in a file that is written on.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Appended {
    /// How the games were made.
    pub manifest: serde_json::Value,
    /// Whole games.
    pub games: u64,
    /// Bytes of a game that was half written; they were cut off.
    pub cut: u64,
}

impl GameWriter {
    /// Makes a file with a manifest and no games; there must be none of that name. The head is there as a whole or not
    /// at all.
    pub fn create(path: &Path, manifest: &serde_json::Value) -> Result<GameWriter, DataError> {
        let name = path.display().to_string();
        if path.exists() {
            return Err(DataError::Exists(name));
        }
        let head = head(manifest);
        if head.len() > LONGEST {
            return Err(DataError::Unwritable(name, std::io::Error::other("its manifest is too long")));
        }
        let mut draft = path.as_os_str().to_owned();
        draft.push(".new");
        let write = || {
            let mut file = File::create(&draft)?;
            file.write_all(&head)?;
            file.sync_all()?;
            std::fs::rename(&draft, path)?;
            Ok(file)
        };
        match write() {
            Ok(file) => GameWriter::locked(name, file, head.len() as u64),
            Err(error) => {
                let _ = std::fs::remove_file(&draft);
                Err(DataError::Unwritable(name, error))
            }
        }
    }

    /// Opens a file to write on, shows all games that it has, and cuts off what a kill left of one more.
    pub fn append(path: &Path, see: &mut dyn FnMut(&Game)) -> Result<(GameWriter, Appended), DataError> {
        let name = path.display().to_string();
        let opened = OpenOptions::new().read(true).write(true).open(path);
        let file = opened.map_err(|error| DataError::Unwritable(name.clone(), error))?;
        let mut writer = GameWriter::locked(name.clone(), file, 0)?;
        let mut reader = GameReader::new(BufReader::with_capacity(1 << 16, &writer.file), &name)?;
        let mut fault = None;
        for game in reader.by_ref() {
            match game {
                Ok(game) => see(&game),
                Err(DataError::Games(_, found @ (FileFault::Torn(_) | FileFault::Damaged(_)))) => fault = Some(found),
                Err(error) => return Err(error),
            }
        }
        let (games, whole, manifest) = (reader.games(), reader.whole_bytes(), reader.manifest().clone());
        let unwritable = |error| DataError::Unwritable(name.clone(), error);
        let cut = writer.file.metadata().map_err(unwritable)?.len().saturating_sub(whole);
        if let Some(fault) = fault.filter(|_| cut > TORN) {
            return Err(DataError::Games(name, fault));
        }
        writer.bytes = whole;
        writer.file.set_len(whole).map_err(unwritable)?;
        writer.file.seek(SeekFrom::Start(whole)).map_err(unwritable)?;
        Ok((writer, Appended { manifest, games, cut }))
    }

    fn locked(name: String, file: File, bytes: u64) -> Result<GameWriter, DataError> {
        match file.try_lock() {
            Ok(()) => Ok(GameWriter { name, file, buffer: Vec::new(), bytes }),
            Err(TryLockError::WouldBlock) => Err(DataError::Busy(name)),
            Err(TryLockError::Error(error)) => Err(DataError::Unwritable(name, error)),
        }
    }

    /// Writes a game. It may stay in memory until [`flush`](Self::flush).
    pub fn write(&mut self, game: &Game) -> Result<(), DataError> {
        encode(game, &mut self.buffer);
        if self.buffer.len() >= BUFFER { self.flush() } else { Ok(()) }
    }

    /// Hands everything to the operating system: from now on the process may be killed. What cannot be written as a whole,
    /// because the disk is full, is taken back.
    pub fn flush(&mut self) -> Result<(), DataError> {
        let written = self.file.write_all(&self.buffer);
        let length = self.buffer.len() as u64;
        self.buffer.clear();
        if let Err(error) = written {
            // Otherwise half a game stays, which readers notice and the next writer cuts off
            let _ = self.file.set_len(self.bytes);
            let _ = self.file.seek(SeekFrom::Start(self.bytes));
            return Err(self.failed(error));
        }
        self.bytes += length;
        Ok(())
    }

    /// Brings everything to the disk: from now on the machine may lose its power.
    pub fn sync(&mut self) -> Result<(), DataError> {
        self.flush()?;
        self.file.sync_data().map_err(|error| self.failed(error))
    }

    /// How many bytes the file has with all that was written.
    pub fn bytes(&self) -> u64 {
        self.bytes + self.buffer.len() as u64
    }

    fn failed(&self, error: std::io::Error) -> DataError {
        DataError::Unwritable(self.name.clone(), error)
    }
}

impl Drop for GameWriter {
    /// Whoever wants to know whether it succeeds flushes before.
    fn drop(&mut self) {
        let _ = self.flush();
    }
}

fn head(manifest: &serde_json::Value) -> Vec<u8> {
    let manifest = manifest.to_string();
    let mut bytes = MAGIC.to_vec();
    bytes.push(VERSION);
    put(&mut bytes, manifest.len() as u64);
    bytes.extend(manifest.as_bytes());
    let checksum = crc32fast::hash(&bytes);
    bytes.extend(checksum.to_le_bytes());
    bytes
}
