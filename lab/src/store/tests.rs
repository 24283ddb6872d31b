//! What the store must keep, refuse and bear.

use std::time::Duration;

use chess::{ByColor, Color, Position};
use serde_json::json;

use super::*;
use crate::arena::{Ending, Game, Place, Ply, Score, Thinking, Winner};

/// A store that is removed afterwards.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let folder = std::env::temp_dir().join(format!("marquetry-store-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Scratch(folder)
    }

    fn file(&self) -> PathBuf {
        self.0.join("runs.db")
    }

    fn open(&self) -> Store {
        Store::open(&self.file()).unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).unwrap();
    }
}

fn engines() -> Vec<RunEngine> {
    let engine = |name: &str, limit: &str| RunEngine {
        name: name.to_owned(),
        command: vec!["/usr/games/engine".to_owned(), "two words".to_owned()],
        options: vec![("Hash".to_owned(), "16".to_owned()), ("Use Book".to_owned(), "a=b, \"c\"".to_owned())],
        limit: limit.to_owned(),
        file_hash: Some("00ff".to_owned()),
        bench: Some(u64::MAX),
    };
    vec![engine("new", "8+0.08"), RunEngine { bench: None, file_hash: None, ..engine("old", "nodes 20000") }]
}

fn begin(store: &Store) -> Claim {
    begin_kind(store, "match")
}

fn begin_kind(store: &Store, kind: &str) -> Claim {
    let command = [kind.to_owned(), "--engine".to_owned(), "self".to_owned()];
    let settings = json!({ "rounds": 100, "openings": "böck.epd" });
    let new = NewRun { kind, command: &command, seed: u64::MAX, settings: &settings, engines: &engines() };
    store.begin(&new).unwrap()
}

/// A game of random moves.
fn game(opening: &str, seed: u64, length: usize) -> Game {
    let opening: Position = opening.parse().unwrap();
    let mut chance = fastrand::Rng::with_seed(seed);
    let mut position = opening;
    let mut plies = Vec::new();
    while plies.len() < length && position.outcome().is_none() {
        let mv = *chance.choice(position.legal_moves().iter()).unwrap();
        let score = [None, Some(Score::Centipawns(chance.i32(..))), Some(Score::Mate(-3))];
        plies.push(Ply {
            mv,
            score: score[chance.usize(..3)],
            depth: chance.u32(..200),
            time: Duration::from_micros(chance.u64(..1 << 40)),
        });
        position.play(mv);
    }
    let ending =
        Ending { winner: Winner::Side(Color::Black), reason: "White loses: \"e2e5\"".to_owned(), is_incident: true };
    Game {
        opening,
        names: ByColor { white: "old".to_owned(), black: "new".to_owned() },
        thinking: ByColor {
            white: Thinking::read("nodes", "20000").unwrap(),
            black: Thinking::read("tc", "8+0.08").unwrap(),
        },
        plies,
        ending,
    }
}

const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const SEATS: ByColor<usize> = ByColor { white: 1, black: 0 };

fn place(pair: usize, game: usize) -> Place {
    Place { pair, game }
}

fn games(store: &Store, run: RunId) -> Result<Vec<StoredGame>, StoreError> {
    let mut games = Vec::new();
    store.for_each_game(run, |game| {
        games.push(game);
        Ok::<(), StoreError>(())
    })?;
    Ok(games)
}

#[test]
fn a_run_comes_back_as_it_was_begun() {
    let scratch = Scratch::new("run");
    let claim = begin(&scratch.open());
    let store = Store::open_existing(&scratch.file()).unwrap();
    let run = store.run(claim.run()).unwrap();
    assert_eq!((run.kind.as_str(), run.seed, run.command.len()), ("match", u64::MAX, 3));
    assert_eq!(run.settings, json!({ "rounds": 100, "openings": "böck.epd" }));
    assert_eq!(run.engines, engines());
    assert_eq!((run.state, run.request, run.is_alive, run.status()), (State::Running, Request::None, true, "running"));
    assert_eq!(run.owner.unwrap().pid, std::process::id());
    assert_eq!(claim.run().to_string(), "1");

    store.save_progress(&claim, &json!({ "sentence": "halfway", "llr": 1.5 })).unwrap();
    assert_eq!(store.run(claim.run()).unwrap().sentence(), "halfway");
    store.finish(&claim, State::Finished, "new is stronger").unwrap();
    let run = store.run(claim.run()).unwrap();
    assert_eq!((run.status(), run.sentence(), &run.owner), ("finished", "new is stronger", &None));
    assert_eq!(run.progress["llr"], 1.5);
}

