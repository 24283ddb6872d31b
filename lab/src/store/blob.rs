//! The moves of a game as bytes.
//!
//! One byte for the version of the format, 1. Then the number of plies, and for each ply:
//!
//! | part | form |
//! |---|---|
//! | the move | two bytes, [`Move::bits`], the lower first |
//! | depth × 4 + kind of the score | varint; the kind is 0 for none, 1 for hundredths of a pawn, 2 for mate in moves |
//! | the score, if there is one | signed varint, in the mover's view |
//! | the time in microseconds | varint |
//!
//! A varint is that of Protocol Buffers: seven bits a byte, the lowest first, the eighth bit set where more follow; a
//! signed one in zigzag. Nothing stands after the last ply. A ply takes eight bytes or so.

use std::time::Duration;

use chess::Move;
use thiserror::Error;

use crate::arena::{Ply, Score};
use crate::varint::{put, take};

const VERSION: u8 = 1;

/// What is wrong with bytes that should be moves.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Error)]
pub(super) enum BlobError {
    #[error("its moves are written in a way that this program does not know")]
    Version,
    #[error("its moves end too early")]
    Short,
    #[error("bytes follow its last move")]
    Long,
    #[error("ply {0} of it is no move")]
    NoMove(u64),
    #[error("a number of ply {0} of it is out of range")]
    Range(u64),
}

/// Writes moves. Of times, whole microseconds are kept.
pub(super) fn encode(plies: &[Ply]) -> Vec<u8> {
    let mut bytes = vec![VERSION];
    put(&mut bytes, plies.len() as u64);
    for ply in plies {
        bytes.extend(ply.mv.bits().to_le_bytes());
        let (kind, score) = match ply.score {
            None => (0, None),
            Some(Score::Centipawns(value)) => (1, Some(value)),
            Some(Score::Mate(moves)) => (2, Some(moves)),
        };
        put(&mut bytes, u64::from(ply.depth) << 2 | kind);
        if let Some(score) = score {
            put(&mut bytes, i64::from(score));
        }
        put(&mut bytes, u64::try_from(ply.time.as_micros()).unwrap_or(u64::MAX));
    }
    bytes
}

/// Reads moves; whether they are legal is not known here.
pub(super) fn decode(bytes: &[u8]) -> Result<Vec<Ply>, BlobError> {
    let mut rest = bytes.strip_prefix(&[VERSION]).ok_or(BlobError::Version)?;
    let count: u64 = take(&mut rest).ok_or(BlobError::Short)?;
    let mut plies = Vec::new();
    for number in 1..=count {
        let (word, after) = rest.split_first_chunk().ok_or(BlobError::Short)?;
        rest = after;
        let mv = Move::from_bits(u16::from_le_bytes(*word)).ok_or(BlobError::NoMove(number))?;
        let head: u64 = take(&mut rest).ok_or(BlobError::Short)?;
        let depth = u32::try_from(head >> 2).map_err(|_| BlobError::Range(number))?;
        let kind = match head & 3 {
            0 => None,
            1 => Some(Score::Centipawns as fn(i32) -> Score),
            2 => Some(Score::Mate as fn(i32) -> Score),
            _ => return Err(BlobError::Range(number)),
        };
        let score = match kind {
            Some(kind) => {
                let score: i64 = take(&mut rest).ok_or(BlobError::Short)?;
                Some(kind(i32::try_from(score).map_err(|_| BlobError::Range(number))?))
            }
            None => None,
        };
        let time = Duration::from_micros(take(&mut rest).ok_or(BlobError::Short)?);
        plies.push(Ply { mv, score, depth, time });
    }
    if rest.is_empty() { Ok(plies) } else { Err(BlobError::Long) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_ply() -> impl Strategy<Value = Ply> {
        let score = prop_oneof![
            Just(None),
            any::<i32>().prop_map(|value| Some(Score::Centipawns(value))),
            any::<i32>().prop_map(|moves| Some(Score::Mate(moves))),
        ];
        (0x8000..=u16::MAX, score, any::<u32>(), any::<u64>()).prop_map(|(bits, score, depth, time)| Ply {
            mv: Move::from_bits(bits).expect("bit 15 is set"),
            score,
            depth,
            time: Duration::from_micros(time),
        })
    }

    fn parts(plies: &[Ply]) -> Vec<(Move, Option<Score>, u32, Duration)> {
        plies.iter().map(|ply| (ply.mv, ply.score, ply.depth, ply.time)).collect()
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(plies in prop::collection::vec(any_ply(), 0..50)) {
            prop_assert_eq!(parts(&decode(&encode(&plies)).unwrap()), parts(&plies));
        }

        /// Whatever stands there, the answer is moves or an error.
        #[test]
        fn any_bytes_are_borne(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = decode(&bytes);
            let _ = decode(&[&[VERSION], bytes.as_slice()].concat());
        }

        #[test]
        fn bytes_that_are_cut_or_go_on_are_noticed(
            plies in prop::collection::vec(any_ply(), 0..10),
            cut in any::<prop::sample::Index>(),
        ) {
            let bytes = encode(&plies);
            prop_assert!(decode(&bytes[..cut.index(bytes.len())]).is_err());
            prop_assert_eq!(decode(&[&bytes, &[0][..]].concat()).unwrap_err(), BlobError::Long);
        }
    }

    #[test]
    fn an_ordinary_ply_takes_eight_bytes() {
        let mv = chess::Position::initial().parse_uci("e2e4").unwrap();
        let ply = Ply { mv, score: Some(Score::Centipawns(-131)), depth: 17, time: Duration::from_micros(105_311) };
        assert_eq!(encode(&[ply]).len(), 2 + 8);
    }

    #[test]
    fn a_number_of_plies_that_cannot_be_takes_no_memory() {
        assert_eq!(decode(&[VERSION, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f]).unwrap_err(), BlobError::Short);
    }
}
