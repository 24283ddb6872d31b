//! Games to bytes and back, and what becomes of bytes that are cut or changed.

use std::fs;
use std::path::PathBuf;

use chess::{Color, Position};
use proptest::prelude::*;
use serde_json::json;

use super::decode::decode;
use super::encode::encode;
use super::*;
use crate::arena::Winner;
use crate::data::DataError;

/// A game of random moves, with values or without.
fn random_game(start: Position, seed: u64, longest: usize) -> Game {
    let mut random = fastrand::Rng::with_seed(seed);
    let (mut position, mut plies) = (start, Vec::new());
    let mut value = 0;
    for _ in 0..longest {
        let Some(mv) = random.choice(position.legal_moves().to_vec()) else { break };
        value = match random.u32(..20) {
            0 => random.i32(-32_000..=32_000),
            1 => *random.choice(&[i32::MIN, i32::MAX, 31_999, -31_999]).unwrap(),
            _ => value / 2 + random.i32(-40..=40),
        };
        plies.push(Ply { mv, value: (random.u32(..8) != 0).then_some(value) });
        position.play(mv);
    }
    let result = *random.choice(&Winner::ALL).unwrap();
    Game::new(start, plies, result, *random.choice(&Reason::ALL).unwrap()).unwrap()
}

fn bytes_of(game: &Game) -> Vec<u8> {
    let mut bytes = Vec::new();
    encode(game, &mut bytes);
    bytes
}

/// What stands between length and checksum.
fn body_of(game: &Game) -> Vec<u8> {
    let bytes = bytes_of(game);
    let length = bytes.iter().position(|byte| byte & 0x80 == 0).unwrap() + 1;
    bytes[length..bytes.len() - CHECKSUM].to_vec()
}

fn some_games() -> Vec<Game> {
    let starts = [Position::initial(), Position::chess960(17, 802), Position::chess960(3, 3)];
    starts.into_iter().zip(1..).map(|(start, seed)| random_game(start, seed, 12)).collect()
}