#[test]
fn games_come_back_exactly_and_in_order() {
    let scratch = Scratch::new("games");
    let store = scratch.open();
    let claim = begin(&store);
    let openings = [
        INITIAL,
        "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R b KQkq - 0 1",
        // Chess960, where the inner rook castles
        "1r2k1rr/1ppppppp/8/8/8/8/1PPPPPPP/1R2K1RR w GBgb - 0 1",
        "8/P6k/8/8/8/8/p6K/8 b - - 99 80",
    ];
    let mut written = Vec::new();
    for number in (0..200).rev() {
        let at = place(number / 2, number % 2);
        let game = game(openings[number % openings.len()], number as u64, number);
        store.add_game(&claim, at, SEATS, &game).unwrap();
        written.push((at, game));
    }
    written.reverse();
    let read = games(&store, claim.run()).unwrap();
    assert_eq!(read.len(), 200);
    for ((at, game), stored) in written.iter().zip(&read) {
        assert_eq!((*at, SEATS), (stored.place, stored.engines));
        assert_eq!(format!("{game:?}"), format!("{:?}", stored.game));
    }
    let mut results = Vec::new();
    let collect = |result: GameResult| {
        results.push((result.place, result.ending));
        Ok::<(), StoreError>(())
    };
    store.for_each_result(claim.run(), collect).unwrap();
    assert_eq!(results, written.into_iter().map(|(at, game)| (at, game.ending)).collect::<Vec<_>>());
    assert_eq!(store.run(claim.run()).unwrap().games, 200);
}

#[test]
fn games_come_back_by_pages_and_one_by_one() {
    let scratch = Scratch::new("pages");
    let store = scratch.open();
    let (claim, other) = (begin(&store), begin(&store));
    let start = Position::initial().to_string();
    // Not in the order of their places
    for number in [5, 0, 3, 1, 4, 2] {
        let seats = ByColor { white: number % 2, black: 1 - number % 2 };
        store.add_game(&claim, place(number / 2, number % 2), seats, &game(&start, number as u64, 20)).unwrap();
    }
    let places = |from, count| -> Vec<(usize, usize)> {
        let results = store.results(claim.run(), from, count).unwrap();
        results.iter().map(|result| (result.place.pair, result.place.game)).collect()
    };
    assert_eq!(places(0, 4), [(0, 0), (0, 1), (1, 0), (1, 1)]);
    assert_eq!(places(4, 4), [(2, 0), (2, 1)]);
    assert_eq!(places(6, 4), []);
    assert_eq!(store.results(other.run(), 0, 4).unwrap().len(), 0);
    let found = store.game(claim.run(), place(1, 1)).unwrap().unwrap().game;
    let kept = game(&start, 3, 20);
    assert!(found.plies.iter().map(|ply| ply.mv).eq(kept.plies.iter().map(|ply| ply.mv)));
    assert!(store.game(claim.run(), place(3, 0)).unwrap().is_none());
}

#[test]
fn a_game_is_refused_where_one_is_and_for_engines_that_are_not() {
    let scratch = Scratch::new("twice");
    let store = scratch.open();
    let claim = begin(&store);
    let game = game(INITIAL, 1, 10);
    store.add_game(&claim, place(0, 1), SEATS, &game).unwrap();
    let error = store.add_game(&claim, place(0, 1), SEATS, &game).unwrap_err();
    assert_eq!(error.to_string(), "game 1.2 of run 1 is in the store already");
    let error = store.add_game(&claim, place(0, 0), ByColor { white: 2, black: 0 }, &game).unwrap_err();
    assert!(matches!(error, StoreError::NoEngine { .. }), "{error}");
    assert_eq!(store.run(claim.run()).unwrap().games, 1, "what was refused does not count");
    let engines = [RunEngine { name: "x".to_owned(), limit: "soon".to_owned(), ..RunEngine::default() }];
    let new = NewRun { kind: "match", command: &[], seed: 1, settings: &json!(null), engines: &engines };
    assert!(store.begin(&new).unwrap_err().to_string().contains("limit \"soon\" of x is not understood"));
}

