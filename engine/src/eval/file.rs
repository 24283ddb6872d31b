//! Weights files: TOML, read strictly. `writing` writes them.
//!
//! A term that is left out is zero; one that is present must be complete. Every error names the file, the line, the key
//! and, where one is close, the key that was meant.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use chess::{ByRole, Role, Square};
use thiserror::Error;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::axis::{ROLE_NAMES, Shape};
use super::compose::Channel;
use super::phase::{PhaseModel, Taper};
use super::score::Score;
use super::terms::{CATALOG, MATERIAL, PARAM_COUNT, PIECE_SQUARE, TermInfo};
use super::weights::{PRESETS, Spec, Weights};

pub(super) const FORMAT: i64 = 1;
const LARGEST_FILE: u64 = 1 << 20;
const LARGEST_VALUE: i64 = 16_000;

/// Why weights could not be loaded.
#[derive(Clone, Eq, PartialEq, Debug, Error)]
#[error("{origin}{}: {problem}", .line.map(|line| format!(", line {line}")).unwrap_or_default())]
pub struct WeightsError {
    /// The file or preset.
    pub origin: String,
    /// The line, where there is one.
    pub line: Option<usize>,
    /// What is wrong.
    pub problem: Problem,
}

/// What is wrong with a weights file.
#[derive(Clone, Eq, PartialEq, Debug, Error)]
pub enum Problem {
    /// Neither a preset nor a file; perhaps this one was meant.
    #[error("there is no preset and no file of this name{}", meant(.0))]
    NotFound(Option<&'static str>),
    /// The operating system refuses.
    #[error("the file cannot be read: {0}")]
    Unreadable(String),
    /// More than a megabyte.
    #[error("the file is larger than a weights file can be (1 MB)")]
    TooLarge,
    /// Not UTF-8.
    #[error("the file is not text")]
    NotText,
    /// Not TOML.
    #[error("not TOML: {0}")]
    Syntax(String),
    /// A key that must be there.
    #[error("`{0}` is missing")]
    Missing(String),
    /// A key or word that means nothing; perhaps this one was meant.
    #[error("`{0}` is not known{hint}", hint = meant(.1))]
    Unknown(String, Option<&'static str>),
    /// A value of the wrong kind.
    #[error("`{key}` should be {expected}, not {found}")]
    WrongType {
        /// Whose value.
        key: String,
        /// What it should be.
        expected: &'static str,
        /// What it is.
        found: &'static str,
    },
    /// A list of the wrong length.
    #[error("`{key}` has {found} numbers instead of {expected}")]
    WrongLength {
        /// Whose list.
        key: String,
        /// How long it should be.
        expected: usize,
        /// How long it is.
        found: usize,
    },
    /// A number that is too small or too large.
    #[error("`{key}` is {value}, but must be from {low} to {high}")]
    OutOfRange {
        /// Whose number.
        key: String,
        /// The number.
        value: String,
        /// The smallest allowed.
        low: i64,
        /// The largest allowed.
        high: i64,
    },
    /// A file of another time.
    #[error("format {0} is not known; this program reads format {FORMAT}")]
    UnknownFormat(i64),
    /// Sums that do not fit sixteen bits.
    #[error("the weights are too large together: one side's {half} sum could reach {bound}, and 32767 is the most")]
    Overflow {
        /// Middlegame or endgame.
        half: &'static str,
        /// How large the sum could be.
        bound: i32,
    },
}

fn meant(nearest: &Option<&'static str>) -> String {
    nearest.map(|name| format!("; did you mean `{name}`?")).unwrap_or_default()
}

/// The most similar of some names, if one is similar at all.
fn nearest(name: &str, names: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    let scored = names.map(|known| (strsim::jaro_winkler(name, known), known));
    scored.filter(|(score, _)| *score > 0.8).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, known)| known)
}

impl Weights {
    /// Loads a preset by its name, or a file by its path.
    pub fn load(name: &str) -> Result<Weights, WeightsError> {
        if let Some((_, text)) = PRESETS.iter().find(|(preset, _)| *preset == name) {
            return Weights::parse(text, name);
        }
        // A name that cannot be seen is shown in quotes
        let origin = || if name.trim().is_empty() { format!("{name:?}") } else { name.to_owned() };
        let fail = |problem| WeightsError { origin: origin(), line: None, problem };
        let path = Path::new(name);
        if !path.exists() {
            return Err(fail(Problem::NotFound(nearest(name, PRESETS.iter().map(|(name, _)| *name)))));
        }
        let mut bytes = Vec::new();
        // A device may have no end
        let read = File::open(path).and_then(|file| file.take(LARGEST_FILE + 1).read_to_end(&mut bytes));
        let length = read.map_err(|error| fail(Problem::Unreadable(error.to_string())))?;
        if length as u64 > LARGEST_FILE {
            return Err(fail(Problem::TooLarge));
        }
        let text = String::from_utf8(bytes).map_err(|_| fail(Problem::NotText))?;
        Weights::parse(&text, name)
    }

