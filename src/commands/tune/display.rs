//! A tuning while it goes: the loss as a curve on a terminal, lines elsewhere.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lab::tune::Epoch;

use crate::output::errln;
use crate::paint;

/// Away from a terminal, a line this often.
const INTERVAL: Duration = Duration::from_secs(10);
/// How wide the curve is.
const WIDTH: usize = 40;

/// Shows epochs on stderr.
pub(super) struct Display {
    bar: Option<ProgressBar>,
    is_quiet: bool,
    epochs: u32,
    rows: u64,
    start: Instant,
    first: usize,
    last: Option<Instant>,
}

impl Display {
    /// Begins; of at most so many epochs over so many positions.
    pub(super) fn new(epochs: u32, rows: u64, is_quiet: bool) -> Display {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(Some(epochs.into()), ProgressDrawTarget::stderr());
            bar.with_style(ProgressStyle::with_template("{msg}").expect("the template is correct"))
        });
        Display { bar, is_quiet, epochs, rows, start: Instant::now(), first: 0, last: None }
    }

    /// Shows where it stands.
    pub(super) fn show(&mut self, epochs: &[Epoch]) {
        let Some(epoch) = epochs.last() else { return };
        if self.last.is_none() {
            self.first = epochs.len();
        }
        let done = epochs.len() - self.first;
        let speed = done as f64 * self.rows as f64 / self.start.elapsed().as_secs_f64() / 1e6;
        let validation = epoch.validation.map_or(String::new(), |loss| format!("  validation {loss:.7}"));
        let line = format!(
            "epoch {:>3} of {}  training {:.7}{validation}  rate {:.4}  {speed:.1} M positions/s",
            epoch.number, self.epochs, epoch.training, epoch.rate
        );
        match &self.bar {
            Some(bar) => {
                // The first epochs lose so much that later ones would look flat
                let recent = &epochs[epochs.len() / 4..];
                let losses: Vec<f64> = recent.iter().map(Epoch::loss).collect();
                bar.set_message(format!("{line}  {}", paint::curve(&losses, WIDTH)));
            }
            None if self.is_quiet => (),
            None if self.last.is_none_or(|last| last.elapsed() >= INTERVAL) => errln!("{line}"),
            None => return,
        }
        self.last = Some(Instant::now());
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
