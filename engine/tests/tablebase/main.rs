//! Endgame tables: files that are missing or damaged, and real tables against the rules of chess.
//!
//! `make test` fetches real tables of three and four pieces; SYZYGY_PATH names their directory.

mod damaged;
mod made;
mod real;
