//! What went wrong in games, and in an evaluation: games reviewed move by move, with the reasons for each mistake, and the
//! positions that an evaluation misjudges most.

mod annotate;
mod crew;
mod misses;
mod review;
mod summary;

pub use annotate::annotated;
pub use crew::{CrewError, Plan, review_all};
pub use misses::{Answer, Census, Inquiry, Miss, MissGroup, Phase, Yardstick, judge};
pub use review::{Grade, Judgement, Review, Scale};
pub use summary::{Blame, SideCount, Summary};
