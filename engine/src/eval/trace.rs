//! The explanation: every term with its share, both sides, down to the square. The rows always add up to the number that
//! the search uses.

use chess::{ByColor, Color, Outcome, Position, Square};

use super::accumulator::Accumulator;
use super::compose::{Channel, LIMIT, MOST_DANGER, Stage, Sums, compose};
use super::ledger::{Entry, Itemized};
use super::score::Score;
use super::survey;
use super::terms::{CATALOG, TermInfo};
use super::weights::Weights;

/// What seed documents call a won game: the value of checkmate in an explanation. The search has its own mate scores.
const CHECKMATE: i32 = 10_000;

/// An evaluation, opened.
#[derive(Clone, Debug)]
pub struct Trace {
    /// How much of the middlegame is left, of 256.
    pub phase: i32,
    /// The evaluation in centipawns, White's view.
    pub white_cp: i32,
    /// `checkmate`, `stalemate` or `draw`, where the game is over.
    pub outcome: Option<&'static str>,
    /// What it is made of. The shares add up to the evaluation.
    pub rows: Vec<Row>,
    /// For each square, a1 to h8: what the piece there contributes, White's view.
    pub squares: [f64; 64],
    /// All that was found, one by one. The shares of a term's findings add up to its row.
    pub findings: Vec<Finding>,
}

/// Something that the evaluation found.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Finding {
    /// The place of its weight among all weights.
    pub param: usize,
    /// Whose it is.
    pub color: Color,
    /// Where, if it belongs to a square.
    pub square: Option<Square>,
    /// How often.
    pub count: i32,
    /// Its weight, once.
    pub value: Score,
    /// Its share in centipawns, White's view.
    pub cp: f64,
}

/// A row of the explanation.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// The term, or what composition did: `rounding`, `limit`; or `outcome`.
    pub term: &'static str,
    /// The group of terms.
    pub group: &'static str,
    /// White's sum.
    pub white: SideSum,
    /// Black's sum, in Black's view.
    pub black: SideSum,
    /// Its share in centipawns, White's view.
    pub cp: f64,
}

/// One side's part in a row.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct SideSum {
    /// The middlegame sum, in the file's units.
    pub mg: i32,
    /// The endgame sum, in the file's units.
    pub eg: i32,
    /// How often it was found.
    pub count: i32,
}

impl Trace {
    /// Evaluates a position and remembers how.
    pub fn of(position: &Position, weights: &Weights) -> Trace {
        let accumulator = Accumulator::new(position, weights);
        let stage = weights.stage(position.turn(), accumulator.phase);
        let over = position.outcome().map(|outcome| match outcome {
            Outcome::Checkmate { winner } => ("checkmate", winner.fold_wb(CHECKMATE, -CHECKMATE)),
            Outcome::Stalemate => ("stalemate", 0),
            Outcome::InsufficientMaterial | Outcome::FiftyMoves => ("draw", 0),
        });
        match over {
            Some((outcome, white_cp)) => Trace::of_finished(&stage, outcome, white_cp),
            None => Trace::of_unfinished(position, weights, &stage),
        }
    }

    fn of_finished(stage: &Stage, outcome: &'static str, white_cp: i32) -> Trace {
        let row = Row::of_composition("outcome", f64::from(white_cp));
        Trace {
            phase: stage.phases[0],
            white_cp,
            outcome: Some(outcome),
            rows: vec![row],
            squares: [0.0; 64],
            findings: Vec::new(),
        }
    }

