//! Games sorted by who met whom.

use std::collections::BTreeMap;

use super::draws::{draw_parameter, game_variance};
use super::fit::Fit;
use super::groups::Groups;
use super::scatter::{PairSums, Scatter, pair_variances};
use super::{RatingsError, Tournament};

/// So many level games keep a rating finite where all points went one way.
const LEVEL_GAMES: f64 = 1.5;

/// Games of two players with one distribution of colours, from the first player's view.
#[derive(Copy, Clone, Default)]
pub(super) struct Side {
    /// How many, with those of the prior.
    pub(super) games: f64,
    /// The first player's points, with those of the prior.
    pub(super) points: f64,
}

/// Everything between two players.
pub(super) struct Meeting {
    pub(super) first: usize,
    pub(super) second: usize,
    /// First the games where the first player has White.
    pub(super) sides: [Side; 2],
    /// Of these, games that were not played.
    pub(super) prior: f64,
    draws: u64,
    pairs: [u64; 5],
}

/// What White's advantage adds to the first player's difference on each side.
pub(super) const SIGNS: [f64; 2] = [1.0, -1.0];

impl Meeting {
    /// How many games were played, and the first player's points in them.
    pub(super) fn made(&self) -> (f64, f64) {
        let games: f64 = self.sides.iter().map(|side| side.games).sum();
        let points: f64 = self.sides.iter().map(|side| side.points).sum();
        (games - self.prior, points - self.prior / 2.0)
    }
}

/// Everything that was played, each two players once.
pub(super) struct Meetings {
    meetings: Vec<Meeting>,
    pub(super) players: usize,
}

impl Meetings {
    pub(super) fn of(tournament: &Tournament) -> Result<Meetings, RatingsError> {
        let mut known: BTreeMap<(usize, usize), Meeting> = BTreeMap::new();
        let fresh = |(first, second)| Meeting {
            first,
            second,
            sides: [Side::default(); 2],
            prior: 0.0,
            draws: 0,
            pairs: [0; 5],
        };
        for games in &tournament.games {
            let (side, key) = if games.white < games.black {
                (0, (games.white, games.black))
            } else {
                (1, (games.black, games.white))
            };
            let meeting = known.entry(key).or_insert_with(|| fresh(key));
            let first_wins = if side == 0 { games.white_wins } else { games.black_wins };
            meeting.sides[side].games += games.white_wins as f64 + games.draws as f64 + games.black_wins as f64;
            meeting.sides[side].points += first_wins as f64 + games.draws as f64 / 2.0;
            meeting.draws += games.draws;
        }
        for pairs in &tournament.pairs {
            let (key, counts) = if pairs.first < pairs.second {
                ((pairs.first, pairs.second), pairs.counts)
            } else {
                let [a, b, c, d, e] = pairs.counts;
                ((pairs.second, pairs.first), [e, d, c, b, a])
            };
            let meeting = known.entry(key).or_insert_with(|| fresh(key));
            meeting.pairs.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        for Meeting { first, second, sides, pairs, .. } in known.values() {
            let (pairs, games) = (pairs.iter().sum::<u64>(), sides[0].games.min(sides[1].games) as u64);
            if pairs > games {
                return Err(RatingsError::TooManyPairs { first: *first, second: *second, pairs, games });
            }
        }
        let meetings = known.into_values().filter(|meeting| meeting.made().0 > 0.0).collect();
        Ok(Meetings { meetings, players: tournament.players })
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Meeting> {
        self.meetings.iter()
    }

    /// Adds level games, half with each colour, where all points went one way, so that every rating is finite: no more
    /// than [`LEVEL_GAMES`] for the side that played less across the gap.
    pub(super) fn add_prior(&mut self, groups: &Groups) {
        let mut across: BTreeMap<usize, f64> = BTreeMap::new();
        for meeting in self.meetings.iter().filter(|meeting| is_one_way(meeting, groups)) {
            for player in [meeting.first, meeting.second] {
                *across.entry(groups.strong_of(player)).or_default() += meeting.made().0;
            }
        }
        for meeting in self.meetings.iter_mut().filter(|meeting| is_one_way(meeting, groups)) {
            let total = |player: usize| across[&groups.strong_of(player)];
            let share = meeting.made().0 / total(meeting.first).min(total(meeting.second));
            meeting.prior = LEVEL_GAMES * share;
            for side in &mut meeting.sides {
                side.games += meeting.prior / 2.0;
                side.points += meeting.prior / 4.0;
            }
        }
    }

    /// A player's games and points.
    pub(super) fn made_by(&self, player: usize) -> (u64, f64) {
        let made = |meeting: &Meeting| {
            let (games, points) = meeting.made();
            match player {
                player if player == meeting.first => (games, points),
                player if player == meeting.second => (games, games - points),
                _ => (0.0, 0.0),
            }
        };
        let (games, points) = self.iter().map(made).fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        // Whole and half points, however the prior's parts were rounded
        (games.round() as u64, (2.0 * points).round() / 2.0)
    }

    /// Davidson's ν.
    pub(super) fn draw_parameter(&self, fit: &Fit) -> f64 {
        let games = self.iter().flat_map(|meeting| {
            let scores = fit.scores(meeting);
            [0, 1].map(|side| (scores[side], meeting.sides[side].games - meeting.prior / 2.0))
        });
        draw_parameter(&games.collect::<Vec<_>>(), self.iter().map(|meeting| meeting.draws as f64).sum())
    }

    /// How much the points of each meeting scatter.
    pub(super) fn scatter(&self, fit: &Fit, nu: f64) -> Vec<Scatter> {
        let game_variances: Vec<[f64; 2]> =
            self.iter().map(|meeting| fit.scores(meeting).map(|score| game_variance(score, nu))).collect();
        let sums = self.iter().zip(&game_variances);
        let sums: Vec<PairSums> = sums.map(|(meeting, [a, b])| PairSums::of(&meeting.pairs, a + b)).collect();
        let meetings = self.iter().zip(&game_variances).zip(sums.iter().zip(pair_variances(&sums)));
        meetings
            .map(|((meeting, game_variances), (sums, variance))| {
                Scatter::new(meeting.sides.map(|side| side.games), *game_variances, sums.pairs, variance)
            })
            .collect()
    }
}

/// Whether all points went one way, between players whom no other way leads back.
fn is_one_way(meeting: &Meeting, groups: &Groups) -> bool {
    groups.strong_of(meeting.first) != groups.strong_of(meeting.second)
}
