//! The tuner on positions whose results are made from known weights.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use chess::{Position, Role};
use engine::terms::{MATERIAL, PIECE_SQUARE, TEMPO};
use engine::{Group, PARAM_COUNT, Score, Weights, evaluate, gauges};
use lab::ablation::{LossKind, self_play};
use lab::tune::{
    Anchor, Dataset, Finished, LoadSettings, Loader, Lot, Objective, Part, Rounding, Space, SpaceSettings,
    TrainSettings, Trainer, Training, TuneError, Values, centred, fit_scale, on_threads, round_in_steps, scaled,
    standard_errors, values_of,
};

/// A folder that is removed afterwards.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let folder = std::env::temp_dir().join(format!("marquetry-tune-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Scratch(folder)
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).unwrap();
    }
}

const SCALE: f64 = 1.2;

/// Positions whose results are what the weights foretell, without chance. Some have a score.
fn lines(weights: &Weights, games: usize) -> String {
    let positions = self_play(&Arc::new(Weights::load("handset").unwrap()), games, 40, 7).unwrap();
    let line = |(number, position): (usize, &Position)| {
        let value = f64::from(position.turn().fold_wb(1, -1) * evaluate(position, weights));
        let result = 1.0 / (1.0 + 10_f64.powf(-SCALE * value / 400.0));
        format!("{position} | {} | {result} | {}\n", if number % 3 == 0 { 50 } else { 0 }, number / 40)
    };
    positions.iter().enumerate().map(line).collect()
}

fn load(path: &str, start: &Weights, validation: f64) -> Dataset {
    load_for(path, start, &space(&[], &[], &[]), validation)
}

fn load_for(path: &str, start: &Weights, space: &Space, validation: f64) -> Dataset {
    let mut loader = Loader::new(start, space, LoadSettings { validation, threads: 2 }).unwrap();
    loader.add(path, Lot::Divided, |_| ControlFlow::Continue(())).unwrap();
    loader.finish().unwrap()
}

fn space(only: &[&str], freeze: &[&str], ties: &[&str]) -> Space {
    let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    let ties = ties.iter().map(|tie| tie.parse().unwrap()).collect();
    Space::new(&SpaceSettings { only: owned(only), freeze: owned(freeze), ties }).unwrap()
}

fn settings(epochs: u32) -> TrainSettings {
    TrainSettings { batch: 4096, rate: 2.0, epochs, patience: 3, seed: 5, l2: 0.0, smooth: 0.0 }
}

const SQUARED: Objective = Objective { kind: LossKind::Squared, scale: SCALE, lambda: 0.0 };

/// Tunes to the end.
fn tune(data: &mut Dataset, space: &Space, start: &Values, objective: Objective, settings: TrainSettings) -> Values {
    let mut trainer = Trainer::new(data, space, start, objective, settings).unwrap();
    while !trainer.is_over() {
        trainer.epoch(&mut || true).unwrap().unwrap();
    }
    trainer.best()
}

/// The weights with some numbers changed by chance.
fn disturbed(weights: &Weights, space: &Space, by: i32) -> Weights {
    let mut chance = fastrand::Rng::with_seed(11);
    let mut values = Box::new(*weights.values());
    for (param, value) in values.iter_mut().enumerate() {
        let mut change = |half| space.place(param, half).map_or(0, |_| chance.i32(-by..=by));
        *value += Score::new(change(0), change(1));
    }
    weights.with_values(values)
}

#[test]
fn weights_that_made_the_results_are_found_again() {
    let scratch = Scratch::new("recover");
    let truth = Weights::load("handset").unwrap();
    let path = scratch.file("data.txt", &lines(&truth, 250));
    let free = space(&["material", "pawns", "rooks", "king-safety", "imbalance", "tempo"], &["material.king"], &[]);
    let start = disturbed(&truth, &free, 40);
    for kind in [LossKind::Squared, LossKind::Logistic] {
        let mut data = load(&path, &start, 0.1);
        let objective = Objective { kind, ..SQUARED };
        let tuned = tune(&mut data, &free, &values_of(&start), objective, settings(300));
        for (param, (found, right)) in tuned.iter().zip(values_of(&truth)).enumerate() {
            // Evaluations are whole centipawns, and what is rarely seen is not known as well
            let most = if data.samples()[param] > 400 { 5.0 } else { 1000.0 };
            for half in 0..2 {
                let off = (found[half] - right[half]).abs();
                assert!(off < most, "{kind:?} {}: {found:?} {right:?}", engine::TermInfo::label(param));
            }
        }
        if kind == LossKind::Squared {
            assert!(data.loss(Part::Validation, &tuned, objective).unwrap() < 1e-6);
        }
    }
}

