//! Marquetry: a chess engine whose evaluation is made by hand, and the laboratory that explains, tunes and proves it.
//!
//! This file reads the command line and hands over; each command lives in its own file under `commands`.

mod arguments;
mod commands;
mod interrupt;
mod output;
mod paint;
mod progress;
mod scoreboard;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// A chess engine whose evaluation is made by hand, from piece-square tables and positional terms, and the laboratory
/// in which such an evaluation is explained, tuned and proven.
#[derive(Parser)]
#[command(name = "marquetry", version, max_term_width = 132)]
struct CommandLine {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Uci(commands::uci::Uci),
    Studio(commands::studio::StudioCommand),
    Eval(commands::eval::Eval),
    Explain(commands::explain::Explain),
    Analyse(commands::analyse::Analyse),
    #[command(subcommand)]
    Weights(commands::weights::WeightsCommand),
    Perft(commands::perft::Perft),
    Match(commands::matches::Match),
    Ladder(commands::ladder::Ladder),
    Spsa(commands::spsa::Spsa),
    Ablate(commands::ablate::Ablate),
    Tune(commands::tune::Tune),
    Train(commands::train::Train),
    #[command(subcommand)]
    Runs(commands::runs::RunsCommand),
    Stats(commands::stats::Stats),
    Suite(commands::suite::Suite),
    UciCheck(commands::uci_check::UciCheck),
    Bookgen(commands::bookgen::Bookgen),
    Datagen(commands::datagen::Datagen),
    #[command(subcommand)]
    Data(commands::data::DataCommand),
    Bench(commands::bench::Bench),
    Tunables(commands::tunables::Tunables),
    Keeper(commands::keeper::Keeper),
}

fn main() -> ExitCode {
    let arguments = arguments::given();
    let result =
        if commands::uci::are_lines(&arguments) { commands::uci::run_lines(&arguments) } else { run_command() };
    result.unwrap_or_else(|error| {
        output::errln!("error: {error:#}");
        ExitCode::from(2)
    })
}

fn run_command() -> anyhow::Result<ExitCode> {
    match arguments::read::<CommandLine>().command.unwrap_or_else(|| Command::Uci(commands::uci::Uci::default())) {
        Command::Uci(uci) => uci.run(),
        Command::Studio(studio) => studio.run(),
        Command::Eval(eval) => eval.run(),
        Command::Explain(explain) => explain.run(),
        Command::Analyse(analyse) => analyse.run(),
        Command::Weights(weights) => weights.run(),
        Command::Perft(perft) => perft.run(),
        Command::Match(contest) => contest.run(),
        Command::Ladder(ladder) => ladder.run(),
        Command::Spsa(spsa) => spsa.run(),
        Command::Ablate(ablate) => ablate.run(),
        Command::Tune(tune) => tune.run(),
        Command::Train(train) => train.run(),
        Command::Runs(runs) => runs.run(),
        Command::Stats(stats) => stats.run(),
        Command::Suite(suite) => suite.run(),
        Command::UciCheck(check) => check.run(),
        Command::Bookgen(bookgen) => bookgen.run(),
        Command::Datagen(datagen) => datagen.run(),
        Command::Data(data) => data.run(),
        Command::Bench(bench) => bench.run(),
        Command::Tunables(tunables) => tunables.run(),
        Command::Keeper(keeper) => Ok(keeper.run()),
    }
}
