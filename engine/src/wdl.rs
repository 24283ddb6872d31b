//! Values as chances to win, draw and lose.
//!
//! The chance to win is a logistic curve of the value, 1 / (1 + exp((even - value) / spread)): at the value `even` half of
//! the games are won, and `spread` says how sharply the curve rises there. The chance to lose is the same curve seen from the
//! other side; what is left is drawn. Both numbers depend on the material on the board: with less of it the same value
//! wins less often. They are placeholders until they are fitted on our own games.

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
const FULL: u32 = 78;

/// The side to move's chances, given a value from its view.
pub fn chances(value: i32, position: &Position) -> Chances {
    if is_decisive(value) {
        let (win, loss) = if value > 0 { (1000, 0) } else { (0, 1000) };
        return Chances { win, draw: 0, loss };
    }
    let share = f64::from(material(position)) / f64::from(FULL);
    let (even, spread) = (260.0 - 80.0 * share, 90.0 - 20.0 * share);
    let win = logistic(f64::from(value), even, spread);
    let loss = logistic(-f64::from(value), even, spread);
    Chances { win, draw: 1000 - win - loss, loss }
}

/// Thousandths of games that are won.
fn logistic(value: f64, even: f64, spread: f64) -> u32 {
    (1000.0 / (1.0 + libm::exp((even - value) / spread))).round() as u32
}

/// The material of both sides, in pawns, at most that of the start.
fn material(position: &Position) -> u32 {
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
    fn results_are_certain_and_even_positions_mostly_drawn() {
        let position = Position::initial();
        assert_eq!(chances(MATE - 3, &position), Chances { win: 1000, draw: 0, loss: 0 });
        assert_eq!(chances(5 - MATE, &position), Chances { win: 0, draw: 0, loss: 1000 });
        let Chances { win, draw, loss } = chances(0, &position);
        assert!(win == loss && draw > 700, "{win} {draw} {loss}");
        assert_eq!(chances(180, &position).win, 500);
    }
}
