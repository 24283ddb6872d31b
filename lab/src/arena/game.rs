//! One game, refereed: clocks, rules, and what happens when an engine breaks them.

use std::time::Duration;

use chess::{ByColor, CastlingMode, Color, Move, Outcome, Position, Trail};

use super::info::Score;
use super::player::{Player, PlayerError};
use super::spec::Thinking;

/// Longer games are called a draw.
const LONGEST: usize = 1000;
/// What an engine without a clock may take before it counts as stalled.
const STALL: Duration = Duration::from_secs(60);

/// Who won.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Winner {
    /// White or Black.
    Side(Color),
    /// Nobody.
    Draw,
}

/// How a game ended.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Ending {
    /// Who won.
    pub winner: Winner,
    /// Why, in words.
    pub reason: String,
    /// Whether an engine broke down or broke a rule.
    pub is_incident: bool,
}

/// A move as it was played.
#[derive(Clone, Debug)]
pub struct Ply {
    /// The move.
    pub mv: Move,
    /// What the engine said of it, in its own view.
    pub score: Option<Score>,
    /// How deep it searched.
    pub depth: u32,
    /// How long it took.
    pub time: Duration,
}

/// A game that was played.
#[derive(Clone, Debug)]
pub struct Game {
    /// Where it began.
    pub opening: Position,
    /// The players' names.
    pub names: ByColor<String>,
    /// How they thought.
    pub thinking: ByColor<Thinking>,
    /// The moves.
    pub plies: Vec<Ply>,
    /// How it ended.
    pub ending: Ending,
}

/// The clocks of a game.
struct Clock {
    thinking: Thinking,
    left: Duration,
}

impl Clock {
    fn new(thinking: Thinking) -> Clock {
        let left = match thinking {
            Thinking::Clock { time, .. } => time,
            _ => STALL,
        };
        Clock { thinking, left }
    }

    /// Takes the time of a move off the clock and says whether it was too long.
    fn charge(&mut self, time: Duration) -> bool {
        if let Thinking::Clock { increment, .. } = self.thinking {
            let is_over = time > self.left;
            self.left = self.left.saturating_sub(time) + increment;
            return is_over;
        }
        time > STALL
    }

    /// How long to wait for a move: past the clock, so that its end is the referee's to call.
    fn patience(&self) -> Duration {
        self.left + Duration::from_secs(5)
    }
}

/// Plays a game from an opening.
pub(super) fn play(
    opening: &Position,
    players: &mut ByColor<&mut Player>,
    names: ByColor<String>,
    thinking: ByColor<Thinking>,
) -> Game {
    let mut referee = Referee {
        position: *opening,
        trail: Trail::new(),
        mode: opening.castling_mode(),
        command: format!("position fen {opening}"),
        clocks: ByColor { white: Clock::new(thinking.white), black: Clock::new(thinking.black) },
        plies: Vec::new(),
    };
    let ending = referee.run(players);
    Game { opening: *opening, names, thinking, plies: referee.plies, ending }
}

struct Referee {
    position: Position,
    trail: Trail,
    mode: CastlingMode,
    command: String,
    clocks: ByColor<Clock>,
    plies: Vec<Ply>,
}

impl Referee {
    fn run(&mut self, players: &mut ByColor<&mut Player>) -> Ending {
        for (color, player) in [(Color::White, &mut players.white), (Color::Black, &mut players.black)] {
            if let Err(error) = player.new_game() {
                return lost(color, &error.to_string());
            }
        }
        loop {
            if let Some(ending) = self.ending() {
                return ending;
            }
            let turn = self.position.turn();
            if let Err(ending) = self.one_move(turn, players.get_mut(turn)) {
                return ending;
            }
        }
    }

    /// Asks for a move and plays it, or says why the game is over.
    fn one_move(&mut self, turn: Color, player: &mut Player) -> Result<(), Ending> {
        let (go, patience) = (self.go(), self.clocks.get(turn).patience());
        let answer = player.think(&self.command, &go, patience).map_err(|error| match error {
            PlayerError::Silent(..) => lost(turn, "the time is over"),
            other => lost(turn, &other.to_string()),
        })?;
        if self.clocks.get_mut(turn).charge(answer.time) {
            return Err(lost(turn, "the time is over"));
        }
        let mv = self
            .position
            .parse_uci(&answer.best_move)
            .map_err(|error| lost(turn, &format!("an illegal move: {error}")))?;
        if self.plies.is_empty() {
            self.command.push_str(" moves");
        }
        self.command.push_str(&format!(" {}", mv.uci(self.mode)));
        self.trail.push(&self.position);
        self.position.play(mv);
        // The whole game lies before the root, so a repetition is one by the rules: three occurrences
        self.trail.start_search();
        self.plies.push(Ply { mv, score: answer.score, depth: answer.depth, time: answer.time });
        Ok(())
    }

    /// How the game ended, if the rules say so.
    fn ending(&self) -> Option<Ending> {
        let over = |winner, reason: &str| Some(Ending { winner, reason: reason.to_owned(), is_incident: false });
        match self.position.outcome() {
            Some(Outcome::Checkmate { winner }) => return over(Winner::Side(winner), "checkmate"),
            Some(Outcome::Stalemate) => return over(Winner::Draw, "stalemate"),
            Some(Outcome::InsufficientMaterial) => return over(Winner::Draw, "insufficient material"),
            Some(Outcome::FiftyMoves) => return over(Winner::Draw, "fifty moves"),
            None => (),
        }
        if self.trail.is_repetition(&self.position) {
            return over(Winner::Draw, "threefold repetition");
        }
        if self.plies.len() >= LONGEST { over(Winner::Draw, "too many moves") } else { None }
    }

    fn go(&self) -> String {
        let clock = self.clocks.get(self.position.turn());
        match clock.thinking {
            Thinking::Clock { .. } => {
                let (white, black) = (&self.clocks.white, &self.clocks.black);
                let time = |clock: &Clock| clock.left.as_millis();
                let increment = |clock: &Clock| match clock.thinking {
                    Thinking::Clock { increment, .. } => increment.as_millis(),
                    _ => 0,
                };
                let clocks = format!("go wtime {} btime {}", time(white), time(black));
                format!("{clocks} winc {} binc {}", increment(white), increment(black))
            }
            other => other.go(),
        }
    }
}

fn lost(loser: Color, reason: &str) -> Ending {
    let reason = format!("{} loses: {reason}", loser.fold_wb("White", "Black"));
    Ending { winner: Winner::Side(!loser), reason, is_incident: true }
}
