//! `marquetry explain`: why a move, term by term.

use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use chess::{Move, Position};
use clap::Args;
use engine::{Limits, Trace, Weights};
use lab::explain::{Change, Explanation, Path, Question, Shift, Verdict, explain, pawns, reason_of, reasons};
use serde_json::{Value, json};

use super::engines::open_tables;
use crate::interrupt;
use crate::output::outln;
use crate::paint;

/// Say why a move is good: what changes from here to the end of its line, or to that of another move, term by term
#[derive(Args)]
#[command(after_help = "Examples:
  marquetry explain --fen \"r1bqkbnr/pppp1ppp/2n5/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 2 3\" --against Nh3
  marquetry explain --fen \"6k1/5ppp/8/8/8/8/r4PPP/3R2K1 w - - 0 1\" --move Rd8+ --depth 8
  marquetry explain --time 3 --json

The best move, or the one that is named, is searched; then the evaluation here, at the end of its line and at the end of the
other move's line are opened and compared. All figures are centipawns or pawns from the view of the side to move, and those
of a table and of a sentence add up. Moves are written as in SAN (Nf3) or UCI (g1f3). Where a line ends in mate, in a draw or
in endgame tables, terms do not count, and that is said instead.")]
pub(crate) struct Explain {
    /// The position, as FEN, X-FEN or Shredder-FEN [default: the initial position]
    #[arg(long, value_name = "FEN")]
    fen: Option<Position>,

    /// The move to explain [default: the best one]
    #[arg(long = "move", value_name = "MOVE")]
    mv: Option<String>,

    /// The move to compare it with
    #[arg(long, value_name = "MOVE")]
    against: Option<String>,

    /// How many plies deep each move is searched
    #[arg(long, value_name = "N", group = "limit", value_parser = clap::value_parser!(u64).range(1..=200))]
    depth: Option<u64>,

    /// How many seconds each move is searched [default: 1]
    #[arg(long, value_name = "SECONDS", group = "limit")]
    time: Option<f64>,

    /// How many nodes each move is searched
    #[arg(long, value_name = "N", group = "limit", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// The weights: a preset's name or a file (`marquetry weights list` shows the presets)
    #[arg(long, value_name = "NAME|FILE", default_value = "default")]
    weights: String,

    /// Syzygy tables: directories, separated as in PATH
    #[arg(long, value_name = "PATH")]
    tablebases: Option<String>,

    /// Megabytes for the search's table
    #[arg(long, value_name = "MB", default_value = "32", value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Explain {
    /// Searches, explains and prints.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let position = self.fen.unwrap_or_else(Position::initial);
        let weights = Arc::new(Weights::load(&self.weights)?);
        let read = |text: &Option<String>, option: &str| {
            text.as_deref().map(|text| read_move(&position, text).with_context(|| option.to_owned())).transpose()
        };
        let question = Question {
            position,
            weights: weights.clone(),
            limits: self.limits()?,
            mv: read(&self.mv, "--move")?,
            against: read(&self.against, "--against")?,
            tablebases: self.tablebases.as_deref().map(open_tables).transpose()?,
            hash: self.hash as usize,
            is_stopped: &interrupt::came,
        };
        interrupt::listen()?;
        let explanation = explain(&question)?;
        if self.json {
            outln!("{}", report(&explanation, &weights));
        } else {
            print(&explanation, &weights);
        }
        Ok(ExitCode::from(u8::from(interrupt::came())))
    }

    fn limits(&self) -> Result<Limits> {
        let limits = Limits { depth: self.depth.map(|depth| depth as usize), nodes: self.nodes, ..Limits::default() };
        if self.depth.is_some() || self.nodes.is_some() {
            return Ok(limits);
        }
        let seconds = self.time.unwrap_or(1.0);
        if !(0.001..=1e6).contains(&seconds) {
            bail!("--time needs seconds from 0.001 to 1000000, not {seconds}");
        }
        Ok(Limits { movetime: Some((1000.0 * seconds).round() as u64), ..limits })
    }
}

/// A legal move as players or programs write it.
fn read_move(position: &Position, text: &str) -> Result<Move> {
    match position.parse_uci(text) {
        Ok(mv) => Ok(mv),
        Err(_) => Ok(position.parse_san(text)?),
    }
}

/// What scripts read.
fn report(explanation: &Explanation, weights: &Weights) -> Value {
    let Explanation { position, here, chosen, gain, rival, .. } = explanation;
    let view = position.turn();
    json!({
        "fen": position.to_string(),
        "weights": weights.name(),
        "view": view.fold_wb("white", "black"),
        "here": { "cp": view.fold_wb(here.white_cp, -here.white_cp), "phase": here.phase, "rows": rows(here) },
        "move": path(position, chosen),
        "gain": change(gain),
        "against": rival.as_ref().map(|(rival, _)| path(position, rival)),
        "contrast": rival.as_ref().map(|(_, contrast)| change(contrast)),
        "is_best": !explanation.is_asked && !explanation.is_rival_best,
        "sentences": explanation.sentences(),
    })
}

fn rows(trace: &Trace) -> Value {
    trace.rows.iter().map(|row| json!({ "term": row.term, "group": row.group, "white_cp": row.cp })).collect()
}

