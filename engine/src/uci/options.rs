//! The options that a program may set, declared once: `uci` lists them and `setoption` finds them here.

/// An option's name and kind.
pub(super) struct OptionInfo {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
}

pub(super) enum Kind {
    Spin { default: i64, min: i64, max: i64 },
    Check { default: bool },
    Text { default: &'static str },
    Button,
}

pub(super) static OPTIONS: [OptionInfo; 7] = [
    OptionInfo { name: "Hash", kind: Kind::Spin { default: 16, min: 1, max: 1 << 25 } },
    OptionInfo { name: "Clear Hash", kind: Kind::Button },
    OptionInfo { name: "Ponder", kind: Kind::Check { default: false } },
    OptionInfo { name: "Move Overhead", kind: Kind::Spin { default: 10, min: 0, max: 5000 } },
    OptionInfo { name: "UCI_Chess960", kind: Kind::Check { default: false } },
    OptionInfo { name: "EvalFile", kind: Kind::Text { default: "default" } },
    OptionInfo { name: "UsePSTInterpolation", kind: Kind::Check { default: true } },
];

impl std::fmt::Display for OptionInfo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match self.kind {
            Kind::Spin { default, min, max } => write!(f, "spin default {default} min {min} max {max}"),
            Kind::Check { default } => write!(f, "check default {default}"),
            Kind::Text { default } => write!(f, "string default {default}"),
            Kind::Button => write!(f, "button"),
        }
    }
}

/// What was set, understood.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Setting {
    Number(i64),
    Switch(bool),
    Text(String),
    Pressed,
}

impl OptionInfo {
    /// The option of this name, whatever its capitals.
    pub(super) fn find(name: &str) -> Option<&'static OptionInfo> {
        OPTIONS.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Understands a value. A number outside its range is moved into it, with a word about that.
    pub(super) fn read(&self, value: &str) -> Result<(Setting, Option<String>), String> {
        match self.kind {
            Kind::Spin { min, max, .. } => {
                let wrong = || format!("{} needs a number, not {value:?}", self.name);
                let number: f64 = value.parse().ok().filter(|number: &f64| !number.is_nan()).ok_or_else(wrong)?;
                let rounded = number.round();
                let clamped = rounded.clamp(min as f64, max as f64);
                let word =
                    (clamped != rounded).then(|| format!("{} is set to {clamped}, the nearest allowed", self.name));
                Ok((Setting::Number(clamped as i64), word))
            }
            Kind::Check { .. } => match value.to_ascii_lowercase().as_str() {
                "true" => Ok((Setting::Switch(true), None)),
                "false" => Ok((Setting::Switch(false), None)),
                _ => Err(format!("{} needs true or false, not {value:?}", self.name)),
            },
            Kind::Text { .. } => Ok((Setting::Text(value.to_owned()), None)),
            Kind::Button => Ok((Setting::Pressed, None)),
        }
    }
}
