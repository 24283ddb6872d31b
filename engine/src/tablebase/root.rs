//! Which moves of a position hold what the tables promise, under the fifty-move rule.
//!
//! The idea is Ronald de Man's: far from fifty moves any winning move will do, so that the search may choose a pretty one;
//! near them, and once a position has come back, only the shortest way to a capture or pawn move is safe.

use std::cmp::Reverse;

use chess::{Move, Position, Trail};
use shakmaty_syzygy::{Dtz, Wdl};

use super::Tablebases;

/// A move, and what the tables think of it.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct RankedMove {
    /// The move.
    pub mv: Move,
    /// The better the higher. A win is won with any of the moves that rank highest.
    pub rank: i32,
    /// What the move leads to, with the moves since the last capture or pawn move counted.
    pub wdl: Wdl,
}

/// Between one class and the next there is room for every distance.
const CLASS: i32 = 1 << 20;
/// Mate comes before every other win.
const MATE: i32 = 3 * CLASS;
/// The fifty-move rule, in plies.
const FIFTY_MOVES: i32 = 100;
/// A distance may be one ply too small, and following distances may waste another.
const SAFETY: i32 = 2;

impl Tablebases {
    /// All legal moves, best first: a search should look at those that rank highest and at no others.
    ///
    /// Without tables of distances moves are ranked by win, draw and loss alone. None if the tables do not tell.
    pub fn rank_root(&self, position: &Position, trail: &Trail) -> Option<Vec<RankedMove>> {
        if !self.is_within(position) || !position.has_legal_move() {
            return None;
        }
        let root = Root { tables: self, position, trail };
        root.rank(|after| root.by_distance(after)).or_else(|| root.rank(|after| root.by_class(after)))
    }
}

/// A rank, a class, and the distance that decides between equals.
type Verdict = (i32, Wdl, i32);

struct Root<'a> {
    tables: &'a Tablebases,
    position: &'a Position,
    trail: &'a Trail,
}

impl Root<'_> {
    /// Judges the position after each move.
    fn rank(&self, judge: impl Fn(&Position) -> Option<Verdict>) -> Option<Vec<RankedMove>> {
        let mut trail = self.trail.clone();
        trail.start_search();
        trail.push(self.position);
        let mut judged = Vec::new();
        for &mv in &self.position.legal_moves() {
            let mut after = *self.position;
            after.play(mv);
            let (rank, wdl, distance) = if after.is_check() && !after.has_legal_move() {
                (MATE, Wdl::Win, 1)
            } else if trail.is_repetition(&after) {
                (0, Wdl::Draw, 0)
            } else {
                judge(&after)?
            };
            judged.push((RankedMove { mv, rank, wdl }, distance));
        }
        judged.sort_by_key(|&(ranked, distance)| (Reverse(ranked.rank), distance));
        Some(judged.into_iter().map(|(ranked, _)| ranked).collect())
    }

    fn by_distance(&self, after: &Position) -> Option<Verdict> {
        let zeroes = after.halfmove_clock() == 0;
        let distance = if zeroes {
            Dtz::before_zeroing(-self.tables.wdl(after)?).0
        } else {
            let distance = -self.tables.dtz(after)?;
            distance + distance.signum()
        };
        // A capture or pawn move starts the count anew
        let clock = if zeroes { 0 } else { self.position.halfmove_clock() as i32 };
        let plies = distance.abs() + clock;
        let wdl = match distance.signum() {
            1 if plies <= FIFTY_MOVES => Wdl::Win,
            1 => Wdl::CursedWin,
            0 => Wdl::Draw,
            _ if plies <= FIFTY_MOVES => Wdl::Loss,
            _ => Wdl::BlessedLoss,
        };
        let is_safe = wdl == Wdl::Win && plies <= FIFTY_MOVES - SAFETY && !self.trail.has_repeated(self.position);
        let rank = CLASS * i32::from(wdl) - if is_safe { 0 } else { distance };
        Some((rank, wdl, distance))
    }

    fn by_class(&self, after: &Position) -> Option<Verdict> {
        let wdl = -self.tables.wdl(after)?;
        Some((CLASS * i32::from(wdl), wdl, 0))
    }
}
