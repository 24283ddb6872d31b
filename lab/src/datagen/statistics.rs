//! What games are like, all in all.

use std::collections::BTreeMap;

use chess::{Color, Role};
use serde_json::{Value, json};

use super::distinct::Distinct;
use crate::arena::Winner;
use crate::data::games::{Game, Reason};

/// Queens count 4, rooks 2, knights and bishops 1; all of them together are 24.
const PHASES: u32 = 24;

/// Counts over games and their positions. Positions are those in which a move was made.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// How many games.
    pub games: u64,
    /// How many positions.
    pub positions: u64,
    results: [u64; 3],
    reasons: [u64; Reason::ALL.len()],
    /// Games by their length in plies.
    lengths: BTreeMap<usize, u64>,
    /// Positions by phase, from bare kings to all pieces.
    phases: [u64; PHASES as usize + 1],
    men: u64,
    pawns: u64,
    checks: u64,
    values: u64,
    repeats: Distinct,
    openings: Distinct,
}

impl Statistics {
    /// Counts a game.
    pub fn add(&mut self, game: &Game) {
        self.games += 1;
        self.positions += game.plies().len() as u64;
        self.results[place(game.result())] += 1;
        self.reasons[usize::from(game.reason().code())] += 1;
        *self.lengths.entry(game.plies().len()).or_insert(0) += 1;
        self.openings.add(game.start().keys().full());
        for step in game.positions() {
            let position = &step.position;
            let count = |role| position.by_role(role).count() as u32;
            let phase = 4 * count(Role::Queen) + 2 * count(Role::Rook) + count(Role::Bishop) + count(Role::Knight);
            self.phases[phase.min(PHASES) as usize] += 1;
            self.men += position.occupied().count() as u64;
            self.pawns += u64::from(count(Role::Pawn));
            self.checks += u64::from(position.is_check());
            self.values += u64::from(step.value.map_or(0, |value| value.unsigned_abs().min(2000)));
            self.repeats.add(position.keys().full());
        }
    }

    /// How many games ended so.
    pub fn result(&self, winner: Winner) -> u64 {
        self.results[place(winner)]
    }

    /// Why games ended, and how many of them; the most common reason first.
    pub fn reasons(&self) -> Vec<(Reason, u64)> {
        let mut reasons: Vec<_> = Reason::ALL.into_iter().zip(self.reasons).filter(|&(_, count)| count > 0).collect();
        reasons.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        reasons
    }

    /// The length that a share of the games does not exceed, in plies.
    pub fn length(&self, share: f64) -> usize {
        let mut games = 0;
        let reached = self.lengths.iter().find(|&(_, &count)| {
            games += count;
            games as f64 >= share * self.games as f64
        });
        reached.map_or(0, |(&length, _)| length)
    }

    /// Shares of the positions in four parts, from all pieces on the board to few.
    pub fn phases(&self) -> [f64; 4] {
        let part = |from: usize, to: usize| self.share(self.phases[from..=to].iter().sum());
        [part(19, 24), part(13, 18), part(7, 12), part(0, 6)]
    }

    /// Men on the board on average, kings and pawns too.
    pub fn men(&self) -> f64 {
        self.share(self.men)
    }

    /// Pawns on the board on average.
    pub fn pawns(&self) -> f64 {
        self.share(self.pawns)
    }

    /// Which share of the positions is in check.
    pub fn checks(&self) -> f64 {
        self.share(self.checks)
    }

    /// How far from level values are on average, in centipawns; more than 2000 count as 2000.
    pub fn mean_value(&self) -> f64 {
        self.share(self.values)
    }

    /// Which share of the positions had occurred before, in the same or another game.
    pub fn repeated_positions(&self) -> f64 {
        self.repeats.repeated()
    }

    /// Which share of the games began where another one did.
    pub fn repeated_openings(&self) -> f64 {
        self.openings.repeated()
    }

    fn share(&self, count: u64) -> f64 {
        count as f64 / self.positions.max(1) as f64
    }

    /// For scripts.
    pub fn to_json(&self) -> Value {
        let reasons: serde_json::Map<String, Value> =
            self.reasons().into_iter().map(|(reason, count)| (reason.to_string(), json!(count))).collect();
        json!({
            "games": self.games,
            "positions": self.positions,
            "white_wins": self.result(Winner::Side(Color::White)),
            "draws": self.result(Winner::Draw),
            "black_wins": self.result(Winner::Side(Color::Black)),
            "reasons": reasons,
            "length": {
                "mean": self.positions as f64 / self.games.max(1) as f64,
                "shortest": self.length(0.0),
                "tenth": self.length(0.1),
                "median": self.length(0.5),
                "nine_tenths": self.length(0.9),
                "longest": self.length(1.0),
            },
            "phases": self.phases(),
            "men": self.men(),
            "pawns": self.pawns(),
            "in_check": self.checks(),
            "mean_value": self.mean_value(),
            "repeated_positions": self.repeated_positions(),
            "repeated_openings": self.repeated_openings(),
        })
    }
}

fn place(winner: Winner) -> usize {
    match winner {
        Winner::Side(Color::White) => 0,
        Winner::Draw => 1,
        Winner::Side(Color::Black) => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::games::Ply;
    use chess::Position;

    fn game(moves: &str, result: Winner, reason: Reason) -> Game {
        let mut position = Position::initial();
        let plies = moves.split(' ').map(|text| {
            let mv = position.parse_uci(text).unwrap();
            position.play(mv);
            Ply { mv, value: Some(-100) }
        });
        Game::new(Position::initial(), plies.collect(), result, reason).unwrap()
    }

    #[test]
    fn games_are_counted() {
        let mut statistics = Statistics::default();
        assert_eq!(statistics.length(0.5), 0);
        let white = Winner::Side(Color::White);
        statistics.add(&game("e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7", white, Reason::Checkmate));
        statistics.add(&game("e2e4 e7e5 g1f3 b8c6", Winner::Draw, Reason::Length));
        statistics.add(&game("g1f3 g8f6 f3g1 f6g8", Winner::Draw, Reason::Length));
        assert_eq!((statistics.games, statistics.positions), (3, 15));
        assert_eq!((statistics.result(white), statistics.result(Winner::Draw)), (1, 2));
        assert_eq!(statistics.reasons(), [(Reason::Length, 2), (Reason::Checkmate, 1)]);
        assert_eq!([0.1, 0.5, 1.0].map(|share| statistics.length(share)), [4, 4, 7]);
        assert_eq!(statistics.phases(), [1.0, 0.0, 0.0, 0.0]);
        assert_eq!((statistics.men(), statistics.pawns(), statistics.checks()), (32.0, 16.0, 0.0));
        assert_eq!(statistics.mean_value(), 100.0);
        // The initial position three times, and two positions after 1. e4 twice
        assert!((statistics.repeated_positions() - 4.0 / 15.0).abs() < 1e-9);
        assert!((statistics.repeated_openings() - 2.0 / 3.0).abs() < 1e-9);
        assert_eq!(statistics.to_json()["reasons"]["too long"], 2);
    }
}
