//! The page's types are these. `UPDATE=1 cargo test -p studio bindings` writes them anew.

use std::path::Path;

use ts_rs::{Config, TS};

use crate::analysis::{Answer, Clocks, Question, Setup};
use crate::catalogue::{Catalogue, CatalogueTerm, Panel, PanelKind};
use crate::errors::Problem;
use crate::explanation::{
    ExplainedFinding, ExplainedRow, ExplainedSide, Explanation, Graph, GraphPoint, GraphRequest, TraceRequest,
};
use crate::games::{GameDetails, GameSummary, GamesPage, GamesQuery};
use crate::history::{CurveData, Digest, EloEstimate, Moment, Pairing, Test};
use crate::live::Live;
use crate::matches::{Action, MatchRequest, Player, RunRequest, Started};
use crate::position::{GameSoFar, PgnGame, PgnText};
use crate::runs::{RunDetails, RunEngineDetails, RunSummary, RunsQuery};
use crate::search::{Branch, CompareRequest, Comparison, Effect, EffectRequest};
use crate::shelf::{Choice, Edit, Evidence, ImportRequest, SaveRequest, WeightsDetails, WeightsName};
use crate::thinking::Line;

macro_rules! declarations {
    ($config:expr; $($name:ident),+ $(,)?) => {
        [$(declaration::<$name>($config)),+].concat()
    };
}

/// A type with what is said of it.
fn declaration<T: TS>(config: &Config) -> String {
    format!("{}export {}\n\n", T::docs().unwrap_or_default(), T::decl(config))
}

#[test]
fn bindings() {
    let config = &Config::new().with_large_int("number");
    let types = declarations!(config;
        Problem, Edit, Choice, WeightsName, Evidence, WeightsDetails, SaveRequest, ImportRequest, PanelKind, Panel,
        CatalogueTerm, Catalogue, GameSoFar, PgnText, PgnGame, TraceRequest, ExplainedSide, ExplainedRow,
        ExplainedFinding, Explanation, GraphRequest, GraphPoint, Graph, Line, CompareRequest, Branch, Comparison,
        EffectRequest, Effect, Setup, Clocks, Question, Answer, RunsQuery, RunSummary, RunEngineDetails, EloEstimate,
        Pairing, Test, Moment, Digest, RunDetails, CurveData, GamesQuery, GameSummary, GamesPage, GameDetails, Live,
        Player, MatchRequest, Started, Action, RunRequest,
    );
    let text = format!(
        "// What the server says and hears, written from its Rust types by `UPDATE=1 cargo test -p studio bindings`.\n\n{}\n",
        types.trim_end()
    );
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("web/src/api.ts");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    assert!(
        std::fs::read_to_string(&path).unwrap_or_default() == text,
        "web/src/api.ts is not up to date: UPDATE=1 cargo test -p studio bindings"
    );
}
