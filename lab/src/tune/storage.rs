//! Where blocks are: in memory, or in a file that may be larger than memory.
//!
//! The file is written once, block by block, and read with positioned reads, several threads at once; the operating
//! system's cache keeps what fits. It ends with what is known of the rows, so that a later tuning of the same data begins at
//! once. Numbers are in the byte order of the machine that wrote it.

use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;
use std::path::Path;

use bytemuck::{cast_slice, cast_slice_mut};
use serde::{Deserialize, Serialize};

use super::block::Block;
use super::error::TuneError;
use crate::files::NewFile;

/// The first bytes; the number is the format's, and its bytes tell the machine's order.
const MAGIC: &[u8; 8] = b"mqrows\0\n";
const FORMAT: u64 = 2;

/// Blocks in memory or in a file.
pub(super) enum Storage {
    Memory(Vec<Block>),
    File(RowFile),
}

/// A file of blocks.
pub(super) struct RowFile {
    name: String,
    file: File,
    places: Vec<Place>,
    /// How many piles a row has.
    piles: usize,
}

/// Where a block is and how large.
#[derive(Copy, Clone, Debug, Serialize, Deserialize)]
struct Place {
    at: u64,
    rows: u32,
    units: u32,
    repeats: u16,
}

/// What stands at the end of the file.
#[derive(Serialize, Deserialize)]
struct Trailer<T> {
    identity: String,
    places: Vec<Place>,
    piles: usize,
    known: T,
}

impl Storage {
    /// How many rows a block has.
    pub(super) fn rows(&self, number: u32) -> usize {
        match self {
            Storage::Memory(blocks) => blocks[number as usize].len(),
            Storage::File(file) => file.places[number as usize].rows as usize,
        }
    }

    /// A block, read into a buffer if it is not in memory.
    pub(super) fn get<'a>(&'a self, number: u32, buffer: &'a mut Block) -> Result<&'a Block, TuneError> {
        match self {
            Storage::Memory(blocks) => Ok(&blocks[number as usize]),
            Storage::File(file) => {
                file.read(number, buffer).map_err(|error| TuneError::Unreadable(file.name.clone(), error))?;
                Ok(buffer)
            }
        }
    }
}

impl RowFile {
    fn read(&self, number: u32, block: &mut Block) -> std::io::Result<()> {
        let Place { mut at, rows, units, repeats } = self.places[number as usize];
        let rows = rows as usize;
        block.units.resize(units as usize, 0);
        block.chunks.resize(rows * self.piles, 0);
        block.phases.resize(rows, Default::default());
        block.results.resize(rows, 0.0);
        block.scores.resize(rows, 0);
        block.repeats = repeats;
        let fields: [&mut [u8]; 5] = [
            cast_slice_mut(&mut block.units),
            &mut block.chunks,
            cast_slice_mut(&mut block.phases),
            cast_slice_mut(&mut block.results),
            cast_slice_mut(&mut block.scores),
        ];
        for field in fields {
            self.file.read_exact_at(field, at)?;
            at += field.len() as u64;
        }
        Ok(())
    }

    /// Opens a file that was written for this identity; none if there is none or it is another's.
    pub(super) fn open<T: for<'a> Deserialize<'a>>(
        path: &Path,
        identity: &str,
    ) -> Result<Option<(RowFile, T)>, TuneError> {
        let Ok(mut file) = File::open(path) else { return Ok(None) };
        let Some(trailer) = read_trailer::<T>(&mut file) else { return Ok(None) };
        if trailer.identity != identity {
            return Ok(None);
        }
        let name = path.display().to_string();
        Ok(Some((RowFile { name, file, places: trailer.places, piles: trailer.piles }, trailer.known)))
    }
}

/// The end of a whole file of this format; none if it is not whole or something else.
fn read_trailer<T: for<'a> Deserialize<'a>>(file: &mut File) -> Option<Trailer<T>> {
    let mut head = [0; 16];
    file.read_exact(&mut head).ok()?;
    let (magic, format) = head.split_at(8);
    if magic != MAGIC || format != FORMAT.to_ne_bytes() {
        return None;
    }
    let mut end = [0; 8];
    let length = file.seek(SeekFrom::End(-8)).ok()?;
    file.read_exact(&mut end).ok()?;
    let start = u64::from_ne_bytes(end);
    if start < 16 || start > length {
        return None;
    }
    file.seek(SeekFrom::Start(start)).ok()?;
    let mut text = Vec::new();
    file.take(length - start).read_to_end(&mut text).ok()?;
    serde_json::from_slice(&text).ok()
}

/// A file of blocks that is being written.
pub(super) struct RowWriter {
    name: String,
    new: NewFile,
    file: BufWriter<File>,
    at: u64,
    places: Vec<Place>,
    piles: usize,
}

impl RowWriter {
    pub(super) fn create(path: &Path, piles: usize) -> Result<RowWriter, TuneError> {
        let (name, new) = (path.display().to_string(), NewFile::new(path));
        let failed = |error| TuneError::Unwritable(name.clone(), error);
        let options = File::options().read(true).write(true).create(true).truncate(true).open(new.name());
        let mut file = BufWriter::with_capacity(1 << 20, options.map_err(failed)?);
        file.write_all(MAGIC).and_then(|()| file.write_all(&FORMAT.to_ne_bytes())).map_err(failed)?;
        Ok(RowWriter { name, new, file, at: 16, places: Vec::new(), piles })
    }

    /// Adds a block; gives its number.
    pub(super) fn add(&mut self, block: &Block) -> Result<u32, TuneError> {
        let (rows, units) = (block.len() as u32, block.units.len() as u32);
        self.places.push(Place { at: self.at, rows, units, repeats: block.repeats });
        let fields: [&[u8]; 5] = [
            cast_slice(&block.units),
            &block.chunks,
            cast_slice(&block.phases),
            cast_slice(&block.results),
            cast_slice(&block.scores),
        ];
        for field in fields {
            self.file.write_all(field).map_err(|error| TuneError::Unwritable(self.name.clone(), error))?;
            self.at += field.len() as u64;
        }
        Ok(self.places.len() as u32 - 1)
    }

    /// Ends the file with what is known of its rows.
    pub(super) fn finish<T: Serialize>(self, identity: &str, known: &T) -> Result<RowFile, TuneError> {
        let RowWriter { name, mut new, mut file, at, places, piles } = self;
        let failed = |error| TuneError::Unwritable(name.clone(), error);
        let trailer = Trailer { identity: identity.to_owned(), places, piles, known };
        let text = serde_json::to_vec(&trailer).map_err(|error| failed(error.into()))?;
        file.write_all(&text).and_then(|()| file.write_all(&at.to_ne_bytes())).map_err(failed)?;
        let file = file.into_inner().map_err(|error| failed(error.into_error()))?;
        new.settle().map_err(failed)?;
        Ok(RowFile { name: name.clone(), file, places: trailer.places, piles })
    }
}
