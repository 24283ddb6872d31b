//! What the games of a run come to, and how they came to it; the curves of a run.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use axum::Json;
use axum::extract::State;
use chess::Color;
use lab::arena::Winner;
use lab::stats::{Estimate, Level, Performance, Sprt, Tally, Verdict};
use lab::store::{GameResult, Run, RunId, Store};
use serde::Serialize;
use ts_rs::TS;

use crate::errors::{ApiError, Named};
use crate::runs::read_id;
use crate::server::Shared;

/// A history has about so many points.
const POINTS: u64 = 300;
/// A curve has at most so many points.
const CURVE_POINTS: usize = 1000;
/// What is known of so many runs is kept.
const REMEMBERED: usize = 32;

/// What the games of a run come to.
#[derive(Clone, Serialize, TS)]
pub(crate) struct Digest {
    /// Who met whom, in the order of the engines.
    pub(crate) pairings: Vec<Pairing>,
    /// The sequential test, if there is one.
    pub(crate) sprt: Option<Test>,
    /// Of a match of two: how it went, pair by pair.
    pub(crate) history: Vec<Moment>,
    /// Of a ladder: the rating by all games.
    pub(crate) rating: Option<(f64, f64)>,
    /// Games in which an engine broke down or broke a rule.
    pub(crate) incidents: u64,
}

/// Two engines' games, in the first one's view.
#[derive(Clone, Serialize, TS)]
pub(crate) struct Pairing {
    /// The engines by their numbers.
    pub(crate) engines: (usize, usize),
    pub(crate) wins: u64,
    pub(crate) draws: u64,
    pub(crate) losses: u64,
    /// Whole pairs by points: 0, ½, 1, 1½, 2.
    pub(crate) ptnml: [u64; 5],
    pub(crate) estimate: Option<EloEstimate>,
}

/// A difference of strength with its 95 % error.
#[derive(Copy, Clone, Serialize, TS)]
pub(crate) struct EloEstimate {
    pub(crate) elo: f64,
    pub(crate) error: f64,
    /// How likely the first engine is the stronger one.
    pub(crate) los: f64,
}

impl EloEstimate {
    fn of(pairs: [u64; 5]) -> Option<EloEstimate> {
        let Estimate { elo, elo_error, los, .. } = Estimate::of(&Tally::Pairs(pairs))?;
        Some(EloEstimate { elo, error: elo_error, los })
    }
}

/// A sequential test.
#[derive(Clone, Serialize, TS)]
pub(crate) struct Test {
    pub(crate) elo0: f64,
    pub(crate) elo1: f64,
    /// Where it ends.
    pub(crate) bounds: (f64, f64),
    pub(crate) llr: f64,
    /// `H0`, `H1` or nothing yet.
    #[ts(type = "'H0' | 'H1' | null")]
    pub(crate) verdict: Option<&'static str>,
}

/// How a match stood after some games.
#[derive(Clone, Serialize, TS)]
pub(crate) struct Moment {
    pub(crate) games: u64,
    pub(crate) elo: f64,
    pub(crate) error: f64,
    pub(crate) llr: Option<f64>,
}

/// Digests of runs, kept until they have more games.
#[derive(Default)]
pub(crate) struct Histories {
    known: Mutex<HashMap<RunId, (u64, Digest)>>,
}

impl Histories {
    /// What the games of a run come to.
    pub(crate) fn of(&self, store: &Store, run: &Run) -> Result<Digest, ApiError> {
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, digest)) = known().get(&run.id).filter(|(games, _)| *games == run.games) {
            return Ok(digest.clone());
        }
        let digest = Digest::of(store, run)?;
        let mut known = known();
        if known.len() >= REMEMBERED {
            known.clear();
        }
        known.insert(run.id, (run.games, digest.clone()));
        Ok(digest)
    }
}

impl Digest {
    fn of(store: &Store, run: &Run) -> Result<Digest, ApiError> {
        let sprt = sprt_of(run);
        let stride = (run.games / 2 / POINTS).max(1);
        let mut digest = Digest { pairings: Vec::new(), sprt: None, history: Vec::new(), rating: None, incidents: 0 };
        let mut half: Option<(usize, usize)> = None;
        store.for_each_result(run.id, |result| {
            digest.incidents += u64::from(result.ending.is_incident);
            let (place, points) = (digest.place(&result), half_points(&result));
            let pairing = &mut digest.pairings[place];
            match points {
                0 => pairing.losses += 1,
                1 => pairing.draws += 1,
                _ => pairing.wins += 1,
            }
            match half.take_if(|(pair, _)| *pair == result.place.pair) {
                Some((_, first)) => {
                    pairing.ptnml[first + points] += 1;
                    let pairs = pairing.ptnml;
                    if run.engines.len() == 2 && pairs.iter().sum::<u64>().is_multiple_of(stride) {
                        digest.history.extend(Moment::of(pairs, sprt.as_ref()));
                    }
                }
                None => half = Some((result.place.pair, points)),
            }
            Ok::<(), ApiError>(())
        })?;
        digest.pairings.sort_by_key(|pairing| pairing.engines);
        for pairing in &mut digest.pairings {
            pairing.estimate = EloEstimate::of(pairing.ptnml);
        }
        if let Some(pairing) = digest.pairings.first().filter(|_| run.engines.len() == 2) {
            if digest.history.last().is_none_or(|last| last.games != 2 * pairing.ptnml.iter().sum::<u64>()) {
                digest.history.extend(Moment::of(pairing.ptnml, sprt.as_ref()));
            }
            digest.sprt = sprt.map(|sprt| Test::of(&sprt, pairing.ptnml));
        } else {
            digest.sprt = sprt.map(|sprt| Test::of(&sprt, [0; 5]));
        }
        digest.rating = digest.rating(run);
        Ok(digest)
    }

