//! Programs and other files by their contents, and what `bench` says of a program.

use std::fmt::Write as _;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use rusqlite::OptionalExtension;
use sha2::{Digest, Sha256};

use super::Store;
use super::error::StoreError;

/// SHA-256 of a file in hexadecimal digits, read piece by piece.
pub fn hash_file(path: &Path) -> std::io::Result<String> {
    let mut file = File::open(path)?;
    let mut hasher = Sha256::new();
    let mut piece = vec![0; 1 << 16];
    loop {
        match file.read(&mut piece)? {
            0 => break,
            length => hasher.update(&piece[..length]),
        }
    }
    Ok(in_digits(hasher))
}

/// SHA-256 of a text in hexadecimal digits.
pub fn hash_text(text: &str) -> String {
    in_digits(Sha256::new_with_prefix(text))
}

fn in_digits(hasher: Sha256) -> String {
    let mut text = String::with_capacity(64);
    for byte in hasher.finalize() {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

impl Store {
    /// Nodes of a program's `bench`, if they are known.
    pub fn bench_of(&self, file_hash: &str) -> Result<Option<u64>, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT nodes FROM binaries WHERE file_hash = ?1")?;
            let nodes = statement.query_row((file_hash,), |row| row.get::<_, i64>(0)).optional()?;
            Ok(nodes.map(i64::cast_unsigned))
        })
    }

    /// Remembers the nodes of a program's `bench`.
    pub fn remember_bench(&self, file_hash: &str, nodes: u64) -> Result<(), StoreError> {
        self.write(|transaction| {
            let statement = "INSERT OR REPLACE INTO binaries (file_hash, nodes) VALUES (?1, ?2)";
            transaction.execute(statement, (file_hash, nodes.cast_signed()))?;
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_their_contents() {
        let file = std::env::temp_dir().join(format!("marquetry-hash-{}", std::process::id()));
        let hash_of = |contents: &[u8]| {
            std::fs::write(&file, contents).unwrap();
            hash_file(&file).unwrap()
        };
        assert_eq!(hash_of(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(hash_text("abc"), hash_of(b"abc"));
        assert_ne!(hash_of(&[0; 200_000]), hash_of(&[0; 200_001]));
        std::fs::remove_file(&file).unwrap();
        assert!(hash_file(&file).is_err());
    }
}
