//! Why a move: the evaluation here, at the end of the move's line, and at the end of another move's line, and what changes
//! between them, by term and square. Every figure is the trace's, in whole centipawns, and all of them add up.

mod apportion;
mod change;
mod motif;
mod path;
mod story;
mod words;

use std::sync::Arc;

use chess::{Color, Move, Position, Trail};
use engine::{Limits, Memory, Tablebases, Trace, Weights};
use thiserror::Error;

pub use apportion::apportion;
pub use change::{Change, Place, Shift};
pub use path::{Path, Verdict};
pub use story::{Reason, pawns, reasons, tell};
pub use words::{reason_of, reasons_known, score_in_words};

pub(crate) use path::{Guide, line_in_san};

/// What is asked.
pub struct Question<'a> {
    /// The position.
    pub position: Position,
    /// The evaluation.
    pub weights: Arc<Weights>,
    /// How long each move is searched.
    pub limits: Limits,
    /// The move to be explained; the best one if none is named.
    pub mv: Option<Move>,
    /// The move that it is compared with.
    pub against: Option<Move>,
    /// Endgame tables, if there are any.
    pub tablebases: Option<Arc<Tablebases>>,
    /// Megabytes for the search's table.
    pub hash: usize,
    /// Asked after each iteration: whether to make do with what is found.
    pub is_stopped: &'a (dyn Fn() -> bool + Sync),
}

/// Why nothing can be explained.
#[derive(Clone, Eq, PartialEq, Debug, Error)]
pub enum ExplainError {
    /// The game is over.
    #[error("there is no move to explain: the game is over ({0})")]
    Over(&'static str),
    /// A move compared with itself.
    #[error("{0} cannot be compared with itself; name another move to compare it with")]
    Same(String),
    /// There is nothing else to play.
    #[error("{0} is the only legal move, so there is nothing to compare it with")]
    Only(String),
    /// No memory for the search.
    #[error("{0} MB of memory for the search cannot be had; ask for less")]
    Memory(usize),
    /// The thread for the search cannot be started.
    #[error("the search cannot be started: {0}")]
    Thread(String),
}

/// The answer.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The position.
    pub position: Position,
    /// The evaluation here.
    pub here: Trace,
    /// The move and where it leads.
    pub chosen: Path,
    /// From here to the end of its line.
    pub gain: Change,
    /// The other move and where it leads, and from the end of its line to the end of the chosen one's.
    pub rival: Option<(Path, Change)>,
    /// Whether the move was asked for; if not, it is the best one.
    pub is_asked: bool,
    /// Whether the other move turned out to be the best one, so that the next best was put beside it.
    pub is_rival_best: bool,
}

impl Explanation {
    /// The side whose view all values are: the one to move.
    pub fn view(&self) -> Color {
        self.position.turn()
    }

    /// What a chess player is told.
    pub fn sentences(&self) -> Vec<String> {
        tell(self)
    }
}

/// Searches and explains. The search gets a thread of its own, with the stack that it needs.
pub fn explain(question: &Question) -> Result<Explanation, ExplainError> {
    let position = &question.position;
    if let Some(over) = Trace::of(position, &question.weights).outcome {
        return Err(ExplainError::Over(over));
    }
    if let Some(mv) = question.mv.filter(|_| question.mv == question.against) {
        return Err(ExplainError::Same(position.san(mv)));
    }
    let legal = position.legal_moves();
    if let (Some(&mv), 1, true) = (legal.first(), legal.len(), question.against.is_some()) {
        return Err(ExplainError::Only(position.san(mv)));
    }
    let memory = Memory::new(question.hash).ok_or(ExplainError::Memory(question.hash))?;
    std::thread::scope(|scope| {
        let work = move || answer(question, memory);
        let thread = std::thread::Builder::new().stack_size(engine::STACK).spawn_scoped(scope, work);
        let thread = thread.map_err(|error| ExplainError::Thread(error.to_string()))?;
        thread.join().map_err(|_| ExplainError::Thread("it broke down".to_owned()))
    })
}

fn answer(question: &Question, memory: Memory) -> Explanation {
    let position = &question.position;
    let mut guide = Guide::new(question, memory);
    let others = |mv: Move| position.legal_moves().iter().copied().filter(|&other| other != mv).collect::<Vec<Move>>();
    let trail = Trail::new();
    let mut chosen = guide.follow(position, &trail, question.mv.as_slice());
    let is_rival_best = question.against == Some(chosen.mv);
    if is_rival_best {
        chosen = guide.follow(position, &trail, &others(chosen.mv));
    }
    let rival = question.against.map(|mv| guide.follow(position, &trail, &[mv]));
    let (here, view) = (Trace::of(position, &question.weights), position.turn());
    let gain = Change::between(&here, &chosen.end, view);
    let rival = rival.map(|rival| {
        let change = Change::between(&rival.end, &chosen.end, view);
        (rival, change)
    });
    Explanation { position: *position, here, chosen, gain, rival, is_asked: question.mv.is_some(), is_rival_best }
}
