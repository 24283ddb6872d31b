//! What a part of the evaluation adds to the value of a piece on average. A queen that sees many squares is worth more
//! than her material says; without mobility, material has to say it.

use std::sync::Arc;

use chess::{Color, Position, Role};
use engine::terms::MATERIAL;
use engine::{Channel, Score, Trace, Weights};
use nalgebra::{Matrix5, Vector5};

use super::Part;
use super::sample::{SampleError, self_play};

/// The roles whose number can differ between the sides.
const ROLES: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
/// Directions of the pieces' differences that carry less than this share of the largest are taken not to be there.
const LEAST: f64 = 1e-9;

/// Positions by which material is balanced again.
pub struct Rebalance {
    sample: Vec<Sampled>,
    king_phases: [i32; 257],
}

struct Sampled {
    phase: i32,
    /// By term: White's sum minus Black's, middlegame and endgame.
    sums: Vec<(&'static str, (i32, i32))>,
    /// White's pieces minus Black's, by role.
    difference: Vector5<f64>,
}

impl Sampled {
    /// A position; none if its game is over.
    fn new(position: &Position, weights: &Weights) -> Option<Sampled> {
        let trace = Trace::of(position, weights);
        let sums = trace.rows.iter().filter(|row| row.is_weighty()).map(|row| {
            let (white, black) = (row.white, row.black);
            (row.term, (white.mg - black.mg, white.eg - black.eg))
        });
        let difference = ROLES.map(|role| {
            let count = |color: Color| position.by_piece(role.of(color)).count() as f64;
            count(Color::White) - count(Color::Black)
        });
        let sums = sums.collect();
        trace.outcome.is_none().then_some(Sampled { phase: trace.phase, sums, difference: Vector5::from(difference) })
    }
}

impl Rebalance {
    /// By these positions; those where the game is over do not count.
    pub fn new(positions: &[Position], weights: &Weights) -> Rebalance {
        let sample = positions.iter().filter_map(|position| Sampled::new(position, weights)).collect();
        Rebalance { sample, king_phases: weights.king_taper().table() }
    }

    /// By the positions of quick games that these weights play against themselves.
    pub fn by_self_play(weights: &Arc<Weights>, games: usize, nodes: u64, seed: u64) -> Result<Rebalance, SampleError> {
        Ok(Rebalance::new(&self_play(weights, games, nodes, seed)?, weights))
    }

    /// How many positions there are.
    pub fn positions(&self) -> usize {
        self.sample.len()
    }

    /// What a part adds to a piece on average, pawn to queen, middlegame and endgame, in the weights' own units.
    ///
    /// Least squares of the part's sums, White's minus Black's, on the differences in pieces. A position counts as much
    /// as the middlegame or the endgame counts in it, and king safety by its own taper.
    pub fn averages(&self, part: &Part) -> [(f64, f64); 5] {
        let mg = self.fit(part, |sum| sum.0, |phase| phase);
        let eg = self.fit(part, |sum| sum.1, |phase| 256 - phase);
        std::array::from_fn(|role| (mg[role], eg[role]))
    }

    /// The weights without a part, and its averages in material instead.
    pub fn without(&self, part: &Part, weights: &Weights) -> Weights {
        let without = part.without(weights);
        let mut values = Box::new(*without.values());
        for (role, (mg, eg)) in ROLES.into_iter().zip(self.averages(part)) {
            values[MATERIAL.at(role).index()] += Score::new(mg.round() as i32, eg.round() as i32);
        }
        without.with_values(values)
    }

