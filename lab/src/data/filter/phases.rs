//! Shares of phases: how many samples of the endgame, the middlegame and the opening a set has.

use std::str::FromStr;

use chess::{Position, Role};
use thiserror::Error;

/// The phase of the initial position.
pub const FULL_PHASE: usize = 24;

/// How much of the middlegame is left, from 24 to 0: 4 a queen, 2 a rook, 1 a bishop or knight. It depends on no weights.
pub fn phase(position: &Position) -> usize {
    let count = |role: Role| position.by_role(role).count();
    (4 * count(Role::Queen) + 2 * count(Role::Rook) + count(Role::Bishop) + count(Role::Knight)).min(FULL_PHASE)
}

/// What share of a set each stretch of phases should have; the stretches are equally long, the endgame first.
#[derive(Clone, PartialEq, Debug)]
pub struct Shares(Vec<f64>);

/// Why numbers are no shares.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Error)]
pub enum SharesError {
    /// Not numbers, or none that is positive.
    #[error("shares are 2 to 25 numbers from the endgame to the opening, such as 1,2,2,1, and not all of them 0")]
    Numbers,
}

impl FromStr for Shares {
    type Err = SharesError;

    fn from_str(text: &str) -> Result<Shares, SharesError> {
        let numbers: Option<Vec<f64>> = text.split(',').map(|number| number.trim().parse().ok()).collect();
        let numbers = numbers.filter(|numbers| {
            (2..=FULL_PHASE + 1).contains(&numbers.len())
                && numbers.iter().all(|number| number.is_finite() && *number >= 0.0)
                && numbers.iter().any(|number| *number > 0.0)
        });
        numbers.map(Shares).ok_or(SharesError::Numbers)
    }
}

impl Shares {
    /// How many stretches there are.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The stretch that a position belongs to.
    pub fn stretch(&self, position: &Position) -> usize {
        phase(position) * self.count() / (FULL_PHASE + 1)
    }

    /// How many samples of each stretch to keep, given how many there are: as many as the scarcest one allows. Stretches
    /// without samples do not count.
    fn quotas(&self, counts: &[u64]) -> Vec<u64> {
        let wanted = || self.0.iter().zip(counts).filter(|(share, count)| **share > 0.0 && **count > 0);
        let all = wanted().map(|(share, count)| *count as f64 / share).fold(f64::INFINITY, f64::min);
        let quota = |(share, count): (&f64, &u64)| {
            if *share > 0.0 && *count > 0 { ((all * share).round() as u64).min(*count) } else { 0 }
        };
        self.0.iter().zip(counts).map(quota).collect()
    }
}

/// Keeps exactly as many samples of each stretch as its share allows, each as likely as any other, in one pass after they
/// were counted (Knuth's algorithm S).
pub struct PhaseQuota {
    shares: Shares,
    /// Samples still to come, and those of them that are still to be kept, by stretch.
    left: Vec<(u64, u64)>,
    quotas: Vec<u64>,
    random: fastrand::Rng,
}

impl PhaseQuota {
    /// For a set with so many samples in each stretch.
    pub fn new(shares: &Shares, counts: &[u64], seed: u64) -> PhaseQuota {
        let quotas = shares.quotas(counts);
        let left = counts.iter().copied().zip(quotas.iter().copied()).collect();
        PhaseQuota { shares: shares.clone(), left, quotas, random: fastrand::Rng::with_seed(seed) }
    }

    /// Whether the next sample is kept.
    pub fn keeps(&mut self, position: &Position) -> bool {
        let Some((left, wanted)) = self.left.get_mut(self.shares.stretch(position)) else { return false };
        let is_kept = *left > 0 && self.random.u64(..*left) < *wanted;
        *left = left.saturating_sub(1);
        *wanted -= u64::from(is_kept);
        is_kept
    }

    /// How many samples of each stretch are kept in all.
    pub fn quotas(&self) -> &[u64] {
        &self.quotas
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_phase_goes_from_24_to_0() {
        assert_eq!(phase(&Position::initial()), 24);
        assert_eq!(phase(&"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".parse().unwrap()), 0);
        assert_eq!(phase(&"3qk3/8/8/8/8/8/8/R1B1K3 w - - 0 1".parse().unwrap()), 7);
        assert_eq!(phase(&"qqqqkqqq/8/8/8/8/8/8/4K3 b - - 0 1".parse().unwrap()), 24);
        let shares: Shares = "1,1,1".parse().unwrap();
        assert_eq!(shares.stretch(&Position::initial()), 2);
        assert_eq!(shares.stretch(&"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".parse().unwrap()), 0);
    }

    #[test]
    fn shares_that_are_none_are_refused() {
        for text in ["", "1", "1,x", "0,0", "1,-1", "1,inf", "1,nan"] {
            assert_eq!(text.parse::<Shares>(), Err(SharesError::Numbers), "{text}");
        }
        assert_eq!("1, 2.5,0".parse::<Shares>().map(|shares| shares.count()), Ok(3));
    }

    #[test]
    fn quotas_are_reached_exactly_and_spread_over_the_set() {
        let shares: Shares = "1,0,2".parse().unwrap();
        let ending: Position = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".parse().unwrap();
        let middle: Position = "r2qk3/8/8/8/8/8/8/R2QK3 w - - 0 1".parse().unwrap();
        let opening = Position::initial();
        let set: Vec<&Position> =
            [[&ending; 1], [&middle; 1], [&opening; 1]].concat().into_iter().cycle().take(3000).collect();
        let counts = [1000, 1000, 1000];
        let mut quota = PhaseQuota::new(&shares, &counts, 1);
        assert_eq!(quota.quotas(), [500, 0, 1000]);
        let kept: Vec<usize> = (0..3000).filter(|&place| quota.keeps(set[place])).collect();
        assert_eq!(kept.iter().filter(|place| *place % 3 == 0).count(), 500);
        assert_eq!(kept.iter().filter(|place| *place % 3 == 1).count(), 0);
        assert_eq!(kept.iter().filter(|place| *place % 3 == 2).count(), 1000);
        let early = kept.iter().filter(|place| *place % 3 == 0 && **place < 1500).count();
        assert!((200..300).contains(&early), "{early}");
        assert_eq!(PhaseQuota::new(&shares, &[0, 5, 7], 1).quotas(), [0, 0, 7], "what is not there does not count");
    }
}
