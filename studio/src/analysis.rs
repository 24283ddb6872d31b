//! The socket over which a tab lets the engine think: about a position until told otherwise, about its own move in a game, or
//! about all moves of a game. A tab has one engine and one question at a time; a new question ends the old one.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use chess::{ByColor, Position, Trail};
use engine::{Engine, Limits, Report, STACK, Signal, Weights};
use serde::{Deserialize, Serialize};
use tokio::sync::Notify;
use ts_rs::TS;

use crate::errors::ApiError;
use crate::position::{GameSoFar, uci};
use crate::server::Shared;
use crate::shelf::Choice;
use crate::thinking::{Line, speed};

/// Between two messages to a tab: at most twenty a second, with some room.
const PAUSE: Duration = Duration::from_millis(60);
/// No message of a tab is longer.
const LONGEST_MESSAGE: usize = 64 << 10;
const MOST_HASH: u64 = 4096;
const MOST_LINES: u64 = 20;
const MOST_NODES: u64 = 5_000_000;

/// How the engine is set up for a question.
#[derive(Clone, PartialEq, Deserialize, TS)]
pub(crate) struct Setup {
    #[serde(default)]
    pub(crate) weights: Choice,
    pub(crate) threads: u64,
    /// Megabytes.
    pub(crate) hash: u64,
    /// How many lines are wanted.
    pub(crate) lines: u64,
    /// The strength to be limited to; nothing for full strength.
    pub(crate) elo: Option<i32>,
}

/// The clocks of a game, in milliseconds.
#[derive(Clone, Deserialize, TS)]
pub(crate) struct Clocks {
    pub(crate) white: i64,
    pub(crate) black: i64,
    pub(crate) increment: u64,
}

/// What a tab asks. `id` comes back with every answer.
#[derive(Deserialize, TS)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(crate) enum Question {
    /// Think until told otherwise.
    Analyse { id: u32, game: GameSoFar, setup: Setup },
    /// Make a move.
    Play { id: u32, game: GameSoFar, setup: Setup, clocks: Clocks },
    /// Look at every position of a game for so many nodes.
    Review { id: u32, game: GameSoFar, setup: Setup, nodes: u64 },
    /// Think no more.
    Stop,
}

/// What a tab is told.
#[derive(Clone, Serialize, TS)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(crate) enum Answer {
    /// What was found so far.
    Thinking {
        id: u32,
        nodes: u64,
        nps: u64,
        milliseconds: u64,
        /// How full the table is, in thousandths.
        fullness: usize,
        lines: Vec<Line>,
        /// Whether the search is over.
        is_over: bool,
    },
    /// The move that the engine plays.
    Played { id: u32, uci: String, line: Line, milliseconds: u64 },
    /// What a position of a game is worth, and the best move there.
    Reviewed { id: u32, ply: usize, line: Option<Line> },
    /// There is nothing to think about: the game is over, or all of it was looked at.
    Done { id: u32 },
    /// A question that cannot be answered.
    Problem { id: Option<u32>, error: String },
}

