//! What is in a set of samples: counts that can be added up, whoever counted.

use chess::{Color, Role};
use engine::{Quiescence, Weights};

use super::filter::{FULL_PHASE, is_quiet_move, phase};
use super::sample::Sample;

/// Centipawns at which static evaluations are parted.
pub const PARTS: [i32; 10] = [-800, -400, -200, -100, -30, 30, 100, 200, 400, 800];
/// Plies of a stretch.
pub const PLIES: usize = 20;
/// Stretches of plies; the last one has no end.
pub const STRETCHES: usize = 11;

/// Positions and White's points in them.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
pub struct Points {
    /// How many positions.
    pub count: u64,
    /// White's points, all together.
    pub points: f64,
}

impl Points {
    fn add(&mut self, result: f64) {
        self.count += 1;
        self.points += result;
    }

    fn join(&mut self, other: &Points) {
        self.count += other.count;
        self.points += other.points;
    }

    /// White's points a position; none without positions.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.points / self.count as f64)
    }
}

/// What the evaluation says of a set.
#[derive(Clone, Debug, Default)]
pub struct Judged {
    /// Positions that are quiet: not in check, the best move no capture or promotion, no capture better than standing still.
    pub quiet: u64,
    /// Positions in which a capture or promotion is better than standing still.
    pub unsettled: u64,
    /// By the static evaluation in White's view, parted at [`PARTS`], of positions without check.
    pub by_value: [Points; PARTS.len() + 1],
}

/// What is in a set.
#[derive(Clone, Debug, Default)]
pub struct Census {
    /// Positions.
    pub positions: u64,
    /// Those of games that White won, that were drawn, that Black won; others have points in between.
    pub results: [u64; 3],
    /// White's points in all.
    pub all: Points,
    /// Positions with Black to move.
    pub black_to_move: u64,
    /// Positions in check.
    pub in_check: u64,
    /// Positions in which the game is over.
    pub finished: u64,
    /// Positions with a value; the sum of the values, and of their sizes, in centipawns.
    pub values: (u64, i64, u64),
    /// Positions whose best move is known, and those whose best move captures or promotes.
    pub best_moves: (u64, u64),
    /// By phase, 0 to 24.
    pub phases: [Points; FULL_PHASE + 1],
    /// By stretches of plies; and those whose ply is not known.
    pub plies: [u64; STRETCHES],
    /// Positions whose ply is not known.
    pub no_ply: u64,
    /// Men of all positions, kings and pawns among them.
    pub men: u64,
    /// Positions in which both sides have the same pieces.
    pub level_material: u64,
    /// Positions that can only be of Chess960.
    pub chess960: u64,
    /// What the evaluation says, if it was asked.
    pub judged: Option<Judged>,
}

impl Census {
    /// Counts samples; with weights, what the evaluation says of them too.
    pub fn of(samples: &[Sample], weights: Option<&Weights>) -> Census {
        let mut census = Census { judged: weights.map(|_| Judged::default()), ..Census::default() };
        let mut quiescence = weights.map(Quiescence::new);
        for sample in samples {
            census.add(sample);
            if let (Some(quiescence), Some(judged)) = (&mut quiescence, &mut census.judged) {
                judged.add(sample, quiescence);
            }
        }
        census
    }

    fn add(&mut self, sample: &Sample) {
        let Sample { position, result, value, ply, best, .. } = sample;
        self.positions += 1;
        self.all.add(*result);
        for (count, points) in self.results.iter_mut().zip([1.0, 0.5, 0.0]) {
            *count += u64::from(*result == points);
        }
        self.black_to_move += u64::from(position.turn() == Color::Black);
        self.in_check += u64::from(position.is_check());
        self.finished += u64::from(position.outcome().is_some());
        if let Some(value) = value {
            let (count, sum, sizes) = self.values;
            self.values = (count + 1, sum + i64::from(*value), sizes + u64::from(value.unsigned_abs()));
        }
        if let Some(mv) = best {
            self.best_moves.0 += 1;
            self.best_moves.1 += u64::from(!is_quiet_move(position, *mv));
        }
        self.phases[phase(position)].add(*result);
        match ply {
            Some(ply) => self.plies[(*ply as usize / PLIES).min(STRETCHES - 1)] += 1,
            None => self.no_ply += 1,
        }
        self.men += position.occupied().count() as u64;
        let count = |color: Color, role: Role| position.material().count(role.of(color));
        self.level_material +=
            u64::from(Role::ALL.into_iter().all(|role| count(Color::White, role) == count(Color::Black, role)));
        self.chess960 += u64::from(position.castling_mode() == chess::CastlingMode::Chess960);
    }

