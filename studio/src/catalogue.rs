//! The catalogue of terms, laid out for drawing: each term as panels, each panel by its axis.

use axum::Json;
use engine::{CATALOG, Group, PARAM_COUNT, Shape, Strength, TermInfo};
use serde::Serialize;
use ts_rs::TS;

/// All terms.
#[derive(Serialize, TS)]
pub(crate) struct Catalogue {
    /// The program's version.
    pub(crate) version: &'static str,
    /// How many weights there are.
    pub(crate) params: usize,
    /// The groups, in order.
    pub(crate) groups: Vec<&'static str>,
    pub(crate) terms: Vec<CatalogueTerm>,
    /// How many threads this machine runs at once.
    pub(crate) threads: usize,
    /// The weakest and the strongest level that the engine can be limited to.
    pub(crate) elo: (i32, i32),
}

/// A term.
#[derive(Serialize, TS)]
pub(crate) struct CatalogueTerm {
    pub(crate) name: &'static str,
    /// One sentence.
    pub(crate) doc: &'static str,
    pub(crate) group: &'static str,
    /// Which sum it adds to.
    #[ts(type = "'score' | 'king' | 'danger'")]
    pub(crate) channel: String,
    pub(crate) panels: Vec<Panel>,
}

/// Some weights of a term that are drawn together.
#[derive(Serialize, TS)]
pub(crate) struct Panel {
    /// What tells it from the other panels of its term.
    pub(crate) title: String,
    /// How it is drawn.
    pub(crate) kind: PanelKind,
    /// The number of its first weight.
    pub(crate) start: usize,
    /// What each weight is for.
    pub(crate) labels: Vec<String>,
}

/// How weights are drawn.
#[derive(Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub(crate) enum PanelKind {
    /// As a board, a1 first.
    Squares,
    /// As bars.
    Bars,
    /// As a curve over counts.
    Curve,
}

/// Describes all terms.
pub(crate) async fn catalogue() -> Json<Catalogue> {
    Json(Catalogue {
        version: env!("CARGO_PKG_VERSION"),
        params: PARAM_COUNT,
        groups: Group::ALL.iter().map(|group| group.name()).collect(),
        terms: CATALOG.iter().map(describe).collect(),
        threads: std::thread::available_parallelism().map_or(1, usize::from),
        elo: (Strength::LEAST, Strength::MOST),
    })
}

fn describe(term: &TermInfo) -> CatalogueTerm {
    let mut panels = Vec::new();
    lay_out(&term.shape, "", term.start, &mut panels);
    CatalogueTerm {
        name: term.name,
        doc: term.doc,
        group: term.group.name(),
        channel: format!("{:?}", term.channel).to_lowercase(),
        panels,
    }
}

/// A panel for a plain shape; for a pair, a panel or more for each of its first values.
fn lay_out(shape: &Shape, title: &str, start: usize, panels: &mut Vec<Panel>) {
    let joined = |name: &str| if title.is_empty() { name.to_owned() } else { format!("{title}, {name}") };
    let kind = match shape {
        Shape::Square => PanelKind::Squares,
        Shape::UpTo(_) => PanelKind::Curve,
        Shape::Pair(outer, inner) => {
            let names: Vec<String> = match shape.named() {
                Some((names, _)) => names.iter().map(|&name| name.to_owned()).collect(),
                None => (0..outer.size()).map(|place| place.to_string()).collect(),
            };
            for (place, name) in names.iter().enumerate() {
                lay_out(inner, &joined(name), start + place * inner.size(), panels);
            }
            return;
        }
        _ => PanelKind::Bars,
    };
    let last_word = |param| TermInfo::label(param).rsplit('.').next().unwrap_or_default().to_owned();
    let labels = match shape {
        Shape::Single => vec!["value".to_owned()],
        Shape::Flag => vec!["no".to_owned(), "yes".to_owned()],
        _ => (start..start + shape.size()).map(last_word).collect(),
    };
    panels.push(Panel { title: title.to_owned(), kind, start, labels });
}
