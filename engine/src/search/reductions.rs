//! How much less deep late moves are searched: the product of two logarithms, as whole numbers.

use super::tunables::Tunables;

/// 64 · ln(n + 1), found by whole numbers alone, so that it is the same on every machine.
static LOGARITHMS: [i32; 256] = logarithms();

/// The area below 1/x from 1 on, in steps of 1/64 with the middle of each.
const fn logarithms() -> [i32; 256] {
    let mut table = [0; 256];
    let (mut area, mut step) = (0u64, 64);
    let mut n = 1;
    while n < 256 {
        while step < 64 * (n as u64 + 1) {
            area += 2 * (1 << 32) / (2 * step + 1);
            step += 1;
        }
        table[n] = ((64 * area) >> 32) as i32;
        n += 1;
    }
    table
}

/// By how many 1024ths of a ply a move is reduced before anything else is known of it.
#[inline]
pub(super) fn reduction(depth: i32, count: i32, is_quiet: bool, tunables: &Tunables) -> i32 {
    debug_assert!((1..=256).contains(&depth) && (1..=256).contains(&count));
    let log = |n: i32| LOGARITHMS[usize::from((n - 1) as u8)];
    let (base, divisor) = if is_quiet {
        (tunables.lmr_base, tunables.lmr_divisor)
    } else {
        (tunables.lmr_capture_base, tunables.lmr_capture_divisor)
    };
    base + log(depth) * log(count) * 64 / divisor
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_close_to_the_real_ones() {
        for n in [1, 2, 3, 10, 64, 200, 256] {
            let real = 64.0 * (n as f64).ln();
            assert!((f64::from(LOGARITHMS[n - 1]) - real).abs() < 1.1, "{n}");
        }
    }

    #[test]
    fn later_and_deeper_moves_are_reduced_more() {
        let tunables = Tunables::default();
        let get = |depth, count| reduction(depth, count, true, &tunables);
        assert!(get(3, 3) >= 1024);
        assert!(get(12, 30) > get(6, 30));
        assert!(get(12, 30) > get(12, 5));
        assert!(get(20, 40) < 12 * 1024);
        assert!(reduction(12, 10, false, &tunables) < get(12, 10));
    }
}
