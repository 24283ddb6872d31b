//! A file read by several threads: each takes the next part, reads it, works on it, and waits for its turn to hand over
//! what came of it. So the order is the file's, whoever is faster, and no more parts than threads are in memory.

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
struct Counter<F> {
    turn: u64,
    take: F,
    is_stopped: bool,
    error: Option<DataError>,
}

/// Lets nobody wait for a thread that panicked.
struct Alarm<'a, F>(&'a Mutex<Counter<F>>, &'a Condvar);

impl<F> Drop for Alarm<'_, F> {
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
    let counter = Mutex::new(Counter { turn: 0, take, is_stopped: false, error: None });
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
            while counter.turn != ticket && !counter.is_stopped {
                counter = turns.wait(counter).unwrap_or_else(PoisonError::into_inner);
            }
            if counter.is_stopped {
                return;
            }
            let flow = match done {
                Ok(done) => (counter.take)(done),
                Err(error) => {
                    counter.error = Some(error);
                    ControlFlow::Break(())
                }
            };
            counter.turn += 1;
            counter.is_stopped = flow.is_break();
            turns.notify_all();
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
