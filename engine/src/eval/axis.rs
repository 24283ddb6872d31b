//! What a term is indexed by. An axis does three jobs: it types the index, it lays out the weights file, and it tells a
//! page how to draw the term.

use chess::{File, Index, Rank, Role, Square};

/// What a term is indexed by.
pub trait Axis: Copy {
    /// How many values there are.
    const LEN: usize;
    /// How the values are laid out.
    const SHAPE: Shape;

    /// The place of a value, from 0.
    fn index(self) -> usize;
}

/// The roles' names, in the order of their places.
pub const ROLE_NAMES: [&str; Role::COUNT] = ["pawn", "knight", "bishop", "rook", "queen", "king"];

const FLAG_NAMES: [&str; 2] = ["no", "yes"];
const FLANK_NAMES: [&str; 4] = ["a", "b", "c", "d"];
const ZONE_NAMES: [&str; 8] = ["gh1", "f1", "e1", "gh2", "ef2", "rank3", "rank4_5", "rank6_8"];
const ABREAST_NAMES: [&str; 17] =
    ["aa", "ab", "ac", "ba", "bb", "bc", "bd", "ca", "cb", "cc", "cd", "ce", "db", "dc", "dd", "de", "df"];
const RANK_NAMES: [&str; 8] = ["rank1", "rank2", "rank3", "rank4", "rank5", "rank6", "rank7", "rank8"];

/// How the values of a term are laid out in a file or on a page.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Shape {
    /// One value.
    Single,
    /// A value for no and one for yes.
    Flag,
    /// A value for each role, pawn to king.
    Role,
    /// A value for each file, both wings alike: a with h, to d with e.
    Flank,
    /// A value for each part of the board where a king can be, both wings alike.
    Zone,
    /// A value for each two files at most two apart, in this order, both wings alike.
    Abreast,
    /// A value for each square, seen from the piece's own side.
    Square,
    /// A value for each rank, seen from the piece's own side.
    Rank,
    /// A value for each count from 0 to the largest.
    UpTo(usize),
    /// The second shape for each value of the first.
    Pair(&'static Shape, &'static Shape),
}

impl Shape {
    /// How many values there are.
    pub const fn size(&self) -> usize {
        match self {
            Shape::Single => 1,
            Shape::Flag => 2,
            Shape::Role => 6,
            Shape::Flank => 4,
            Shape::Zone => 8,
            Shape::Abreast => 17,
            Shape::Square => 64,
            Shape::Rank => 8,
            Shape::UpTo(most) => *most + 1,
            Shape::Pair(outer, inner) => outer.size() * inner.size(),
        }
    }

    /// The names of the values or, of a pair, of its first part, and the shape of what each names; none for plain lists.
    pub const fn named(&self) -> Option<(&'static [&'static str], &'static Shape)> {
        match self {
            Shape::Flag => Some((&FLAG_NAMES, &Shape::Single)),
            Shape::Role => Some((&ROLE_NAMES, &Shape::Single)),
            Shape::Flank => Some((&FLANK_NAMES, &Shape::Single)),
            Shape::Zone => Some((&ZONE_NAMES, &Shape::Single)),
            Shape::Abreast => Some((&ABREAST_NAMES, &Shape::Single)),
            Shape::Pair(Shape::Rank, inner) => Some((&RANK_NAMES, *inner)),
            Shape::Pair(outer, inner) => match outer.named() {
                Some((names, _)) => Some((names, *inner)),
                None => None,
            },
            Shape::Single | Shape::Square | Shape::Rank | Shape::UpTo(_) => None,
        }
    }
}

impl Axis for () {
    const LEN: usize = 1;
    const SHAPE: Shape = Shape::Single;

    #[inline]
    fn index(self) -> usize {
        0
    }
}

impl Axis for bool {
    const LEN: usize = 2;
    const SHAPE: Shape = Shape::Flag;

    #[inline]
    fn index(self) -> usize {
        usize::from(self)
    }
}

/// A file, both wings alike.
#[derive(Copy, Clone, Eq, PartialEq, PartialOrd, Ord, Debug)]
pub struct Flank(usize);

impl Flank {
    /// The file as counted from the nearer edge.
    #[inline]
    pub fn of(file: File) -> Flank {
        let file = file.to_usize();
        Flank(file.min(7 - file))
    }
}

impl Axis for Flank {
    const LEN: usize = 4;
    const SHAPE: Shape = Shape::Flank;

    #[inline]
    fn index(self) -> usize {
        self.0
    }
}

/// Two files that are at most two apart, in this order; the board is turned so that the first is one of a to d.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct Abreast(usize);

/// By first file, a to d: the place of its pairs, as if there were one with file a.
const ABREAST_STARTS: [usize; 4] = [0, 3, 7, 11];

impl Abreast {
    /// The pair of two such files on a board that is turned so.
    #[inline]
    pub fn of(first: File, second: File) -> Abreast {
        let (first, second) = (first.to_usize(), second.to_usize());
        debug_assert!(first < 4 && first.abs_diff(second) <= 2);
        Abreast(ABREAST_STARTS[first & 3] + second)
    }
}

impl Axis for Abreast {
    const LEN: usize = 17;
    const SHAPE: Shape = Shape::Abreast;

    #[inline]
    fn index(self) -> usize {
        self.0
    }
}

/// Where a king is, seen from its own side, both wings alike.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct Zone(usize);

/// By square, seen from the king's own side, of the files e to h: its zone.
const ZONES: [[usize; 4]; 8] =
    [[2, 1, 0, 0], [4, 4, 3, 3], [5, 5, 5, 5], [6, 6, 6, 6], [6, 6, 6, 6], [7, 7, 7, 7], [7, 7, 7, 7], [7, 7, 7, 7]];

impl Zone {
    /// The zone of a square that is seen from the king's own side.
    #[inline]
    pub fn of(king: Square) -> Zone {
        let file = king.file().to_usize();
        Zone(ZONES[king.rank().to_usize()][file.max(7 - file) - 4])
    }
}

impl Axis for Zone {
    const LEN: usize = 8;
    const SHAPE: Shape = Shape::Zone;

    #[inline]
    fn index(self) -> usize {
        self.0
    }
}

impl Axis for Role {
    const LEN: usize = Role::COUNT;
    const SHAPE: Shape = Shape::Role;

    #[inline]
    fn index(self) -> usize {
        Index::index(self)
    }
}

impl Axis for Square {
    const LEN: usize = 64;
    const SHAPE: Shape = Shape::Square;

    #[inline]
    fn index(self) -> usize {
        self.to_usize()
    }
}

impl Axis for Rank {
    const LEN: usize = 8;
    const SHAPE: Shape = Shape::Rank;

    #[inline]
    fn index(self) -> usize {
        self.to_usize()
    }
}

/// A count from 0 to `MOST`.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct UpTo<const MOST: usize>(pub usize);

impl<const MOST: usize> Axis for UpTo<MOST> {
    const LEN: usize = MOST + 1;
    const SHAPE: Shape = Shape::UpTo(MOST);

    #[inline]
    fn index(self) -> usize {
        debug_assert!(self.0 <= MOST);
        self.0
    }
}

impl<A: Axis, B: Axis> Axis for (A, B) {
    const LEN: usize = A::LEN * B::LEN;
    const SHAPE: Shape = Shape::Pair(&A::SHAPE, &B::SHAPE);

    #[inline]
    fn index(self) -> usize {
        self.0.index() * B::LEN + self.1.index()
    }
}