    /// Reads weights from text; `origin` names it in errors.
    pub fn parse(text: &str, origin: &str) -> Result<Weights, WeightsError> {
        let reader = Reader { text, origin };
        let table = DeTable::parse(text).map_err(|error| {
            let place = error.span().map_or(0, |span| span.start);
            reader.fail(place, Problem::Syntax(error.message().to_owned()))
        })?;
        let spec = reader.spec(table.get_ref())?;
        check_sums(&spec).map_err(|problem| WeightsError { origin: origin.to_owned(), line: None, problem })?;
        Ok(Weights::new(spec))
    }
}

type Value<'t> = Spanned<DeValue<'t>>;

/// Reads a parsed file and knows where in the text each value stands.
struct Reader<'t> {
    text: &'t str,
    origin: &'t str,
}

const SECTIONS: [&str; 10] = [
    "format",
    "name",
    "description",
    "unit",
    "interpolation",
    "provenance",
    "explained",
    "phase",
    "king_taper",
    "terms",
];
pub(super) const HALVES: [&str; 2] = ["mg", "eg"];

impl Reader<'_> {
    fn fail(&self, place: usize, problem: Problem) -> WeightsError {
        let before = &self.text.as_bytes()[..place.min(self.text.len())];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        WeightsError { origin: self.origin.to_owned(), line: Some(line), problem }
    }

    fn spec(&self, file: &DeTable<'_>) -> Result<Spec, WeightsError> {
        self.known_keys(file, "", &SECTIONS)?;
        let required = |key: &str| self.required(file, "", key, 0);
        let (format, place) = self.integer("format", required("format")?, FORMAT, FORMAT)?;
        if format != FORMAT {
            return Err(self.fail(place, Problem::UnknownFormat(format)));
        }
        Ok(Spec {
            name: self.string("name", required("name")?)?,
            description: self.string("description", required("description")?)?,
            provenance: file.get("provenance").map_or(Ok(BTreeMap::new()), |value| self.texts("provenance", value))?,
            explained: file.get("explained").map_or(Ok(BTreeMap::new()), |value| self.explained(value))?,
            unit: self.within("unit", required("unit")?, 1, 10_000)?,
            interpolation: self.boolean("interpolation", required("interpolation")?)?,
            phase: self.phase(required("phase")?)?,
            king_taper: file.get("king_taper").map_or(Ok(Taper::Linear), |value| self.taper(value))?,
            values: self.terms(required("terms")?)?,
        })
    }

    /// A table of texts.
    fn texts(&self, section: &str, value: &Value<'_>) -> Result<BTreeMap<String, String>, WeightsError> {
        let entries = self.table(section, value)?.iter();
        entries
            .map(|(key, value)| {
                let key = key.get_ref().to_string();
                Ok((key.clone(), self.string(&format!("{section}.{key}"), value)?))
            })
            .collect()
    }

    /// Texts about weights, which must be there.
    fn explained(&self, value: &Value<'_>) -> Result<BTreeMap<String, String>, WeightsError> {
        let texts = self.texts("explained", value)?;
        let is_weight = |key: &str| {
            let mut names =
                (0..PARAM_COUNT).flat_map(|index| HALVES.map(|half| format!("{}.{half}", TermInfo::label(index))));
            names.any(|name| name.strip_prefix(key).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')))
        };
        // A table or curve with its half: what stands between them is left out
        let is_half =
            |key: &str| key.rsplit_once('.').is_some_and(|(base, half)| HALVES.contains(&half) && is_weight(base));
        match texts.keys().find(|key| !is_weight(key) && !is_half(key)) {
            Some(key) => {
                let nearest = nearest(key, CATALOG.iter().map(|term| term.name));
                Err(self.fail(value.span().start, Problem::Unknown(format!("explained.{key}"), nearest)))
            }
            None => Ok(texts),
        }
    }

    fn phase(&self, value: &Value<'_>) -> Result<PhaseModel, WeightsError> {
        const KEYS: [&str; 8] = ["pawn", "knight", "bishop", "rook", "queen", "king", "offset", "divisor"];
        let table = self.table("phase", value)?;
        self.known_keys(table, "phase.", &KEYS)?;
        let number = |key: &str, low, high| {
            self.within(&format!("phase.{key}"), self.required(table, "phase.", key, value.span().start)?, low, high)
        };
        let mut weights = ByRole::default();
        for (role, key) in Role::ALL.into_iter().zip(ROLE_NAMES) {
            *weights.get_mut(role) = number(key, -10_000_000, 10_000_000)?;
        }
        let offset = number("offset", -1_000_000_000, 1_000_000_000)?;
        Ok(PhaseModel { weights, offset, divisor: number("divisor", 1, 10_000_000)? })
    }

    fn taper(&self, value: &Value<'_>) -> Result<Taper, WeightsError> {
        let table = self.table("king_taper", value)?;
        self.known_keys(table, "king_taper.", &["shape", "midpoint", "width"])?;
        let required = |key: &str| self.required(table, "king_taper.", key, value.span().start);
        let shape = required("shape")?;
        match self.string("king_taper.shape", shape)?.as_str() {
            "linear" => Ok(Taper::Linear),
            "sigmoid" => Ok(Taper::Sigmoid {
                midpoint: self.within("king_taper.midpoint", required("midpoint")?, 0, 256)?,
                width: self.within("king_taper.width", required("width")?, 1, 1000)?,
            }),
            other => {
                let nearest = nearest(other, ["linear", "sigmoid"].into_iter());
                Err(self.fail(shape.span().start, Problem::Unknown(other.to_owned(), nearest)))
            }
        }
    }

    fn terms(&self, value: &Value<'_>) -> Result<Box<[Score; PARAM_COUNT]>, WeightsError> {
        let table = self.table("terms", value)?;
        let names: Vec<&'static str> = CATALOG.iter().map(|term| term.name).collect();
        self.known_keys(table, "terms.", &names)?;
        let mut values = Box::new([Score::ZERO; PARAM_COUNT]);
        for term in CATALOG {
            if let Some(value) = table.get(term.name) {
                self.shaped(&format!("terms.{}", term.name), &term.shape, value, &mut values[term.params()])?;
            }
        }
        Ok(values)
    }

    /// Reads values of a shape: tables by name where it has names, and `mg` and `eg` at their ends.
    fn shaped(&self, key: &str, shape: &Shape, value: &Value<'_>, out: &mut [Score]) -> Result<(), WeightsError> {
        let table = self.table(key, value)?;
        let prefix = format!("{key}.");
        if let Some((names, inner)) = shape.named() {
            self.known_keys(table, &prefix, names)?;
            for (name, out) in names.iter().zip(out.chunks_mut(inner.size())) {
                let value = self.required(table, &prefix, name, value.span().start)?;
                self.shaped(&format!("{key}.{name}"), inner, value, out)?;
            }
            return Ok(());
        }
        self.known_keys(table, &prefix, &HALVES)?;
        let half = |name| {
            self.numbers(&format!("{key}.{name}"), shape, self.required(table, &prefix, name, value.span().start)?)
        };
        for ((place, mg), eg) in (0..).zip(half("mg")?).zip(half("eg")?) {
            out[index_of(shape, place)] = Score::new(mg, eg);
        }
        Ok(())
    }

    /// Reads one number or a list of them.
    fn numbers(&self, key: &str, shape: &Shape, value: &Value<'_>) -> Result<Vec<i32>, WeightsError> {
        let number = |value| self.within(key, value, -LARGEST_VALUE, LARGEST_VALUE);
        if *shape == Shape::Single {
            return Ok(vec![number(value)?]);
        }
        let Some(array) = value.get_ref().as_array() else {
            return Err(self.wrong_type(key, "a list of whole numbers", value));
        };
        if array.len() != shape.size() {
            let problem = Problem::WrongLength { key: key.to_owned(), expected: shape.size(), found: array.len() };
            return Err(self.fail(value.span().start, problem));
        }
        array.iter().map(number).collect()
    }

    fn known_keys(&self, table: &DeTable<'_>, prefix: &str, known: &[&'static str]) -> Result<(), WeightsError> {
        for key in table.keys() {
            let name: &str = key.get_ref();
            if !known.contains(&name) {
                let nearest = nearest(name, known.iter().copied());
                return Err(self.fail(key.span().start, Problem::Unknown(format!("{prefix}{name}"), nearest)));
            }
        }
        Ok(())
    }

    fn required<'v, 't>(
        &self,
        table: &'v DeTable<'t>,
        prefix: &str,
        key: &str,
        place: usize,
    ) -> Result<&'v Value<'t>, WeightsError> {
        table.get(key).ok_or_else(|| self.fail(place, Problem::Missing(format!("{prefix}{key}"))))
    }

    fn within(&self, key: &str, value: &Value<'_>, low: i64, high: i64) -> Result<i32, WeightsError> {
        let (number, place) = self.integer(key, value, low, high)?;
        let out_of_range = || Problem::OutOfRange { key: key.to_owned(), value: number.to_string(), low, high };
        if (low..=high).contains(&number) {
            i32::try_from(number).map_err(|_| self.fail(place, out_of_range()))
        } else {
            Err(self.fail(place, out_of_range()))
        }
    }

    /// A whole number and its place in the text. The range is what an error tells.
    fn integer(&self, key: &str, value: &Value<'_>, low: i64, high: i64) -> Result<(i64, usize), WeightsError> {
        let Some(integer) = value.get_ref().as_integer() else {
            return Err(self.wrong_type(key, "a whole number", value));
        };
        let place = value.span().start;
        match i64::from_str_radix(integer.as_str(), integer.radix()) {
            Ok(number) => Ok((number, place)),
            Err(_) => {
                let value = integer.as_str().to_owned();
                Err(self.fail(place, Problem::OutOfRange { key: key.to_owned(), value, low, high }))
            }
        }
    }

    fn string(&self, key: &str, value: &Value<'_>) -> Result<String, WeightsError> {
        value.get_ref().as_str().map(str::to_owned).ok_or_else(|| self.wrong_type(key, "a text", value))
    }

    fn boolean(&self, key: &str, value: &Value<'_>) -> Result<bool, WeightsError> {
        value.get_ref().as_bool().ok_or_else(|| self.wrong_type(key, "true or false", value))
    }

    fn table<'v, 't>(&self, key: &str, value: &'v Value<'t>) -> Result<&'v DeTable<'t>, WeightsError> {
        value.get_ref().as_table().ok_or_else(|| self.wrong_type(key, "a table", value))
    }

    fn wrong_type(&self, key: &str, expected: &'static str, value: &Value<'_>) -> WeightsError {
        let found = value.get_ref().type_str();
        self.fail(value.span().start, Problem::WrongType { key: key.to_owned(), expected, found })
    }
}

