//! The arena against engines that misbehave: the game ends with a reason, the match goes on, nothing is left behind.

use std::collections::HashSet;
use std::convert::Infallible;
use std::time::{Duration, Instant};

use chess::{ByColor, CastlingMode, Color, Position};
use engine::Tablebases;
use lab::arena::{
    Contest, EngineSpec, Format, Game, Host, Log, Place, Rules, Schedule, Standings, Thinking, Variation, Watch,
    Winner, Wish, Witness,
};

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

fn openings(fens: &[&str]) -> Vec<Position> {
    fens.iter().map(|fen| fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))).collect()
}

/// King and queen against king, in a table that says that the queen always wins.
fn queen_wins() -> Vec<u8> {
    let (magic, layout) = ([0x71, 0xe8, 0x23, 0x5d], [1, 0, 0x66, 0x55, 0xee, 0]);
    let one_value = 128;
    let mut bytes = [&magic[..], &layout, &[one_value, 4, one_value, 0]].concat();
    bytes.resize(80, 0);
    bytes
}

#[test]
fn tables_end_games_right_after_a_capture_or_a_pawn_move() {
    let folder = std::env::temp_dir().join(format!("marquetry-{}-tables", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("KQvK.rtbw"), queen_wins()).unwrap();
    let (tables, complaints) = Tablebases::open(folder.to_str().unwrap());
    assert!(complaints.is_empty(), "{complaints:?}");
    // White promotes, Black promotes, the queen hangs, and the clock has run for a while
    let openings = openings(&[
        "8/P7/8/8/8/8/7k/K7 w - - 3 40",
        "k7/8/8/8/8/8/p7/7K b - - 3 40",
        "8/8/8/8/8/2k5/1Q6/7K b - - 0 40",
        "8/8/8/3k4/8/8/8/KQ6 w - - 20 40",
    ]);
    let engines = [own(&[]), own(&[("EvalFile", "material")])];
    let mut contest = contest(&engines, openings.len());
    contest.openings = &openings;
    contest.rules.tables = Some(tables.into());
    let (standings, games) = run(&contest);
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!((standings.games(), standings.incident_count()), (8, 0));
    for (place, game) in games {
        let (plies, ending) = (game.plies.len(), &game.ending);
        match place.pair {
            0 => {
                assert_eq!(ending.reason, "White wins by tablebase adjudication");
                assert_eq!((plies, ending.winner), (1, Winner::Side(Color::White)));
            }
            1 => {
                assert_eq!(ending.reason, "Black wins by tablebase adjudication");
                assert_eq!((plies, ending.winner), (1, Winner::Side(Color::Black)));
            }
            2 => assert_eq!((plies, ending.reason.as_str()), (0, "draw by tablebase adjudication")),
            _ => assert!(plies > 1 && !ending.reason.contains("tablebase"), "{ending:?}"),
        }
    }
}

/// White can do nothing but castle, and its king stays where it is; both sides can castle at once.
const CASTLING_960: [&str; 2] =
    ["3r3k/8/8/8/8/1p6/1P5r/BRK5 w B - 0 1", "r1k1r3/pppppppp/8/8/8/8/PPPPPPPP/R1K1R3 w AEae - 0 1"];
const CASTLING: [&str; 1] = ["r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"];

/// All castling moves that were told to the engine that insists on one way to write them.
fn castling_told(fens: &[&str], options: &[(&str, &str)], name: &str) -> Vec<String> {
    let path = std::env::temp_dir().join(format!("marquetry-{}-{name}.log", std::process::id()));
    let openings = openings(fens);
    let mut other = hostile("castles", DEPTH);
    other.options = options.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    let engines = [own(options), other];
    let mut contest = contest(&engines, openings.len());
    contest.openings = &openings;
    contest.host.log = Some(std::sync::Arc::new(Log::create(path.to_str().unwrap()).unwrap()));
    let (standings, games) = run(&contest);
    assert_eq!(standings.incidents(), [] as [String; 0]);
    assert_eq!(games.len(), 2 * openings.len());
    let castles = |game: &Game| {
        let uci = |mode: CastlingMode| game.plies.iter().map(move |ply| ply.mv.uci(mode).to_string());
        uci(CastlingMode::Standard).zip(uci(CastlingMode::Chess960)).any(|(one, other)| one != other)
    };
    assert!(games.iter().all(|(_, game)| castles(game)), "somebody castles in every game");
    let log = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let told = log.lines().filter_map(|line| line.split_once(" moves ")).flat_map(|(_, moves)| moves.split(' '));
    let mut told: Vec<String> =
        told.map(str::to_owned).filter(|text| text.starts_with("c1") || text.starts_with("e1")).collect();
    told.sort();
    told.dedup();
    told
}

#[test]
fn castling_is_written_one_way_in_the_whole_contest() {
    // With one opening of Chess960, castling is king takes rook in the others too
    let told = castling_told(&[&CASTLING_960[..], &CASTLING].concat(), &[("UCI_Chess960", "true")], "chess960");
    assert!(told.contains(&"c1b1".to_owned()), "our own castled: {told:?}");
    assert!(told.iter().any(|text| text == "e1h1" || text == "e1a1"), "{told:?}");
    assert!(!told.iter().any(|text| text == "e1g1" || text == "e1c1"), "{told:?}");
    let told = castling_told(&CASTLING, &[], "standard");
    assert!(told.iter().any(|text| text == "e1g1" || text == "e1c1"), "{told:?}");
    assert!(!told.iter().any(|text| text == "e1h1" || text == "e1a1"), "{told:?}");
}

/// Gives every pair a hash size of its own, and lets pairs begin one after the other.
#[derive(Default)]
struct OneByOne {
    over: std::sync::Mutex<Vec<Place>>,
    asked: std::sync::Mutex<Vec<(usize, usize)>>,
}

impl Variation for OneByOne {
    fn is_known(&self, pair: usize) -> bool {
        self.over.lock().unwrap().len() >= 2 * pair
    }

    fn options(&self, pair: usize, engine: usize) -> Result<Vec<(String, String)>, String> {
        self.asked.lock().unwrap().push((pair, engine));
        if pair == 2 && engine == 1 {
            return Err("there is nothing to set".to_owned());
        }
        Ok(vec![("Hash".to_owned(), (pair + 1).to_string())])
    }

    fn hear(&self, outcome: &lab::arena::Outcome) {
        self.over.lock().unwrap().push(outcome.place);
    }
}

#[test]
fn engines_are_set_for_each_pair_and_pairs_wait_for_what_they_must_know() {
    let engines = [own(&[]), own(&[("EvalFile", "material")])];
    let (variation, mut contest) = (OneByOne::default(), contest(&engines, 3));
    contest.variation = Some(&variation);
    let (standings, _) = run(&contest);
    assert_eq!(standings.games(), 6);
    let pairs: Vec<usize> = variation.over.lock().unwrap().iter().map(|place| place.pair).collect();
    assert_eq!(pairs, [0, 0, 1, 1, 2, 2]);
    let mut asked = variation.asked.lock().unwrap().clone();
    asked.sort_unstable();
    asked.dedup();
    assert_eq!(asked, [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)]);
    assert_eq!(standings.incident_count(), 2, "{:?}", standings.incidents());
    assert!(standings.incidents()[0].contains("there is nothing to set"));
}

#[test]
fn watches_are_compared_in_timed_games() {
    let watch = std::sync::Arc::new(Watch::default());
    let medians = |thinking: Thinking| {
        let engines = [hostile("", thinking), hostile("punctual", thinking)];
        let mut contest = contest(&engines, 1);
        (contest.rules.max_moves, contest.host.watch) = (Some(8), Some(watch.clone()));
        run(&contest);
        watch.medians()
    };
    assert!(medians(DEPTH).is_empty(), "without a clock nobody looks at one");
    let found = medians(Thinking::MoveTime(Duration::from_millis(100)));
    assert_eq!(found.keys().collect::<Vec<_>>(), ["punctual"], "others do not say when they write");
    let (median, moves) = found["punctual"];
    assert_eq!(moves, 16);
    assert!((10.0..200.0).contains(&median), "it claims 7 ms and takes 20: {median} ms");
}
