//! One thread's player: it makes an opening for the number of a game and plays both sides.

use std::sync::Arc;

use chess::{Outcome, Position, Trail};
use engine::openings::{Cook, Recipe, Start};
use engine::{Limits, Memory, Signal, Tablebases, Task, Weights, search};
use thiserror::Error;

use super::Plan;
use crate::arena::{Winner, known_winner};
use crate::data::games::{Game, Ply, Reason};

/// So many attempts at the opening of a game, and there is none.
const ATTEMPTS: u64 = 1 << 12;

/// Why there is no game.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Error)]
pub enum DatagenError {
    /// Not enough memory, or no thread.
    #[error("there is no memory to play games; take fewer threads or a smaller --hash")]
    NoMemory,
    /// No random moves lead to an opening.
    #[error("no opening was found for game {0}; allow other --plies or a wider --range")]
    NoOpening(u64),
    /// The search ended in a bug.
    #[error("the search broke down in game {0}")]
    Broken(u64),
}

/// How two kinds of openings are made.
pub(super) struct Recipes {
    standard: Recipe,
    double: Recipe,
}

impl Recipes {
    pub(super) fn new(plan: &Plan) -> Recipes {
        Recipes { standard: plan.recipe(Start::Initial), double: plan.recipe(Start::DoubleChess960) }
    }
}

/// Plays games by a plan, on one thread with [`STACK`](engine::STACK) bytes of stack.
pub(super) struct Player<'a> {
    plan: &'a Plan,
    standard: Cook<'a>,
    double: Cook<'a>,
    tables: Option<&'a Tablebases>,
    /// What is searched next; weights and limits stay.
    task: Task,
    memory: Option<Memory>,
}

impl<'a> Player<'a> {
    pub(super) fn new(
        plan: &'a Plan,
        recipes: &'a Recipes,
        weights: &Arc<Weights>,
        tables: Option<&'a Tablebases>,
    ) -> Option<Player<'a>> {
        let limits = Limits { soft_nodes: Some(plan.nodes), ..Limits::default() };
        Some(Player {
            plan,
            standard: Cook::new(&recipes.standard, weights.clone())?,
            double: Cook::new(&recipes.double, weights.clone())?,
            tables,
            task: Task::new(Position::initial(), weights.clone(), limits),
            memory: Some(Memory::new(plan.hash)?),
        })
    }

    /// Plays the game of a number; none if it was stopped.
    pub(super) fn play(&mut self, number: u64, is_stopped: &dyn Fn() -> bool) -> Result<Option<Game>, DatagenError> {
        let start = self.opening(number).ok_or(DatagenError::NoOpening(number))?;
        let cleared = self.memory.take().and_then(Memory::cleared);
        let memory = self.memory.insert(cleared.ok_or(DatagenError::NoMemory)?);
        let task = &mut self.task;
        (task.position, task.trail) = (start, Trail::new());
        let mut plies = Vec::new();
        loop {
            if let Some((winner, reason)) = ending(self.plan, self.tables, task, &plies) {
                let game = Game::new(start, plies, winner, reason);
                return game.map(Some).map_err(|_| DatagenError::Broken(number));
            }
            if is_stopped() {
                return Ok(None);
            }
            let report = search(task, memory, &Signal::new(false), &mut |_| ()).ok_or(DatagenError::Broken(number))?;
            let mv = *report.line.first().ok_or(DatagenError::Broken(number))?;
            plies.push(Ply { mv, value: Some(report.value) });
            task.trail.push(&task.position);
            task.position.play(mv);
            // The whole game lies before the root, so a repetition is one by the rules: three occurrences
            task.trail.start_search();
        }
    }

    /// Where the game of a number begins.
    fn opening(&mut self, number: u64) -> Option<Position> {
        let mut random = fastrand::Rng::with_seed(self.plan.seed.rotate_left(32) ^ number);
        let cook = if random.u32(..100) < self.plan.dfrc { &mut self.double } else { &mut self.standard };
        let first = number.checked_mul(ATTEMPTS)?;
        (first..first + ATTEMPTS).find_map(|attempt| cook.attempt(attempt)).map(|opening| opening.position)
    }
}

/// How a game ends here, if it does: by the rules of chess, by tables, or by the plan.
fn ending(plan: &Plan, tables: Option<&Tablebases>, task: &Task, plies: &[Ply]) -> Option<(Winner, Reason)> {
    let position = &task.position;
    match position.outcome() {
        Some(Outcome::Checkmate { winner }) => return Some((Winner::Side(winner), Reason::Checkmate)),
        Some(Outcome::Stalemate) => return Some((Winner::Draw, Reason::Stalemate)),
        Some(Outcome::InsufficientMaterial) => return Some((Winner::Draw, Reason::InsufficientMaterial)),
        Some(Outcome::FiftyMoves) => return Some((Winner::Draw, Reason::FiftyMoves)),
        None => (),
    }
    if task.trail.is_repetition(position) {
        return Some((Winner::Draw, Reason::Repetition));
    }
    let known = tables.and_then(|tables| known_winner(tables, position));
    known.map(|winner| (winner, Reason::Tables)).or_else(|| plan.ending(position, plies))
}
