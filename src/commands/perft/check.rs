//! Files of known perft numbers, checked.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use chess::divide;
use lab::suite::{KnownCount, read_counts};
use serde_json::json;

use super::Perft;
use crate::commands::faults::Faults;
use crate::interrupt;
use crate::output::{errln, outln};
use crate::progress::Progress;

/// A number of a file, and what was counted, unless it was broken off.
struct Checked<'a> {
    path: &'a str,
    known: KnownCount,
    found: Option<u64>,
}

impl Perft {
    /// Counts what the files say and prints what differs.
    pub(super) fn check(&self) -> Result<ExitCode> {
        let (known, bad_lines) = self.read_files()?;
        interrupt::listen()?;
        let start = Instant::now();
        let checked = self.count(&known);
        let seconds = start.elapsed().as_secs_f64();

        let done = checked.iter().filter(|checked| checked.found.is_some()).count();
        let leaves: u64 = checked.iter().filter_map(|checked| checked.found).sum();
        let failures: Vec<&Checked> =
            checked.iter().filter(|one| one.found.is_some_and(|found| found != one.known.leaves)).collect();
        if self.json {
            let failed = |one: &&Checked| {
                json!({ "file": one.path, "line": one.known.line, "fen": one.known.position.to_string(),
                    "depth": one.known.depth, "nodes": one.found, "expected": one.known.leaves })
            };
            let failures: Vec<_> = failures.iter().map(failed).collect();
            let report = json!({ "depth": self.depth, "nodes": leaves, "seconds": seconds, "counts": done,
                "failures": failures, "bad_lines": bad_lines, "interrupted": done < checked.len() });
            outln!("{report}");
        } else {
            for Checked { path, known, found } in &failures {
                let (line, depth) = (known.line, known.depth);
                let found = found.unwrap_or_default();
                outln!(
                    "{path}, line {line}: depth {depth}: {found} leaves instead of {} in {}",
                    known.leaves,
                    known.position
                );
            }
            outln!(
                "{done} counts to depth {}, {} failures, {leaves} leaves, {seconds:.3} s, {:.0} nodes per second",
                self.depth,
                failures.len(),
                leaves as f64 / seconds.max(1e-9)
            );
        }
        if done < checked.len() {
            errln!("Interrupted: {done} of {} counts were done.", checked.len());
        }
        Ok(ExitCode::from(u8::from(!failures.is_empty() || done < checked.len() || bad_lines > 0)))
    }

    /// The numbers of all files that are not too deep; how many lines cannot be read, of which the first are told.
    fn read_files(&self) -> Result<(Vec<(&str, KnownCount)>, usize)> {
        let (mut all, mut faults) = (Vec::new(), Faults::default());
        for path in &self.suite {
            let bytes = std::fs::read(path).with_context(|| format!("{path} cannot be read"))?;
            let (known, bad) = read_counts(&bytes);
            bad.iter().for_each(|(line, error)| faults.add(path, *line, error));
            all.extend(known.into_iter().filter(|known| known.depth <= self.depth).map(|known| (path.as_str(), known)));
        }
        if all.is_empty() {
            bail!("{} has no perft numbers to depth {}", self.suite.join(", "), self.depth);
        }
        Ok((all, faults.told()))
    }

    fn count<'a>(&self, known: &[(&'a str, KnownCount)]) -> Vec<Checked<'a>> {
        let (progress, all) = (Progress::new("perft"), known.len() as u64);
        let count = |(place, &(path, known)): (usize, &(&'a str, KnownCount))| {
            progress.update(place as u64, all);
            Checked { path, known, found: self.leaves(&known) }
        };
        known.iter().enumerate().map(count).collect()
    }

    /// The leaves of a tree; none if Ctrl-C came first.
    fn leaves(&self, known: &KnownCount) -> Option<u64> {
        if known.depth == 0 {
            return Some(1);
        }
        let parts = divide(&known.position, known.depth, self.threads, None, &|_, _| (), &interrupt::came);
        parts.iter().map(|part| part.leaves).sum()
    }
}
