//! A contest: every game of a schedule, several at once, until all are played, a test is decided or somebody says stop.
//!
//! Workers play; the calling thread counts, tells a witness of each game, and hears from it whether to go on.

use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use chess::{ByColor, CastlingMode, Color, Position};

use super::game::{Game, lost, play};
use super::manners::give_way;
use super::player::{Host, PlayerError};
use super::rules::Rules;
use super::schedule::{Place, Schedule};
use super::seat::Seat;
use super::spec::EngineSpec;
use super::standings::{Outcome, Standings};
use crate::stats::{Sprt, Verdict};

/// How often the witness is asked whether to go on.
const HEARTBEAT: Duration = Duration::from_millis(200);
/// How long a paused worker sleeps.
const NAP: Duration = Duration::from_millis(50);
/// How long a worker sleeps that waits for other games.
const BLINK: Duration = Duration::from_millis(1);

/// Games between engines.
pub struct Contest<'a> {
    /// The engines; results of a pairing are from its first one's view.
    pub engines: &'a [EngineSpec],
    /// Who plays whom how often.
    pub schedule: Schedule,
    /// Where rounds begin, in this order and then again.
    pub openings: &'a [Position],
    /// How many games at once.
    pub concurrency: usize,
    /// A test that may end the contest; it is about the first pairing.
    pub sprt: Option<Sprt>,
    /// What the referee goes by.
    pub rules: Rules,
    /// What engines are started with.
    pub host: Host,
    /// Whether our own engine may play inside this program where it plays the same moves there.
    pub in_process: bool,
    /// What changes from pair to pair, if something does.
    pub variation: Option<&'a dyn Variation>,
}

/// Sets engines anew for each pair of games, and hears how these end.
pub trait Variation: Sync {
    /// Whether it is known by now how a pair is played; if not, other games must end first.
    fn is_known(&self, pair: usize) -> bool;

    /// The options that an engine has in a pair, beside its own; an error is a breakdown of that engine.
    fn options(&self, pair: usize, engine: usize) -> Result<Vec<(String, String)>, String>;

    /// A game is over.
    fn hear(&self, outcome: &Outcome);
}

/// What a witness wants.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
#[repr(u8)]
pub enum Wish {
    /// Play on.
    Go,
    /// Begin no new game for now.
    Pause,
    /// End now; games that are not over are given up.
    Stop,
}

/// Is told of each game.
pub trait Witness {
    /// Why a witness gives up.
    type Error;

    /// A game is over; who sat where, and the standings with it.
    fn game(
        &mut self,
        place: Place,
        seats: ByColor<usize>,
        game: &Game,
        standings: &Standings,
    ) -> Result<(), Self::Error>;

    /// Asked several times a second: whether to go on.
    fn wish(&mut self, standings: &Standings) -> Result<Wish, Self::Error>;
}

/// Why a contest ended early.
#[derive(Debug, thiserror::Error)]
pub enum ContestError<E> {
    /// An engine does not start at all.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// The witness gave up.
    #[error(transparent)]
    Witness(E),
}

struct Finished {
    place: Place,
    game: Game,
}

/// Tells workers to stop when the counting ends.
struct Ended<'a>(&'a AtomicU8);

impl Drop for Ended<'_> {
    fn drop(&mut self) {
        self.0.store(Wish::Stop as u8, Ordering::Relaxed);
    }
}

