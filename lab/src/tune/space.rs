//! Which weights change: free ones, frozen ones, and ties between them.

use std::collections::HashMap;
use std::str::FromStr;

use engine::{CATALOG, Group, PARAM_COUNT, Shape, TermInfo};

use super::Values;
use super::error::TuneError;

/// Weights that share one number.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum Tie {
    /// Tables are the same on the left and on the right: these, or all.
    Mirror(Option<String>),
    /// Middlegame and endgame of these are the same.
    Halves(String),
}

impl FromStr for Tie {
    type Err = TuneError;

    /// Reads `mirror`, `mirror:piece_square.king` or `mg=eg:tempo`.
    fn from_str(text: &str) -> Result<Tie, TuneError> {
        match text.split_once(':') {
            None if text == "mirror" => Ok(Tie::Mirror(None)),
            Some(("mirror", name)) => Ok(Tie::Mirror(Some(name.to_owned()))),
            Some(("mg=eg", name)) => Ok(Tie::Halves(name.to_owned())),
            _ => Err(TuneError::NoTie(text.to_owned())),
        }
    }
}

/// What is free.
#[derive(Clone, Debug, Default)]
pub struct SpaceSettings {
    /// These alone; all if there is none.
    pub only: Vec<String>,
    /// But not these.
    pub freeze: Vec<String>,
    /// What shares one number.
    pub ties: Vec<Tie>,
}

/// The free numbers behind weights.
#[derive(Clone, Debug)]
pub struct Space {
    /// By weight and half: which number it is.
    places: Vec<[Option<usize>; 2]>,
    len: usize,
}

impl Space {
    /// Finds out what is free.
    pub fn new(settings: &SpaceSettings) -> Result<Space, TuneError> {
        let mut free = vec![settings.only.is_empty(); 2 * PARAM_COUNT];
        for (names, is_free) in [(&settings.only, true), (&settings.freeze, false)] {
            for name in names {
                find(name)?.into_iter().for_each(|place| free[place] = is_free);
            }
        }
        // Each place points to one that it is tied to, or to itself
        let mut leaders: Vec<usize> = (0..free.len()).collect();
        for tie in &settings.ties {
            for (a, b) in tied(tie)? {
                let (a, b) = (leader(&leaders, a), leader(&leaders, b));
                leaders[a.max(b)] = a.min(b);
            }
        }
        for place in 0..free.len() {
            let first = leader(&leaders, place);
            free[first] &= free[place];
        }
        let mut numbers = HashMap::new();
        let mut place_of = |place: usize| {
            let first = leader(&leaders, place);
            let next = numbers.len();
            free[first].then(|| *numbers.entry(first).or_insert(next))
        };
        let places = (0..PARAM_COUNT).map(|param| [place_of(2 * param), place_of(2 * param + 1)]).collect();
        let len = numbers.len();
        if len == 0 { Err(TuneError::NothingFree) } else { Ok(Space { places, len }) }
    }

    /// How many free numbers there are.
    pub fn numbers(&self) -> usize {
        self.len
    }

    /// The same with some numbers frozen; none if all are.
    pub(super) fn without(&self, is_frozen: &[bool]) -> Option<Space> {
        let mut len = 0;
        let numbers: Vec<Option<usize>> = is_frozen
            .iter()
            .map(|is_frozen| {
                let place = (!is_frozen).then_some(len);
                len += usize::from(!is_frozen);
                place
            })
            .collect();
        let place = |place: Option<usize>| place.and_then(|place| numbers[place]);
        let places = self.places.iter().map(|halves| halves.map(place)).collect();
        (len > 0).then_some(Space { places, len })
    }

    /// Which free number a weight's middlegame (0) or endgame (1) is.
    pub fn place(&self, param: usize, half: usize) -> Option<usize> {
        self.places[param][half]
    }

    /// Whether a group has a weight that is free.
    pub(super) fn has_free(&self, group: Group) -> bool {
        let free = |term: &TermInfo| self.places[term.params()].iter().flatten().any(Option::is_some);
        CATALOG.iter().any(|term| term.group == group && free(term))
    }

