//! Endgame tables in Syzygy's format: what a position with few pieces is worth, and which move holds it.
//!
//! shakmaty-syzygy reads the tables, by ordinary reads and not by mapping: a file that shrinks or a disk that fails is an
//! error there, not a signal that ends the program. A table that cannot be used is told once and left out.

mod files;
mod root;
mod storage;

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard};

use chess::Position;
use shakmaty::Chess;
use shakmaty_syzygy::{Metric, ProbeError, SyzygyError, Tablebase, Wdl};

use files::{Table, tables_in};
pub use root::RankedMove;
use storage::Storage;

/// The tables of some directories, for several threads at once.
pub struct Tablebases {
    tables: Tablebase<Chess>,
    names: HashSet<String>,
    largest: usize,
    complaints: Mutex<Complaints>,
}

/// What went wrong while probing.
#[derive(Default)]
struct Complaints {
    /// Tables that were complained about, each once.
    told: HashSet<String>,
    /// Sentences that nobody has read yet.
    pending: Vec<String>,
}

impl Tablebases {
    /// Opens all tables in directories separated by `:` (`;` on Windows); nothing and `<empty>` mean none.
    ///
    /// Also returns a sentence about each directory and file that cannot be used. The first of several tables of one
    /// name counts. Only the heads of the files are read.
    pub fn open(paths: &str) -> (Tablebases, Vec<String>) {
        let mut tablebases = Tablebases {
            tables: Tablebase::with_filesystem(Arc::new(Storage::new())),
            names: HashSet::new(),
            largest: 0,
            complaints: Mutex::default(),
        };
        let mut messages = Vec::new();
        if paths.trim() == "<empty>" {
            return (tablebases, messages);
        }
        for directory in std::env::split_paths(paths.trim()).filter(|path| !path.as_os_str().is_empty()) {
            let (tables, faults) = tables_in(&directory);
            messages.extend(faults);
            for table in &tables {
                tablebases.add(table);
            }
        }
        (tablebases, messages)
    }

    fn add(&mut self, table: &Table) {
        if !self.names.contains(&table.name) && self.tables.add_file(&table.path).is_ok() {
            self.names.insert(table.name.clone());
            if table.metric == Metric::Wdl {
                self.largest = self.largest.max(table.pieces);
            }
        }
    }

    /// Whether no position can be probed.
    pub fn is_empty(&self) -> bool {
        self.largest == 0
    }

    /// How many files there are.
    pub fn file_count(&self) -> usize {
        self.names.len()
    }

    /// The most pieces, kings included, of any table.
    #[inline]
    pub fn largest(&self) -> usize {
        self.largest
    }

    /// What a position is worth to the side to move, as if a capture or pawn move had just been made.
    ///
    /// None if a table is missing or damaged, or if a side may still castle.
    pub fn wdl(&self, position: &Position) -> Option<Wdl> {
        self.is_within(position)
            .then(|| self.settle(self.tables.probe_wdl_after_zeroing(&position.to_shakmaty())))
            .flatten()
    }

    /// Plies to the next capture, pawn move or mate when both sides play for it; negative for the side that loses.
    ///
    /// Beyond ±100 the fifty-move rule makes the position a draw; zero is a draw anyway. Values may be one ply too small.
    pub fn dtz(&self, position: &Position) -> Option<i32> {
        let probed = self.is_within(position).then(|| self.tables.probe_dtz(&position.to_shakmaty()))?;
        self.settle(probed).map(|distance| distance.ignore_rounding().into())
    }

    /// The sentences about tables that turned out damaged since the last call, one for each table.
    pub fn complaints(&self) -> Vec<String> {
        std::mem::take(&mut self.lock_complaints().pending)
    }

    fn is_within(&self, position: &Position) -> bool {
        position.occupied().count() <= self.largest && position.castling_rooks().is_empty()
    }

    /// The value, or a complaint where a table failed.
    fn settle<T>(&self, probed: Result<T, SyzygyError>) -> Option<T> {
        if let Err(SyzygyError::ProbeFailed { metric, material, error }) = &probed {
            let name = format!("{material}.{}", files::extension(*metric));
            let mut complaints = self.lock_complaints();
            if complaints.told.insert(name.clone()) {
                complaints.pending.push(match &**error {
                    ProbeError::Read { error } => format!("The table {name} cannot be read and is left out: {error}."),
                    _ => format!("The table {name} is damaged and is left out."),
                });
            }
        }
        probed.ok()
    }

    fn lock_complaints(&self) -> MutexGuard<'_, Complaints> {
        self.complaints.lock().expect("nobody panics while holding this lock")
    }
}