#[test]
fn a_store_of_the_first_format_is_brought_up_to_date() {
    let scratch = Scratch::new("migration");
    {
        let old = Store::connect(&scratch.file(), OpenFlags::SQLITE_OPEN_CREATE, 1).unwrap();
        let statements = "INSERT INTO runs (kind, command, directory, seed, host, version, settings, created, updated, state, heartbeat)
             VALUES ('match', '[]', '/', '7', 'h', '0', '{}', 1, 1, 'finished', 1);
             INSERT INTO engines (run, number, name, command, options, time_limit) VALUES (1, 0, 'a', '[]', '[]', 'depth 3');
             INSERT INTO engines (run, number, name, command, options, time_limit) VALUES (1, 1, 'b', '[]', '[]', 'depth 3');
             INSERT INTO games VALUES (1, 0, 0, 0, 1, '1/2-1/2', 0, 'stalemate', 1, '8/8/8/8/8/8/k7/2K5 w - - 0 1', x'0100');";
        old.connection.execute_batch(statements).unwrap();
        assert!(matches!(old.bench_of("00ff"), Err(StoreError::Database { .. })), "the old format has no such table");
    }
    let store = scratch.open();
    let run = store.run(RunId(1)).unwrap();
    assert_eq!((run.seed, run.engines[1].name.as_str(), run.engines[1].bench), (7, "b", None));
    assert_eq!(games(&store, RunId(1)).unwrap()[0].game.ending.reason, "stalemate");
    store.remember_bench("00ff", u64::MAX).unwrap();
    store.remember_bench("00ff", 3_103_954).unwrap();
    assert_eq!((store.bench_of("00ff").unwrap(), store.bench_of("01").unwrap()), (Some(3_103_954), None));
    store.integrity_check().unwrap();
}

#[test]
fn files_that_are_no_store_of_ours_are_refused_in_a_sentence_and_left_alone() {
    let scratch = Scratch::new("foreign");
    let file = scratch.file();
    let refusal = || Store::open(&file).err().unwrap().to_string();
    assert!(Store::open_existing(&file).err().unwrap().to_string().contains("there is no run store at"));

    std::fs::write(&file, "These are my notes, which are longer than the head of a database.\n".repeat(50)).unwrap();
    assert!(refusal().ends_with("is not a run store: it is no SQLite database"), "{}", refusal());
    std::fs::remove_file(&file).unwrap();

    let other = Connection::open(&file).unwrap();
    other.execute_batch("CREATE TABLE bookmarks (url TEXT)").unwrap();
    drop(other);
    let before = std::fs::read(&file).unwrap();
    assert!(refusal().contains("is not a run store: it is a database of another program"), "{}", refusal());
    assert_eq!(std::fs::read(&file).unwrap(), before);
    std::fs::remove_file(&file).unwrap();

    scratch.open().connection.pragma_update(None, "user_version", 99).unwrap();
    assert!(refusal().contains("was written by a newer marquetry (format 99, this one knows 3)"), "{}", refusal());

    let below = Store::open(&file.join("below").join("runs.db")).err().unwrap().to_string();
    assert!(below.contains("cannot be made for the run store"), "{below}");
    let folder = Store::open(&scratch.0).err().unwrap().to_string();
    assert!(folder.contains("cannot be opened for writing"), "{folder}");
    // An empty file is a store to be
    std::fs::write(&file, "").unwrap();
    assert_eq!(scratch.open().runs(Filter::default()).unwrap().len(), 0);
}

#[test]
fn a_full_disk_and_a_lock_are_named_and_what_was_kept_stays() {
    let scratch = Scratch::new("full");
    let store = scratch.open();
    let claim = begin(&store);
    let pages: i64 = store.connection.pragma_query_value(None, "page_count", |row| row.get(0)).unwrap();
    store.connection.pragma_update_and_check(None, "max_page_count", pages + 2, |_| Ok(())).unwrap();
    let long = game(INITIAL, 3, 400);
    let kept = (0..).take_while(|&pair| match store.add_game(&claim, place(pair, 0), SEATS, &long) {
        Ok(()) => true,
        Err(error) => {
            assert!(error.to_string().ends_with("cannot grow: the disk is full"), "{error}");
            false
        }
    });
    let kept = kept.count();
    assert_eq!(games(&store, claim.run()).unwrap().len(), kept);
    store.integrity_check().unwrap();

    let other = scratch.open();
    other.connection.busy_timeout(Duration::from_millis(20)).unwrap();
    store.connection.execute_batch("BEGIN IMMEDIATE").unwrap();
    let error = other.beat(&claim).unwrap_err();
    assert!(error.to_string().contains("is locked by another process for too long"), "{error}");
    store.connection.execute_batch("COMMIT").unwrap();
    other.beat(&claim).unwrap();
}

