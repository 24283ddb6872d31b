//! Opinions about positions: the evaluation, the search that uses it, and UCI.

pub mod bench;
mod eval;
mod instance;
pub mod openings;
mod options;
mod pages;
mod search;
mod strength;
mod tablebase;
pub mod uci;
pub mod wdl;

pub use eval::accumulator::{Accumulator, Observing};
pub use eval::axis::{Axis, ROLE_NAMES, Shape, UpTo};
pub use eval::cache::EvalCache;
pub use eval::compose::{Channel, Dual, DualPair, LIMIT, Number, Pair, Stage, Sums, compose};
pub use eval::counts::{Count, Counter, Counts, Slot, Stages, compose_slots};
pub use eval::evaluate;
pub use eval::file::{Problem, WeightsError};
pub use eval::gauge::{Gauge, gauges};
pub use eval::ledger::{Entry, Itemized, Ledger, Total};
pub use eval::phase::{PhaseModel, Taper};
pub use eval::score::Score;
pub use eval::terms;
pub use eval::terms::{CATALOG, Group, PARAM_COUNT, Param, Term, TermInfo};
pub use eval::trace::{Item, Rate, Row, SideSum, Trace};
pub use eval::weights::{PRESETS, Weights};
pub use instance::Engine;
pub use search::{
    Basis, Bound, INFINITE, Limits, MATE, MAX_PLY, Memory, Outlook, Quiescence, Report, STACK, Signal, TUNABLES, Task,
    Tunable, Tunables, moves_to_mate, search, uci_score,
};
pub use shakmaty_syzygy::Wdl;
pub use strength::Strength;
pub use tablebase::{RankedMove, Tablebases};
