//! Shares of a whole number as whole numbers that add up to it.

/// Rounds shares so that they add up to `whole`: down first, and what is missing goes to those that lost most, the earlier
/// of equal ones first (Hamilton's method). Each stays within one of what it was if the shares add up to the whole.
pub fn apportion(shares: &[f64], whole: i32) -> Vec<i32> {
    // A sum of many numbers is a little off: what is whole but for that stays as it is
    let down = |share: f64| (share + 1e-7).floor();
    let mut rounded: Vec<i32> = shares.iter().map(|&share| down(share) as i32).collect();
    let mut order: Vec<usize> = (0..shares.len()).collect();
    order.sort_by(|&a, &b| {
        let lost = |place: usize| shares[place] - down(shares[place]);
        lost(b).total_cmp(&lost(a)).then(a.cmp(&b))
    });
    let missing = whole - rounded.iter().sum::<i32>();
    for turn in 0..missing.unsigned_abs() as usize {
        let Some(count) = std::num::NonZeroUsize::new(order.len()) else { break };
        let place = if missing > 0 { order[turn % count] } else { order[count.get() - 1 - turn % count] };
        rounded[place] += missing.signum();
    }
    rounded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up_and_stay_near() {
        assert_eq!(apportion(&[1.5, 1.5], 3), [2, 1]);
        assert_eq!(apportion(&[0.4, 0.4, 0.2], 1), [1, 0, 0]);
        assert_eq!(apportion(&[-0.6, 0.6], 0), [-1, 1]);
        assert_eq!(apportion(&[41.2, -16.7, 0.5], 25), [41, -17, 1]);
        assert_eq!(apportion(&[], 0), [0; 0]);
        assert_eq!(apportion(&[2.999_999_99, 1.0], 4), [3, 1]);
        let mut random = fastrand::Rng::with_seed(5);
        for _ in 0..2000 {
            let mut shares: Vec<f64> = (0..random.usize(1..40)).map(|_| 400.0 * random.f64() - 200.0).collect();
            let whole = shares.iter().sum::<f64>().round();
            shares[0] += whole - shares.iter().sum::<f64>();
            let rounded = apportion(&shares, whole as i32);
            assert_eq!(rounded.iter().sum::<i32>(), whole as i32);
            assert!(rounded.iter().zip(&shares).all(|(&rounded, share)| (f64::from(rounded) - share).abs() < 1.0));
        }
    }
}
