//! The weights that can be chosen: presets, files that the user named at the start, and those saved from the page. A
//! request names weights; it never names a file.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use axum::Json;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use engine::{PARAM_COUNT, PRESETS, Score, TermInfo, Weights};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use ts_rs::TS;

use crate::errors::{ApiError, Body, Named};
use crate::server::Shared;

/// Names of saved weights are no longer.
const LONGEST_NAME: usize = 40;
/// What the tuner writes before the names of weights that the data never had.
const UNSEEN: &str = "# Never seen in the data";

/// Weights by name, with some of them changed.
#[derive(Clone, PartialEq, Deserialize, TS)]
#[serde(default)]
pub(crate) struct Choice {
    /// A preset, a file of the user's, or saved weights.
    pub(crate) base: String,
    /// What is changed.
    pub(crate) edits: Vec<Edit>,
}

impl Default for Choice {
    fn default() -> Choice {
        Choice { base: "default".to_owned(), edits: Vec::new() }
    }
}

/// A weight and its new values.
#[derive(Copy, Clone, PartialEq, Deserialize, TS)]
pub(crate) struct Edit {
    pub(crate) param: usize,
    pub(crate) mg: i32,
    pub(crate) eg: i32,
}

/// Where weights are found.
pub(crate) struct Shelf {
    folder: PathBuf,
    /// Files that the user named, by the names they have here.
    given: BTreeMap<String, PathBuf>,
}

impl Shelf {
    pub(crate) fn new(folder: PathBuf, files: &[PathBuf]) -> Shelf {
        let named = |path: &PathBuf| {
            let stem = path.file_stem().map_or("file".into(), |stem| stem.to_string_lossy());
            (if is_preset(&stem) { format!("{stem}-file") } else { stem.into_owned() }, path.clone())
        };
        Shelf { folder, given: files.iter().map(named).collect() }
    }

    /// The file of weights that are no preset.
    fn file(&self, name: &str) -> Result<PathBuf, ApiError> {
        if let Some(path) = self.given.get(name) {
            return Ok(path.clone());
        }
        check_name(name)?;
        Ok(self.folder.join(format!("{name}.toml")))
    }

    /// Weights as text.
    fn text(&self, name: &str) -> Result<String, ApiError> {
        if let Some((_, text)) = PRESETS.iter().find(|(preset, _)| *preset == name) {
            return Ok((*text).to_owned());
        }
        let path = self.file(name).map_err(|_| ApiError::NoWeights(name.to_owned()))?;
        std::fs::read_to_string(path).map_err(|_| ApiError::NoWeights(name.to_owned()))
    }

    fn load(&self, name: &str) -> Result<Weights, ApiError> {
        Ok(Weights::parse(&self.text(name)?, name)?)
    }

    /// What a choice comes to. Files are read every time: another command may have written them anew.
    pub(crate) fn choose(&self, choice: &Choice) -> Result<Arc<Weights>, ApiError> {
        let base = self.load(&choice.base)?;
        Ok(Arc::new(if choice.edits.is_empty() { base } else { edited(&base, choice)? }))
    }

    /// A name or file that a match understands; edited weights are kept in a file of their own, named by their contents.
    pub(crate) fn for_match(&self, choice: &Choice) -> Result<String, ApiError> {
        let weights = self.choose(choice)?;
        if choice.edits.is_empty() {
            return if is_preset(&choice.base) {
                Ok(choice.base.clone())
            } else {
                Ok(text_of(&self.file(&choice.base)?))
            };
        }
        let text = weights.to_toml();
        let hash: String = Sha256::digest(&text)[..6].iter().map(|byte| format!("{byte:02x}")).collect();
        let path = self.folder.join("tried").join(format!("{}-{hash}.toml", choice.base));
        write(&path, &text)?;
        Ok(text_of(&path))
    }

    fn save(&self, name: &str, weights: &Weights) -> Result<(), ApiError> {
        check_name(name)?;
        if self.given.contains_key(name) {
            return Err(ApiError::Name(name.to_owned()));
        }
        write(&self.folder.join(format!("{name}.toml")), &weights.to_toml())
    }

