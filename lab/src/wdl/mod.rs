//! Chances to win, draw and lose, fitted to games: which curves of [`engine::wdl`] make their results likeliest.
//!
//! - [`Outcomes`]: how often games with a value and an amount of material were won, drawn and lost.
//! - [`fit`]: the likeliest curves. [`Cell`]: what they foretell beside what happened. [`plot`]: both as a picture.

mod fit;
mod outcomes;
mod plot;

pub use fit::{Fit, WdlError, fit, log_loss};
pub use outcomes::{Cell, MATERIALS, MOST, Outcomes, VALUES, Verdict, calibration};
pub use plot::plot;
