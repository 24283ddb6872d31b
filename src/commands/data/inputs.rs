//! The files that a command reads, one after the other, with their progress and their faults.

use anyhow::{Result, bail};
use lab::data::{BadLine, DataError, Samples};
use serde_json::{Value, json};

use super::grouped;
use crate::commands::faults::SHOWN;
use crate::interrupt;
use crate::output::outln;
use crate::progress::Progress;

/// Files to read.
pub(in crate::commands) struct Inputs<'a> {
    files: &'a [String],
    progress: Progress,
    bad_count: u64,
    bad: Vec<(&'a str, BadLine)>,
}

/// Told how many bytes of a file were read; says whether to go on.
pub(in crate::commands) type GoesOn<'a> = &'a (dyn Fn(u64) -> bool + Sync);

impl<'a> Inputs<'a> {
    pub(in crate::commands) fn new(files: &'a [String], what: &'static str) -> Result<Inputs<'a>> {
        interrupt::listen()?;
        Ok(Inputs { files, progress: Progress::new(what), bad_count: 0, bad: Vec::new() })
    }

    /// Reads one file after the other; all of them are opened before the first is read.
    pub(in crate::commands) fn read(
        &mut self,
        mut work: impl FnMut(&mut Samples, GoesOn) -> Result<(), DataError>,
    ) -> Result<(), DataError> {
        let opened: Result<Vec<Samples>, DataError> =
            (0..).zip(self.files).map(|(place, path)| Samples::open(path, place)).collect();
        let opened = opened?;
        let all: u64 = opened.iter().map(Samples::size).sum();
        let mut before = 0;
        for (path, mut samples) in self.files.iter().zip(opened) {
            let goes_on = |bytes: u64| {
                self.progress.update(before + bytes, all.max(1));
                !interrupt::came()
            };
            let done = work(&mut samples, &goes_on);
            before += samples.size();
            self.bad_count += samples.bad_count();
            self.bad.extend(samples.bad_lines().iter().map(|bad| (path.as_str(), bad.clone())));
            self.bad.truncate(SHOWN);
            done?;
            if interrupt::came() {
                break;
            }
        }
        Ok(())
    }

    /// How many lines or games were left out.
    pub(in crate::commands) fn bad_count(&self) -> u64 {
        self.bad_count
    }

    /// Refuses files in which nothing was found, unless Ctrl-C came first.
    pub(in crate::commands) fn refuse_nothing(&self, found: u64) -> Result<()> {
        if found > 0 || interrupt::came() {
            return Ok(());
        }
        let fault = |(path, bad): &(&str, BadLine)| format!("; {path}, line {}: {}", bad.line, bad.error);
        bail!("{} has no position to use{}", self.names(), self.bad.first().map_or_else(String::new, fault));
    }

    /// The faults, as JSON has them.
    pub(in crate::commands) fn bad_objects(&self) -> Value {
        let object =
            |(path, bad): &(&str, BadLine)| json!({ "file": path, "line": bad.line, "reason": bad.error.to_string() });
        self.bad.iter().map(object).collect()
    }

    /// Says what was left out.
    pub(in crate::commands) fn print_bad(&self) {
        if self.bad_count > 0 {
            outln!("{} lines or games were left out:", grouped(self.bad_count));
        }
        for (path, bad) in &self.bad {
            outln!("  {path}, line {}: {}", bad.line, bad.error);
        }
        if self.bad_count > self.bad.len() as u64 {
            outln!("  and {} more", grouped(self.bad_count - self.bad.len() as u64));
        }
    }

    /// The files in words.
    pub(in crate::commands) fn names(&self) -> String {
        match self.files {
            [file] => file.clone(),
            files => format!("{} files", files.len()),
        }
    }
}
