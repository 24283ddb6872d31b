//! Tables small enough to be written here: one value for each side to move.

use std::fs;
use std::path::{Path, PathBuf};

use chess::{Position, Trail};
use engine::{Tablebases, Wdl};

pub(crate) const WDL_MAGIC: [u8; 4] = [0x71, 0xe8, 0x23, 0x5d];
pub(crate) const DTZ_MAGIC: [u8; 4] = [0xd7, 0x66, 0x0c, 0xa5];
/// Both sides' flag for a table that holds one value.
pub(crate) const ONE_VALUE: u8 = 128;

/// A directory that is gone after the test.
pub(crate) struct Directory(pub(crate) PathBuf);

impl Directory {
    pub(crate) fn new(name: &str) -> Directory {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Directory(path)
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.0.join(name), bytes).unwrap();
    }

    pub(crate) fn open(&self) -> (Tablebases, Vec<String>) {
        Tablebases::open(self.0.to_str().unwrap())
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A whole file: its head, then zeros up to the size of a table.
pub(crate) fn padded(head: &[u8]) -> Vec<u8> {
    let mut bytes = head.to_vec();
    bytes.resize(80, 0);
    bytes
}

/// King and queen against king: a table that says that the queen always wins.
pub(crate) fn queen_wins() -> Vec<u8> {
    let [king, queen, other_king] = [0x66, 0x55, 0xee];
    let (win, loss) = (4, 0);
    let layout = [1, 0, king, queen, other_king, 0];
    padded(&[&WDL_MAGIC[..], &layout, &[ONE_VALUE, win, ONE_VALUE, loss]].concat())
}

/// The distances that go with it: every win is one ply away.
fn queen_wins_at_once() -> Vec<u8> {
    let [king, queen, other_king] = [0x66, 0x55, 0xee];
    padded(&[&DTZ_MAGIC[..], &[1, 0, king, queen, other_king, 0], &[ONE_VALUE, 0]].concat())
}

fn position(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

#[test]
fn a_table_is_found_and_probed() {
    let directory = Directory::new("found");
    directory.write("KQvK.rtbw", &queen_wins());
    directory.write("README.txt", b"no table");
    let (tables, messages) = directory.open();
    assert_eq!((messages, tables.is_empty(), tables.file_count(), tables.largest()), (vec![], false, 1, 3));
    for (fen, expected) in [
        ("7k/8/8/8/8/8/8/KQ6 w - - 0 1", Some(Wdl::Win)),
        ("7k/8/8/8/8/8/8/KQ6 b - - 0 1", Some(Wdl::Loss)),
        ("7K/8/8/8/8/8/8/kq6 b - - 0 1", Some(Wdl::Win)),
        ("8/8/8/8/8/2k5/1Q6/7K b - - 0 1", Some(Wdl::Draw)),
        ("7k/8/8/8/8/8/8/KR6 w - - 0 1", None),
        ("7k/8/8/8/8/8/8/KQR5 w - - 0 1", None),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", None),
    ] {
        assert_eq!(tables.wdl(&position(fen)), expected, "{fen}");
    }
    assert!(tables.complaints().is_empty());
}

#[test]
fn the_first_directory_counts_and_nothing_is_no_directory() {
    let (first, second) = (Directory::new("first"), Directory::new("second"));
    first.write("KQvK.rtbw", &queen_wins());
    second.write("KQvK.rtbw", &padded(&WDL_MAGIC));
    let both = std::env::join_paths([&first.0, &second.0]).unwrap();
    let (tables, messages) = Tablebases::open(both.to_str().unwrap());
    assert_eq!((messages, tables.file_count()), (vec![], 1));
    assert_eq!(tables.wdl(&position("7k/8/8/8/8/8/8/KQ6 w - - 0 1")), Some(Wdl::Win));
    for none in ["", "  ", "<empty>"] {
        let (tables, messages) = Tablebases::open(none);
        assert_eq!((messages, tables.is_empty(), tables.largest()), (vec![], true, 0));
    }
}

#[test]
fn mate_in_one_ranks_above_other_wins_with_and_without_distances() {
    let directory = Directory::new("mate");
    directory.write("KQvK.rtbw", &queen_wins());
    let position = position("7k/8/6K1/8/8/8/8/1Q6 w - - 0 1");
    for _ in 0..2 {
        let ranked = directory.open().0.rank_root(&position, &Trail::new()).unwrap();
        assert_eq!(ranked.len(), position.legal_moves().len());
        assert_eq!((ranked[0].mv, ranked[0].wdl), (position.parse_uci("b1b8").unwrap(), Wdl::Win));
        assert!(ranked[0].rank > ranked[1].rank);
        directory.write("KQvK.rtbz", &queen_wins_at_once());
    }
}

#[test]
fn the_fifty_move_rule_turns_a_late_win_into_a_cursed_one() {
    let directory = Directory::new("fifty");
    directory.write("KQvK.rtbw", &queen_wins());
    directory.write("KQvK.rtbz", &queen_wins_at_once());
    let (tables, _) = directory.open();
    for (clock, expected) in [(0, Wdl::Win), (97, Wdl::Win), (98, Wdl::CursedWin), (99, Wdl::CursedWin)] {
        let position = position(&format!("8/8/4k3/8/8/8/8/KQ6 w - - {clock} 80"));
        let ranked = tables.rank_root(&position, &Trail::new()).unwrap();
        assert_eq!(ranked[0].wdl, expected, "{clock}");
    }
}

/// Plays UCI moves and leaves their trail.
fn play(position: &mut Position, moves: &str) -> Trail {
    let mut trail = Trail::new();
    for uci in moves.split_whitespace() {
        trail.push(position);
        position.play(position.parse_uci(uci).unwrap());
    }
    trail
}

#[test]
fn a_third_occurrence_is_the_last_choice_of_the_winner_and_the_first_of_the_loser() {
    let directory = Directory::new("third");
    directory.write("KQvK.rtbw", &queen_wins());
    let (tables, _) = directory.open();

    let mut winner = position("7k/8/8/8/8/8/8/K1Q5 b - - 0 1");
    let trail = play(&mut winner, "h8g8 c1b1 g8h8 b1c1 h8g8 c1b1 g8h8");
    let last = *tables.rank_root(&winner, &trail).unwrap().last().unwrap();
    assert_eq!((last.mv, last.wdl), (winner.parse_uci("b1c1").unwrap(), Wdl::Draw));

    let mut loser = position("7k/8/8/8/8/8/8/KQ6 w - - 0 1");
    let trail = play(&mut loser, "b1c1 h8g8 c1b1 g8h8 b1c1 h8g8 c1b1");
    let first = tables.rank_root(&loser, &trail).unwrap()[0];
    assert_eq!((first.mv, first.wdl), (loser.parse_uci("g8h8").unwrap(), Wdl::Draw));
}
