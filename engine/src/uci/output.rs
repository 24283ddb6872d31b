//! Lines to whoever listens. A thread of their own writes them, so that a reader who is slow never holds up a search.

use std::io::{self, ErrorKind, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

/// Where replies go. Lines are written whole and at once.
pub type Output = Arc<Mutex<dyn Write + Send>>;

enum Message {
    Line(String),
    /// Answer when all before is written.
    Flush(Sender<()>),
}

/// Takes lines and returns at once.
#[derive(Clone)]
pub(super) struct Printer(Sender<Message>);

/// The thread that writes; whoever drops it waits until all is written.
pub(super) struct Writing {
    printer: Option<Printer>,
    thread: Option<JoinHandle<io::Result<()>>>,
}

impl Printer {
    /// Sends a line on its way.
    pub(super) fn say(&self, text: &str) {
        // The writer lives as long as the conversation
        let _ = self.0.send(Message::Line(format!("{text}\n")));
    }
}

impl Writing {
    /// Starts the thread; none if the system has no more.
    pub(super) fn start(output: Output) -> Option<Writing> {
        let (sender, receiver) = channel();
        let thread = std::thread::Builder::new().spawn(move || write_all(&output, &receiver)).ok()?;
        Some(Writing { printer: Some(Printer(sender)), thread: Some(thread) })
    }

    /// What takes the lines.
    pub(super) fn printer(&self) -> &Printer {
        self.printer.as_ref().expect("the printer is there until the end")
    }

    /// Waits until all lines so far are written.
    pub(super) fn flush(&self) {
        let (sender, receiver) = channel();
        if self.printer().0.send(Message::Flush(sender)).is_ok() {
            let _ = receiver.recv();
        }
    }

    /// Waits until all is written; the first error if it could not be.
    pub(super) fn close(&mut self) -> io::Result<()> {
        self.printer = None;
        let panicked = |_| Err(io::Error::other("the thread that writes has panicked"));
        self.thread.take().map_or(Ok(()), |thread| thread.join().unwrap_or_else(panicked))
    }
}

impl Drop for Writing {
    fn drop(&mut self) {
        // Whoever wants to know has closed it before
        let _ = self.close();
    }
}

/// Writes lines until nobody can send any more, and returns the first error.
fn write_all(output: &Output, receiver: &Receiver<Message>) -> io::Result<()> {
    let mut written = Ok(());
    for message in receiver {
        match message {
            Message::Line(line) => {
                let mut output = output.lock().expect("nobody panics while printing");
                match output.write_all(line.as_bytes()).and_then(|()| output.flush()) {
                    // Whoever listened may be gone, which is no fault; the end of input ends the program
                    Err(error) if error.kind() != ErrorKind::BrokenPipe => written = written.and(Err(error)),
                    _ => (),
                }
            }
            Message::Flush(sender) => {
                let _ = sender.send(());
            }
        }
    }
    written
}
