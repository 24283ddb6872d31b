//! Labelled positions: what tuning and measuring an evaluation read.

mod line;
mod reader;

pub use line::{Labelled, LineError};
pub use reader::{BadLine, DataError, LabelledReader};
