//! The evaluation: how good a position is for the side to move, in centipawns.
//!
//! `terms` is the catalogue; the groups (`pieces`, `pawns`, `king`) report findings to a ledger; `compose` turns sums into
//! a value; `trace` explains it. Nothing outside `weights` touches a weight.

pub(crate) mod accumulator;
pub(crate) mod axis;
pub(crate) mod bishop_knight;
pub(crate) mod cache;
pub(crate) mod compose;
pub(crate) mod counts;
mod danger;
mod endings;
pub(crate) mod file;
pub(crate) mod gauge;
mod geometry;
mod king;
mod king_pawns;
mod king_tables;
mod kpk;
pub(crate) mod ledger;
mod passers;
mod pawn_pairs;
mod pawns;
pub(crate) mod phase;
mod pieces;
mod posts;
mod processor;
mod scene;
pub(crate) mod score;
mod shelter;
mod structure;
pub mod terms;
mod threats;
pub(crate) mod trace;
pub(crate) mod weights;
mod writing;

use chess::{ByColor, Color, Position};

use accumulator::Accumulator;
use cache::{BothSums, EvalCache};
use compose::{Channel, Stage, Sums, compose, limited};
use ledger::{Ledger, Total};
use scene::Scene;
use score::Score;
use structure::Outline;
use terms::{Group, TEMPO};
use weights::Weights;

/// The static evaluation in centipawns, from the view of the side to move, summed from scratch.
pub fn evaluate(position: &Position, weights: &Weights) -> i32 {
    weights.evaluate(position, &Accumulator::new(position, weights))
}

impl Weights {
    /// The static evaluation in centipawns, from the view of the side to move.
    #[inline]
    pub fn evaluate(&self, position: &Position, accumulator: &Accumulator) -> i32 {
        let (mut sides, outlines) = (self.totals(), Outline::both(position));
        let pawns = self.pawn_sums(position, &outlines);
        sides.white.add_all(&pawns.white);
        sides.black.add_all(&pawns.black);
        sides.white.add_all(&self.shelter_sums(position, Color::White));
        sides.black.add_all(&self.shelter_sums(position, Color::Black));
        self.finish(position, &outlines, accumulator, sides)
    }

    /// The same, with a cache of what was evaluated before. The number is the same.
    #[inline]
    pub fn evaluate_cached(&self, position: &Position, accumulator: &Accumulator, cache: &mut EvalCache) -> i32 {
        let key = position.keys().full();
        let value = cache.value(key).unwrap_or_else(|| {
            let value = cache.processor().evaluate(self, position, accumulator, cache);
            cache.remember(key, value);
            value
        });
        debug_assert_eq!(value, self.evaluate(position, accumulator), "{position}");
        value
    }

    #[inline(always)]
    fn evaluate_inline(&self, position: &Position, accumulator: &Accumulator, cache: &mut EvalCache) -> i32 {
        let mut sides = self.totals();
        if !CACHED_GROUPS.iter().any(|&group| self.used().contains(group)) {
            return self.finish(position, &ByColor::default(), accumulator, sides);
        }
        let known = cache.get(position, self);
        for sums in [&known.sums, &known.shelter] {
            sides.white.add_all(&sums.white);
            sides.black.add_all(&sums.black);
        }
        self.finish(position, &known.outlines, accumulator, sides)
    }

    /// What depends on pawns alone.
    #[inline(always)]
    fn pawn_sums(&self, position: &Position, outlines: &ByColor<Outline>) -> BothSums {
        let mut sides = self.totals();
        survey_pawns(position, outlines, &mut sides);
        if self.used().contains(Group::PawnPairs) {
            sides.white.add(Channel::Score, self.pawn_pairs().sum(position));
        }
        ByColor { white: sides.white.sums(), black: sides.black.sums() }
    }

    /// What depends on pawns and one side's king.
    #[inline(always)]
    fn shelter_sums(&self, position: &Position, us: Color) -> Sums<Score> {
        let mut side = Total::new(self);
        survey_shelter(position, us, &mut side);
        side.sums()
    }

    #[inline(always)]
    fn totals(&self) -> ByColor<Total<'_>> {
        ByColor { white: Total::new(self), black: Total::new(self) }
    }

    /// Adds to the pawns all the rest.
    #[inline(always)]
    fn finish(
        &self,
        position: &Position,
        outlines: &ByColor<Outline>,
        accumulator: &Accumulator,
        mut sides: ByColor<Total>,
    ) -> i32 {
        debug_assert_eq!(*accumulator, Accumulator::new(position, self), "{position}");
        survey_pieces(position, outlines, &mut sides);
        sides.white.add(Channel::Score, accumulator.pieces);
        let sums = ByColor { white: sides.white.sums(), black: sides.black.sums() };
        limited(compose(&sums, &self.stage(position.turn(), accumulator.phase)))
    }

    /// What composition needs to know, given the phase's sum.
    #[inline]
    pub(crate) fn stage(&self, turn: Color, phase_sum: i32) -> Stage {
        let phase = if self.interpolates() { self.phase_model().phase(phase_sum) } else { 256 };
        Stage { turn, phases: [phase, self.king_phase(phase), phase, phase, phase], unit: self.unit() }
    }
}

