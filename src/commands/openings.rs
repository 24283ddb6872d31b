//! Where the games of a contest begin.

use anyhow::{Context, Result, ensure};
use chess::Position;
use clap::{Args, ValueEnum};
use engine::openings::Start;
use lab::arena::{Order, Origin, Source, openings, random_openings};

use crate::output::outln;

/// Options about openings.
#[derive(Args)]
pub(super) struct OpeningOptions {
    /// Openings: a file of positions (EPD, FEN), games (PGN) or a Polyglot book (.bin), packed (.gz) or not; or random,
    /// chess960 or double-chess960 for random moves to level positions [default: our own book of 6,000]
    #[arg(long, value_name = "FILE")]
    openings: Option<String>,

    /// In which order a file's openings are played
    #[arg(long, value_enum, default_value = "random")]
    opening_order: OrderName,

    /// The first opening of that order to play, from 1
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..))]
    opening_start: u32,

    /// How many plies of each game of a PGN file, or of a walk through a Polyglot book, are played
    #[arg(long, value_name = "N")]
    opening_plies: Option<usize>,

    /// Shuffles the openings or makes the random ones
    #[arg(long, value_name = "N", default_value = "1")]
    pub(super) seed: u64,
}

#[derive(Copy, Clone, ValueEnum)]
enum OrderName {
    /// Shuffled by the seed
    Random,
    /// As in the file
    Sequential,
}

impl OpeningOptions {
    /// So many openings, or fewer if there are no more.
    pub(super) fn read(&self, count: usize, is_quiet: bool) -> Result<Vec<Position>> {
        if let Some(start) = self.generated() {
            let made = random_openings(start, count, self.seed).context("there is no memory to make openings")?;
            ensure!(!made.is_empty(), "no opening could be made");
            return Ok(made);
        }
        let origin = self.openings.clone().map_or(Origin::Builtin, Origin::File);
        let order = match self.opening_order {
            OrderName::Random => Order::Random,
            OrderName::Sequential => Order::Sequential,
        };
        let (start, plies) = (self.opening_start as usize - 1, self.opening_plies);
        let book = openings(&Source { order, start, plies, ..Source::new(origin, self.seed) }, count)?;
        for remark in book.remarks().iter().filter(|_| !is_quiet) {
            outln!("{remark}");
        }
        Ok(book.positions)
    }

    /// From where random moves are made, if no book is wanted.
    fn generated(&self) -> Option<Start> {
        match self.openings.as_deref()? {
            "random" => Some(Start::Initial),
            "chess960" => Some(Start::Chess960),
            "double-chess960" => Some(Start::DoubleChess960),
            _ => None,
        }
    }

    /// Where they come from, in words.
    pub(super) fn describe(&self) -> String {
        match &self.openings {
            None => "our own book".to_owned(),
            Some(words) if self.generated().is_some() => format!("openings made at random ({words})"),
            Some(path) => format!("openings from {path}"),
        }
    }

    /// The files that the openings depend on.
    pub(super) fn files(&self) -> Vec<String> {
        self.openings.iter().filter(|_| self.generated().is_none()).cloned().collect()
    }
}
