//! One record: a sample in 40 bytes.

use chess::{Move, Position};

use super::RECORD;
use crate::data::sample::Sample;

const NUMBER: usize = 26;
const VALUE: usize = 28;
const RESULT: usize = 30;
const BEST: usize = 32;
const GAME: usize = 34;
const NO_VALUE: i16 = i16::MIN;
/// Points are counted in parts of this size.
const POINTS: f64 = 10_000.0;

pub(super) fn pack(sample: &Sample) -> [u8; RECORD] {
    let mut record = [0; RECORD];
    record[..Position::PACKED].copy_from_slice(&sample.position.pack());
    if sample.ply.is_none() {
        record[NUMBER..VALUE].fill(0);
    }
    let value = sample.value.map_or(NO_VALUE, |value| value.clamp(-i32::from(i16::MAX), i32::from(i16::MAX)) as i16);
    record[VALUE..RESULT].copy_from_slice(&value.to_le_bytes());
    record[RESULT..BEST].copy_from_slice(&((sample.result * POINTS).round() as u16).to_le_bytes());
    record[BEST..GAME].copy_from_slice(&sample.best.map_or(0, Move::bits).to_le_bytes());
    record[GAME..].copy_from_slice(&sample.game.to_le_bytes()[..RECORD - GAME]);
    record
}

/// The sample; none if the bytes are none.
pub(super) fn unpack(record: &[u8; RECORD]) -> Option<Sample> {
    let word = |at: usize| [record[at], record[at + 1]];
    let position = Position::unpack(record.first_chunk()?)?;
    let has_number = word(NUMBER) != [0, 0];
    let value = i16::from_le_bytes(word(VALUE));
    let result = f64::from(u16::from_le_bytes(word(RESULT))) / POINTS;
    let bits = u16::from_le_bytes(word(BEST));
    let best = Move::from_bits(bits);
    if result > 1.0 || (bits != 0 && best.is_none()) {
        return None;
    }
    let mut game = [0; 8];
    game[..RECORD - GAME].copy_from_slice(&record[GAME..]);
    Some(Sample {
        position,
        result,
        value: (value != NO_VALUE).then_some(i32::from(value)),
        game: u64::from_le_bytes(game),
        ply: has_number.then(|| Sample::ply_of(&position)),
        best,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_known_of_a_position_comes_back() {
        for line in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 c9 \"1-0\"; c8 \"281474976710655\"; ce -31; bm e4;",
            "nrkbbqrn/pp1ppp1p/8/2pP2p1/8/8/PPP1PPPP/NRKBBQRN w GBgb c6 0 3 [0.731]",
            "8/8/6pk/3P3p/3KPp1P/5q2/8/R6R b - - | 0 | 0.5 | 7",
        ] {
            let sample: Sample = line.parse().unwrap();
            let again = unpack(&pack(&sample)).unwrap();
            assert_eq!(again.position, sample.position, "{line}");
            assert_eq!((again.result, again.value, again.game), (sample.result, sample.value, sample.game), "{line}");
            assert_eq!((again.ply, again.best), (sample.ply, sample.best), "{line}");
        }
        let extreme: Sample = "4k3/8/8/8/8/8/4P3/4K3 w - - | 99999 | 1.0".parse().unwrap();
        assert_eq!(unpack(&pack(&extreme)).unwrap().value, Some(32_767));
    }

    #[test]
    fn bytes_of_no_record_are_refused() {
        let sample: Sample = "4k3/8/8/8/8/8/4P3/4K3 w - - | 9 | 1.0".parse().unwrap();
        for (place, byte) in [(RESULT + 1, 0xff), (BEST, 1), (0, 0xff)] {
            let mut record = pack(&sample);
            record[place] = byte;
            assert!(unpack(&record).is_none(), "{place}");
        }
    }
}
