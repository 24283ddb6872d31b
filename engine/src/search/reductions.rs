//! How much less deep late moves are searched: the product of two logarithms, as whole numbers.

/// Reductions by depth and by the number of the move.
pub(super) struct Reductions {
    /// 64 · ln(n + 1), rounded down.
    logarithms: [i32; 256],
}

impl Reductions {
    /// The logarithms are found by whole numbers alone, so that they are the same on every machine.
    pub(super) fn new() -> Reductions {
        Reductions { logarithms: std::array::from_fn(|n| logarithm(n as u64 + 1)) }
    }

    /// By how many plies.
    pub(super) fn get(&self, depth: i32, count: i32) -> i32 {
        let log = |n: i32| self.logarithms[n.clamp(0, 255) as usize];
        (log(depth) * log(count) / 8192) + 1
    }
}

/// 64 · ln n: the area below 1/x from 1 to n, in steps of 1/64 with the middle of each.
fn logarithm(n: u64) -> i32 {
    let area: u64 = (64..64 * n).map(|step| 2 * (1 << 32) / (2 * step + 1)).sum();
    ((64 * area) >> 32) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_close_to_the_real_ones() {
        for n in [1, 2, 3, 10, 64, 200, 256] {
            let real = 64.0 * (n as f64).ln();
            assert!((f64::from(logarithm(n)) - real).abs() < 1.1, "{n}");
        }
    }

    #[test]
    fn later_and_deeper_moves_are_reduced_more() {
        let reductions = Reductions::new();
        assert!(reductions.get(3, 3) >= 1);
        assert!(reductions.get(12, 30) > reductions.get(6, 30));
        assert!(reductions.get(12, 30) > reductions.get(12, 5));
        assert!(reductions.get(20, 40) < 12);
    }
}
