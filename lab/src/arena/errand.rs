//! An errand: a program that does one thing and ends, run by another that may be told to stop or be killed.

use std::io::Read;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use super::keeper::Keeper;

/// How often it is asked whether to go on.
const BREATH: Duration = Duration::from_millis(20);

/// Runs a program to its end and gives what it printed. It is in a process group of its own, so that Ctrl-C is for the runner:
/// when `is_stopped`, the program gets its own. The keeper ends it if the runner is killed.
pub fn run_errand(
    command: &mut Command,
    keeper: &Keeper,
    is_stopped: &dyn Fn() -> bool,
) -> std::io::Result<(ExitStatus, Vec<u8>)> {
    let mut child = command.stdout(Stdio::piped()).process_group(0).spawn()?;
    let group = Pid::from_raw(child.id().cast_signed());
    if let Some(group) = group {
        keeper.watch(group);
    }
    let mut output = child.stdout.take();
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        output.as_mut().map_or(Ok(0), |output| output.read_to_end(&mut bytes)).map(|_| bytes)
    });
    let mut was_told = false;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if is_stopped() && !was_told {
            was_told = true;
            // It may have ended by itself in between
            let _ = group.map(|group| kill_process(group, Signal::INT));
        }
        std::thread::sleep(BREATH);
    };
    if let Some(group) = group {
        keeper.release(group);
    }
    let bytes = reader.join().unwrap_or_else(|_| Err(std::io::ErrorKind::BrokenPipe.into()))?;
    Ok((status, bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keeper() -> Keeper {
        Keeper::start(&["cat".to_owned()]).unwrap()
    }

    #[test]
    fn what_is_printed_and_how_it_ended_come_back() {
        let (status, bytes) =
            run_errand(Command::new("sh").args(["-c", "echo found; exit 3"]), &keeper(), &|| false).unwrap();
        assert_eq!((status.code(), bytes.as_slice()), (Some(3), &b"found\n"[..]));
        assert!(run_errand(&mut Command::new("/no/such/program"), &keeper(), &|| false).is_err());
    }

    #[test]
    fn who_is_told_to_stop_gets_ctrl_c_once() {
        let ready = std::env::temp_dir().join(format!("marquetry-errand-{}", std::process::id()));
        let script = "trap 'echo told; exit 5' INT; : > \"$0\"; while :; do sleep 0.02; done";
        // Tests may run where interrupts are ignored, and a shell cannot undo that
        let mut command = Command::new("env");
        command.args(["--default-signal=INT", "sh", "-c", script]).arg(&ready);
        let (status, bytes) = run_errand(&mut command, &keeper(), &|| ready.exists()).unwrap();
        std::fs::remove_file(&ready).unwrap();
        assert_eq!((status.code(), bytes.as_slice()), (Some(5), &b"told\n"[..]));
    }
}
