//! Moves in the order in which they are worth trying, generated only when they are needed.

use chess::{ByRole, Move, MoveKind, MoveList, Position, Role};

use super::history::History;

/// What pieces are worth in an exchange.
pub(crate) const EXCHANGE: ByRole<i32> = ByRole { pawn: 100, knight: 320, bishop: 330, rook: 500, queen: 950, king: 0 };

#[derive(Copy, Clone, Eq, PartialEq)]
enum Stage {
    TableMove,
    GenerateCaptures,
    GoodCaptures,
    GenerateQuiets,
    Quiets,
    BadCaptures,
    Done,
}

/// Hands out the legal moves of a position one by one.
pub(crate) struct Picker {
    stage: Stage,
    table_move: Option<Move>,
    quiets_wanted: bool,
    moves: Scored,
    bad_captures: MoveList,
    next_bad: usize,
}

/// Moves with their scores.
struct Scored {
    moves: MoveList,
    scores: [i32; 256],
    next: usize,
}

impl Picker {
    /// All moves, the table's first.
    pub(crate) fn all(position: &Position, table_move: Option<Move>) -> Picker {
        Picker::new(table_move.filter(|&mv| position.is_legal(mv)), true)
    }

    /// Captures and promotions only.
    pub(crate) fn captures(position: &Position, table_move: Option<Move>) -> Picker {
        Picker::new(table_move.filter(|&mv| is_tactical(position, mv) && position.is_legal(mv)), false)
    }

    fn new(table_move: Option<Move>, quiets_wanted: bool) -> Picker {
        Picker {
            stage: Stage::TableMove,
            table_move,
            quiets_wanted,
            moves: Scored { moves: MoveList::new(), scores: [0; 256], next: 0 },
            bad_captures: MoveList::new(),
            next_bad: 0,
        }
    }

    /// The next move; the quiet ones in the order of their history.
    pub(crate) fn next(&mut self, position: &Position, history: &History) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TableMove => {
                    self.stage = Stage::GenerateCaptures;
                    if self.table_move.is_some() {
                        return self.table_move;
                    }
                }
                Stage::GenerateCaptures => {
                    position.captures(&mut self.moves.moves);
                    self.moves.score(|mv| capture_score(position, mv));
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => match self.moves.best_but(self.table_move) {
                    Some(mv) if !position.exchange_reaches(mv, 0, &EXCHANGE) => self.bad_captures.push(mv),
                    Some(mv) => return Some(mv),
                    None if self.quiets_wanted => self.stage = Stage::GenerateQuiets,
                    None => self.stage = Stage::BadCaptures,
                },
                Stage::GenerateQuiets => {
                    self.moves = Scored { moves: MoveList::new(), scores: [0; 256], next: 0 };
                    position.quiets(&mut self.moves.moves);
                    self.moves.score(|mv| history.quiet(position, mv));
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match self.moves.best_but(self.table_move) {
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::BadCaptures,
                },
                Stage::BadCaptures => match self.bad_captures.get(self.next_bad) {
                    Some(&mv) => {
                        self.next_bad += 1;
                        return Some(mv);
                    }
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    /// Leaves out captures that lose material.
    pub(crate) fn skip_bad_captures(&mut self) {
        self.next_bad = usize::MAX;
    }
}

impl Scored {
    fn score(&mut self, score: impl Fn(Move) -> i32) {
        for (&mv, place) in self.moves.iter().zip(&mut self.scores) {
            *place = score(mv);
        }
    }

    /// The best move that is left, unless it is the one that came first.
    fn best_but(&mut self, table_move: Option<Move>) -> Option<Move> {
        while self.next < self.moves.len() {
            let best = (self.next..self.moves.len()).max_by_key(|&i| (self.scores[i], usize::MAX - i))?;
            self.moves.swap(self.next, best);
            self.scores.swap(self.next, best);
            self.next += 1;
            let mv = self.moves[self.next - 1];
            if Some(mv) != table_move {
                return Some(mv);
            }
        }
        None
    }
}

/// Whether a move captures or promotes.
pub(crate) fn is_tactical(position: &Position, mv: Move) -> bool {
    match mv.kind() {
        MoveKind::EnPassant | MoveKind::Promotion => true,
        MoveKind::Castle | MoveKind::DoublePush => false,
        MoveKind::Normal => position.role_on(mv.to()).is_some(),
    }
}

/// The most valuable victim first, then the least valuable attacker.
fn capture_score(position: &Position, mv: Move) -> i32 {
    let victim = match mv.kind() {
        MoveKind::EnPassant => EXCHANGE.pawn,
        _ => position.role_on(mv.to()).map_or(0, |role| *EXCHANGE.get(role)),
    };
    let promotion = mv.promoted_to().map_or(0, |role| *EXCHANGE.get(role));
    let attacker = position.role_on(mv.from()).unwrap_or(Role::Pawn);
    16 * (victim + promotion) - EXCHANGE.get(attacker)
}
