//! Whether an announced mate is one: its line is played out.

use chess::{Outcome, Position};

/// What an announced mate's line is worth.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum MateLine {
    /// Legal moves that end in mate after as many moves as announced.
    Mates,
    /// Legal moves that end before the mate.
    BreaksOff,
    /// An illegal move, no mate at the end, one at another time, or one for the side that is known to be mated.
    False,
}

/// Plays out the line of a mate in so many moves; negative if the side to move is mated.
pub fn play_out<S: AsRef<str>>(position: &Position, line: &[S], mate: i32) -> MateLine {
    let announced = if mate > 0 { 2 * mate.unsigned_abs() as usize - 1 } else { 2 * mate.unsigned_abs() as usize };
    let mut position = *position;
    for text in line {
        // A mate, stalemate or draw on the way ends the game
        let Some(mv) = position.parse_uci(text.as_ref()).ok().filter(|_| position.outcome().is_none()) else {
            return MateLine::False;
        };
        position.play(mv);
    }
    match position.outcome() {
        Some(Outcome::Checkmate { .. }) if line.len() == announced => MateLine::Mates,
        None if line.len() < announced => MateLine::BreaksOff,
        _ => MateLine::False,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_played_to_its_end() {
        let ladder: Position = "7k/8/8/8/8/8/R7/1R2K3 w - - 0 1".parse().unwrap();
        let check = |line: &str, mate| play_out(&ladder, &line.split_whitespace().collect::<Vec<_>>(), mate);
        assert_eq!(check("a2a7 h8g8 b1b8", 2), MateLine::Mates);
        assert_eq!(check("a2a7 h8g8", 2), MateLine::BreaksOff);
        assert_eq!(check("", 2), MateLine::BreaksOff);
        assert_eq!(check("a2a7 h8g8 b1b7", 2), MateLine::False, "no mate at the end");
        assert_eq!(check("a2a7 h8g8 b1b8", 3), MateLine::False, "too early");
        assert_eq!(check("a2a7 h8g8 b1b8", -2), MateLine::False, "the wrong side");
        assert_eq!(check("a2a7 h8g7 b1b8", 2), MateLine::False, "an illegal move");
        let mut mated = ladder;
        mated.play(mated.parse_uci("a2a7").unwrap());
        assert_eq!(play_out(&mated, &["h8g8", "b1b8"], -1), MateLine::Mates);
    }
}
