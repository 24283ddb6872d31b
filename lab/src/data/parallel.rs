//! A file read by several threads: each takes the next part, reads it, works on it, and lays down what came of it, which is
//! handed over when it is its turn. So the order is the file's, whoever is faster. A thread waits only if as many parts lie
//! there as there are threads: no more than twice as many are in memory.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::reader::{BadLine, DataError};
use super::sample::Sample;
use super::source::{Batch, Haul, Source};

/// What came of a part of a file.
pub(super) struct Done<T> {
    pub(super) work: T,
    pub(super) bad_count: u64,
    pub(super) bad: Vec<BadLine>,
    /// Bytes of the file read so far.
    pub(super) bytes: u64,
}

/// Where parts are handed out.
struct Desk<'a> {
    source: &'a mut Source,
    next: u64,
    is_over: bool,
}

/// Where work is handed over.
struct Counter<T, F> {
    turn: u64,
    /// What came of later parts.
    early: BTreeMap<u64, Result<Done<T>, DataError>>,
    take: F,
    is_stopped: bool,
    error: Option<DataError>,
}

impl<T, F: FnMut(Done<T>) -> ControlFlow<()>> Counter<T, F> {
    /// Lays down what came of a part, and hands over all whose turn it is.
    fn lay_down(&mut self, ticket: u64, done: Result<Done<T>, DataError>) {
        self.early.insert(ticket, done);
        while !self.is_stopped
            && let Some(done) = self.early.remove(&self.turn)
        {
            let flow = done.map(&mut self.take).unwrap_or_else(|error| {
                self.error = Some(error);
                ControlFlow::Break(())
            });
            self.turn += 1;
            self.is_stopped = flow.is_break();
        }
    }
}

/// Lets nobody wait for a thread that panicked.
struct Alarm<'a, T, F>(&'a Mutex<Counter<T, F>>, &'a Condvar);

impl<T, F> Drop for Alarm<'_, T, F> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            lock(self.0).is_stopped = true;
            self.1.notify_all();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads the source to its end, or until `take` breaks off.
pub(super) fn read<T: Send>(
    source: &mut Source,
    threads: usize,
    work: &(impl Fn(Vec<Sample>) -> T + Sync),
    take: impl FnMut(Done<T>) -> ControlFlow<()> + Send,
) -> Result<(), DataError> {
    let desk = Mutex::new(Desk { source, next: 0, is_over: false });
    let counter = Mutex::new(Counter { turn: 0, early: BTreeMap::new(), take, is_stopped: false, error: None });
    let turns = Condvar::new();
    let run = || {
        let _alarm = Alarm(&counter, &turns);
        while let Some((ticket, batch, bytes)) = next_batch(&desk) {
            let done = batch.and_then(Batch::read).map(|Haul { samples, bad_count, bad }| Done {
                work: work(samples),
                bad_count,
                bad,
                bytes,
            });
            let mut counter = lock(&counter);
            counter.lay_down(ticket, done);
            turns.notify_all();
            while counter.early.len() >= threads.max(1) && !counter.is_stopped {
                counter = turns.wait(counter).unwrap_or_else(PoisonError::into_inner);
            }
            if counter.is_stopped {
                return;
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(run);
        }
        run();
    });
    counter.into_inner().unwrap_or_else(PoisonError::into_inner).error.map_or(Ok(()), Err)
}

/// The next part with its number and the bytes read so far; none after the last one and after an error.
fn next_batch(desk: &Mutex<Desk>) -> Option<(u64, Result<Batch, DataError>, u64)> {
    let mut desk = lock(desk);
    if desk.is_over {
        return None;
    }
    let batch = desk.source.next().transpose();
    desk.is_over = !matches!(batch, Some(Ok(_)));
    desk.next += 1;
    Some((desk.next - 1, batch?, desk.source.bytes_read()))
}
