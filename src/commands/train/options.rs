//! How generations are made: what stays the same from the first to the last.

use clap::Args;
use lab::stats::Sprt;
use serde::{Deserialize, Serialize};

/// How generations are made. Kept in the directory, so that it is known when they are gone on with.
#[derive(Args, Serialize, Deserialize, Clone, PartialEq, Debug)]
pub(super) struct Settings {
    /// The weights to start from: a preset's name or a file
    #[arg(long, value_name = "WEIGHTS", default_value = "default")]
    pub(super) weights: String,

    /// Nodes a move of the games to learn from, by generation; the last number holds from then on
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "1500,2500,5000",
          value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) nodes: Vec<u64>,

    /// Positions that are played in each generation
    #[arg(long, value_name = "N", default_value = "1000000", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) positions: u64,

    /// The games of so many generations, the newest ones, are tuned on
    #[arg(long, value_name = "N", default_value = "3", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) window: u32,

    /// At most so many positions of a game are tuned on
    #[arg(long, value_name = "N", default_value = "20", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) per_game: u32,

    /// Per cent of the games that only judge
    #[arg(long, value_name = "PERCENT", default_value = "5")]
    pub(super) validation: f64,

    /// How much the value of a position counts in the target, from 0 to 1; the rest is the result
    #[arg(long, value_name = "SHARE", default_value = "0")]
    pub(super) lambda: f64,

    /// Leave these weights as they are; unused: all groups in which the weights of a generation have nothing
    #[arg(long, value_name = "TERM,…", value_delimiter = ',')]
    pub(super) freeze: Vec<String>,

    /// What shares one number: mirror, mirror:TERM, mg=eg:TERM
    #[arg(long, value_name = "TIE,…", value_delimiter = ',')]
    pub(super) tie: Vec<String>,

    /// Pull weights to where they started: the loss of one that is 100 units away
    #[arg(long, value_name = "LOSS", default_value = "0")]
    pub(super) l2: f64,

    /// Pull neighbours in tables and curves together: the loss of two that are 100 units apart
    #[arg(long, value_name = "LOSS", default_value = "0")]
    pub(super) smooth: f64,

    /// Nodes a move of the match between new and old weights
    #[arg(long, value_name = "N", default_value = "10000", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) match_nodes: u64,

    /// The test that new weights must pass
    #[arg(long, value_name = "BOUNDS", default_value = "elo0=0,elo1=10", value_parser = checked_sprt)]
    pub(super) sprt: String,

    /// The match ends after so many games at most
    #[arg(long, value_name = "N", default_value = "600", value_parser = clap::value_parser!(u32).range(2..))]
    pub(super) max_games: u32,

    /// What decides openings, samples and order; each generation adds its number
    #[arg(long, value_name = "N", default_value = "1")]
    pub(super) seed: u64,

    /// More options of `marquetry datagen`, such as "--tablebases /tables --dfrc 20"
    #[arg(long, value_name = "WORDS", default_value = "", allow_hyphen_values = true)]
    pub(super) datagen: String,

    /// More options of `marquetry data filter`, such as "--phases 2,3,3,2"
    #[arg(long, value_name = "WORDS", default_value = "", allow_hyphen_values = true)]
    pub(super) filter: String,

    /// More options of `marquetry tune`, such as "--k 1 --anchor material.pawn.eg=100"
    #[arg(long, value_name = "WORDS", default_value = "", allow_hyphen_values = true)]
    pub(super) tune: String,

    /// More options of `marquetry match`, such as "--draw movenumber=34,movecount=8,score=20"
    #[arg(long = "match", value_name = "WORDS", default_value = "", allow_hyphen_values = true)]
    pub(super) match_words: String,
}

fn checked_sprt(text: &str) -> Result<String, String> {
    text.parse::<Sprt>().map(|_| text.to_owned())
}

impl Settings {
    /// Nodes a move in a generation.
    pub(super) fn nodes_of(&self, generation: u32) -> u64 {
        let place = (generation as usize - 1).min(self.nodes.len().saturating_sub(1));
        self.nodes.get(place).copied().unwrap_or(1)
    }

    /// The seed of a generation.
    pub(super) fn seed_of(&self, generation: u32) -> u64 {
        self.seed.wrapping_add(u64::from(generation) - 1)
    }

    /// The generations whose games are tuned on.
    pub(super) fn window_of(&self, generation: u32) -> std::ops::RangeInclusive<u32> {
        generation.saturating_sub(self.window - 1).max(1)..=generation
    }
}
