//! Results, counted.

/// Results from the first player's view, by game or by pair.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Tally {
    /// Single games.
    Games {
        /// Won by the first player.
        wins: u64,
        /// Drawn.
        draws: u64,
        /// Lost by the first player.
        losses: u64,
    },
    /// Pairs, by the points that the first player made in both games: 0, ½, 1, 1½, 2.
    Pairs([u64; 5]),
}

/// Outcomes with the share of points that each is worth, and how often each came.
pub(super) type Outcomes = Vec<(f64, f64)>;

impl Tally {
    /// How many games.
    pub fn games(&self) -> u64 {
        match self {
            Tally::Games { wins, draws, losses } => wins + draws + losses,
            Tally::Pairs(pairs) => 2 * pairs.iter().sum::<u64>(),
        }
    }

    /// The first player's points.
    pub fn points(&self) -> f64 {
        self.outcomes().iter().map(|(score, count)| score * count).sum::<f64>() * self.games_per_trial()
    }

    /// The same results from the other player's view.
    #[must_use]
    pub fn reversed(&self) -> Tally {
        match *self {
            Tally::Games { wins, draws, losses } => Tally::Games { wins: losses, draws, losses: wins },
            Tally::Pairs([a, b, c, d, e]) => Tally::Pairs([e, d, c, b, a]),
        }
    }

    /// How many games are counted as one.
    pub(super) fn games_per_trial(&self) -> f64 {
        match self {
            Tally::Games { .. } => 1.0,
            Tally::Pairs(_) => 2.0,
        }
    }

    pub(super) fn outcomes(&self) -> Outcomes {
        match self {
            Tally::Games { wins, draws, losses } => {
                [losses, draws, wins].into_iter().zip([0.0, 0.5, 1.0]).map(|(&n, score)| (score, n as f64)).collect()
            }
            Tally::Pairs(pairs) => {
                pairs.iter().zip([0.0, 0.25, 0.5, 0.75, 1.0]).map(|(&n, score)| (score, n as f64)).collect()
            }
        }
    }
}

/// The mean and the variance of outcomes.
pub(super) fn moments(outcomes: &[(f64, f64)]) -> (f64, f64) {
    let total: f64 = outcomes.iter().map(|(_, weight)| weight).sum();
    let mean = outcomes.iter().map(|(score, weight)| score * weight).sum::<f64>() / total;
    let variance = outcomes.iter().map(|(score, weight)| (score - mean).powi(2) * weight).sum::<f64>() / total;
    (mean, variance)
}