impl Contest<'_> {
    /// How castling is written: one way for the whole contest, since engines are told once.
    fn mode(&self) -> CastlingMode {
        let is_asked = |(name, value): &(String, String)| {
            name.eq_ignore_ascii_case("UCI_Chess960") && value.eq_ignore_ascii_case("true")
        };
        let has_it = self.engines.iter().any(|spec| spec.options.iter().any(is_asked));
        if has_it { CastlingMode::Chess960 } else { CastlingMode::Standard }
    }

    /// Starts every engine once: one that does not start at all is an error, not a thousand lost games.
    pub fn check(&self) -> Result<(), PlayerError> {
        self.engines.iter().try_for_each(|spec| Seat::start(spec, &self.host, self.in_process).map(drop))
    }

    /// Plays all games that are not among the standings yet.
    pub fn run<W: Witness>(
        &self,
        standings: &mut Standings,
        is_played: &HashSet<Place>,
        witness: &mut W,
    ) -> Result<(), ContestError<W::Error>> {
        let wish = AtomicU8::new(Wish::Go as u8);
        let missing = |place: &Place| !is_played.contains(place);
        let places = (0..self.schedule.pairs()).flat_map(|pair| [0, 1].map(|game| Place { pair, game }));
        let queue = Mutex::new(places.filter(missing));
        let (sender, finished) = sync_channel(64);
        std::thread::scope(|scope| {
            for number in 0..self.concurrency.max(1) {
                let (queue, wish, sender) = (&queue, &wish, sender.clone());
                let work = move || self.work(&|| queue.lock().expect("nobody panics here").next(), wish, &sender);
                let worker = std::thread::Builder::new().stack_size(engine::STACK).spawn_scoped(scope, work);
                // With fewer threads than wanted it takes longer
                if let (0, Err(error)) = (number, worker) {
                    return Err(PlayerError::Start("a thread".to_owned(), error).into());
                }
            }
            drop(sender);
            // However this ends, the workers do
            let _end = Ended(&wish);
            self.count(&finished, standings, witness, &wish)?;
            // Games that were over when somebody said stop
            while !self.is_decided(standings)
                && let Ok(Finished { place, game }) = finished.try_recv()
            {
                self.add(place, &game, standings, witness)?;
            }
            // Workers that wait to tell of a game are let go
            drop(finished);
            Ok(())
        })
    }

    /// Counts games until there are no more.
    fn count<W: Witness>(
        &self,
        finished: &Receiver<Finished>,
        standings: &mut Standings,
        witness: &mut W,
        wish: &AtomicU8,
    ) -> Result<(), ContestError<W::Error>> {
        // A contest that is paused when its last game ends is over, too
        let all = 2 * self.schedule.pairs() as u64;
        while !self.is_decided(standings) && standings.games() < all {
            match finished.recv_timeout(HEARTBEAT) {
                Ok(Finished { place, game }) => self.add(place, &game, standings, witness)?,
                Err(RecvTimeoutError::Timeout) => (),
                Err(RecvTimeoutError::Disconnected) => break,
            }
            let wanted = witness.wish(standings).map_err(ContestError::Witness)?;
            wish.store(wanted as u8, Ordering::Relaxed);
            if wanted == Wish::Stop {
                break;
            }
        }
        Ok(())
    }

    /// A game is over: it is counted, learnt from and kept.
    fn add<W: Witness>(
        &self,
        place: Place,
        game: &Game,
        standings: &mut Standings,
        witness: &mut W,
    ) -> Result<(), ContestError<W::Error>> {
        let outcome = outcome(place, game);
        standings.add(&outcome);
        if let Some(variation) = self.variation {
            variation.hear(&outcome);
        }
        witness.game(place, self.schedule.seats(place), game, standings).map_err(ContestError::Witness)
    }

    /// Whether the test, if there is one, is decided.
    pub fn is_decided(&self, standings: &Standings) -> bool {
        let score = self.sprt.zip(standings.scores().first());
        score.is_some_and(|(sprt, score)| sprt.verdict(sprt.llr(&score.tally())) != Verdict::Undecided)
    }

    /// Plays game after game.
    fn work(&self, next: &dyn Fn() -> Option<Place>, wish: &AtomicU8, sender: &SyncSender<Finished>) {
        let is_wish = |wanted: Wish| wish.load(Ordering::Relaxed) == wanted as u8;
        let mut table = Table { contest: self, players: Vec::new() };
        // Where no clock runs nobody is harmed by a referee who comes a little later
        if !self.engines.iter().any(|engine| engine.thinking.is_timed()) {
            give_way();
        }
        loop {
            while is_wish(Wish::Pause) {
                std::thread::sleep(NAP);
            }
            if is_wish(Wish::Stop) {
                return;
            }
            let Some(place) = next() else { return };
            while self.variation.is_some_and(|variation| !variation.is_known(place.pair)) {
                if is_wish(Wish::Stop) {
                    return;
                }
                std::thread::sleep(BLINK);
            }
            let Some(game) = table.play(place, &|| is_wish(Wish::Stop)) else { return };
            if sender.send(Finished { place, game }).is_err() {
                return;
            }
        }
    }
}

/// A worker's table, with the players that sat there last.
struct Table<'a> {
    contest: &'a Contest<'a>,
    players: Vec<(usize, Seat)>,
}

impl Table<'_> {
    fn play(&mut self, place: Place, is_stopped: &dyn Fn() -> bool) -> Option<Game> {
        let contest = self.contest;
        let seats = contest.schedule.seats(place);
        let opening = &contest.openings[contest.schedule.round(place.pair) % contest.openings.len()];
        let names = seats.map(|number| contest.engines[number].name.clone());
        let thinking = seats.map(|number| contest.engines[number].thinking);
        // Only those two stay: others would hold memory for nothing
        self.players.retain(|(number, _)| *number == seats.white || *number == seats.black);
        for (color, number) in [(Color::White, seats.white), (Color::Black, seats.black)] {
            if let Err(error) = self.seat(number).and_then(|()| self.vary(number, place.pair)) {
                let ending = lost(color, &error.to_string());
                return Some(Game { opening: *opening, names, thinking, plies: Vec::new(), ending });
            }
        }
        self.players.sort_by_key(|(number, _)| *number != seats.white);
        let [(_, white), (_, black)] = self.players.as_mut_slice() else { unreachable!("two players were seated") };
        let mut players = ByColor { white: &mut *white, black: &mut *black };
        let game = play(opening, &mut players, names, thinking, contest.mode(), &contest.rules, is_stopped);
        // After trouble both begin afresh, and so they do after a game that was given up
        if game.as_ref().is_none_or(|game| game.ending.is_incident) {
            self.players.clear();
        }
        game
    }

    /// Sees to it that a player sits here and has forgotten the last game. One that died since then begins afresh.
    fn seat(&mut self, number: usize) -> Result<(), PlayerError> {
        if let Some(place) = self.players.iter().position(|(seated, _)| *seated == number) {
            if self.players[place].1.new_game().is_ok() {
                return Ok(());
            }
            self.players.swap_remove(place);
        }
        let contest = self.contest;
        let mut player = Seat::start(&contest.engines[number], &contest.host, contest.in_process)?;
        player.new_game()?;
        self.players.push((number, player));
        Ok(())
    }

    /// Sets a player who sits here as the pair wants it.
    fn vary(&mut self, number: usize, pair: usize) -> Result<(), PlayerError> {
        let Some(variation) = self.contest.variation else { return Ok(()) };
        let name = &self.contest.engines[number].name;
        let options = variation.options(pair, number).map_err(|why| PlayerError::Own(name.clone(), why))?;
        let seated = self.players.iter_mut().find(|(seated, _)| *seated == number);
        seated.map_or(Ok(()), |(_, player)| player.set(&options))
    }
}

/// What standings need to know of a game.
pub fn outcome(place: Place, game: &Game) -> Outcome {
    let names = &game.names;
    let incident = game
        .ending
        .is_incident
        .then(|| format!("game {place}, {} - {}: {}", names.white, names.black, game.ending.reason));
    Outcome { place, winner: game.ending.winner, incident }
}
