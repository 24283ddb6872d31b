//! One line of a suite: a position and what counts as solving it.

use chess::{Epd, EpdError, Move, Position, SanError};
use thiserror::Error;

use crate::arena::Score;

/// A position to solve.
#[derive(Clone, Debug)]
pub struct Problem {
    /// What the suite calls it.
    pub id: String,
    /// The position.
    pub position: Position,
    best: Vec<Move>,
    avoid: Vec<Move>,
    /// Mate in so many moves; negative if the side to move is mated.
    mate: Option<i32>,
    points: Vec<(Move, u32)>,
}

/// Why a line is no problem to solve.
#[derive(Clone, Eq, PartialEq, Debug, Error)]
pub enum ProblemError {
    /// The line is not EPD.
    #[error(transparent)]
    Epd(#[from] EpdError),
    /// A move cannot be played here.
    #[error("{opcode}: {error}")]
    Move {
        /// Where the move stands.
        opcode: &'static str,
        /// What is wrong with it.
        error: SanError,
    },
    /// A mate has no length.
    #[error("{opcode}: {operand:?} is not a mate in a number of moves, such as 3 or -3")]
    Mate {
        /// Where the mate stands.
        opcode: &'static str,
        /// What stands there.
        operand: String,
    },
    /// The game is over here.
    #[error("there is no legal move here")]
    Over,
    /// The line does not say what to find.
    #[error("nothing is asked for: bm, am, dm or points in c0 are needed")]
    NoTask,
    /// The line has perft numbers, which no search finds.
    #[error("perft numbers are checked by marquetry perft DEPTH --suite FILE")]
    Counts,
}

impl Problem {
    /// Reads a line; `name` stands in for an `id` that is missing.
    pub fn read(line: &str, name: &str) -> Result<Problem, ProblemError> {
        let epd: Epd = mended(line).parse()?;
        let position = epd.position;
        if position.legal_moves().is_empty() {
            return Err(ProblemError::Over);
        }
        let (moves, mate): (Vec<&String>, Vec<&String>) =
            epd.operands("bm").unwrap_or_default().iter().partition(|operand| !operand.starts_with('#'));
        let mate = match (mate.first(), epd.text("dm")) {
            (Some(operand), _) => Some(read_mate("bm", operand)?),
            (None, Some(operand)) => Some(read_mate("dm", operand)?),
            (None, None) => None,
        };
        let problem = Problem {
            id: epd.text("id").unwrap_or(name).to_owned(),
            position,
            best: read_moves("bm", &position, moves)?,
            avoid: read_moves("am", &position, epd.operands("am").unwrap_or_default())?,
            mate,
            points: epd.text("c0").map_or(Ok(Vec::new()), |text| read_points(&position, text))?,
        };
        let has_task = !(problem.best.is_empty() && problem.avoid.is_empty() && problem.points.is_empty());
        if has_task || mate.is_some() {
            return Ok(problem);
        }
        Err(if epd.operands("D1").is_some() { ProblemError::Counts } else { ProblemError::NoTask })
    }

    /// Whether a move with a score is what the line asks for.
    pub fn is_solved_by(&self, mv: Move, score: Option<Score>) -> bool {
        let only_points = self.best.is_empty() && self.avoid.is_empty() && self.mate.is_none();
        (self.best.is_empty() || self.best.contains(&mv))
            && !self.avoid.contains(&mv)
            && self.mate.is_none_or(|wanted| announces(score, wanted))
            && (!only_points || self.points_for(mv) == self.max_points())
    }

    /// What a move is worth.
    pub fn points_for(&self, mv: Move) -> u32 {
        self.points.iter().find(|(listed, _)| *listed == mv).map_or(0, |(_, points)| *points)
    }

    /// What the best move is worth; 0 if the line gives no points.
    pub fn max_points(&self) -> u32 {
        self.points.iter().map(|(_, points)| *points).max().unwrap_or(0)
    }

    /// The known mate, if there is one: in so many moves, negative if the side to move is mated.
    pub fn mate(&self) -> Option<i32> {
        self.mate
    }

