//! A position and what is known of it, whatever file it comes from.

use chess::{Move, Position};

/// Bits of a game's number, so that it fits into files.
const GAME_BITS: u32 = 48;

/// A position and what came of its game. Results and values are White's.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The position.
    pub position: Position,
    /// White's points, from 0 to 1.
    pub result: f64,
    /// The position's value in centipawns, White's view, if it is known. Mates are 30,000 less their distance in moves.
    pub value: Option<i32>,
    /// Which game it is from: positions of one game of one file have the same number, of 48 bits.
    pub game: u64,
    /// The ply by the number of the move, 0 before White's first; none if that number is not given.
    pub ply: Option<u32>,
    /// The move that was played or thought best, if it is known.
    pub best: Option<Move>,
}

impl Sample {
    /// A position and a result, and nothing else.
    #[inline]
    pub fn new(position: Position, result: f64) -> Sample {
        Sample { position, result, value: None, game: 0, ply: None, best: None }
    }

    /// The ply that a position's number of the move tells.
    pub(super) fn ply_of(position: &Position) -> u32 {
        (position.fullmove_number() - 1).saturating_mul(2) + position.turn().fold_wb(0, 1)
    }

    /// Whether this may be a later position of the same game: an equal result, a later ply, nothing that was captured is
    /// there again, and no more squares have changed than so many moves can change.
    pub(super) fn may_continue(&self, earlier: &Sample) -> bool {
        let (Some(ply), Some(before)) = (self.ply, earlier.ply) else { return false };
        if ply <= before || self.result != earlier.result {
            return false;
        }
        let men = |sample: &Sample, color| sample.position.by_color(color).count();
        let moves = ((ply - before) as usize).div_ceil(2);
        chess::Color::ALL.into_iter().all(|color| {
            // A move changes two squares, castling four, and a capture one of the other side's
            let changed = (self.position.by_color(color) ^ earlier.position.by_color(color)).count();
            let lost = men(earlier, color).checked_sub(men(self, color));
            lost.is_some_and(|lost| changed <= 2 * moves + 2 + lost)
        })
    }
}

/// A game's number by its name: a number's own, or one made from the text.
pub(super) fn game_number(name: &[u8]) -> u64 {
    let is_number = !name.is_empty() && name.len() <= 14 && name.iter().all(u8::is_ascii_digit);
    if is_number {
        return name.iter().fold(0, |number, byte| 10 * number + u64::from(byte - b'0'));
    }
    // FNV-1a (Fowler, Noll and Vo), mixed because its upper bits depend little on short texts
    let hash = name
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash: u64, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    mix(hash) >> (u64::BITS - GAME_BITS)
}

/// The number of a game of the file with this place among several: the first file's stay as they are.
pub(super) fn game_of_file(game: u64, place: u64) -> u64 {
    if place == 0 { game } else { mix(game ^ mix(place)) >> (u64::BITS - GAME_BITS) }
}

/// A number whose every bit depends on every bit of another: the end of SplitMix64 (Steele, Lea and Flood, 2014).
pub(super) fn mix(mut number: u64) -> u64 {
    number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(fen: &str, result: f64) -> Sample {
        let position: Position = fen.parse().unwrap();
        Sample { ply: Some(Sample::ply_of(&position)), ..Sample::new(position, result) }
    }

    #[test]
    fn a_game_goes_on_where_few_squares_change_and_nothing_comes_back() {
        let first = sample("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 1.0);
        let second = sample("rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2", 1.0);
        assert_eq!((first.ply, second.ply), (Some(0), Some(3)));
        assert!(second.may_continue(&first));
        assert!(!first.may_continue(&second), "an earlier ply");
        assert!(!first.may_continue(&first), "the same ply");
        assert!(!Sample { result: 0.5, ..second.clone() }.may_continue(&first), "another result");
        assert!(!Sample { ply: None, ..second.clone() }.may_continue(&first), "no ply");
        let other = sample("2r2rk1/1b2bppp/p2p1n2/1p2p3/4P3/PBN2N2/1PP2PPP/R3R1K1 w - - 0 3", 1.0);
        assert!(!other.may_continue(&first), "far too much has changed");
        let more = sample("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3", 1.0);
        assert!(!more.may_continue(&second), "a pawn has come back");
    }

    #[test]
    fn names_of_games_are_numbers_of_48_bits() {
        assert_eq!((game_number(b"17"), game_number(b"00017")), (17, 17));
        let names: Vec<String> = (0..10_000).map(|number| format!("g{number}")).collect();
        let mut numbers: Vec<u64> = names.iter().map(|name| game_number(name.as_bytes())).collect();
        numbers.extend((0..10_000).map(|game| game_of_file(game, 1)));
        assert!(numbers.iter().all(|&number| number < 1 << 48));
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), 20_000);
        assert_eq!(game_of_file(5, 0), 5);
    }
}
