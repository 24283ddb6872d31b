//! How far long work has come: a bar with an estimate on a terminal, now and then a line elsewhere.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::output::errln;

/// Work shorter than this shows nothing.
const PATIENCE: Duration = Duration::from_secs(1);
/// Away from a terminal, a line this often.
const INTERVAL: Duration = Duration::from_secs(10);

/// Shows on stderr how much of some work is done.
pub(crate) struct Progress {
    what: &'static str,
    start: Instant,
    display: Display,
}

enum Display {
    Bar(ProgressBar),
    Lines { last: Mutex<Instant> },
}

impl Progress {
    /// Begins to count.
    pub(crate) fn new(what: &'static str) -> Progress {
        let start = Instant::now();
        let display = if std::io::stderr().is_terminal() {
            Display::Bar(ProgressBar::hidden())
        } else {
            Display::Lines { last: Mutex::new(start) }
        };
        Progress { what, start, display }
    }

    /// So much is done, of so much.
    pub(crate) fn update(&self, done: u64, all: u64) {
        self.tell(done, all, "");
    }

    /// So much is done, of so much; and something to be told beside it.
    pub(crate) fn tell(&self, done: u64, all: u64, words: &str) {
        if self.start.elapsed() < PATIENCE {
            return;
        }
        match &self.display {
            Display::Bar(bar) => self.draw(bar, done, all, words),
            Display::Lines { last } => {
                let mut last = last.lock().expect("nobody panics while printing");
                if last.elapsed() >= INTERVAL {
                    *last = Instant::now();
                    let words = if words.is_empty() { String::new() } else { format!("{words}, ") };
                    errln!("{}: {words}{}", self.what, outlook(done, all, self.start.elapsed()));
                }
            }
        }
    }

    fn draw(&self, bar: &ProgressBar, done: u64, all: u64, words: &str) {
        if bar.is_hidden() && bar.length().is_none() {
            let style = ProgressStyle::with_template("{prefix} {wide_bar} {msg}{percent:>3} % {eta} to go");
            bar.set_style(style.expect("the template is correct"));
            bar.set_prefix(self.what);
            bar.set_length(all);
            bar.set_draw_target(indicatif::ProgressDrawTarget::stderr());
        }
        if !words.is_empty() {
            bar.set_message(format!("{words}, "));
        }
        bar.set_position(done);
    }
}

/// The share that is done and, if anything is, how long the rest takes. The last piece may lead past the end.
fn outlook(done: u64, all: u64, elapsed: Duration) -> String {
    let share = done.min(all) as f64 / all.max(1) as f64;
    let left = elapsed.as_secs_f64() * (1.0 / share - 1.0);
    let left = if left.is_finite() { format!(", about {left:.0} s to go") } else { String::new() };
    format!("{:.0} %{left}", 100.0 * share)
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Display::Bar(bar) = &self.display {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimate_is_right_at_the_start_and_past_the_end() {
        let after = |done, all| outlook(done, all, Duration::from_secs(30));
        assert_eq!(after(1, 4), "25 %, about 90 s to go");
        assert_eq!(after(5, 4), "100 %, about 0 s to go");
        assert_eq!(after(0, 4), "0 %");
        assert_eq!(after(0, 0), "0 %");
    }
}
