//! What a contest has come to: results by pairing, and what went wrong.

use std::collections::HashMap;

use chess::{ByColor, Color};

use super::game::Winner;
use super::schedule::{Place, Schedule};
use crate::stats::Tally;

/// Results of one pairing, from its first engine's view.
#[derive(Clone, Debug, Default)]
pub struct Score {
    /// Won games.
    pub wins: u64,
    /// Drawn games.
    pub draws: u64,
    /// Lost games.
    pub losses: u64,
    /// Whole pairs by points.
    pub pairs: [u64; 5],
    /// Games won by White, drawn, and won by Black when the first engine had White, and when it had Black.
    pub by_color: ByColor<[u64; 3]>,
}

impl Score {
    /// The whole pairs, for statistics.
    pub fn tally(&self) -> Tally {
        Tally::Pairs(self.pairs)
    }

    /// All games, those of unfinished pairs too.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }
}

/// How a game went, as far as standings care.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Which game.
    pub place: Place,
    /// Who won.
    pub winner: Winner,
    /// What went wrong, if something did.
    pub incident: Option<String>,
}

impl Outcome {
    /// For the first engine of the pairing: 1 if it won, -1 if it lost, 0 for a draw.
    pub fn for_first(&self) -> i64 {
        match self.winner {
            Winner::Side(winner) if winner == Schedule::color_of_first(self.place) => 1,
            Winner::Side(_) => -1,
            Winner::Draw => 0,
        }
    }
}

/// The results of a contest so far.
#[derive(Clone, Debug)]
pub struct Standings {
    schedule: Schedule,
    scores: Vec<Score>,
    /// Half points of the first engine in pairs of which one game is over.
    halves: HashMap<usize, usize>,
    incidents: Vec<String>,
    incident_count: u64,
}

/// More incidents than this are only counted.
const MOST_INCIDENTS: usize = 1000;

impl Standings {
    /// Nothing played yet.
    pub fn new(schedule: Schedule) -> Standings {
        let scores = vec![Score::default(); schedule.pairings().len()];
        Standings { schedule, scores, halves: HashMap::new(), incidents: Vec::new(), incident_count: 0 }
    }

    /// Who plays whom.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// The results, pairing by pairing.
    pub fn scores(&self) -> &[Score] {
        &self.scores
    }

    /// How many games are over.
    pub fn games(&self) -> u64 {
        self.scores.iter().map(Score::games).sum()
    }

    /// How many pairs are over.
    pub fn pairs(&self) -> u64 {
        self.scores.iter().flat_map(|score| score.pairs).sum()
    }

    /// Crashes, illegal moves, forfeits, the first thousand of them.
    pub fn incidents(&self) -> &[String] {
        &self.incidents
    }

    /// How many incidents there were.
    pub fn incident_count(&self) -> u64 {
        self.incident_count
    }

    /// Counts a game and says whether its pair is now whole.
    pub fn add(&mut self, outcome: &Outcome) -> bool {
        let place = outcome.place;
        let first = Schedule::color_of_first(place);
        let score = &mut self.scores[self.schedule.pairing(place.pair)];
        let half_points = match outcome.for_first() {
            1 => {
                score.wins += 1;
                2
            }
            0 => {
                score.draws += 1;
                1
            }
            _ => {
                score.losses += 1;
                0
            }
        };
        let kind = match outcome.winner {
            Winner::Side(Color::White) => 0,
            Winner::Draw => 1,
            Winner::Side(Color::Black) => 2,
        };
        score.by_color.get_mut(first)[kind] += 1;
        if let Some(incident) = &outcome.incident {
            self.incident_count += 1;
            if self.incidents.len() < MOST_INCIDENTS {
                self.incidents.push(incident.clone());
            }
        }
        match self.halves.remove(&place.pair) {
            Some(other) => {
                score.pairs[half_points + other] += 1;
                true
            }
            None => {
                self.halves.insert(place.pair, half_points);
                false
            }
        }
    }
}
