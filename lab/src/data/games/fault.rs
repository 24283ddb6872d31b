//! What can be wrong with games and their files.

use chess::FenError;
use thiserror::Error;

/// What is wrong with a file of games.
#[derive(Clone, Eq, PartialEq, Debug, Error)]
pub enum FileFault {
    /// It begins otherwise.
    #[error("is not a file of games")]
    NotGames,
    /// A format of the future.
    #[error("is written in version {0} of the format, which this program does not know")]
    Version(u8),
    /// The head does not fit its checksum, or ends too early.
    #[error("has a damaged head and cannot be used")]
    Head,
    /// It ends within a game, as after a kill or while it is being written. The games before are whole.
    #[error("ends in the middle of game {0}; the games before are whole")]
    Torn(u64),
    /// A game does not fit its checksum, or says that it is longer than any.
    #[error("is damaged at game {0}; the games before are whole")]
    Damaged(u64),
    /// A game fits its checksum, but is none.
    #[error("is damaged at game {0}: {1}")]
    Game(u64, GameFault),
}

/// What is wrong with a game.
#[derive(Clone, Eq, PartialEq, Debug, Error)]
pub enum GameFault {
    /// It ends too early.
    #[error("its bytes end too early")]
    Short,
    /// It goes on behind its last ply.
    #[error("bytes follow its last ply")]
    Long,
    /// It has more plies than any.
    #[error("it is longer than any game")]
    TooLong,
    /// A result or reason that is not known.
    #[error("its result or reason is not known")]
    Ending,
    /// A piece that is none.
    #[error("there is no piece of number {0}")]
    Piece(u8),
    /// Pieces that cannot stand so.
    #[error("it begins with no position: {0}")]
    Start(#[from] FenError),
    /// Bits that are no move, or a move that is not legal.
    #[error("the move of ply {0} is not legal")]
    Move(u64),
    /// A value that is out of range.
    #[error("the value of ply {0} is out of range")]
    Value(u64),
}
