//! Printing that survives a reader who leaves and a disk that is full.

use std::fmt;
use std::io::{ErrorKind, Write};

/// Prints a line to stdout.
macro_rules! outln {
    () => { $crate::output::write(format_args!("\n")) };
    ($($argument:tt)*) => { $crate::output::write(format_args!("{}\n", format_args!($($argument)*))) };
}

/// Prints to stdout.
macro_rules! out {
    ($($argument:tt)*) => { $crate::output::write(format_args!($($argument)*)) };
}

/// Prints a line to stderr. Remarks that nobody reads are no reason to end the work.
macro_rules! errln {
    ($($argument:tt)*) => { $crate::output::remark(format_args!("{}\n", format_args!($($argument)*))) };
}

pub(crate) use {errln, out, outln};

/// What is said, with the reason, if nothing more can be written.
pub(crate) const UNWRITTEN: &str = "the output cannot be written";

/// Prints, or ends the program: quietly if nobody reads any more, with a sentence if nothing more can be written.
pub(crate) fn write(text: fmt::Arguments<'_>) {
    let mut stdout = std::io::stdout().lock();
    let Err(error) = stdout.write_fmt(text).and_then(|()| stdout.flush()) else { return };
    if error.kind() == ErrorKind::BrokenPipe {
        std::process::exit(0);
    }
    errln!("error: {UNWRITTEN}: {error}");
    std::process::exit(2);
}

/// Prints to stderr if it can be done.
pub(crate) fn remark(text: fmt::Arguments<'_>) {
    let _ = std::io::stderr().lock().write_fmt(text);
}
