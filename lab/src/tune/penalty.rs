//! What pulls weights: towards where they started, and towards their neighbours in tables and curves.

use engine::{CATALOG, Shape};

use super::Values;

/// Distances are counted in pawns of this size.
const PAWN: f64 = 100.0;

/// How strongly weights are pulled.
#[derive(Clone, Debug)]
pub(super) struct Penalty {
    /// The loss of a weight that is a pawn from its start.
    pub(super) l2: f64,
    /// The loss of two neighbours that are a pawn apart.
    pub(super) smooth: f64,
    start: Values,
    neighbours: Vec<(usize, usize)>,
}

impl Penalty {
    pub(super) fn new(l2: f64, smooth: f64, start: &Values) -> Penalty {
        let neighbours = CATALOG.iter().flat_map(|term| {
            neighbours(&term.shape).into_iter().map(|(a, b)| (term.start + a, term.start + b)).collect::<Vec<_>>()
        });
        Penalty { l2, smooth, start: start.clone(), neighbours: neighbours.collect() }
    }

    /// Adds to a gradient, in which a unit of weight counts as much as it changes the logit.
    pub(super) fn add(&self, values: &Values, per_unit: f64, gradient: &mut Values) {
        if self.l2 > 0.0 {
            let factor = 2.0 * self.l2 / (PAWN * PAWN * per_unit);
            for ((slopes, values), start) in gradient.iter_mut().zip(values).zip(&self.start) {
                for half in 0..2 {
                    slopes[half] += factor * (values[half] - start[half]);
                }
            }
        }
        if self.smooth > 0.0 {
            let factor = 2.0 * self.smooth / (PAWN * PAWN * per_unit);
            for &(a, b) in &self.neighbours {
                for half in 0..2 {
                    let pull = factor * (values[a][half] - values[b][half]);
                    gradient[a][half] += pull;
                    gradient[b][half] -= pull;
                }
            }
        }
    }
}

/// Places beside each other: squares that share a side, ranks and counts that follow each other.
pub(super) fn neighbours(shape: &Shape) -> Vec<(usize, usize)> {
    match shape {
        Shape::Single | Shape::Flag | Shape::Role | Shape::Zone | Shape::Abreast => Vec::new(),
        Shape::Rank | Shape::Flank | Shape::UpTo(_) => (1..shape.size()).map(|place| (place - 1, place)).collect(),
        Shape::Square => {
            let right = (0..64).filter(|square| square % 8 < 7).map(|square| (square, square + 1));
            right.chain((0..56).map(|square| (square, square + 8))).collect()
        }
        Shape::Pair(outer, inner) => {
            let tables = (0..outer.size()).map(|nth| nth * inner.size());
            tables.flat_map(|start| neighbours(inner).into_iter().map(move |(a, b)| (start + a, start + b))).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::PARAM_COUNT;

    #[test]
    fn neighbours_are_those_on_the_board_and_on_the_curve() {
        assert_eq!(neighbours(&Shape::UpTo(2)), [(0, 1), (1, 2)]);
        assert_eq!(neighbours(&Shape::Square).len(), 2 * 7 * 8);
        let tables = neighbours(&Shape::Pair(&Shape::Role, &Shape::Square));
        assert_eq!(tables.len(), 6 * 112);
        assert!(tables.iter().all(|(a, b)| a / 64 == b / 64));
    }

    #[test]
    fn gradients_are_what_small_changes_do() {
        let mut chance = fastrand::Rng::with_seed(3);
        let mut random = || -> Values { (0..PARAM_COUNT).map(|_| [0; 2].map(|_| 200.0 * chance.f64())).collect() };
        let (start, mut values) = (random(), random());
        let penalty = Penalty::new(0.3, 0.7, &start);
        let loss = |values: &Values| {
            let distance = |a: &[f64; 2], b: &[f64; 2]| (0..2).map(|half| ((a[half] - b[half]) / PAWN).powi(2)).sum();
            let pulled: f64 = values.iter().zip(&start).map(|(a, b)| -> f64 { distance(a, b) }).sum();
            let smooth: f64 =
                penalty.neighbours.iter().map(|&(a, b)| -> f64 { distance(&values[a], &values[b]) }).sum();
            penalty.l2 * pulled + penalty.smooth * smooth
        };
        let mut gradient = vec![[0.0; 2]; PARAM_COUNT];
        penalty.add(&values, 0.5, &mut gradient);
        for (param, half) in [(0, 0), (20, 1), (130, 0), (PARAM_COUNT - 40, 1)] {
            let value = values[param][half];
            values[param][half] = value + 1e-3;
            let above = loss(&values);
            values[param][half] = value - 1e-3;
            let slope = (above - loss(&values)) / 2e-3;
            values[param][half] = value;
            assert!((slope - 0.5 * gradient[param][half]).abs() < 1e-6, "{param} {half}");
        }
    }
}