    /// Whether every weight is free.
    pub fn is_whole(&self) -> bool {
        self.places.iter().flatten().all(Option::is_some)
    }

    /// The free numbers of weights: the mean where weights are tied.
    pub(super) fn gather(&self, values: &Values) -> Vec<f64> {
        let mut sums = vec![(0.0, 0.0); self.len];
        for (places, values) in self.places.iter().zip(values) {
            for (place, value) in places.iter().zip(values) {
                if let Some(place) = *place {
                    sums[place].0 += value;
                    sums[place].1 += 1.0;
                }
            }
        }
        sums.into_iter().map(|(sum, count)| sum / count).collect()
    }

    /// Sets the weights to free numbers; frozen ones stay.
    pub(super) fn scatter(&self, numbers: &[f64], values: &mut Values) {
        for (places, values) in self.places.iter().zip(values) {
            for (place, value) in places.iter().zip(values) {
                if let Some(place) = *place {
                    *value = numbers[place];
                }
            }
        }
    }

    /// Slopes of the free numbers by those of the weights.
    pub(super) fn fold(&self, gradient: &Values, slopes: &mut [f64]) {
        slopes.fill(0.0);
        for (places, gradient) in self.places.iter().zip(gradient) {
            for (place, slope) in places.iter().zip(gradient) {
                if let Some(place) = *place {
                    slopes[place] += slope;
                }
            }
        }
    }
}

fn leader(leaders: &[usize], mut place: usize) -> usize {
    while leaders[place] != place {
        place = leaders[place];
    }
    place
}

/// The places (twice the weight, one more for the endgame) that a name means: of a group, a term, a part of one, a half.
pub(crate) fn find(name: &str) -> Result<Vec<usize>, TuneError> {
    let (base, halves) = match name.rsplit_once('.') {
        Some((base, "mg")) => (base, 0..1),
        Some((base, "eg")) => (base, 1..2),
        _ => (name, 0..2),
    };
    let group = plain(base);
    let is_meant = |&param: &usize| {
        let label = TermInfo::label(param);
        plain(TermInfo::of(param).group.name()) == group
            || label == base
            || label.strip_prefix(base).is_some_and(|rest| rest.starts_with('.'))
    };
    let params: Vec<usize> = (0..PARAM_COUNT).filter(is_meant).collect();
    if params.is_empty() {
        return Err(TuneError::NoWeight { name: name.to_owned(), nearest: nearest(base) });
    }
    Ok(params.into_iter().flat_map(|param| halves.clone().map(move |half| 2 * param + half)).collect())
}

fn nearest(name: &str) -> Option<String> {
    let labels = (0..PARAM_COUNT).map(TermInfo::label);
    let known = labels.chain(CATALOG.iter().flat_map(|term| [term.name.to_owned(), term.group.name().to_owned()]));
    let scored = known.map(|known| (strsim::jaro_winkler(name, &known), known));
    scored.filter(|(score, _)| *score > 0.8).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, known)| known)
}

/// A name without what people write differently.
fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase()
}

/// Pairs of places that share a number.
fn tied(tie: &Tie) -> Result<Vec<(usize, usize)>, TuneError> {
    match tie {
        Tie::Halves(name) => {
            let params: Vec<usize> = find(name)?.into_iter().map(|place| place / 2).collect();
            Ok(params.into_iter().map(|param| (2 * param, 2 * param + 1)).collect())
        }
        Tie::Mirror(name) => {
            let meant = name.as_ref().map(|name| find(name)).transpose()?;
            let is_meant = |place: &usize| meant.as_ref().is_none_or(|meant| meant.contains(place));
            let place = |place: usize| Some((place, 2 * mirror(place / 2)? + place % 2));
            let pairs: Vec<_> = (0..2 * PARAM_COUNT).filter(is_meant).filter_map(place).collect();
            match name {
                Some(name) if pairs.is_empty() => Err(TuneError::NoTie(format!("mirror:{name}"))),
                _ => Ok(pairs),
            }
        }
    }
}

