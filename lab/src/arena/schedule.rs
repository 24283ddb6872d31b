//! Who plays whom, and in which order: pairs of games from one opening with colours exchanged, round after round.

use chess::{ByColor, Color};

/// Who meets whom.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub enum Format {
    /// Everybody meets everybody; with two engines, a match.
    #[default]
    RoundRobin,
    /// The first engine meets each of the others.
    Gauntlet,
}

/// All pairs of games of a contest, numbered from 0.
#[derive(Clone, Debug)]
pub struct Schedule {
    pairings: Vec<[usize; 2]>,
    rounds: usize,
}

/// Where a game stands in a contest.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub struct Place {
    /// The pair, from 0.
    pub pair: usize,
    /// Its first game or its second: 0 or 1.
    pub game: usize,
}

/// As people count: pair 3's first game is 3.1.
impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.pair + 1, self.game + 1)
    }
}

impl Schedule {
    /// The schedule of so many engines; in each round every pairing plays one pair of games from the same opening.
    pub fn new(format: Format, engines: usize, rounds: usize) -> Schedule {
        let firsts = match format {
            Format::RoundRobin => engines,
            Format::Gauntlet => engines.min(1),
        };
        let pairings = (0..firsts).flat_map(|a| (a + 1..engines).map(move |b| [a, b])).collect();
        Schedule { pairings, rounds }
    }

    /// Who meets whom.
    pub fn pairings(&self) -> &[[usize; 2]] {
        &self.pairings
    }

    /// How many pairs of games there are.
    pub fn pairs(&self) -> usize {
        self.pairings.len() * self.rounds
    }

    /// Which pairing plays a pair.
    pub fn pairing(&self, pair: usize) -> usize {
        pair % self.pairings.len()
    }

    /// In which round a pair is played, from 0: the number of its opening.
    pub fn round(&self, pair: usize) -> usize {
        pair / self.pairings.len()
    }

    /// Who sits where: the first of a pairing has White in the first game.
    pub fn seats(&self, place: Place) -> ByColor<usize> {
        let [a, b] = self.pairings[self.pairing(place.pair)];
        if place.game == 0 { ByColor { white: a, black: b } } else { ByColor { white: b, black: a } }
    }

    /// The colour of the first engine of the pairing.
    pub(super) fn color_of_first(place: Place) -> Color {
        if place.game == 0 { Color::White } else { Color::Black }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_meets_everybody_once_a_round() {
        let schedule = Schedule::new(Format::RoundRobin, 4, 3);
        assert_eq!(schedule.pairings(), [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
        assert_eq!(schedule.pairs(), 18);
        assert_eq!((schedule.pairing(7), schedule.round(7)), (1, 1));
        let games = [0, 1].map(|game| schedule.seats(Place { pair: 7, game }));
        assert_eq!(games, [ByColor { white: 0, black: 2 }, ByColor { white: 2, black: 0 }]);
    }

    #[test]
    fn in_a_gauntlet_the_first_meets_the_others() {
        let schedule = Schedule::new(Format::Gauntlet, 3, 2);
        assert_eq!(schedule.pairings(), [[0, 1], [0, 2]]);
        assert_eq!(schedule.pairs(), 4);
        assert_eq!(
            Schedule::new(Format::Gauntlet, 2, 5).pairings(),
            Schedule::new(Format::RoundRobin, 2, 5).pairings()
        );
    }
}