    /// What is asked for, in words such as `Nd5 a4`, `not Ne5` or `mate in 3`.
    pub fn wanted(&self) -> String {
        let san = |moves: &[Move]| moves.iter().map(|&mv| self.position.san(mv)).collect::<Vec<_>>().join(" ");
        let mut parts = Vec::new();
        if !self.best.is_empty() {
            parts.push(san(&self.best));
        }
        if !self.avoid.is_empty() {
            parts.push(format!("not {}", san(&self.avoid)));
        }
        match self.mate {
            Some(moves) if moves < 0 => parts.push(format!("mated in {}", moves.unsigned_abs())),
            Some(moves) => parts.push(format!("mate in {moves}")),
            None => (),
        }
        if parts.is_empty() {
            let best = self.points.iter().filter(|(_, points)| *points == self.max_points());
            parts.push(san(&best.map(|(mv, _)| *mv).collect::<Vec<_>>()));
        }
        parts.join(", ")
    }
}

/// Whether a score is a mate for the right side, as quick as known or quicker.
fn announces(score: Option<Score>, wanted: i32) -> bool {
    matches!(score, Some(Score::Mate(moves)) if (moves > 0) == (wanted > 0) && moves.unsigned_abs() <= wanted.unsigned_abs())
}

fn read_moves<'a>(
    opcode: &'static str,
    position: &Position,
    operands: impl IntoIterator<Item = &'a String>,
) -> Result<Vec<Move>, ProblemError> {
    let mut moves = Vec::new();
    for operand in operands {
        moves.extend(read_any(position, operand).map_err(|error| ProblemError::Move { opcode, error })?);
    }
    Ok(moves)
}

/// Old files run the dash of the en passant square and the counter behind it together: `w - -1 12`.
fn mended(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words.get(3).and_then(|word| word.strip_prefix('-')) {
        Some(digits) if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            format!("{} - {digits} {}", words[..3].join(" "), words[4..].join(" "))
        }
        _ => line.to_owned(),
    }
}

/// Reads a move. One that leaves open which piece is meant, or that it captures, is any that fits: `Ne5` for `Ncxe5`.
fn read_any(position: &Position, text: &str) -> Result<Vec<Move>, SanError> {
    let error = match read_move(position, text) {
        Ok(mv) => return Ok(vec![mv]),
        Err(error) => error,
    };
    let plain = |san: &str| -> String { san.chars().filter(|c| !matches!(c, 'x' | '+' | '#' | '!' | '?')).collect() };
    let wanted = plain(text);
    let fits = |mv: &Move| {
        let (role, to) = (position.role_on(mv.from()), mv.to());
        role.is_some_and(|role| format!("{}{to}", role.upper_char()) == wanted)
    };
    let found: Vec<Move> = position.legal_moves().iter().copied().filter(fits).collect();
    if found.is_empty() { Err(error) } else { Ok(found) }
}

/// Reads a move in algebraic notation or, as some files have it, as UCI writes it.
fn read_move(position: &Position, text: &str) -> Result<Move, SanError> {
    let text = text.trim_end_matches([',', '!', '?']);
    position.parse_san(text).or_else(|error| position.parse_uci(text).map_err(|_| error))
}

/// Reads `3`, `#3` or `#-3`.
fn read_mate(opcode: &'static str, operand: &str) -> Result<i32, ProblemError> {
    let number = operand.strip_prefix('#').unwrap_or(operand).parse().ok();
    let wrong = || ProblemError::Mate { opcode, operand: operand.chars().take(40).collect() };
    number.filter(|moves| (-1000..=1000).contains(moves) && *moves != 0).ok_or_else(wrong)
}

