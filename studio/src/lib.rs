//! The studio: a page on this machine in which the evaluation is seen, changed, and the change proven.
//!
//! The server knows HTTP and nothing of chess that the other crates do not tell it; the page (`web`) is part of the program
//! if it was built before. Each file has the messages of its part beside what answers them; `docs/studio.md` describes them
//! for scripts, and `web/src/api.ts`, which is written from them, for the page.

mod analysis;
mod catalogue;
mod errors;
mod explanation;
mod games;
mod guard;
mod history;
mod live;
mod matches;
mod page;
mod position;
mod runs;
mod search;
mod server;
mod shelf;
mod thinking;

#[cfg(test)]
mod tests;

pub use explanation::Explanation;
pub use page::has_page;
pub use server::{Options, ServerError, Studio};
