//! What several tests of commands need.

use std::path::PathBuf;

use assert_cmd::Command;

/// Runs the program.
pub(crate) fn marquetry(arguments: &[&str]) -> assert_cmd::assert::Assert {
    Command::cargo_bin("marquetry").unwrap().args(arguments).assert()
}

/// A file that is removed when the test is over.
pub(crate) struct File(PathBuf);

impl File {
    /// Writes it.
    pub(crate) fn new(name: &str, content: impl AsRef<[u8]>) -> File {
        let path = std::env::temp_dir().join(format!("marquetry-{}-{name}", std::process::id()));
        std::fs::write(&path, content).unwrap();
        File(path)
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}