    /// All names and where they come from.
    fn names(&self) -> Vec<(String, &'static str)> {
        let presets = PRESETS.iter().map(|(name, _)| ((*name).to_owned(), "preset"));
        let given = self.given.keys().map(|name| (name.clone(), "file"));
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let stems = entries.filter_map(|entry| Some(entry.file_name().to_str()?.strip_suffix(".toml")?.to_owned()));
        let mut saved: Vec<String> = stems.filter(|name| check_name(name).is_ok()).collect();
        saved.sort();
        let saved = saved.into_iter().filter(|name| !self.given.contains_key(name)).map(|name| (name, "saved"));
        presets.chain(given).chain(saved).collect()
    }

    /// What the tuner knew of weights: the report beside the file, or the remark at its end.
    fn evidence(&self, name: &str, text: &str) -> Option<Evidence> {
        let report = self
            .file(name)
            .ok()
            .and_then(|path| std::fs::read_to_string(format!("{}.report.json", path.display())).ok());
        let report = report.and_then(|report| serde_json::from_str::<Value>(&report).ok());
        report.and_then(|report| Evidence::of_report(&report)).or_else(|| Evidence::of_remark(text))
    }
}

fn text_of(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn is_preset(name: &str) -> bool {
    PRESETS.iter().any(|(preset, _)| *preset == name)
}

fn check_name(name: &str) -> Result<(), ApiError> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    let is_good = !name.is_empty() && name.len() <= LONGEST_NAME && name.bytes().all(is_plain) && !is_preset(name);
    if is_good { Ok(()) } else { Err(ApiError::Name(name.chars().take(100).collect())) }
}

/// Writes a file whole or not at all.
fn write(path: &Path, text: &str) -> Result<(), ApiError> {
    let failed = |error| ApiError::Unwritable { path: text_of(path), error };
    std::fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).map_err(failed)?;
    let draft = path.with_extension("draft");
    std::fs::write(&draft, text).map_err(failed)?;
    std::fs::rename(&draft, path).map_err(failed)
}

/// Weights with some changed; refused where a file with them would be.
fn edited(base: &Weights, choice: &Choice) -> Result<Weights, ApiError> {
    let mut values = Box::new(*base.values());
    for &Edit { param, mg, eg } in &choice.edits {
        let value = values.get_mut(param).ok_or(ApiError::NoParam(param))?;
        let half = |half: i32| half.clamp(-30_000, 30_000);
        *value = Score::new(half(mg), half(eg));
    }
    let changed = base.with_values(values);
    Ok(Weights::parse(&changed.to_toml(), &format!("{} with {} edits", choice.base, choice.edits.len()))?)
}

/// The numbers of weights by their names.
static NUMBERS: LazyLock<HashMap<String, usize>> =
    LazyLock::new(|| (0..PARAM_COUNT).map(|param| (TermInfo::label(param), param)).collect());

/// How well weights are known.
#[derive(Serialize, TS)]
pub(crate) struct Evidence {
    /// By weight: its standard error, if it was tuned.
    pub(crate) mg_errors: Vec<Option<f64>>,
    /// By weight: its standard error, if it was tuned.
    pub(crate) eg_errors: Vec<Option<f64>>,
    /// Weights that no position had, by number.
    pub(crate) unseen: Vec<usize>,
}

impl Evidence {
    fn of_report(report: &Value) -> Option<Evidence> {
        let mut evidence = Evidence::none();
        for entry in report["parameters"].as_array()? {
            let Some(&param) = entry["name"].as_str().and_then(|name| NUMBERS.get(name)) else { continue };
            evidence.mg_errors[param] = entry["error_mg"].as_f64();
            evidence.eg_errors[param] = entry["error_eg"].as_f64();
            if entry["is_free"] == true && entry["positions"] == 0 {
                evidence.unseen.push(param);
            }
        }
        Some(evidence)
    }

    fn of_remark(text: &str) -> Option<Evidence> {
        let (_, remark) = text.split_once(UNSEEN)?;
        let lines = remark.lines().skip(1).map_while(|line| line.strip_prefix("# "));
        let names = lines.flat_map(|line| line.split(", ")).map(str::trim);
        let mut unseen: Vec<usize> = names.filter_map(|name| NUMBERS.get(name).copied()).collect();
        unseen.sort_unstable();
        Some(Evidence { unseen, ..Evidence::none() })
    }

