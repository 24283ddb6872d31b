//! Correction histories: by how much the search found the static evaluation wrong, for positions that share a part.
//!
//! The correction is the search's own; the evaluation and its trace stay as they are.

use chess::{Color, Index, Position};

/// Entries for each part and side.
const SIZE: usize = 16_384;
/// The most an entry can hold.
const LIMIT: i32 = 1024;
/// What the sum of the entries is divided by to become centipawns.
const GRAIN: i32 = 24;
/// Pawns, White's pieces, Black's pieces, minors, majors.
const PARTS: usize = 5;

/// Corrections by part of the position and side to move.
pub(super) struct Corrections {
    entries: Vec<i16>,
}

impl Corrections {
    pub(super) fn new() -> Corrections {
        Corrections { entries: vec![0; PARTS * Color::COUNT * SIZE] }
    }

    /// What to add to the static evaluation, in centipawns.
    pub(super) fn get(&self, position: &Position) -> i32 {
        let sum: i32 = places(position).into_iter().map(|place| i32::from(self.entries[place])).sum();
        sum / GRAIN
    }

    /// The search found a value that differs from the evaluation by so much.
    pub(super) fn learn(&mut self, position: &Position, difference: i32, depth: i32) {
        let bonus = (difference * depth / 8).clamp(-LIMIT / 4, LIMIT / 4);
        for place in places(position) {
            let old = i32::from(self.entries[place]);
            self.entries[place] = (old + bonus - old * bonus.abs() / LIMIT) as i16;
        }
    }
}

fn places(position: &Position) -> [usize; PARTS] {
    let keys = position.keys();
    let side = position.turn().index();
    let parts =
        [keys.pawns(), keys.non_pawns(Color::White), keys.non_pawns(Color::Black), keys.minors(), keys.majors()];
    std::array::from_fn(|part| (part * Color::COUNT + side) * SIZE + parts[part] as usize % SIZE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_learned_helps_positions_that_share_a_part() {
        let mut corrections = Corrections::new();
        let position: Position = "r1bqk2r/pp2bppp/2n1pn2/3p4/3P4/2N1PN2/PP2BPPP/R1BQK2R w KQkq - 0 1".parse().unwrap();
        for _ in 0..20 {
            corrections.learn(&position, 60, 8);
        }
        let learned = corrections.get(&position);
        assert!(learned > 20, "{learned}");
        let same_pawns: Position = "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 1".parse().unwrap();
        assert!((1..learned).contains(&corrections.get(&same_pawns)));
        let another: Position = "8/5k2/2n5/8/3P4/8/1R3K2/8 w - - 0 1".parse().unwrap();
        assert_eq!(corrections.get(&another), 0);
        for _ in 0..500 {
            corrections.learn(&position, -30_000, 100);
        }
        assert!(corrections.get(&position) >= -LIMIT * PARTS as i32 / GRAIN);
    }
}
