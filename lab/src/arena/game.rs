//! One game, refereed: clocks, rules, and what happens when an engine breaks them.

use std::fmt::{self, Write as _};
use std::time::Duration;

use chess::{ByColor, CastlingMode, Color, Move, Outcome, Position, Trail};

use super::clock::{Clock, go};
use super::info::Score;
use super::player::{PlayerError, Waiting};
use super::rules::Rules;
use super::seat::{Question, Seat};
use super::spec::Thinking;

/// Who won.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Winner {
    /// White or Black.
    Side(Color),
    /// Nobody.
    Draw,
}

impl Winner {
    /// All of them.
    pub const ALL: [Winner; 3] = [Winner::Side(Color::White), Winner::Side(Color::Black), Winner::Draw];
}

/// As PGN writes results.
impl fmt::Display for Winner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Winner::Side(Color::White) => "1-0",
            Winner::Side(Color::Black) => "0-1",
            Winner::Draw => "1/2-1/2",
        })
    }
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

/// Plays a game from an opening. None if the match was stopped meanwhile.
pub(super) fn play(
    opening: &Position,
    players: &mut ByColor<&mut Seat>,
    names: ByColor<String>,
    thinking: ByColor<Thinking>,
    mode: CastlingMode,
    rules: &Rules,
    is_stopped: &dyn Fn() -> bool,
) -> Option<Game> {
    let clock = |thinking| Clock::new(thinking, rules.margin, rules.patience);
    let mut referee = Referee {
        rules,
        position: *opening,
        trail: Trail::new(),
        mode,
        command: format!("position fen {opening}"),
        clocks: ByColor { white: clock(thinking.white), black: clock(thinking.black) },
        plies: Vec::new(),
    };
    let ending = referee.run(players, is_stopped)?;
    Some(Game { opening: *opening, names, thinking, plies: referee.plies, ending })
}

struct Referee<'a> {
    rules: &'a Rules,
    position: Position,
    trail: Trail,
    mode: CastlingMode,
    command: String,
    clocks: ByColor<Clock>,
    plies: Vec<Ply>,
}

impl Referee<'_> {
    fn run(&mut self, players: &mut ByColor<&mut Seat>, is_stopped: &dyn Fn() -> bool) -> Option<Ending> {
        loop {
            if let Some(ending) = self.ending() {
                return Some(ending);
            }
            if is_stopped() {
                return None;
            }
            let turn = self.position.turn();
            match self.one_move(turn, players.get_mut(turn), is_stopped) {
                Ok(true) => (),
                Ok(false) => return None,
                Err(ending) => return Some(ending),
            }
        }
    }

    /// Asks for a move and plays it, or says why the game is over. False if the match was stopped meanwhile.
    fn one_move(&mut self, turn: Color, player: &mut Seat, is_stopped: &dyn Fn() -> bool) -> Result<bool, Ending> {
        let clock = self.clocks.get(turn);
        let question = Question {
            position: &self.position,
            trail: &self.trail,
            command: &self.command,
            go: &go(&self.clocks, turn),
            waiting: Waiting { limit: clock.patience(), is_timed: clock.is_timed(), is_stopped },
        };
        let answered = player.think(&question).map_err(|error| match error {
            PlayerError::Silent(..) if clock.is_timed() => lost(turn, "the time is over"),
            other => lost(turn, &other.to_string()),
        })?;
        let Some(answer) = answered else { return Ok(false) };
        if !self.clocks.get_mut(turn).charge(answer.time) {
            return Err(lost(turn, "the time is over"));
        }
        let mv = self
            .position
            .parse_uci(&answer.best_move)
            .map_err(|error| lost(turn, &format!("an illegal move: {error}")))?;
        if self.plies.is_empty() {
            self.command.push_str(" moves");
        }
        let _ = write!(self.command, " {}", mv.uci(self.mode));
        self.trail.push(&self.position);
        self.position.play(mv);
        // The whole game lies before the root, so a repetition is one by the rules: three occurrences
        self.trail.start_search();
        self.plies.push(Ply { mv, score: answer.score, depth: answer.depth, time: answer.time });
        Ok(true)
    }

    /// How the game ended, if the rules of chess or the referee's say so.
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
        self.rules.ending(&self.position, &self.plies)
    }
}

/// A game lost by a breakdown or a broken rule.
pub(super) fn lost(loser: Color, reason: &str) -> Ending {
    let reason = format!("{} loses: {reason}", loser.fold_wb("White", "Black"));
    Ending { winner: Winner::Side(!loser), reason, is_incident: true }
}