#[test]
fn only_one_process_owns_a_run_and_a_dead_one_loses_it() {
    let scratch = Scratch::new("claims");
    let store = scratch.open();
    let first = begin(&store);
    let run = first.run();
    let error = store.claim(run).unwrap_err().to_string();
    assert!(error.starts_with(&format!("run 1 is being worked on by process {} on", std::process::id())), "{error}");
    assert!(matches!(store.delete(run), Err(StoreError::Owned { .. })));

    let die = || store.connection.execute("UPDATE runs SET owner_pid = ?1", (i32::MAX,)).unwrap();
    die();
    assert_eq!(store.run(run).unwrap().status(), "interrupted");
    let error = store.request(run, Request::Stop).unwrap_err();
    assert_eq!(error.to_string(), "run 1 is interrupted, so nobody hears the request");
    let second = store.claim(run).unwrap();
    assert_eq!(store.beat(&second).unwrap(), Request::None);

    let error = store.beat(&first).unwrap_err().to_string();
    assert!(error.contains("is no longer this process's: process") && error.contains("has taken it over"), "{error}");
    let game = game(INITIAL, 1, 10);
    assert!(matches!(store.add_game(&first, place(0, 0), SEATS, &game), Err(StoreError::Lost { .. })));
    assert!(matches!(store.finish(&first, State::Failed, ""), Err(StoreError::Lost { .. })));
    store.add_game(&second, place(0, 0), SEATS, &game).unwrap();

    die();
    store.delete(run).unwrap();
    assert!(store.beat(&second).unwrap_err().to_string().contains("it was given up or deleted"));
    assert_eq!(store.run(run).unwrap_err().to_string(), "there is no run 1: `marquetry runs list` names them");
    assert!(matches!(store.claim(run), Err(StoreError::NoRun(_))));
    assert_eq!(begin(&store).run().to_string(), "2", "a number is not used again");
}

#[test]
fn requests_are_heard_at_the_next_beat_and_forgotten_at_the_end() {
    let scratch = Scratch::new("requests");
    let store = scratch.open();
    let claim = begin(&store);
    for request in [Request::Pause, Request::None, Request::Stop] {
        store.request(claim.run(), request).unwrap();
        assert_eq!(store.beat(&claim).unwrap(), request);
    }
    store.set_state(&claim, State::Paused).unwrap();
    assert_eq!(store.run(claim.run()).unwrap().status(), "paused");
    store.finish(&claim, State::Stopped, "").unwrap();
    let run = store.run(claim.run()).unwrap();
    assert_eq!((run.status(), run.request, run.is_alive), ("stopped", Request::None, false));
    assert!(matches!(store.request(claim.run(), Request::Pause), Err(StoreError::Deaf { .. })));
    let claim = store.claim(claim.run()).unwrap();
    assert_eq!(store.beat(&claim).unwrap(), Request::None);
}

#[test]
fn a_tuning_is_not_asked_to_pause() {
    let scratch = Scratch::new("restless");
    let store = scratch.open();
    let claim = begin_kind(&store, TUNE);
    assert!(!store.run(claim.run()).unwrap().can_pause());
    assert!(matches!(store.request(claim.run(), Request::Pause), Err(StoreError::Restless { .. })));
    store.request(claim.run(), Request::Stop).unwrap();
    assert_eq!(store.beat(&claim).unwrap(), Request::Stop);
}

#[test]
fn deleting_a_run_takes_its_rows_and_gives_room_back() {
    let scratch = Scratch::new("delete");
    let store = scratch.open();
    let (short, long) = (begin(&store), begin(&store));
    let game = game(INITIAL, 5, 300);
    store.add_game(&short, place(0, 0), SEATS, &game).unwrap();
    for pair in 0..200 {
        store.add_game(&long, place(pair, 0), SEATS, &game).unwrap();
    }
    store.finish(&long, State::Finished, "").unwrap();
    let size = || {
        store.connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
        std::fs::metadata(scratch.file()).unwrap().len()
    };
    let before = size();
    store.delete(long.run()).unwrap();
    assert!(size() < before / 4, "{} of {before}", size());
    let count = |table: &str| -> i64 {
        store.connection.query_row(&format!("SELECT count(*) FROM {table}"), (), |row| row.get(0)).unwrap()
    };
    assert_eq!((count("runs"), count("engines"), count("games")), (1, 2, 1));
    store.integrity_check().unwrap();
}