/// What waits to be sent. Of thoughts only the last is worth sending.
#[derive(Default)]
struct Outbox {
    thought: Mutex<Option<Answer>>,
    others: Mutex<VecDeque<Answer>>,
    is_filled: Notify,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Outbox {
    fn think(&self, answer: Answer) {
        *locked(&self.thought) = Some(answer);
        self.is_filled.notify_one();
    }

    fn put(&self, answer: Answer) {
        locked(&self.others).push_back(answer);
        self.is_filled.notify_one();
    }

    /// Forgets what answers a question that nobody asks any more.
    fn clear(&self) {
        *locked(&self.thought) = None;
        locked(&self.others).clear();
    }

    fn take(&self) -> Option<Answer> {
        locked(&self.thought).take().or_else(|| locked(&self.others).pop_front())
    }
}

/// Opens the socket.
pub(crate) async fn socket(State(studio): State<Shared>, upgrade: WebSocketUpgrade) -> Result<Response, ApiError> {
    let seat = studio.seats.clone().try_acquire_owned().map_err(|_| ApiError::Busy)?;
    let upgrade = upgrade.max_message_size(LONGEST_MESSAGE).max_frame_size(LONGEST_MESSAGE);
    Ok(upgrade.on_upgrade(move |socket| async move {
        converse(socket, studio).await;
        drop(seat);
    }))
}

/// Hears questions and sends answers until the tab goes.
async fn converse(mut socket: WebSocket, studio: Shared) {
    let outbox = Arc::new(Outbox::default());
    let Some(thinker) = Thinker::start(outbox.clone()) else { return };
    let mut current: Option<Arc<Signal>> = None;
    loop {
        tokio::select! {
            message = socket.recv() => match message {
                Some(Ok(Message::Text(text))) => {
                    if let Some(signal) = current.take() {
                        signal.stop();
                    }
                    outbox.clear();
                    match read(&studio, &text) {
                        Ok(Some(job)) => {
                            current = Some(job.signal.clone());
                            thinker.jobs.send(job).ok();
                        }
                        Ok(None) => (),
                        Err((id, error)) => outbox.put(Answer::Problem { id, error: error.to_string() }),
                    }
                }
                Some(Ok(Message::Close(_))) | Some(Err(_)) | None => break,
                Some(Ok(_)) => (),
            },
            () = outbox.is_filled.notified() => {
                let Some(answer) = outbox.take() else { continue };
                let Ok(text) = serde_json::to_string(&answer) else { continue };
                if socket.send(Message::Text(text.into())).await.is_err() {
                    break;
                }
                tokio::time::sleep(PAUSE).await;
                // There may be more
                outbox.is_filled.notify_one();
            }
        }
    }
    if let Some(signal) = current {
        signal.stop();
    }
}

/// Understands a question; nothing is left to do if it was to stop.
fn read(studio: &Shared, text: &str) -> Result<Option<Job>, (Option<u32>, ApiError)> {
    let question: Question = serde_json::from_str(text).map_err(|error| {
        let sentence = format!("the question is not understood: {error}");
        (None, ApiError::Request(axum::http::StatusCode::BAD_REQUEST, sentence))
    })?;
    let (id, game, setup, kind) = match question {
        Question::Analyse { id, game, setup } => (id, game, setup, Kind::Analyse),
        Question::Play { id, game, setup, clocks } => (id, game, setup, Kind::Play(clocks)),
        Question::Review { id, game, setup, nodes } => (id, game, setup, Kind::Review(nodes)),
        Question::Stop => return Ok(None),
    };
    job(studio, id, &game, setup, kind).map(Some).map_err(|error| (Some(id), error))
}

fn job(studio: &Shared, id: u32, game: &GameSoFar, setup: Setup, kind: Kind) -> Result<Job, ApiError> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let range = |what, high, found| {
        if (1..=high).contains(&found) { Ok(()) } else { Err(ApiError::Range { what, low: 1, high, found }) }
    };
    range("threads", cores, setup.threads)?;
    range("hash", MOST_HASH, setup.hash)?;
    range("lines", MOST_LINES, setup.lines)?;
    if let Kind::Review(nodes) = kind {
        range("nodes", MOST_NODES, nodes)?;
    }
    let weights = studio.shelf.choose(&setup.weights)?;
    let (plies, last) = game.replay()?;
    let positions = plies.into_iter().map(|(position, _)| position).chain([last]).collect();
    let signal = Arc::new(Signal::new(matches!(kind, Kind::Analyse)));
    Ok(Job { id, positions, weights, setup, kind, signal })
}

/// A question, understood.
struct Job {
    id: u32,
    /// From the beginning of the game to where it stands.
    positions: Vec<Position>,
    weights: Arc<Weights>,
    setup: Setup,
    kind: Kind,
    signal: Arc<Signal>,
}

enum Kind {
    Analyse,
    Play(Clocks),
    Review(u64),
}

/// A thread with an engine that answers one question after the other.
struct Thinker {
    jobs: mpsc::Sender<Job>,
}

impl Thinker {
    fn start(outbox: Arc<Outbox>) -> Option<Thinker> {
        let (jobs, queue) = mpsc::channel::<Job>();
        let work = move || {
            let mut desk: Option<Desk> = None;
            for mut job in queue.iter() {
                // Of questions that came meanwhile only the last is still wanted
                while let Ok(newer) = queue.try_recv() {
                    job = newer;
                }
                if desk.as_ref().is_none_or(|desk| desk.setup != job.setup) {
                    desk = Desk::new(&job.setup);
                }
                match &mut desk {
                    Some(desk) => desk.answer(&job, &outbox),
                    None => outbox.put(Answer::Problem { id: Some(job.id), error: ApiError::Memory.to_string() }),
                }
            }
        };
        std::thread::Builder::new().stack_size(STACK).spawn(work).ok()?;
        Some(Thinker { jobs })
    }
}

