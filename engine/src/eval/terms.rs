//! THE catalogue: every term of the evaluation is declared here and nowhere else.
//!
//! From one line come the typed constant that the evaluation credits, the key and comment in the weights file, the row of
//! the trace and the parameters of the tuner. `CONTRIBUTING.md` shows how to add a term in three steps.

use std::marker::PhantomData;

use chess::{Rank, Role, Square};

use super::axis::{Axis, ROLE_NAMES, Shape, UpTo};
use super::compose::Channel;

/// Declares the groups, the typed constants, their number and the catalogue.
macro_rules! terms {
    ($($group:ident => $channel:ident { $($(#[doc = $doc:literal])+ $name:ident: $axis:ty;)+ })+) => {
        /// Terms that are found together, skipped together, and shown together.
        #[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
        pub enum Group {
            $(
                #[doc = concat!("The group ", stringify!($group), ".")]
                $group
            ),+
        }

        impl Group {
            /// All groups, in the order of the catalogue.
            pub const ALL: &'static [Group] = &[$(Group::$group),+];

            /// The name, for people.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Group::$group => stringify!($group)),+
                }
            }
        }

        const NAMES: &[&str] = &[$($(stringify!($name)),+),+];
        const LENGTHS: &[usize] = &[$($(<$axis as Axis>::LEN),+),+];

        $($(
            $(#[doc = $doc])+
            pub const $name: Term<$axis> = Term::new(start(NAMES, LENGTHS, stringify!($name)), Channel::$channel);
        )+)+

        /// How many weights there are.
        pub const PARAM_COUNT: usize = {
            let mut sum = 0;
            let mut i = 0;
            while i < LENGTHS.len() {
                sum += LENGTHS[i];
                i += 1;
            }
            sum
        };

        /// Every term, in the order of its weights.
        pub static CATALOG: &[TermInfo] = &[$($(
            TermInfo {
                name: {
                    const BYTES: [u8; stringify!($name).len()] = lowercase(stringify!($name));
                    match std::str::from_utf8(&BYTES) {
                        Ok(name) => name,
                        Err(_) => unreachable!(),
                    }
                },
                doc: concat!($($doc),+).trim_ascii(),
                group: Group::$group,
                channel: Channel::$channel,
                shape: <$axis as Axis>::SHAPE,
                start: start(NAMES, LENGTHS, stringify!($name)),
            }
        ),+),+];
    };
}

terms! {
    Pieces => Score {
        /// The piece itself.
        MATERIAL: Role;
        /// A piece standing on a square.
        PIECE_SQUARE: (Role, Square);
    }
    Imbalance => Score {
        /// Two or more bishops.
        BISHOP_PAIR: ();
    }
    Pawns => Score {
        /// A pawn that no enemy pawn can block or capture on its way to promotion, by its rank.
        PASSED_PAWN: Rank;
        /// A pawn without own pawns on the files beside it.
        ISOLATED_PAWN: ();
        /// A pawn that shares its file with another own pawn.
        DOUBLED_PAWN: ();
        /// A pawn that another own pawn defends or stands beside, by its rank.
        CONNECTED_PAWN: Rank;
    }
    Rooks => Score {
        /// A rook on a file without pawns.
        ROOK_OPEN_FILE: ();
        /// A rook on a file without own pawns, but with an enemy pawn.
        ROOK_SEMI_OPEN_FILE: ();
        /// A rook on the seventh rank, with the enemy king on the eighth or enemy pawns on the seventh.
        ROOK_ON_SEVENTH: ();
    }
    Mobility => Score {
        /// Squares a knight attacks, own pieces left out.
        KNIGHT_MOBILITY: UpTo<8>;
        /// Squares a bishop attacks, own pieces left out.
        BISHOP_MOBILITY: UpTo<13>;
        /// Squares a rook attacks, own pieces left out.
        ROOK_MOBILITY: UpTo<14>;
        /// Squares a queen attacks, own pieces left out.
        QUEEN_MOBILITY: UpTo<27>;
    }
    KingSafety => King {
        /// An own pawn one or two ranks ahead of the king, on its file or beside it.
        PAWN_SHIELD: ();
        /// A file at the king, its own or beside it, without pawns.
        KING_OPEN_FILE: ();
        /// A file at the king, its own or beside it, without own pawns, but with an enemy pawn.
        KING_SEMI_OPEN_FILE: ();
    }
    Initiative => Score {
        /// The right to move.
        TEMPO: ();
    }
}

/// A term: where its weights begin, and what they are indexed by.
#[derive(Copy, Clone, Debug)]
pub struct Term<A> {
    start: usize,
    channel: Channel,
    axis: PhantomData<A>,
}

impl<A: Axis> Term<A> {
    const fn new(start: usize, channel: Channel) -> Term<A> {
        Term { start, channel, axis: PhantomData }
    }

    /// The parameter at a place of the axis.
    #[inline]
    pub fn at(self, place: A) -> Param {
        Param { index: self.start + place.index(), channel: self.channel }
    }
}

/// One weight of the catalogue, and the sum that it adds to.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct Param {
    pub(super) index: usize,
    pub(super) channel: Channel,
}

impl Param {
    /// Its place among all weights.
    pub fn index(self) -> usize {
        self.index
    }
}

/// What the catalogue says of a term.
#[derive(Debug)]
pub struct TermInfo {
    /// The key in weights files and traces, such as `knight_mobility`.
    pub name: &'static str,
    /// One sentence that a chess player understands.
    pub doc: &'static str,
    /// The group that it belongs to.
    pub group: Group,
    /// The sum that it adds to.
    pub channel: Channel,
    /// How its weights are laid out.
    pub shape: Shape,
    /// The place of its first weight among all weights.
    pub start: usize,
}

impl TermInfo {
    /// The places of its weights among all weights.
    pub fn params(&self) -> std::ops::Range<usize> {
        self.start..self.start + self.shape.size()
    }

    /// The name of one weight, such as `piece_square.knight.d4` or `passed_pawn.rank6`.
    pub fn label(index: usize) -> String {
        let term = TermInfo::of(index);
        format!("{}{}", term.name, term.shape.label(index - term.start))
    }

    /// The term that a weight belongs to.
    pub fn of(index: usize) -> &'static TermInfo {
        let after = CATALOG.partition_point(|term| term.start <= index);
        &CATALOG[after - 1]
    }
}

impl Shape {
    /// What the nth value is for: a role, a square, a rank, a count, or several of these.
    fn label(&self, nth: usize) -> String {
        match self {
            Shape::Single => String::new(),
            Shape::Role => format!(".{}", ROLE_NAMES[nth]),
            Shape::Square => format!(".{}", Square::new(nth as u32)),
            Shape::Rank => format!(".rank{}", nth + 1),
            Shape::UpTo(_) => format!(".{nth}"),
            Shape::Pair(outer, inner) => outer.label(nth / inner.size()) + &inner.label(nth % inner.size()),
        }
    }
}

/// Where a term's weights begin: after those of all terms before it.
const fn start(names: &[&str], lengths: &[usize], name: &str) -> usize {
    let mut sum = 0;
    let mut i = 0;
    while !is_same(names[i].as_bytes(), name.as_bytes()) {
        sum += lengths[i];
        i += 1;
    }
    sum
}

const fn is_same(a: &[u8], b: &[u8]) -> bool {
    match (a, b) {
        ([], []) => true,
        ([a, a_rest @ ..], [b, b_rest @ ..]) => *a == *b && is_same(a_rest, b_rest),
        _ => false,
    }
}

/// Lower-case letters for a key.
const fn lowercase<const N: usize>(text: &str) -> [u8; N] {
    let mut bytes = [0; N];
    let mut i = 0;
    while i < N {
        bytes[i] = text.as_bytes()[i].to_ascii_lowercase();
        i += 1;
    }
    bytes
}
