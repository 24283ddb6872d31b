//! Freedoms of the weights: numbers that can move between terms without changing any evaluation. Tuned weights are fixed
//! by them, so that tables and curves show differences and material shows what a piece is worth.

use chess::{Rank, Role, Square};

use super::axis::UpTo;
use super::terms::{BISHOP_MOBILITY, KNIGHT_MOBILITY, MATERIAL, PIECE_SQUARE, QUEEN_MOBILITY, ROOK_MOBILITY};

/// Wherever the whole is counted, exactly one of the parts is: what is taken from all parts can be given to the whole.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Gauge {
    /// The place of the whole's weight; none where both sides always have as many, so that it does not matter.
    pub whole: Option<usize>,
    /// The places of the parts' weights.
    pub parts: Vec<usize>,
}

/// All of them: a piece stands on one square, and has one count of squares that it sees.
pub fn gauges() -> Vec<Gauge> {
    let whole = |role: Role| (role != Role::King).then(|| MATERIAL.at(role).index());
    let tables = Role::ALL.into_iter().map(|role| {
        let can_stand = |square: &Square| role != Role::Pawn || !matches!(square.rank(), Rank::First | Rank::Eighth);
        let squares = Square::ALL.into_iter().filter(can_stand);
        Gauge { whole: whole(role), parts: squares.map(|square| PIECE_SQUARE.at((role, square)).index()).collect() }
    });
    let curves = [
        (Role::Knight, (0..=8).map(|count| KNIGHT_MOBILITY.at(UpTo(count)).index()).collect()),
        (Role::Bishop, (0..=13).map(|count| BISHOP_MOBILITY.at(UpTo(count)).index()).collect()),
        (Role::Rook, (0..=14).map(|count| ROOK_MOBILITY.at(UpTo(count)).index()).collect()),
        (Role::Queen, (0..=27).map(|count| QUEEN_MOBILITY.at(UpTo(count)).index()).collect::<Vec<_>>()),
    ];
    tables.chain(curves.into_iter().map(|(role, parts)| Gauge { whole: whole(role), parts })).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::evaluate;
    use crate::eval::score::Score;
    use crate::eval::weights::Weights;

    #[test]
    fn what_moves_between_parts_and_whole_changes_nothing() {
        let weights = Weights::load("default").unwrap();
        let positions = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "6k1/1PP2pp1/7p/3QQ3/8/n4B2/1r3PPP/3R2K1 b - - 0 1",
        ];
        for (number, gauge) in gauges().iter().enumerate() {
            let moved = Score::new(number as i32 + 3, -17);
            let mut values = Box::new(*weights.values());
            gauge.parts.iter().for_each(|&part| values[part] -= moved);
            gauge.whole.iter().for_each(|&whole| values[whole] += moved);
            let changed = weights.with_values(values);
            for fen in positions {
                let position = fen.parse().unwrap();
                assert_eq!(evaluate(&position, &changed), evaluate(&position, &weights), "{gauge:?} {fen}");
            }
        }
    }
}
