//! The book that comes with the program. `lab/books/README.md` tells how it was made.

use std::io::{BufReader, Cursor};

use chess::Position;
use engine::openings::read_positions;
use flate2::read::MultiGzDecoder;

/// EPD, packed with gzip.
pub(super) const PACKED: &[u8] = include_bytes!("../../../books/marquetry.epd.gz");

/// The openings of the book that comes with the program, in its own order.
pub fn default_book() -> Vec<Position> {
    let file = BufReader::new(MultiGzDecoder::new(Cursor::new(PACKED)));
    read_positions(file, "the built-in book").map(|position| position.expect("the built-in book is sound")).collect()
}
