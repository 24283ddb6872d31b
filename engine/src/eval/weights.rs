//! The numbers of an evaluation, and what is derived from them once at load.

use std::collections::BTreeMap;

use chess::Role;

use super::king_tables::Boards;
use super::pawn_pairs::PawnPairs;
use super::phase::{PhaseModel, Taper};
use super::score::Score;
use super::terms::{CATALOG, Group, PARAM_COUNT, Param};

macro_rules! presets {
    ($($name:literal),+ $(,)?) => {
        [$(($name, include_str!(concat!("../../../weights/", $name, ".toml")))),+]
    };
}

/// Weights files that are part of the program, by name.
pub static PRESETS: &[(&str, &str)] = &presets!(
    "default",
    "handset",
    "handcrafted",
    "positional",
    "positional-fixed",
    "seajay",
    "seajay-pawns",
    "simplified",
    "stockfish",
    "centre",
    "material",
);

/// All that an evaluation needs besides the position.
#[derive(Clone, PartialEq, Debug)]
pub struct Weights {
    spec: Spec,
    /// Material and tables in one.
    boards: Boards,
    pawn_pairs: PawnPairs,
    /// By phase: how much the middlegame counts for king safety.
    king_phases: Box<[i32; 257]>,
    /// Groups that have a weight other than zero.
    used: Groups,
}

/// A set of groups.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Groups(u32);

impl Groups {
    /// All groups that pass.
    pub(super) fn of(passes: impl Fn(Group) -> bool) -> Groups {
        let mut groups = Groups::default();
        Group::ALL.iter().filter(|&&group| passes(group)).for_each(|&group| groups.add(group));
        groups
    }

    fn add(&mut self, group: Group) {
        self.0 |= 1 << group as u32;
    }

    #[inline]
    pub(super) fn contains(self, group: Group) -> bool {
        self.0 & (1 << group as u32) != 0
    }
}

/// What a weights file says.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Spec {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) provenance: BTreeMap<String, String>,
    pub(super) explained: BTreeMap<String, String>,
    pub(super) unit: i32,
    pub(super) interpolation: bool,
    pub(super) phase: PhaseModel,
    pub(super) king_taper: Taper,
    pub(super) values: Box<[Score; PARAM_COUNT]>,
}

impl Weights {
    /// Derives what the evaluation looks up.
    pub(super) fn new(spec: Spec) -> Weights {
        let mut used = Groups::default();
        for term in CATALOG {
            if spec.values[term.params()].iter().any(|&value| value != Score::ZERO) {
                used.add(term.group);
            }
        }
        Weights {
            boards: Boards::new(|param| spec.values[param.index], used.contains(Group::KingTables)),
            pawn_pairs: PawnPairs::new(|param| spec.values[param.index]),
            king_phases: Box::new(spec.king_taper.table()),
            used,
            spec,
        }
    }

    /// The name in the file.
    pub fn name(&self) -> &str {
        &self.spec.name
    }

    /// The file's sentence about itself.
    pub fn description(&self) -> &str {
        &self.spec.description
    }

    /// Where the numbers come from.
    pub fn provenance(&self) -> &BTreeMap<String, String> {
        &self.spec.provenance
    }

    /// What looks odd and is right: by weight, table or term, why.
    pub fn explained(&self) -> &BTreeMap<String, String> {
        &self.spec.explained
    }

    /// Internal units per displayed pawn.
    #[inline]
    pub fn unit(&self) -> i32 {
        self.spec.unit
    }

    /// The phase model.
    #[inline]
    pub fn phase_model(&self) -> &PhaseModel {
        &self.spec.phase
    }

    /// How king safety fades.
    pub fn king_taper(&self) -> Taper {
        self.spec.king_taper
    }

    /// Whether middlegame and endgame are blended; if not, the middlegame counts alone.
    #[inline]
    pub fn interpolates(&self) -> bool {
        self.spec.interpolation
    }

    /// Switches blending on or off.
    pub fn set_interpolation(&mut self, on: bool) {
        self.spec.interpolation = on;
    }

    /// All weights, in the order of the catalogue.
    pub fn values(&self) -> &[Score; PARAM_COUNT] {
        &self.spec.values
    }

    /// The same with other weights, to be tuned or tried.
    pub fn with_values(&self, values: Box<[Score; PARAM_COUNT]>) -> Weights {
        Weights::new(Spec { values, ..self.spec.clone() })
    }

    /// The same with another phase model.
    pub fn with_phase_model(&self, phase: PhaseModel) -> Weights {
        Weights { spec: Spec { phase, ..self.spec.clone() }, ..self.clone() }
    }

    /// The same weights under another name, with another sentence and another origin.
    pub fn renamed(&self, name: &str, description: &str, provenance: BTreeMap<String, String>) -> Weights {
        let (name, description) = (name.to_owned(), description.to_owned());
        Weights { spec: Spec { name, description, provenance, ..self.spec.clone() }, ..self.clone() }
    }

    #[inline]
    pub(super) fn value(&self, param: Param) -> Score {
        self.spec.values[param.index]
    }

    #[inline]
    pub(super) fn boards(&self) -> &Boards {
        &self.boards
    }

    #[inline]
    pub(super) fn pawn_pairs(&self) -> &PawnPairs {
        &self.pawn_pairs
    }

    #[inline]
    pub(super) fn phase_weight(&self, role: Role) -> i32 {
        *self.spec.phase.weights.get(role)
    }

    #[inline]
    pub(super) fn king_phase(&self, phase: i32) -> i32 {
        self.king_phases[phase as usize]
    }

    /// Whether a group has a weight other than zero.
    pub fn uses(&self, group: Group) -> bool {
        self.used.contains(group)
    }

    #[inline]
    pub(super) fn used(&self) -> Groups {
        self.used
    }

    pub(super) fn spec(&self) -> &Spec {
        &self.spec
    }
}
