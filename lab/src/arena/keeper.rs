//! The keeper: a small process that ends the engines when the runner is no longer there to do it, even if the runner was
//! killed. It hears through a pipe which process groups there are; the pipe closes when the runner ends, however it ends.

use std::collections::BTreeSet;
use std::io::{BufRead, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Mutex;

use rustix::process::{Pid, Signal, kill_process_group};

/// A runner's end of the pipe.
#[derive(Debug)]
pub struct Keeper {
    child: Child,
    pipe: Mutex<Option<ChildStdin>>,
}

impl Keeper {
    /// Starts a keeper by a command that calls [`keep`].
    pub fn start(command: &[String]) -> std::io::Result<Keeper> {
        let (program, arguments) = command.split_first().ok_or(std::io::ErrorKind::NotFound)?;
        let mut command = Command::new(program);
        // In a group of its own, so that what ends the runner's group leaves it
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
        let mut child = command.spawn()?;
        let pipe = Mutex::new(child.stdin.take());
        Ok(Keeper { child, pipe })
    }

    /// From now on this group ends with the runner.
    pub(super) fn watch(&self, group: Pid) {
        self.tell('+', group);
    }

    /// This group is gone.
    pub(super) fn release(&self, group: Pid) {
        self.tell('-', group);
    }

    fn tell(&self, sign: char, group: Pid) {
        if let Some(pipe) = self.pipe.lock().expect("nobody panics while writing").as_mut() {
            // Without a keeper engines still see the end of their input
            let _ = pipe.write_all(format!("{sign}{}\n", group.as_raw_nonzero()).as_bytes());
        }
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        if let Ok(pipe) = self.pipe.get_mut() {
            pipe.take();
        }
        let _ = self.child.wait();
    }
}

/// The keeper's work: listens until the runner is gone, then kills the groups that are left.
pub fn keep(input: impl BufRead) {
    let mut groups = BTreeSet::new();
    for line in input.lines().map_while(Result::ok) {
        let (sign, number) = line.split_at_checked(1).unwrap_or_default();
        let Ok(number) = number.parse::<i32>() else { continue };
        if sign == "+" {
            groups.insert(number);
        } else {
            groups.remove(&number);
        }
    }
    for group in groups.into_iter().filter_map(Pid::from_raw) {
        let _ = kill_process_group(group, Signal::KILL);
    }
}
