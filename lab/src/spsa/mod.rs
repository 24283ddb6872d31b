//! SPSA: numbers are tuned by games of two versions that differ in all of them at once.
//!
//! J. C. Spall's simultaneous perturbation stochastic approximation, in OpenBench's form: an iteration moves every number a
//! step up or down by the toss of a coin, plays pairs of games between that version and its mirror image, and moves the
//! numbers a little towards the one that won more. `parameter.rs` is what is tuned, `tuner.rs` the arithmetic, which knows
//! no chess; `dials.rs` knows what a name turns, and `session.rs` ties these to games.

mod dials;
mod parameter;
mod plot;
mod session;
mod tuner;

pub use dials::{DialError, Dials, matters, tunables, weights};
pub use parameter::{Kind, LineError, Parameter, read_lines, read_values, write_lines};
pub use plot::plot;
pub use session::Session;
pub use tuner::{Course, Moment, Trial, Tuner, Worth};
