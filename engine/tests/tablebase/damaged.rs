//! Files that are no tables, or no more: each is told in a sentence, and the others are used.

use std::fs;

use chess::{Position, Trail};
use engine::{Tablebases, Wdl};

use super::made::{DTZ_MAGIC, Directory, ONE_VALUE, WDL_MAGIC, padded, queen_wins};

/// A position with king and this piece against king.
fn against_king(piece: char) -> Position {
    format!("7k/8/8/8/8/8/8/K{piece}6 w - - 0 1").parse().unwrap()
}

#[test]
fn files_that_cannot_be_tables_are_named_and_the_others_used() {
    let directory = Directory::new("foreign");
    directory.write("KQvK.rtbw", &queen_wins());
    directory.write("KRvK.rtbw", b"");
    directory.write("KBvK.rtbw", &queen_wins()[..79]);
    directory.write("KNvK.rtbw", &padded(b"GIF89a"));
    directory.write("KPvK.rtbz", &queen_wins());
    directory.write("queen.rtbw", &queen_wins());
    directory.write("KQQQQQQvK.rtbw", &queen_wins());
    fs::create_dir(directory.0.join("KRvKR.rtbw")).unwrap();
    let (tables, messages) = directory.open();
    assert_eq!((tables.file_count(), tables.wdl(&against_king('Q'))), (1, Some(Wdl::Win)));
    for (name, reason) in [
        ("KRvK.rtbw", "cut short"),
        ("KBvK.rtbw", "cut short"),
        ("KNvK.rtbw", "not a table of this kind"),
        ("KPvK.rtbz", "not a table of this kind"),
        ("queen.rtbw", "not named after its pieces"),
        ("KQQQQQQvK.rtbw", "not named after its pieces"),
        ("KRvKR.rtbw", "not a file"),
    ] {
        let told: Vec<_> = messages.iter().filter(|message| message.contains(name)).collect();
        assert!(matches!(told[..], [message] if message.contains(reason)), "{name}: {told:?}");
    }
    assert_eq!(messages.len(), 7, "{messages:?}");
}

#[test]
fn directories_without_tables_are_named() {
    let empty = Directory::new("empty");
    let (tables, messages) = empty.open();
    assert!(tables.is_empty() && messages[0].contains("no tables"), "{messages:?}");
    let (tables, messages) = Tablebases::open("/no/such/directory");
    assert!(tables.is_empty() && messages[0].contains("/no/such/directory"), "{messages:?}");
    empty.write("file", b"");
    let (tables, messages) = Tablebases::open(empty.0.join("file").to_str().unwrap());
    assert!(tables.is_empty() && messages.len() == 1, "{messages:?}");
}

#[cfg(unix)]
#[test]
fn a_link_to_nowhere_is_named() {
    let directory = Directory::new("link");
    std::os::unix::fs::symlink("nowhere", directory.0.join("KQvK.rtbw")).unwrap();
    let (tables, messages) = directory.open();
    assert!(tables.is_empty() && messages[0].contains("cannot be read"), "{messages:?}");
}

#[test]
fn damage_behind_the_head_is_told_once() {
    let directory = Directory::new("once");
    directory.write("KQvK.rtbw", &queen_wins());
    directory.write("KRvK.rtbw", &padded(&WDL_MAGIC));
    // A table of other pieces under this name
    directory.write("KBvK.rtbw", &queen_wins());
    let (tables, messages) = directory.open();
    assert_eq!((messages, tables.file_count()), (vec![], 3));
    for _ in 0..3 {
        assert_eq!(tables.wdl(&against_king('R')), None);
        assert_eq!(tables.wdl(&against_king('B')), None);
        assert_eq!(tables.rank_root(&against_king('R'), &Trail::new()), None);
        assert_eq!(tables.wdl(&against_king('Q')), Some(Wdl::Win));
    }
    let complaints = tables.complaints();
    assert_eq!(complaints.len(), 2, "{complaints:?}");
    assert!(complaints.iter().all(|complaint| complaint.contains("damaged")), "{complaints:?}");
    assert!(tables.complaints().is_empty());
}

#[test]
fn a_file_deleted_after_opening_is_told() {
    let directory = Directory::new("deleted");
    directory.write("KQvK.rtbw", &queen_wins());
    let (tables, _) = directory.open();
    fs::remove_file(directory.0.join("KQvK.rtbw")).unwrap();
    assert_eq!(tables.wdl(&against_king('Q')), None);
    assert!(tables.complaints()[0].contains("KQvK.rtbw cannot be read"));
}

#[test]
fn distances_for_the_side_that_is_never_asked_do_not_fill_the_stack() {
    let directory = Directory::new("stack");
    let [pawn, other_pawn, king, other_king] = [1, 9, 6, 14];
    let file = [0, 1, pawn, other_pawn, king, other_king];
    for (flags, is_sound) in [(0, true), (1, false)] {
        let values = [ONE_VALUE, 0, ONE_VALUE, 0, ONE_VALUE, 0, ONE_VALUE | flags, 0];
        directory.write("KPvKP.rtbz", &padded(&[&DTZ_MAGIC[..], &[2], &file.repeat(4), &[0], &values].concat()));
        let (tables, messages) = directory.open();
        assert_eq!(tables.file_count() == 1, is_sound, "{messages:?}");
    }
}
