//! The search's scale: centipawns, and mates by their distance.

/// Deeper than any line that is searched.
pub const MAX_PLY: usize = 128;
/// More than any value.
pub const INFINITE: i32 = 32_001;
/// Mate on the board.
pub const MATE: i32 = 32_000;
/// A game that is drawn.
pub(crate) const DRAW: i32 = 0;
/// Values beyond this are mates.
const MATE_BOUND: i32 = MATE - 2 * MAX_PLY as i32;

/// Being mated on the board, `ply` plies from the root.
#[inline]
pub(crate) fn mated_in(ply: usize) -> i32 {
    ply as i32 - MATE
}

/// Whether a value is a mate for either side.
#[inline]
pub(crate) fn is_mate(value: i32) -> bool {
    value.abs() > MATE_BOUND
}

/// A value as the table keeps it: mates count from the position that is stored, not from the root.
#[inline]
pub(crate) fn to_table(value: i32, ply: usize) -> i32 {
    if is_mate(value) { value + value.signum() * ply as i32 } else { value }
}

/// A value of the table, counted from the root again.
#[inline]
pub(crate) fn from_table(value: i32, ply: usize) -> i32 {
    if is_mate(value) { value - value.signum() * ply as i32 } else { value }
}

/// A value as UCI writes it: `cp 31` or `mate -2`.
pub fn uci_score(value: i32) -> String {
    if is_mate(value) {
        let plies = MATE - value.abs();
        let moves = (plies + 1) / 2;
        format!("mate {}", if value > 0 { moves } else { -moves })
    } else {
        format!("cp {value}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_written_in_moves() {
        assert_eq!(uci_score(MATE - 1), "mate 1");
        assert_eq!(uci_score(MATE - 3), "mate 2");
        assert_eq!(uci_score(mated_in(2)), "mate -1");
        assert_eq!(uci_score(mated_in(0)), "mate 0");
        assert_eq!(uci_score(-31), "cp -31");
    }

    #[test]
    fn mates_survive_the_table_at_another_distance() {
        let found = MATE - 7;
        let stored = to_table(found, 4);
        assert_eq!(stored, MATE - 3);
        assert_eq!(from_table(stored, 2), MATE - 5);
        assert_eq!(from_table(to_table(mated_in(6), 3), 3), mated_in(6));
    }
}
