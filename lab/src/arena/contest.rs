//! Many games: the same opening twice with colours exchanged, pair after pair, several at once.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use chess::{ByColor, Color, Position};

use super::game::{Ending, Game, Winner, play};
use super::player::{Player, PlayerError};
use super::spec::EngineSpec;
use crate::stats::{Sprt, Tally, Verdict};

/// A match between two engines.
pub struct Contest<'a> {
    /// The engines; results are from the first one's view.
    pub engines: [&'a EngineSpec; 2],
    /// Where pairs begin, in this order and then again.
    pub openings: &'a [Position],
    /// How many pairs at most.
    pub pairs: usize,
    /// How many games at once.
    pub concurrency: usize,
    /// A test that may end the match.
    pub sprt: Option<Sprt>,
}

/// What a match has come to.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Won, drawn and lost by the first engine.
    pub wins: u64,
    /// Drawn games.
    pub draws: u64,
    /// Lost games.
    pub losses: u64,
    /// Pairs by points of the first engine.
    pub pairs: [u64; 5],
    /// Crashes, illegal moves, forfeits: pair, game and reason.
    pub incidents: Vec<String>,
}

impl Summary {
    /// The pairs, for statistics.
    pub fn tally(&self) -> Tally {
        Tally::Pairs(self.pairs)
    }

    fn add(&mut self, number: usize, games: &[(Game, Color); 2]) {
        let mut half_points = 0;
        for (game, first) in games {
            match game.ending.winner {
                Winner::Side(winner) if winner == *first => {
                    self.wins += 1;
                    half_points += 2;
                }
                Winner::Side(_) => self.losses += 1,
                Winner::Draw => {
                    self.draws += 1;
                    half_points += 1;
                }
            }
            if game.ending.is_incident {
                let names = &game.names;
                self.incidents
                    .push(format!("pair {number}, {} - {}: {}", names.white, names.black, game.ending.reason));
            }
        }
        self.pairs[half_points] += 1;
    }
}

/// Is told of each finished pair.
pub trait Progress: Send {
    /// A pair is over; its games, and what the match has come to.
    fn pair(&mut self, number: usize, games: [&Game; 2], summary: &Summary);
}

impl Contest<'_> {
    /// Plays until all pairs are played, the test is decided, or `is_stopped` says so.
    pub fn run(
        &self,
        progress: &mut dyn Progress,
        is_stopped: &(dyn Fn() -> bool + Sync),
    ) -> Result<Summary, PlayerError> {
        // An engine that does not start at all is an error, not a thousand lost games
        for spec in self.engines {
            Player::start(spec)?;
        }
        let shared = Mutex::new((Summary::default(), progress));
        let next = AtomicUsize::new(0);
        let is_decided = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for _ in 0..self.concurrency.clamp(1, self.pairs.max(1)) {
                scope.spawn(|| {
                    let mut players: [Option<Player>; 2] = [None, None];
                    while !is_stopped() && !is_decided.load(Ordering::Relaxed) {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= self.pairs {
                            break;
                        }
                        let games = self.play_pair(&self.openings[number % self.openings.len()], &mut players);
                        let mut guard = shared.lock().expect("nobody panics while counting");
                        let (summary, progress) = &mut *guard;
                        summary.add(number + 1, &games);
                        progress.pair(number + 1, [&games[0].0, &games[1].0], summary);
                        let decided = self
                            .sprt
                            .is_some_and(|sprt| sprt.verdict(sprt.llr(&summary.tally())) != Verdict::Undecided);
                        is_decided.fetch_or(decided, Ordering::Relaxed);
                    }
                });
            }
        });
        let (summary, _) = shared.into_inner().expect("nobody panics while counting");
        Ok(summary)
    }

    /// Two games from one opening, the first engine with White and then with Black.
    fn play_pair(&self, opening: &Position, players: &mut [Option<Player>; 2]) -> [(Game, Color); 2] {
        [Color::White, Color::Black].map(|first| (self.play_game(opening, first, players), first))
    }

    fn play_game(&self, opening: &Position, first: Color, players: &mut [Option<Player>; 2]) -> Game {
        let by_color = |values: [usize; 2]| match first {
            Color::White => ByColor { white: values[0], black: values[1] },
            Color::Black => ByColor { white: values[1], black: values[0] },
        };
        let places = by_color([0, 1]);
        let names =
            ByColor { white: self.engines[places.white].name.clone(), black: self.engines[places.black].name.clone() };
        let thinking =
            ByColor { white: self.engines[places.white].thinking, black: self.engines[places.black].thinking };
        for (place, player) in players.iter_mut().enumerate() {
            if player.is_none() {
                match Player::start(self.engines[place]) {
                    Ok(started) => *player = Some(started),
                    Err(error) => {
                        let loser = if place == 0 { first } else { !first };
                        let ending = Ending {
                            winner: Winner::Side(!loser),
                            reason: format!("{} loses: {error}", loser.fold_wb("White", "Black")),
                            is_incident: true,
                        };
                        return Game { opening: *opening, names, thinking, plies: Vec::new(), ending };
                    }
                }
            }
        }
        let [Some(a), Some(b)] = players else { unreachable!("both players were started") };
        let mut seats = match first {
            Color::White => ByColor { white: a, black: b },
            Color::Black => ByColor { white: b, black: a },
        };
        let game = play(opening, &mut seats, names, thinking);
        // After trouble both begin afresh
        if game.ending.is_incident {
            *players = [None, None];
        }
        game
    }
}
