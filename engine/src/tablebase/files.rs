//! Which of a directory's files are tables, as far as name, size and head tell.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use shakmaty::Chess;
use shakmaty_syzygy::{Metric, Syzygy, TableType};
use thiserror::Error;

/// A file that looks like a table.
pub(super) struct Table {
    pub(super) path: PathBuf,
    /// The file's name.
    pub(super) name: String,
    pub(super) metric: Metric,
    /// How many pieces its positions have.
    pub(super) pieces: usize,
}

/// Why a file is left out.
#[derive(Debug, Error)]
enum Fault {
    #[error("is not named after its pieces, as KRPvKR.rtbw is,")]
    Name,
    #[error("is not a file")]
    NoFile,
    #[error("cannot be read ({0})")]
    Unreadable(io::Error),
    #[error("is cut short or damaged")]
    Size,
    #[error("is not a table of this kind")]
    Foreign,
    #[error("is damaged")]
    Damaged,
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Fault {
        if error.kind() == io::ErrorKind::UnexpectedEof { Fault::Size } else { Fault::Unreadable(error) }
    }
}

/// The tables in a directory, and a sentence about everything that cannot be used.
pub(super) fn tables_in(directory: &Path) -> (Vec<Table>, Vec<String>) {
    let paths = std::fs::read_dir(directory).and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect());
    let mut paths: Vec<PathBuf> = match paths {
        Ok(paths) => paths,
        Err(error) => {
            return (Vec::new(), vec![format!("Cannot read the directory {}: {error}.", directory.display())]);
        }
    };
    paths.sort();
    let (mut tables, mut messages) = (Vec::new(), Vec::new());
    for path in paths {
        let Some(metric) = metric_of(&path) else { continue };
        match examine(&path, metric) {
            Ok(table) => tables.push(table),
            Err(fault) => messages.push(format!("{} {fault} and is left out.", path.display())),
        }
    }
    if tables.is_empty() && messages.is_empty() {
        messages.push(format!("There are no tables (.rtbw, .rtbz) in {}.", directory.display()));
    }
    (tables, messages)
}

/// The ending of a table's name: `rtbw` for win, draw and loss, `rtbz` for distances.
pub(super) fn extension(metric: Metric) -> &'static str {
    kind(metric).ext
}

fn kind(metric: Metric) -> TableType {
    match metric {
        Metric::Wdl => Chess::TBW,
        Metric::Dtz => Chess::TBZ,
    }
}

fn metric_of(path: &Path) -> Option<Metric> {
    let ending = path.extension()?;
    [Metric::Wdl, Metric::Dtz].into_iter().find(|&metric| ending == extension(metric))
}

/// Checks a file without reading more than its head.
fn examine(path: &Path, metric: Metric) -> Result<Table, Fault> {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).ok_or(Fault::Name)?;
    let (first, second) = sides(stem).ok_or(Fault::Name)?;
    let pieces = first.len() + second.len();
    let metadata = path.metadata()?;
    if !metadata.is_file() {
        return Err(Fault::NoFile);
    }
    // Blocks of 64 bytes, then a checksum
    if metadata.len() % 64 != 16 {
        return Err(Fault::Size);
    }
    let mut file = BufReader::new(File::open(path)?);
    let [magic @ .., _layout] = read::<5>(&mut file)?;
    if magic != kind(metric).magic {
        return Err(Fault::Foreign);
    }
    if metric == Metric::Dtz && first == second && first.contains('P') && claims_black(&mut file, pieces)? {
        return Err(Fault::Damaged);
    }
    Ok(Table { path: path.to_owned(), name: format!("{stem}.{}", extension(metric)), metric, pieces })
}

/// The sides of a name such as `KRPvKR`, three to seven pieces together.
fn sides(stem: &str) -> Option<(&str, &str)> {
    let (first, second) = stem.split_once('v')?;
    let is_side = |side: &str| {
        let is_sorted = |others: &str| others.chars().is_sorted_by_key(|letter| "QRBNP".find(letter));
        side.strip_prefix('K')
            .is_some_and(|others| others.chars().all(|letter| "QRBNP".contains(letter)) && is_sorted(others))
    };
    let is_name = is_side(first) && is_side(second) && (3..=7).contains(&(first.len() + second.len()));
    is_name.then_some((first, second))
}

/// Whether a table of distances claims to be for Black to move, where both sides have the same pieces, and pawns.
///
/// Such positions are always looked up with White to move. Told otherwise by a damaged table, shakmaty-syzygy would look
/// one move further for ever, until the stack is full.
fn claims_black(file: &mut impl Read, pieces: usize) -> io::Result<bool> {
    const FOR_BLACK: u8 = 1;
    const ONE_VALUE: u8 = 128;
    // For each of four files of a pawn: the order of the groups and the pieces; then a byte to make it even
    skip(file, 4 * (2 + pieces) + 1)?;
    for _ in 0..4 {
        let [flags, _] = read(file)?;
        if flags & FOR_BLACK != 0 {
            return Ok(true);
        }
        if flags & ONE_VALUE != 0 {
            continue;
        }
        let [.., longest, shortest] = read::<8>(file)?;
        skip(file, 2 * (usize::from(longest.saturating_sub(shortest)) + 1))?;
        let symbols = usize::from(u16::from_le_bytes(read(file)?));
        skip(file, 3 * symbols + symbols % 2)?;
    }
    Ok(false)
}

fn read<const N: usize>(file: &mut impl Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn skip(file: &mut impl Read, bytes: usize) -> io::Result<()> {
    io::copy(&mut file.take(bytes as u64), &mut io::sink())?;
    Ok(())
}
