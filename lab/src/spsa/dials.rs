//! What the names of parameters turn: numbers of the search, weights of the evaluation, options of another engine.

use std::collections::HashMap;

use chess::Role;
use engine::{CATALOG, PARAM_COUNT, ROLE_NAMES, Score, TUNABLES, TermInfo, Weights, WeightsError};
use thiserror::Error;

use super::parameter::{Kind, Parameter};
use crate::arena::Thinking;
use crate::tune::{TuneError, find_weights};

/// A weight may become so many times itself larger or smaller.
const SHARE: f64 = 0.5;
/// And by so much at least.
const LEAST_SPAN: i32 = 10;
/// Factors of many weights at once, in per cent: the most; then the range and the step if none are given, long enough for
/// weights that are whole numbers.
const MOST_FACTOR: i32 = 400;
const FACTORS: std::ops::RangeInclusive<i32> = 60..=140;
const FACTOR_STEP: f64 = 12.0;
/// What a piece can add to the phase's sum, which a file has in large units.
const MOST_PHASE: i32 = 1_000_000;

/// How parameters reach an engine, one dial for each.
#[derive(Clone, Debug)]
pub struct Dials {
    dials: Vec<Dial>,
    /// What turned weights are put into.
    base: Weights,
}

#[derive(Clone, Debug)]
enum Dial {
    /// A UCI option of the parameter's name.
    Option,
    /// One half of a weight.
    Weight { index: usize, is_endgame: bool },
    /// What a piece adds to the phase.
    Phase(Role),
    /// Halves of weights that are multiplied together, in per cent: twice the weight, one more for the endgame.
    Factor(Vec<usize>),
}

/// What the phase's weights go by among the terms.
const PHASE: &str = "phase";
/// What factors of groups, terms and their parts begin with.
const FACTOR: &str = "factor.";

/// Why there is nothing to turn.
#[derive(Clone, Debug, Error)]
pub enum DialError {
    /// There is no such number.
    #[error(
        "there is nothing called {name:?} to be tuned{}; `marquetry tunables` and `marquetry weights show` list what there is",
        meant.as_ref().map_or(String::new(), |meant| format!("; did you mean {meant}?"))
    )]
    Unknown {
        /// What was asked for.
        name: String,
        /// What is spelled most like it.
        meant: Option<String>,
    },
    /// No number of the search begins so.
    #[error("no number of the search begins with {0:?}; `marquetry tunables` lists them")]
    Nothing(String),
    /// A term without weights.
    #[error("{term} has no weight in {weights}, so that there is nothing to begin with")]
    Unused {
        /// The term.
        term: String,
        /// The weights.
        weights: String,
    },
    /// A range goes beyond what the engine takes.
    #[error("{name} may be {min} to {max} in the engine, and the range given goes beyond that")]
    Range {
        /// Which number.
        name: String,
        /// The least.
        min: i32,
        /// The most.
        max: i32,
    },
    /// A whole number is needed.
    #[error("{0} is a whole number: its kind must be int")]
    Float(String),
    /// Weights as large as they can become are too large together.
    #[error("at the ends of what is tried {0}")]
    Weights(#[from] WeightsError),
    /// Two numbers turn the same weight.
    #[error("{first} and {second} turn the same weight; tune one of them")]
    Overlap {
        /// One.
        first: String,
        /// The other.
        second: String,
    },
    /// A factor's step is lost in rounding.
    #[error(
        "a step of {step} per cent changes no weight of {name}, since weights are whole numbers; give it a longer one in --params"
    )]
    Idle {
        /// The factor.
        name: String,
        /// Its step.
        step: f64,
    },
}

impl Dials {
    /// Options of whatever engine.
    pub fn options_only(parameters: &[Parameter], base: Weights) -> Dials {
        Dials { dials: vec![Dial::Option; parameters.len()], base }
    }

    /// Numbers of our own search, and weights of our own evaluation that is otherwise as given. `is_screen`: they go no further
    /// than a step from where they begin.
    pub fn own(parameters: &[Parameter], base: Weights, is_screen: bool) -> Result<Dials, DialError> {
        let dials = parameters.iter().map(Dial::own).collect::<Result<_, _>>()?;
        let dials = Dials { dials, base };
        dials.check_overlaps(parameters)?;
        for (dial, parameter) in dials.dials.iter().zip(parameters) {
            let Dial::Factor(places) = dial else { continue };
            let is_told_apart = |&place: &usize| {
                let at = |value: f64| times(half(dials.base.values()[place / 2], place), value);
                at(parameter.start + parameter.c_end) != at(parameter.start - parameter.c_end)
            };
            if !places.iter().any(is_told_apart) {
                return Err(DialError::Idle { name: parameter.name.clone(), step: parameter.c_end });
            }
        }
        let extreme = |parameter: &Parameter| {
            let (min, max) = match is_screen {
                true => (parameter.start - parameter.c_end, parameter.start + parameter.c_end),
                false => (parameter.min, parameter.max),
            };
            if min.abs() > max.abs() { min.max(parameter.min) } else { max.min(parameter.max) }
        };
        if let Some(weights) = dials.weights(&parameters.iter().map(extreme).collect::<Vec<_>>()) {
            Weights::parse(&weights.to_toml(), weights.name())?;
        }
        Ok(dials)
    }

