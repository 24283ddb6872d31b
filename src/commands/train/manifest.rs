//! What is kept of a training: its settings, and for each generation what was made of what, by hashes.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail};
use lab::store::hash_file;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::options::Settings;
use super::steps::{Generation, Step, folder};
use crate::arguments;

/// The format of both files.
const FORMAT: u32 = 1;
/// The file with the settings.
pub(super) const PLAN: &str = "train.json";

/// `train.json`: what was asked for.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub(super) struct Plan {
    format: u32,
    /// The command that began it.
    pub(super) command: String,
    pub(super) version: String,
    pub(super) generations: u32,
    pub(super) settings: Settings,
    /// The store, if it is not the usual one.
    pub(super) store: Option<String>,
    /// The hash of start.toml.
    pub(super) start: String,
}

impl Plan {
    pub(super) fn new(generations: u32, settings: Settings, store: Option<String>, start: String) -> Plan {
        let command = arguments::typed(&arguments::given());
        let version = env!("CARGO_PKG_VERSION").to_owned();
        Plan { format: FORMAT, command, version, generations, settings, store, start }
    }

    pub(super) fn read(root: &Path) -> Result<Plan> {
        let plan: Option<Plan> = read(&root.join(PLAN))?;
        let plan = plan.with_context(|| format!("{} holds no training to go on with", root.display()))?;
        check_format(plan.format, &root.join(PLAN))?;
        Ok(plan)
    }

    pub(super) fn write(&self, root: &Path) -> Result<()> {
        write(&root.join(PLAN), self)
    }
}

/// A step that is done.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub(super) struct Done {
    pub(super) step: String,
    /// What makes it again, in the directory of the training.
    pub(super) command: String,
    /// SHA-256 of the files that were read.
    inputs: BTreeMap<String, String>,
    /// SHA-256 of the files that were made.
    outputs: BTreeMap<String, String>,
    /// What the command said.
    pub(super) report: Value,
}

/// `gen-NN/manifest.json`: a generation, finished or on its way.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub(super) struct Manifest {
    format: u32,
    pub(super) generation: u32,
    pub(super) seed: u64,
    /// Nodes a move of the games.
    pub(super) nodes: u64,
    /// SHA-256 of the program that began it.
    program: String,
    /// The best weights before it.
    pub(super) champion: String,
    pub(super) steps: Vec<Done>,
    /// Whether its weights are the best from then on; not known until the match is over.
    pub(super) promoted: Option<bool>,
}

impl Manifest {
    /// The one that is there, or a new one.
    pub(super) fn open(root: &Path, generation: &Generation, program: &str) -> Result<Manifest> {
        let Generation { settings, number, champion } = generation;
        let path = path(root, *number);
        if let Some(found) = read::<Manifest>(&path)? {
            check_format(found.format, &path)?;
            if found.champion != *champion {
                bail!(
                    "{} was made with {} and not with {champion}; remove that generation",
                    path.display(),
                    found.champion
                );
            }
            return Ok(found);
        }
        Ok(Manifest {
            format: FORMAT,
            generation: *number,
            seed: settings.seed_of(*number),
            nodes: settings.nodes_of(*number),
            program: program.to_owned(),
            champion: (*champion).to_owned(),
            steps: Vec::new(),
            promoted: None,
        })
    }

    pub(super) fn write(&self, root: &Path) -> Result<()> {
        write(&path(root, self.generation), self)
    }

    /// What is known of a step, if it is done.
    pub(super) fn done(&self, step: Step) -> Option<&Done> {
        self.steps.iter().find(|done| done.step == step.name())
    }

    /// Whether a step is done, with files that are as they were. Files that have changed since are an error.
    pub(super) fn is_whole(&self, root: &Path, step: Step) -> Result<bool> {
        let Some(done) = self.done(step) else { return Ok(false) };
        let files = done.inputs.iter().chain(&done.outputs);
        for (file, hash) in files {
            if hash_of(root, file)? != *hash {
                let folder = folder(self.generation);
                bail!(
                    "{file} has changed since {folder} was made with it; put it back, or remove {folder} to make it again"
                );
            }
        }
        Ok(true)
    }

    /// The hash that a file had when it was made.
    pub(super) fn made(&self, file: &str) -> Option<&str> {
        self.steps.iter().find_map(|done| done.outputs.get(file)).map(String::as_str)
    }

    /// Notes a step that is done.
    pub(super) fn add(&mut self, root: &Path, generation: &Generation, step: Step, report: Value) -> Result<()> {
        let hashes = |files: Vec<String>| {
            let hashes = files.into_iter().map(|file| hash_of(root, &file).map(|hash| (file, hash)));
            hashes.collect::<Result<BTreeMap<_, _>>>()
        };
        let (inputs, outputs) = (hashes(generation.inputs(step))?, hashes(generation.outputs(step))?);
        let (step, command) = (step.name().to_owned(), arguments::typed(&generation.words(step)?));
        self.steps.push(Done { step, command, inputs, outputs, report });
        self.write(root)
    }
}

fn path(root: &Path, generation: u32) -> std::path::PathBuf {
    root.join(folder(generation)).join("manifest.json")
}

fn check_format(format: u32, path: &Path) -> Result<()> {
    if format != FORMAT {
        bail!("{} is of format {format}, and this program knows {FORMAT} alone", path.display());
    }
    Ok(())
}

/// The hash of a file of the training.
pub(super) fn hash_of(root: &Path, file: &str) -> Result<String> {
    let path = root.join(file);
    hash_file(&path).with_context(|| format!("{} cannot be read", path.display()))
}

/// Reads a file, if it is there.
fn read<T: DeserializeOwned>(path: &Path) -> Result<Option<T>> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(|| format!("{} cannot be read", path.display())),
    };
    serde_json::from_str(&text).map(Some).with_context(|| format!("{} is damaged", path.display()))
}

fn write(path: &Path, content: &impl Serialize) -> Result<()> {
    let text = serde_json::to_string_pretty(content)?;
    write_whole(path, &format!("{text}\n"))
}

/// Writes a file as a whole or not at all.
pub(super) fn write_whole(path: &Path, text: &str) -> Result<()> {
    let mut draft = path.as_os_str().to_owned();
    draft.push(".new");
    std::fs::write(&draft, text)
        .and_then(|()| std::fs::rename(&draft, path))
        .with_context(|| format!("{} cannot be written", path.display()))
}
