//! Lines that cannot be read: the first of them are shown, the others counted.

use std::fmt::Display;

use crate::output::errln;

/// How many are shown.
pub(super) const SHOWN: usize = 5;

/// The bad lines of a command's files, told on stderr.
#[derive(Default)]
pub(super) struct Faults {
    count: usize,
}

impl Faults {
    /// Takes a line, and tells of it if it is one of the first.
    pub(super) fn add(&mut self, path: &str, line: usize, error: &impl Display) {
        self.count += 1;
        if self.count <= SHOWN {
            errln!("{path}, line {line}: {error}");
        }
    }

    /// Says how many there were, and how many that is.
    pub(super) fn told(self) -> usize {
        if self.count > 0 {
            errln!("Lines skipped: {}.", self.count);
        }
        self.count
    }
}
