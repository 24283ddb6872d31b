//! Numbers to be tuned: ranges, steps, and OpenBench's lines `name, int, value, min, max, c_end, r_end`.

use serde::Serialize;
use thiserror::Error;

/// The last step is the range divided by this, unless somebody says otherwise.
const STEPS: f64 = 20.0;
/// How fast a number learns at the end, unless somebody says otherwise.
const RATE: f64 = 0.002;
/// A whole number is moved by half of one at least: less would often be nothing at all.
pub(super) const LEAST_STEP: f64 = 0.5;

/// What a number can be.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A whole number; in between it is rounded up or down by chance.
    Int,
    /// Any number.
    Float,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Int => "int",
            Kind::Float => "float",
        }
    }
}

/// A number to be tuned.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Whether it is a whole number.
    pub kind: Kind,
    /// Where it begins.
    pub start: f64,
    /// It never becomes less.
    pub min: f64,
    /// It never becomes more.
    pub max: f64,
    /// How far it is moved up and down in the last iteration.
    pub c_end: f64,
    /// How fast it learns in the last iteration: the share of that step for each game won.
    pub r_end: f64,
}

/// Why a line is not a parameter.
#[derive(Clone, Eq, PartialEq, Debug, Error)]
#[error("line {line}: {problem}")]
pub struct LineError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: String,
}

impl Parameter {
    /// A whole number, with a step and a rate that follow from its range.
    pub fn int(name: &str, start: i32, min: i32, max: i32) -> Parameter {
        Parameter::automatic(name, Kind::Int, start.into(), min.into(), max.into())
    }

    fn automatic(name: &str, kind: Kind, start: f64, min: f64, max: f64) -> Parameter {
        let range = max - min;
        let c_end = if kind == Kind::Int { (range / STEPS).max(LEAST_STEP) } else { range / STEPS };
        Parameter { name: name.to_owned(), kind, start, min, max, c_end, r_end: RATE }
    }

    /// A value as an engine is told it.
    pub fn write(&self, value: f64) -> String {
        match self.kind {
            Kind::Int => format!("{}", value.round() + 0.0),
            Kind::Float => value.to_string(),
        }
    }

    /// OpenBench's line, with this value in place of the start.
    pub fn line(&self, value: f64) -> String {
        let Parameter { name, kind, min, max, c_end, r_end, .. } = self;
        format!("{name}, {}, {}, {min}, {max}, {c_end}, {r_end}", kind.name(), self.write(value))
    }

    fn read(line: &str) -> Result<Parameter, String> {
        let fields: Vec<&str> = line.split(',').map(str::trim).collect();
        let (&[name, kind, start, min, max], rest) = fields.split_first_chunk().ok_or_else(|| {
            format!("{line:?} is not name, int, value, min, max, c_end, r_end; the last two may be left out")
        })?;
        let kind = match kind {
            "int" => Kind::Int,
            "float" => Kind::Float,
            _ => return Err(format!("{name} is of kind {kind:?}; there are int and float")),
        };
        let number = |field: &str| {
            let number: Option<f64> = field.parse().ok().filter(|number: &f64| number.is_finite());
            number.ok_or_else(|| format!("{name}: {field:?} is not a number"))
        };
        let mut parameter = Parameter::automatic(name, kind, number(start)?, number(min)?, number(max)?);
        match rest {
            [] => (),
            [c_end, r_end] => (parameter.c_end, parameter.r_end) = (number(c_end)?, number(r_end)?),
            _ => return Err(format!("{name} has {} fields; five or seven are needed", fields.len())),
        }
        parameter.problem().map_or(Ok(parameter), Err)
    }

    /// What makes it useless, if something does.
    fn problem(&self) -> Option<String> {
        let Parameter { name, kind, start, min, max, c_end, r_end } = self;
        let is_broken = |number: &&f64| *kind == Kind::Int && number.fract() != 0.0;
        if name.is_empty() {
            return Some("the name is missing".to_owned());
        }
        if let Some(broken) = [start, min, max].into_iter().find(is_broken) {
            return Some(format!("{name} is an int, and {broken} is not a whole number"));
        }
        if min >= max {
            return Some(format!("{name} has no range: {min} is not less than {max}"));
        }
        if !(min..=max).contains(&start) {
            return Some(format!("{name} begins at {start}, which is not within {min} and {max}"));
        }
        let least = if *kind == Kind::Int { LEAST_STEP } else { 0.0 };
        if *c_end <= 0.0 || *c_end < least {
            return Some(format!(
                "{name} has the step {c_end}; it must be {}",
                match kind {
                    Kind::Int => "0.5 at least",
                    Kind::Float => "more than 0",
                }
            ));
        }
        (*r_end <= 0.0).then(|| format!("{name} has the rate {r_end}; it must be more than 0"))
    }
}

