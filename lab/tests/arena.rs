//! The arena against engines that misbehave: the game ends with a reason, the match goes on, nothing is left behind.

use std::collections::HashSet;
use std::convert::Infallible;
use std::time::{Duration, Instant};

use chess::{ByColor, Position};
use lab::arena::{Contest, EngineSpec, Format, Game, Host, Place, Rules, Schedule, Standings, Thinking, Wish, Witness};

/// Keeps all games.
#[derive(Default)]
struct Notes {
    games: Vec<(Place, Game)>,
    /// Stops after so many games.
    enough: Option<usize>,
}

impl Witness for Notes {
    type Error = Infallible;

    fn game(&mut self, place: Place, _: ByColor<usize>, game: &Game, _: &Standings) -> Result<(), Infallible> {
        self.games.push((place, game.clone()));
        Ok(())
    }

    fn wish(&mut self, _: &Standings) -> Result<Wish, Infallible> {
        Ok(if self.enough.is_some_and(|enough| self.games.len() >= enough) { Wish::Stop } else { Wish::Go })
    }
}

fn hostile(vice: &str, thinking: Thinking) -> EngineSpec {
    EngineSpec {
        name: if vice.is_empty() { "honest".to_owned() } else { vice.to_owned() },
        command: vec![env!("CARGO_BIN_EXE_hostile").to_owned(), vice.to_owned()],
        options: Vec::new(),
        thinking,
        is_own: false,
    }
}

fn own(options: &[(&str, &str)]) -> EngineSpec {
    EngineSpec {
        name: "own".to_owned(),
        command: Vec::new(),
        options: options.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect(),
        thinking: Thinking::Nodes(50),
        is_own: true,
    }
}

fn contest(engines: &[EngineSpec], rounds: usize) -> Contest<'_> {
    let openings: &'static [Position] = Box::leak(Box::new([Position::initial()]));
    let rules = Rules { patience: Duration::from_secs(1), max_moves: Some(20), ..Rules::default() };
    Contest {
        engines,
        schedule: Schedule::new(Format::RoundRobin, engines.len(), rounds),
        openings,
        concurrency: 2,
        sprt: None,
        rules,
        host: Host { patience: Duration::from_secs(3), ..Host::default() },
        in_process: true,
        variation: None,
    }
}

fn run(contest: &Contest) -> (Standings, Vec<(Place, Game)>) {
    let (mut standings, mut notes) = (Standings::new(contest.schedule.clone()), Notes::default());
    contest.run(&mut standings, &HashSet::new(), &mut notes).unwrap();
    (standings, notes.games)
}

/// A match of the honest engine against one with a vice: two pairs, and the other's reasons for losing.
fn against(vice: &str, thinking: Thinking) -> Vec<String> {
    let engines = [hostile("", thinking), hostile(vice, thinking)];
    let (standings, games) = run(&contest(&engines, 2));
    assert_eq!(games.len(), 4, "{vice}: the match goes on");
    assert_eq!(standings.games(), 4);
    let reasons: Vec<String> = games.iter().map(|(_, game)| game.ending.reason.clone()).collect();
    if !standings.incidents().is_empty() {
        assert_eq!(standings.scores()[0].wins, 4, "{vice}: {reasons:?}");
        assert_eq!(standings.incident_count(), 4);
        assert!(standings.incidents().iter().all(|incident| incident.contains(vice)));
    }
    reasons
}

const DEPTH: Thinking = Thinking::Depth(1);
const CLOCK: Thinking =
    Thinking::Clock { moves: None, time: Duration::from_millis(300), increment: Duration::from_millis(1) };

fn assert_all(reasons: &[String], what: &str) {
    assert!(reasons.iter().all(|reason| reason.contains(what)), "{what}: {reasons:?}");
}

#[test]
fn an_engine_that_ends_loses_with_the_way_it_ended() {
    assert_all(&against("leaves", DEPTH), "leaves has ended with exit code 3");
    assert_all(&against("aborts", DEPTH), "aborts has ended by signal 6");
}

