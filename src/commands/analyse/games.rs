//! Games reviewed: the annotated PGN, and what was found.

use std::process::ExitCode;

use anyhow::{Result, bail};
use chess::Color;
use lab::analysis::{Blame, Grade, Plan, Review, SideCount, Summary, annotated, review_all};
use lab::data::{Scoresheets, SheetError};
use lab::files::{Output, WriteError, check_apart};
use serde_json::{Value, json};

use super::Analyse;
use crate::interrupt;
use crate::output::{errln, out, outln};
use crate::progress::Progress;

/// So many mistakes of a game are listed, and so many reasons.
const LISTED: usize = 5;
/// So many games are listed one by one; of more, only the sum is shown.
const GAMES: usize = 20;

/// Where the annotated games go.
enum Sheets {
    File(Output),
    Stdout,
    Nowhere,
}

impl Sheets {
    fn write(&mut self, text: &str) -> Result<(), WriteError> {
        match self {
            Sheets::File(output) => output.add(text).and_then(|()| output.settle())?,
            Sheets::Stdout => out!("{text}"),
            Sheets::Nowhere => (),
        }
        Ok(())
    }
}

/// What is kept while games come in.
struct Tally {
    sheets: Sheets,
    /// Of all files together.
    summary: Summary,
    /// Of each file that was begun, by its path.
    files: Vec<(String, Summary)>,
    games: Vec<Value>,
    told: Vec<String>,
    broken: Vec<(String, SheetError)>,
    failure: Option<WriteError>,
}

pub(super) fn run(options: &Analyse, plan: &Plan) -> Result<ExitCode> {
    let read: Vec<&String> = options.files.iter().chain([&options.weights]).collect();
    check_apart(&read, options.output.as_slice())?;
    let mut counts = Vec::new();
    for path in &options.files {
        counts.push(Scoresheets::count(path)?);
    }
    let all: u64 = counts.iter().sum();
    if all == 0 {
        bail!("{} has no game: PGN with tags such as [White \"…\"] is needed", options.files.join(", "));
    }
    let sheets = match &options.output {
        Some(path) => Sheets::File(Output::create(path)?),
        None if options.json => Sheets::Nowhere,
        None => Sheets::Stdout,
    };
    let mut tally = Tally {
        sheets,
        summary: Summary::default(),
        files: Vec::new(),
        games: Vec::new(),
        told: Vec::new(),
        broken: Vec::new(),
        failure: None,
    };
    interrupt::listen()?;
    let (progress, mut done) = (Progress::new("analyse"), 0);
    let name = format!("Marquetry {}", env!("CARGO_PKG_VERSION"));
    for path in &options.files {
        tally.files.push((path.clone(), Summary::default()));
        review_all(path, plan, &interrupt::came, &mut |review| {
            done += 1;
            tally.take(path, review, &name, options.json);
            progress.update(done, all);
        })?;
    }
    drop(progress);
    if done == all && tally.summary.games == 0 {
        bail!("{} has no game that can be read", options.files.join(", "));
    }
    if let Some(failure) = tally.failure {
        return Err(failure.into());
    }
    let is_interrupted = done < all;
    if options.json {
        outln!("{}", tally.report(is_interrupted));
    } else {
        // The PGN has stdout to itself
        let is_free = matches!(tally.sheets, Sheets::File(..));
        for line in tally.lines() {
            if is_free { outln!("{line}") } else { errln!("{line}") }
        }
    }
    if is_interrupted {
        errln!("Interrupted: {done} of {all} games were done.");
    }
    Ok(ExitCode::from(u8::from(is_interrupted)))
}

impl Tally {
    fn take(&mut self, path: &str, review: Result<Review, SheetError>, name: &str, is_json: bool) {
        let review = match review {
            Ok(review) => review,
            Err(error) => {
                errln!("{path}, {error}; it is skipped");
                self.broken.push((path.to_owned(), error));
                return;
            }
        };
        if let Err(error) = self.sheets.write(&annotated(&review, name)) {
            self.failure.get_or_insert(error);
        }
        self.summary.add(&review);
        if let Some((_, summary)) = self.files.last_mut() {
            summary.add(&review);
        }
        if is_json {
            self.games.push(game(path, &review));
        } else if self.summary.games <= GAMES {
            self.told.extend(told(&review));
        }
    }

    fn report(&self, is_interrupted: bool) -> Value {
        let file = |(path, summary): &(String, Summary)| {
            let mut report = report(summary);
            report["file"] = path.as_str().into();
            report
        };
        let broken = |(path, error): &(String, SheetError)| {
            json!({
                "file": path, "number": error.number, "line": error.line, "reason": error.error.to_string(),
            })
        };
        let mut report = report(&self.summary);
        report["files"] = self.files.iter().map(file).collect();
        report["broken"] = self.broken.iter().map(broken).collect();
        report["interrupted"] = is_interrupted.into();
        report["reviews"] = self.games.as_slice().into();
        report
    }