/// Reports everything that is found in a position, side by side.
#[inline(always)]
fn survey<L: Ledger>(position: &Position, ledgers: &mut ByColor<L>) {
    let outlines = Outline::both(position);
    survey_pawns(position, &outlines, ledgers);
    survey_shelter(position, Color::White, &mut ledgers.white);
    survey_shelter(position, Color::Black, &mut ledgers.black);
    survey_pieces(position, &outlines, ledgers);
}

/// Groups that depend on pawns and kings alone, and those that need the outlines of pawns.
const CACHED_GROUPS: [Group; 13] = [
    Group::Pawns,
    Group::Structure,
    Group::PawnPairs,
    Group::KingPawns,
    Group::Shelter,
    Group::Passers,
    Group::Winnable,
    Group::Rooks,
    Group::Posts,
    Group::Danger,
    Group::KingSafety,
    Group::Activity,
    Group::Threats,
];

/// Reports what depends on pawns and one side's king alone.
#[inline(always)]
fn survey_shelter<L: Ledger>(position: &Position, us: Color, ledger: &mut L) {
    if ledger.wants(Group::Shelter) {
        shelter::shelter(position, us, ledger);
    }
    if ledger.wants(Group::KingPawns) {
        king_pawns::king_pawns(position, us, ledger);
    }
    if ledger.wants(Group::Winnable) {
        endings::prospects_of_king(position, us, ledger);
    }
}

/// Reports what depends on pawns alone.
#[inline(always)]
fn survey_pawns<L: Ledger>(position: &Position, outlines: &ByColor<Outline>, ledgers: &mut ByColor<L>) {
    if ledgers.white.wants(Group::Pawns) {
        pawns::pawns(position, Color::White, &mut ledgers.white);
        pawns::pawns(position, Color::Black, &mut ledgers.black);
    }
    if ledgers.white.wants(Group::Structure) {
        structure::structure(position, Color::White, &mut ledgers.white);
        structure::structure(position, Color::Black, &mut ledgers.black);
    }
    if L::ITEMIZES && ledgers.white.wants(Group::PawnPairs) {
        pawn_pairs::pawn_pairs(position, Color::White, &mut ledgers.white);
        pawn_pairs::pawn_pairs(position, Color::Black, &mut ledgers.black);
    }
    if ledgers.white.wants(Group::Winnable) {
        endings::prospects_of_pawns(position, Color::White, outlines.white.passers, &mut ledgers.white);
        endings::prospects_of_pawns(position, Color::Black, outlines.black.passers, &mut ledgers.black);
    }
}

/// Reports everything else.
#[inline(always)]
fn survey_pieces<L: Ledger>(position: &Position, outlines: &ByColor<Outline>, ledgers: &mut ByColor<L>) {
    survey_side(position, Color::White, outlines, &mut ledgers.white);
    survey_side(position, Color::Black, outlines, &mut ledgers.black);
    if ledgers.white.wants(Group::Winnable) {
        endings::prospects_of_pawn_ending(position, ledgers);
    }
    if ledgers.white.wants(Group::Holdable) {
        endings::drawish(position, ledgers);
    }
    if SCENE_GROUPS.iter().any(|&group| ledgers.white.wants(group)) {
        let scene = Scene::new(position, outlines, ledgers);
        survey_scene(position, Color::White, outlines, &scene, &mut ledgers.white);
        survey_scene(position, Color::Black, outlines, &scene, &mut ledgers.black);
    }
    if ledgers.white.wants(Group::Initiative) {
        // Each by name: one that is chosen here would have its sums in memory, and so would the other
        ledgers.white.credit(TEMPO.at(()), None, i32::from(position.turn().is_white()));
        ledgers.black.credit(TEMPO.at(()), None, i32::from(position.turn().is_black()));
    }
}

/// Groups that need to know what attacks what.
const SCENE_GROUPS: [Group; 5] = [Group::Activity, Group::Posts, Group::Passers, Group::Threats, Group::Danger];

#[inline(always)]
fn survey_scene<L: Ledger>(position: &Position, us: Color, outlines: &ByColor<Outline>, scene: &Scene, ledger: &mut L) {
    if ledger.wants(Group::Posts) {
        posts::posts(position, us, outlines, scene, ledger);
    }
    if ledger.wants(Group::Passers) {
        passers::passers(position, us, outlines.get(us).passers, scene, ledger);
    }
    if ledger.wants(Group::Threats) {
        threats::threats(position, us, scene, ledger);
    }
    if ledger.wants(Group::Danger) {
        danger::danger(position, us, outlines, scene, ledger);
    }
}

#[inline(always)]
fn survey_side<L: Ledger>(position: &Position, us: Color, outlines: &ByColor<Outline>, ledger: &mut L) {
    if L::ITEMIZES {
        pieces::pieces(position, us, ledger);
    }
    if ledger.wants(Group::Imbalance) {
        pieces::imbalance(position, us, ledger);
    }
    if ledger.wants(Group::Rooks) {
        pieces::rooks(position, us, outlines, ledger);
    }
    if ledger.wants(Group::Mobility) {
        pieces::mobility(position, us, ledger);
    }
    if ledger.wants(Group::KingSafety) {
        king::king(position, us, outlines, ledger);
    }
    if ledger.wants(Group::Endings) {
        endings::endings(position, us, ledger);
    }
}
