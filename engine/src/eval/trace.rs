//! The explanation: every term with its share, both sides, down to the square. The rows always add up to the number that
//! the search uses.

use chess::{ByColor, Color, Outcome, Position, Square};

use super::accumulator::Accumulator;
use super::compose::{Channel, MOST_DANGER, MOST_SCALE, Stage, Sums, WHOLE_SCALE, compose, lead, limited};
use super::ledger::{Entry, Itemized};
use super::score::Score;
use super::survey;
use super::terms::{CATALOG, Param, TermInfo};
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
    /// Everything that was found and has a weight, one by one. Their shares add up to the rows of their terms.
    pub items: Vec<Item>,
    /// By side and channel: what a unit is worth.
    pub rates: ByColor<[Rate; Channel::COUNT]>,
}

/// Something that was found, with what it is worth.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Item {
    /// Whose it is.
    pub color: Color,
    /// What was found.
    pub param: Param,
    /// Where, if it belongs to a square.
    pub square: Option<Square>,
    /// How often.
    pub count: i32,
    /// What it adds to its side's middlegame sum, in the file's units.
    pub mg: i32,
    /// What it adds to its side's endgame sum, in the file's units.
    pub eg: i32,
    /// Its share in centipawns, White's view.
    pub cp: f64,
}

/// What a unit of a channel's sum is worth to one side.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
pub struct Rate {
    /// Centipawns of a unit of the middlegame's worth: by phase and unit.
    pub mg: f64,
    /// Centipawns of a unit of the endgame's worth.
    pub eg: f64,
    /// The worth of each unit of the middlegame's sum: one where worth and sum are the same.
    pub mg_worth: f64,
    /// The worth of each unit of the endgame's sum.
    pub eg_worth: f64,
}

impl Rate {
    /// What so many units are worth, in centipawns, from their own side's view.
    fn share(&self, value: Score) -> f64 {
        f64::from(value.mg()) * self.mg * self.mg_worth + f64::from(value.eg()) * self.eg * self.eg_worth
    }
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
            items: Vec::new(),
            rates: ByColor::default(),
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
        let rates = rates(&sums, stage);
        let white_view = |value: i64| position.turn().fold_wb(value, -value);
        let limited = i64::from(limited(composed));

        let mut rows: Vec<Row> =
            CATALOG.iter().filter_map(|term| Row::of_term(term, &sides, weights, &rates)).collect();
        let exact: f64 = rows.iter().map(|row| row.cp).sum();
        rows.push(Row::of_composition("rounding", white_view(composed) as f64 - exact));
        if limited != composed {
            rows.push(Row::of_composition("limit", white_view(limited - composed) as f64));
        }

        let items = items(&sides, weights, &rates);
        let mut squares = [0.0; 64];
        for item in &items {
            if let Some(square) = item.square {
                squares[square.to_usize()] += item.cp;
            }
        }
        let white_cp = white_view(limited) as i32;
        Trace { phase: stage.phases[0], white_cp, outcome: None, rows, squares, items, rates }
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
        rates: &ByColor<[Rate; Channel::COUNT]>,
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
                (sum, cp + rates.get(color)[entry.param.channel as usize].share(value * entry.count))
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

/// What was found and has a weight.
fn items(sides: &ByColor<Itemized>, weights: &Weights, rates: &ByColor<[Rate; Channel::COUNT]>) -> Vec<Item> {
    let of_side = |color: Color| {
        let sign = color.fold_wb(1.0, -1.0);
        sides.get(color).entries.iter().filter_map(move |&Entry { param, square, count }| {
            let value = weights.value(param) * count;
            let cp = sign * rates.get(color)[param.channel as usize].share(value);
            (value != Score::ZERO).then_some(Item { color, param, square, count, mg: value.mg(), eg: value.eg(), cp })
        })
    };
    of_side(Color::White).chain(of_side(Color::Black)).collect()
}

/// What a unit of each channel is worth to each side. What is counted for both together or for the side that is ahead is worth
/// something to the one and takes it from the other.
fn rates(sums: &ByColor<Sums<Score>>, stage: &Stage) -> ByColor<[Rate; Channel::COUNT]> {
    let mut rates = ByColor { white: own_rates(&sums.white, stage), black: own_rates(&sums.black, stage) };
    let unit = 100.0 / f64::from(stage.unit);
    let lead = lead(&sums.white, &sums.black, stage, 1) as f64 * unit / 65536.0;
    if lead == 0.0 {
        return rates;
    }
    let (ahead, behind) = if lead > 0.0 { (Color::White, Color::Black) } else { (Color::Black, Color::White) };
    let mut set = |color: Color, channel: Channel, eg: f64| {
        rates.get_mut(color)[channel as usize] = Rate { mg: 0.0, eg, mg_worth: 1.0, eg_worth: 1.0 };
    };

    // Prospects never turn a lead into the opposite
    let eg_of = |color: Color, channel: Channel| f64::from(sums.get(color)[channel as usize].eg());
    let prospects = eg_of(ahead, Channel::Prospects) + eg_of(behind, Channel::Prospects);
    let share = f64::from(stage.share(Channel::Prospects, 1)) / 256.0;
    let moved = (prospects * unit * share).max(-lead.abs());
    let lead = lead.abs() + moved;
    if prospects != 0.0 {
        set(ahead, Channel::Prospects, moved / prospects);
        set(behind, Channel::Prospects, -moved / prospects);
    }

    // What makes winning hard takes its part of the lead
    let wanted = eg_of(ahead, Channel::Drawish);
    let whole = f64::from(WHOLE_SCALE);
    let taken = whole - (whole - wanted).clamp(0.0, f64::from(MOST_SCALE));
    if wanted != 0.0 {
        set(ahead, Channel::Drawish, -lead * taken / whole / wanted);
    }
    rates
}

/// What a unit of each channel is worth to the side that has these sums, as far as they alone tell.
fn own_rates(sums: &Sums<Score>, stage: &Stage) -> [Rate; Channel::COUNT] {
    let unit = 100.0 / (256.0 * f64::from(stage.unit));
    Channel::ALL.map(|channel| {
        let worth = |sum: i32| match channel {
            Channel::Score | Channel::King => 1.0,
            Channel::Danger => worth_of_danger(sum),
            Channel::Prospects | Channel::Drawish => 0.0,
        };
        let sum = sums[channel as usize];
        Rate {
            mg: unit * f64::from(stage.share(channel, 0)),
            eg: unit * f64::from(stage.share(channel, 1)),
            mg_worth: worth(sum.mg()),
            eg_worth: worth(sum.eg()),
        }
    })
}

/// What each unit of a danger is worth: the whole is worth its square, which its parts share in proportion.
fn worth_of_danger(danger: i32) -> f64 {
    if danger <= 0 {
        return 0.0;
    }
    let counted = f64::from(danger.min(MOST_DANGER));
    counted * counted / (256.0 * f64::from(danger))
}
