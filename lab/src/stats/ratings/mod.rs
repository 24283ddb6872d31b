//! Ratings of any number of players from all their games at once.
//!
//! The model: the player with White scores 1/(1 + 10^(−d/400)) on average, d being the players' difference plus an
//! advantage of White. Ratings and advantage are those of maximum likelihood with a draw as half a win and half a loss, as
//! Ordo has it, so that every player's expected points are the points that were made, whoever draws how often; and with
//! two players it is the usual Elo of a score. Rao and Kupper's and Davidson's own scales give other differences to the
//! same score once there are draws.
//!
//! Draws follow Davidson, D² = ν²·W·L with one ν for all, within the given averages: it is the model in which points and
//! the number of draws say all there is. ν is what makes as many draws likely as there were; it does not move ratings,
//! but says how much games scatter.
//!
//! Errors are those of the information in the games (the likelihood's curvature), corrected for how much the points truly
//! scatter: less than wins and losses alone, because of draws, and more or less again where the two games of a pair depend
//! on each other, as far as results of pairs are given.
//!
//! Priors, all of them weak: White's advantage has a standard deviation of 100 Elo about zero. Where a player or a group
//! made all or none of the points against all others, one and a half level games are added, spread over these pairings;
//! everybody on the far side is marked as not bounded. Ratings of players who are bounded rest on no prior of theirs.

mod draws;
mod fit;
mod groups;
mod meetings;
mod misfit;
mod scatter;

use thiserror::Error;

use super::elo::{Z95, normal};
use fit::Fit;
use groups::Groups;
use meetings::Meetings;
pub use misfit::{Misfit, PairingFit};

pub(super) use draws::{draw_parameter, game_variance};
pub(super) use misfit::{chi_square, standardized};
pub(super) use scatter::{PairSums, pair_variances};

/// What one logit is in Elo.
pub(crate) const ELO_PER_LOGIT: f64 = 400.0 / std::f64::consts::LN_10;

/// Games of one player with White against another with Black.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub struct Games {
    /// The player with White, by index.
    pub white: usize,
    /// The player with Black, by index.
    pub black: usize,
    /// Won by White.
    pub white_wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Won by Black.
    pub black_wins: u64,
}

/// Pairs of games between two players, the same opening with colours exchanged. The games are counted among [`Games`] too.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct Pairs {
    /// One player, by index.
    pub first: usize,
    /// The other, by index.
    pub second: usize,
    /// How many pairs brought the first player 0, ½, 1, 1½ and 2 points.
    pub counts: [u64; 5],
}

/// What ratings are measured from, since games tell only differences.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
pub enum Anchor {
    /// The players' average is 0.
    #[default]
    MeanZero,
    /// One player's rating is given.
    Player {
        /// The player, by index.
        index: usize,
        /// The rating.
        elo: f64,
    },
}

/// All that was played.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Tournament {
    /// How many players there are; they are called by their index from 0.
    pub players: usize,
    /// All games; several entries for the same players are added.
    pub games: Vec<Games>,
    /// Which of these games were pairs, as far as it is known.
    pub pairs: Vec<Pairs>,
    /// What ratings are measured from.
    pub anchor: Anchor,
    /// White's advantage in Elo if it is known; otherwise it is found.
    pub white_advantage: Option<f64>,
}

/// Why there are no ratings.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum RatingsError {
    /// An index without a player.
    #[error("player {index} is named, but the {players} players have the numbers from 0")]
    NoSuchPlayer {
        /// The index.
        index: usize,
        /// How many players there are.
        players: usize,
    },
    /// Somebody plays alone.
    #[error("player {0} has games against itself")]
    AgainstItself(usize),
    /// Pairs that are not among the games.
    #[error("players {first} and {second} have {pairs} pairs, but only {games} games with each colour")]
    TooManyPairs {
        /// One player.
        first: usize,
        /// The other.
        second: usize,
        /// How many pairs are given.
        pairs: u64,
        /// How many games there are with the rarer colour.
        games: u64,
    },
    /// A rating or an advantage to start from that is no number.
    #[error("the given {0} must be a finite number")]
    NotFinite(&'static str),
}

/// What is known of one player.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Rating {
    /// The rating. Players who are not connected are placed as if their group were as strong on average as the connected
    /// players.
    pub elo: f64,
    /// Half the width of its 95 % interval, relative to the anchor (which itself has none); nothing if not connected.
    pub error: Option<f64>,
    /// How many games.
    pub games: u64,
    /// How many points.
    pub points: f64,
    /// Players with the same number can be compared: games lead from one to the other.
    pub group: usize,
    /// Whether games lead to the anchor; without an anchor, to the largest group.
    pub is_connected: bool,
    /// Whether the games alone bound the rating. If not, all points go one way between this player (or some with it) and
    /// the anchor's side, and a weak prior keeps the rating finite.
    pub is_bounded: bool,
}