#[test]
fn all_weights_together_foretell_as_those_that_made_the_results() {
    let scratch = Scratch::new("all");
    let truth = Weights::load("default").unwrap();
    let path = scratch.file("data.txt", &lines(&truth, 150));
    // Some thousand positions say too little about as many weights of the tables by king and of pawns in pairs
    let free = space(&[], &["king-tables", "king-pawns", "pawn-pairs"], &[]);
    let start = disturbed(&truth, &free, 30);
    let mut data = load(&path, &start, 0.1);
    let before = data.loss(Part::Validation, &values_of(&start), SQUARED).unwrap();
    let tuned = tune(&mut data, &free, &values_of(&start), SQUARED, settings(150));
    let after = data.loss(Part::Validation, &tuned, SQUARED).unwrap();
    assert!(after < before / 10.0, "{before} {after}");
}

#[test]
fn rows_without_groups_that_cannot_matter_are_shorter_and_tune_to_the_same() {
    let scratch = Scratch::new("shorter");
    let truth = Weights::load("handset").unwrap();
    let path = scratch.file("data.txt", &lines(&truth, 40));
    let unused: Vec<&str> = Group::ALL.iter().filter(|&&group| !truth.uses(group)).map(|group| group.name()).collect();
    let free = space(&[], &unused, &[]);
    let start = disturbed(&truth, &free, 30);
    let (mut whole, mut short) = (load(&path, &start, 0.1), load_for(&path, &start, &free, 0.1));
    let coefficients = |data: &Dataset| data.size(Part::Training).coefficients;
    assert!(2 * coefficients(&short) < coefficients(&whole), "{} {}", coefficients(&short), coefficients(&whole));
    assert!(short.layout().slots.len() < whole.layout().slots.len());
    let tuned = |data: &mut Dataset| tune(data, &free, &values_of(&start), SQUARED, settings(10));
    assert_eq!(tuned(&mut whole), tuned(&mut short));
    // What counts is carried, frozen or not
    let mut material = load_for(&path, &start, &space(&["material"], &[], &[]), 0.1);
    let loss = |data: &mut Dataset| data.loss(Part::Training, &values_of(&start), SQUARED).unwrap();
    assert_eq!(loss(&mut material), loss(&mut whole));
}

#[test]
fn the_scale_that_made_the_results_is_found() {
    let scratch = Scratch::new("scale");
    let truth = Weights::load("default").unwrap();
    let data = load(&scratch.file("data.txt", &lines(&truth, 20)), &truth, 0.0);
    let scale = fit_scale(&data, &values_of(&truth), LossKind::Squared).unwrap();
    assert!((scale - SCALE).abs() < 2e-3, "{scale}");
    let nothing = vec![[0.0; 2]; PARAM_COUNT];
    assert!(matches!(fit_scale(&data, &nothing, LossKind::Squared), Err(TuneError::NoScale(_))));
}