    /// Adds another count.
    pub fn join(&mut self, other: &Census) {
        self.positions += other.positions;
        add_each(&mut self.results, &other.results);
        self.all.join(&other.all);
        self.black_to_move += other.black_to_move;
        self.in_check += other.in_check;
        self.finished += other.finished;
        let ((count, sum, sizes), (more, other_sum, other_sizes)) = (self.values, other.values);
        self.values = (count + more, sum + other_sum, sizes + other_sizes);
        self.best_moves = (self.best_moves.0 + other.best_moves.0, self.best_moves.1 + other.best_moves.1);
        join_each(&mut self.phases, &other.phases);
        add_each(&mut self.plies, &other.plies);
        self.no_ply += other.no_ply;
        self.men += other.men;
        self.level_material += other.level_material;
        self.chess960 += other.chess960;
        match (&mut self.judged, &other.judged) {
            (Some(judged), Some(other)) => judged.join(other),
            (judged @ None, Some(other)) => *judged = Some(other.clone()),
            (_, None) => (),
        }
    }
}

impl Judged {
    fn add(&mut self, sample: &Sample, quiescence: &mut Quiescence) {
        let position = &sample.position;
        if position.is_check() {
            return;
        }
        let value = position.turn().fold_wb(1, -1) * quiescence.evaluate(position);
        self.by_value[PARTS.partition_point(|&part| part <= value)].add(sample.result);
        let is_settled = quiescence.is_settled(position);
        self.unsettled += u64::from(!is_settled);
        let has_quiet_move = sample.best.is_none_or(|mv| is_quiet_move(position, mv));
        self.quiet += u64::from(is_settled && has_quiet_move && position.outcome().is_none());
    }

    fn join(&mut self, other: &Judged) {
        self.quiet += other.quiet;
        self.unsettled += other.unsettled;
        join_each(&mut self.by_value, &other.by_value);
    }
}

fn add_each(sums: &mut [u64], others: &[u64]) {
    sums.iter_mut().zip(others).for_each(|(sum, other)| *sum += other);
}

fn join_each(sums: &mut [Points], others: &[Points]) {
    sums.iter_mut().zip(others).for_each(|(sum, other)| sum.join(other));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_add_up_to_the_whole() {
        let weights = Weights::load("default").unwrap();
        let lines = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 c9 \"1-0\"; ce 31; bm e4;",
            "4k3/2p5/3p4/8/3q4/2P5/3Q4/4K3 w - - 0 40 c9 \"0-1\"; bm cxd4;",
            "4k3/8/8/8/8/8/4r3/4K3 w - - c9 \"1/2-1/2\";",
            "7k/5Q2/6K1/8/8/8/8/8 b - - 3 300 | 900 | 0.7",
            "1r2k1r1/8/8/8/8/8/8/1R2K1R1 b GBgb - 0 9 | -50 | 0.5",
        ];
        let samples: Vec<Sample> = lines.iter().map(|line| line.parse().unwrap()).collect();
        let whole = Census::of(&samples, Some(&weights));
        let mut joined = Census::default();
        for sample in &samples {
            joined.join(&Census::of(std::slice::from_ref(sample), Some(&weights)));
        }
        assert_eq!(format!("{whole:?}"), format!("{joined:?}"));
        assert_eq!((whole.positions, whole.results, whole.all.count), (5, [1, 2, 1], 5));
        assert!((whole.all.points - 2.7).abs() < 1e-12);
        assert_eq!((whole.black_to_move, whole.in_check, whole.finished), (2, 1, 1));
        assert_eq!(whole.values, (3, 881, 981));
        assert_eq!(whole.best_moves, (2, 1));
        assert_eq!((whole.plies[0], whole.plies[3], whole.plies[10], whole.no_ply), (2, 1, 1, 1));
        assert_eq!((whole.level_material, whole.chess960), (2, 1));
        let judged = whole.judged.unwrap();
        assert_eq!(judged.by_value.iter().map(|part| part.count).sum::<u64>(), 4);
        assert!(judged.unsettled >= 1 && judged.quiet >= 1, "{judged:?}");
        assert!(Census::of(&samples, None).judged.is_none());
    }
}