/// The weight of the square on the other wing, if the weight is one of a table.
pub(super) fn mirror(param: usize) -> Option<usize> {
    let term = TermInfo::of(param);
    let is_table = matches!(term.shape, Shape::Square | Shape::Pair(_, Shape::Square));
    let nth = param - term.start;
    is_table.then(|| term.start + (nth ^ 7))
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::{Role, Square};
    use engine::terms::{MATERIAL, PIECE_SQUARE, TEMPO};

    fn space(only: &[&str], freeze: &[&str], ties: &[&str]) -> Result<Space, TuneError> {
        let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let ties = ties.iter().map(|tie| tie.parse()).collect::<Result<_, _>>()?;
        Space::new(&SpaceSettings { only: owned(only), freeze: owned(freeze), ties })
    }

    #[test]
    fn names_of_groups_terms_and_parts_are_understood() {
        assert_eq!(space(&[], &[], &[]).unwrap().numbers(), 2 * PARAM_COUNT);
        assert!(space(&[], &[], &[]).unwrap().is_whole());
        assert_eq!(space(&["material"], &["material.pawn.eg"], &[]).unwrap().numbers(), 11);
        assert_eq!(space(&["king-safety", "KingSafety"], &[], &[]).unwrap().numbers(), 6);
        assert_eq!(space(&["piece_square.knight"], &["piece_square.knight.d4.mg"], &[]).unwrap().numbers(), 127);
        let error = space(&["knight_mobilty"], &[], &[]).unwrap_err().to_string();
        assert!(error.contains("did you mean knight_mobility"), "{error}");
        assert!(matches!(space(&["tempo"], &["tempo"], &[]), Err(TuneError::NothingFree)));
        assert!("mirror:".parse::<Tie>().is_ok() && space(&[], &[], &["mirror:tempo"]).is_err());
        assert!(matches!("left".parse::<Tie>(), Err(TuneError::NoTie(_))));
    }

    #[test]
    fn tied_weights_share_a_number_and_freeze_together() {
        let space_of = |freeze: &[&str]| space(&[], freeze, &["mirror", "mg=eg:tempo"]).unwrap();
        let free = space_of(&[]);
        assert_eq!(free.numbers(), 2 * PARAM_COUNT - 6 * 64 - 1);
        let at = |square| PIECE_SQUARE.at((Role::Knight, square)).index();
        assert_eq!(free.place(at(Square::B3), 0), free.place(at(Square::G3), 0));
        assert_ne!(free.place(at(Square::B3), 0), free.place(at(Square::G3), 1));
        assert_eq!(free.place(TEMPO.at(()).index(), 0), free.place(TEMPO.at(()).index(), 1));
        assert_eq!(space_of(&["piece_square.knight.b3.mg"]).place(at(Square::G3), 0), None);

        let mut values = vec![[0.0; 2]; PARAM_COUNT];
        values[at(Square::B3)] = [10.0, 4.0];
        values[at(Square::G3)] = [20.0, 6.0];
        let numbers = free.gather(&values);
        free.scatter(&numbers, &mut values);
        assert_eq!((values[at(Square::B3)], values[at(Square::G3)]), ([15.0, 5.0], [15.0, 5.0]));
        let mut slopes = vec![1.0; free.numbers()];
        let mut gradient = vec![[0.0; 2]; PARAM_COUNT];
        gradient[at(Square::B3)] = [1.0, 0.0];
        gradient[at(Square::G3)] = [2.0, 0.0];
        gradient[MATERIAL.at(Role::Pawn).index()] = [0.0, 7.0];
        free.fold(&gradient, &mut slopes);
        assert_eq!(slopes[free.place(at(Square::G3), 0).unwrap()], 3.0);
        assert_eq!(slopes.iter().sum::<f64>(), 10.0);
    }
}
