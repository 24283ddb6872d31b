//! Who can be compared with whom: players connected by games, and among them those whose points go both ways.

use nalgebra::DMatrix;

use super::fit::Errors;
use super::meetings::Meetings;
use super::{Anchor, ELO_PER_LOGIT};

/// Players by what connects them.
pub(super) struct Groups {
    /// By player: any games connect the members.
    weak: Vec<usize>,
    /// By player: points connect the members in both directions, so that no rating can run away from the others.
    strong: Vec<usize>,
}

/// From where ratings are measured.
#[derive(Copy, Clone)]
pub(super) struct Home {
    pub(super) group: usize,
    pub(super) strong: usize,
}

impl Groups {
    pub(super) fn of(players: usize, meetings: &Meetings) -> Groups {
        let mut met = vec![Vec::new(); players];
        let mut scored = vec![Vec::new(); players];
        for meeting in meetings.iter() {
            let (first, second) = (meeting.first, meeting.second);
            met[first].push(second);
            met[second].push(first);
            let (games, points) = meeting.made();
            if points > 0.0 {
                scored[first].push(second);
            }
            if points < games {
                scored[second].push(first);
            }
        }
        let reach: Vec<Vec<bool>> = (0..players).map(|player| reached(player, &scored)).collect();
        let numbered = |is_together: &dyn Fn(usize, usize) -> bool| -> Vec<usize> {
            (0..players)
                .map(|player| (0..player).find(|&earlier| is_together(player, earlier)).unwrap_or(player))
                .collect()
        };
        let near: Vec<Vec<bool>> = (0..players).map(|player| reached(player, &met)).collect();
        Groups { weak: numbered(&|a, b| near[a][b]), strong: numbered(&|a, b| reach[a][b] && reach[b][a]) }
    }

    /// The group, called by its first player.
    pub(super) fn of_player(&self, player: usize) -> usize {
        self.weak[player]
    }

    /// The part of a group within which points go both ways, called by its first player.
    pub(super) fn strong_of(&self, player: usize) -> usize {
        self.strong[player]
    }

    /// Where the anchor is; without one, the largest group and the largest part of it.
    pub(super) fn home(&self, anchor: Anchor) -> Home {
        if let Anchor::Player { index, .. } = anchor {
            return Home { group: self.weak[index], strong: self.strong[index] };
        }
        let group = most_frequent(&self.weak);
        let inside = (0..self.weak.len()).filter(|&player| self.weak[player] == group);
        let parts: Vec<usize> = inside.map(|player| self.strong[player]).collect();
        Home { group, strong: most_frequent(&parts) }
    }

    /// How many ratings can be chosen freely: one less than players in each group.
    pub(super) fn free_ratings(&self) -> usize {
        (0..self.weak.len()).filter(|&player| self.weak[player] != player).count()
    }

    /// What each player's rating is measured from: the anchor, or the average of the own group.
    pub(super) fn placement(&self, anchor: Anchor, home: Home) -> Placement {
        let players = self.weak.len();
        let members = |group: usize| (0..players).filter(move |&player| self.weak[player] == group);
        let mut origin = DMatrix::zeros(players, players);
        for player in 0..players {
            match anchor {
                Anchor::Player { index, .. } if self.weak[player] == home.group => origin[(player, index)] = 1.0,
                _ => {
                    let share = 1.0 / members(self.weak[player]).count() as f64;
                    members(self.weak[player]).for_each(|member| origin[(player, member)] = share);
                }
            }
        }
        Placement {
            origin,
            home: members(home.group).collect(),
            outside: self.weak.iter().map(|&g| g != home.group).collect(),
        }
    }
}

/// Moves ratings to where they are measured from.
pub(super) struct Placement {
    /// By player (row), the average that is subtracted, as weights of players.
    origin: DMatrix<f64>,
    home: Vec<usize>,
    outside: Vec<bool>,
}

impl Placement {
    /// The ratings, measured from their origin, which is worth `elo`.
    pub(super) fn place(&self, ratings: &[f64], elo: f64) -> Vec<f64> {
        let average = |player: usize| self.origin.row(player).iter().zip(ratings).map(|(a, b)| a * b).sum::<f64>();
        let mut placed: Vec<f64> =
            ratings.iter().enumerate().map(|(player, rating)| rating - average(player) + elo).collect();
        // A group apart is as strong on average as the group at home
        let centre = self.home.iter().map(|&player| placed[player]).sum::<f64>() / self.home.len().max(1) as f64;
        for (rating, _) in placed.iter_mut().zip(&self.outside).filter(|(_, is_outside)| **is_outside) {
            *rating += centre - elo;
        }
        placed
    }

    /// The covariance of ratings so measured, in Elo².
    pub(super) fn covariance(&self, errors: &Errors) -> Vec<Vec<f64>> {
        let players = self.origin.nrows();
        let change = DMatrix::identity(players, players) - &self.origin;
        let moved = &change * errors.players() * change.transpose() * ELO_PER_LOGIT.powi(2);
        moved.row_iter().map(|row| row.iter().copied().collect()).collect()
    }
}

/// Who can be reached from a player along these ways, itself included.
fn reached(from: usize, ways: &[Vec<usize>]) -> Vec<bool> {
    let mut is_reached = vec![false; ways.len()];
    is_reached[from] = true;
    let mut open = vec![from];
    while let Some(player) = open.pop() {
        for &next in &ways[player] {
            if !std::mem::replace(&mut is_reached[next], true) {
                open.push(next);
            }
        }
    }
    is_reached
}

/// The number that comes most often; of several the smallest, of none 0.
fn most_frequent(numbers: &[usize]) -> usize {
    let count = |number: usize| numbers.iter().filter(|&&other| other == number).count();
    numbers.iter().copied().max_by_key(|&number| (count(number), std::cmp::Reverse(number))).unwrap_or(0)
}
