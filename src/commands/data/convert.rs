//! `marquetry data convert`: the same samples in another form.

use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;
use clap::Args;
use lab::data::SampleWriter;
use lab::files::check_apart;
use serde_json::json;

use super::inputs::Inputs;
use super::{FormName, Threads, form, grouped};
use crate::interrupt;
use crate::output::outln;

/// Write a file's positions in another form
#[derive(Args)]
#[command(after_help = "Examples:
  marquetry data convert games.mqg positions.mqp
  marquetry data convert positions.epd.xz positions.txt
  marquetry data convert games.pgn positions.epd.zst

The form is told by the ending: .epd, .txt (columns) or .mqp (packed), with .gz, .zst or .xz behind it to pack the file. EPD and
packed positions keep everything; columns keep position, value and result, for other programs. Packed values stop at 32,767
centipawns. Ctrl-C ends it with the positions so far.")]
pub(crate) struct Convert {
    /// The file to read
    input: String,

    /// The file to write
    output: String,

    /// The form to write [default: told by the ending]
    #[arg(long, value_name = "FORM")]
    to: Option<FormName>,

    #[command(flatten)]
    threads: Threads,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Convert {
    pub(super) fn run(&self) -> Result<ExitCode> {
        let form = form(self.to, &self.output)?;
        check_apart(&[&self.input], &[&self.output])?;
        let files = [self.input.clone()];
        let mut inputs = Inputs::new(&files, "convert")?;
        let start = Instant::now();
        let mut writer: Option<SampleWriter> = None;
        inputs.read(|samples, goes_on| {
            let mut writer_now = SampleWriter::create(&self.output, form)?;
            let mut failure = None;
            samples.in_parallel(
                self.threads.count(),
                |samples| samples,
                |samples, bytes| {
                    if let Err(error) = samples.iter().try_for_each(|sample| writer_now.write(sample)) {
                        failure = Some(error);
                    }
                    if failure.is_none() && goes_on(bytes) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                },
            )?;
            writer = Some(writer_now);
            failure.map_or(Ok(()), Err)
        })?;
        inputs.refuse_nothing(writer.as_ref().map_or(0, SampleWriter::count))?;
        let positions = writer.map_or(Ok(0), SampleWriter::finish)?;
        let seconds = start.elapsed().as_secs_f64();
        let is_whole = !interrupt::came();
        if self.json {
            outln!(
                "{}",
                json!({
                    "input": self.input, "output": self.output, "positions": positions, "seconds": seconds,
                    "bad_lines": inputs.bad_count(), "first_bad_lines": inputs.bad_objects(), "interrupted": !is_whole,
                })
            );
        } else {
            let how = if is_whole { "" } else { "Interrupted: " };
            outln!("{how}{} positions of {} are in {} ({seconds:.1} s).", grouped(positions), self.input, self.output);
            inputs.print_bad();
        }
        Ok(ExitCode::from(u8::from(!is_whole)))
    }
}
