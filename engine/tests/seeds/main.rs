//! The presets against the documents they come from.
//!
//! Each module holds one document: its tables as it prints them, its own lookup and its own phase, computed once more
//! in exact arithmetic with nothing but shakmaty. Where a document contradicts itself or leaves something open, its
//! module says which reading the preset follows.

mod doc000;
mod doc001;
mod doc002;
mod doc003;
mod doc004;
mod positions;

use chess::Position;
use engine::{Trace, Weights};
use positions::{ORDINARY, mirrored, sweep};
use shakmaty::{Board, CastlingMode, Chess, Color, Position as _, Role, Square, fen::Fen};

/// What a document says of a position: White's view, centipawns, nothing rounded.
#[derive(Clone, Copy, Debug)]
struct Verdict {
    mg: f64,
    eg: f64,
    /// 0 to 256, where 256 is the middlegame.
    phase: f64,
}

impl Verdict {
    fn new((mg, eg): (i32, i32), phase: f64) -> Verdict {
        Verdict { mg: f64::from(mg), eg: f64::from(eg), phase }
    }

    fn blended(self) -> f64 {
        (self.mg * self.phase + self.eg * (256.0 - self.phase)) / 256.0
    }

    /// One for rounding, the rest for a phase that is a whole number.
    fn tolerance(self) -> f64 {
        1.0 + (self.mg - self.eg).abs() / 512.0
    }
}

fn weights(preset: &str) -> Weights {
    Weights::load(preset).unwrap_or_else(|error| panic!("{preset}: {error}"))
}

fn ours(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn theirs(fen: &str) -> Chess {
    let setup: Fen = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
    setup.into_position(CastlingMode::Standard).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// The engine's evaluation, turned to White's view.
fn white_cp(fen: &str, weights: &Weights) -> i32 {
    let cp = engine::evaluate(&ours(fen), weights);
    if theirs(fen).turn() == Color::White { cp } else { -cp }
}

/// Every position in which the game goes on: those chosen by hand, then the sweep.
fn all() -> Vec<String> {
    ORDINARY.iter().map(ToString::to_string).chain(sweep()).collect()
}

/// A preset against its document, on every position that is kept and with colours swapped.
fn agrees_where(preset: &str, reference: impl Fn(&Board) -> Verdict, kept: impl Fn(&Board) -> bool) -> usize {
    let weights = weights(preset);
    let mut compared = 0;
    for fen in all() {
        for fen in [mirrored(&fen), fen] {
            let theirs = theirs(&fen);
            if !kept(theirs.board()) {
                continue;
            }
            let verdict = reference(theirs.board());
            let cp = white_cp(&fen, &weights);
            let off = (f64::from(cp) - verdict.blended().round()).abs();
            assert!(off <= verdict.tolerance(), "{preset}, {fen}: {cp}, but the document says {verdict:?}");

            let trace = Trace::of(&ours(&fen), &weights);
            assert_eq!(trace.white_cp, cp, "{preset}, {fen}: the trace differs from the evaluation");
            assert_eq!(trace.outcome, None, "{preset}, {fen}: the game is not over");
            compared += 1;
        }
    }
    compared
}

/// A preset against its document, on every position.
fn agrees(preset: &str, reference: impl Fn(&Board) -> Verdict) {
    assert_eq!(agrees_where(preset, reference, |_| true), 2 * all().len());
}

/// A preset's phase is its document's phase, rounded.
fn phase_agrees(preset: &str, phase: impl Fn(&Board) -> f64) {
    let weights = weights(preset);
    for fen in all() {
        let (trace, exact) = (Trace::of(&ours(&fen), &weights), phase(theirs(&fen).board()));
        assert!(
            (f64::from(trace.phase) - exact).abs() <= 0.5,
            "{preset}, {fen}: phase {}, but the document says {exact}",
            trace.phase
        );
    }
}

/// Evaluations that can be checked by hand, the same for both colours.
fn holds(preset: &str, facts: &[(&str, i32)]) {
    let weights = weights(preset);
    for (fen, expected) in facts {
        assert_eq!(white_cp(fen, &weights), *expected, "{preset}, {fen}");
        assert_eq!(white_cp(&mirrored(fen), &weights), -expected, "{preset}, {fen}, colours swapped");
    }
}

/// How many pieces of a kind both sides have together.
fn count(board: &Board, role: Role) -> f64 {
    f64::from(u8::try_from(board.by_role(role).count()).expect("at most 64"))
}

/// Every piece on the board, with +1 for White and -1 for Black.
fn pieces(board: &Board) -> impl Iterator<Item = (Role, Square, Color, i32)> {
    board.iter().map(|(square, piece)| (piece.role, square, piece.color, piece.color.fold_wb(1, -1)))
}

#[test]
fn the_positions_cover_every_phase_and_both_sides() {
    assert!(ORDINARY.len() >= 60);
    assert!(sweep().len() >= 1200, "{} swept positions", sweep().len());
    let phases: Vec<f64> = ORDINARY.iter().map(|fen| doc004::phase(theirs(fen).board())).collect();
    assert!(phases.contains(&0.0) && phases.contains(&256.0));
    assert!(phases.iter().filter(|&&phase| phase > 0.0 && phase < 256.0).count() >= 30);
    let black = ORDINARY.iter().filter(|fen| theirs(fen).turn() == Color::Black).count();
    assert!(black >= 20 && ORDINARY.len() - black >= 20);
}
