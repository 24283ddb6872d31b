//! The evaluation counts and walks through sets of squares all the time. Processors since 2013 have instructions for it, which
//! a program that runs everywhere may use only after asking.
//!
//! Measured by instructions: counting alone took an evaluation from 1,240 to 680 when it was small; the others take another
//! 2 % off today's.

use chess::{ByColor, Color, Position};

use super::accumulator::Accumulator;
use super::cache::{BothSums, EvalCache};
use super::compose::Sums;
use super::ledger::Ledger;
use super::score::Score;
use super::structure::Outline;
use super::weights::Weights;

/// What the processor can do, asked once: asking takes as long as a small part of an evaluation.
#[derive(Copy, Clone)]
pub(super) struct Processor {
    /// Whether it has the instructions below. Nobody but `new`, which asks, can say so.
    #[cfg(all(target_arch = "x86_64", not(target_feature = "bmi2")))]
    is_modern: bool,
}

/// One function or the other, the first if the processor has its instructions.
macro_rules! modern {
    ($is_modern:expr, $modern:path, ($($argument:expr),*), $portable:expr) => {{
        #[cfg(all(target_arch = "x86_64", not(target_feature = "bmi2")))]
        if $is_modern {
            #[expect(unsafe_code, reason = "the processor was asked")]
            // SAFETY: the processor has the instructions.
            return unsafe { $modern($($argument),*) };
        }
        $portable
    }};
}

impl Processor {
    pub(super) fn new() -> Processor {
        Processor {
            #[cfg(all(target_arch = "x86_64", not(target_feature = "bmi2")))]
            is_modern: is_modern(),
        }
    }

    /// Evaluates.
    #[inline]
    pub(super) fn evaluate(
        self,
        weights: &Weights,
        position: &Position,
        accumulator: &Accumulator,
        cache: &mut EvalCache,
    ) -> i32 {
        modern!(
            self.is_modern,
            modern::evaluate,
            (weights, position, accumulator, cache),
            weights.evaluate_inline(position, accumulator, cache)
        )
    }

    /// Sums up what depends on pawns alone.
    #[inline]
    pub(super) fn pawn_sums(self, weights: &Weights, position: &Position, outlines: &ByColor<Outline>) -> BothSums {
        modern!(self.is_modern, modern::pawn_sums, (weights, position, outlines), weights.pawn_sums(position, outlines))
    }

    /// Sums up what depends on pawns and one side's king.
    #[inline]
    pub(super) fn shelter_sums(self, weights: &Weights, position: &Position, us: Color) -> Sums<Score> {
        modern!(self.is_modern, modern::shelter_sums, (weights, position, us), weights.shelter_sums(position, us))
    }
}

/// Reports everything that is found: the tuner reads millions of positions.
pub(super) fn survey<L: Ledger>(position: &Position, ledgers: &mut ByColor<L>) {
    modern!(is_modern(), modern::survey, (position, ledgers), super::survey(position, ledgers));
}

#[cfg(all(target_arch = "x86_64", not(target_feature = "bmi2")))]
fn is_modern() -> bool {
    use std::arch::is_x86_feature_detected as has;
    has!("popcnt") && has!("lzcnt") && has!("bmi1") && has!("bmi2")
}

/// The same functions, compiled for such a processor. What they call and is not a part of them is not.
#[cfg(all(target_arch = "x86_64", not(target_feature = "bmi2")))]
mod modern {
    use super::{Accumulator, BothSums, ByColor, Color, EvalCache, Ledger, Outline, Position, Score, Sums, Weights};

    #[target_feature(enable = "popcnt,lzcnt,bmi1,bmi2")]
    pub(super) fn evaluate(
        weights: &Weights,
        position: &Position,
        accumulator: &Accumulator,
        cache: &mut EvalCache,
    ) -> i32 {
        weights.evaluate_inline(position, accumulator, cache)
    }

    #[target_feature(enable = "popcnt,lzcnt,bmi1,bmi2")]
    pub(super) fn pawn_sums(weights: &Weights, position: &Position, outlines: &ByColor<Outline>) -> BothSums {
        weights.pawn_sums(position, outlines)
    }

    #[target_feature(enable = "popcnt,lzcnt,bmi1,bmi2")]
    pub(super) fn shelter_sums(weights: &Weights, position: &Position, us: Color) -> Sums<Score> {
        weights.shelter_sums(position, us)
    }

    #[target_feature(enable = "popcnt,lzcnt,bmi1,bmi2")]
    pub(super) fn survey<L: Ledger>(position: &Position, ledgers: &mut ByColor<L>) {
        super::super::survey(position, ledgers);
    }
}
