//! Packed positions anywhere in a file, from several threads at once.

use std::fs::File;
use std::io::Error;
use std::os::unix::fs::FileExt;

use super::stream::PackedBlock;
use super::{BLOCK_HEAD, END, HEAD, PackedFault, RECORD, RECORDS, block_head, check_head, end_count};
use crate::data::DataError;
use crate::data::sample::Sample;

/// Bytes of a full block.
const BLOCK: u64 = (BLOCK_HEAD + RECORDS * RECORD) as u64;

/// A file of packed positions that is not packed otherwise. Blocks are read as they are asked for, in any order and from any
/// thread; what is read often stays in the operating system's memory.
pub struct PackedFile {
    name: String,
    file: File,
    count: u64,
}

impl PackedFile {
    /// Opens a file and looks at its head and end.
    pub fn open(path: &str) -> Result<PackedFile, DataError> {
        let unreadable = |error: Error| DataError::Unreadable(path.to_owned(), error);
        let fault = |fault: PackedFault| DataError::PackedPositions(path.to_owned(), fault);
        let file = File::open(path).map_err(unreadable)?;
        let length = file.metadata().map_err(unreadable)?.len();
        let mut head = [0; HEAD];
        if length < HEAD as u64 {
            return Err(fault(PackedFault::Head));
        }
        file.read_exact_at(&mut head, 0).map_err(unreadable)?;
        check_head(&head).map_err(fault)?;
        let mut end = [0; END];
        let end_at = length.checked_sub(END as u64).ok_or_else(|| fault(PackedFault::Cut))?;
        file.read_exact_at(&mut end, end_at).map_err(unreadable)?;
        let count = end_count(&end).filter(|&count| length_of(count) == Some(length));
        let count = count.ok_or_else(|| fault(PackedFault::Cut))?;
        Ok(PackedFile { name: path.to_owned(), file, count })
    }

    /// How many positions there are.
    pub fn positions(&self) -> u64 {
        self.count
    }

    /// How many blocks there are.
    pub fn blocks(&self) -> u64 {
        self.count.div_ceil(RECORDS as u64)
    }

    /// The positions of a block, 4,096 but for the last one.
    pub fn block(&self, number: u64) -> Result<Vec<Sample>, DataError> {
        let fault = |fault: PackedFault| DataError::PackedPositions(self.name.clone(), fault);
        let before = number.checked_mul(RECORDS as u64).filter(|before| *before < self.count);
        let count = (self.count - before.ok_or_else(|| fault(PackedFault::NoBlock(number)))?).min(RECORDS as u64);
        let mut bytes = vec![0; BLOCK_HEAD + count as usize * RECORD];
        let read = self.file.read_exact_at(&mut bytes, HEAD as u64 + number * BLOCK);
        read.map_err(|error| DataError::Unreadable(self.name.clone(), error))?;
        let records = bytes.split_off(BLOCK_HEAD);
        let (found, checksum) = bytes.first_chunk().map_or((0, 0), |head| block_head(*head));
        if found as u64 != count {
            return Err(fault(PackedFault::Block(number)));
        }
        PackedBlock::new(records, checksum, number).samples().map_err(fault)
    }
}

/// The length of a file of so many positions.
fn length_of(count: u64) -> Option<u64> {
    let heads = count.div_ceil(RECORDS as u64).checked_mul(BLOCK_HEAD as u64)?;
    count.checked_mul(RECORD as u64)?.checked_add(heads)?.checked_add((HEAD + END) as u64)
}