/// A file that is removed in the end.
struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str) -> Temporary {
        let file = std::env::temp_dir().join(format!("marquetry-games-{name}-{}", std::process::id()));
        let _ = fs::remove_file(&file);
        Temporary(file)
    }

    /// A file of these games.
    fn with(name: &str, games: &[Game]) -> Temporary {
        let file = Temporary::new(name);
        let mut writer = GameWriter::create(&file.0, &json!({"seed": 7})).unwrap();
        for game in games {
            writer.write(game).unwrap();
        }
        writer.sync().unwrap();
        assert_eq!(writer.bytes(), fs::metadata(&file.0).unwrap().len());
        file
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn read_all(bytes: &[u8]) -> (Vec<Game>, Option<DataError>) {
    let mut games = Vec::new();
    let reader = match GameReader::new(bytes, "test") {
        Ok(reader) => reader,
        Err(error) => return (games, Some(error)),
    };
    for game in reader {
        match game {
            Ok(game) => games.push(game),
            Err(error) => return (games, Some(error)),
        }
    }
    (games, None)
}

proptest! {
    #[test]
    fn what_is_written_is_read(white in 0..960u32, black in 0..960u32, seed: u64, longest in 0..300usize) {
        let game = random_game(Position::chess960(white, black), seed, longest);
        prop_assert_eq!(&decode(&body_of(&game)).unwrap(), &game);
        // From any of its positions too: with castling rights lost, pawns that just passed, and counters
        if let Some(step) = game.positions().last() {
            let rest = Game::new(step.position, Vec::new(), Winner::Draw, Reason::Length).unwrap();
            prop_assert_eq!(decode(&body_of(&rest)).unwrap(), rest);
        }
    }

    /// Whatever stands there, the answer is a game or an error.
    #[test]
    fn any_bytes_are_borne(
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        places in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        seed: u64,
    ) {
        let _ = decode(&bytes);
        let mut body = body_of(&random_game(Position::initial(), seed, 30));
        for (place, byte) in places {
            let index = place.index(body.len());
            body[index] = byte;
        }
        let _ = decode(&body);
        let _ = decode(&[&body, &bytes[..]].concat());
        let _ = read_all(&[&MAGIC[..], &[VERSION], &bytes[..]].concat());
    }

    /// No byte of a file can be changed without notice.
    #[test]
    fn a_changed_byte_is_noticed(place in any::<prop::sample::Index>(), bit in 0..8u32) {
        let games = some_games();
        let mut bytes = fs::read(&Temporary::with("changed", &games).0).unwrap();
        let index = place.index(bytes.len());
        bytes[index] ^= 1 << bit;
        let (read, error) = read_all(&bytes);
        prop_assert!(error.is_some());
        prop_assert_eq!(&read, &games[..read.len()]);
    }
}

#[test]
fn a_file_cut_anywhere_has_the_games_before_the_cut() {
    let games = some_games();
    let whole = Temporary::with("whole", &games);
    let bytes = fs::read(&whole.0).unwrap();
    let mut ends = vec![bytes.len() - games.iter().map(|game| bytes_of(game).len()).sum::<usize>()];
    ends.extend(games.iter().scan(ends[0], |end, game| {
        *end += bytes_of(game).len();
        Some(*end)
    }));
    let cut = Temporary::new("cut");
    for length in 0..=bytes.len() {
        let Some(count) = ends.iter().rposition(|&end| end <= length) else {
            assert!(GameReader::new(&bytes[..length], "test").is_err(), "half a head is none");
            continue;
        };
        let (read, error) = read_all(&bytes[..length]);
        assert_eq!(read, games[..count], "{length}");
        assert_eq!(error.is_some(), length > ends[count], "{length}");

        // Written on, it is as if nothing had happened
        fs::write(&cut.0, &bytes[..length]).unwrap();
        let mut seen = Vec::new();
        let (mut writer, found) = GameWriter::append(&cut.0, &mut |game| seen.push(game.clone())).unwrap();
        assert_eq!(seen, games[..count]);
        let expected =
            Appended { manifest: json!({"seed": 7}), games: count as u64, cut: (length - ends[count]) as u64 };
        assert_eq!(found, expected);
        for game in &games[count..] {
            writer.write(game).unwrap();
        }
        writer.flush().unwrap();
        drop(writer);
        assert_eq!(fs::read(&cut.0).unwrap(), bytes);
    }
}

#[test]
fn damage_far_from_the_end_is_not_cut_off() {
    let many: Vec<Game> = std::iter::repeat_n(random_game(Position::initial(), 9, 400), 2500).collect();
    let file = Temporary::with("damage", &many);
    let mut bytes = fs::read(&file.0).unwrap();
    bytes[2000] ^= 1;
    fs::write(&file.0, &bytes).unwrap();
    let error = GameWriter::append(&file.0, &mut |_| ()).err().unwrap();
    assert!(matches!(error, DataError::Games(_, FileFault::Damaged(_))), "{error}");
    assert_eq!(fs::metadata(&file.0).unwrap().len(), bytes.len() as u64, "nothing is lost");
}

#[test]
fn only_one_process_writes_and_nothing_is_written_over() {
    let file = Temporary::new("lock");
    let writer = GameWriter::create(&file.0, &json!({})).unwrap();
    assert!(matches!(GameWriter::create(&file.0, &json!({})), Err(DataError::Exists(_))));
    assert!(matches!(GameWriter::append(&file.0, &mut |_| ()), Err(DataError::Busy(_))));
    drop(writer);
    assert!(GameWriter::append(&file.0, &mut |_| ()).is_ok());
    let nowhere = std::env::temp_dir().join("no such folder").join("games");
    assert!(matches!(GameWriter::create(&nowhere, &json!({})), Err(DataError::Unwritable(..))));
}

#[test]
fn other_files_are_refused_with_a_reason() {
    let file = Temporary::with("other", &[]);
    let bytes = fs::read(&file.0).unwrap();
    let fault = |bytes: &[u8]| match read_all(bytes) {
        (_, Some(DataError::Games(_, fault))) => fault,
        other => panic!("{other:?}"),
    };
    assert_eq!(fault(b""), FileFault::NotGames);
    assert_eq!(fault(b"rnbqkbnr/pppppppp/8/8 w"), FileFault::NotGames);
    let mut future = bytes.clone();
    future[MAGIC.len()] = 9;
    assert_eq!(fault(&future), FileFault::Version(9));
    // A length that cannot be takes no memory
    assert_eq!(fault(&[&bytes[..], &[0xff; 30]].concat()), FileFault::Damaged(1));
    assert_eq!(fault(&[&bytes[..], &[0; 30]].concat()), FileFault::Damaged(1));
    assert_eq!(fault(&[&bytes[..], &[0x7f]].concat()), FileFault::Torn(1));
    assert!(GameReader::<&[u8]>::is_games(&bytes) && !GameReader::<&[u8]>::is_games(b"MQ"));
}

#[test]
fn what_is_no_game_is_named() {
    let start = Position::initial();
    let [e4, e5] = ["e2e4", "e7e5"].map(|text| {
        let position: Position = if text == "e2e4" {
            start
        } else {
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1".parse().unwrap()
        };
        Ply { mv: position.parse_uci(text).unwrap(), value: None }
    });
    let game = |plies: &[Ply]| Game::new(start, plies.to_vec(), Winner::Draw, Reason::Unknown);
    assert_eq!(game(&[e4, e4]), Err(GameFault::Move(2)));
    let good = game(&[e4, e5]).unwrap();
    let body = body_of(&good);
    // The result, the pieces, and the last move
    let changed = |index: usize, byte: u8| {
        let mut body = body.clone();
        body[index] = byte;
        decode(&body).unwrap_err()
    };
    assert_eq!(changed(0, 0x30), GameFault::Ending);
    assert_eq!(changed(0, 0x1f), GameFault::Ending);
    assert_eq!(changed(9, 0x1d), GameFault::Piece(13));
    assert!(matches!(changed(9, 0x55), GameFault::Start(_)));
    assert_eq!(changed(body.len() - 2, 0), GameFault::Move(2));
    assert_eq!(decode(&body[..body.len() - 1]), Err(GameFault::Short));
    assert_eq!(decode(&[&body[..], &[0]].concat()), Err(GameFault::Long));
}

#[test]
fn a_ply_whose_value_is_expected_takes_three_bytes() {
    let ply =
        |text: &str, position: &Position, value| Ply { mv: position.parse_uci(text).unwrap(), value: Some(value) };
    let start = Position::initial();
    let mut after = start;
    after.play(start.parse_uci("e2e4").unwrap());
    let plies = vec![ply("e2e4", &start, 4000), ply("e7e5", &after, -3950)];
    let game = |plies: &[Ply]| Game::new(start, plies.to_vec(), Winner::Side(Color::White), Reason::Decided).unwrap();
    assert_eq!(bytes_of(&game(&plies)).len() - bytes_of(&game(&plies[..1])).len(), 3);
    assert_eq!(bytes_of(&game(&[])).len(), 1 + 1 + 8 + 16 + 1 + 1 + 1 + 1 + CHECKSUM);
    let values: Vec<_> = game(&plies).positions().map(|step| step.white_value()).collect();
    assert_eq!(values, [Some(4000), Some(3950)]);
    assert_eq!(game(&plies).points(), 1.0);
}