#[test]
fn gradients_are_what_small_changes_do() {
    // The smaller, the fewer positions are on both sides of a kink
    const STEP: f64 = 0.03125;
    let scratch = Scratch::new("gradient");
    let truth = Weights::load("default").unwrap();
    let path = scratch.file("data.txt", &lines(&truth, 40));
    let mut data = load(&path, &truth, 0.0);
    let mut values = values_of(&disturbed(&truth, &space(&[], &[], &[]), 30));
    // Bright prospects jump where neither side is ahead: there is no slope
    for (param, halves) in values.iter_mut().enumerate() {
        if engine::TermInfo::of(param).channel == engine::Channel::Prospects {
            *halves = halves.map(|value| -value.abs());
        }
    }
    for (kind, lambda) in [(LossKind::Squared, 0.0), (LossKind::Logistic, 0.0), (LossKind::Squared, 0.3)] {
        let objective = Objective { kind, scale: 1.1, lambda };
        let (_, gradient) = data.full_gradient(&values, objective).unwrap();
        let steepest = gradient.iter().flatten().fold(0.0_f64, |most, slope| most.max(slope.abs()));
        for param in (0..PARAM_COUNT).filter(|&param| param < 6 || param % 17 == 0) {
            for half in 0..2 {
                let value = values[param][half];
                values[param][half] = value + STEP;
                let above = data.loss(Part::Training, &values, objective).unwrap();
                values[param][half] = value - STEP;
                let slope = (above - data.loss(Part::Training, &values, objective).unwrap()) / (2.0 * STEP);
                values[param][half] = value;
                let off = (slope - gradient[param][half]).abs();
                assert!(off < 2e-4 * steepest, "{param} {half}: {slope} {:?} of {steepest}", gradient[param]);
            }
        }
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let scratch = Scratch::new("threads");
    let truth = Weights::load("default").unwrap();
    let path = scratch.file("data.txt", &lines(&truth, 30));
    let free = space(&[], &[], &["mirror"]);
    let start = values_of(&disturbed(&truth, &space(&[], &[], &[]), 30));
    let run = |threads: usize| -> (f64, Training) {
        let mut loader = Loader::new(&truth, &space(&[], &[], &[]), LoadSettings { validation: 0.2, threads }).unwrap();
        loader.add(&path, Lot::Divided, |_| ControlFlow::Continue(())).unwrap();
        let mut data = loader.finish().unwrap();
        on_threads(threads, || {
            let scale = fit_scale(&data, &start, LossKind::Squared).unwrap();
            let mut trainer =
                Trainer::new(&mut data, &free, &start, Objective { scale, ..SQUARED }, settings(5)).unwrap();
            while !trainer.is_over() {
                trainer.epoch(&mut || true).unwrap().unwrap();
            }
            (scale, trainer.training().clone())
        })
        .unwrap()
    };
    let one = run(1);
    assert_eq!(one, run(2));
    assert_eq!(one, run(5));
}

#[test]
fn a_tuning_that_was_stopped_goes_on_to_the_same_bits() {
    let scratch = Scratch::new("resume");
    let truth = Weights::load("default").unwrap();
    let path = scratch.file("data.txt", &lines(&truth, 30));
    let free = space(&[], &["king-safety"], &[]);
    let start = values_of(&disturbed(&truth, &space(&[], &[], &[]), 30));
    let mut data = load(&path, &truth, 0.2);
    let options = TrainSettings { batch: 512, l2: 1e-5, smooth: 1e-5, ..settings(8) };
    let mut whole = Trainer::new(&mut data, &free, &start, SQUARED, options).unwrap();
    while !whole.is_over() {
        whole.epoch(&mut || true).unwrap().unwrap();
    }
    let whole = whole.training().clone();

    let file = scratch.0.join("checkpoint");
    let mut steps = 0;
    for stop in [1, 3, 4, 100] {
        let mut data = load(&path, &truth, 0.2);
        let mut trainer = Trainer::new(&mut data, &free, &start, SQUARED, options).unwrap();
        if file.exists() {
            trainer.go_on(Training::load(&file, "this").unwrap()).unwrap();
        }
        for _ in 0..stop {
            if trainer.is_over() {
                break;
            }
            trainer.epoch(&mut || true).unwrap().unwrap();
        }
        // A stop within an epoch leaves all as it was before it
        let before = trainer.training().clone();
        let mut patience = 2;
        let stopped = trainer.epoch(&mut || {
            patience -= 1;
            steps += 1;
            patience > 0
        });
        assert!(stopped.unwrap().is_none() && *trainer.training() == before);
        trainer.training().save(&file, "this").unwrap();
    }
    assert!(steps > 0);
    assert_eq!(Training::load(&file, "this").unwrap(), whole);
    assert!(matches!(Training::load(&file, "that"), Err(TuneError::OtherCheckpoint(_))));
    std::fs::write(&file, "{}").unwrap();
    assert!(matches!(Training::load(&file, "this"), Err(TuneError::NoCheckpoint(_))));
}

#[test]
fn frozen_weights_stay_and_tied_ones_stay_together() {
    let scratch = Scratch::new("ties");
    let truth = Weights::load("default").unwrap();
    let path = scratch.file("data.txt", &lines(&truth, 20));
    let start = values_of(&disturbed(&truth, &space(&[], &[], &[]), 30));
    let free = space(&["piece_square", "tempo", "material"], &["material.pawn.eg"], &["mirror", "mg=eg:tempo"]);
    let tuned = tune(&mut load(&path, &truth, 0.2), &free, &start, SQUARED, settings(6));
    let mut changed = 0;
    for (param, (tuned, start)) in tuned.iter().zip(&start).enumerate() {
        for half in 0..2 {
            if free.place(param, half).is_none() {
                assert_eq!(tuned[half].to_bits(), start[half].to_bits());
            } else {
                changed += u32::from(tuned[half] != start[half]);
            }
        }
    }
    assert!(changed > 300, "{changed}");
    let [mg, eg] = tuned[TEMPO.at(()).index()];
    assert_eq!(mg.to_bits(), eg.to_bits());
    for square in chess::Square::ALL {
        let at = |square| tuned[PIECE_SQUARE.at((Role::Rook, square)).index()];
        assert_eq!(at(square), at(square.flip_horizontal()));
    }
}

#[test]
fn weights_are_pulled_to_their_start_and_to_their_neighbours() {
    let scratch = Scratch::new("pull");
    let truth = Weights::load("default").unwrap();
    let path = scratch.file("data.txt", &lines(&truth, 20));
    let start = values_of(&disturbed(&truth, &space(&[], &[], &[]), 30));
    let free = space(&["piece_square"], &[], &[]);
    let run = |l2: f64, smooth: f64| {
        let options = TrainSettings { l2, smooth, ..settings(40) };
        tune(&mut load(&path, &truth, 0.0), &free, &start, SQUARED, options)
    };
    let distance = |values: &Values| -> f64 {
        values.iter().flatten().zip(start.iter().flatten()).map(|(a, b)| (a - b).powi(2)).sum()
    };
    let roughness = |values: &Values| -> f64 {
        let at = |square: u32| values[PIECE_SQUARE.at((Role::Knight, chess::Square::new(square))).index()];
        (0..56).map(|square| (at(square)[0] - at(square + 8)[0]).powi(2)).sum()
    };
    let plain = run(0.0, 0.0);
    assert!(distance(&run(1e-3, 0.0)) < 0.2 * distance(&plain));
    assert!(roughness(&run(0.0, 1e-3)) < 0.2 * roughness(&plain));
}

#[test]
fn finished_weights_are_centred_and_anchored_and_say_the_same() {
    let scratch = Scratch::new("finish");
    let truth = Weights::load("default").unwrap();
    let mut data = load(&scratch.file("data.txt", &lines(&truth, 20)), &truth, 0.0);
    let free = space(&[], &[], &[]);
    let values = values_of(&disturbed(&truth, &free, 25));
    let centred = centred(&values, &free, data.samples());
    // The mean of the seventh rank moves again with the pawns' table
    for gauge in gauges().into_iter().skip(2) {
        let seen: Vec<usize> = gauge.parts.into_iter().filter(|&part| data.samples()[part] > 0).collect();
        let sums = seen.iter().fold([0.0, 0.0], |[mg, eg], &part| [mg + centred[part][0], eg + centred[part][1]]);
        assert!(sums.iter().all(|sum: &f64| sum.abs() < 1e-9 * (1 + seen.len()) as f64), "{seen:?}");
    }
    let loss = data.loss(Part::Training, &values, SQUARED).unwrap();
    // Weights are counted in fractions, so that each of many terms is off by a little
    let difference = (data.loss(Part::Training, &centred, SQUARED).unwrap() - loss).abs();
    assert!(difference < 2e-7, "{difference:e}");

    let anchor: Anchor = "material.pawn.eg=140".parse().unwrap();
    let finished = Finished::new(&values, &free, data.samples(), Some(&anchor)).unwrap();
    assert_eq!(finished.exact[MATERIAL.at(Role::Pawn).index()][1], 140.0);
    let scaled = Objective { scale: SCALE / finished.factor, ..SQUARED };
    for (values, most) in [(&finished.exact, 1e-6), (&finished.rounded, 1e-3)] {
        let difference = (data.loss(Part::Training, values, scaled).unwrap() - loss).abs();
        assert!(difference < most, "{difference:e}");
    }
    let weights = finished.weights(&truth);
    assert_eq!(f64::from(weights.values()[MATERIAL.at(Role::Queen).index()].mg()), finished.rounded[4][0]);
    let mut nothing = values;
    nothing[MATERIAL.at(Role::Pawn).index()] = [0.0; 2];
    let bare = Finished::new(&nothing, &space(&["tempo"], &[], &[]), data.samples(), Some(&anchor));
    assert!(matches!(bare, Err(TuneError::NoAnchor { .. })));
    assert!("material.pawn=100".parse::<Anchor>().is_err() && "material.pawn.eg=x".parse::<Anchor>().is_err());
}

#[test]
fn rounding_in_steps_loses_less_than_rounding_at_once() {
    let scratch = Scratch::new("round");
    let truth = Weights::load("simplified").unwrap();
    let mut data = load(&scratch.file("data.txt", &lines(&truth, 100)), &truth, 0.1);
    let free = space(&["material", "piece_square"], &["material.king"], &[]);
    // Pawns of few units, so that rounding takes much away
    let anchor: Anchor = "material.pawn.eg=20".parse().unwrap();
    let values = values_of(&truth);
    let finished = Finished::new(&values, &free, data.samples(), Some(&anchor)).unwrap();
    let objective = Objective { scale: SCALE / finished.factor, ..SQUARED };
    let errors = standard_errors(&data, &free, &values, SQUARED, finished.factor).unwrap();
    let settings = TrainSettings { batch: 256, ..settings(1) };
    let start = scaled(&values, finished.factor);
    let rounding = Rounding { finished: &finished, errors: &errors, start: &start };
    let mut round = |goes_on: bool| {
        let goes_on = &mut || goes_on;
        round_in_steps(&mut data, &free, &rounding, objective, settings, goes_on).unwrap()
    };
    let rounded = round(true).unwrap();
    assert_eq!(round(true).as_ref(), Some(&rounded), "the same every time");
    assert_eq!(round(false), None, "it can be stopped");
    for (param, (halves, plain)) in rounded.iter().zip(&finished.rounded).enumerate() {
        for half in 0..2 {
            assert_eq!(halves[half], halves[half].round());
            assert!(free.place(param, half).is_some() || halves[half] == plain[half], "frozen ones stay");
        }
    }
    let mut loss = |values: &Values| data.loss(Part::Validation, values, objective).unwrap();
    let (exact, at_once, in_steps) = (loss(&finished.exact), loss(&finished.rounded), loss(&rounded));
    assert!(at_once > exact + 1e-5 && in_steps - exact < 0.8 * (at_once - exact), "{exact} {at_once} {in_steps}");
    assert_eq!(rounded[MATERIAL.at(Role::Pawn).index()][1], 20.0, "the anchor holds");
}

#[test]
fn validation_is_by_game_and_finished_games_and_bad_lines_are_left_out() {
    let scratch = Scratch::new("split");
    let truth = Weights::load("default").unwrap();
    let mut text = lines(&truth, 20);
    let positions = text.lines().count() as u64;
    text += "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1 [0.5]\nnonsense\n";
    let path = scratch.file("data.txt", &text);
    let mut loader = Loader::new(&truth, &space(&[], &[], &[]), LoadSettings { validation: 0.3, threads: 1 }).unwrap();
    loader.add(&path, Lot::Divided, |_| ControlFlow::Continue(())).unwrap();
    assert_eq!((loader.finished(), loader.bad_count(), loader.bad_lines().len()), (1, 1, 1));
    let data = loader.finish().unwrap();
    let (training, validation) = (data.size(Part::Training), data.size(Part::Validation));
    assert_eq!(training.rows + validation.rows, positions);
    // Games have forty lines, but for the last one
    assert!(validation.rows % 40 == 0 || training.rows % 40 == 0, "{training:?} {validation:?}");
    assert!((0.1..0.5).contains(&(validation.rows as f64 / positions as f64)));
    let bytes = training.bytes as f64;
    assert!(bytes < 5.0 * training.coefficients as f64 + 32.0 * training.rows as f64);

    let mut loader = Loader::new(&truth, &space(&[], &[], &[]), LoadSettings { validation: 0.0, threads: 1 }).unwrap();
    loader.add(&path, Lot::Validation, |_| ControlFlow::Continue(())).unwrap();
    assert!(matches!(loader.finish(), Err(TuneError::NoPositions(_))));
    let empty = scratch.file("empty.txt", "# nothing\n");
    let mut loader = Loader::new(&truth, &space(&[], &[], &[]), LoadSettings { validation: 0.1, threads: 1 }).unwrap();
    loader.add(&empty, Lot::Divided, |_| ControlFlow::Continue(())).unwrap();
    assert!(loader.finish().is_err_and(|error| error.to_string().starts_with("there are no positions")));
}