/// An engine, and what it was set up for.
struct Desk {
    setup: Setup,
    engine: Engine,
}

impl Desk {
    fn new(setup: &Setup) -> Option<Desk> {
        let mut engine = Engine::new()?;
        let strength = setup.elo.map(|elo| [("UCI_Elo", elo.to_string()), ("UCI_LimitStrength", "true".to_owned())]);
        let options = [
            ("Hash", setup.hash.to_string()),
            ("Threads", setup.threads.to_string()),
            ("MultiPV", setup.lines.to_string()),
        ];
        for (name, value) in options.into_iter().chain(strength.into_iter().flatten()) {
            engine.set(name, &value).ok()?;
        }
        Some(Desk { setup: setup.clone(), engine })
    }

    fn answer(&mut self, job: &Job, outbox: &Outbox) {
        let Some((position, before)) = job.positions.split_last() else { return };
        match &job.kind {
            Kind::Analyse => self.analyse(job, before, position, outbox),
            Kind::Play(clocks) => self.play(job, before, position, clocks, outbox),
            Kind::Review(nodes) => self.review(job, *nodes, outbox),
        }
    }

    /// Searches a position that positions led to.
    fn search(
        &mut self,
        job: &Job,
        before: &[Position],
        position: &Position,
        limits: Limits,
        signal: &Signal,
        show: &mut dyn FnMut(&Report),
    ) -> Option<Report> {
        let mut trail = Trail::new();
        for earlier in before {
            trail.push(earlier);
        }
        let mut task = self.engine.task(position, &trail, limits);
        task.weights = job.weights.clone();
        self.engine.search(task, signal, show)
    }

    fn analyse(&mut self, job: &Job, before: &[Position], position: &Position, outbox: &Outbox) {
        let limits = Limits { infinite: true, ..Limits::default() };
        let mut lines: Vec<Line> = Vec::new();
        let mut show = |report: &Report, is_over: bool| {
            let line = Line::of(position, report);
            match lines.get_mut(report.rank - 1) {
                Some(known) => *known = line,
                None => lines.push(line),
            }
            outbox.think(Answer::Thinking {
                id: job.id,
                nodes: report.nodes,
                nps: speed(report.nodes, report.time),
                milliseconds: report.time.as_millis() as u64,
                fullness: report.fullness,
                lines: lines.clone(),
                is_over,
            });
        };
        let last = self.search(job, before, position, limits, &job.signal, &mut |report| show(report, false));
        match last {
            Some(last) => show(&last, true),
            None => outbox.put(Answer::Done { id: job.id }),
        }
    }

    fn play(&mut self, job: &Job, before: &[Position], position: &Position, clocks: &Clocks, outbox: &Outbox) {
        let limits = Limits {
            clock: ByColor { white: Some(clocks.white), black: Some(clocks.black) },
            increment: ByColor { white: clocks.increment, black: clocks.increment },
            ..Limits::default()
        };
        let report = self.search(job, before, position, limits, &job.signal, &mut |_| ());
        outbox.put(match report.as_ref().and_then(|report| Some((report, *report.line.first()?))) {
            Some((report, mv)) => Answer::Played {
                id: job.id,
                uci: uci(position, mv),
                line: Line::of(position, report),
                milliseconds: report.time.as_millis() as u64,
            },
            None => Answer::Done { id: job.id },
        });
    }

    fn review(&mut self, job: &Job, nodes: u64, outbox: &Outbox) {
        for (ply, position) in job.positions.iter().enumerate() {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let report = self.search(job, &job.positions[..ply], position, limits, &job.signal, &mut |_| ());
            if job.signal.is_stopped() {
                return;
            }
            outbox.put(Answer::Reviewed { id: job.id, ply, line: report.map(|report| Line::of(position, &report)) });
        }
        outbox.put(Answer::Done { id: job.id });
    }
}
