//! What reviews come to, game by game and for a whole file.

use chess::ByColor;

use super::annotate::in_a_line;
use super::review::{Grade, Review, sides};

/// One side of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct SideCount {
    /// Its moves.
    pub moves: usize,
    /// Centipawns that it lost a move, on average.
    pub average_loss: f64,
    /// Inaccuracies, mistakes and blunders.
    pub grades: [usize; 3],
}

/// How much of what was lost is due to a reason.
#[derive(Clone, PartialEq, Debug)]
pub struct Blame {
    /// The reason.
    pub name: String,
    /// In how many graded moves it is among the reasons.
    pub moves: usize,
    /// In how many of these it is the largest.
    pub first: usize,
    /// Centipawns that it makes in all.
    pub cp: i64,
}

/// What several reviews come to.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Games that were reviewed.
    pub games: usize,
    /// Their moves.
    pub moves: usize,
    /// Centipawns that were lost in all.
    pub loss: i64,
    /// Inaccuracies, mistakes and blunders.
    pub grades: [usize; 3],
    /// The reasons, the one that made most first.
    pub blames: Vec<Blame>,
}

impl Review {
    /// Both sides of the game.
    pub fn sides(&self) -> ByColor<SideCount> {
        sides(|color| SideCount {
            moves: self.judgements.iter().filter(|found| found.color == color).count(),
            average_loss: self.average_loss(color),
            grades: Grade::ALL.map(|grade| self.count(color, grade)),
        })
    }

    /// Who played whom.
    pub fn players(&self) -> (&str, &str) {
        (self.sheet.tag("White").unwrap_or("?"), self.sheet.tag("Black").unwrap_or("?"))
    }

    /// The graded moves, the most costly first, each in a line.
    pub fn mistakes(&self) -> Vec<String> {
        let mut graded: Vec<_> =
            self.sheet.plies.iter().zip(&self.judgements).filter(|(_, found)| found.grade.is_some()).collect();
        graded.sort_by_key(|(_, found)| -found.loss);
        graded.iter().map(|(ply, found)| in_a_line(&ply.position, found)).collect()
    }
}

impl Summary {
    /// Takes a review in.
    pub fn add(&mut self, review: &Review) {
        self.games += 1;
        self.moves += review.judgements.len();
        for judgement in &review.judgements {
            self.loss += i64::from(judgement.loss);
            if let Some(grade) = judgement.grade {
                self.grades[grade as usize] += 1;
            }
            for (place, reason) in judgement.reasons.iter().enumerate() {
                // Whose it is does not matter over many games
                let name = reason.kind.clone();
                let blame = match self.blames.iter_mut().position(|blame| blame.name == name) {
                    Some(known) => &mut self.blames[known],
                    None => {
                        self.blames.push(Blame { name, moves: 0, first: 0, cp: 0 });
                        let last = self.blames.len() - 1;
                        &mut self.blames[last]
                    }
                };
                blame.moves += 1;
                blame.first += usize::from(place == 0);
                blame.cp += i64::from(reason.cp);
            }
        }
        self.blames.sort_by_key(|blame| -blame.cp);
    }

    /// Centipawns lost a move, on average.
    pub fn average_loss(&self) -> f64 {
        self.loss as f64 / self.moves.max(1) as f64
    }
}
