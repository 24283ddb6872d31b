//! UCI: the conversation with a graphical program, a bot or a person at a terminal.
//!
//! Bad input gets one `info string` and changes nothing. The search runs on a thread of its own; whatever needs it to be
//! over, ends it first.

mod genfens;
mod go;
mod lines;
mod output;
mod weights;

use std::io::{self, BufRead};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread::JoinHandle;

use chess::{CastlingMode, Position, Trail, divide};

use crate::instance::seek;
use crate::options::{self, OPTIONS, OptionInfo};
use crate::{Engine, Limits, Memory, Outlook, Report, STACK, Signal, TUNABLES, Trace, bench};
use go::Go;
use lines::Style;
pub use output::Output;
use output::Writing;

/// One conversation.
pub struct Session {
    output: Writing,
    position: Position,
    trail: Trail,
    engine: Engine,
    /// Whether a search also tells what it started from.
    debugs: bool,
    /// Whether `uci` lists the search's numbers among the options.
    lists_tunables: bool,
    /// Whether a line was no command.
    met_unknown: bool,
    running: Option<Running>,
}

/// A search that has not been collected.
struct Running {
    signal: Arc<Signal>,
    is_pondering: bool,
    thread: JoinHandle<Memory>,
}

impl Session {
    /// A conversation that has not begun; none if there is no memory for it.
    pub fn new(output: Output) -> Option<Session> {
        Some(Session {
            output: Writing::start(output)?,
            position: Position::initial(),
            trail: Trail::new(),
            engine: Engine::new()?,
            debugs: false,
            lists_tunables: false,
            met_unknown: false,
            running: None,
        })
    }

    /// The same conversation, in which `uci` also lists the search's numbers.
    pub fn with_tunables(mut self) -> Session {
        self.lists_tunables = true;
        self
    }

    /// Reads lines until `quit` or the end. An error if a reply could not be written.
    pub fn run(mut self, input: impl BufRead) -> io::Result<()> {
        for line in input.split(b'\n').map_while(Result::ok) {
            if !self.handle(&String::from_utf8_lossy(&line)) {
                break;
            }
        }
        self.close()
    }

    /// Ends the conversation, and the search if one runs. An error if a reply could not be written.
    pub fn close(mut self) -> io::Result<()> {
        self.finish_search();
        self.output.close()
    }

    /// Handles one line and says whether to go on.
    pub fn handle(&mut self, line: &str) -> bool {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((&command, arguments)) = words.split_first() else { return true };
        match command {
            "uci" => self.introduce(),
            "isready" => self.say("readyok"),
            "ucinewgame" => self.new_game(),
            "setoption" => self.set_option(line),
            "position" => self.set_position(arguments),
            "go" => self.go(arguments),
            "stop" => self.stop(),
            "ponderhit" => self.ponderhit(),
            "debug" => self.set_debug(arguments),
            "d" => self.say(&self.position.to_string()),
            "eval" => self.evaluate(),
            "flip" => self.flip(),
            "bench" => self.bench(arguments),
            "weights" => self.weights_command(line),
            "genfens" => self.genfens(arguments),
            "quit" => return false,
            other => {
                self.met_unknown = true;
                self.remark(&format!("{other:?} is not known"));
            }
        }
        true
    }

    /// Whether a line was no command.
    pub fn met_unknown(&self) -> bool {
        self.met_unknown
    }

    /// Waits for the search, if one runs, to end by itself, and until all is written.
    pub fn wait(&mut self) {
        self.collect();
        self.output.flush();
    }

    /// Waits for the search and takes its memory back.
    fn collect(&mut self) {
        if let Some(running) = self.running.take() {
            self.engine.memory = running.thread.join().ok();
        }
    }

    /// Waits until all replies so far are written.
    pub fn flush(&self) {
        self.output.flush();
    }

    fn say(&self, text: &str) {
        self.output.printer().say(text);
    }

    fn remark(&self, text: &str) {
        self.say(&format!("info string {text}"));
    }

    fn remark_all(&self, remarks: &[String]) {
        for remark in remarks {
            self.remark(remark);
        }
    }

    fn introduce(&self) {
        self.say(concat!("id name Marquetry ", env!("CARGO_PKG_VERSION")));
        self.say("id author the Marquetry developers");
        let listed = if self.lists_tunables { TUNABLES } else { &[] };
        for option in OPTIONS.iter().copied().chain(listed.iter().map(OptionInfo::of)) {
            self.say(&option.to_string());
        }
        self.say("uciok");
    }

    fn new_game(&mut self) {
        self.finish_search();
        self.clear_memory();
    }

    fn clear_memory(&mut self) {
        let remarks = self.engine.new_game();
        self.remark_all(&remarks);
    }

    /// Ends the search, if one runs, and collects it.
    fn finish_search(&mut self) {
        self.stop();
        self.collect();
    }

    fn stop(&self) {
        if let Some(running) = &self.running {
            running.signal.stop();
        }
    }

    /// The clock of a search that pondered counts from now on; any other goes on as it was.
    fn ponderhit(&mut self) {
        if let Some(running) = self.running.as_mut().filter(|running| running.is_pondering) {
            running.is_pondering = false;
            running.signal.ponderhit();
        }
    }

    fn set_option(&mut self, line: &str) {
        let Some((name, value)) = options::split(line) else { return self.remark("setoption needs a name") };
        let Some(option) = OptionInfo::find(&name) else {
            return self.remark(&format!("there is no option {name:?}"));
        };
        match option.read(value) {
            Ok((setting, word)) => {
                if let Some(word) = word {
                    self.remark(&word);
                }
                self.finish_search();
                let remarks = self.engine.apply(option.name, setting);
                self.remark_all(&remarks);
            }
            Err(why) => self.remark(&why),
        }
    }

