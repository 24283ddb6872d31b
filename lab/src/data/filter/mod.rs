//! Filters: which samples are worth learning from. Each is small; a [`Plan`] joins them.
//!
//! Criteria look at one sample alone and are asked by several threads. What comes after them depends on the samples before
//! and goes by the order of the file: duplicates, then at most so many of a game, then shares of phases. So the same plan
//! makes the same set from the same files, on any number of threads.

mod criteria;
mod duplicates;
mod phases;
mod plan;
mod quiet;
mod sampler;

pub use criteria::{Criterion, Men, Plies, Values};
pub use duplicates::KeySet;
pub use phases::{FULL_PHASE, PhaseQuota, Shares, SharesError, phase};
pub use plan::{Dropped, Filtered, Pass, Plan};
pub use quiet::{NotInCheck, QuietMove, Settled, is_quiet_move};
pub use sampler::Sampler;

use super::sample::{Sample, mix};

/// Whether a game belongs to validation when so many per cent of all games do. It depends on the game and the seed alone.
pub fn is_validation(sample: &Sample, percent: f64, seed: u64) -> bool {
    let place = mix(sample.game ^ mix(seed)) >> 11;
    (place as f64) < percent / 100.0 * (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_split_as_wholes_in_the_share_that_is_asked_for() {
        let sample = |game| Sample { game, ..Sample::new(chess::Position::initial(), 0.5) };
        let chosen =
            |percent: f64, seed| (0..20_000).filter(|&game| is_validation(&sample(game), percent, seed)).count();
        assert_eq!((chosen(0.0, 1), chosen(100.0, 1)), (0, 20_000));
        let five = chosen(5.0, 1);
        assert!((900..1100).contains(&five), "{five}");
        let both =
            (0..20_000).filter(|&game| is_validation(&sample(game), 5.0, 1) && is_validation(&sample(game), 5.0, 2));
        assert!(both.count() < 120, "another seed chooses other games");
        assert!((0..20_000).all(|game| !is_validation(&sample(game), 5.0, 1) || is_validation(&sample(game), 10.0, 1)));
    }
}
