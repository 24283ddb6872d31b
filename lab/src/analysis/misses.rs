//! Errors that teach: positions that the static evaluation misjudges most, by what a search or the game's result says,
//! grouped by phase and by what misled it.

use std::collections::BTreeMap;

use chess::Position;
use engine::wdl::chances;
use engine::{Quiescence, Trace, Weights};

use crate::data::Sample;
use crate::explain::reason_of;

/// One in so many positions is looked at closely, to know what is usual.
const USUAL: u64 = 8;
/// A reason that pulls less than this many centipawns the wrong way misleads nobody.
const LEAST: f64 = 15.0;

/// What the evaluation is compared with.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Yardstick {
    /// The search's value where it is known, else the result.
    Either,
    /// The search's value; positions without one are left out.
    Search,
    /// The game's result.
    Result,
}

/// What is left on the board.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Debug)]
pub enum Phase {
    /// More than two thirds of the pieces.
    Opening,
    /// More than one third.
    Middlegame,
    /// Less.
    Endgame,
}

impl Phase {
    /// All of them.
    pub const ALL: [Phase; 3] = [Phase::Opening, Phase::Middlegame, Phase::Endgame];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Opening => "opening",
            Phase::Middlegame => "middlegame",
            Phase::Endgame => "endgame",
        }
    }

    fn of(phase: i32) -> Phase {
        match phase {
            172.. => Phase::Opening,
            86..=171 => Phase::Middlegame,
            _ => Phase::Endgame,
        }
    }
}

/// What a position came to, White's view.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Answer {
    /// The search's value in centipawns, if it is known.
    pub value: Option<i32>,
    /// White's points in the game.
    pub result: f64,
}

/// A position that was misjudged.
#[derive(Clone, Debug)]
pub struct Miss {
    /// The position.
    pub position: Position,
    /// The static evaluation in centipawns, White's view.
    pub eval: i32,
    /// The points that White can expect by it.
    pub expected: f64,
    /// What it came to.
    pub answer: Answer,
    /// White's points by the yardstick.
    pub actual: f64,
    /// What is left on the board.
    pub phase: Phase,
    /// What pulled the evaluation the wrong way most: a reason and its centipawns, White's view. None if nothing did: the
    /// evaluation sees too little there.
    pub culprit: Option<(String, i32)>,
}

impl Miss {
    /// By how many points the evaluation was wrong.
    pub fn error(&self) -> f64 {
        (self.actual - self.expected).abs()
    }
}

/// Misses of one kind.
#[derive(Clone, Debug)]
pub struct MissGroup {
    /// The phase.
    pub phase: Phase,
    /// What misled the evaluation; none if nothing did.
    pub culprit: Option<String>,
    /// How many of the worst positions.
    pub count: usize,
    /// Their share of the worst positions.
    pub share: f64,
    /// The share of such positions among all: where nothing is unusual, both are alike.
    pub usual: f64,
    /// By how many points the evaluation was wrong, on average.
    pub error: f64,
    /// The worst of them.
    pub examples: Vec<Miss>,
}

impl MissGroup {
    /// How many times as frequent it is among the worst positions as among all; none if it was not met among all.
    pub fn times(&self) -> Option<f64> {
        (self.usual > 0.0).then(|| self.share / self.usual)
    }
}

/// What is known of a set of positions.
#[derive(Clone, Debug, Default)]
pub struct Census {
    /// Positions that were judged.
    pub judged: u64,
    /// Positions that were left out: in check, not quiet, over, or without what the yardstick needs.
    pub left_out: u64,
    /// By phase: how many, and the sum of their errors.
    pub phases: BTreeMap<Phase, (u64, f64)>,
    /// The worst, the worst first.
    pub worst: Vec<Miss>,
    /// Positions that were looked at closely to know what is usual, by phase and culprit.
    usual: BTreeMap<(Phase, Option<String>), u64>,
}

/// How positions are judged.
#[derive(Clone, Debug)]
pub struct Inquiry {
    /// What the evaluation is compared with.
    pub yardstick: Yardstick,
    /// How many of the worst are kept.
    pub count: usize,
    /// Whether positions are judged too that are in check or not quiet.
    pub is_any: bool,
    /// Reasons that are not blamed.
    pub besides: Vec<String>,
}

