//! Packed positions from a stream, which may come out of a packed file.

use std::io::{ErrorKind, Read};

use super::record::unpack;
use super::{BLOCK_HEAD, HEAD, PackedFault, RECORD, RECORDS, block_head, check_head};
use crate::data::sample::Sample;
use crate::data::unpack::Stream;

/// Why reading did not succeed.
pub(in crate::data) enum Failure {
    Input(std::io::Error),
    Fault(PackedFault),
}

/// The bytes of a block, and its number from 0.
pub(in crate::data) struct PackedBlock {
    records: Vec<u8>,
    checksum: u32,
    number: u64,
}

/// The blocks of a stream.
pub(in crate::data) struct PackedStream {
    input: Stream,
    blocks: u64,
    count: u64,
}

impl PackedStream {
    /// Reads the head.
    pub(in crate::data) fn new(mut input: Stream) -> Result<PackedStream, Failure> {
        let mut head = [0; HEAD];
        read(&mut input, &mut head)?;
        check_head(&head).map_err(Failure::Fault)?;
        Ok(PackedStream { input, blocks: 0, count: 0 })
    }

    /// The next block; none at the end.
    pub(in crate::data) fn next(&mut self) -> Result<Option<PackedBlock>, Failure> {
        let mut head = [0; BLOCK_HEAD];
        read(&mut self.input, &mut head)?;
        let (count, checksum) = block_head(head);
        if count == 0 {
            let mut all = [0; 8];
            read(&mut self.input, &mut all)?;
            let is_whole = checksum == crc32fast::hash(&all) && u64::from_le_bytes(all) == self.count;
            return if is_whole { Ok(None) } else { Err(Failure::Fault(PackedFault::Cut)) };
        }
        let number = self.blocks;
        if count > RECORDS {
            return Err(Failure::Fault(PackedFault::Block(number)));
        }
        let mut records = vec![0; count * RECORD];
        read(&mut self.input, &mut records)?;
        self.blocks += 1;
        self.count += count as u64;
        Ok(Some(PackedBlock { records, checksum, number }))
    }
}

impl PackedBlock {
    pub(super) fn new(records: Vec<u8>, checksum: u32, number: u64) -> PackedBlock {
        PackedBlock { records, checksum, number }
    }

    /// Its samples.
    pub(in crate::data) fn samples(&self) -> Result<Vec<Sample>, PackedFault> {
        if crc32fast::hash(&self.records) != self.checksum {
            return Err(PackedFault::Block(self.number));
        }
        let (records, _) = self.records.as_chunks::<RECORD>();
        records.iter().map(|record| unpack(record).ok_or(PackedFault::Record(self.number))).collect()
    }
}

fn read(input: &mut Stream, buffer: &mut [u8]) -> Result<(), Failure> {
    input.read_exact(buffer).map_err(|error| match error.kind() {
        ErrorKind::UnexpectedEof => Failure::Fault(PackedFault::Cut),
        _ => Failure::Input(error),
    })
}
