//! A file with every line that engines were sent and sent back, for the day when one misbehaves.

use std::fs::File;
use std::io::Write;
use std::process::Stdio;
use std::time::Instant;

/// A log that several games write to.
#[derive(Debug)]
pub struct Log {
    file: File,
    start: Instant,
}

impl Log {
    /// A fresh log.
    pub fn create(path: &str) -> std::io::Result<Log> {
        Ok(Log { file: File::create(path)?, start: Instant::now() })
    }

    /// A log that goes on.
    pub fn append(path: &str) -> std::io::Result<Log> {
        Ok(Log { file: File::options().create(true).append(true).open(path)?, start: Instant::now() })
    }

    /// Adds a line, with the seconds since the start. A log that cannot be written does not end a match.
    pub(super) fn write(&self, line: &str) {
        let text = format!("{:12.6} {line}\n", self.start.elapsed().as_secs_f64());
        let _ = (&self.file).write_all(text.as_bytes());
    }

    /// Where a program may complain: into the same file.
    pub(super) fn errors(&self) -> std::io::Result<Stdio> {
        Ok(self.file.try_clone()?.into())
    }
}
