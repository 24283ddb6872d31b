//! `marquetry studio`: the page on this machine.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;
use studio::{Options, Studio};

use super::store::StoreOption;
use crate::interrupt;
use crate::output::{errln, outln};

/// Where the page is unless told otherwise.
const PORT: u16 = 8960;

/// Open a page in the browser: analyse, explain and change evaluations, prove the change, watch runs, play
#[derive(Args)]
#[command(
    name = "studio",
    after_help = "Examples:
  marquetry studio
  marquetry studio --port 9000 --no-open
  marquetry studio --weights tuned.toml

The page is for this machine alone (127.0.0.1). Matches that it starts are processes of their own and go on when the studio
ends; `marquetry runs list` shows them. Weights saved from the page are kept in the data folder. docs/studio.md describes
the requests for scripts."
)]
pub(crate) struct StudioCommand {
    /// The port; 0 takes any that is free
    #[arg(long, value_name = "N", default_value_t = PORT)]
    port: u16,

    /// Do not open the browser
    #[arg(long)]
    no_open: bool,

    /// Weights files to offer beside the presets; give it as often as you like
    #[arg(long = "weights", value_name = "FILE")]
    weights: Vec<PathBuf>,

    /// Where weights and logs are kept [default: a folder `studio` beside the run store]
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,

    #[command(flatten)]
    store: StoreOption,
}

impl StudioCommand {
    /// Serves until Ctrl-C.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        if !studio::has_page() {
            errln!(
                "error: this program was built without the page; `make run`, which needs npm, builds it with the page"
            );
            return Ok(ExitCode::from(1));
        }
        for path in &self.weights {
            engine::Weights::load(&path.to_string_lossy())?;
        }
        let store = std::path::absolute(self.store.path()?)?;
        let beside = || store.parent().map(|folder| folder.join("studio"));
        let data = match &self.data {
            Some(folder) => std::path::absolute(folder)?,
            None => beside().context("the run store has no folder; name one with --data")?,
        };
        let weights = self.weights.iter().map(std::path::absolute).collect::<Result<_, _>>()?;
        let program = std::env::current_exe().context("this program cannot be found")?;
        let studio = Studio::open(Options { port: self.port, store, data, weights, program })?;
        let address = format!("http://{}/", studio.address()?);
        interrupt::listen()?;
        outln!("The studio is at {address} (Ctrl-C ends it; matches go on).");
        if !self.no_open && open::that_detached(&address).is_err() {
            outln!("No browser could be started; open the address yourself.");
        }
        studio.run(interrupt::came)?;
        Ok(ExitCode::SUCCESS)
    }
}
