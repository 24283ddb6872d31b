//! How tables are read: once opened, from memory while there is room, else from the file.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use shakmaty_syzygy::filesystem::{Filesystem, OsFilesystem, RandomAccessFile, ReadHint};

/// Bytes of tables that are kept in memory, first come, first served: a probe is several times as fast there.
const ROOM: u64 = 64 << 20;

/// The tables' files.
pub(super) struct Storage {
    files: OsFilesystem,
    state: Mutex<State>,
}

struct State {
    /// Files that were opened. One that is opened again has failed before; its head is not read at every probe.
    opened: HashSet<PathBuf>,
    /// Bytes that may still be kept in memory.
    room: u64,
}

impl Storage {
    pub(super) fn new() -> Storage {
        Storage { files: OsFilesystem::new(), state: Mutex::new(State { opened: HashSet::new(), room: ROOM }) }
    }

    /// Whether a file of this size may be kept in memory; an error if it was opened before.
    fn admit(&self, path: &Path, size: u64) -> io::Result<bool> {
        let mut state = self.state.lock().expect("nobody panics while holding this lock");
        if !state.opened.insert(path.to_owned()) {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let fits = size <= state.room;
        if fits {
            state.room -= size;
        }
        Ok(fits)
    }
}

impl Filesystem for Storage {
    fn regular_file_size(&self, path: &Path) -> io::Result<u64> {
        self.files.regular_file_size(path)
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        self.files.read_dir(path)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
        let size = self.regular_file_size(path)?;
        if self.admit(path, size)? { Ok(Box::new(InMemory(std::fs::read(path)?))) } else { self.files.open(path) }
    }
}

struct InMemory(Vec<u8>);

impl RandomAccessFile for InMemory {
    fn read_at(&self, buffer: &mut [u8], offset: u64, _: ReadHint) -> io::Result<usize> {
        let rest = usize::try_from(offset).ok().and_then(|offset| self.0.get(offset..)).unwrap_or_default();
        let length = buffer.len().min(rest.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        Ok(length)
    }
}
