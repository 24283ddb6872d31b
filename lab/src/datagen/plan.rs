//! What games are wanted, and when they are called early.

use std::ops::RangeInclusive;

use chess::{Color, Position};
use engine::openings::{Recipe, Start};
use serde::{Deserialize, Serialize};

use crate::arena::Winner;
use crate::data::games::{Ply, Reason};

/// All that games depend on beside weights and endgame tables.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// What decides how games begin.
    pub seed: u64,
    /// After so many nodes no new iteration begins.
    pub nodes: u64,
    /// Megabytes of table.
    pub hash: usize,
    /// How many random moves are played first.
    pub plies: RangeInclusive<usize>,
    /// How far from level, in centipawns, a game may begin.
    pub range: i32,
    /// How many nodes look at where a game begins.
    pub opening_nodes: u64,
    /// How many games of a hundred begin with pieces of double Chess960.
    pub dfrc: u32,
    /// A game that both sides think decided is won.
    pub resign: Option<Adjudication>,
    /// A game that both sides think level is drawn.
    pub draw: Option<Adjudication>,
    /// After so many plies a game is drawn.
    pub longest: usize,
}

/// When both sides' values end a game.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
pub struct Adjudication {
    /// In centipawns: at least so much for a win, at most so much for a draw.
    pub value: i32,
    /// For so many plies in a row.
    pub plies: usize,
    /// Not before this ply of the game.
    pub after: usize,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan {
            seed: 1,
            nodes: 5000,
            hash: 4,
            plies: 8..=9,
            range: 200,
            opening_nodes: 1000,
            dfrc: 10,
            resign: Some(Adjudication { value: 1500, plies: 6, after: 0 }),
            draw: Some(Adjudication { value: 8, plies: 12, after: 80 }),
            longest: 600,
        }
    }
}

impl Plan {
    /// How openings are made.
    pub(super) fn recipe(&self, start: Start) -> Recipe {
        let (plies, range) = (self.plies.clone(), 0..=self.range);
        Recipe { start, plies, range, nodes: self.opening_nodes, seed: self.seed }
    }

    /// How the values of both sides, or the game's length, end it after these plies.
    pub(super) fn ending(&self, position: &Position, plies: &[Ply]) -> Option<(Winner, Reason)> {
        self.decided(position, plies)
            .map(|winner| (Winner::Side(winner), Reason::Decided))
            .or_else(|| self.is_level(plies).then_some((Winner::Draw, Reason::Level)))
            .or_else(|| (plies.len() >= self.longest).then_some((Winner::Draw, Reason::Length)))
    }

    /// Who wins, if both sides think so.
    fn decided(&self, position: &Position, plies: &[Ply]) -> Option<Color> {
        let rule = self.resign?;
        let mut last = rule.last(plies)?;
        let is_won = |value: Option<i32>| value.is_some_and(|value| value >= rule.value);
        let is_lost = |value: Option<i32>| value.is_some_and(|value| value <= -rule.value);
        // The side that has just moved wins, or the other
        let latest = plies.last()?.value;
        let mover_wins = if is_won(latest) {
            true
        } else if is_lost(latest) {
            false
        } else {
            return None;
        };
        let agrees = |(back, ply): (usize, &Ply)| {
            if (back % 2 == 0) == mover_wins { is_won(ply.value) } else { is_lost(ply.value) }
        };
        let winner = if mover_wins { !position.turn() } else { position.turn() };
        last.all(agrees).then_some(winner)
    }

    fn is_level(&self, plies: &[Ply]) -> bool {
        let Some(rule) = self.draw else { return false };
        let is_near = |ply: &Ply| ply.value.is_some_and(|value| value.abs() <= rule.value);
        rule.last(plies).is_some_and(|mut last| last.all(|(_, ply)| is_near(ply)))
    }
}

impl Adjudication {
    /// The plies that count, the last one first; none if it is too early.
    fn last<'a>(&self, plies: &'a [Ply]) -> Option<impl Iterator<Item = (usize, &'a Ply)> + use<'a>> {
        let is_time = plies.len() >= self.plies.max(self.after).max(1);
        is_time.then(|| plies.iter().rev().take(self.plies.max(1)).enumerate())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Knights go out and back; each move with a value of its side.
    fn ending(plan: &Plan, values: &[i32]) -> Option<(Winner, Reason)> {
        let mut position = Position::initial();
        let moves = ["g1f3", "g8f6", "f3g1", "f6g8"];
        let plies: Vec<Ply> = (values.iter().zip(moves.iter().cycle()))
            .map(|(&value, text)| {
                let mv = position.parse_uci(text).unwrap();
                position.play(mv);
                Ply { mv, value: Some(value) }
            })
            .collect();
        plan.ending(&position, &plies)
    }

    #[test]
    fn a_game_is_decided_when_both_sides_think_so_for_long_enough() {
        let resign = Some(Adjudication { value: 1000, plies: 4, after: 0 });
        let plan = Plan { resign, draw: None, ..Plan::default() };
        let won = |color| Some((Winner::Side(color), Reason::Decided));
        assert_eq!(ending(&plan, &[1000, -1000, 2000, -31_000]), won(Color::White));
        assert_eq!(ending(&plan, &[0, 1000, -1000, 2000, -31_000]), won(Color::Black));
        assert_eq!(ending(&plan, &[-1000, 1000, -1200, 1000]), won(Color::Black));
        assert_eq!(ending(&plan, &[-1000, 1000, -1200]), None, "too early");
        assert_eq!(ending(&plan, &[1000, -1000, 2000, -999]), None, "one side hopes");
        assert_eq!(ending(&plan, &[1000, 1000, 2000, 1000]), None, "both cannot win");
        let never = Plan { resign: None, ..plan };
        assert_eq!(ending(&never, &[1000, -1000, 2000, -31_000]), None);
    }

    #[test]
    fn a_game_is_drawn_when_it_is_level_for_long_or_takes_too_long() {
        let draw = Some(Adjudication { value: 5, plies: 3, after: 6 });
        let plan = Plan { resign: None, draw, longest: 8, ..Plan::default() };
        let level = Some((Winner::Draw, Reason::Level));
        assert_eq!(ending(&plan, &[0, 0, 0, 0, 0]), None, "too early");
        assert_eq!(ending(&plan, &[90, 0, 60, 5, -5, 0]), level);
        assert_eq!(ending(&plan, &[90, 0, 60, 5, -6, 0]), None, "not for long enough");
        assert_eq!(ending(&plan, &[50; 8]), Some((Winner::Draw, Reason::Length)));
        assert_eq!(ending(&plan, &[]), None);
    }
}