    /// Each half of a weight has one number that turns it.
    fn check_overlaps(&self, parameters: &[Parameter]) -> Result<(), DialError> {
        let mut turned = HashMap::new();
        for (dial, parameter) in self.dials.iter().zip(parameters) {
            let places = match dial {
                Dial::Option | Dial::Phase(_) => Vec::new(),
                Dial::Weight { index, is_endgame } => vec![2 * index + usize::from(*is_endgame)],
                Dial::Factor(places) => places.clone(),
            };
            for place in places {
                if let Some(first) = turned.insert(place, &parameter.name) {
                    return Err(DialError::Overlap { first: first.clone(), second: parameter.name.clone() });
                }
            }
        }
        Ok(())
    }

    /// The options that set these values, weights left out.
    pub fn options(&self, parameters: &[Parameter], values: &[f64]) -> Vec<(String, String)> {
        let numbers = self.dials.iter().zip(parameters).zip(values);
        let options = numbers.filter(|((dial, _), _)| matches!(dial, Dial::Option));
        options.map(|((_, parameter), value)| (parameter.name.clone(), parameter.write(*value))).collect()
    }

    /// Whether weights are among what is turned.
    pub fn has_weights(&self) -> bool {
        self.dials.iter().any(|dial| !matches!(dial, Dial::Option))
    }

    /// The weights with these values, if weights are turned at all.
    pub fn weights(&self, values: &[f64]) -> Option<Weights> {
        if !self.has_weights() {
            return None;
        }
        let mut scores: Box<[Score; PARAM_COUNT]> = Box::new(*self.base.values());
        let mut phase = *self.base.phase_model();
        for (dial, value) in self.dials.iter().zip(values) {
            let value = value.round() as i32;
            match *dial {
                Dial::Option | Dial::Factor(_) => (),
                Dial::Weight { index, is_endgame: false } => scores[index] = Score::new(value, scores[index].eg()),
                Dial::Weight { index, is_endgame: true } => scores[index] = Score::new(scores[index].mg(), value),
                Dial::Phase(role) => *phase.weights.get_mut(role) = value,
            }
        }
        for (dial, value) in self.dials.iter().zip(values) {
            let Dial::Factor(places) = dial else { continue };
            for &place in places {
                let score = &mut scores[place / 2];
                let turned = times(half(*score, place), *value);
                *score = if place % 2 == 0 { Score::new(turned, score.eg()) } else { Score::new(score.mg(), turned) };
            }
        }
        Some(self.base.with_values(scores).with_phase_model(phase))
    }
}

impl Dial {
    fn own(parameter: &Parameter) -> Result<Dial, DialError> {
        let name = &parameter.name;
        if parameter.kind == Kind::Float {
            return Err(DialError::Float(name.clone()));
        }
        let within = |min: i32, max: i32, dial: Dial| {
            let is_within = parameter.min >= min.into() && parameter.max <= max.into();
            if is_within { Ok(dial) } else { Err(DialError::Range { name: name.clone(), min, max }) }
        };
        if let Some(tunable) = TUNABLES.iter().find(|tunable| tunable.name == name) {
            return within(tunable.min, tunable.max, Dial::Option);
        }
        if name.starts_with(FACTOR) {
            return within(0, MOST_FACTOR, Dial::Factor(factor_places(name)?));
        }
        let is_phase = |role: &str| name.strip_prefix(PHASE).and_then(|rest| rest.strip_prefix('.')) == Some(role);
        if let Some(place) = ROLE_NAMES.iter().position(|role| is_phase(role)) {
            return within(-MOST_PHASE, MOST_PHASE, Dial::Phase(Role::ALL[place]));
        }
        let weight = (0..PARAM_COUNT).find_map(|index| {
            let half = name.strip_prefix(&TermInfo::label(index))?;
            let is_endgame = ["mg", "eg"].iter().position(|of| half.strip_prefix('.') == Some(of))? == 1;
            Some(Dial::Weight { index, is_endgame })
        });
        let weight = weight.ok_or_else(|| unknown(name, TUNABLES.iter().map(|tunable| tunable.name)))?;
        // What halves of a score can hold; the weights themselves have more to say
        within(-i32::from(i16::MAX), i16::MAX.into(), weight)
    }
}