    fn set_position(&mut self, words: &[&str]) {
        let (setup, moves) = match words.iter().position(|&word| word == "moves") {
            Some(place) => (&words[..place], &words[place + 1..]),
            None => (words, &[][..]),
        };
        let position = match setup {
            ["startpos"] => Ok(Position::initial()),
            ["fen", fen @ ..] => fen.join(" ").parse().map_err(|error: chess::FenError| error.to_string()),
            _ => Err("position needs startpos or fen".to_owned()),
        };
        match position.and_then(|position| play_all(position, moves)) {
            Ok((position, trail)) => {
                self.finish_search();
                (self.position, self.trail) = (position, trail);
            }
            Err(why) => self.remark(&format!("{why}; the position stays as it was")),
        }
    }

    fn go(&mut self, words: &[&str]) {
        self.finish_search();
        let (go, remarks) = go::read(words, &self.position);
        self.remark_all(&remarks);
        match go {
            Go::Perft(depth) => self.perft(depth),
            Go::Search { limits, ponder } => self.start(limits, ponder),
        }
    }

    fn start(&mut self, limits: Limits, ponder: bool) {
        let Some(mut memory) = self.engine.memory.take() else {
            return self.remark("there is no memory to search with");
        };
        let signal = Arc::new(Signal::new(limits.infinite || ponder));
        let is_pondering = ponder && !limits.infinite;
        let (settings, debugs) = (self.engine.settings, self.debugs);
        let task = self.engine.task(&self.position, &self.trail, limits);
        let style = Style { mode: self.mode(), wdl: settings.shows_wdl, position: self.position };
        let (printer, shared, tables) = (self.output.printer().clone(), signal.clone(), self.engine.tablebases.clone());
        let work = move || {
            let outlook = debugs.then(|| Outlook::of(&task, &mut memory));
            let mut show = |report: &Report| printer.say(&style.info(report));
            let result = seek(task, &settings, &mut memory, &shared, &mut show);
            if result.is_none() {
                printer.say(&style.no_move());
            }
            if let Some(outlook) = outlook {
                printer.say(&format!("info string {outlook}"));
            }
            for complaint in tables.iter().flat_map(|tables| tables.complaints()) {
                printer.say(&format!("info string {complaint}"));
            }
            shared.wait_until_released();
            printer.say(&style.best_move(result.as_ref()));
            memory
        };
        match std::thread::Builder::new().stack_size(STACK).spawn(work) {
            Ok(thread) => self.running = Some(Running { signal, is_pondering, thread }),
            Err(error) => {
                self.remark(&format!("the search cannot start: {error}"));
                self.clear_memory();
            }
        }
    }

    fn perft(&self, depth: u32) {
        let parts = divide(&self.position, depth, NonZeroUsize::MIN, None, &|_, _| (), &|| false);
        for part in &parts {
            self.say(&format!("{}: {}", part.mv.uci(self.mode()), part.leaves.unwrap_or(0)));
        }
        self.say("");
        self.say(&format!("Nodes searched: {}", parts.iter().filter_map(|part| part.leaves).sum::<u64>()));
    }

    fn set_debug(&mut self, words: &[&str]) {
        match words {
            ["on"] => self.debugs = true,
            ["off"] => self.debugs = false,
            _ => self.remark("debug needs on or off"),
        }
    }

    fn bench(&mut self, words: &[&str]) {
        let depth = match words {
            [] => Ok(bench::DEPTH),
            [depth, ..] => depth.parse(),
        };
        let Ok(depth) = depth else { return self.remark("bench needs a depth, such as bench 12") };
        self.finish_search();
        match bench::run(depth, |place, fen, nodes| self.say(&format!("{place:>2}  {nodes:>9}  {fen}"))) {
            Some((nodes, time)) => {
                self.say(&format!("{nodes} nodes {:.0} nps", nodes as f64 / time.as_secs_f64().max(1e-6)));
            }
            None => self.remark("there is no memory to search with"),
        }
    }

    /// The evaluation term by term, and what a search would start from unless one runs.
    fn evaluate(&mut self) {
        let trace = Trace::of(&self.position, &self.engine.weights);
        for row in &trace.rows {
            self.say(&format!("info string {:<22}{:>+9.2}", row.term, row.cp));
        }
        self.remark(&format!("evaluation, White's view: {:+}", trace.white_cp));
        let task = self.engine.task(&self.position, &self.trail, Limits::default());
        if let Some(outlook) = self.engine.memory.as_mut().map(|memory| Outlook::of(&task, memory)) {
            self.remark(&outlook.to_string());
        }
    }

    /// The same position with colours exchanged.
    fn flip(&mut self) {
        self.finish_search();
        self.position = self.position.mirrored();
        self.trail = Trail::new();
    }

    fn mode(&self) -> CastlingMode {
        if self.engine.settings.chess960 { CastlingMode::Chess960 } else { self.position.castling_mode() }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.finish_search();
    }
}

/// Plays the moves of `position … moves …`.
fn play_all(mut position: Position, moves: &[&str]) -> Result<(Position, Trail), String> {
    let mut trail = Trail::new();
    for text in moves {
        let mv = position.parse_uci(text).map_err(|error| format!("{error} in {position}"))?;
        trail.push(&position);
        position.play(mv);
    }
    Ok((position, trail))
}
