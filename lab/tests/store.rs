//! The store under several processes, and under one that is killed.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use chess::{ByColor, Position};
use lab::arena::Place;
use lab::arena::{Ending, Game, Ply, Score, Thinking, Winner};
use lab::store::{Claim, Filter, NewRun, RunEngine, State, Store, StoreError};
use serde_json::json;

/// Tells a child of these tests which store to write to.
const CHILD: &str = "MARQUETRY_STORE_TEST";

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("marquetry-runs-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn begin(store: &Store) -> Claim {
    let engine = RunEngine { name: "a".to_owned(), limit: "depth 3".to_owned(), ..RunEngine::default() };
    let new = NewRun { kind: "match", command: &[], seed: 1, settings: &json!({}), engines: &[engine] };
    store.begin(&new).unwrap()
}

fn game() -> Game {
    let mut position = Position::initial();
    let mut plies = Vec::new();
    for mv in ["g1f3", "g8f6", "f3g1", "f6g8"].into_iter().cycle().take(120) {
        let mv = position.parse_uci(mv).unwrap();
        position.play(mv);
        plies.push(Ply { mv, score: Some(Score::Centipawns(31)), depth: 12, time: Duration::from_micros(105_000) });
    }
    let ending = Ending { winner: Winner::Draw, reason: "threefold repetition".to_owned(), is_incident: false };
    let thinking = Thinking::read("depth", "3").unwrap();
    Game {
        opening: Position::initial(),
        names: ByColor { white: "a".to_owned(), black: "a".to_owned() },
        thinking: ByColor { white: thinking, black: thinking },
        plies,
        ending,
    }
}

fn add(store: &Store, claim: &Claim, number: usize, game: &Game) {
    let place = Place { pair: number / 2, game: number % 2 };
    store.add_game(claim, place, ByColor { white: 0, black: 0 }, game).unwrap();
}

#[test]
fn several_write_while_one_reads_and_nobody_is_locked_out() {
    const WRITERS: usize = 4;
    const GAMES: usize = 150;
    let folder = folder("together");
    let path = folder.join("runs.db");
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let write = || {
            // They also make the store together
            let store = Store::open(&path).unwrap();
            let (claim, game) = (begin(&store), game());
            for number in 0..GAMES {
                add(&store, &claim, number, &game);
                store.beat(&claim).unwrap();
                store.save_progress(&claim, &json!({ "games": number })).unwrap();
            }
            store.finish(&claim, State::Finished, "done").unwrap();
        };
        let writers: Vec<_> = (0..WRITERS).map(|_| scope.spawn(write)).collect();
        scope.spawn(|| {
            let store = Store::open(&path).unwrap();
            while !is_over.load(Ordering::Relaxed) {
                for run in store.runs(Filter::default()).unwrap() {
                    let mut seen = 0;
                    store
                        .for_each_game(run.id, |_| {
                            seen += 1;
                            Ok::<(), StoreError>(())
                        })
                        .unwrap();
                    assert!(seen >= run.games, "{seen} of {}", run.games);
                }
            }
        });
        let results: Vec<_> = writers.into_iter().map(std::thread::ScopedJoinHandle::join).collect();
        is_over.store(true, Ordering::Relaxed);
        assert!(results.iter().all(Result::is_ok));
    });
    let store = Store::open(&path).unwrap();
    let runs = store.runs(Filter::default()).unwrap();
    assert_eq!(runs.iter().map(|run| run.games).collect::<Vec<_>>(), [GAMES as u64; WRITERS]);
    store.integrity_check().unwrap();
    drop(store);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn many_make_the_same_store_at_once() {
    let folder = folder("made");
    for round in 0..20 {
        let path = folder.join(format!("{round}.db"));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| begin(&Store::open(&path).unwrap()));
            }
        });
        assert_eq!(Store::open(&path).unwrap().runs(Filter::default()).unwrap().len(), 8);
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Not a test of its own: writes games until it is killed, when the test below starts it.
#[test]
fn a_child_that_writes() {
    let Some(path) = std::env::var_os(CHILD) else { return };
    let store = Store::open(Path::new(&path)).unwrap();
    let runs = store.runs(Filter::default()).unwrap();
    let claim = runs.first().map_or_else(|| begin(&store), |run| store.claim(run.id).unwrap());
    let first = runs.first().map_or(0, |run| run.games as usize);
    let game = game();
    for number in first.. {
        add(&store, &claim, number, &game);
    }
}

/// Each child claims the run that its killed forerunner left and goes on where that stopped.
#[test]
fn a_writer_killed_at_any_instant_loses_nothing_and_another_goes_on() {
    let folder = folder("killed");
    let path = folder.join("runs.db");
    let mut kept = 0;
    for round in 1..=5 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "a_child_that_writes", "--nocapture"])
            .env(CHILD, &path)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let games = || {
            let store = Store::open_existing(&path).ok()?;
            store.runs(Filter::default()).ok()?.first().map(|run| run.games)
        };
        let deadline = Instant::now() + Duration::from_secs(60);
        while games().is_none_or(|games| games < kept + 20 * round) {
            assert!(Instant::now() < deadline, "the child does not write");
            assert!(child.try_wait().unwrap().is_none(), "the child has ended by itself");
        }
        child.kill().unwrap();
        child.wait().unwrap();

        let store = Store::open(&path).unwrap();
        store.integrity_check().unwrap();
        let run = store.runs(Filter::default()).unwrap().remove(0);
        assert_eq!(run.status(), "interrupted");
        let mut places = Vec::new();
        let collect = |game: lab::store::StoredGame| {
            places.push(2 * game.place.pair + game.place.game);
            Ok::<(), StoreError>(())
        };
        store.for_each_game(run.id, collect).unwrap();
        assert_eq!(places, (0..run.games as usize).collect::<Vec<_>>());
        kept = run.games;
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
