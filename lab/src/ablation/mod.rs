//! Ablation: what a part of the evaluation is worth, by switching it off.

mod cost;
mod loss;
mod part;
mod rebalance;
mod sample;

pub use cost::costs;
pub(crate) use loss::{LARGEST_SCALE, smallest};
pub use loss::{Loss, LossKind, LossTable, PartLoss};
pub use part::{Part, PartError};
pub use rebalance::{Rebalance, added_material};
pub use sample::{SAMPLE_GAMES, SAMPLE_NODES, SampleError, self_play};
