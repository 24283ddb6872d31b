//! What commands that start engines share: this program as an engine, and the limits of a move.

use std::sync::Arc;

use anyhow::{Context, Result, bail};
use clap::Args;
use engine::Tablebases;
use lab::arena::{Host, Keeper, Thinking};

use crate::output::errln;

/// Limits of a move, one of them at most.
#[derive(Args)]
pub(super) struct MoveLimits {
    /// Seconds a move
    #[arg(long, value_name = "SECONDS", group = "thinking")]
    movetime: Option<String>,

    /// Nodes a move
    #[arg(long, value_name = "N", group = "thinking")]
    nodes: Option<String>,

    /// Plies a move
    #[arg(long, value_name = "N", group = "thinking")]
    depth: Option<String>,
}

impl MoveLimits {
    /// The limit that was given.
    pub(super) fn thinking(&self) -> Result<Option<Thinking>> {
        let given = [("movetime", &self.movetime), ("nodes", &self.nodes), ("depth", &self.depth)];
        let found = given.into_iter().find_map(|(key, value)| Some((key, value.as_deref()?)));
        Ok(found.map(|(key, value)| Thinking::read(key, value)).transpose()?)
    }
}

/// What starts this program with a command: `uci` for an engine.
pub(super) fn own_command(word: &str) -> Result<Vec<String>> {
    let own = std::env::current_exe().context("this program cannot be found")?;
    Ok(vec![own.to_string_lossy().into_owned(), word.to_owned()])
}

/// What engines are started with, by any command: a keeper ends them if this program is killed.
pub(super) fn host() -> Host {
    let keeper = own_command("keeper").ok().and_then(|command| Keeper::start(&command).ok());
    Host { keeper: keeper.map(Arc::new), ..Host::default() }
}

/// Opens endgame tables, and tells what cannot be used.
pub(super) fn open_tables(paths: &str) -> Result<Arc<Tablebases>> {
    let (tables, remarks) = Tablebases::open(paths);
    for remark in remarks {
        errln!("{remark}");
    }
    if tables.is_empty() {
        bail!("--tablebases: {paths} has no Syzygy tables that can be used");
    }
    Ok(Arc::new(tables))
}
