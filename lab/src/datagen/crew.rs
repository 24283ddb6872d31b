//! Several threads play; the games are handed over in the order of their numbers.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use engine::{STACK, Tablebases, Weights};

use super::Plan;
use super::player::{DatagenError, Player, Recipes};
use crate::data::games::Game;

/// How often it is asked whether to go on.
const BREATH: Duration = Duration::from_millis(100);

/// Whether more games are wanted.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Interest {
    /// Go on.
    More,
    /// That was the last one.
    Enough,
}

/// Plays the games of these numbers and hands them to `take`, in order, until it has enough or `is_interrupted`.
pub fn generate(
    plan: &Plan,
    weights: &Arc<Weights>,
    tables: Option<&Tablebases>,
    threads: NonZeroUsize,
    numbers: std::ops::Range<u64>,
    take: &mut dyn FnMut(Game) -> Interest,
    is_interrupted: &dyn Fn() -> bool,
) -> Result<(), DatagenError> {
    let recipes = Recipes::new(plan);
    let (next, is_over) = (AtomicU64::new(numbers.start), AtomicBool::new(false));
    let end = numbers.end;
    std::thread::scope(|scope| {
        let (sender, results) = mpsc::sync_channel(threads.get());
        for _ in 0..threads.get() {
            let (sender, recipes, next, is_over) = (sender.clone(), &recipes, &next, &is_over);
            let work = move || {
                let Some(mut player) = Player::new(plan, recipes, weights, tables) else { return };
                let is_stopped = || is_over.load(Ordering::Relaxed);
                while !is_stopped() {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= end {
                        return;
                    }
                    let played = catch_unwind(AssertUnwindSafe(|| player.play(number, &is_stopped)));
                    let game = match played.unwrap_or(Err(DatagenError::Broken(number))) {
                        Ok(Some(game)) => Ok(game),
                        Ok(None) => return,
                        Err(error) => Err(error),
                    };
                    let is_broken = game.is_err();
                    if sender.send((number, game)).is_err() || is_broken {
                        return;
                    }
                }
            };
            // With fewer threads it takes longer; with none the channel closes
            let _ = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        }
        drop(sender);
        let result = collect(&results, numbers, take, is_interrupted);
        is_over.store(true, Ordering::Relaxed);
        // Whoever still wants to hand over a game finds the channel closed
        drop(results);
        result
    })
}

/// Takes games in the order of their numbers.
fn collect(
    results: &mpsc::Receiver<(u64, Result<Game, DatagenError>)>,
    numbers: std::ops::Range<u64>,
    take: &mut dyn FnMut(Game) -> Interest,
    is_interrupted: &dyn Fn() -> bool,
) -> Result<(), DatagenError> {
    let mut waiting = BTreeMap::new();
    let mut wanted = numbers.start;
    while wanted < numbers.end {
        if is_interrupted() {
            return Ok(());
        }
        match results.recv_timeout(BREATH) {
            Ok((number, game)) => waiting.insert(number, game),
            Err(mpsc::RecvTimeoutError::Timeout) => continue,
            Err(mpsc::RecvTimeoutError::Disconnected) => return Err(DatagenError::NoMemory),
        };
        while let Some(game) = waiting.remove(&wanted) {
            if take(game?) == Interest::Enough {
                return Ok(());
            }
            wanted += 1;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan() -> Plan {
        Plan { nodes: 100, hash: 1, opening_nodes: 100, dfrc: 50, ..Plan::default() }
    }

    fn games(threads: usize, numbers: std::ops::Range<u64>) -> Vec<Game> {
        let weights = Arc::new(Weights::load("default").unwrap());
        let threads = NonZeroUsize::new(threads).unwrap();
        let mut games = Vec::new();
        let mut take = |game| {
            games.push(game);
            Interest::More
        };
        generate(&plan(), &weights, None, threads, numbers, &mut take, &|| false).unwrap();
        games
    }

    #[test]
    fn a_game_depends_on_its_number_alone() {
        let one = games(1, 0..6);
        assert_eq!(one.len(), 6);
        assert_eq!(games(3, 0..6), one);
        assert_eq!(games(2, 4..6), one[4..]);
        let mut starts: Vec<String> = one.iter().map(|game| game.start().to_string()).collect();
        starts.dedup();
        assert_eq!(starts.len(), 6, "different openings");
        assert!(one.iter().flat_map(Game::plies).all(|ply| ply.value.is_some()));
    }

    #[test]
    fn it_ends_when_there_is_enough_or_somebody_says_so() {
        let weights = Arc::new(Weights::load("default").unwrap());
        let mut count = 0;
        let mut take = |_| {
            count += 1;
            if count == 3 { Interest::Enough } else { Interest::More }
        };
        let two = NonZeroUsize::new(2).unwrap();
        assert_eq!(generate(&plan(), &weights, None, two, 0..u64::MAX, &mut take, &|| false), Ok(()));
        let mut none = |_| panic!("nobody waits for a game");
        assert_eq!(generate(&plan(), &weights, None, two, 0..9, &mut none, &|| true), Ok(()));
        assert_eq!(count, 3);
    }

    #[test]
    fn what_cannot_be_played_is_an_error() {
        let weights = Arc::new(Weights::load("default").unwrap());
        let run =
            |plan: &Plan| generate(plan, &weights, None, NonZeroUsize::MIN, 0..1, &mut |_| Interest::More, &|| false);
        let never = Plan { range: -1, ..plan() };
        assert_eq!(run(&never), Err(DatagenError::NoOpening(0)));
        assert_eq!(run(&Plan { hash: 1 << 40, ..plan() }), Err(DatagenError::NoMemory));
    }
}
