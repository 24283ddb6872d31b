//! An engine: weights, numbers of the search, options, endgame tables and memory, all its own. Several live side by side
//! in one program; UCI is one way to talk to one, a game inside the program another.

use std::sync::Arc;

use chess::{Position, Trail};

use crate::options::{DEFAULT_HASH, OptionInfo, Setting, Settings};
use crate::{Limits, Memory, Report, Signal, Tablebases, Task, Tunables, Weights, search};

/// An engine that can be set up and asked.
pub struct Engine {
    pub(crate) weights: Arc<Weights>,
    pub(crate) settings: Settings,
    pub(crate) tablebases: Option<Arc<Tablebases>>,
    tunables: Arc<Tunables>,
    hash: usize,
    /// None while a search has it.
    pub(crate) memory: Option<Memory>,
}

impl Engine {
    /// An engine with the default weights and options; none if there is no memory for it.
    pub fn new() -> Option<Engine> {
        Some(Engine {
            weights: Arc::new(Weights::load("default").expect("the default weights are sound")),
            settings: Settings::default(),
            tablebases: None,
            tunables: Arc::new(Tunables::default()),
            hash: DEFAULT_HASH,
            memory: Some(Memory::new(DEFAULT_HASH)?),
        })
    }

    /// Whether a UCI option can be set to a value as it is given; if not, why. The search's numbers are options too.
    pub fn check_option(name: &str, value: &str) -> Result<(), String> {
        let option = OptionInfo::find(name).ok_or_else(|| format!("there is no option {name:?}"))?;
        let (_, word) = option.read(value)?;
        word.map_or(Ok(()), Err)
    }

    /// Sets a UCI option, as `setoption` does, and returns remarks about it. An error if there is no such option or value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<Vec<String>, String> {
        let option = OptionInfo::find(name).ok_or_else(|| format!("there is no option {name:?}"))?;
        let (setting, word) = option.read(value)?;
        Ok(word.into_iter().chain(self.apply(option.name, setting)).collect())
    }

    /// Forgets everything that was searched, and returns remarks about it.
    pub fn new_game(&mut self) -> Vec<String> {
        let cleared = match self.memory.take() {
            Some(memory) => memory.cleared(),
            None => Memory::new(self.hash),
        };
        if cleared.is_some() {
            self.memory = cleared;
            return Vec::new();
        }
        // A table of the default size if there is no memory for the one that was set
        let remark = format!("{} MB of memory cannot be had; Hash is {DEFAULT_HASH} MB again", self.hash);
        self.hash = DEFAULT_HASH;
        self.memory = Memory::new(self.hash);
        vec![remark]
    }

    /// Searches on the calling thread, which needs [`STACK`](crate::STACK) bytes of stack, as `go` does: at limited
    /// strength if the options say so. None if there is no legal move or no memory.
    pub fn search(&mut self, task: Task, signal: &Signal, show: &mut dyn FnMut(&Report)) -> Option<Report> {
        let memory = self.memory.as_mut()?;
        seek(task, &self.settings, memory, signal, show)
    }

    /// A position as something to search.
    pub fn task(&self, position: &Position, trail: &Trail, limits: Limits) -> Task {
        Task {
            position: *position,
            trail: trail.clone(),
            weights: self.weights.clone(),
            tunables: self.tunables.clone(),
            limits,
            overhead: self.settings.overhead,
            threads: self.settings.threads,
            multi_pv: self.settings.multi_pv,
            tablebases: self.tablebases.clone(),
        }
    }

    /// Takes a setting over and returns remarks about it.
    pub(crate) fn apply(&mut self, name: &str, setting: Setting) -> Vec<String> {
        self.settings.apply(name, &setting);
        match (name, setting) {
            ("Hash", Setting::Number(megabytes)) => self.resize(megabytes as usize),
            ("Clear Hash", Setting::Pressed) => self.new_game(),
            ("EvalFile", Setting::Text(name)) => self.load_weights(&name),
            ("SyzygyPath", Setting::Text(paths)) => self.open_tablebases(&paths),
            ("UsePSTInterpolation", Setting::Switch(on)) => {
                Arc::make_mut(&mut self.weights).set_interpolation(on);
                self.new_game()
            }
            (name, Setting::Number(number)) => {
                if let Some(tunable) = Arc::make_mut(&mut self.tunables).get_mut(name) {
                    *tunable = number as i32;
                }
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    /// Loads a preset or a file; on an error the weights stay as they were.
    pub(crate) fn load_weights(&mut self, name: &str) -> Vec<String> {
        match Weights::load(name) {
            Ok(weights) => {
                self.weights = Arc::new(weights);
                self.new_game()
            }
            Err(error) => vec![format!("EvalFile {error}; the weights stay {}", self.weights.name())],
        }
    }

    /// A fresh table of another size; the old one stays if there is no memory for it.
    fn resize(&mut self, megabytes: usize) -> Vec<String> {
        let Some(memory) = Memory::new(megabytes) else {
            return vec![format!("{megabytes} MB of memory cannot be had; Hash stays {} MB", self.hash)];
        };
        self.hash = megabytes;
        self.memory = Some(memory);
        Vec::new()
    }

    /// Opens endgame tables and says what was found and what cannot be used.
    fn open_tablebases(&mut self, paths: &str) -> Vec<String> {
        let (tables, mut remarks) = Tablebases::open(paths);
        if !tables.is_empty() {
            let (files, largest) = (tables.file_count(), tables.largest());
            remarks.push(format!("SyzygyPath has {files} tables of up to {largest} pieces"));
        }
        self.tablebases = (!tables.is_empty()).then(|| Arc::new(tables));
        remarks
    }
}

/// Searches as strongly as the settings say.
pub(crate) fn seek(
    task: Task,
    settings: &Settings,
    memory: &mut Memory,
    signal: &Signal,
    show: &mut dyn FnMut(&Report),
) -> Option<Report> {
    match settings.strength() {
        Some(strength) => strength.search(task, memory, signal, &mut fastrand::Rng::new(), show),
        None => search(&task, memory, signal, show),
    }
}
