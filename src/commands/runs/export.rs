//! The games of a run in forms that other programs read.

use anyhow::Result;
use clap::Args;
use lab::arena::{Score, last_position, pgn};
use lab::files::{Output, check_apart};
use lab::store::{RunId, Store, StoredGame};
use serde_json::{Value, json};

use crate::output::out;

/// In which form games are written.
#[derive(Args)]
#[group(multiple = false)]
pub(crate) struct Form {
    /// PGN to this file; - is stdout
    #[arg(long, value_name = "FILE")]
    pgn: Option<String>,
    /// JSON to stdout, a game a line
    #[arg(long)]
    json: bool,
    /// The last positions to stdout, as EPD
    #[arg(long)]
    epd: bool,
}

impl Form {
    /// Writes the games of a run.
    pub(super) fn export(&self, store: &Store, run: RunId) -> Result<()> {
        // A wrong number must not cost the file that is there
        let event = format!("Marquetry {} {run}", store.run(run)?.kind);
        let write: &dyn Fn(&StoredGame) -> String = match self {
            Form { json: true, .. } => &|game| format!("{}\n", json_line(game)),
            Form { epd: true, .. } => &|stored| last_position(&stored.game, &stored.place.to_string()),
            _ => &|stored| pgn(&stored.game, &event, &stored.place.to_string()),
        };
        let Some(path) = self.pgn.as_deref().filter(|&path| path != "-") else {
            return store.for_each_game(run, |game| {
                out!("{}", write(&game));
                Ok(())
            });
        };
        check_apart(&[store.path()], &[path])?;
        let mut output = Output::create(path)?;
        store.for_each_game(run, |game| output.add(&write(&game)).map_err(anyhow::Error::from))?;
        Ok(output.settle()?)
    }
}

fn json_line(stored: &StoredGame) -> Value {
    let game = &stored.game;
    let mode = game.opening.castling_mode();
    let moves = game.plies.iter().map(|ply| {
        let (cp, mate) = match ply.score {
            Some(Score::Centipawns(value)) => (Some(value), None),
            Some(Score::Mate(moves)) => (None, Some(moves)),
            None => (None, None),
        };
        let seconds = ply.time.as_secs_f64();
        json!({ "move": ply.mv.uci(mode).to_string(), "cp": cp, "mate": mate, "depth": ply.depth, "seconds": seconds })
    });
    json!({
        "pair": stored.place.pair,
        "game": stored.place.game,
        "white": game.names.white,
        "black": game.names.black,
        "white_engine": stored.engines.white,
        "black_engine": stored.engines.black,
        "opening": game.opening.to_string(),
        "result": game.ending.winner.to_string(),
        "reason": game.ending.reason,
        "is_incident": game.ending.is_incident,
        "finished": stored.finished,
        "moves": moves.collect::<Vec<_>>(),
    })
}
