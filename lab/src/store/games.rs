//! The games of a run, written one by one and read one by one.

use chess::{ByColor, Position};
use rusqlite::{ErrorCode, Row, ffi};

use super::Store;
use super::blob;
use super::error::{Failure, StoreError};
use super::owner;
use super::run::{Claim, RunId};
use crate::arena::{Ending, Game, Place, Thinking, Winner};

/// How many games are read at once, so that a slow reader holds up nobody.
const BATCH: usize = 64;

/// How a game of the store ended.
#[derive(Clone, Debug)]
pub struct GameResult {
    /// Which game.
    pub place: Place,
    /// The engines by their numbers.
    pub engines: ByColor<usize>,
    /// How it ended.
    pub ending: Ending,
    /// When; milliseconds since 1970.
    pub finished: i64,
}

/// A game of the store.
#[derive(Clone, Debug)]
pub struct StoredGame {
    /// Which game.
    pub place: Place,
    /// The engines by their numbers.
    pub engines: ByColor<usize>,
    /// When it ended; milliseconds since 1970.
    pub finished: i64,
    /// The game.
    pub game: Game,
}

const RESULTS: &str = "SELECT pair, game, white, black, result, is_incident, reason, finished FROM games \
     WHERE run = ?1 AND (pair, game) > (?2, ?3) ORDER BY pair, game LIMIT ?4";
const GAMES: &str = "SELECT pair, game, white, black, result, is_incident, reason, finished, opening, moves FROM games \
     WHERE run = ?1 AND (pair, game) > (?2, ?3) ORDER BY pair, game LIMIT ?4";

const PAGE: &str = "SELECT pair, game, white, black, result, is_incident, reason, finished FROM games \
     WHERE run = ?1 ORDER BY pair, game LIMIT ?2 OFFSET ?3";
const GAME: &str = "SELECT pair, game, white, black, result, is_incident, reason, finished, opening, moves FROM games \
     WHERE run = ?1 AND pair = ?2 AND game = ?3";

impl Store {
    /// Keeps a game, which is safe from then on even if the process is killed. Refuses a place that is taken.
    pub fn add_game(
        &self,
        claim: &Claim,
        place: Place,
        engines: ByColor<usize>,
        game: &Game,
    ) -> Result<(), StoreError> {
        let (run, now) = (claim.run, owner::now());
        let moves = blob::encode(&game.plies);
        self.write(|transaction| {
            let mut count = transaction.prepare_cached(
                "UPDATE runs SET games = games + 1, updated = ?1, heartbeat = ?1 WHERE id = ?2 AND owner_token = ?3",
            )?;
            if count.execute((now, run.0, &claim.token))? == 0 {
                return Err(Store::lost(transaction, run)?);
            }
            let mut insert = transaction.prepare_cached(
                "INSERT INTO games (run, pair, game, white, black, result, is_incident, reason, finished, opening, moves)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
            )?;
            let inserted = insert.execute((
                run.0,
                integer(place.pair),
                integer(place.game),
                integer(engines.white),
                integer(engines.black),
                game.ending.winner.to_string(),
                game.ending.is_incident,
                &game.ending.reason,
                now,
                game.opening.to_string(),
                &moves,
            ));
            match inserted {
                Err(rusqlite::Error::SqliteFailure(error, _)) if error.code == ErrorCode::ConstraintViolation => {
                    Err(match error.extended_code {
                        ffi::SQLITE_CONSTRAINT_FOREIGNKEY => StoreError::NoEngine { run, place },
                        _ => StoreError::Twice { run, place },
                    }
                    .into())
                }
                other => Ok(other.map(|_| ())?),
            }
        })
    }

    /// Shows each game of a run, by pair and game.
    pub fn for_each_game<E: From<StoreError>>(
        &self,
        run: RunId,
        mut show: impl FnMut(StoredGame) -> Result<(), E>,
    ) -> Result<(), E> {
        let engines = self.run(run)?.engines;
        let names: Vec<String> = engines.iter().map(|engine| engine.name.clone()).collect();
        let thinking = engines.iter().map(super::RunEngine::thinking).collect::<Result<Vec<_>, _>>()?;
        self.for_each(run, GAMES, |row| read_game(run, row, &names, &thinking), |game| game.place, &mut show)
    }

    /// Shows how each game of a run ended, by pair and game, without reading moves.
    pub fn for_each_result<E: From<StoreError>>(
        &self,
        run: RunId,
        mut show: impl FnMut(GameResult) -> Result<(), E>,
    ) -> Result<(), E> {
        self.for_each(run, RESULTS, |row| read_result(run, row), |result| result.place, &mut show)
    }

