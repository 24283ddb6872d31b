//! The evaluation counts and walks through sets of squares all the time. Processors since 2013 have instructions for it, which
//! a program that runs everywhere may use only after asking.
//!
//! Measured by instructions: counting alone took an evaluation from 1,240 to 680 when it was small; the others take another
//! 2 % off today's.

use chess::{ByColor, Position};

use super::accumulator::Accumulator;
use super::cache::EvalCache;
use super::ledger::Ledger;
use super::weights::Weights;

/// What the processor can do, asked once: asking takes as long as a small part of an evaluation.
#[derive(Copy, Clone)]
pub(super) struct Processor {
    /// Whether it has the instructions below. Nobody but `new`, which asks, can say so.
    #[cfg(all(target_arch = "x86_64", not(target_feature = "bmi2")))]
    is_modern: bool,
}

impl Processor {
    pub(super) fn new() -> Processor {
        Processor {
            #[cfg(all(target_arch = "x86_64", not(target_feature = "bmi2")))]
            is_modern: is_modern(),
        }
    }

    /// Evaluates with the processor's instructions for sets, if it has them.
    #[inline]
    pub(super) fn evaluate(
        self,
        weights: &Weights,
        position: &Position,
        accumulator: &Accumulator,
        cache: &mut EvalCache,
    ) -> i32 {
        #[cfg(all(target_arch = "x86_64", not(target_feature = "bmi2")))]
        if self.is_modern {
            #[expect(unsafe_code, reason = "the processor was asked")]
            // SAFETY: the processor has the instructions.
            return unsafe { evaluate_modern(weights, position, accumulator, cache) };
        }
        weights.evaluate_inline(position, accumulator, cache)
    }
}

#[cfg(all(target_arch = "x86_64", not(target_feature = "bmi2")))]
fn is_modern() -> bool {
    use std::arch::is_x86_feature_detected as has;
    has!("popcnt") && has!("lzcnt") && has!("bmi1") && has!("bmi2")
}

#[cfg(all(target_arch = "x86_64", not(target_feature = "bmi2")))]
#[target_feature(enable = "popcnt,lzcnt,bmi1,bmi2")]
fn evaluate_modern(weights: &Weights, position: &Position, accumulator: &Accumulator, cache: &mut EvalCache) -> i32 {
    weights.evaluate_inline(position, accumulator, cache)
}

/// Reports everything that is found, with the same instructions: the tuner reads millions of positions.
pub(super) fn survey<L: Ledger>(position: &Position, ledgers: &mut ByColor<L>) {
    #[cfg(all(target_arch = "x86_64", not(target_feature = "bmi2")))]
    if is_modern() {
        #[expect(unsafe_code, reason = "the processor was asked just above")]
        // SAFETY: the processor has the instructions.
        return unsafe { survey_modern(position, ledgers) };
    }
    super::survey(position, ledgers);
}

#[cfg(all(target_arch = "x86_64", not(target_feature = "bmi2")))]
#[target_feature(enable = "popcnt,lzcnt,bmi1,bmi2")]
fn survey_modern<L: Ledger>(position: &Position, ledgers: &mut ByColor<L>) {
    super::survey(position, ledgers);
}
