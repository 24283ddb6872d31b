//! `marquetry tune`: weights that foretell the results of games best.

mod bench;
mod display;
mod options;
mod record;
mod report;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, bail};
use engine::Weights;
use lab::files::{check_apart, check_writable};
use lab::tune::{
    Cache, Dataset, Epoch, Finished, LoadSettings, Loader, Lot, Objective, Part, Rounding, Space, Trainer, Training,
    Values, fit_scale, on_threads, round_in_steps, scaled, standard_errors, values_of,
};
use serde_json::json;

pub(crate) use options::Tune;
use options::Validation;
use record::Record;
use report::Report;

use crate::interrupt;
use crate::output::{errln, outln};
use crate::progress::Progress;

/// What a tuning came to.
struct Tuned {
    objective: Objective,
    epochs: Vec<Epoch>,
    best: Values,
    /// Whether it came to its end.
    is_over: bool,
}

impl Tuned {
    /// The number of the last epoch.
    fn epoch(&self) -> usize {
        self.epochs.len() - 1
    }
}

/// What was read.
struct Loaded {
    data: Dataset,
    finished: u64,
    bad_count: u64,
    seconds: f64,
}

impl Tune {
    /// Reads, tunes, writes and tells.
    pub(crate) fn run(self) -> Result<ExitCode> {
        let tune = self.resumed()?;
        if tune.bench {
            return tune.bench();
        }
        interrupt::listen()?;
        tune.check_apart()?;
        let start = Weights::load(&tune.weights)?;
        let space = tune.space_of(&start)?;
        let hashes = tune.hashes()?;
        let identity = tune.identity(&start, &hashes);
        // Before hours of work: can the result be written, and is the checkpoint there?
        let before = tune.resume.map(|_| Training::load(&tune.checkpoint(), &identity)).transpose()?;
        tune.written().iter().try_for_each(|path| check_writable(path))?;

        let Some(mut loaded) = tune.load(&start, &space, tune.cache(&start, &hashes))? else {
            bail!("interrupted while reading; nothing was tuned");
        };
        if !tune.json {
            tune.tell_data(&loaded);
        }
        let mut record = tune.record()?;
        let tuned = on_threads(tune.threads(), || {
            tune.descend(&mut loaded.data, &space, &start, before, &mut record, &identity)
        });
        let tuned = tuned.map_err(anyhow::Error::from).flatten().inspect_err(|error| record.fail(error))?;
        if !tuned.is_over {
            record.stop(&tuned)?;
            tune.tell_stop(&format!("after epoch {}", tuned.epoch()), &tuned, &record);
            return Ok(ExitCode::from(1));
        }
        let report = tune.conclude(&start, &space, &mut loaded, &tuned, &mut record);
        let Some(report) = report.inspect_err(|error| record.fail(error))? else {
            record.stop(&tuned)?;
            tune.tell_stop("while rounding", &tuned, &record);
            return Ok(ExitCode::from(1));
        };
        report.write(&tune, &hashes).inspect_err(|error| record.fail(error))?;
        record.finish(&report)?;
        if !tune.no_store {
            std::fs::remove_file(tune.checkpoint()).ok();
        }
        if tune.json {
            let mut object = report.object(&tune, record.run());
            object["is_finished"] = true.into();
            outln!("{object}");
        } else {
            report.print(&tune);
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Says that the tuning was stopped, and how it goes on.
    fn tell_stop(&self, when: &str, tuned: &Tuned, record: &Record) {
        if self.json {
            outln!("{}", json!({ "run": record.run(), "epochs": tuned.epoch(), "is_finished": false }));
        } else {
            outln!("Stopped {when}.{}", self.hint(record));
        }
    }

    /// Rounds what was tuned; none if Ctrl-C or a request came.
    fn conclude(
        &self,
        start: &Weights,
        space: &Space,
        loaded: &mut Loaded,
        tuned: &Tuned,
        record: &mut Record,
    ) -> Result<Option<Report>> {
        let mut finished = Finished::new(&tuned.best, space, loaded.data.samples(), self.anchor.as_ref())?;
        let after = finished.objective(tuned.objective);
        on_threads(self.threads(), || {
            let data = &mut loaded.data;
            let errors = standard_errors(data, space, &tuned.best, tuned.objective, finished.factor)?;
            if !self.json {
                outln!("Rounding, the surest first.");
            }
            let begun = scaled(&values_of(start), finished.factor);
            let rounding = Rounding { finished: &finished, errors: &errors, start: &begun };
            let goes_on = &mut || !interrupt::came() && record.goes_on();
            match round_in_steps(data, space, &rounding, after, self.train(), goes_on)? {
                Some(rounded) => finished.rounded = rounded,
                None if record.run().is_some() => return Ok(None),
                // A run that cannot be resumed: rounded each for itself, nothing is lost
                None => (),
            }
            Report::new(self, start, space, loaded, tuned, &finished, errors).map(Some)
        })?
    }

    /// Reads all files; none if Ctrl-C came.
    fn load(&self, start: &Weights, space: &Space, cache: Option<Cache>) -> Result<Option<Loaded>> {
        let share = match &self.validation {
            Validation::Share(share) => *share,
            Validation::File(_) => 0.0,
        };
        let began = Instant::now();
        if let Some((data, finished, bad_count)) =
            cache.as_ref().map_or(Ok(None), |cache| Loader::from_cache(start, space, cache))?
        {
            return Ok(Some(Loaded { data, finished, bad_count, seconds: began.elapsed().as_secs_f64() }));
        }
        let mut loader = Loader::new(start, space, LoadSettings { validation: share, threads: self.threads() })?;
        if let Some(cache) = cache {
            loader = loader.with_cache(cache)?;
        }
        let mut files: Vec<(&str, Lot)> = self.data.iter().map(|path| (path.as_str(), Lot::Divided)).collect();
        if let Validation::File(path) = &self.validation {
            files.push((path, Lot::Validation));
        }
        let size = |path: &str| std::fs::metadata(path).map_or(0, |metadata| metadata.len());
        let all: u64 = files.iter().map(|(path, _)| size(path)).sum();
        let progress = Progress::new("reading");
        let mut before = 0;
        for (path, lot) in files {
            loader.add(path, lot, |bytes| {
                progress.update(before + bytes, all);
                if interrupt::came() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })?;
            if interrupt::came() {
                return Ok(None);
            }
            before += size(path);
        }
        drop(progress);
        for (file, bad) in loader.bad_lines() {
            errln!("{file}, line {}: {}", bad.line, bad.error);
        }
        let (finished, bad_count) = (loader.finished(), loader.bad_count());
        let data = loader.finish()?;
        Ok(Some(Loaded { data, finished, bad_count, seconds: began.elapsed().as_secs_f64() }))
    }

    fn tell_data(&self, loaded: &Loaded) {
        let (training, validation) = (loaded.data.size(Part::Training), loaded.data.size(Part::Validation));
        let rows = training.rows + validation.rows;
        let each = |number: u64| number as f64 / rows as f64;
        outln!(
            "{} positions for training and {} for validation, read in {:.1} s ({:.2} million a second): {:.1} coefficients and {:.0} bytes each.",
            training.rows,
            validation.rows,
            loaded.seconds,
            rows as f64 / loaded.seconds / 1e6,
            each(training.coefficients + validation.coefficients),
            each(training.bytes + validation.bytes)
        );
        if loaded.bad_count + loaded.finished > 0 {
            outln!("Left out: {} lines, {} positions whose game is over.", loaded.bad_count, loaded.finished);
        }
    }

    /// Fits the scale and goes downhill until nothing improves, or Ctrl-C or a request comes.
    fn descend(
        &self,
        data: &mut Dataset,
        space: &Space,
        start: &Weights,
        before: Option<Training>,
        record: &mut Record,
        identity: &str,
    ) -> Result<Tuned> {
        let values = values_of(start);
        let kind = self.loss.kind();
        let scale = match self.k {
            Some(scale) => scale,
            None => fit_scale(data, &values, kind)?,
        };
        let objective = Objective { kind, scale, lambda: self.lambda };
        if !self.json {
            let how = if self.k.is_some() { "fixed" } else { "fitted to the start weights" };
            outln!("{} free numbers; K = {scale:.4}, {how}.", space.numbers());
        }
        let rows = data.size(Part::Training).rows;
        let mut trainer = Trainer::new(data, space, &values, objective, self.train())?;
        if let Some(before) = before {
            trainer.go_on(before)?;
        }
        let mut display = display::Display::new(self.epochs, rows, self.json);
        let mut saved = Instant::now();
        display.show(trainer.epochs());
        record.keep(trainer.epochs())?;
        record.keep_values(trainer.epochs(), space, &trainer.values())?;
        while !trainer.is_over() && trainer.epoch(&mut || !interrupt::came() && record.goes_on())?.is_some() {
            display.show(trainer.epochs());
            record.keep(&trainer.epochs()[trainer.epochs().len() - 1..])?;
            record.keep_values(trainer.epochs(), space, &trainer.values())?;
            if saved.elapsed().as_secs_f64() > options::SAVE_SECONDS {
                self.save(trainer.training(), identity)?;
                saved = Instant::now();
            }
        }
        // Also at the end: rounding can be stopped, too
        self.save(trainer.training(), identity)?;
        let is_over = trainer.is_over();
        Ok(Tuned { objective, epochs: trainer.epochs().to_vec(), best: trainer.best(), is_over })
    }

    /// Keeps the descent, if it can be gone on with.
    fn save(&self, training: &Training, identity: &str) -> Result<()> {
        if !self.no_store {
            training.save(&self.checkpoint(), identity)?;
        }
        Ok(())
    }

    /// Where the descent is kept while it goes.
    fn checkpoint(&self) -> PathBuf {
        self.checkpoint.clone().unwrap_or_else(|| self.output_with(".checkpoint"))
    }

    /// The output's name with another ending behind it.
    fn output_with(&self, ending: &str) -> PathBuf {
        let mut name = self.output.as_os_str().to_owned();
        name.push(ending);
        name.into()
    }

    /// The files that are written.
    fn written(&self) -> Vec<PathBuf> {
        let mut files = vec![self.output.clone()];
        files.extend([".report.json", ".refused"].map(|ending| self.output_with(ending)));
        files.extend(if self.no_store { self.checkpoint.clone() } else { Some(self.checkpoint()) });
        files.extend(self.cache_file().map(Path::to_owned));
        files
    }

    /// Refuses to write over what is read, and to write two things to one file.
    fn check_apart(&self) -> Result<()> {
        let mut read: Vec<&str> = self.data.iter().map(String::as_str).collect();
        read.push(&self.weights);
        if let Validation::File(path) = &self.validation {
            read.push(path);
        }
        Ok(check_apart(&read, &self.written())?)
    }
}