fn path(position: &Position, path: &Path) -> Value {
    let mode = position.castling_mode();
    let verdict = match path.verdict {
        Verdict::Open => json!({ "cp": path.value }),
        Verdict::Mate(moves) => json!({ "mate": moves }),
        Verdict::Table(is_win) => json!({ "table": if is_win { "win" } else { "loss" } }),
        Verdict::TableDraw => json!({ "table": "draw" }),
        Verdict::Draw(how) => json!({ "cp": path.value, "draw": how }),
    };
    json!({
        "uci": path.mv.uci(mode).to_string(),
        "san": position.san(path.mv),
        "value": verdict,
        "depth": path.depth,
        "line": path.line.iter().map(|mv| mv.uci(mode).to_string()).collect::<Vec<_>>(),
        "line_san": path.san(position),
        "end_fen": path.leaf.to_string(),
        "end_cp": path.end_cp(position.turn()),
        "end_phase": path.end.phase,
        "end_outcome": path.end.outcome,
        "end_rows": rows(&path.end),
    })
}

fn change(change: &Change) -> Value {
    let shift = |shift: &Shift| {
        let squares = shift.places.iter().map(|place| {
            json!({ "square": place.square.to_string(), "side": place.color.fold_wb("white", "black"), "cp": place.cp })
        });
        json!({
            "term": shift.term,
            "role": shift.role,
            "group": shift.group,
            "reason": reason_of(shift.term, shift.role, shift.group),
            "from": shift.from,
            "to": shift.to,
            "cp": shift.cp,
            "exact": shift.exact,
            "squares": squares.collect::<Vec<_>>(),
        })
    };
    let reasons = reasons(change);
    json!({
        "from_cp": change.from_cp,
        "to_cp": change.to_cp,
        "difference_cp": change.difference(),
        "rows": change.shifts.iter().map(shift).collect::<Vec<_>>(),
        "reasons": reasons.iter().map(|reason| json!({ "reason": reason.name, "cp": reason.cp, "terms": reason.terms }))
            .collect::<Vec<_>>(),
    })
}

fn print(explanation: &Explanation, weights: &Weights) {
    let Explanation { position, here, chosen, gain, rival, .. } = explanation;
    let view = position.turn();
    outln!("{position}");
    outln!("{}, {} to move; all values from that side's view\n", weights.name(), view.fold_wb("White", "Black"));
    outln!("{:<10}{:>8}   evaluation", "here", pawns(view.fold_wb(here.white_cp, -here.white_cp)));
    for path in std::iter::once(chosen).chain(rival.as_ref().map(|(rival, _)| rival)) {
        let end = match path.verdict {
            Verdict::Mate(_) | Verdict::Table(_) | Verdict::TableDraw | Verdict::Draw(_) => "",
            Verdict::Open => &pawns(path.end_cp(view)),
        };
        let value = lab::explain::score_in_words(path.value);
        outln!("{:<10}{end:>8}   at the end of {} (search: {value})", position.san(path.mv), path.san(position));
    }
    let is_open = |path: &Path| path.verdict == Verdict::Open;
    if is_open(chosen) {
        let san = position.san(chosen.mv);
        print_change(&format!("from here to the end of {san}"), ["here", &san], gain);
    }
    if let Some((rival, contrast)) = rival.as_ref().filter(|(rival, _)| is_open(rival) && is_open(chosen)) {
        let [ours, theirs] = [chosen, rival].map(|path| position.san(path.mv));
        print_change(&format!("{ours} rather than {theirs}"), [&theirs, &ours], contrast);
    }
    outln!();
    for sentence in explanation.sentences() {
        outln!("{sentence}");
    }
}

/// The table of a change: terms with their shares on both ends, what their change is worth, and the squares that matter
/// most. What rounds to nothing is left out.
fn print_change(heading: &str, ends: [&str; 2], change: &Change) {
    outln!("\n{}", paint::bold(heading, paint::is_wanted()));
    outln!("{:<34}{:>9}{:>9}{:>9}   squares", "term", ends[0], ends[1], "change");
    for shift in change.shifts.iter().filter(|shift| shift.cp != 0) {
        let name = shift.role.map_or(shift.term.to_owned(), |role| format!("{} ({role})", shift.term));
        let squares = shift.places.iter().take(6).map(|place| {
            let side = place.color.fold_wb("w", "b");
            format!("{side}:{} {}", place.square, pawns(place.cp))
        });
        let rest = if shift.places.len() > 6 { ", …" } else { "" };
        let squares = squares.collect::<Vec<_>>().join(", ");
        // What the phase does to all terms has no share of its own
        let [from, to] = match shift.term {
            "phase" => [String::new(), String::new()],
            _ => [shift.from, shift.to].map(|share| format!("{:+.2}", share / 100.0)),
        };
        outln!("{name:<34}{from:>9}{to:>9}{:>9}   {squares}{rest}", pawns(shift.cp));
    }
    let [from, to] = [change.from_cp, change.to_cp].map(pawns);
    outln!("{:<34}{from:>9}{to:>9}{:>9}", "evaluation", pawns(change.difference()));
}