/// Numbers of the search by their names; a name that ends with `*` stands for all that begin so.
pub fn tunables(names: &[String]) -> Result<Vec<Parameter>, DialError> {
    let mut found: Vec<Parameter> = Vec::new();
    for name in names {
        let start = name.strip_suffix('*');
        let is_meant = |tunable: &str| start.map_or(tunable == name, |start| tunable.starts_with(start));
        let mut meant = TUNABLES.iter().filter(|tunable| is_meant(tunable.name)).peekable();
        if meant.peek().is_none() {
            let all = TUNABLES.iter().map(|tunable| tunable.name);
            return Err(start.map_or_else(|| unknown(name, all), |start| DialError::Nothing(start.to_owned())));
        }
        let parameters = meant.map(|tunable| Parameter::int(tunable.name, tunable.default, tunable.min, tunable.max));
        for parameter in parameters {
            if found.iter().all(|other| other.name != parameter.name) {
                found.push(parameter);
            }
        }
    }
    Ok(found)
}

/// Both halves of all weights of these terms, those left out that are nothing in both; `phase` stands for what pieces add
/// to the phase, and `factor.` before a group, a term or a part of one for a factor of all its weights.
pub fn weights(terms: &[String], base: &Weights) -> Result<Vec<Parameter>, DialError> {
    let mut found: Vec<Parameter> = Vec::new();
    for name in terms {
        let of_term = match name.as_str() {
            PHASE => phase_parameters(base),
            name if name.starts_with(FACTOR) => factor_parameters(name, base)?,
            name => term_parameters(name, base)?,
        };
        if of_term.is_empty() {
            return Err(DialError::Unused { term: name.clone(), weights: base.name().to_owned() });
        }
        found.extend(
            of_term.into_iter().filter(|new| found.iter().all(|other| other.name != new.name)).collect::<Vec<_>>(),
        );
    }
    Ok(found)
}

fn term_parameters(name: &str, base: &Weights) -> Result<Vec<Parameter>, DialError> {
    let term = CATALOG.iter().find(|term| term.name == name);
    let term = term.ok_or_else(|| unknown(name, CATALOG.iter().map(|term| term.name).chain([PHASE])))?;
    let used = term.params().filter(|&index| base.values()[index] != Score::ZERO);
    let halves = used.flat_map(|index| {
        let (label, score) = (TermInfo::label(index), base.values()[index]);
        [("mg", score.mg()), ("eg", score.eg())].map(|(half, value)| spanned(&format!("{label}.{half}"), value))
    });
    Ok(halves.collect())
}

fn phase_parameters(base: &Weights) -> Vec<Parameter> {
    let weights =
        Role::ALL.into_iter().zip(ROLE_NAMES).map(|(role, name)| (name, *base.phase_model().weights.get(role)));
    weights.filter(|(_, value)| *value != 0).map(|(name, value)| spanned(&format!("{PHASE}.{name}"), value)).collect()
}

/// A factor for each half that has weights.
fn factor_parameters(name: &str, base: &Weights) -> Result<Vec<Parameter>, DialError> {
    let whole = name.strip_suffix(".mg").or(name.strip_suffix(".eg")).unwrap_or(name);
    let mut halves = vec![format!("{whole}.mg"), format!("{whole}.eg")];
    halves.retain(|half| whole == name || half == name);
    // Before its halves, so that a refusal says what was typed
    factor_places(name)?;
    let mut found = Vec::new();
    for name in halves {
        if factor_places(&name)?.iter().any(|&place| half(base.values()[place / 2], place) != 0) {
            let usual = Parameter::int(&name, 100, *FACTORS.start(), *FACTORS.end());
            found.push(Parameter { c_end: FACTOR_STEP, ..usual });
        }
    }
    Ok(found)
}

/// The half of a score that a place means.
fn half(score: Score, place: usize) -> i32 {
    if place.is_multiple_of(2) { score.mg() } else { score.eg() }
}

/// A weight by a factor in per cent, within what a score can hold.
fn times(weight: i32, factor: f64) -> i32 {
    let most = f64::from(i16::MAX);
    (f64::from(weight) * factor.round() / 100.0).round().clamp(-most, most) as i32
}