/// The ratings of a tournament.
#[derive(Clone, PartialEq, Debug)]
pub struct Ratings {
    /// The players, by index.
    pub players: Vec<Rating>,
    /// What White is worth, in Elo.
    pub white_advantage: f64,
    /// Half the width of its 95 % interval; 0 if it was given.
    pub white_advantage_error: f64,
    /// Davidson's ν.
    pub draw_parameter: f64,
    /// Of the games between equals, the share that is drawn: ν/(ν + 2).
    pub draw_ratio: f64,
    /// Expected and actual points of each two players who met.
    pub pairings: Vec<PairingFit>,
    /// Whether one number for each player explains the results.
    pub misfit: Misfit,
    /// Covariance of ratings, in Elo².
    covariance: Vec<Vec<f64>>,
}

impl Ratings {
    /// The ratings that make the results likeliest.
    pub fn of(tournament: &Tournament) -> Result<Ratings, RatingsError> {
        check(tournament)?;
        let mut meetings = Meetings::of(tournament)?;
        let groups = Groups::of(tournament.players, &meetings);
        meetings.add_prior(&groups);
        let fit = Fit::of(&meetings, &groups, tournament.white_advantage);
        let draw_parameter = meetings.draw_parameter(&fit);
        let scatter = meetings.scatter(&fit, draw_parameter);
        let logit_errors = fit.errors(&meetings, &scatter);
        let (pairings, misfit) = misfit::of(&meetings, &groups, &fit, &scatter, &logit_errors);

        let home = groups.home(tournament.anchor);
        let placement = groups.placement(tournament.anchor, home);
        let elo: Vec<f64> = fit.players().iter().map(|logit| logit * ELO_PER_LOGIT).collect();
        let origin = match tournament.anchor {
            Anchor::MeanZero => 0.0,
            Anchor::Player { elo, .. } => elo,
        };
        let covariance = placement.covariance(&logit_errors);
        let placed = placement.place(&elo, origin);
        let players = (0..tournament.players).map(|player| {
            let is_connected = groups.of_player(player) == home.group;
            let error = Z95 * covariance[player][player].max(0.0).sqrt();
            let (games, points) = meetings.made_by(player);
            Rating {
                elo: placed[player],
                error: is_connected.then_some(error),
                games,
                points,
                group: groups.of_player(player),
                is_connected,
                is_bounded: groups.strong_of(player) == home.strong,
            }
        });
        Ok(Ratings {
            players: players.collect(),
            white_advantage: fit.white() * ELO_PER_LOGIT,
            white_advantage_error: Z95 * logit_errors.white().sqrt() * ELO_PER_LOGIT,
            draw_parameter,
            draw_ratio: draw_parameter / (draw_parameter + 2.0),
            pairings,
            misfit,
            covariance,
        })
    }

    /// By how much the first player is the stronger one, and half the width of the 95 % interval. None if nothing
    /// connects the two.
    pub fn difference(&self, first: usize, second: usize) -> Option<(f64, f64)> {
        let (a, b) = (self.players.get(first)?, self.players.get(second)?);
        let c = &self.covariance;
        let variance = c[first][first] + c[second][second] - 2.0 * c[first][second];
        (a.group == b.group).then(|| (a.elo - b.elo, Z95 * variance.max(0.0).sqrt()))
    }

    /// How likely the first player is the stronger one, from 0 to 1. None if nothing connects the two.
    pub fn superiority(&self, first: usize, second: usize) -> Option<f64> {
        let (elo, error) = self.difference(first, second)?;
        Some(if first == second || error == 0.0 { 0.5 } else { normal(elo * Z95 / error) })
    }
}

fn check(tournament: &Tournament) -> Result<(), RatingsError> {
    let players = tournament.players;
    let known =
        |index: usize| if index < players { Ok(()) } else { Err(RatingsError::NoSuchPlayer { index, players }) };
    let games = tournament.games.iter().map(|games| (games.white, games.black));
    let pairs = tournament.pairs.iter().map(|pairs| (pairs.first, pairs.second));
    for (one, other) in games.chain(pairs) {
        known(one)?;
        known(other)?;
        if one == other {
            return Err(RatingsError::AgainstItself(one));
        }
    }
    if let Anchor::Player { index, elo } = tournament.anchor {
        known(index)?;
        if !elo.is_finite() {
            return Err(RatingsError::NotFinite("rating of the anchor"));
        }
    }
    match tournament.white_advantage {
        Some(elo) if !elo.is_finite() => Err(RatingsError::NotFinite("advantage of White")),
        _ => Ok(()),
    }
}