/// Where the nth number of a list belongs: boards are printed with rank 8 on top.
pub(super) fn index_of(shape: &Shape, nth: usize) -> usize {
    if *shape == Shape::Square { Square::new(nth as u32).flip_vertical().to_usize() } else { nth }
}

/// Whether one side's sums fit the packed halves, whatever pawns have become.
fn check_sums(spec: &Spec) -> Result<(), Problem> {
    for (half, of) in [("middlegame", Score::mg as fn(Score) -> i32), ("endgame", Score::eg)] {
        let largest =
            |range: std::ops::Range<usize>| spec.values[range].iter().map(|&v| of(v).abs()).max().unwrap_or(0);
        let piece = |role: Role| {
            let material = of(spec.values[MATERIAL.at(role).index()]);
            let value = |square| material + of(spec.values[PIECE_SQUARE.at((role, square)).index()]);
            Square::ALL.into_iter().map(|square| value(square).abs()).max().unwrap_or(0)
        };
        let promoted = Role::ALL.into_iter().filter(|&role| role != Role::King).map(piece).max().unwrap_or(0);
        let pieces = 8 * promoted
            + 2 * (piece(Role::Knight) + piece(Role::Bishop) + piece(Role::Rook))
            + piece(Role::Queen)
            + piece(Role::King);
        let is_piece =
            |term: &&TermInfo| term.params().contains(&MATERIAL.at(Role::Pawn).index()) || term.name == "piece_square";
        // Each channel has a sum of its own
        let others = |channel: Channel| -> i32 {
            let terms = CATALOG.iter().filter(|term| term.channel == channel && !is_piece(term));
            terms.map(|term| term.most * largest(term.params())).sum()
        };
        let alone = |channel: Channel| others(channel) + if channel == Channel::Score { pieces } else { 0 };
        let bound = Channel::ALL.into_iter().map(alone).max().unwrap_or(0);
        if bound > i32::from(i16::MAX) {
            return Err(Problem::Overflow { half, bound });
        }
    }
    Ok(())
}