    fn fit(&self, part: &Part, half: fn((i32, i32)) -> i32, share: fn(i32) -> i32) -> Vector5<f64> {
        let (mut square, mut side) = (Matrix5::zeros(), Vector5::zeros());
        for Sampled { phase, sums, difference } in &self.sample {
            let mut sum = 0;
            for &(name, value) in sums {
                if let Some(term) = part.terms.iter().find(|term| term.name == name) {
                    let phase = match term.channel {
                        Channel::Score => *phase,
                        Channel::King => self.king_phases[*phase as usize],
                        // What is not simply added cannot be replaced by material
                        Channel::Danger | Channel::Prospects | Channel::Drawish => continue,
                    };
                    sum += half(value) * share(phase);
                }
            }
            let weighted = difference * f64::from(share(*phase));
            square += weighted * weighted.transpose();
            side += weighted * f64::from(sum);
        }
        let decomposed = square.svd(true, true);
        let least = LEAST * decomposed.singular_values.max();
        decomposed.solve(&side, least).unwrap_or_else(|_| Vector5::zeros())
    }
}

/// What was added to the material of the full weights, pawn to queen, middlegame and endgame.
pub fn added_material(full: &Weights, changed: &Weights) -> [(i32, i32); 5] {
    ROLES.map(|role| {
        let index = MATERIAL.at(role).index();
        let (before, after) = (full.values()[index], changed.values()[index]);
        (after.mg() - before.mg(), after.eg() - before.eg())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::terms::PIECE_SQUARE;

    fn sample() -> Vec<Position> {
        self_play(&Arc::new(Weights::load("handset").unwrap()), 6, 60, 3).unwrap()
    }

    fn tables() -> Vec<Part> {
        let default = Weights::load("handset").unwrap();
        Part::named_terms(&["piece_square".to_owned()], &default).unwrap()
    }

    #[test]
    fn tables_that_are_the_same_on_every_square_are_material() {
        let material = Weights::load("material").unwrap();
        let bonus = [(7, -3), (20, 31), (-12, 4), (55, 60), (101, -90)];
        let mut values = Box::new(*material.values());
        for (role, (mg, eg)) in ROLES.into_iter().zip(bonus) {
            for square in chess::Square::ALL {
                values[PIECE_SQUARE.at((role, square)).index()] = Score::new(mg, eg);
            }
        }
        let weights = material.with_values(values);
        let rebalance = Rebalance::new(&sample(), &weights);
        let part = &tables()[0];
        for ((mg, eg), (found_mg, found_eg)) in bonus.into_iter().zip(rebalance.averages(part)) {
            assert!((f64::from(mg) - found_mg).abs() < 1e-6, "{mg} {found_mg}");
            assert!((f64::from(eg) - found_eg).abs() < 1e-6, "{eg} {found_eg}");
        }
        let without = rebalance.without(part, &weights);
        assert_eq!(added_material(&weights, &without), bonus);
        assert!(
            sample()
                .iter()
                .all(|position| { engine::evaluate(position, &weights) == engine::evaluate(position, &without) })
        );
    }

    #[test]
    fn what_never_differs_is_left_alone() {
        let weights = Weights::load("handset").unwrap();
        let rebalance = Rebalance::new(&[Position::initial()], &weights);
        assert_eq!(rebalance.averages(&tables()[0]), [(0.0, 0.0); 5]);
        assert_eq!(Rebalance::new(&[], &weights).averages(&tables()[0]), [(0.0, 0.0); 5]);
    }

    #[test]
    fn without_blending_the_endgame_is_left_alone() {
        let mut weights = Weights::load("handset").unwrap();
        weights.set_interpolation(false);
        let averages = Rebalance::new(&sample(), &weights).averages(&tables()[0]);
        assert!(averages.iter().all(|(mg, eg)| mg.is_finite() && *eg == 0.0), "{averages:?}");
    }

    #[test]
    fn mobility_is_worth_something_to_pieces_and_nothing_to_pawns() {
        let weights = Weights::load("handset").unwrap();
        let parts = Part::named_groups(&["mobility".to_owned()], &weights).unwrap();
        let sample = self_play(&Arc::new(weights.clone()), 60, 60, 3).unwrap();
        let [pawn, .., rook, queen] = Rebalance::new(&sample, &weights).averages(&parts[0]);
        assert!(rook.1 > 10.0 && queen.1 > 10.0 && pawn.1.abs() < 10.0, "{pawn:?} {rook:?} {queen:?}");
    }
}
