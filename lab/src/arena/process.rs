//! A program and the lines that go to it and come from it. Whatever the program does, no call here blocks past its
//! deadline, and what is kept of its output is bounded.

use std::borrow::Cow;
use std::io::{ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::process::{Pid, Signal, kill_process_group};

use super::keeper::Keeper;
use super::log::Log;

/// A line longer than this is no line of UCI; it is skipped.
const LONGEST_LINE: usize = 1 << 16;
/// How much is read at once.
const CHUNK: usize = 1 << 13;
/// How long a program that was told to leave may take.
const LEAVING: Duration = Duration::from_millis(500);

/// Why there is no line.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Trouble {
    /// It has ended or closed its side; how, if that is known.
    Ended(Option<ExitStatus>),
    /// The deadline is over.
    Late,
}

/// A running program.
pub(crate) struct Process {
    child: Child,
    group: Option<Pid>,
    /// None when it was closed.
    input: Option<ChildStdin>,
    output: ChildStdout,
    /// What was read and not yet given out: the bytes from `start` to `end`.
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// Whether the rest of a line that is too long is being skipped.
    is_skipping: bool,
    keeper: Option<Arc<Keeper>>,
    log: Option<(Arc<Log>, String)>,
}

impl Process {
    /// Starts a program in a process group of its own: Ctrl-C is for the runner, and all that the program starts can be
    /// ended with it.
    pub(crate) fn start(
        command: &[String],
        keeper: Option<Arc<Keeper>>,
        log: Option<(Arc<Log>, String)>,
    ) -> std::io::Result<Process> {
        let (program, arguments) = command.split_first().ok_or(ErrorKind::NotFound)?;
        let errors = match &log {
            Some((log, _)) => log.errors()?,
            None => Stdio::null(),
        };
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(errors).process_group(0);
        let mut child = command.spawn()?;
        let group = Pid::from_raw(child.id() as i32);
        if let (Some(keeper), Some(group)) = (&keeper, group) {
            keeper.watch(group);
        }
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(ErrorKind::BrokenPipe.into());
        };
        fcntl_setfl(&input, fcntl_getfl(&input)? | OFlags::NONBLOCK)?;
        fcntl_setfl(&output, fcntl_getfl(&output)? | OFlags::NONBLOCK)?;
        let buffer = vec![0; CHUNK];
        Ok(Process {
            child,
            group,
            input: Some(input),
            output,
            buffer,
            start: 0,
            end: 0,
            is_skipping: false,
            keeper,
            log,
        })
    }

    /// Sends text, whole lines.
    pub(crate) fn send(&mut self, text: &str, deadline: Instant) -> Result<(), Trouble> {
        if let Some((log, name)) = &self.log {
            text.lines().for_each(|line| log.write(&format!("{name} < {line}")));
        }
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            let Some(input) = &mut self.input else { return Err(self.ended()) };
            match input.write(rest) {
                Ok(count) => rest = &rest[count..],
                Err(error) if error.kind() == ErrorKind::WouldBlock => self.wait_to_write(deadline)?,
                Err(error) if error.kind() == ErrorKind::Interrupted => (),
                Err(_) => return Err(self.ended()),
            }
        }
        Ok(())
    }

    /// The next line, without its end and what is blank before it. Bytes that are no text are replaced.
    pub(crate) fn line(&mut self, deadline: Instant) -> Result<Cow<'_, str>, Trouble> {
        Ok(match self.raw_line(deadline)? {
            Cow::Borrowed(text) => Cow::Borrowed(text.trim_end()),
            Cow::Owned(text) => Cow::Owned(text.trim_end().to_owned()),
        })
    }

    /// The next line as it came, without the byte that ends it.
    pub(crate) fn raw_line(&mut self, deadline: Instant) -> Result<Cow<'_, str>, Trouble> {
        let end = loop {
            if let Some(end) = self.line_end() {
                break end;
            }
            // A program that never stops talking is late like one that never begins
            if Instant::now() > deadline {
                return Err(Trouble::Late);
            }
            self.read(deadline)?;
        };
        Ok(text(self.take(end)))
    }

    /// All whole lines that were read already, with what lies between them: whoever looks for one line among many need not read
    /// the others.
    pub(super) fn lines_at_hand(&mut self) -> &[u8] {
        let Some(first) = self.line_end() else { return &[] };
        let last = memchr::memrchr(b'\n', &self.buffer[first..self.end]).map_or(first, |end| first + end);
        self.take(last)
    }

    /// Where the next line ends, if a whole one was read.
    fn line_end(&mut self) -> Option<usize> {
        loop {
            let end = self.start + memchr::memchr(b'\n', &self.buffer[self.start..self.end])?;
            if !std::mem::take(&mut self.is_skipping) {
                return Some(end);
            }
            self.start = end + 1;
        }
    }

    /// Gives out what was read until the end of a line.
    fn take(&mut self, end: usize) -> &[u8] {
        let taken = &self.buffer[self.start..end];
        self.start = end + 1;
        if let Some((log, name)) = &self.log {
            text(taken).split('\n').for_each(|line| log.write(&format!("{name} > {}", line.trim_end())));
        }
        taken
    }

    /// Closes the program's input: to it, the runner is gone.
    pub(crate) fn close_input(&mut self) {
        self.input = None;
    }

    /// Forgets what was sent but not asked for.
    pub(super) fn discard(&mut self) {
        // Once round: a program that never stops talking is not waited for
        let _ = self.read_now();
        if let Some(&last) = self.buffer[self.start..self.end].last() {
            self.is_skipping = last != b'\n';
        }
        (self.start, self.end) = (0, 0);
    }

    /// Reads at least one more byte.
    pub(super) fn read(&mut self, deadline: Instant) -> Result<(), Trouble> {
        loop {
            // Nearly always there is nothing yet, so waiting comes first
            wait(&self.output, PollFlags::IN, deadline)?;
            if self.read_now()? {
                return Ok(());
            }
        }
    }

    /// Reads what is there. False if that is nothing.
    fn read_now(&mut self) -> Result<bool, Trouble> {
        self.buffer.copy_within(self.start..self.end, 0);
        (self.start, self.end) = (0, self.end - self.start);
        if self.end > LONGEST_LINE {
            self.end = 0;
            self.is_skipping = true;
        }
        if self.buffer.len() < self.end + CHUNK {
            self.buffer.resize(self.end + CHUNK, 0);
        }
        match self.output.read(&mut self.buffer[self.end..]) {
            Ok(0) => Err(self.ended()),
            Ok(count) => {
                self.end += count;
                Ok(true)
            }
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => Ok(false),
            Err(_) => Err(self.ended()),
        }
    }

    /// Waits until more can be written. A program that does not read because it writes is read meanwhile.
    fn wait_to_write(&mut self, deadline: Instant) -> Result<(), Trouble> {
        let Some(input) = &self.input else { return Err(self.ended()) };
        let mut files = [PollFd::new(input, PollFlags::OUT), PollFd::new(&self.output, PollFlags::IN)];
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() || matches!(poll(&mut files, Some(&timeout(left))), Ok(0)) {
            return Err(Trouble::Late);
        }
        let (input, output) = (files[0].revents(), files[1].revents());
        if input.contains(PollFlags::OUT) {
            return Ok(());
        }
        if input.intersects(PollFlags::ERR) || (output.contains(PollFlags::HUP) && !output.contains(PollFlags::IN)) {
            return Err(self.ended());
        }
        self.discard();
        Ok(())
    }

    /// It has ended: in a moment the system knows how.
    fn ended(&mut self) -> Trouble {
        Trouble::Ended(self.exit_within(Duration::from_millis(100)))
    }

    /// How it ended, if it does within this time.
    pub(crate) fn exit_within(&mut self, time: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + time;
        loop {
            match self.child.try_wait() {
                Ok(None) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(1)),
                Ok(status) => return status,
                Err(_) => return None,
            }
        }
    }
}