    fn lines(&self) -> Vec<String> {
        let summary = &self.summary;
        let mut lines = self.told.clone();
        if summary.games > GAMES {
            lines.push(format!("… and {} more games", summary.games - GAMES));
        }
        lines.push(String::new());
        if self.files.len() > 1 {
            lines.extend(self.files.iter().map(|(path, summary)| format!("{path}: {}", in_words(summary))));
        }
        lines.push(in_words(summary));
        if !summary.blames.is_empty() {
            lines.push("What made the difference in them, by all games together:".to_owned());
            for blame in summary.blames.iter().take(2 * LISTED) {
                lines.push(format!(
                    "  {:<28}{:>10} pawns in {}, the first reason in {}",
                    blame.name,
                    lab::explain::pawns(i32::try_from(blame.cp).unwrap_or(i32::MAX)),
                    plural(blame.moves, "move"),
                    blame.first
                ));
            }
        }
        if !self.broken.is_empty() {
            lines.push(format!("{} could not be read.", plural(self.broken.len(), "game")));
        }
        lines
    }
}

fn plural(count: usize, what: &str) -> String {
    match what.strip_suffix('y') {
        _ if count == 1 => format!("1 {what}"),
        Some(stem) => format!("{count} {stem}ies"),
        None => format!("{count} {what}s"),
    }
}

/// How many of each grade.
fn graded(grades: [usize; 3]) -> String {
    let words = Grade::ALL.iter().zip(grades).map(|(grade, count)| plural(count, grade.name()));
    words.collect::<Vec<_>>().join(", ")
}

/// What a file or several come to, in a line.
fn in_words(summary: &Summary) -> String {
    format!(
        "{} reviewed, {}: {:.1} centipawns lost a move; {}.",
        plural(summary.games, "game"),
        plural(summary.moves, "move"),
        summary.average_loss(),
        graded(summary.grades)
    )
}

/// The same as scripts read it.
fn report(summary: &Summary) -> Value {
    let [inaccuracies, mistakes, blunders] = summary.grades;
    let blame =
        |blame: &Blame| json!({ "reason": blame.name, "moves": blame.moves, "first": blame.first, "cp": blame.cp });
    json!({
        "games": summary.games,
        "moves": summary.moves,
        "average_loss": summary.average_loss(),
        "inaccuracies": inaccuracies,
        "mistakes": mistakes,
        "blunders": blunders,
        "reasons": summary.blames.iter().map(blame).collect::<Vec<_>>(),
    })
}

/// A game in a few lines.
fn told(review: &Review) -> Vec<String> {
    let (white, black) = review.players();
    let sides = review.sides();
    let mut lines = vec![format!("{}. {white} - {black} {}", review.sheet.number, review.sheet.result)];
    for (name, side) in [("White", &sides.white), ("Black", &sides.black)] {
        let moves = plural(side.moves, "move");
        lines.push(format!("   {name}: {moves}, {:.1} lost a move, {}", side.average_loss, graded(side.grades)));
    }
    let mistakes = review.mistakes();
    lines.extend(mistakes.iter().take(LISTED).map(|line| format!("   {line}")));
    if mistakes.len() > LISTED {
        lines.push(format!("   and {} more", mistakes.len() - LISTED));
    }
    lines
}

/// A game as scripts read it.
fn game(path: &str, review: &Review) -> Value {
    let (white, black) = review.players();
    let sides = review.sides();
    let side = |side: &SideCount| {
        let [inaccuracies, mistakes, blunders] = side.grades;
        json!({
            "moves": side.moves, "average_loss": side.average_loss,
            "inaccuracies": inaccuracies, "mistakes": mistakes, "blunders": blunders,
        })
    };
    let plies = review.sheet.plies.iter().zip(&review.judgements).enumerate();
    let mistakes = plies.filter_map(|(place, (ply, found))| {
        let mode = ply.position.castling_mode();
        let reasons = found.reasons.iter().map(|reason| json!({ "reason": reason.name, "cp": reason.cp }));
        Some(json!({
            "ply": place + 1,
            "side": if found.color == Color::White { "white" } else { "black" },
            "move": found.mv.uci(mode).to_string(),
            "grade": found.grade.map(Grade::name)?,
            "loss_cp": found.loss,
            "better": found.better.iter().map(|mv| mv.uci(mode).to_string()).collect::<Vec<_>>(),
            "reasons": reasons.collect::<Vec<_>>(),
        }))
    });
    json!({
        "file": path,
        "number": review.sheet.number,
        "white": white,
        "black": black,
        "result": review.sheet.result,
        "sides": { "white": side(&sides.white), "black": side(&sides.black) },
        "values": review.judgements.iter().map(|found| found.value).collect::<Vec<_>>(),
        "mistakes": mistakes.collect::<Vec<_>>(),
    })
}