    /// How some games of a run ended: so many from the nth on, by pair and game.
    pub fn results(&self, run: RunId, from: usize, count: usize) -> Result<Vec<GameResult>, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(PAGE)?;
            let mut rows = statement.query((run.0, integer(count), integer(from)))?;
            let mut results = Vec::new();
            while let Some(row) = rows.next()? {
                results.push(read_result(run, row)?);
            }
            Ok(results)
        })
    }

    /// One game of a run, if it was played.
    pub fn game(&self, run: RunId, place: Place) -> Result<Option<StoredGame>, StoreError> {
        let engines = self.run(run)?.engines;
        let names: Vec<String> = engines.iter().map(|engine| engine.name.clone()).collect();
        let thinking = engines.iter().map(super::RunEngine::thinking).collect::<Result<Vec<_>, _>>()?;
        self.read(|connection| {
            let mut statement = connection.prepare_cached(GAME)?;
            let mut rows = statement.query((run.0, integer(place.pair), integer(place.game)))?;
            rows.next()?.map(|row| read_game(run, row, &names, &thinking)).transpose()
        })
    }

    fn for_each<T, E: From<StoreError>>(
        &self,
        run: RunId,
        query: &str,
        read: impl Fn(&Row<'_>) -> Result<T, Failure>,
        place: impl Fn(&T) -> Place,
        show: &mut impl FnMut(T) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut last = (-1, -1);
        loop {
            let (batch, failure) = self.read(|connection| {
                let mut statement = connection.prepare_cached(query)?;
                let mut rows = statement.query((run.0, last.0, last.1, integer(BATCH)))?;
                let mut batch = Vec::with_capacity(BATCH);
                while let Some(row) = rows.next()? {
                    match read(row) {
                        Ok(item) => batch.push(item),
                        Err(failure) => return Ok((batch, Some(failure))),
                    }
                }
                Ok((batch, None))
            })?;
            let end = batch.last().map(&place);
            for item in batch {
                show(item)?;
            }
            match (failure, end) {
                (Some(failure), _) => return Err(failure.at(self.path()).into()),
                (None, Some(end)) => last = (integer(end.pair), integer(end.game)),
                (None, None) => return Ok(()),
            }
        }
    }
}

fn read_result(run: RunId, row: &Row<'_>) -> Result<GameResult, Failure> {
    let number =
        |column: usize| Ok::<_, rusqlite::Error>(usize::try_from(row.get::<_, i64>(column)?).unwrap_or(usize::MAX));
    let place = Place { pair: number(0)?, game: number(1)? };
    let text: String = row.get(4)?;
    let winner = read_winner(&text).ok_or_else(|| damaged(run, place, format!("its result is {text:?}")))?;
    Ok(GameResult {
        place,
        engines: ByColor { white: number(2)?, black: number(3)? },
        ending: Ending { winner, reason: row.get(6)?, is_incident: row.get(5)? },
        finished: row.get(7)?,
    })
}

fn read_game(run: RunId, row: &Row<'_>, names: &[String], thinking: &[Thinking]) -> Result<StoredGame, Failure> {
    let GameResult { place, engines, ending, finished } = read_result(run, row)?;
    let fen: String = row.get(8)?;
    let opening: Position =
        fen.parse().map_err(|error| damaged(run, place, format!("its opening is no position: {error}")))?;
    let plies =
        blob::decode(row.get_ref(9)?.as_blob().map_err(|_| damaged(run, place, "its moves are no bytes".to_owned()))?)
            .map_err(|error| damaged(run, place, error.to_string()))?;
    let mut position = opening;
    for (ply, number) in plies.iter().zip(1..) {
        if !position.is_legal(ply.mv) {
            return Err(damaged(run, place, format!("ply {number} of it is not legal")).into());
        }
        position.play(ply.mv);
    }
    let of = |number: usize| {
        let engine = names.get(number).cloned().zip(thinking.get(number).copied());
        engine.ok_or_else(|| damaged(run, place, format!("there is no engine {number}")))
    };
    let (white, black) = (of(engines.white)?, of(engines.black)?);
    let names = ByColor { white: white.0, black: black.0 };
    let thinking = ByColor { white: white.1, black: black.1 };
    Ok(StoredGame { place, engines, finished, game: Game { opening, names, thinking, plies, ending } })
}

fn damaged(run: RunId, place: Place, problem: String) -> StoreError {
    StoreError::DamagedGame { run, place, problem }
}

fn read_winner(text: &str) -> Option<Winner> {
    Winner::ALL.into_iter().find(|winner| winner.to_string() == text)
}

fn integer(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
