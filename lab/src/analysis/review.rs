//! A game reviewed: each position searched, from the last to the first so that the search knows what comes, and each move
//! that costs much explained.

use chess::{ByColor, Color, Move, Outcome, Position, Trail};
use engine::{Limits, MATE};

use crate::data::Scoresheet;
use crate::explain::{Change, Guide, Reason, Verdict, reasons};

/// Values count no further than this, so that a game that is won stays won whatever is given back.
const MOST: i32 = 1000;
/// Every position is searched at least so deep, however short the time is.
const LEAST_DEPTH: usize = 5;
/// So many reasons are kept of a mistake.
const REASONS: usize = 5;

/// From how many centipawns on a loss is called what.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct Scale {
    /// An inaccuracy.
    pub inaccuracy: i32,
    /// A mistake.
    pub mistake: i32,
    /// A blunder.
    pub blunder: i32,
}

impl Default for Scale {
    fn default() -> Scale {
        Scale { inaccuracy: 50, mistake: 100, blunder: 300 }
    }
}

/// How bad a move is.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Debug)]
pub enum Grade {
    /// `?!`
    Inaccuracy,
    /// `?`
    Mistake,
    /// `??`
    Blunder,
}

impl Grade {
    /// All, the smallest first.
    pub const ALL: [Grade; 3] = [Grade::Inaccuracy, Grade::Mistake, Grade::Blunder];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Grade::Inaccuracy => "inaccuracy",
            Grade::Mistake => "mistake",
            Grade::Blunder => "blunder",
        }
    }

    /// The glyph of PGN.
    pub fn nag(self) -> u8 {
        match self {
            Grade::Inaccuracy => 6,
            Grade::Mistake => 2,
            Grade::Blunder => 4,
        }
    }
}

impl Scale {
    fn grade(&self, loss: i32) -> Option<Grade> {
        match loss {
            loss if loss >= self.blunder => Some(Grade::Blunder),
            loss if loss >= self.mistake => Some(Grade::Mistake),
            loss if loss >= self.inaccuracy => Some(Grade::Inaccuracy),
            _ => None,
        }
    }
}

/// What is thought of a move.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// The move that was played.
    pub mv: Move,
    /// Who played it.
    pub color: Color,
    /// The value after it, White's view, as the search gives it; none where the game is over.
    pub value: Option<i32>,
    /// What it cost, in centipawns.
    pub loss: i32,
    /// Whether that is much.
    pub grade: Option<Grade>,
    /// The move that was better, and its line, where the move is graded.
    pub better: Vec<Move>,
    /// Why it was better, the largest reason first, from the mover's view; none where a mate or a draw decides.
    pub reasons: Vec<Reason>,
    /// What is known of the better line beyond evaluations, and of the one that was played.
    pub verdicts: Option<(Verdict, Verdict)>,
}

/// A reviewed game.
#[derive(Clone, Debug)]
pub struct Review {
    /// The game.
    pub sheet: Scoresheet,
    /// One for each move.
    pub judgements: Vec<Judgement>,
}

impl Review {
    /// The centipawns that a side lost a move, on average.
    pub fn average_loss(&self, color: Color) -> f64 {
        let losses: Vec<i64> =
            self.judgements.iter().filter(|found| found.color == color).map(|found| i64::from(found.loss)).collect();
        losses.iter().sum::<i64>() as f64 / losses.len().max(1) as f64
    }

    /// How many moves of a grade a side played.
    pub fn count(&self, color: Color, grade: Grade) -> usize {
        self.judgements.iter().filter(|found| found.color == color && found.grade == Some(grade)).count()
    }
}

/// A position's value and line, from the view of the side to move.
struct Found {
    value: i32,
    depth: usize,
    line: Vec<Move>,
}

/// Searches every position of a game and judges its moves. None if it was told to stop.
pub(super) fn review(sheet: Scoresheet, guide: &mut Guide, scale: &Scale) -> Option<Review> {
    let mut trail = Trail::new();
    sheet.plies.iter().for_each(|ply| trail.push(&ply.position));
    let mut later = look(&sheet.end(), &trail, guide);
    let mut judgements = Vec::with_capacity(sheet.plies.len());
    for ply in sheet.plies.iter().rev() {
        if (guide.is_stopped)() {
            return None;
        }
        trail.pop();
        let here = look(&ply.position, &trail, guide);
        judgements.push(judge(&ply.position, ply.mv, &trail, &here, &later, guide, scale));
        later = here;
    }
    judgements.reverse();
    Some(Review { sheet, judgements })
}

/// What a search finds; where the game is over, what came of it.
fn look(position: &Position, trail: &Trail, guide: &mut Guide) -> Found {
    if let Some(outcome) = position.outcome() {
        let value = if matches!(outcome, Outcome::Checkmate { .. }) { -MATE } else { 0 };
        return Found { value, depth: 0, line: Vec::new() };
    }
    let limits = guide.limits.clone();
    let is_timed = limits.movetime.is_some();
    let mut report = guide.search(position, trail, limits);
    // Where a busy machine leaves hardly any time, a value would mean nothing
    if is_timed && report.as_ref().is_some_and(|report| report.depth < LEAST_DEPTH) && !(guide.is_stopped)() {
        report = guide.search(position, trail, Limits { depth: Some(LEAST_DEPTH), ..Limits::default() });
    }
    match report {
        Some(report) => Found { value: report.value, depth: report.depth, line: report.line },
        None => Found { value: 0, depth: 0, line: Vec::new() },
    }
}

fn judge(
    position: &Position,
    mv: Move,
    trail: &Trail,
    here: &Found,
    later: &Found,
    guide: &mut Guide,
    scale: &Scale,
) -> Judgement {
    let color = position.turn();
    let played = -later.value;
    let is_best = here.line.first() == Some(&mv);
    let loss = if is_best { 0 } else { (here.value.clamp(-MOST, MOST) - played.clamp(-MOST, MOST)).max(0) };
    let grade = scale.grade(loss);
    let mut judgement = Judgement {
        mv,
        color,
        value: (!later.line.is_empty()).then_some(color.fold_wb(played, -played)),
        loss,
        grade,
        better: Vec::new(),
        reasons: Vec::new(),
        verdicts: None,
    };
    if grade.is_some() && !here.line.is_empty() {
        let best = guide.lead(position, trail, here.line.clone(), here.value, here.depth);
        let line = std::iter::once(mv).chain(later.line.iter().copied()).collect();
        let rival = guide.lead(position, trail, line, one_ply_later(played), later.depth + 1);
        judgement.better = here.line.clone();
        judgement.verdicts = Some((best.verdict, rival.verdict));
        if best.verdict == Verdict::Open && rival.verdict == Verdict::Open {
            let change = Change::between(&rival.end, &best.end, color);
            judgement.reasons = reasons(&change).into_iter().take(REASONS).collect();
        }
    }
    judgement
}

/// A mate is a ply further away from the position before.
fn one_ply_later(value: i32) -> i32 {
    if engine::moves_to_mate(value).is_some() { value - value.signum() } else { value }
}

/// Both sides.
pub(super) fn sides<T>(of: impl Fn(Color) -> T) -> ByColor<T> {
    ByColor { white: of(Color::White), black: of(Color::Black) }
}