/// Reads `Nd7=10, Bc4=5`. A comment that is made of anything else gives no points.
fn read_points(position: &Position, text: &str) -> Result<Vec<(Move, u32)>, ProblemError> {
    let mut points = Vec::new();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let split = part.rsplit_once('=').and_then(|(mv, points)| Some((mv.trim(), points.trim().parse().ok()?)));
        let Some((mv, worth)) = split else { return Ok(Vec::new()) };
        match read_move(position, mv) {
            Ok(mv) => points.push((mv, worth)),
            Err(SanError::Syntax(_)) => return Ok(Vec::new()),
            Err(error) => return Err(ProblemError::Move { opcode: "c0", error }),
        }
    }
    Ok(points)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPEN: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -";
    const MATE: &str = "6k1/5ppp/8/8/8/8/8/R3K3 w Q -";

    fn problem(operations: &str) -> Problem {
        Problem::read(&format!("{OPEN} {operations}"), "?").unwrap()
    }

    fn solves(problem: &Problem, san: &str) -> bool {
        problem.is_solved_by(problem.position.parse_san(san).unwrap(), None)
    }

    #[test]
    fn best_moves_and_moves_to_avoid() {
        let best = problem("bm Nf3 Bc4; id \"open game\";");
        assert_eq!(best.id, "open game");
        assert!(solves(&best, "Nf3") && solves(&best, "Bc4") && !solves(&best, "d4"));
        let avoid = problem("am Qh5");
        assert_eq!(avoid.id, "?");
        assert!(solves(&avoid, "Nf3") && !solves(&avoid, "Qh5"));
        let both = problem("bm Nf3; am Qh5;");
        assert!(solves(&both, "Nf3") && !solves(&both, "Bc4"));
        assert_eq!(both.wanted(), "Nf3, not Qh5");
    }

    #[test]
    fn moves_are_read_as_files_write_them() {
        for odd in ["bm Qh5 +", "; bm Qh5\0", "bm Qh5!;", "bm Qh5, Nf3", "bm d1h5", "0 2 ; bm Qh5\r"] {
            assert!(solves(&problem(odd), "Qh5"), "{odd:?}");
        }
    }

    #[test]
    fn a_move_that_leaves_something_open_is_any_that_fits() {
        let board = "r1bqk2r/ppp2ppp/2n5/4P3/2Bp2n1/5N1P/PP1N1PP1/R2Q1RK1 b kq";
        let avoid = Problem::read(&format!("{board} -1 10 ; bm Nh6; am Ne5\0"), "?").unwrap();
        assert!(!solves(&avoid, "Ncxe5") && !solves(&avoid, "Ngxe5") && solves(&avoid, "Nh6"));
        assert_eq!(avoid.position.fullmove_number(), 10);
    }

    #[test]
    fn points_count_for_each_move() {
        let scored = problem("bm Nf3; c0 \"Nf3=10, Bc4=5, Nc3=3\";");
        let points = |san: &str| scored.points_for(scored.position.parse_san(san).unwrap());
        assert_eq!(["Nf3", "Bc4", "Nc3", "d4"].map(points), [10, 5, 3, 0]);
        assert_eq!(scored.max_points(), 10);
        let only = problem("c0 \"Nf3=10, Bc4=5\";");
        assert!(solves(&only, "Nf3") && !solves(&only, "Bc4"));
        assert_eq!(only.wanted(), "Nf3");
        for comment in ["Anderssen-Kieseritzky, London 1851", "rating=10", "e5=good"] {
            assert_eq!(problem(&format!("bm Nf3; c0 \"{comment}\";")).max_points(), 0, "{comment}");
        }
    }

    #[test]
    fn a_mate_must_be_announced_for_the_right_side_and_in_time() {
        let mv = |problem: &Problem| problem.position.legal_moves()[0];
        for text in ["bm #2", "dm 2"] {
            let mate = Problem::read(&format!("{MATE} {text};"), "?").unwrap();
            let announced = |score| mate.is_solved_by(mv(&mate), score);
            assert!(announced(Some(Score::Mate(2))) && announced(Some(Score::Mate(1))));
            assert!(!announced(Some(Score::Mate(3))) && !announced(Some(Score::Mate(-1))));
            assert!(!announced(Some(Score::Centipawns(30_000))) && !announced(None));
        }
        let mated = Problem::read(&format!("{MATE} bm #-2;"), "?").unwrap();
        assert!(mated.is_solved_by(mv(&mated), Some(Score::Mate(-2))));
        assert!(!mated.is_solved_by(mv(&mated), Some(Score::Mate(2))));
        assert_eq!(mated.wanted(), "mated in 2");
        let with_move = Problem::read(&format!("{MATE} bm Ra8#; dm 1;"), "?").unwrap();
        let ra8 = with_move.position.parse_san("Ra8").unwrap();
        assert!(with_move.is_solved_by(ra8, Some(Score::Mate(1))) && !with_move.is_solved_by(ra8, None));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let error = |line: &str| Problem::read(line, "?").unwrap_err().to_string();
        assert_eq!(error(&format!("{OPEN} bm Nf6;")), "bm: \"Nf6\" is not legal in this position");
        assert!(error(&format!("{OPEN} c0 \"Nf3=10, Nf6=2\";")).starts_with("c0: \"Nf6\" is not legal"));
        assert!(error(&format!("{OPEN} bm Bcx3;")).contains("algebraic notation"));
        assert!(error(&format!("{OPEN} id \"x\";")).starts_with("nothing is asked for"));
        assert!(error(&format!("{OPEN} ;D1 29 ;D2 836")).contains("marquetry perft"));
        assert!(error(&format!("{OPEN} dm soon;")).contains("\"soon\" is not a mate in a number of moves"));
        assert!(error("8/8/8 w - - bm e4").contains("8 ranks are needed, not 3"));
        assert_eq!(error("7k/8/6Q1/8/8/8/8/4K3 b - - bm Kg8"), "there is no legal move here");
    }
}
