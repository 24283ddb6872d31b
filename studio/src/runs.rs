//! Runs of the store: the list, and all that is known of one.

use axum::Json;
use axum::extract::State;
use lab::store::{Filter, Run, RunId, Store};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::errors::{ApiError, Asked, Named};
use crate::history::Digest;
use crate::matches::can_resume;
use crate::server::Shared;

/// So many runs are listed at most.
const MOST_RUNS: usize = 500;

/// A run in a list.
#[derive(Clone, PartialEq, Serialize, TS)]
pub(crate) struct RunSummary {
    pub(crate) id: i64,
    /// The command that made it, such as `match`.
    pub(crate) kind: String,
    /// `running`, `paused`, `stopped`, `finished`, `failed` or `interrupted`.
    pub(crate) status: String,
    /// What somebody wants of it: `none`, `pause` or `stop`.
    #[ts(type = "'none' | 'pause' | 'stop'")]
    pub(crate) request: lab::store::Request,
    /// Milliseconds since 1970.
    pub(crate) created: i64,
    /// Milliseconds since 1970.
    pub(crate) updated: i64,
    pub(crate) games: u64,
    pub(crate) engines: Vec<String>,
    /// How it goes or what came out.
    pub(crate) sentence: String,
    /// Whether its process lives.
    pub(crate) is_alive: bool,
    /// Whether it can be asked to pause.
    pub(crate) can_pause: bool,
    /// Whether it can be gone on with from here.
    pub(crate) can_resume: bool,
}

impl From<&Run> for RunSummary {
    fn from(run: &Run) -> RunSummary {
        RunSummary {
            id: number(run.id),
            kind: run.kind.clone(),
            status: run.status().to_owned(),
            request: run.request,
            created: run.created,
            updated: run.updated,
            games: run.games,
            engines: run.engines.iter().map(|engine| engine.name.clone()).collect(),
            sentence: run.sentence().to_owned(),
            is_alive: run.is_alive,
            can_pause: run.can_pause(),
            can_resume: can_resume(run),
        }
    }
}

/// A run's number as a number.
pub(crate) fn number(run: RunId) -> i64 {
    run.to_string().parse().unwrap_or_default()
}

/// A run's number as an address has it.
pub(crate) fn read_id(text: &str) -> Result<RunId, ApiError> {
    text.parse().map_err(|_| ApiError::RunNumber(text.chars().take(40).collect()))
}

/// Which runs are wanted.
#[derive(Deserialize, TS)]
pub(crate) struct RunsQuery {
    /// Of this kind only.
    pub(crate) kind: Option<String>,
    /// The newest so many.
    pub(crate) last: Option<usize>,
}

/// The newest runs, the newest first.
pub(crate) fn newest(store: &Store, kind: Option<&str>, last: usize) -> Result<Vec<RunSummary>, ApiError> {
    let runs = store.runs(Filter { kind, last: Some(last.min(MOST_RUNS)) })?;
    Ok(runs.iter().rev().map(RunSummary::from).collect())
}

/// Lists runs, the newest first.
pub(crate) async fn list(
    State(studio): State<Shared>,
    Asked(query): Asked<RunsQuery>,
) -> Result<Json<Vec<RunSummary>>, ApiError> {
    let last = query.last.unwrap_or(MOST_RUNS);
    Ok(Json(studio.ask(move |store| newest(store, query.kind.as_deref(), last)).await?))
}

/// An engine of a run.
#[derive(Serialize, TS)]
pub(crate) struct RunEngineDetails {
    pub(crate) name: String,
    /// How it may think.
    pub(crate) limit: String,
    pub(crate) options: Vec<(String, String)>,
}

/// All that is known of a run.
#[derive(Serialize, TS)]
pub(crate) struct RunDetails {
    pub(crate) summary: RunSummary,
    /// The program's arguments.
    pub(crate) command: Vec<String>,
    pub(crate) directory: String,
    /// In decimal.
    pub(crate) seed: String,
    pub(crate) version: String,
    pub(crate) engines: Vec<RunEngineDetails>,
    /// What its games come to.
    pub(crate) digest: Digest,
    /// The names of its curves.
    pub(crate) curves: Vec<String>,
}

/// Shows a run.
pub(crate) async fn show(
    State(studio): State<Shared>,
    Named(run): Named<String>,
) -> Result<Json<RunDetails>, ApiError> {
    let id = read_id(&run)?;
    let hall = studio.clone();
    let details = studio.ask(move |store| {
        let run = store.run(id)?;
        let engine = |engine: &lab::store::RunEngine| RunEngineDetails {
            name: engine.name.clone(),
            limit: engine.limit.clone(),
            options: engine.options.clone(),
        };
        Ok(RunDetails {
            summary: RunSummary::from(&run),
            command: run.command.clone(),
            directory: run.directory.clone(),
            seed: run.seed.to_string(),
            version: run.version.clone(),
            engines: run.engines.iter().map(engine).collect(),
            digest: hall.histories.of(store, &run)?,
            curves: store.curve_names(id)?,
        })
    });
    Ok(Json(details.await?))
}
