//! What the outside tells a running search: stop, or that the opponent made the move it was pondering about.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

use super::limits::Deadline;

/// Shared by a search and whoever started it.
#[derive(Debug)]
pub struct Signal {
    start: Instant,
    stop: AtomicBool,
    /// While this holds, the clock does not count and the result is kept back.
    is_open_ended: AtomicBool,
    /// When the clock began to count, in microseconds after `start`.
    clock_start: AtomicU64,
    released: (Mutex<()>, Condvar),
}

impl Signal {
    /// For a search that begins now. An open-ended one (infinite, or pondering) ends only when told to.
    pub fn new(is_open_ended: bool) -> Signal {
        Signal {
            start: Instant::now(),
            stop: AtomicBool::new(false),
            is_open_ended: AtomicBool::new(is_open_ended),
            clock_start: AtomicU64::new(0),
            released: (Mutex::new(()), Condvar::new()),
        }
    }

    /// Ends the search.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        self.release();
    }

    /// Whether it was told to end.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The opponent made the expected move: the clock counts from now on.
    pub fn ponderhit(&self) {
        self.clock_start.store(self.start.elapsed().as_micros() as u64, Ordering::Relaxed);
        self.release();
    }

    fn release(&self) {
        let _guard = self.released.0.lock().expect("nobody panics while holding this lock");
        self.is_open_ended.store(false, Ordering::Relaxed);
        self.released.1.notify_all();
    }

    /// Waits until an open-ended search may show its result.
    pub fn wait_until_released(&self) {
        let mut guard = self.released.0.lock().expect("nobody panics while holding this lock");
        while self.is_open_ended.load(Ordering::Relaxed) {
            guard = self.released.1.wait(guard).expect("nobody panics while holding this lock");
        }
    }

    /// Time on the clock so far.
    fn elapsed(&self) -> Duration {
        self.start.elapsed().saturating_sub(Duration::from_micros(self.clock_start.load(Ordering::Relaxed)))
    }

    /// Whether the search has gone on for so long that somebody may wonder what it does.
    pub(super) fn is_long(&self) -> bool {
        self.start.elapsed() > Duration::from_secs(3)
    }

    /// Whether the search has to end at once.
    pub(super) fn is_over(&self, deadline: &Deadline) -> bool {
        self.stop.load(Ordering::Relaxed)
            || (!self.is_open_ended.load(Ordering::Relaxed) && deadline.hard.is_some_and(|hard| self.elapsed() >= hard))
    }

    /// Whether another iteration may begin, if the time that a move should take is stretched by a factor.
    pub(super) fn allows_iteration(&self, deadline: &Deadline, factor: f64) -> bool {
        let is_early = |soft: Duration| self.elapsed().as_secs_f64() < factor * soft.as_secs_f64();
        !self.stop.load(Ordering::Relaxed)
            && (self.is_open_ended.load(Ordering::Relaxed) || deadline.soft.is_none_or(is_early))
    }
}
