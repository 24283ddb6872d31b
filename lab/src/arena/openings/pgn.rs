//! Openings from games: each game's position after some plies, or after all.

use std::io::BufRead;
use std::ops::ControlFlow;

use chess::Position;
use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Visitor};
use shakmaty::fen::Fen;
use shakmaty::{Chess, EnPassantMode, Position as _};

use super::{BookError, BrokenGame, Entry, Source};
use crate::data::{Marked, is_chess, stray};

/// The games of a file, one by one.
pub(super) struct Games {
    reader: Reader<Marked<Box<dyn BufRead>>>,
    replay: Replay,
    source: Source,
    number: usize,
}

impl Games {
    pub(super) fn new(file: Box<dyn BufRead>, source: &Source) -> Games {
        let replay = Replay { plies: source.plies.unwrap_or(usize::MAX) };
        Games { reader: Reader::new(Marked::new(file)), replay, source: source.clone(), number: 0 }
    }
}

impl Iterator for Games {
    type Item = Result<Entry, BookError>;

    fn next(&mut self) -> Option<Self::Item> {
        let game = match self.reader.read_game(&mut self.replay) {
            Ok(game) => game?,
            Err(error) => return Some(Err(self.source.unreadable(error))),
        };
        self.number += 1;
        Some(Ok(game.map_err(|reason| BrokenGame { number: self.number, reason })))
    }
}

/// Plays games over.
struct Replay {
    plies: usize,
}

/// What tags say of how a game begins.
#[derive(Default)]
struct Tags {
    fen: Option<String>,
    variant: Option<String>,
}

/// A game on its way.
struct Game {
    position: Chess,
    plies: usize,
}

impl Visitor for Replay {
    type Tags = Tags;
    type Movetext = Game;
    type Output = Result<Position, String>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Tags> {
        ControlFlow::Continue(Tags::default())
    }

    fn tag(&mut self, tags: &mut Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
        let text = || Some(value.decode_utf8_lossy().into_owned());
        if name.eq_ignore_ascii_case(b"FEN") {
            tags.fen = text();
        } else if name.eq_ignore_ascii_case(b"Variant") {
            tags.variant = text();
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Tags) -> ControlFlow<Self::Output, Game> {
        if let Some(variant) = tags.variant.filter(|variant| !is_chess(variant)) {
            return ControlFlow::Break(Err(format!("the variant {variant:?} is not chess")));
        }
        let position = match tags.fen.map(|fen| fen.parse::<Position>()) {
            Some(Ok(position)) => position.to_shakmaty(),
            Some(Err(error)) => return ControlFlow::Break(Err(error.to_string())),
            None => Chess::default(),
        };
        let game = Game { position, plies: 0 };
        if self.plies == 0 { ControlFlow::Break(self.end_game(game)) } else { ControlFlow::Continue(game) }
    }

    fn san(&mut self, game: &mut Game, san: SanPlus) -> ControlFlow<Self::Output> {
        let Ok(mv) = san.san.to_move(&game.position) else {
            return ControlFlow::Break(Err(format!("{san} is not legal at ply {}", game.plies + 1)));
        };
        game.position.play_unchecked(mv);
        game.plies += 1;
        if game.plies == self.plies { ControlFlow::Break(ours(&game.position)) } else { ControlFlow::Continue(()) }
    }

    fn comment(&mut self, game: &mut Game, comment: RawComment<'_>) -> ControlFlow<Self::Output> {
        match stray(comment.as_bytes()) {
            Some(word) => ControlFlow::Break(Err(format!("{word:?} is no move at ply {}", game.plies + 1))),
            None => ControlFlow::Continue(()),
        }
    }

    fn end_game(&mut self, game: Game) -> Self::Output {
        ours(&game.position)
    }
}

/// Our form of shakmaty's position.
fn ours(position: &Chess) -> Result<Position, String> {
    let fen = Fen::from_position(position, EnPassantMode::Legal).to_string();
    fen.parse().map_err(|error: chess::FenError| error.to_string())
}
