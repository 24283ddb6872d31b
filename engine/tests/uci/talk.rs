//! Talking to an engine in this process.

use std::io::Write;
use std::sync::{Arc, Mutex};

use engine::uci::Session;

/// A conversation with an engine in this process.
pub(crate) struct Talk {
    pub(crate) session: Session,
    output: Arc<Mutex<Vec<u8>>>,
}

impl Talk {
    pub(crate) fn new() -> Talk {
        let output = Arc::new(Mutex::new(Vec::new()));
        let session = Session::new(output.clone() as Arc<Mutex<dyn Write + Send>>).unwrap();
        Talk { session, output }
    }

    /// Sends lines and returns what came back, once the search has ended.
    pub(crate) fn send(&mut self, lines: &str) -> String {
        for line in lines.lines() {
            self.session.handle(line);
        }
        self.session.wait();
        self.received()
    }

    /// What has come back so far.
    pub(crate) fn received(&self) -> String {
        self.session.flush();
        String::from_utf8(std::mem::take(&mut *self.output.lock().unwrap())).unwrap()
    }

    pub(crate) fn best_move(&mut self, lines: &str) -> String {
        let text = self.send(lines);
        let best: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("bestmove ")).collect();
        assert_eq!(best.len(), 1, "{text}");
        best[0].split(' ').next().unwrap().to_owned()
    }
}

/// The number after a word in a line.
pub(crate) fn number(line: &str, word: &str) -> i64 {
    let mut words = line.split(' ').skip_while(|&other| other != word);
    words.nth(1).unwrap_or_else(|| panic!("no {word} in {line}")).parse().unwrap()
}
