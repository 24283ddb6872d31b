//! How much points scatter about their expectation, given that the two games of a pair depend on each other.

/// So many pairs of the common kind are mixed into those of two players, who alone may have too few to tell.
const COMMON_PAIRS: f64 = 50.0;
/// Two games of a pair are never taken to depend on each other more than this.
const LARGEST_CORRELATION: f64 = 0.98;

/// What the pairs of two players come to.
pub(crate) struct PairSums {
    /// How many.
    pub(crate) pairs: f64,
    /// Squared deviations of a pair's points from their mean, added up.
    squares: f64,
    /// A pair's variance if its games were independent.
    independent: f64,
}

impl PairSums {
    pub(crate) fn of(counts: &[u64; 5], independent: f64) -> PairSums {
        let points = [0.0, 0.5, 1.0, 1.5, 2.0].into_iter().zip(counts.map(|count| count as f64));
        let pairs: f64 = points.clone().map(|(_, count)| count).sum();
        let mean = points.clone().map(|(points, count)| points * count).sum::<f64>() / pairs.max(1.0);
        let squares = points.map(|(points, count)| (points - mean).powi(2) * count).sum();
        PairSums { pairs, squares, independent }
    }
}

/// The variance of a pair's points, for each two players: as observed, with some pairs of what is common to all.
pub(crate) fn pair_variances(sums: &[PairSums]) -> Vec<f64> {
    let freedom = |sum: &PairSums| (sum.pairs - 1.0).max(0.0);
    let expected: f64 = sums.iter().map(|sum| freedom(sum) * sum.independent).sum();
    let squares: f64 = sums.iter().map(|sum| sum.squares).sum();
    // Without any pairs to speak of, games count as independent
    let common = if expected > 0.0 { squares / expected } else { 1.0 };
    let mixed =
        |sum: &PairSums| (sum.squares + COMMON_PAIRS * common * sum.independent) / (freedom(sum) + COMMON_PAIRS);
    sums.iter().map(mixed).collect()
}

/// How the first player's points against the second scatter.
pub(super) struct Scatter {
    /// The variance of the points.
    pub(super) points: f64,
    /// Their covariance with the points that White made.
    pub(super) points_and_white: f64,
    /// The variance of the points that White made.
    pub(super) white: f64,
}

impl Scatter {
    /// Of games on each side with these variances, some of them pairs whose points have the variance `pair_variance`.
    pub(super) fn new(games: [f64; 2], variances: [f64; 2], pairs: f64, pair_variance: f64) -> Scatter {
        let [one, other] = variances;
        let most = LARGEST_CORRELATION * (one * other).sqrt();
        let covariance = ((pair_variance - one - other) / 2.0).clamp(-most, most);
        let (one, other) = (games[0] * one, games[1] * other);
        Scatter {
            points: one + other + 2.0 * pairs * covariance,
            points_and_white: one - other,
            white: one + other - 2.0 * pairs * covariance,
        }
    }
}
