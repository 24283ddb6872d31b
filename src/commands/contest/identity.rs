//! What a run depends on: programs, weights and openings, known by their contents.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use engine::bench;
use lab::arena::EngineSpec;
use lab::store::{RunEngine, Store, hash_file};

/// An engine as the store knows it. The bench of this program is counted once.
pub(super) fn describe(
    spec: &EngineSpec,
    store: &Store,
    hashes: &mut HashMap<PathBuf, Option<String>>,
) -> Result<RunEngine> {
    let program = spec.command.first().map(|program| find(program));
    // Programs are large, and often the same
    let file_hash = program.and_then(|path| hashes.entry(path).or_insert_with_key(|path| hash_file(path).ok()).clone());
    let bench = match &file_hash {
        Some(hash) if spec.is_own => match store.bench_of(hash)? {
            Some(nodes) => Some(nodes),
            None => {
                let nodes = bench::run(bench::DEPTH, |_, _, _| ()).map(|(nodes, _)| nodes);
                nodes.map(|nodes| store.remember_bench(hash, nodes).map(|()| nodes)).transpose()?
            }
        },
        _ => None,
    };
    Ok(RunEngine {
        name: spec.name.clone(),
        command: spec.command.clone(),
        options: spec.options.clone(),
        limit: spec.thinking.to_string(),
        file_hash,
        bench,
    })
}

/// The file that a command starts.
fn find(program: &str) -> PathBuf {
    let path = Path::new(program);
    if program.contains('/') {
        return path.to_owned();
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).map(|folder| folder.join(path)).find(|file| file.is_file()).unwrap_or(path.into())
}

/// The files of weights that engines play with.
fn weights_files(engines: &[EngineSpec]) -> impl Iterator<Item = &String> {
    let named = engines.iter().flat_map(|spec| &spec.options).filter(|(name, _)| name == "EvalFile");
    named.map(|(_, value)| value).filter(|value| Path::new(value).is_file())
}

/// The files that games read: openings, weights and programs.
pub(super) fn files_read(files: &[String], engines: &[EngineSpec]) -> Vec<PathBuf> {
    let programs = engines.iter().filter_map(|spec| spec.command.first()).map(|program| find(program));
    files.iter().chain(weights_files(engines)).map(PathBuf::from).chain(programs).collect()
}

/// Hashes of the files that games depend on: openings and weights.
pub(super) fn hash_files(files: &[String], engines: &[EngineSpec]) -> Result<BTreeMap<String, String>> {
    files
        .iter()
        .chain(weights_files(engines))
        .map(|path| {
            let hash = hash_file(Path::new(path)).with_context(|| format!("{path} cannot be read"))?;
            Ok((path.clone(), hash))
        })
        .collect()
}
