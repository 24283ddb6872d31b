//! Ctrl-C as a wish, not as an end: long work asks whether it came and stops with the results so far.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C is remembered. A second one ends the program at once.
pub(crate) fn listen() -> Result<()> {
    ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    })
    .context("Ctrl-C cannot be listened for")
}

/// Whether Ctrl-C came.
pub(crate) fn came() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}
