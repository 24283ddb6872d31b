//! Parts of the evaluation that can be switched off: groups of terms, or single terms.

use engine::{CATALOG, Group, Score, TermInfo, Weights, terms::MATERIAL};
use thiserror::Error;

/// Something that is switched off as a whole.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its name, as users write it: `king-safety`, or a term's `pawn_shield`.
    pub name: String,
    /// What belongs to it. Material never does.
    pub terms: Vec<&'static TermInfo>,
}

/// Why a part cannot be switched off.
#[derive(Clone, Eq, PartialEq, Debug, Error)]
pub enum PartError {
    /// There is no such part.
    #[error("there is no {0:?} to switch off; there are {1}")]
    Unknown(String, String),
    /// Material stays.
    #[error("material is not switched off: without it the others have nothing to be measured against")]
    Material,
    /// It says nothing in these weights.
    #[error("{0} has no weight in {1}, so that there is nothing to switch off")]
    Unused(String, String),
    /// Nothing but material.
    #[error("{0} has nothing but material, so that there is nothing to switch off")]
    Nothing(String),
}

impl Part {
    /// The groups of these names; all that have a weight if no name is given. An error if there is none. The group of the
    /// pieces is their tables alone.
    pub fn named_groups(names: &[String], weights: &Weights) -> Result<Vec<Part>, PartError> {
        named(names, all_groups(), weights)
    }

    /// The terms of these names; all that have a weight if no name is given. An error if there is none.
    pub fn named_terms(names: &[String], weights: &Weights) -> Result<Vec<Part>, PartError> {
        named(names, all_terms(), weights)
    }

    /// Whether it has a weight.
    pub fn is_used(&self, weights: &Weights) -> bool {
        self.used_params(weights) > 0
    }

    /// How many of its weights are not zero.
    pub fn used_params(&self, weights: &Weights) -> usize {
        self.params().filter(|&index| weights.values()[index] != Score::ZERO).count()
    }

    /// The weights without it.
    pub fn without(&self, weights: &Weights) -> Weights {
        let mut values = Box::new(*weights.values());
        for index in self.params() {
            values[index] = Score::ZERO;
        }
        weights.with_values(values)
    }

    fn params(&self) -> impl Iterator<Item = usize> {
        self.terms.iter().flat_map(|term| term.params())
    }
}

fn named(names: &[String], all: Vec<Part>, weights: &Weights) -> Result<Vec<Part>, PartError> {
    if names.is_empty() {
        let used: Vec<Part> = all.into_iter().filter(|part| part.is_used(weights)).collect();
        return if used.is_empty() { Err(PartError::Nothing(weights.name().to_owned())) } else { Ok(used) };
    }
    let mut found: Vec<Part> = Vec::new();
    for name in names {
        let part =
            all.iter().find(|part| plain(&part.name) == plain(name)).ok_or_else(|| match plain(name).as_str() {
                "material" => PartError::Material,
                _ => {
                    let known: Vec<&str> = all.iter().map(|part| part.name.as_str()).collect();
                    PartError::Unknown(name.clone(), known.join(", "))
                }
            })?;
        if !part.is_used(weights) {
            return Err(PartError::Unused(part.name.clone(), weights.name().to_owned()));
        }
        if found.iter().all(|other| other.name != part.name) {
            found.push(part.clone());
        }
    }
    Ok(found)
}

/// A name without what people write differently.
fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase()
}

fn is_material(term: &TermInfo) -> bool {
    term.params().contains(&MATERIAL.at(chess::Role::Pawn).index())
}

fn all_terms() -> Vec<Part> {
    let terms = CATALOG.iter().filter(|term| !is_material(term));
    terms.map(|term| Part { name: term.name.to_owned(), terms: vec![term] }).collect()
}

fn all_groups() -> Vec<Part> {
    let part = |&group: &Group| {
        let terms: Vec<_> = CATALOG.iter().filter(|term| term.group == group && !is_material(term)).collect();
        // What is left of a group without material goes by the term's own name
        let is_whole = terms.len() == CATALOG.iter().filter(|term| term.group == group).count();
        let name = if is_whole { hyphenated(group.name()) } else { terms.first()?.name.replace('_', "-") };
        (!terms.is_empty()).then_some(Part { name, terms })
    };
    Group::ALL.iter().filter_map(part).collect()
}

/// `KingSafety` as `king-safety`.
fn hyphenated(name: &str) -> String {
    let mut text = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !text.is_empty() {
            text.push('-');
        }
        text.extend(letter.to_lowercase());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(parts: &[Part]) -> Vec<&str> {
        parts.iter().map(|part| part.name.as_str()).collect()
    }

    fn words(text: &str) -> Vec<String> {
        text.split(',').map(str::to_owned).collect()
    }

    #[test]
    fn parts_are_what_has_weight_and_is_not_material() {
        let default = Weights::load("handset").unwrap();
        let groups = Part::named_groups(&[], &default).unwrap();
        assert!(names(&groups).contains(&"piece-square") && names(&groups).contains(&"king-safety"));
        assert!(Part::named_terms(&[], &default).unwrap().iter().all(|part| part.name != "material"));
        assert_eq!(names(&Part::named_groups(&[], &Weights::load("seajay").unwrap()).unwrap()), ["piece-square"]);
        let material = Weights::load("material").unwrap();
        assert_eq!(Part::named_groups(&[], &material).unwrap_err(), PartError::Nothing("material".to_owned()));
    }

    #[test]
    fn names_are_taken_as_people_write_them() {
        let default = Weights::load("handset").unwrap();
        let found = Part::named_groups(&words("KingSafety,mobility,king_safety"), &default).unwrap();
        assert_eq!(names(&found), ["king-safety", "mobility"]);
        assert_eq!(Part::named_terms(&words("material"), &default).unwrap_err(), PartError::Material);
        assert!(matches!(Part::named_groups(&words("kings"), &default), Err(PartError::Unknown(..))));
        let seajay = Weights::load("seajay").unwrap();
        assert!(matches!(Part::named_groups(&words("mobility"), &seajay), Err(PartError::Unused(..))));
    }

    #[test]
    fn without_a_part_its_weights_are_zero_and_the_others_stay() {
        let default = Weights::load("handset").unwrap();
        for part in Part::named_groups(&[], &default).unwrap().iter().chain(&Part::named_terms(&[], &default).unwrap())
        {
            let without = part.without(&default);
            for (index, (after, before)) in without.values().iter().zip(default.values()).enumerate() {
                let is_off = part.terms.iter().any(|term| term.params().contains(&index));
                assert_eq!(*after, if is_off { Score::ZERO } else { *before }, "{}", TermInfo::label(index));
            }
        }
    }
}
