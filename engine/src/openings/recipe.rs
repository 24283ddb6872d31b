//! How the openings of a book are made: attempts by number, each of which depends on the seed and its number alone, so
//! that any number of threads can share the work and the book stays the same.

use std::ops::RangeInclusive;
use std::sync::Arc;

use chess::Position;

use super::{Start, play_on};
use crate::{Limits, Memory, Signal, Task, Weights, evaluate, search};

/// How long the first look at a position takes; most that are not level fall here.
const GLANCE: u64 = 1000;
/// Megabytes of table; enough for a small search, and quickly wiped.
const HASH: usize = 1;

/// What openings of a book are like.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// From where random moves are played.
    pub start: Start,
    /// How many.
    pub plies: RangeInclusive<usize>,
    /// How far from level the value may be, in centipawns, whoever is better.
    pub range: RangeInclusive<i32>,
    /// How many nodes the search looks at to find the value.
    pub nodes: u64,
    /// What decides which moves are played.
    pub seed: u64,
}

/// An opening and its value.
#[derive(Copy, Clone, Debug)]
pub struct Opening {
    /// The position.
    pub position: Position,
    /// Its value in centipawns, from the side to move's view.
    pub value: i32,
}

/// Makes openings by a recipe, on one thread.
pub struct Cook<'a> {
    recipe: &'a Recipe,
    weights: Arc<Weights>,
    memory: Option<Memory>,
}

impl Cook<'_> {
    /// A cook with some memory of its own; none if there is no memory.
    pub fn new(recipe: &Recipe, weights: Arc<Weights>) -> Option<Cook<'_>> {
        let memory = Some(Memory::new(HASH)?);
        Some(Cook { recipe, weights, memory })
    }

    /// The attempt of this number; none if it does not come to an opening of the wanted kind: not in check, not over, and
    /// its value in range.
    pub fn attempt(&mut self, number: u64) -> Option<Opening> {
        // Numbers far apart, so that neighbours have nothing in common
        let mut random = fastrand::Rng::with_seed(self.recipe.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let first = self.recipe.start.first(&mut random)?;
        let plies = random.usize(self.recipe.plies.clone());
        let position = play_on(first, plies, &mut random)?;
        if position.is_check() || position.outcome().is_some() {
            return None;
        }
        let value = self.value(&position)?;
        self.recipe.range.contains(&value.abs()).then_some(Opening { position, value })
    }

    /// The value, unless a short look shows that it is far out of range.
    fn value(&mut self, position: &Position) -> Option<i32> {
        let far = 2 * self.recipe.range.end() + 50;
        if evaluate(position, &self.weights).abs() > far {
            return None;
        }
        // Nothing of earlier attempts may show
        self.memory = self.memory.take()?.cleared();
        let glance = self.search(position, GLANCE.min(self.recipe.nodes))?;
        if self.recipe.nodes <= GLANCE || glance.abs() > far {
            return (glance.abs() <= far).then_some(glance);
        }
        self.search(position, self.recipe.nodes)
    }

    fn search(&mut self, position: &Position, nodes: u64) -> Option<i32> {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let task = Task::new(*position, self.weights.clone(), limits);
        search(&task, self.memory.as_mut()?, &Signal::new(false), &mut |_| ()).map(|report| report.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recipe(range: RangeInclusive<i32>) -> Recipe {
        Recipe { start: Start::Initial, plies: 6..=8, range, nodes: 2000, seed: 5 }
    }

    #[test]
    fn an_attempt_depends_on_its_number_alone() {
        let (recipe, weights) = (recipe(0..=60), Arc::new(Weights::load("default").unwrap()));
        let cook = || Cook::new(&recipe, weights.clone()).unwrap();
        let shown = |opening: Option<Opening>| opening.map(|found| (found.position.to_string(), found.value));
        let mut one = cook();
        let there: Vec<_> = (0..40).map(|number| shown(one.attempt(number))).collect();
        let mut other = cook();
        let mut back: Vec<_> = (0..40).rev().map(|number| shown(other.attempt(number))).collect();
        back.reverse();
        assert_eq!(there, back);
        assert!(there.iter().flatten().count() > 3, "some succeed");
        assert!(there.iter().flatten().all(|(_, value)| value.abs() <= 60));
    }

    #[test]
    fn openings_can_be_wanted_lopsided() {
        let (recipe, weights) = (recipe(90..=160), Arc::new(Weights::load("default").unwrap()));
        let mut cook = Cook::new(&recipe, weights).unwrap();
        let found: Vec<Opening> = (0..200).filter_map(|number| cook.attempt(number)).collect();
        assert!(!found.is_empty() && found.iter().all(|opening| (90..=160).contains(&opening.value.abs())));
        assert!(found.iter().all(|opening| !opening.position.is_check()));
    }
}
