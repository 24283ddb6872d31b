//! How a worker behaves beside the engines that it referees.

#![cfg_attr(
    target_os = "linux",
    expect(unsafe_code, reason = "how the system schedules a thread has no safe form; docs/experiments/0042")
)]

/// Lets the calling thread give way: when something comes for it to do, it waits until a processor is free instead of
/// taking one from an engine that thinks. So it wakes up once for an answer, when the engine is done, and not for each of
/// the lines before. What it starts does not behave so. A refusal changes nothing but the cost.
pub(super) fn give_way() {
    #[cfg(target_os = "linux")]
    {
        // SAFETY: numbers only, and they mean nothing else in any version of this structure.
        let param: libc::sched_param = unsafe { std::mem::zeroed() };
        // SAFETY: zero is the calling thread, and the structure is read and not kept.
        unsafe {
            let policy = libc::SCHED_BATCH | libc::SCHED_RESET_ON_FORK;
            libc::syscall(libc::SYS_sched_setscheduler, 0, policy, &raw const param);
        }
    }
}
