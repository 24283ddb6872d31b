//! Two hints about memory that only the processor and the system understand. They change speed and nothing else.
//!
//! The measurement is docs/experiments/0011-memory-hints.md.

#![expect(
    unsafe_code,
    reason = "hints to processor and system have no safe form; the measurement is in docs/experiments"
)]

use std::sync::atomic::AtomicU64;

/// Asks the processor to fetch the cache line where something lies.
#[inline]
pub(crate) fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch reads nothing and never faults, whatever the address.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

/// Asks the system to back memory by huge pages, where it has them. A refusal changes nothing.
pub(crate) fn ask_for_huge_pages(words: &[AtomicU64]) {
    #[cfg(target_os = "linux")]
    {
        const PAGE: usize = 4096;
        let start = (words.as_ptr() as usize).next_multiple_of(PAGE);
        let end = words.as_ptr_range().end as usize / PAGE * PAGE;
        if start < end {
            // SAFETY: the range lies within an allocation that we hold, and the advice does not change its contents.
            unsafe { libc::madvise(start as *mut libc::c_void, end - start, libc::MADV_HUGEPAGE) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = words;
}
