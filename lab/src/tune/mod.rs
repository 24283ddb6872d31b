//! Tuning: weights that foretell the results of games best, found by gradient descent.
//!
//! Nothing here knows chess. The engine says what it finds in a position (`engine::Counter`), how sums become a value and
//! how that changes with each sum (`engine::compose_slots`), and what weights there are (`engine::CATALOG`); here are rows
//! of counts, phases and results. A position's value v foretells White's share of the points as 1/(1+10^(-K·v/400)); what
//! is made small is the mean squared (or logistic) distance to the result, perhaps mixed with a search's score. The method
//! is Texel's (Österlund, 2014), the descent is Adam's (Kingma and Ba, 2014).
//!
//! - `layout`, `block`: how rows are written. `load`: positions become rows, and each is checked against `evaluate`.
//! - `storage`: rows in memory, or in a file that may be larger.
//! - `kernel`, `sigmoid`: the hot loops. All sums are of whole numbers, so that the order of additions and the number of
//!   threads change nothing: a seed and the data determine every weight to the last bit.
//! - `space`: which weights are free, frozen or tied. `penalty`: what pulls them. `train`: epochs, rate, early stopping.
//! - `checkpoint`: a descent in a file, to go on later.
//! - `finish`: means of tables into material, the anchor. `precision`: standard errors. `rounding`: whole numbers.

mod adam;
mod block;
mod checkpoint;
mod dataset;
mod error;
mod finish;
mod kernel;
mod layout;
mod load;
mod penalty;
mod precision;
mod rounding;
mod scale;
mod sigmoid;
mod space;
mod storage;
mod train;

pub use dataset::{Dataset, Part, Size};
pub use error::TuneError;
pub use finish::{Anchor, Finished, centred, scaled, values_of};
pub use kernel::Objective;
pub use load::{Cache, LoadSettings, Loader, Lot};
pub use precision::{Errors, standard_errors};
pub use rounding::{Rounding, round_in_steps};
pub use scale::fit_scale;
pub(crate) use space::find as find_weights;
pub use space::{Space, SpaceSettings, Tie};
pub use train::{Epoch, TrainSettings, Trainer, Training, on_threads};

/// Weights as numbers: middlegame and endgame of each, in the order of the catalogue.
pub type Values = Vec<[f64; 2]>;
