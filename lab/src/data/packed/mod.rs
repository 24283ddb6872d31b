//! Packed positions: 40 bytes each, fast to read from anywhere in the file.
//!
//! A file is a head of 16 bytes, blocks of 4,096 records (the last one may have fewer), and an end:
//!
//! | part | form |
//! |---|---|
//! | head | the eight bytes `MQPOSNS` and 0x1a; the version of the format, 1, and the length of a record, 40, in two bytes each; four bytes 0 |
//! | block | the number of its records, four bytes; the CRC-32 of its records, four bytes; the records |
//! | end | four bytes 0; the CRC-32 of what follows, four bytes; the number of all records, eight bytes |
//!
//! | bytes of a record | what |
//! |---|---|
//! | 0–27 | the position, [`Position::pack`](chess::Position::pack); its move number is 0 where that is not known |
//! | 28–29 | the value in centipawns, White's view, signed, ±32,767 at most; −32,768 is none |
//! | 30–31 | White's points in ten thousandths |
//! | 32–33 | the move that was played or thought best, [`Move::bits`](chess::Move::bits); 0 is none |
//! | 34–39 | the number of the game |
//!
//! All numbers have their lowest byte first. Block `n` begins at byte 16 + n × 163,848: a file needs no index.

mod file;
mod record;
mod stream;
mod write;

pub use file::PackedFile;
pub(super) use stream::{Failure, PackedBlock, PackedStream};
use thiserror::Error;
pub use write::PackedWriter;

/// How a file begins: a name, and a byte that ends the output where such a file is printed by mistake.
const MAGIC: &[u8; 8] = b"MQPOSNS\x1a";
const VERSION: u16 = 1;
/// Bytes of the head.
const HEAD: usize = 16;
/// Bytes before a block's records.
const BLOCK_HEAD: usize = 8;
/// Bytes of the end.
const END: usize = 16;
/// Records of a block.
const RECORDS: usize = 4096;
/// Bytes of a record.
const RECORD: usize = 40;

/// What is wrong with a file of packed positions.
#[derive(Clone, Eq, PartialEq, Debug, Error)]
pub enum PackedFault {
    /// The beginning is damaged.
    #[error("is not a file of packed positions")]
    Head,
    /// Made by another program.
    #[error("is written in version {0} of its format; this program knows version {VERSION}")]
    Version(u16),
    /// A block's checksum does not fit.
    #[error("is damaged in block {0}; make it anew")]
    Block(u64),
    /// A record is no position.
    #[error("has a record that is no position in block {0}; make it anew")]
    Record(u64),
    /// The end is missing or does not fit.
    #[error("ends too early; make it anew")]
    Cut,
    /// A record is asked for that is not there.
    #[error("has no block {0}")]
    NoBlock(u64),
}

fn head() -> [u8; HEAD] {
    let mut head = [0; HEAD];
    head[..8].copy_from_slice(MAGIC);
    head[8..10].copy_from_slice(&VERSION.to_le_bytes());
    head[10..12].copy_from_slice(&(RECORD as u16).to_le_bytes());
    head
}

fn check_head(found: &[u8; HEAD]) -> Result<(), PackedFault> {
    let version = u16::from_le_bytes([found[8], found[9]]);
    if !is_packed(found) {
        Err(PackedFault::Head)
    } else if version != VERSION {
        Err(PackedFault::Version(version))
    } else if *found != head() {
        Err(PackedFault::Head)
    } else {
        Ok(())
    }
}

/// Whether bytes are the beginning of such a file.
pub(super) fn is_packed(start: &[u8]) -> bool {
    start.starts_with(MAGIC)
}

/// The two numbers of a block's head: of records, and the checksum.
fn block_head(bytes: [u8; BLOCK_HEAD]) -> (usize, u32) {
    let [a, b, c, d, checksum @ ..] = bytes;
    (u32::from_le_bytes([a, b, c, d]) as usize, u32::from_le_bytes(checksum))
}

/// How many records there are, by the end of the file.
fn end_count(end: &[u8; END]) -> Option<u64> {
    let (count, checksum) = block_head(*end.first_chunk()?);
    let all = end.last_chunk()?;
    (count == 0 && checksum == crc32fast::hash(all)).then(|| u64::from_le_bytes(*all))
}