/// What a factor multiplies.
fn factor_places(name: &str) -> Result<Vec<usize>, DialError> {
    find_weights(name.strip_prefix(FACTOR).unwrap_or(name)).map_err(|error| {
        let nearest = if let TuneError::NoWeight { nearest, .. } = error { nearest } else { None };
        DialError::Unknown { name: name.to_owned(), meant: nearest.map(|nearest| format!("{FACTOR}{nearest}")) }
    })
}

/// A weight with a range that follows from its value.
fn spanned(name: &str, value: i32) -> Parameter {
    let span = ((SHARE * f64::from(value.abs())) as i32).max(LEAST_SPAN);
    Parameter::int(name, value, value - span, value + span)
}

/// Whether a number of our own search matters under a limit: those about time need a clock.
pub fn matters(name: &str, thinking: Thinking) -> bool {
    !name.starts_with("time_") || matches!(thinking, Thinking::Clock { .. })
}

fn unknown<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> DialError {
    let scored = known.map(|known| (strsim::jaro_winkler(name, known), known));
    let meant = scored.filter(|(score, _)| *score > 0.8).max_by(|a, b| a.0.total_cmp(&b.0));
    DialError::Unknown { name: name.to_owned(), meant: meant.map(|(_, known)| known.to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Group;

    fn names(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    fn default() -> Weights {
        Weights::load("handset").unwrap()
    }

    #[test]
    fn numbers_of_the_search_are_chosen_by_name_or_by_beginning() {
        let found = tunables(&names(&["razor_base", "rfp_*", "rfp_margin"])).unwrap();
        assert_eq!(found[0].name, "razor_base");
        assert!(found.len() > 3 && found[1..].iter().all(|parameter| parameter.name.starts_with("rfp_")));
        assert_eq!(tunables(&names(&["*"])).unwrap().len(), TUNABLES.len());
        let error = tunables(&names(&["rfp_marign"])).unwrap_err().to_string();
        assert!(error.contains("did you mean rfp_margin?"), "{error}");
        assert!(matches!(tunables(&names(&["zz*"])), Err(DialError::Nothing(_))));
        let dials = Dials::own(&found, default(), false).unwrap();
        assert!(!dials.has_weights() && dials.weights(&vec![0.0; found.len()]).is_none());
        assert_eq!(dials.options(&found, &vec![7.4; found.len()])[0], ("razor_base".to_owned(), "7".to_owned()));
    }

    #[test]
    fn weights_are_turned_half_by_half() {
        let base = default();
        let mut parameters = weights(&names(&["bishop_pair", "passed_pawn", "bishop_pair"]), &base).unwrap();
        parameters.extend(tunables(&names(&["rfp_margin"])).unwrap());
        assert_eq!((parameters[0].name.as_str(), parameters[1].name.as_str()), ("bishop_pair.mg", "bishop_pair.eg"));
        assert!(parameters.iter().any(|parameter| parameter.name == "passed_pawn.rank6.eg"));
        assert!(parameters.iter().all(|parameter| parameter.name != "passed_pawn.rank1.mg"), "no pawn stands there");
        let dials = Dials::own(&parameters, base.clone(), false).unwrap();
        let mut values: Vec<f64> = parameters.iter().map(|parameter| parameter.start).collect();
        assert_eq!(dials.weights(&values).unwrap(), base);
        values[1] += 3.6;
        let (turned, index) = (dials.weights(&values).unwrap(), engine::terms::BISHOP_PAIR.at(()).index());
        let was = base.values()[index];
        assert_eq!(turned.values()[index], Score::new(was.mg(), was.eg() + 4));
        assert_eq!(dials.options(&parameters, &values).len(), 1);
    }

    #[test]
    fn what_pieces_add_to_the_phase_is_turned_too() {
        let base = default();
        let parameters = weights(&names(&["phase"]), &base).unwrap();
        let told: Vec<&str> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        assert_eq!(told, ["phase.knight", "phase.bishop", "phase.rook", "phase.queen"]);
        let mut values: Vec<f64> = parameters.iter().map(|parameter| parameter.start).collect();
        values[3] -= 100.0;
        let turned = Dials::own(&parameters, base.clone(), false).unwrap().weights(&values).unwrap();
        assert_eq!(turned.phase_model().weights.queen, base.phase_model().weights.queen - 100);
        assert_eq!(turned.phase_model().weights.rook, base.phase_model().weights.rook);
        assert_eq!(turned.values(), base.values());
    }

    #[test]
    fn factors_multiply_groups_and_terms_by_halves() {
        let base = default();
        let named = |words: &[&str], base: &Weights| -> Vec<String> {
            weights(&names(words), base).unwrap().into_iter().map(|parameter| parameter.name).collect()
        };
        let default = Weights::load("default").unwrap();
        assert_eq!(named(&["factor.winnable"], &default), ["factor.winnable.eg"], "its middlegame is nothing");
        assert_eq!(named(&["factor.Threats"], &default), ["factor.Threats.mg", "factor.Threats.eg"]);
        let parameters =
            weights(&names(&["factor.king-safety.mg", "factor.rook_mobility.eg", "bishop_pair"]), &base).unwrap();
        let dials = Dials::own(&parameters, base.clone(), false).unwrap();
        let mut values: Vec<f64> = parameters.iter().map(|parameter| parameter.start).collect();
        assert_eq!(dials.weights(&values).unwrap(), base);
        (values[0], values[1]) = (150.0, 50.0);
        let turned = dials.weights(&values).unwrap();
        for (index, (after, before)) in turned.values().iter().zip(base.values()).enumerate() {
            let times = |weight: i32, factor: f64| (f64::from(weight) * factor).round() as i32;
            let term = TermInfo::of(index);
            let expected = match term.name {
                _ if term.group == Group::KingSafety => Score::new(times(before.mg(), 1.5), before.eg()),
                "rook_mobility" => Score::new(before.mg(), times(before.eg(), 0.5)),
                _ => *before,
            };
            assert_eq!(*after, expected, "{}", TermInfo::label(index));
        }
    }

    #[test]
    fn all_groups_but_the_pieces_can_be_screened_at_once() {
        let base = Weights::load("default").unwrap();
        // Of the tempo's endgame, -2, a step changes nothing
        let is_left_out = |group: Group| matches!(group, Group::Pieces | Group::Initiative);
        let groups = Group::ALL.iter().filter(|&&group| !is_left_out(group) && base.uses(group));
        let factors: Vec<String> = groups.map(|group| format!("{FACTOR}{}", group.name())).collect();
        let parameters = weights(&factors, &base).unwrap();
        assert!(parameters.len() > 20, "{}", parameters.len());
        let refused = Dials::own(&parameters, base.clone(), false).unwrap_err();
        assert!(matches!(refused, DialError::Weights(_)), "{refused}");
        let told = Dials::own(&parameters, base, true);
        assert!(told.is_ok(), "{told:?}");
    }

    #[test]
    fn what_cannot_be_turned_is_told() {
        let read =
            |line: &str| Dials::own(&crate::spsa::read_lines(line).unwrap(), default(), false).unwrap_err().to_string();
        assert!(read("rfp_margn, int, 1, 0, 2").contains("did you mean rfp_margin?"));
        assert!(read("rfp_margin, int, 70, 0, 100").contains("may be 30 to 160"));
        assert!(read("rfp_margin, float, 70, 40, 100").contains("must be int"));
        assert!(read("passed_pawn.rank9.mg, int, 0, 0, 9").contains("nothing called"));
        assert!(read("factor.mobilty.mg, int, 100, 50, 150").contains("did you mean factor.Mobility?"));
        assert!(read("factor.mobility.mg, int, 100, 50, 500").contains("may be 0 to 400"));
        assert!(read("factor.tempo.mg, int, 100, 90, 110, 1, 0.002").contains("changes no weight of factor.tempo.mg"));
        let twice = "factor.mobility.mg, int, 100, 50, 150\nfactor.knight_mobility.mg, int, 100, 50, 150";
        assert!(read(twice).contains("turn the same weight"));
        assert!(read("tempo.mg, int, 10, 0, 20\nfactor.tempo.mg, int, 100, 50, 150").contains("turn the same weight"));
        assert!(read("passed_pawn.rank3, int, 0, 0, 9").contains("nothing called"));
        assert!(read("material.queen.eg, int, 900, 0, 4000").contains("too large together"));
        assert!(read("material.queen.eg, int, 900, 0, 40000").contains("may be -32767 to 32767"));
        assert!(weights(&names(&["pased_pawn"]), &default()).unwrap_err().to_string().contains("passed_pawn?"));
        let material = Weights::load("material").unwrap();
        assert!(matches!(weights(&names(&["bishop_pair"]), &material), Err(DialError::Unused { .. })));
    }

    #[test]
    fn numbers_about_time_need_a_clock() {
        assert!(!matters("time_moves", Thinking::Nodes(100)) && matters("rfp_margin", Thinking::Nodes(100)));
        assert!(matters("time_moves", Thinking::read("tc", "1+0.01").unwrap()));
    }
}