/// Judges positions, and keeps the worst.
pub fn judge(samples: &[Sample], weights: &Weights, inquiry: &Inquiry) -> Census {
    let Inquiry { yardstick, count, is_any, besides } = inquiry;
    let (yardstick, count, is_any) = (*yardstick, *count, *is_any);
    let (mut census, mut quiescence) = (Census::default(), Quiescence::new(weights));
    for sample in samples {
        let position = &sample.position;
        let is_fit = position.outcome().is_none() && (is_any || quiescence.is_settled(position));
        let Some(actual) = actual(sample, yardstick).filter(|_| is_fit) else {
            census.left_out += 1;
            continue;
        };
        let own = quiescence.evaluate(position);
        let eval = position.turn().fold_wb(own, -own);
        let expected = points(eval, position);
        let phase = Phase::of(weights.phase_model().phase(weights.phase_model().sum(position)));
        let (number, sum) = census.phases.entry(phase).or_default();
        (*number, *sum) = (*number + 1, *sum + (actual - expected).abs());
        let answer = Answer { value: sample.value, result: sample.result };
        let miss = Miss { position: *position, eval, expected, answer, actual, phase, culprit: None };
        if census.judged.is_multiple_of(USUAL) {
            let culprit = culprit(&miss, weights, besides).map(|(name, _)| name);
            *census.usual.entry((phase, culprit)).or_default() += 1;
        }
        census.judged += 1;
        census.worst.push(miss);
        if census.worst.len() > 4 * count.max(64) {
            census.trim(count);
        }
    }
    census.trim(count);
    for miss in &mut census.worst {
        miss.culprit = culprit(miss, weights, besides);
    }
    census
}

/// White's points by the yardstick.
fn actual(sample: &Sample, yardstick: Yardstick) -> Option<f64> {
    let by_search = sample.value.map(|value| points(value, &sample.position));
    match yardstick {
        Yardstick::Either => by_search.or(Some(sample.result)),
        Yardstick::Search => by_search,
        Yardstick::Result => Some(sample.result),
    }
}

/// The points that a value of White's view promises.
fn points(value: i32, position: &Position) -> f64 {
    let chances = chances(value, position);
    f64::from(2 * chances.win + chances.draw) / 2000.0
}

/// What pulls an evaluation the wrong way most.
fn culprit(miss: &Miss, weights: &Weights, besides: &[String]) -> Option<(String, i32)> {
    let wrong = if miss.expected > miss.actual { 1.0 } else { -1.0 };
    let mut pulls: BTreeMap<String, f64> = BTreeMap::new();
    for item in Trace::of(&miss.position, weights).items {
        let term = engine::TermInfo::of(item.param.index());
        let role = (term.name == "piece_square").then(|| engine::ROLE_NAMES[(item.param.index() - term.start) / 64]);
        *pulls.entry(reason_of(term.name, role, term.group.name())).or_default() += item.cp;
    }
    pulls.retain(|name, _| !besides.contains(name));
    let most = pulls.into_iter().max_by(|a, b| (wrong * a.1).total_cmp(&(wrong * b.1)))?;
    (wrong * most.1 >= LEAST).then(|| (most.0, most.1.round() as i32))
}

impl Census {
    /// Keeps so many of the worst.
    fn trim(&mut self, count: usize) {
        self.worst.sort_by(|a, b| b.error().total_cmp(&a.error()));
        self.worst.truncate(count);
    }

    /// Takes another one in, and keeps so many of the worst.
    pub fn join(&mut self, other: Census, count: usize) {
        self.judged += other.judged;
        self.left_out += other.left_out;
        for (phase, (number, sum)) in other.phases {
            let known = self.phases.entry(phase).or_default();
            *known = (known.0 + number, known.1 + sum);
        }
        for (kind, number) in other.usual {
            *self.usual.entry(kind).or_default() += number;
        }
        self.worst.extend(other.worst);
        self.trim(count);
    }

    /// The worst by phase and by what misled the evaluation, the largest group first, each with so many examples.
    pub fn groups(&self, examples: usize) -> Vec<MissGroup> {
        let mut groups: BTreeMap<(Phase, Option<String>), Vec<&Miss>> = BTreeMap::new();
        for miss in &self.worst {
            let culprit = miss.culprit.as_ref().map(|(name, _)| name.clone());
            groups.entry((miss.phase, culprit)).or_default().push(miss);
        }
        let looked_at: u64 = self.usual.values().sum();
        let mut groups: Vec<MissGroup> = groups
            .into_iter()
            .map(|(kind, misses)| MissGroup {
                phase: kind.0,
                count: misses.len(),
                share: misses.len() as f64 / self.worst.len().max(1) as f64,
                usual: self.usual.get(&kind).copied().unwrap_or(0) as f64 / looked_at.max(1) as f64,
                error: misses.iter().map(|miss| miss.error()).sum::<f64>() / misses.len().max(1) as f64,
                examples: misses.iter().take(examples).map(|miss| (*miss).clone()).collect(),
                culprit: kind.1,
            })
            .collect();
        groups.sort_by_key(|group| std::cmp::Reverse(group.count));
        groups
    }

