//! Whoever sits at the board: an engine in a process of its own, or ours inside this program.

use chess::{Position, Trail};

use super::own::OwnPlayer;
use super::player::{Answer, Host, Player, PlayerError, Waiting};
use super::spec::EngineSpec;

/// A player in a game.
pub(super) enum Seat {
    /// A process.
    Process(Box<Player>),
    /// Inside this program.
    Own(Box<OwnPlayer>),
}

/// What a player is asked.
pub(super) struct Question<'a> {
    pub(super) position: &'a Position,
    pub(super) trail: &'a Trail,
    /// The same in UCI.
    pub(super) command: &'a str,
    pub(super) go: &'a str,
    pub(super) waiting: Waiting<'a>,
}

impl Seat {
    /// Starts a player, inside this program if that is wanted and possible.
    pub(super) fn start(spec: &EngineSpec, host: &Host, in_process: bool) -> Result<Seat, PlayerError> {
        if in_process && OwnPlayer::can_play(spec) {
            Ok(Seat::Own(Box::new(OwnPlayer::start(spec)?)))
        } else {
            Ok(Seat::Process(Box::new(Player::start(spec, host)?)))
        }
    }

    /// Sets options.
    pub(super) fn set(&mut self, options: &[(String, String)]) -> Result<(), PlayerError> {
        match self {
            Seat::Process(player) => player.set(options),
            Seat::Own(player) => player.set(options),
        }
    }

    pub(super) fn new_game(&mut self) -> Result<(), PlayerError> {
        match self {
            Seat::Process(player) => player.new_game(),
            Seat::Own(player) => {
                player.new_game();
                Ok(())
            }
        }
    }

    /// The player's answer; none if the match is stopped meanwhile.
    pub(super) fn think(&mut self, question: &Question) -> Result<Option<Answer>, PlayerError> {
        match self {
            Seat::Process(player) => player.think(question.command, question.go, question.waiting),
            Seat::Own(player) => player.think(question.position, question.trail, question.waiting),
        }
    }
}
