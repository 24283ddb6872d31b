//! The logistic function, fast and the same on every machine: additions and multiplications only, which Rust never fuses.

use std::f32::consts::LOG2_E;

/// Adding this leaves a whole number in the last bits.
pub(super) const WHOLE: f32 = 12_582_912.0;
/// The bits of that number.
pub(super) const WHOLE_BITS: i32 = 0x4b40_0000;
/// Beyond this the result is 0 or 1.
const FAR: f32 = 60.0;

/// 1/(1+e^-x), with an error below 2e-7. There are no branches, so that loops over it use vectors.
#[inline]
pub(super) fn sigmoid(x: f32) -> f32 {
    let power = (-x * LOG2_E).clamp(-FAR, FAR);
    let shifted = power + WHOLE;
    let fraction = power - (shifted - WHOLE);
    // 2^fraction from -1/2 to 1/2: Taylor's series
    let exponential = 1.540_353e-4_f32;
    let exponential = exponential * fraction + 1.333_355_8e-3;
    let exponential = exponential * fraction + 9.618_129e-3;
    let exponential = exponential * fraction + 5.550_411e-2;
    let exponential = exponential * fraction + 2.402_265e-1;
    let exponential = exponential * fraction + 6.931_472e-1;
    let exponential = exponential * fraction + 1.0;
    let scale = f32::from_bits(((shifted.to_bits() as i32 - WHOLE_BITS + 127) << 23) as u32);
    1.0 / (1.0 + exponential * scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_logistic_function() {
        for step in -400_000..=400_000 {
            let x = step as f32 * 1e-4;
            let exact = 1.0 / (1.0 + (-f64::from(x)).exp());
            assert!((f64::from(sigmoid(x)) - exact).abs() < 2e-7, "{x}: {} {exact}", sigmoid(x));
        }
        assert_eq!((sigmoid(1e9), sigmoid(0.0)), (1.0, 0.5));
        assert!(sigmoid(-1e9) < 1e-17);
    }
}
