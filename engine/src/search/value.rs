//! The search's scale: centipawns, tablebase results, and mates by their distance.

/// Deeper than any line that is searched.
pub const MAX_PLY: usize = 240;
/// More than any value.
pub const INFINITE: i32 = 32_001;
/// Mate on the board.
pub const MATE: i32 = 32_000;
/// A game that is drawn.
pub(crate) const DRAW: i32 = 0;
/// Values beyond this are mates.
const MATE_BOUND: i32 = MATE - 2 * MAX_PLY as i32;
/// A win that a tablebase knows, at the root.
pub(crate) const TABLE_WIN: i32 = 30_000;
/// Values beyond this are no evaluations: mates and tablebase results.
const DECISIVE: i32 = TABLE_WIN - MAX_PLY as i32;

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

/// Whether a value is a mate or a tablebase result.
#[inline]
pub(crate) fn is_decisive(value: i32) -> bool {
    value.abs() >= DECISIVE
}

/// Keeps an evaluation, however it was changed, from looking like a result.
#[inline]
pub(crate) fn undecided(value: i32) -> i32 {
    value.clamp(1 - DECISIVE, DECISIVE - 1)
}

/// A value as the table keeps it: results count from the position that is stored, not from the root.
#[inline]
pub(crate) fn to_table(value: i32, ply: usize) -> i32 {
    if is_decisive(value) { value + value.signum() * ply as i32 } else { value }
}

/// A value of the table, counted from the root again. A result that may come too late for the fifty-move rule is none: it
/// may be a draw as well.
#[inline]
pub(crate) fn from_table(value: i32, ply: usize, halfmove_clock: u32) -> Option<i32> {
    if !is_decisive(value) {
        return Some(value);
    }
    let distance = if is_mate(value) { MATE - value.abs() } else { TABLE_WIN - value.abs() };
    (distance + halfmove_clock as i32 <= 99).then_some(value - value.signum() * ply as i32)
}

/// A value as UCI writes it: `cp 31` or `mate -2`.
pub fn uci_score(value: i32) -> String {
    match moves_to_mate(value) {
        Some(moves) => format!("mate {moves}"),
        None => format!("cp {value}"),
    }
}

/// In how many moves a value says that there is mate; negative, and zero at the end, for the side that is mated.
pub fn moves_to_mate(value: i32) -> Option<i32> {
    let moves = (MATE - value.abs() + 1) / 2;
    is_mate(value).then_some(if value > 0 { moves } else { -moves })
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
    fn results_survive_the_table_at_another_distance() {
        let found = MATE - 7;
        let stored = to_table(found, 4);
        assert_eq!(stored, MATE - 3);
        assert_eq!(from_table(stored, 2, 0), Some(MATE - 5));
        assert_eq!(from_table(to_table(mated_in(6), 3), 3, 0), Some(mated_in(6)));
        assert_eq!(from_table(to_table(TABLE_WIN - 9, 9), 5, 0), Some(TABLE_WIN - 5));
        assert_eq!(from_table(to_table(31, 9), 5, 99), Some(31));
    }

    #[test]
    fn a_mate_after_the_fifty_moves_is_none() {
        let stored = to_table(MATE - 11, 0);
        assert_eq!(from_table(stored, 0, 88), Some(MATE - 11));
        assert_eq!(from_table(stored, 0, 89), None);
        assert_eq!(from_table(-stored, 0, 99), None);
    }
}
