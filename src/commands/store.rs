//! Where commands find the run store: the option `--store`.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use lab::store::{RunId, Store};

use crate::arguments;

/// The option that names the store.
#[derive(Args)]
pub(crate) struct StoreOption {
    /// The run store [default: $MARQUETRY_STORE, or marquetry/runs.db in your data folder]
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
}

impl StoreOption {
    /// The file, whether it is there or not.
    pub(super) fn path(&self) -> Result<PathBuf> {
        Ok(self.store.clone().map_or_else(Store::default_path, Ok)?)
    }

    /// The same store from whatever directory.
    pub(super) fn settled(&self) -> Result<StoreOption> {
        let path = self.path()?;
        Ok(StoreOption { store: Some(std::path::absolute(&path).unwrap_or(path)) })
    }

    /// Opens the store, which must be there.
    pub(super) fn open_existing(&self) -> Result<Store> {
        Ok(Store::open_existing(&self.path()?)?)
    }

    /// The command that goes on with a run of this store.
    pub(super) fn resume_command(&self, kind: &str, run: RunId) -> String {
        let words = [kind, "--resume", &run.to_string()].map(str::to_owned);
        arguments::typed(&[words.to_vec(), self.words()].concat())
    }

    /// What a user adds to a command to mean the same store.
    pub(super) fn words(&self) -> Vec<String> {
        let named = self.store.as_ref().map(|path| std::path::absolute(path).unwrap_or_else(|_| path.clone()));
        named.map_or_else(Vec::new, |path| vec!["--store".to_owned(), path.to_string_lossy().into_owned()])
    }
}
