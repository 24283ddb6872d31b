//! Freedoms of the weights: numbers that can move between terms without changing any evaluation. Tuned weights are fixed
//! by them, so that tables and curves show differences and material shows what a piece is worth.

use chess::{Rank, Role, Square};

use super::axis::UpTo;
use super::terms::{
    BISHOP_KING_DISTANCE, BISHOP_MOBILITY, BISHOP_OWN_PAWNS, BISHOP_SCOPE, DANGER_BASE, KING_LINES,
    KNIGHT_KING_DISTANCE, KNIGHT_MOBILITY, KNIGHT_SCOPE, MATERIAL, PASSED_PAWN, PASSER, PASSER_CLEAR,
    PASSER_ENEMY_KING, PASSER_HELD, PASSER_OWN_KING, PASSER_STEP, PASSER_WATCHED, PIECE_SQUARE, Param, QUEEN_MOBILITY,
    QUEEN_SCOPE, ROOK_MOBILITY, ROOK_SCOPE, SPACE, TermInfo,
};

/// Wherever the whole is counted, exactly one of the parts is: what is taken from all parts can be given to the whole.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Gauge {
    /// The place of the whole's weight; none where both sides always have as many, so that it does not matter.
    pub whole: Option<usize>,
    /// The places of the parts' weights.
    pub parts: Vec<usize>,
}

/// All of them, in the order in which weights are fixed by them: a pawn on the seventh rank is passed, a piece stands on one
/// square and sees one number of squares, a passed pawn's way is in one state.
pub fn gauges() -> Vec<Gauge> {
    let whole = |role: Role| (role != Role::King).then(|| MATERIAL.at(role).index());
    let seventh = Square::ALL.into_iter().filter(|square| square.rank() == Rank::Seventh);
    let seventh: Vec<usize> = seventh.map(|square| PIECE_SQUARE.at((Role::Pawn, square)).index()).collect();
    let last_steps = [PASSED_PAWN, PASSER].map(|term| Some(term.at(Rank::Seventh).index()));
    let last_steps = last_steps.map(|whole| Gauge { whole, parts: seventh.clone() });
    let tables = Role::ALL.into_iter().map(|role| {
        let can_stand = |square: &Square| role != Role::Pawn || !matches!(square.rank(), Rank::First | Rank::Eighth);
        let squares = Square::ALL.into_iter().filter(can_stand);
        Gauge { whole: whole(role), parts: squares.map(|square| PIECE_SQUARE.at((role, square)).index()).collect() }
    });
    let curves = [
        (whole(Role::Knight), KNIGHT_MOBILITY.at(UpTo(0))),
        (whole(Role::Bishop), BISHOP_MOBILITY.at(UpTo(0))),
        (whole(Role::Rook), ROOK_MOBILITY.at(UpTo(0))),
        (whole(Role::Queen), QUEEN_MOBILITY.at(UpTo(0))),
        (whole(Role::Knight), KNIGHT_SCOPE.at(UpTo(0))),
        (whole(Role::Bishop), BISHOP_SCOPE.at(UpTo(0))),
        (whole(Role::Rook), ROOK_SCOPE.at(UpTo(0))),
        (whole(Role::Queen), QUEEN_SCOPE.at(UpTo(0))),
        (whole(Role::Knight), KNIGHT_KING_DISTANCE.at(UpTo(0))),
        (whole(Role::Bishop), BISHOP_KING_DISTANCE.at(UpTo(0))),
        (whole(Role::Bishop), BISHOP_OWN_PAWNS.at(UpTo(0))),
        (None, SPACE.at(UpTo(0))),
        (Some(DANGER_BASE.at(()).index()), KING_LINES.at(UpTo(0))),
    ];
    let curves = curves.into_iter().map(|(whole, first)| Gauge { whole, parts: term_of(first).params().collect() });
    let ways = Rank::ALL.into_iter().flat_map(passed_pawns);
    last_steps.into_iter().chain(tables).chain(curves).chain(ways).collect()
}

/// A passed pawn's way is held, watched, clear or just passable, and each king is at one distance.
fn passed_pawns(rank: Rank) -> [Gauge; 3] {
    let ways = [PASSER_HELD, PASSER_WATCHED, PASSER_CLEAR, PASSER_STEP].map(|way| way.at(rank).index()).to_vec();
    let distances = |of: fn(Rank, usize) -> Param| (0..8).map(|distance| of(rank, distance).index()).collect();
    let own = distances(|rank, distance| PASSER_OWN_KING.at((rank, UpTo(distance))));
    let enemy = distances(|rank, distance| PASSER_ENEMY_KING.at((rank, UpTo(distance))));
    [ways, own, enemy].map(|parts| Gauge { whole: Some(PASSER.at(rank).index()), parts })
}

fn term_of(param: Param) -> &'static TermInfo {
    TermInfo::of(param.index())
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