#[test]
fn runs_are_listed_by_kind_and_number() {
    let scratch = Scratch::new("list");
    let store = scratch.open();
    for kind in ["match", "ladder", "match"] {
        let new = NewRun { kind, command: &[], seed: 0, settings: &json!({}), engines: &[] };
        store.begin(&new).unwrap();
    }
    let ids = |filter| store.runs(filter).unwrap().iter().map(|run| run.id.0).collect::<Vec<_>>();
    assert_eq!(ids(Filter::default()), [1, 2, 3]);
    assert_eq!(ids(Filter { kind: Some("match"), last: None }), [1, 3]);
    assert_eq!(ids(Filter { kind: None, last: Some(2) }), [2, 3]);
    assert_eq!(ids(Filter { kind: Some("tune"), last: Some(2) }), [0_i64; 0]);
}

#[test]
fn damage_is_named_with_run_and_game_after_the_games_before_it() {
    let scratch = Scratch::new("damage");
    let store = scratch.open();
    let claim = begin(&store);
    for pair in 0..3 {
        store.add_game(&claim, place(pair, 0), SEATS, &game(INITIAL, pair as u64, 20)).unwrap();
    }
    for (change, sentence) in [
        ("moves = x'0205'", "its moves are written in a way that this program does not know"),
        ("moves = x'0105'", "its moves end too early"),
        ("moves = 'text'", "its moves are no bytes"),
        // A rook that jumps over a pawn
        ("moves = x'01010086' || x'0000'", "its moves are no bytes"),
        ("moves = x'010100860000'", "ply 1 of it is not legal"),
        ("moves = x'010100060000'", "ply 1 of it is no move"),
        ("opening = '8/8 w'", "its opening is no position"),
        ("result = '2-0'", "its result is \"2-0\""),
    ] {
        store.connection.execute_batch("SAVEPOINT damage").unwrap();
        store.connection.execute(&format!("UPDATE games SET {change} WHERE pair = 2"), ()).unwrap();
        let mut shown = 0;
        let error = store.for_each_game(claim.run(), |_| {
            shown += 1;
            Ok::<(), StoreError>(())
        });
        let error = error.unwrap_err().to_string();
        assert!(
            error.starts_with("game 3.1 of run 1 is damaged in the store: ") && error.contains(sentence),
            "{error}"
        );
        assert_eq!(shown, 2);
        store.connection.execute_batch("ROLLBACK TO damage; RELEASE damage").unwrap();
    }
    store.connection.execute("UPDATE runs SET seed = 'x'", ()).unwrap();
    let error = store.run(claim.run()).unwrap_err().to_string();
    assert_eq!(error, "run 1 is damaged in the store: its seed cannot be read");
}

#[test]
fn curves_come_back_by_step_and_a_step_is_kept_once() {
    let scratch = Scratch::new("curves");
    let store = scratch.open();
    let (claim, other) = (begin(&store), begin(&store));
    for step in [2, 0, 1] {
        store.add_points(&claim, step, &[("loss", 1.0 / (1 + step) as f64), ("rate", 0.5)]).unwrap();
    }
    store.add_points(&claim, 2, &[("loss", 0.25), ("rate", f64::NAN)]).unwrap();
    let loss = Curve { name: "loss".to_owned(), points: vec![(0, 1.0), (1, 0.5), (2, 0.25)] };
    let rate = Curve { name: "rate".to_owned(), points: vec![(0, 0.5), (1, 0.5), (2, 0.5)] };
    assert_eq!(store.curves(claim.run()).unwrap(), [loss, rate]);
    assert_eq!(store.curve_names(claim.run()).unwrap(), ["loss", "rate"]);
    assert_eq!(store.curves(other.run()).unwrap(), []);

    store.finish(&claim, State::Finished, "").unwrap();
    assert!(matches!(store.add_points(&claim, 3, &[("loss", 0.1)]), Err(StoreError::Lost { .. })));
    store.delete(claim.run()).unwrap();
    assert_eq!(store.curves(claim.run()).unwrap(), []);
}
