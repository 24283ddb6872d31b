//! Which entries of a book are used, without keeping the others.

use std::collections::BTreeMap;

use chess::Position;

use super::{Book, BookError, BrokenGame, Entries};

/// How many broken games are remembered by name.
const NAMED: usize = 5;

/// Lets through what can be played and counts the rest.
#[derive(Default)]
pub(super) struct Sieve {
    finished: usize,
    broken: usize,
    broken_games: Vec<BrokenGame>,
}

impl Sieve {
    fn positions<'a>(&'a mut self, entries: Entries<'a>) -> impl Iterator<Item = Result<Position, BookError>> + 'a {
        entries.filter_map(|entry| match entry {
            Ok(Ok(position)) if position.outcome().is_none() => Some(Ok(position)),
            Ok(Ok(_)) => {
                self.finished += 1;
                None
            }
            Ok(Err(game)) => {
                self.broken += 1;
                if self.broken_games.len() < NAMED {
                    self.broken_games.push(game);
                }
                None
            }
            Err(error) => Some(Err(error)),
        })
    }

    /// The book of what was chosen, if there is anything.
    pub(super) fn book(self, positions: Vec<Position>, name: &str) -> Result<Book, BookError> {
        let Sieve { finished, broken, broken_games } = self;
        if !positions.is_empty() {
            return Ok(Book { positions, finished, broken, broken_games });
        }
        Err(match broken_games.into_iter().next() {
            Some(first) => BookError::Broken { path: name.to_owned(), first },
            None if finished > 0 => BookError::Finished(name.to_owned()),
            None => engine::openings::BookError::Empty(name.to_owned()).into(),
        })
    }
}

/// The entries from number `start` on, and after the last the first again, but none twice. `read` begins anew each time.
pub(super) fn in_order<'a>(
    read: &dyn Fn() -> Result<Entries<'a>, BookError>,
    start: usize,
    count: usize,
    sieve: &mut Sieve,
) -> Result<Vec<Position>, BookError> {
    let count = count.max(1);
    let (mut chosen, mut all) = (Vec::new(), 0);
    for position in sieve.positions(read()?) {
        let position = position?;
        if all >= start {
            chosen.push(position);
            if chosen.len() == count {
                return Ok(chosen);
            }
        }
        all += 1;
    }
    if all == 0 || start == 0 {
        return Ok(chosen);
    }
    // The file ended too early: its length is known now, and with it where the order begins and goes on
    let (start, count) = (start % all, count.min(all));
    let mut chosen = BTreeMap::new();
    for (number, position) in Sieve::default().positions(read()?).enumerate() {
        let place = (number + all - start) % all;
        if place < count {
            chosen.insert(place, position?);
        }
    }
    Ok(chosen.into_values().collect())
}

/// The entries in an order that the seed gives, from number `start` on, and after the last the first again, but none twice.
///
/// Every entry draws a number, and the smallest numbers are kept.
pub(super) fn shuffled(
    entries: Entries<'_>,
    seed: u64,
    start: usize,
    count: usize,
    sieve: &mut Sieve,
) -> Result<Vec<Position>, BookError> {
    let (count, mut random) = (count.max(1), fastrand::Rng::with_seed(seed));
    let wanted = count.saturating_add(start);
    let mut smallest = BTreeMap::new();
    for (number, position) in sieve.positions(entries).enumerate() {
        smallest.insert((random.u64(..), number), position?);
        if smallest.len() > wanted {
            smallest.pop_last();
        }
    }
    let mut chosen: Vec<Position> = smallest.into_values().collect();
    if !chosen.is_empty() {
        let first = start % chosen.len();
        chosen.rotate_left(first);
    }
    chosen.truncate(count);
    Ok(chosen)
}
