//! Writing packed positions, block by block, to anything.

use std::io::{Result, Write};

use super::record::pack;
use super::{RECORD, RECORDS, head};
use crate::data::sample::Sample;

/// Writes packed positions. Without [`PackedWriter::finish`] the file has no end, and readers say so.
pub struct PackedWriter<W: Write> {
    output: W,
    block: Vec<u8>,
    count: u64,
}

impl<W: Write> PackedWriter<W> {
    /// Begins a file.
    pub fn new(mut output: W) -> Result<PackedWriter<W>> {
        output.write_all(&head())?;
        Ok(PackedWriter { output, block: Vec::with_capacity(RECORDS * RECORD), count: 0 })
    }

    /// Adds a position.
    pub fn write(&mut self, sample: &Sample) -> Result<()> {
        self.block.extend(pack(sample));
        self.count += 1;
        if self.block.len() == RECORDS * RECORD { self.write_block() } else { Ok(()) }
    }

    fn write_block(&mut self) -> Result<()> {
        let records = (self.block.len() / RECORD) as u32;
        self.output.write_all(&records.to_le_bytes())?;
        self.output.write_all(&crc32fast::hash(&self.block).to_le_bytes())?;
        self.output.write_all(&self.block)?;
        self.block.clear();
        Ok(())
    }

    /// Ends the file and hands back what was written to.
    pub fn finish(mut self) -> Result<W> {
        if !self.block.is_empty() {
            self.write_block()?;
        }
        let count = self.count.to_le_bytes();
        self.output.write_all(&[0; 4])?;
        self.output.write_all(&crc32fast::hash(&count).to_le_bytes())?;
        self.output.write_all(&count)?;
        self.output.flush()?;
        Ok(self.output)
    }
}
