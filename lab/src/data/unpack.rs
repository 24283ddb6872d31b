//! Streams as they are: packed with gzip, zstd or xz, which their first bytes tell, or not packed. What is packed and
//! damaged ends in an error, never early.

use std::io::{BufReader, Cursor, Read, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::read::MultiGzDecoder;
use lzma_rust2::XzReader;

/// Bytes from somewhere.
pub(super) type Stream = Box<dyn Read + Send>;

const GZIP: &[u8] = &[0x1f, 0x8b];
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
const XZ: &[u8] = &[0xfd, b'7', b'z', b'X', b'Z', 0];
/// As many bytes as a decoder asks for at once.
const BUFFER: usize = 1 << 16;

/// What is packed, unpacked.
pub(super) fn unpacked(input: Stream) -> Result<Stream> {
    let (start, input) = peeked(input, XZ.len())?;
    let input = BufReader::with_capacity(BUFFER, input);
    Ok(if start.starts_with(GZIP) {
        Box::new(MultiGzDecoder::new(input))
    } else if start.starts_with(ZSTD) {
        Box::new(zstd::Decoder::with_buffer(input)?)
    } else if start.starts_with(XZ) {
        Box::new(XzReader::new(input, true))
    } else {
        Box::new(input)
    })
}

/// The first bytes of a stream, and the stream with them.
pub(super) fn peeked(mut input: Stream, length: usize) -> Result<(Vec<u8>, Stream)> {
    let mut start = Vec::with_capacity(length);
    (&mut input).take(length as u64).read_to_end(&mut start)?;
    Ok((start.clone(), Box::new(Cursor::new(start).chain(input))))
}

/// Counts what is read.
pub(super) struct Counted<R> {
    pub(super) input: R,
    pub(super) bytes: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let read = self.input.read(buffer)?;
        self.bytes.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;
    use lzma_rust2::{XzOptions, XzWriter};

    use super::*;

    /// The same bytes packed in each way.
    pub(in crate::data) fn packed(bytes: &[u8]) -> [Vec<u8>; 3] {
        let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
        gzip.write_all(bytes).unwrap();
        let mut zstd = zstd::Encoder::new(Vec::new(), 1).unwrap();
        zstd.include_checksum(true).unwrap();
        zstd.write_all(bytes).unwrap();
        let mut xz = XzWriter::new(Vec::new(), XzOptions::with_preset(1)).unwrap();
        xz.write_all(bytes).unwrap();
        [gzip.finish().unwrap(), zstd.finish().unwrap(), xz.finish().unwrap()]
    }

    fn read(bytes: &[u8]) -> Result<Vec<u8>> {
        let mut read = Vec::new();
        unpacked(Box::new(Cursor::new(bytes.to_vec())))?.read_to_end(&mut read)?;
        Ok(read)
    }

    fn text() -> Vec<u8> {
        (0..3000).flat_map(|number| format!("line {number} of many\n").into_bytes()).collect()
    }

    #[test]
    fn what_is_packed_is_unpacked_in_one_part_or_several() {
        let text = text();
        assert_eq!(read(&text).unwrap(), text);
        assert_eq!(read(b"").unwrap(), b"");
        for (whole, (first, second)) in
            packed(&text).into_iter().zip(packed(&text[..999]).into_iter().zip(packed(&text[999..])))
        {
            assert!(whole.len() < text.len());
            assert_eq!(read(&whole).unwrap(), text);
            assert_eq!(read(&[first, second].concat()).unwrap(), text);
        }
    }

    #[test]
    fn whatever_is_damaged_or_cut_is_an_error() {
        let text = text();
        for whole in packed(&text) {
            for cut in [1, 2, 5, 8, 9, 100, whole.len() / 2] {
                assert!(read(&whole[..whole.len() - cut]).is_err(), "{:?} cut by {cut}", &whole[..2]);
            }
            for place in [whole.len() / 3, whole.len() / 2, whole.len() - 30] {
                let mut damaged = whole.clone();
                damaged[place] ^= 4;
                assert!(read(&damaged).is_err(), "{:?} at {place}", &whole[..2]);
            }
        }
    }
}