    /// By how many points evaluations are wrong, on average.
    pub fn mean_error(&self) -> f64 {
        self.phases.values().map(|(_, sum)| sum).sum::<f64>() / self.judged.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(fen: &str, value: Option<i32>, result: f64) -> Sample {
        Sample { value, ..Sample::new(fen.parse().unwrap(), result) }
    }

    fn inquiry(yardstick: Yardstick, count: usize, is_any: bool) -> Inquiry {
        Inquiry { yardstick, count, is_any, besides: Vec::new() }
    }

    #[test]
    fn what_is_most_wrong_comes_first_and_is_put_down_to_what_misled() {
        let weights = Weights::load("handset").unwrap();
        let samples = [
            // A rook more, and yet lost; a rook more, and won; level, and lost; in check
            sample("4k3/pppp4/8/8/8/8/PPPP4/R3K3 w - - 0 1", Some(-900), 0.0),
            sample("4k3/pppp4/8/8/8/8/PPPP4/R3K3 w - - 0 1", Some(600), 1.0),
            sample("4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1", None, 0.0),
            sample("4k3/8/8/8/8/8/8/4RK2 b - - 0 1", Some(600), 1.0),
        ];
        let census = judge(&samples, &weights, &inquiry(Yardstick::Either, 2, false));
        assert_eq!((census.judged, census.left_out, census.worst.len()), (3, 1, 2));
        let [first, second] = &census.worst[..] else { panic!("two are kept") };
        assert_eq!(first.answer.value, Some(-900));
        assert_eq!(first.culprit.as_ref().map(|(name, _)| name.as_str()), Some("material"));
        assert_eq!(first.phase, Phase::Endgame);
        assert!(first.error() > second.error() && second.answer.value.is_none());
        assert_eq!(second.culprit, None, "nothing tells that it is lost");
        let groups = census.groups(1);
        assert_eq!(groups.len(), 2);
        assert!(groups.iter().all(|group| group.count == 1 && group.share == 0.5 && group.examples.len() == 1));
        // Only the first is looked at closely, and it is misled by material
        assert_eq!(groups.iter().map(MissGroup::times).collect::<Vec<_>>(), [None, Some(0.5)]);
        let by_search = judge(&samples, &weights, &inquiry(Yardstick::Search, 9, true));
        assert_eq!((by_search.judged, by_search.left_out), (3, 1));
        let by_result = judge(&samples, &weights, &inquiry(Yardstick::Result, 9, true));
        assert_eq!((by_result.judged, by_result.left_out), (4, 0));
        let besides = vec!["material".to_owned()];
        let other = judge(&samples[..1], &weights, &Inquiry { besides, ..inquiry(Yardstick::Either, 1, false) });
        assert_ne!(other.worst[0].culprit.as_ref().map(|(name, _)| name.as_str()), Some("material"));
    }

    #[test]
    fn parts_join_to_the_whole() {
        let weights = Weights::load("handset").unwrap();
        let samples: Vec<Sample> = (0..100)
            .map(|number| {
                let fen = format!("4k3/pppp4/8/8/8/{}/PPPP4/R3K3 w - - 0 1", if number % 2 == 0 { "8" } else { "n7" });
                sample(&fen, Some(10 * number - 500), 0.5)
            })
            .collect();
        let whole = judge(&samples, &weights, &inquiry(Yardstick::Search, 10, true));
        let mut joined = Census::default();
        for part in samples.chunks(33) {
            joined.join(judge(part, &weights, &inquiry(Yardstick::Search, 10, true)), 10);
        }
        assert_eq!((joined.judged, joined.worst.len()), (whole.judged, 10));
        assert!((joined.mean_error() - whole.mean_error()).abs() < 1e-12);
        let errors = |census: &Census| census.worst.iter().map(Miss::error).collect::<Vec<_>>();
        assert_eq!(errors(&joined), errors(&whole));
    }
}