    fn none() -> Evidence {
        Evidence { mg_errors: vec![None; PARAM_COUNT], eg_errors: vec![None; PARAM_COUNT], unseen: Vec::new() }
    }
}

/// Weights that can be chosen.
#[derive(Serialize, TS)]
pub(crate) struct WeightsName {
    pub(crate) name: String,
    #[ts(type = "'preset' | 'file' | 'saved'")]
    pub(crate) origin: &'static str,
    pub(crate) description: String,
}

/// Lists them; files that cannot be read say why.
pub(crate) async fn list(State(studio): State<Shared>) -> Json<Vec<WeightsName>> {
    let shelf = &studio.shelf;
    let described = |(name, origin): (String, &'static str)| {
        let description = match shelf.load(&name) {
            Ok(weights) => weights.description().to_owned(),
            Err(error) => error.to_string(),
        };
        WeightsName { name, origin, description }
    };
    Json(shelf.names().into_iter().map(described).collect())
}

/// All numbers of some weights.
#[derive(Serialize, TS)]
pub(crate) struct WeightsDetails {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) provenance: BTreeMap<String, String>,
    /// Internal units per displayed pawn.
    pub(crate) unit: i32,
    /// By weight.
    pub(crate) mg: Vec<i32>,
    /// By weight.
    pub(crate) eg: Vec<i32>,
    pub(crate) evidence: Option<Evidence>,
}

/// All numbers of one.
pub(crate) async fn show(
    State(studio): State<Shared>,
    Named(name): Named<String>,
) -> Result<Json<WeightsDetails>, ApiError> {
    let text = studio.shelf.text(&name)?;
    let weights = Weights::parse(&text, &name)?;
    Ok(Json(WeightsDetails {
        description: weights.description().to_owned(),
        provenance: weights.provenance().clone(),
        unit: weights.unit(),
        mg: weights.values().iter().map(|value| value.mg()).collect(),
        eg: weights.values().iter().map(|value| value.eg()).collect(),
        evidence: studio.shelf.evidence(&name, &text),
        name,
    }))
}

/// Weights to keep under a name.
#[derive(Deserialize, TS)]
pub(crate) struct SaveRequest {
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) description: String,
    pub(crate) weights: Choice,
}

/// Keeps weights.
pub(crate) async fn save(
    State(studio): State<Shared>,
    Body(request): Body<SaveRequest>,
) -> Result<Json<WeightsName>, ApiError> {
    let weights = studio.shelf.choose(&request.weights)?;
    let description = match request.description.trim() {
        "" => format!("{} with {} weights changed in the studio.", request.weights.base, request.weights.edits.len()),
        given => given.chars().take(300).collect(),
    };
    let mut provenance = weights.provenance().clone();
    provenance.insert("studio".to_owned(), format!("changed by hand, from {}", request.weights.base));
    studio.shelf.save(&request.name, &weights.renamed(&request.name, &description, provenance))?;
    Ok(Json(WeightsName { name: request.name, origin: "saved", description }))
}

/// A weights file to keep.
#[derive(Deserialize, TS)]
pub(crate) struct ImportRequest {
    pub(crate) name: String,
    /// The file's text.
    pub(crate) text: String,
}

/// Keeps a weights file that the user has elsewhere.
pub(crate) async fn import(
    State(studio): State<Shared>,
    Body(request): Body<ImportRequest>,
) -> Result<Json<WeightsName>, ApiError> {
    let weights = Weights::parse(&request.text, &request.name)?;
    studio.shelf.save(&request.name, &weights)?;
    let description = weights.description().to_owned();
    Ok(Json(WeightsName { name: request.name, origin: "saved", description }))
}

/// Weights as a file, to be kept elsewhere.
pub(crate) async fn download(
    State(studio): State<Shared>,
    Body(choice): Body<Choice>,
) -> Result<impl IntoResponse, ApiError> {
    Ok(([(CONTENT_TYPE, "application/toml; charset=utf-8")], studio.shelf.choose(&choice)?.to_toml()))
}
