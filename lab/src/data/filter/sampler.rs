//! At most so many samples of a game, spread over it: neighbours in a game say nearly the same.

use std::collections::HashMap;

use crate::data::sample::{Sample, mix};

/// Chooses at most so many samples of each game.
///
/// Samples of one game that come one after the other are cut into as many equal stretches as may be kept, and of each one is
/// chosen, by the seed and the game's number. Where a game comes back later, as in files that were shuffled, what it gave
/// before counts; to know that takes some 20 bytes a game.
pub struct Sampler {
    most: usize,
    seed: u64,
    held: Vec<Sample>,
    taken: HashMap<u64, usize>,
    dropped: u64,
}

impl Sampler {
    /// So many of a game at most.
    pub fn new(most: usize, seed: u64) -> Sampler {
        Sampler { most, seed, held: Vec::new(), taken: HashMap::new(), dropped: 0 }
    }

    /// Takes the next sample; what is chosen of the game before goes to `out`.
    pub fn push(&mut self, sample: Sample, out: &mut impl FnMut(Sample)) {
        if self.held.last().is_some_and(|held| held.game != sample.game) {
            self.flush(out);
        }
        self.held.push(sample);
    }

    /// Hands over what is chosen of the last game.
    pub fn flush(&mut self, out: &mut impl FnMut(Sample)) {
        let Some(game) = self.held.first().map(|sample| sample.game) else { return };
        let taken = self.taken.entry(game).or_default();
        let (most, count) = ((self.most - *taken).min(self.held.len()), self.held.len());
        let mut random = fastrand::Rng::with_seed(mix(self.seed ^ mix(game)).wrapping_add(*taken as u64));
        *taken += most;
        self.dropped += (count - most) as u64;
        let mut chosen =
            (0..most).map(|stretch| random.usize(stretch * count / most..(stretch + 1) * count / most)).peekable();
        for (place, sample) in self.held.drain(..).enumerate() {
            if chosen.next_if_eq(&place).is_some() {
                out(sample);
            }
        }
    }

    /// How many were not chosen.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(game: u64, value: i32) -> Sample {
        Sample { game, value: Some(value), ..Sample::new(chess::Position::initial(), 0.5) }
    }

    fn chosen(most: usize, seed: u64, samples: impl Iterator<Item = Sample>) -> (Vec<(u64, i32)>, u64) {
        let (mut sampler, mut out) = (Sampler::new(most, seed), Vec::new());
        let mut take = |sample: Sample| out.push((sample.game, sample.value.unwrap()));
        samples.for_each(|sample| sampler.push(sample, &mut take));
        sampler.flush(&mut take);
        (out, sampler.dropped())
    }

    #[test]
    fn a_game_gives_at_most_so_many_spread_over_it() {
        let games = || (0..100).flat_map(|game| (0..80).map(move |ply| sample(game, ply)));
        let (out, dropped) = chosen(8, 1, games());
        assert_eq!((out.len(), dropped), (800, 7200));
        for (place, &(game, ply)) in out.iter().enumerate() {
            assert_eq!(game, place as u64 / 8);
            assert_eq!(ply / 10, place as i32 % 8, "one of every tenth");
        }
        assert_eq!(chosen(8, 1, games()), chosen(8, 1, games()));
        assert_ne!(chosen(8, 1, games()), chosen(8, 2, games()));
        let (first, others) = (out[0].1, out.iter().step_by(8));
        assert!(others.filter(|(_, ply)| *ply == first).count() < 40, "games differ");
    }

    #[test]
    fn short_games_are_kept_whole() {
        assert_eq!(chosen(8, 1, (0..3).map(|ply| sample(7, ply))), (vec![(7, 0), (7, 1), (7, 2)], 0));
        assert_eq!(chosen(8, 1, std::iter::empty()), (vec![], 0));
    }

    #[test]
    fn a_game_that_comes_back_gives_no_more() {
        let (out, dropped) = chosen(3, 1, (0..40).map(|number| sample(number % 4, number as i32)));
        assert_eq!((out.len(), dropped), (12, 28));
        assert!((0..4).all(|game| out.iter().filter(|(of, _)| *of == game).count() == 3));
    }
}
