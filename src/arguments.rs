//! The words of the command line: as text, as a shell takes them, and read so that refusals name the option.

use std::io::IsTerminal;

use clap::error::{ContextKind, ContextValue};
use clap::{Command, Error, Parser};

/// As wide as examples in help texts are, where no terminal says how wide it is.
const WIDTH: usize = 132;

/// The arguments of this program as text, whatever bytes they are.
pub(crate) fn given() -> Vec<String> {
    std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect()
}

/// Words as a shell takes them.
pub(crate) fn quoted<S: AsRef<str>>(words: &[S]) -> String {
    let quote = |word: &S| shlex::try_quote(word.as_ref()).map_or_else(|_| word.as_ref().to_owned(), String::from);
    words.iter().map(quote).collect::<Vec<_>>().join(" ")
}

/// A command of this program as a user types it.
pub(crate) fn typed(words: &[String]) -> String {
    format!("marquetry {}", quoted(words))
}

/// Reads the arguments of this program, or ends it with a sentence.
pub(crate) fn read<P: Parser>() -> P {
    let width = if std::io::stdout().is_terminal() { None } else { Some(WIDTH) };
    let command = width.map_or_else(P::command, |width| P::command().term_width(width));
    let read = with_negative_numbers(command).try_get_matches();
    let read = read.and_then(|matches| P::from_arg_matches(&matches));
    read.unwrap_or_else(|error| naming_what_was_given(error, &given()).exit())
}

/// A number below zero is a value, so that it is refused by the option that it was given to.
pub(crate) fn with_negative_numbers(command: Command) -> Command {
    let command = command.mut_args(|arg| {
        let takes_values = arg.get_action().takes_values();
        if takes_values { arg.allow_negative_numbers(true) } else { arg }
    });
    command.mut_subcommands(with_negative_numbers)
}

/// Of options that exclude another one as a group, a refusal names those that were given.
fn naming_what_was_given(mut error: Error, given: &[String]) -> Error {
    let Some(ContextValue::Strings(group)) = error.get(ContextKind::PriorArg) else { return error };
    let is_given = |shown: &&String| {
        let option = shown.split_whitespace().next().unwrap_or_default();
        given.iter().any(|word| word.split('=').next() == Some(option))
    };
    let named: Vec<String> = group.iter().filter(is_given).cloned().collect();
    if !named.is_empty() {
        let named =
            <[String; 1]>::try_from(named).map_or_else(ContextValue::Strings, |[option]| ContextValue::String(option));
        error.insert(ContextKind::PriorArg, named);
    }
    error
}
