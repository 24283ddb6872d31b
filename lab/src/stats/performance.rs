//! One player's rating from games against opponents whose ratings are known, such as an engine at several strengths.

use super::elo::{Estimate, Z95};
use super::ratings::{
    ELO_PER_LOGIT, Misfit, PairSums, chi_square, draw_parameter, game_variance, pair_variances, standardized,
};
use super::tally::Tally;

/// So many level games are added if all points or none were made.
const LEVEL_GAMES: f64 = 1.5;

/// Results against one opponent, from the player's view. Colours are taken to be level.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Level {
    /// The opponent's rating.
    pub elo: f64,
    /// Won by the player.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Lost by the player.
    pub losses: u64,
    /// The same games as pairs by points: 0, ½, 1, 1½, 2, as far as they were pairs.
    pub pairs: Option<[u64; 5]>,
}

/// What the games against one opponent say.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct LevelPerformance {
    /// The opponent's rating.
    pub opponent: f64,
    /// How many games.
    pub games: u64,
    /// The player's points.
    pub points: f64,
    /// The points that the common rating makes likely.
    pub expected: f64,
    /// How many standard deviations the points lie above what is expected, allowing for the rating having been made from
    /// the same games; 0 if this is the only opponent.
    pub z: f64,
    /// The rating by these games alone; none without games.
    pub performance: Option<f64>,
    /// Half the width of its 95 % interval.
    pub error: Option<f64>,
}

/// A rating from games against opponents of known ratings.
#[derive(Clone, PartialEq, Debug)]
pub struct Performance {
    /// The rating that makes the points of all games together likely.
    pub elo: f64,
    /// Half the width of its 95 % interval; the opponents' ratings count as exact.
    pub error: f64,
    /// Whether the games bound the rating. If not, all points or none were made, and one and a half level games, spread
    /// over the opponents, keep it finite.
    pub is_bounded: bool,
    /// Against each opponent.
    pub levels: Vec<LevelPerformance>,
    /// Whether one rating explains the results against all opponents.
    pub misfit: Misfit,
}

impl Level {
    fn games(&self) -> f64 {
        (self.wins + self.draws + self.losses) as f64
    }

    fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// By these games alone; by pairs if all games are.
    fn estimate(&self) -> Option<Estimate> {
        let pairs = self.pairs.map(Tally::Pairs).filter(|pairs| pairs.games() as f64 == self.games());
        Estimate::of(&pairs.unwrap_or(Tally::Games { wins: self.wins, draws: self.draws, losses: self.losses }))
    }
}

impl Performance {
    /// From results; none without games, or if an opponent's rating is no number.
    pub fn of(levels: &[Level]) -> Option<Performance> {
        let games: f64 = levels.iter().map(Level::games).sum();
        let points: f64 = levels.iter().map(Level::points).sum();
        if games == 0.0 || levels.iter().any(|level| !level.elo.is_finite()) {
            return None;
        }
        let is_bounded = points > 0.0 && points < games;
        let prior = if is_bounded { 0.0 } else { LEVEL_GAMES };
        let weight = |level: &Level| level.games() * (1.0 + prior / games);
        let elo = rating(levels, &weight, points + prior / 2.0);

        let scores: Vec<f64> = levels.iter().map(|level| score(elo - level.elo)).collect();
        let played: Vec<(f64, f64)> = scores.iter().zip(levels).map(|(&score, level)| (score, level.games())).collect();
        let nu = draw_parameter(&played, levels.iter().map(|level| level.draws as f64).sum());
        let variances = variances(levels, &scores, nu);
        let total: f64 = variances.iter().sum::<f64>() * (1.0 + prior / games);
        let slopes: Vec<f64> = levels.iter().zip(&scores).map(|(level, p)| weight(level) * p * (1.0 - p)).collect();
        let slope: f64 = slopes.iter().sum();

        let details = levels.iter().zip(&scores).zip(variances.iter().zip(&slopes));
        let details = details.map(|((level, score), (&variance, own))| {
            let (expected, share) = (level.games() * score, own / slope);
            let left = variance * (1.0 - 2.0 * share) + share * share * total;
            let estimate = level.estimate();
            LevelPerformance {
                opponent: level.elo,
                games: level.wins + level.draws + level.losses,
                points: level.points(),
                expected,
                z: standardized(level.points() - expected, variance, left),
                performance: estimate.map(|estimate| level.elo + estimate.elo),
                error: estimate.map(|estimate| estimate.elo_error),
            }
        });
        let details: Vec<LevelPerformance> = details.collect();
        let met = details.iter().zip(&variances).filter(|(level, _)| level.games > 0);
        let deviations: Vec<(f64, f64)> = met.map(|(level, &v)| (level.points - level.expected, v)).collect();
        Some(Performance {
            elo,
            error: Z95 * total.sqrt() / slope * ELO_PER_LOGIT,
            is_bounded,
            levels: details,
            misfit: chi_square(&deviations, 1),
        })
    }
}

/// The score that a difference makes likely.
fn score(elo: f64) -> f64 {
    1.0 / (1.0 + (-elo / ELO_PER_LOGIT).exp())
}

/// The rating with which games of these weights bring so many points, by bisection.
fn rating(levels: &[Level], weight: &dyn Fn(&Level) -> f64, points: f64) -> f64 {
    let met = || levels.iter().filter(|level| level.games() > 0.0);
    let expected = |elo: f64| met().map(|level| weight(level) * score(elo - level.elo)).sum::<f64>();
    // Nobody who made a quarter of a point, or lacks one, in the longest match is further from the opponents
    let mut low = met().map(|level| level.elo).fold(f64::MAX, f64::min) - 10_000.0;
    let mut high = met().map(|level| level.elo).fold(f64::MIN, f64::max) + 10_000.0;
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if expected(middle) < points { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

/// How much the points at each level scatter.
fn variances(levels: &[Level], scores: &[f64], nu: f64) -> Vec<f64> {
    let game_variances: Vec<f64> = scores.iter().map(|&score| game_variance(score, nu)).collect();
    let sums = levels.iter().zip(&game_variances);
    let sums: Vec<PairSums> =
        sums.map(|(level, variance)| PairSums::of(&level.pairs.unwrap_or([0; 5]), 2.0 * variance)).collect();
    let levels = levels.iter().zip(&game_variances).zip(sums.iter().zip(pair_variances(&sums)));
    levels
        .map(|((level, variance), (sums, pair_variance))| {
            let pairs = sums.pairs.min(level.games() / 2.0);
            pairs * pair_variance + (level.games() - 2.0 * pairs) * variance
        })
        .collect()
}
