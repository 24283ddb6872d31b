//! Values as chances to win, draw and lose.
//!
//! The chance to win is a logistic curve of the value, 1 / (1 + exp((even - value) / spread)): at the value `even` half of
//! the games are won, and `spread` says how sharply the curve rises there. The chance to lose is the same curve seen from the
//! other side; what is left is drawn. Both numbers depend on the material on the board: with less of it the same value
//! wins less often. They are polynomials of the share of material that is left, fitted by `marquetry data wdl` to games of the
//! engine against itself; docs/tuning.md shows the curves beside the data.
//!
//! Fitted to 3,103,133 positions of 27,663 games by the weights of docs/experiments/0017, at 1,500 and 2,000 nodes a move; values within
//! 2000 centipawns. Log loss 0.6479; curves that are straight come to 0.6526.

use chess::{Position, Role};

use crate::search::is_decisive;

/// Chances in thousandths; they sum to 1000.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Chances {
    /// To win.
    pub win: u32,
    /// To draw.
    pub draw: u32,
    /// To lose.
    pub loss: u32,
}

/// The material of both sides at the start, in pawns.
pub const FULL: u32 = 78;

/// How chances depend on value and material.
#[derive(Clone, PartialEq, Debug)]
pub struct Model<'a> {
    /// The value in centipawns at which half of the games are won: constant, linear and higher terms in the share of
    /// material.
    pub even: &'a [f64],
    /// Over how many centipawns the curve rises, likewise.
    pub spread: &'a [f64],
}

/// The engine's.
pub const MODEL: Model = Model { even: &[299.6, -743.3, 932.4, -425.7], spread: &[59.8, 61.7, -11.7, -10.0] };

impl Model<'_> {
    /// `even` and `spread` with so much material.
    pub fn at(&self, material: u32) -> (f64, f64) {
        let share = f64::from(material) / f64::from(FULL);
        let sum = |terms: &[f64]| terms.iter().rev().fold(0.0, |sum, term| sum * share + term);
        (sum(self.even), sum(self.spread))
    }
}

/// The share of games that are won with a value.
pub fn winning(value: f64, even: f64, spread: f64) -> f64 {
    1.0 / (1.0 + libm::exp((even - value) / spread))
}

/// The side to move's chances, given a value from its view.
pub fn chances(value: i32, position: &Position) -> Chances {
    if is_decisive(value) {
        let (win, loss) = if value > 0 { (1000, 0) } else { (0, 1000) };
        return Chances { win, draw: 0, loss };
    }
    let (even, spread) = MODEL.at(material(position));
    let thousandths = |value: i32| (1000.0 * winning(value.into(), even, spread)).round() as u32;
    let (win, loss) = (thousandths(value), thousandths(-value));
    Chances { win, draw: 1000 - win - loss, loss }
}

/// The material of both sides, in pawns, at most that of the start.
pub fn material(position: &Position) -> u32 {
    let worth = [(Role::Pawn, 1), (Role::Knight, 3), (Role::Bishop, 3), (Role::Rook, 5), (Role::Queen, 9)];
    worth.iter().map(|&(role, pawns)| pawns * position.by_role(role).count() as u32).sum::<u32>().min(FULL)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MATE;

    const POSITIONS: [&str; 3] = [
        "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1",
        "qqqqkqqq/8/8/8/8/8/8/QQQQKQQQ w - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ];

    #[test]
    fn chances_sum_to_a_thousand_are_symmetric_and_rise_with_the_value() {
        for position in POSITIONS.map(|fen| fen.parse::<Position>().unwrap()) {
            let mut last = 0;
            for value in -31_000..=31_000 {
                let Chances { win, draw, loss } = chances(value, &position);
                assert_eq!(win + draw + loss, 1000, "{value}");
                assert_eq!(chances(-value, &position), Chances { win: loss, draw, loss: win }, "{value}");
                assert!(win >= last, "{value}");
                last = win;
            }
        }
    }

    #[test]
    fn results_are_certain_and_even_positions_symmetric() {
        let position = Position::initial();
        assert_eq!(chances(MATE - 3, &position), Chances { win: 1000, draw: 0, loss: 0 });
        assert_eq!(chances(5 - MATE, &position), Chances { win: 0, draw: 0, loss: 1000 });
        let Chances { win, draw, loss } = chances(0, &position);
        assert!(win == loss && draw > 0, "{win} {draw} {loss}");
        let (even, _) = MODEL.at(FULL);
        assert!(chances(even.round() as i32, &position).win.abs_diff(500) <= 5);
    }

    #[test]
    fn every_amount_of_material_has_a_curve_that_rises_and_leaves_room_for_draws() {
        assert!((0..=FULL).map(|material| MODEL.at(material)).all(|(even, spread)| even >= 1.0 && spread >= 1.0));
        let model = Model { even: &[100.0, 20.0, 4.0], spread: &[50.0] };
        assert_eq!((model.at(0), model.at(FULL / 2), model.at(FULL)), ((100.0, 50.0), (111.0, 50.0), (124.0, 50.0)));
    }
}