    fn of_unfinished(position: &Position, weights: &Weights, stage: &Stage) -> Trace {
        let mut sides = ByColor { white: Itemized::default(), black: Itemized::default() };
        survey(position, &mut sides);
        let sums = |color: Color| -> Sums<Score> {
            let mut sums = [Score::ZERO; Channel::COUNT];
            for entry in &sides.get(color).entries {
                sums[entry.param.channel as usize] += weights.value(entry.param) * entry.count;
            }
            sums
        };
        let sums = ByColor { white: sums(Color::White), black: sums(Color::Black) };
        let composed = compose(&sums, stage);
        let exchange = ByColor { white: Exchange::new(&sums.white, stage), black: Exchange::new(&sums.black, stage) };
        let white_view = |value: i32| position.turn().fold_wb(value, -value);
        let limited = composed.clamp(-LIMIT, LIMIT);

        let mut rows: Vec<Row> =
            CATALOG.iter().filter_map(|term| Row::of_term(term, &sides, weights, &exchange)).collect();
        let exact: f64 = rows.iter().map(|row| row.cp).sum();
        rows.push(Row::of_composition("rounding", f64::from(white_view(composed)) - exact));
        if limited != composed {
            rows.push(Row::of_composition("limit", f64::from(white_view(limited - composed))));
        }

        let (mut squares, mut findings) = ([0.0; 64], Vec::new());
        for (color, sign) in [(Color::White, 1.0), (Color::Black, -1.0)] {
            for entry in &sides.get(color).entries {
                let &Entry { param, square, count } = entry;
                let cp = sign * exchange.get(color).share(entry, weights);
                findings.push(Finding { param: param.index(), color, square, count, value: weights.value(param), cp });
                if let Some(square) = square {
                    squares[square.to_usize()] += cp;
                }
            }
        }
        Trace { phase: stage.phases[0], white_cp: white_view(limited), outcome: None, rows, squares, findings }
    }
}

impl Row {
    /// Whether the weights say anything about what was found.
    pub fn is_weighty(&self) -> bool {
        [self.white, self.black].iter().any(|side| side.mg != 0 || side.eg != 0)
    }

    /// A term's row; none if neither side has it.
    fn of_term(
        term: &TermInfo,
        sides: &ByColor<Itemized>,
        weights: &Weights,
        exchange: &ByColor<Exchange>,
    ) -> Option<Row> {
        let found = |color: Color| {
            let entries = sides.get(color).entries.iter().filter(|entry| term.params().contains(&entry.param.index()));
            entries.fold((SideSum::default(), 0.0), |(sum, cp), entry| {
                let value = weights.value(entry.param);
                let sum = SideSum {
                    mg: sum.mg + value.mg() * entry.count,
                    eg: sum.eg + value.eg() * entry.count,
                    count: sum.count + entry.count,
                };
                (sum, cp + exchange.get(color).share(entry, weights))
            })
        };
        let ((white, white_cp), (black, black_cp)) = (found(Color::White), found(Color::Black));
        let row = Row { term: term.name, group: term.group.name(), white, black, cp: white_cp - black_cp };
        (white.count != 0 || black.count != 0).then_some(row)
    }

    fn of_composition(term: &'static str, cp: f64) -> Row {
        Row { term, group: "Composition", white: SideSum::default(), black: SideSum::default(), cp }
    }
}

/// What a unit of each channel is worth to one side, in centipawns.
struct Exchange {
    mg: [f64; Channel::COUNT],
    eg: [f64; Channel::COUNT],
}

impl Exchange {
    fn new(sums: &Sums<Score>, stage: &Stage) -> Exchange {
        let unit = 100.0 / (256.0 * f64::from(stage.unit));
        let rate = |channel: Channel, of: fn(Score) -> i32, share: i32| {
            let worth = if channel.is_linear() { 1.0 } else { worth_of_danger(of(sums[channel as usize])) };
            unit * worth * f64::from(share)
        };
        Exchange {
            mg: Channel::ALL.map(|channel| rate(channel, Score::mg, stage.phases[channel as usize])),
            eg: Channel::ALL.map(|channel| rate(channel, Score::eg, 256 - stage.phases[channel as usize])),
        }
    }

    /// What an entry adds to the value, in centipawns, from its own side's view.
    fn share(&self, entry: &Entry, weights: &Weights) -> f64 {
        let value = weights.value(entry.param) * entry.count;
        let channel = entry.param.channel as usize;
        f64::from(value.mg()) * self.mg[channel] + f64::from(value.eg()) * self.eg[channel]
    }
}

/// What each unit of a danger is worth: the whole is worth its square, which its parts share in proportion.
fn worth_of_danger(danger: i32) -> f64 {
    if danger <= 0 {
        return 0.0;
    }
    let counted = f64::from(danger.min(MOST_DANGER));
    counted * counted / (256.0 * f64::from(danger))
}