    /// The place of the pairing that a game belongs to.
    fn place(&mut self, result: &GameResult) -> usize {
        let engines = (result.engines.white.min(result.engines.black), result.engines.white.max(result.engines.black));
        self.pairings.iter().position(|pairing| pairing.engines == engines).unwrap_or_else(|| {
            self.pairings.push(Pairing { engines, wins: 0, draws: 0, losses: 0, ptnml: [0; 5], estimate: None });
            self.pairings.len() - 1
        })
    }

    /// The rating of a ladder's climber.
    fn rating(&self, run: &Run) -> Option<(f64, f64)> {
        if run.kind != "ladder" {
            return None;
        }
        let level = |pairing: &Pairing| {
            let options = &run.engines.get(pairing.engines.1)?.options;
            let elo = options.iter().rev().find(|(name, _)| name == "UCI_Elo")?.1.parse().ok()?;
            let Pairing { wins, draws, losses, ptnml, .. } = *pairing;
            Some(Level { elo, wins, draws, losses, pairs: Some(ptnml) })
        };
        let levels: Vec<Level> = self.pairings.iter().filter_map(level).collect();
        Performance::of(&levels).map(|found| (found.elo, found.error))
    }
}

/// Half points of the engine with the smaller number.
fn half_points(result: &GameResult) -> usize {
    let is_first_white = result.engines.white < result.engines.black;
    match result.ending.winner {
        Winner::Draw => 1,
        Winner::Side(color) => 2 * usize::from((color == Color::White) == is_first_white),
    }
}

/// The test that a run was begun with.
fn sprt_of(run: &Run) -> Option<Sprt> {
    let mut words = run.command.iter().skip_while(|word| *word != "--sprt" && !word.starts_with("--sprt="));
    let first = words.next()?;
    first.strip_prefix("--sprt=").map(str::to_owned).or_else(|| words.next().cloned())?.parse().ok()
}

impl Test {
    fn of(sprt: &Sprt, pairs: [u64; 5]) -> Test {
        let llr = sprt.llr(&Tally::Pairs(pairs));
        let (elo0, elo1) = sprt.hypotheses();
        let verdict = match sprt.verdict(llr) {
            Verdict::H0 => Some("H0"),
            Verdict::H1 => Some("H1"),
            Verdict::Undecided => None,
        };
        Test { elo0, elo1, bounds: sprt.bounds(), llr, verdict }
    }
}

impl Moment {
    fn of(pairs: [u64; 5], sprt: Option<&Sprt>) -> Option<Moment> {
        let tally = Tally::Pairs(pairs);
        let Estimate { elo, elo_error, .. } = Estimate::of(&tally)?;
        Some(Moment { games: tally.games(), elo, error: elo_error, llr: sprt.map(|sprt| sprt.llr(&tally)) })
    }
}

/// A named number as it changed.
#[derive(Serialize, TS)]
pub(crate) struct CurveData {
    pub(crate) name: String,
    /// Step and value.
    pub(crate) points: Vec<(u64, f64)>,
}

/// The curves of a run, thinned out where they are long.
pub(crate) async fn curves(
    State(studio): State<Shared>,
    Named(run): Named<String>,
) -> Result<Json<Vec<CurveData>>, ApiError> {
    let id = read_id(&run)?;
    let curves = studio.ask(move |store| {
        store.run(id)?;
        Ok(store.curves(id)?)
    });
    let thinned = curves.await?.into_iter().map(|curve| {
        let (count, stride) = (curve.points.len(), curve.points.len().div_ceil(CURVE_POINTS).max(1));
        let kept = curve.points.into_iter().enumerate().filter(|(n, _)| n % stride == 0 || n + 1 == count);
        CurveData { name: curve.name, points: kept.map(|(_, point)| point).collect() }
    });
    Ok(Json(thinned.collect()))
}