#[test]
fn an_engine_that_falls_silent_loses() {
    assert_all(&against("sleeps", DEPTH), "sleeps does not answer \"go\"");
    assert_all(&against("sleeps", CLOCK), "the time is over");
    assert_all(&against("deaf", Thinking::MoveTime(Duration::from_millis(20))), "the time is over");
}

#[test]
fn an_engine_that_is_late_loses_on_time_unless_the_margin_forgives_it() {
    assert_all(&against("slow", CLOCK), "the time is over");
    let engines = [hostile("", CLOCK), hostile("slow", CLOCK)];
    let mut generous = contest(&engines, 1);
    generous.rules.margin = Duration::from_secs(2);
    generous.rules.max_moves = Some(4);
    assert!(run(&generous).0.incidents().is_empty());
}

#[test]
fn moves_that_are_none_lose() {
    for vice in ["cheats", "resigns", "passes", "mumbles"] {
        assert_all(&against(vice, DEPTH), "an illegal move");
    }
}

#[test]
fn floods_end_with_the_time() {
    let start = Instant::now();
    for vice in ["floods", "drones", "roars"] {
        assert_all(&against(vice, DEPTH), "does not answer");
    }
    assert!(start.elapsed() < Duration::from_secs(40));
}

#[test]
fn noise_and_talk_do_no_harm() {
    for vice in ["noise", "chatty", "late"] {
        let reasons = against(vice, DEPTH);
        assert!(reasons.iter().all(|reason| !reason.contains("loses")), "{vice}: {reasons:?}");
    }
}

#[test]
fn an_engine_that_cannot_start_is_an_error() {
    for (vice, what) in [("shy", "shy has ended"), ("mute", "mute does not answer \"uciok\"")] {
        let engines = [hostile("", DEPTH), hostile(vice, DEPTH)];
        assert_eq!(contest(&engines, 1).check().unwrap_err().to_string(), what);
    }
}

#[test]
fn an_engine_that_does_not_leave_is_made_to() {
    let engines = [hostile("", DEPTH), hostile("stays", DEPTH)];
    let start = Instant::now();
    let (standings, _) = run(&contest(&engines, 1));
    assert_eq!(standings.incident_count(), 0);
    assert!(start.elapsed() < Duration::from_secs(8));
    let left = std::process::Command::new("pgrep").args(["-P", &std::process::id().to_string(), "hostile"]).output();
    let left = left.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    // Other tests of this process may have engines of their own; none of them stays
    for pid in left.split_whitespace() {
        let command = std::fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        assert!(!command.ends_with("stays\0"), "{command:?} is still there");
    }
}

#[test]
fn a_contest_stops_in_the_middle_and_goes_on_later() {
    let engines = [own(&[]), own(&[("EvalFile", "material")]), own(&[("EvalFile", "simplified")])];
    let mut contest = contest(&engines, 3);
    contest.concurrency = 1;
    let (mut standings, mut notes) = (Standings::new(contest.schedule.clone()), Notes::default());
    notes.enough = Some(5);
    contest.run(&mut standings, &HashSet::new(), &mut notes).unwrap();
    assert_eq!(standings.games(), 5);
    let played: HashSet<Place> = notes.games.iter().map(|(place, _)| *place).collect();
    notes.enough = None;
    contest.run(&mut standings, &played, &mut notes).unwrap();
    assert_eq!((standings.games(), standings.pairs()), (18, 9));
    let places: HashSet<Place> = notes.games.iter().map(|(place, _)| *place).collect();
    assert_eq!(places.len(), 18, "no game twice");
    let (whole, all) = run(&contest);
    assert_eq!(whole.scores().iter().map(|score| score.pairs).collect::<Vec<_>>(), {
        standings.scores().iter().map(|score| score.pairs).collect::<Vec<_>>()
    });
    assert_eq!(all.len(), 18);
}
