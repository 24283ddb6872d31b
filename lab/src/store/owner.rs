//! Who a process is, and whether one lives.

use std::time::{SystemTime, UNIX_EPOCH};

use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};

use super::run::Owner;

/// A process elsewhere that was silent for so many milliseconds is dead. It should be heard each second.
const SILENT: u64 = 10_000;
/// So is one here that exists: its number belongs to another by now, or it sleeps and will hear that it lost the run.
const ASLEEP: u64 = 60_000;

/// Milliseconds since 1970.
pub(super) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// The machine's name.
pub(super) fn host() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

/// Whether the owner of a run lives. Here that is known; of a process elsewhere its heartbeat must tell.
pub(super) fn is_alive(owner: &Owner, now: i64) -> bool {
    // A clock that was put back makes heartbeats of the future
    let age = now.abs_diff(owner.heartbeat);
    if owner.host == host() { age < ASLEEP && exists(owner.pid) } else { age < SILENT }
}

/// Whether there is such a process here that can still do something.
fn exists(pid: u32) -> bool {
    let known = i32::try_from(pid).ok().and_then(Pid::from_raw);
    known.is_some_and(|known| matches!(test_kill_process(known), Ok(()) | Err(Errno::PERM))) && !is_zombie(pid)
}

/// Whether a process has ended and its parent has not asked how; where there is no `/proc`, nobody knows.
fn is_zombie(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // The state follows the name, which stands in brackets and may hold some itself
    stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with(['Z', 'X']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_here_lives_if_it_exists_and_one_elsewhere_if_it_is_heard() {
        let (time, pid) = (now(), std::process::id());
        let is = |host: &str, pid, age| is_alive(&Owner { host: host.to_owned(), pid, heartbeat: time - age }, time);
        assert!(is(&host(), pid, 0));
        assert!(is(&host(), pid, 30_000));
        assert!(!is(&host(), pid, 90_000));
        // No system gives so large a number
        assert!(!is(&host(), i32::MAX as u32, 0));
        assert!(!is(&host(), u32::MAX, 0));
        assert!(is("elsewhere", pid, 2_000));
        assert!(!is("elsewhere", pid, 30_000));
        assert!(!is("elsewhere", pid, -90_000));
        assert!(!is("elsewhere", pid, i64::MIN + time + 1));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_killed_process_is_dead_before_its_parent_looks() {
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        assert!(exists(child.id()));
        child.kill().unwrap();
        let deadline = std::time::Instant::now() + std::time::Duration::from_secs(10);
        while exists(child.id()) {
            assert!(std::time::Instant::now() < deadline);
        }
        child.wait().unwrap();
    }
}