/// A program does not outlive its use: it is asked to leave and then made to, with all that it has started.
impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.send("quit\n", Instant::now());
        let exit = self.exit_within(LEAVING);
        if let Some(group) = self.group {
            let _ = kill_process_group(group, Signal::KILL);
        }
        if exit.is_none() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
        if let (Some(keeper), Some(group)) = (&self.keeper, self.group) {
            keeper.release(group);
        }
    }
}

/// Waits until a file is ready. When the deadline is over, it looks once.
fn wait(file: &impl AsFd, flags: PollFlags, deadline: Instant) -> Result<(), Trouble> {
    let left = deadline.saturating_duration_since(Instant::now());
    let ready = poll(&mut [PollFd::new(file, flags)], Some(&timeout(left)));
    if matches!(ready, Ok(0)) { Err(Trouble::Late) } else { Ok(()) }
}

fn timeout(left: Duration) -> Timespec {
    Timespec { tv_sec: left.as_secs().min(i32::MAX as u64) as i64, tv_nsec: left.subsec_nanos().into() }
}

/// Bytes as text; what is no text is replaced. Nearly always all of it is.
pub(super) fn text(bytes: &[u8]) -> Cow<'_, str> {
    str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// How a program ended, in words.
pub(crate) fn describe(exit: ExitStatus) -> String {
    match (exit.signal(), exit.code()) {
        (Some(signal), _) => format!(" by signal {signal}"),
        (None, Some(code)) if code != 0 => format!(" with exit code {code}"),
        _ => String::new(),
    }
}
