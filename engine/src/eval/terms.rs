//! THE catalogue: every term of the evaluation is declared here and nowhere else.
//!
//! From one line come the typed constant that the evaluation credits, the key and comment in the weights file, the row of
//! the trace and the parameters of the tuner. `CONTRIBUTING.md` shows how to add a term in three steps.

use std::marker::PhantomData;

use chess::{Rank, Role, Square};

use super::axis::{Abreast, Axis, Flank, Shape, UpTo, Zone};
use super::compose::Channel;

/// Declares the groups, the typed constants, their number and the catalogue.
macro_rules! terms {
    ($($group:ident => $channel:ident { $($(#[doc = $doc:literal])+ $name:ident: $axis:ty $(, at most $most:literal)?;)+ })+) => {
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
                most: most(&[$($most)?]),
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
    KingTables => Score {
        /// A piece standing on a square, by where its own king is; the board is turned so that the king is on the files e
        /// to h.
        OWN_KING_SQUARE: (Zone, (Role, Square)), at most 15;
        /// A piece standing on a square, by where the enemy's king is; the board is turned so that this king is on the
        /// files e to h.
        ENEMY_KING_SQUARE: (Zone, (Role, Square)), at most 16;
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
    Structure => Score {
        /// A pawn that no enemy pawn can block or capture on its way and no own pawn stands before, by its rank.
        PASSER: Rank, at most 8;
        /// A pawn that will be passed if the pawns beside it help, by its rank.
        CANDIDATE: Rank, at most 8;
        /// A pawn beside another own pawn, by its rank.
        PHALANX: Rank, at most 8;
        /// A pawn that another own pawn defends, by its rank.
        DEFENDED_PAWN: Rank, at most 8;
        /// A pawn without own pawns on the files beside it: whether an enemy pawn stands ahead of it, and its file.
        LONE_PAWN: (bool, Flank), at most 8;
        /// A pawn that no other pawn can defend any more and that cannot safely advance: whether an enemy pawn stands ahead.
        BACKWARD_PAWN: bool, at most 8;
        /// A pawn right behind another own pawn, or further behind: whether it stands right behind.
        REAR_PAWN: bool, at most 8;
        /// A pawn that two enemy pawns attack and no own pawn defends.
        FORKED_PAWN: (), at most 8;
        /// A pawn that an enemy pawn blocks, by its rank.
        BLOCKED_PAWN: Rank, at most 8;
    }
    PawnPairs => Score {
        /// Two own pawns at most two files apart, the rear one first, the one nearer to the edge if they are level: their
        /// files and ranks. The board is turned so that the first is on the files a to d.
        PAWN_DUO: (Abreast, (Rank, Rank)), at most 28;
        /// An own pawn and an enemy pawn at most two files apart: their files and ranks, seen from the own side. The board
        /// is turned so that the own pawn is on the files a to d.
        PAWN_FOE: (Abreast, (Rank, Rank)), at most 64;
    }
    KingPawns => Score {
        /// An own pawn, by where the king is: the king's file and rank, then the pawn's square. The board is turned so that
        /// the king is on the files a to d.
        KING_OWN_PAWN: (Flank, (Rank, Square)), at most 8;
        /// An enemy pawn, by where the king is: the king's file and rank, then the pawn's square, seen from the king's own
        /// side. The board is turned so that the king is on the files a to d.
        KING_ENEMY_PAWN: (Flank, (Rank, Square)), at most 8;
    }
    Shelter => Score {
        /// An own pawn on the file of the king or beside it, the nearest ahead of the king: the file, and how many ranks
        /// ahead; 0 if there is none.
        SHELTER: (Flank, UpTo<7>), at most 3;
        /// An enemy pawn on the file of the king or beside it, the nearest ahead of the king: the file, and how many ranks
        /// ahead; 0 if there is none. One that an own pawn blocks counts as blocked storm.
        STORM: (Flank, UpTo<7>), at most 3;
        /// Such an enemy pawn that an own pawn blocks, by how many ranks ahead of the king it stands.
        BLOCKED_STORM: UpTo<7>, at most 3;
    }
    Activity => Score {
        /// Squares a knight reaches that are worth having: not attacked by enemy pawns, no own king, queen or stuck pawn.
        KNIGHT_SCOPE: UpTo<8>;
        /// Squares a bishop reaches that are worth having, own queens looked through.
        BISHOP_SCOPE: UpTo<13>;
        /// Squares a rook reaches that are worth having, own queens and rooks looked through.
        ROOK_SCOPE: UpTo<14>;
        /// Squares a queen reaches that are worth having.
        QUEEN_SCOPE: UpTo<27>;
    }
    Posts => Score {
        /// A knight in enemy land where no enemy pawn can ever chase it: whether an own pawn defends it.
        KNIGHT_OUTPOST: bool;
        /// A knight that can go to such a square.
        KNIGHT_NEAR_OUTPOST: ();
        /// A bishop in enemy land where no enemy pawn can ever chase it: whether an own pawn defends it.
        BISHOP_OUTPOST: bool;
        /// A knight or bishop right behind a pawn of either side.
        MINOR_BEHIND_PAWN: ();
        /// A knight, by its distance from its king.
        KNIGHT_KING_DISTANCE: UpTo<7>;
        /// A bishop, by its distance from its king.
        BISHOP_KING_DISTANCE: UpTo<7>;
        /// A bishop, by the own pawns on squares of its colour.
        BISHOP_OWN_PAWNS: UpTo<8>;
        /// Own pawns in the centre that are blocked, for a bishop with own pawns on its colour: their product.
        BISHOP_BLOCKED_CENTRE: (), at most 32;
        /// A bishop that sees both squares of the centre on a long diagonal, through pieces but not through pawns.
        BISHOP_LONG_DIAGONAL: ();
        /// A rook on the file of a queen.
        ROOK_ON_QUEEN_FILE: ();
        /// A rook on a file that an own pawn closes which cannot advance.
        ROOK_CLOSED_FILE: ();
        /// A rook with hardly a square, shut in by its own king: whether the king can still castle.
        TRAPPED_ROOK: bool, at most 2;
        /// A queen that an enemy bishop or rook looks at through one piece.
        HARRIED_QUEEN: ();
        /// Squares behind and among own pawns in the centre that no enemy pawn attacks.
        SPACE: UpTo<12>, at most 1;
    }
    Passers => Score {
        /// A passed pawn whose next square is occupied, by its rank.
        PASSER_HELD: Rank, at most 8;
        /// A passed pawn whose next square is free but attacked by the enemy and not defended, by its rank.
        PASSER_WATCHED: Rank, at most 8;
        /// A passed pawn with a free path that the enemy does not attack anywhere, by its rank.
        PASSER_CLEAR: Rank, at most 8;
        /// A passed pawn that can take its next step under protection or unattacked, by its rank.
        PASSER_STEP: Rank, at most 8;
        /// A passed pawn by rank, and how far its own king is from the square before it.
        PASSER_OWN_KING: (Rank, UpTo<7>), at most 8;
        /// A passed pawn by rank, and how far the enemy's king is from the square before it.
        PASSER_ENEMY_KING: (Rank, UpTo<7>), at most 8;
        /// A passed pawn with an own rook behind it.
        PASSER_ROOK_BEHIND: (), at most 8;
        /// A passed pawn with an enemy rook behind it.
        PASSER_ENEMY_ROOK_BEHIND: (), at most 8;
        /// A passed pawn that the lone enemy king cannot catch any more.
        PASSER_UNSTOPPABLE: (), at most 1;
    }
    Threats => Score {
        /// A piece that a pawn attacks: which.
        THREAT_BY_PAWN: Role;
        /// A piece that a knight or bishop attacks: whether it is well defended, and which.
        THREAT_BY_MINOR: (bool, Role);
        /// A piece that a rook attacks: whether it is well defended, and which.
        THREAT_BY_ROOK: (bool, Role);
        /// A piece that a queen attacks and that is not well defended: which.
        THREAT_BY_QUEEN: Role;
        /// A piece that is not well defended and that the king attacks.
        THREAT_BY_KING: ();
        /// A piece that is attacked and not defended, or attacked twice and defended less.
        HANGING: ();
        /// A piece that a pawn can attack by a safe step: which.
        THREAT_BY_PUSH: Role;
        /// Squares that the enemy attacks but does not hold, and that are attacked too.
        RESTRICTED: (), at most 40;
        /// Safe squares from which a knight would attack the enemy's queen.
        KNIGHT_ON_QUEEN: (), at most 8;
        /// Safe squares from which a bishop or rook would attack the enemy's queen.
        SLIDER_ON_QUEEN: (), at most 16;
    }
    Danger => Danger {
        /// A piece that attacks squares about the enemy's king: which.
        ASSAILANT: Role;
        /// Attacks on squares beside the enemy's king, counted for each piece.
        ASSAULT: (), at most 20;
        /// Squares about the enemy's king that are attacked and badly defended.
        WEAK_RING: (), at most 9;
        /// A check that can be given safely: by which piece.
        SAFE_CHECK: Role, at most 4;
        /// More than one such check by the same kind of piece: which.
        MORE_SAFE_CHECKS: Role, at most 4;
        /// Squares from which a check is possible, but not safely.
        UNSAFE_CHECK: (), at most 16;
        /// Pieces that stand alone between the enemy's king and an attacker.
        KING_BLOCKER: (), at most 8;
        /// Attacks on the king's wing, twice attacked squares counted twice.
        WING_ATTACK: (), at most 40;
        /// Squares of the king's wing that the king's side defends.
        WING_DEFENCE: (), at most 20;
        /// Files at the enemy's king without its pawns.
        KING_LINES: UpTo<3>, at most 1;
        /// No queen to attack with.
        NO_QUEEN: (), at most 1;
        /// A knight beside the enemy's king that defends it.
        KNIGHT_DEFENDER: (), at most 1;
        /// Any king's danger, before anything is looked at.
        DANGER_BASE: (), at most 1;
        /// The attacker's turn to move.
        DANGER_TURN: (), at most 1;
    }
    Endings => Score {
        /// The enemy has nothing but its king, and there is enough to mate it, or a pawn that is known to win.
        WON_ENDING: (), at most 1;
        /// The lone enemy king that is to be mated, by its distance from the edge.
        LONE_KING_EDGE: UpTo<3>, at most 1;
        /// The lone enemy king that is to be mated, by the kings' distance.
        LONE_KING_NEAR: UpTo<7>, at most 1;
        /// The lone enemy king against bishop and knight, by its steps along files and ranks from the nearest corner of the
        /// bishop's colour.
        LONE_KING_CORNER: UpTo<7>, at most 1;
        /// The lone enemy king against bishop and knight, by the moves in which it is mated at the latest.
        LONE_KING_MATE: UpTo<33>, at most 1;
    }
    Winnable => Prospects {
        /// Any position, before anything is looked at.
        PROSPECTS: (), at most 1;
        /// A pawn.
        PROSPECTS_PAWN: (), at most 8;
        /// A passed pawn.
        PROSPECTS_PASSER: (), at most 8;
        /// Pawns of either side on both wings.
        PROSPECTS_BOTH_WINGS: (), at most 1;
        /// A king beyond the middle of the board.
        PROSPECTS_INTRUDER: (), at most 1;
        /// Kings and pawns alone.
        PROSPECTS_PAWN_ENDING: (), at most 1;
    }
    Holdable => Drawish {
        /// The number of pawns, where bishops are not of opposite colours.
        FEW_PAWNS: UpTo<8>, at most 1;
        /// Bishops of opposite colours and nothing else but pawns: their number.
        OPPOSITE_BISHOPS: UpTo<8>, at most 1;
        /// Bishops of opposite colours and other pieces: the number of pawns.
        OPPOSITE_BISHOPS_AND_MORE: UpTo<8>, at most 1;
        /// One rook each, at most one pawn more, and all of them on one wing.
        LEVEL_ROOK_ENDING: (), at most 1;
        /// No pawn and no more than a minor piece ahead.
        BARE_LEAD: (), at most 1;
        /// No pawn and nothing that can force mate.
        NO_MATING_FORCE: (), at most 1;
        /// Only rook's pawns, a bishop that cannot attack their promotion square, and the enemy king near it.
        WRONG_BISHOP: (), at most 1;
        /// King and pawn against king, known to be drawn.
        DRAWN_PAWN_ENDING: (), at most 1;
        /// Bishop and knight against the lone king, known to be drawn: one of them is lost at once, or it is stalemate.
        DRAWN_BISHOP_AND_KNIGHT: (), at most 1;
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
    /// How often one side can be credited it, all its weights together.
    pub most: i32,
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
        if let Some((names, inner)) = self.named() {
            return format!(".{}{}", names[nth / inner.size()], inner.label(nth % inner.size()));
        }
        match self {
            Shape::Square => format!(".{}", Square::new(nth as u32)),
            Shape::Rank => format!(".rank{}", nth + 1),
            Shape::UpTo(_) => format!(".{nth}"),
            _ => String::new(),
        }
    }
}

/// What is declared, or ten: so many rooks, say, there can be after promotions.
const fn most(declared: &[i32]) -> i32 {
    match declared {
        [most] => *most,
        _ => 10,
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
