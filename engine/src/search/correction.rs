//! Correction histories: by how much the search found the static evaluation wrong, for positions that share a part or the
//! moves that led to them.
//!
//! The correction is the search's own; the evaluation and its trace stay as they are.

use bytemuck::zeroed_box;
use chess::{Color, Index, Position};

use super::history::{NO_ROW, PIECE_TO, add};
use super::tunables::Tunables;
use crate::pages::prefetch;

/// Entries for each part and side.
const SIZE: usize = 16_384;
/// The most an entry can hold.
const LIMIT: i32 = 1024;
/// Pawns, White's pieces, Black's pieces, minors, majors.
const PARTS: usize = 5;

/// Corrections by part of the position and side to move, and by the last two moves.
pub(super) struct Corrections {
    /// One after the other in memory: by part, then side.
    parts: Box<[[i16; SIZE]; PARTS * Color::COUNT]>,
    /// By the move before the last, then the last.
    continuations: Box<[[i16; PIECE_TO + 1]; PIECE_TO + 1]>,
}

/// The moves that led to a position: the last one and the one before.
pub(super) type LastMoves = [usize; 2];

impl Corrections {
    pub(super) fn new() -> Corrections {
        Corrections { parts: zeroed_box(), continuations: zeroed_box() }
    }

    /// Forgets everything, in the same memory.
    pub(super) fn clear(&mut self) {
        self.parts.fill([0; SIZE]);
        self.continuations.fill([0; PIECE_TO + 1]);
    }

    /// What to add to the static evaluation, in centipawns.
    #[inline]
    pub(super) fn get(&self, position: &Position, last: LastMoves, tunables: &Tunables) -> i32 {
        let weights = [
            tunables.correction_pawns,
            tunables.correction_pieces,
            tunables.correction_pieces,
            tunables.correction_minors,
            tunables.correction_majors,
        ];
        let mut sum = tunables.correction_continuation * i32::from(self.continuations[last[1]][last[0]]);
        for (weight, (part, place)) in weights.into_iter().zip(places(position)) {
            sum += weight * i32::from(self.parts[part][place]);
        }
        sum / tunables.correction_grain
    }

    /// Tells the processor that the correction of this position will be asked for soon.
    #[inline]
    pub(super) fn prefetch(&self, position: &Position, last: LastMoves) {
        prefetch(&self.continuations[last[1]][last[0]]);
        for (part, place) in places(position) {
            prefetch(&self.parts[part][place]);
        }
    }

    /// The search found a value that differs from the evaluation by so much.
    pub(super) fn learn(&mut self, position: &Position, last: LastMoves, difference: i32, depth: i32) {
        let bonus = (difference * depth / 8).clamp(-LIMIT / 4, LIMIT / 4);
        for (part, place) in places(position) {
            add(&mut self.parts[part][place], bonus, LIMIT);
        }
        if !last.contains(&NO_ROW) {
            add(&mut self.continuations[last[1]][last[0]], bonus, LIMIT);
        }
    }
}

#[inline]
fn places(position: &Position) -> [(usize, usize); PARTS] {
    let keys = position.keys();
    let side = position.turn().index();
    let parts =
        [keys.pawns(), keys.non_pawns(Color::White), keys.non_pawns(Color::Black), keys.minors(), keys.majors()];
    std::array::from_fn(|part| (part * Color::COUNT + side, parts[part] as usize % SIZE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_learned_helps_positions_that_share_a_part() {
        let tunables = Tunables::default();
        let mut corrections = Corrections::new();
        let none = [NO_ROW; 2];
        let position: Position = "r1bqk2r/pp2bppp/2n1pn2/3p4/3P4/2N1PN2/PP2BPPP/R1BQK2R w KQkq - 0 1".parse().unwrap();
        for _ in 0..20 {
            corrections.learn(&position, none, 60, 8);
        }
        let learned = corrections.get(&position, none, &tunables);
        assert!(learned > 20, "{learned}");
        let same_pawns: Position = "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 1".parse().unwrap();
        assert!((1..learned).contains(&corrections.get(&same_pawns, none, &tunables)));
        let another: Position = "8/5k2/2n5/8/3P4/8/1R3K2/8 w - - 0 1".parse().unwrap();
        assert_eq!(corrections.get(&another, none, &tunables), 0);
        for _ in 0..500 {
            corrections.learn(&position, none, -30_000, 100);
        }
        assert!(corrections.get(&position, none, &tunables) >= -400);
    }

    #[test]
    fn what_was_learned_helps_after_the_same_moves() {
        let tunables = Tunables::default();
        let mut corrections = Corrections::new();
        let position: Position = "r1bqk2r/pp2bppp/2n1pn2/3p4/3P4/2N1PN2/PP2BPPP/R1BQK2R w KQkq - 0 1".parse().unwrap();
        corrections.learn(&position, [7, 9], 200, 10);
        let another: Position = "8/5k2/2n5/8/3P4/8/1R3K2/8 w - - 0 1".parse().unwrap();
        assert!(corrections.get(&another, [7, 9], &tunables) > 0);
        assert_eq!(corrections.get(&another, [9, 7], &tunables), 0);
    }
}