/// Reads OpenBench's lines. Empty ones and what follows a `#` are left out; without the last two fields a step and a rate
/// follow from the range.
pub fn read_lines(text: &str) -> Result<Vec<Parameter>, LineError> {
    let mut parameters: Vec<Parameter> = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let failed = |problem| LineError { line: number, problem };
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let parameter = Parameter::read(line).map_err(failed)?;
        if parameters.iter().any(|other| other.name == parameter.name) {
            return Err(failed(format!("{} is there twice", parameter.name)));
        }
        parameters.push(parameter);
    }
    if parameters.is_empty() {
        return Err(LineError { line: 1, problem: "there is nothing to be tuned".to_owned() });
    }
    Ok(parameters)
}

/// Reads the names and values of OpenBench's lines: those that go in, and those that come out of it, `name, value`.
pub fn read_values(text: &str) -> Result<Vec<(String, f64)>, LineError> {
    let mut values = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let line = line.split('#').next().unwrap_or_default().trim();
        let fields: Vec<&str> = line.split(',').map(str::trim).collect();
        let (name, value) = match fields[..] {
            [""] => continue,
            [name, value] | [name, _, value, _, _, ..] => (name, value),
            _ => {
                let problem = format!("{line:?} is neither name, value nor name, int, value, min, max, c_end, r_end");
                return Err(LineError { line: number, problem });
            }
        };
        let value: Option<f64> = value.parse().ok().filter(|value: &f64| value.is_finite());
        let problem = || format!("{name} has no value that is a number");
        values.push((name.to_owned(), value.ok_or_else(|| LineError { line: number, problem: problem() })?));
    }
    Ok(values)
}

/// OpenBench's lines with these values: the input of the next run.
pub fn write_lines(parameters: &[Parameter], values: &[f64]) -> String {
    let lines = parameters.iter().zip(values).map(|(parameter, value)| parameter.line(*value) + "\n");
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_openbench_go_in_and_out() {
        let text = "rfp_margin, int, 78, 30, 160, 6.5, 0.002\nspread, float, 0.25, -1, 1.5, 0.125, 0.004\n";
        let parameters = read_lines(text).unwrap();
        assert_eq!(parameters[0], Parameter::int("rfp_margin", 78, 30, 160));
        assert_eq!((parameters[1].kind, parameters[1].c_end), (Kind::Float, 0.125));
        assert_eq!(write_lines(&parameters, &[78.0, 0.25]), text);
        assert!(write_lines(&parameters, &[81.6, 0.25]).starts_with("rfp_margin, int, 82, 30,"));
    }

    #[test]
    fn steps_follow_from_the_range_if_none_are_given() {
        let parameters = read_lines("\n# a first try\na,int,3,1,8   # few values\nb, float, 1, 0, 2\r\n").unwrap();
        assert_eq!((parameters[0].c_end, parameters[0].r_end), (0.5, 0.002), "0.35 is too little for a whole number");
        assert_eq!((parameters[1].c_end, parameters[1].r_end), (0.1, 0.002));
    }

    #[test]
    fn values_are_read_from_what_goes_in_and_from_what_comes_out() {
        let values = read_values("a, int, 3, 1, 8\n\nb, 4.5\nc, int, 7, 1, 9, 0.5, 0.002 # as it was\n").unwrap();
        assert_eq!(values, [("a".to_owned(), 3.0), ("b".to_owned(), 4.5), ("c".to_owned(), 7.0)]);
        assert_eq!(read_values("a, 1\nb").unwrap_err().line, 2);
        assert!(read_values("a, x").unwrap_err().to_string().contains("a has no value"));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (line, problem) in [
            ("a, int, 1, 2", "is not name, int, value, min, max, c_end, r_end"),
            ("a, int, 1, 0, 2, 1", "a has 6 fields"),
            ("a, bool, 1, 0, 2, 1, 1", "a is of kind \"bool\""),
            ("a, int, x, 0, 2, 1, 1", "a: \"x\" is not a number"),
            ("a, int, 1, 0, inf, 1, 1", "a: \"inf\" is not a number"),
            ("a, int, 1.5, 0, 2, 1, 1", "1.5 is not a whole number"),
            ("a, int, 1, 2, 2, 1, 1", "a has no range"),
            ("a, int, 3, 0, 2, 1, 1", "a begins at 3"),
            ("a, int, 1, 0, 2, 0.2, 1", "a has the step 0.2; it must be 0.5 at least"),
            ("a, float, 1, 0, 2, 0, 1", "a has the step 0; it must be more than 0"),
            ("a, int, 1, 0, 2, 1, 0", "a has the rate 0"),
            (", int, 1, 0, 2, 1, 1", "the name is missing"),
            ("b, int, 1, 0, 2, 1, 1", "b is there twice"),
        ] {
            let error = read_lines(&format!("b, int, 1, 0, 2\n{line}")).unwrap_err();
            assert_eq!(error.line, 2);
            assert!(error.to_string().contains(problem), "{error}");
        }
        assert_eq!(read_lines("# nothing\n").unwrap_err().problem, "there is nothing to be tuned");
    }
}
