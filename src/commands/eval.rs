//! `marquetry eval`: the evaluation of a position, opened down to the term and the square.

use std::process::ExitCode;

use anyhow::Result;
use chess::{File, Position, Rank, Square};
use clap::Args;
use engine::{SideSum, Trace, Weights};
use serde_json::json;
use studio::Explanation;

use crate::output::{out, outln};
use crate::paint;

/// Evaluate a position and show what the number is made of
#[derive(Args)]
#[command(after_help = "Examples:
  marquetry eval --fen \"r1bq1rk1/pp3ppp/2n1pn2/3p4/1bPP4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 9\"
  marquetry eval --weights seajay --json
  marquetry eval --compare handcrafted my-weights.toml")]
pub(crate) struct Eval {
    /// The position, as FEN, X-FEN or Shredder-FEN [default: the initial position]
    #[arg(long, value_name = "FEN")]
    fen: Option<Position>,

    /// The weights: a preset's name or a file (`marquetry weights list` shows the presets)
    #[arg(long, value_name = "NAME|FILE", default_value = "default")]
    weights: String,

    /// Show two weights beside each other
    #[arg(long, num_args = 2, value_names = ["A", "B"], conflicts_with = "weights")]
    compare: Option<Vec<String>>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Eval {
    /// Evaluates and prints.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let position = self.fen.unwrap_or_else(Position::initial);
        if let Some([a, b]) = self.compare.as_deref() {
            let (a, b) = (Weights::load(a)?, Weights::load(b)?);
            if self.json {
                let (a, b) = (Explanation::of(&position, &a), Explanation::of(&position, &b));
                outln!("{}", json!({ "a": a, "b": b }));
            } else {
                let traces = (Trace::of(&position, &a), Trace::of(&position, &b));
                print_comparison(&position, (&a, &traces.0), (&b, &traces.1));
            }
        } else {
            let weights = Weights::load(&self.weights)?;
            if self.json {
                outln!("{}", serde_json::to_string(&Explanation::of(&position, &weights))?);
            } else {
                let trace = Trace::of(&position, &weights);
                print_head(&position, &format!("{}, phase {} of 256", weights.name(), trace.phase));
                print_rows(&trace);
                print_sum(&position, &trace);
                if trace.outcome.is_none() {
                    print_board(&position, &trace);
                }
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn print_head(position: &Position, what: &str) {
    outln!("{position}");
    let check = if position.is_check() { ", in check" } else { "" };
    outln!("{what}, {} to move{check}\n", position.turn().fold_wb("White", "Black"));
}

fn print_rows(trace: &Trace) {
    outln!("{:<22}{:>17}  {:>17}  {:>9}", "", "White", "Black", "share");
    outln!("{:<22}{:>4}{:>6}{:>7}  {:>4}{:>6}{:>7}  {:>9}", "term", "n", "mg", "eg", "n", "mg", "eg", "cp");
    // A term that these weights do not know is no news
    for row in trace.rows.iter().filter(|row| row.group == "Composition" || row.is_weighty()) {
        let side = |sum: &SideSum| match sum.count {
            0 => format!("{:>17}", ""),
            _ => format!("{:>4}{:>6}{:>7}", sum.count, sum.mg, sum.eg),
        };
        outln!("{:<22}{}  {}  {:>+9.2}", row.term, side(&row.white), side(&row.black), row.cp);
    }
}

fn print_sum(position: &Position, trace: &Trace) {
    outln!("{:<60}{:>+9}", "evaluation, White's view", trace.white_cp);
    match trace.outcome {
        Some(outcome) => outln!("\nThe game is over: {outcome}."),
        None => {
            let own = position.turn().fold_wb(trace.white_cp, -trace.white_cp);
            outln!("{:<60}{own:>+9}", "evaluation, the side to move's view");
        }
    }
}

/// The pieces with what each contributes, in centipawns, White's view.
fn print_board(position: &Position, trace: &Trace) {
    let colour = paint::is_wanted();
    outln!("\nWhat each piece contributes, in centipawns, White's view:\n");
    for rank in Rank::ALL.into_iter().rev() {
        out!("{}  ", rank.char());
        for file in File::ALL {
            let square = Square::from_coords(file, rank);
            match position.piece_on(square) {
                Some(piece) => {
                    let value = trace.squares[square.to_usize()];
                    let sign = if piece.color.is_white() { 1.0 } else { -1.0 };
                    let cell = format!(" {}{:>+6.0} ", piece.char(), value);
                    out!("{}", paint::heat(&cell, sign * value, 1000.0, colour));
                }
                None => out!("{:>9}", "·    "),
            }
        }
        outln!();
    }
    outln!("   {}", File::ALL.map(|file| format!("{:^9}", file.char())).concat());
}

/// Two evaluations of one position, term by term.
fn print_comparison(position: &Position, a: (&Weights, &Trace), b: (&Weights, &Trace)) {
    let phases = format!("phase {} and {} of 256", a.1.phase, b.1.phase);
    print_head(position, &format!("{} and {}, {phases}", a.0.name(), b.0.name()));
    outln!("{:<22}{:>17}{:>17}{:>13}", "share, cp", a.0.name(), b.0.name(), "difference");
    let share = |trace: &Trace, term: &str| trace.rows.iter().find(|row| row.term == term).map_or(0.0, |row| row.cp);
    let mut terms: Vec<&str> = Vec::new();
    for row in a.1.rows.iter().chain(&b.1.rows).filter(|row| row.cp != 0.0 || row.is_weighty()) {
        if !terms.contains(&row.term) {
            terms.push(row.term);
        }
    }
    for term in terms {
        let (x, y) = (share(a.1, term), share(b.1, term));
        outln!("{term:<22}{x:>+17.2}{y:>+17.2}{:>+13.2}", y - x);
    }
    let difference = b.1.white_cp - a.1.white_cp;
    outln!("{:<22}{:>+17}{:>+17}{difference:>+13}", "White's view", a.1.white_cp, b.1.white_cp);
}
