//! `genfens N seed S book FILE`: openings for training games, as OpenBench asks for them.

use super::Session;
use crate::openings::{Openings, PLIES, PLIES_AFTER_BOOK, Start, read_book};

impl Session {
    /// Says so many openings. Words after the book are for other engines.
    pub(super) fn genfens(&mut self, words: &[&str]) {
        self.finish_search();
        if let Err(why) = self.say_openings(words) {
            self.remark(&format!("genfens: {why}"));
        }
    }

    fn say_openings(&self, words: &[&str]) -> Result<(), String> {
        let wrong = || "write genfens N seed S book None, or a file of positions for None".to_owned();
        let [count, "seed", seed, rest @ ..] = words else { return Err(wrong()) };
        let (count, seed): (usize, u64) = count.parse().ok().zip(seed.parse().ok()).ok_or_else(wrong)?;
        let (start, plies) = match rest {
            ["book", book, ..] if !book.eq_ignore_ascii_case("none") => {
                (Start::Book(read_book(book).map_err(|error| error.to_string())?), PLIES_AFTER_BOOK)
            }
            _ if self.engine.settings.chess960 => (Start::DoubleChess960, PLIES),
            _ => (Start::Initial, PLIES),
        };
        let mut openings = Openings::new(start, plies, self.engine.weights.clone(), seed)
            .ok_or("there is no memory to search with")?;
        for _ in 0..count {
            let opening = openings.next().ok_or("there are no more openings")?;
            self.remark(&format!("genfens {opening}"));
        }
        Ok(())
    }
}
