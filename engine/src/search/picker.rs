//! Moves in the order in which they are worth trying, generated only when they are needed.

use chess::{ByRole, Checks, Move, MoveKind, MoveList, Position, Threats};

use super::history::{Histories, Rows};
use super::offer::Offer;
use super::tunables::Tunables;

#[derive(Copy, Clone, Eq, PartialEq)]
enum Stage {
    TableMove,
    GenerateCaptures,
    GoodCaptures,
    Killers,
    GenerateQuiets,
    Quiets,
    BadCaptures,
    Done,
}

/// Which moves are wanted.
#[derive(Copy, Clone, Eq, PartialEq)]
enum Wanted {
    All,
    /// Captures and promotions whose exchange brings in at least this.
    Captures(i32),
}

/// Which quiet moves are wanted.
#[derive(Copy, Clone, Eq, PartialEq)]
pub(super) enum Quiets {
    All,
    /// Those that give check.
    Checks,
    None,
}

/// Quiet moves that were best last at a ply, the newest first. No two are the same.
pub(super) type Killers = [Option<Move>; 2];
pub(super) const NO_KILLERS: Killers = [None; 2];

/// Hands out the legal moves of a position one by one.
pub(super) struct Picker {
    stage: Stage,
    wanted: Wanted,
    table_move: Option<Move>,
    /// Quiet moves that are tried before the others are even generated, and not again with them.
    killers: Killers,
    next_killer: usize,
    /// The captures, then the quiet moves.
    offer: Offer,
    bad_captures: MoveList,
    next_bad: usize,
    quiets: Quiets,
}

/// What the order of moves depends on.
pub(super) struct Context<'a> {
    pub(super) position: &'a Position,
    pub(super) tunables: &'a Tunables,
    pub(super) exchange: &'a ByRole<i32>,
    pub(super) checks: &'a Checks,
    pub(super) rows: &'a Rows,
    /// Squares that the opponent attacks.
    pub(super) threats: Threats,
}

impl Picker {
    /// All moves, the table's first.
    #[inline]
    pub(super) fn all(position: &Position, table_move: Option<Move>) -> Picker {
        Picker::new(table_move.filter(|&mv| position.is_legal(mv)), Wanted::All, Quiets::All)
    }

    /// Before quiet moves are generated these are tried, if they can be played.
    #[inline]
    pub(super) fn prefer(&mut self, killers: Killers) {
        self.killers = killers;
    }

    /// Captures and promotions with at least this outcome of the exchange, then these quiet moves.
    #[inline]
    pub(super) fn captures(position: &Position, table_move: Option<Move>, least: i32, quiets: Quiets) -> Picker {
        Picker::new(
            table_move.filter(|&mv| is_tactical(position, mv) && position.is_legal(mv)),
            Wanted::Captures(least),
            quiets,
        )
    }

    #[inline]
    fn new(table_move: Option<Move>, wanted: Wanted, quiets: Quiets) -> Picker {
        Picker {
            stage: Stage::TableMove,
            wanted,
            table_move,
            killers: NO_KILLERS,
            next_killer: 0,
            offer: Offer::new(),
            bad_captures: MoveList::new(),
            next_bad: 0,
            quiets,
        }
    }

    /// The next move.
    #[inline(always)]
    pub(super) fn next(&mut self, context: &Context, histories: &Histories) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TableMove => {
                    self.stage = Stage::GenerateCaptures;
                    if self.table_move.is_some() {
                        return self.table_move;
                    }
                }
                Stage::GenerateCaptures => {
                    self.generate_captures(context, histories);
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => match self.offer.best() {
                    Some((mv, _)) if Some(mv) == self.table_move => (),
                    Some((mv, score)) => match self.wanted {
                        Wanted::Captures(least) => {
                            if context.position.exchange_reaches(mv, least, context.exchange) {
                                return Some(mv);
                            }
                        }
                        Wanted::All => {
                            let least = -score / context.tunables.order_good_capture;
                            if context.position.exchange_reaches(mv, least, context.exchange) {
                                return Some(mv);
                            }
                            self.bad_captures.push(mv);
                        }
                    },
                    None => self.stage = Stage::Killers,
                },
                Stage::Killers => match self.killers.get(self.next_killer) {
                    Some(&killer) => {
                        let killer = killer.filter(|&mv| self.wants_killer(context.position, mv));
                        self.killers[self.next_killer] = killer;
                        self.next_killer += 1;
                        if killer.is_some() {
                            return killer;
                        }
                    }
                    None => self.stage = Stage::GenerateQuiets,
                },
                Stage::GenerateQuiets => {
                    self.generate_quiets(context, histories);
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match if self.quiets == Quiets::None { None } else { self.offer.best() } {
                    Some((mv, _)) if Some(mv) == self.table_move || self.killers.contains(&Some(mv)) => (),
                    Some((mv, _)) => return Some(mv),
                    None => self.stage = Stage::BadCaptures,
                },
                Stage::BadCaptures => match self.bad_captures.get(self.next_bad) {
                    Some(&mv) => {
                        self.next_bad += 1;
                        return Some(mv);
                    }
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    /// The move that will probably come after this one.
    #[inline(always)]
    pub(super) fn upcoming(&mut self) -> Option<Move> {
        match self.stage {
            Stage::GoodCaptures | Stage::Quiets => self.offer.upcoming(),
            _ => None,
        }
    }

    /// No more quiet moves.
    #[inline]
    pub(super) fn skip_quiets(&mut self) {
        self.quiets = Quiets::None;
    }

    /// No more quiet moves but those that give check.
    pub(super) fn skip_quiets_without_check(&mut self, position: &Position, checks: &Checks) {
        self.quiets = Quiets::Checks;
        if self.stage == Stage::Quiets {
            self.offer.keep(|mv| checks.given_by(position, mv));
        }
    }

    /// Whether no quiet move that does not give check will come any more.
    #[inline]
    pub(super) fn is_past_quiets(&self) -> bool {
        self.quiets != Quiets::All || matches!(self.stage, Stage::BadCaptures | Stage::Done)
    }

    /// Whether the moves that come now are captures that lose material.
    #[inline]
    pub(super) fn is_at_bad_captures(&self) -> bool {
        self.stage == Stage::BadCaptures
    }

    #[inline]
    fn wants_killer(&self, position: &Position, mv: Move) -> bool {
        self.quiets == Quiets::All && Some(mv) != self.table_move && !is_tactical(position, mv) && position.is_legal(mv)
    }

    // Generation stays out of line: `next` is short and asked for every move, lists are made once
    #[inline(never)]
    fn generate_captures(&mut self, context: &Context, histories: &Histories) {
        context.position.captures(self.offer.list());
        self.offer.rank(|mv| context.capture_score(mv, histories));
    }

    #[inline(never)]
    fn generate_quiets(&mut self, context: &Context, histories: &Histories) {
        let Context { position, checks, tunables, .. } = *context;
        match self.quiets {
            Quiets::All => position.quiets(self.offer.list()),
            Quiets::Checks if !position.is_check() => checks.quiets(position, self.offer.list()),
            Quiets::Checks | Quiets::None => return,
        }
        let order = histories.quiet_order(position, checks, context.rows, context.threats, tunables);
        self.offer.rank(|mv| order.score(mv, position.role_on(mv.from()).expect("a piece moves")));
    }
}

impl Context<'_> {
    /// The victim's value and the history of such captures.
    #[inline]
    fn capture_score(&self, mv: Move, histories: &Histories) -> i32 {
        let victim = match mv.kind() {
            MoveKind::EnPassant => self.exchange.pawn,
            _ => self.position.role_on(mv.to()).map_or(0, |role| *self.exchange.get(role)),
        };
        let promotion = mv.promoted_to().map_or(0, |role| *self.exchange.get(role) - self.exchange.pawn);
        self.tunables.order_victim * (victim + promotion) / 16 + histories.capture(self.position, mv)
    }
}

/// Whether a move captures or promotes.
#[inline]
pub(super) fn is_tactical(position: &Position, mv: Move) -> bool {
    match mv.kind() {
        MoveKind::EnPassant | MoveKind::Promotion => true,
        MoveKind::Castle | MoveKind::DoublePush => false,
        MoveKind::Normal => position.role_on(mv.to()).is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::history::NO_ROW;

    fn picked(fen: &str, table_move: Option<&str>, captures: Option<i32>) -> Vec<String> {
        picked_with_killers(fen, table_move, captures, NO_KILLERS)
    }

    fn picked_with_killers(
        fen: &str,
        table_move: Option<&str>,
        captures: Option<i32>,
        killers: Killers,
    ) -> Vec<String> {
        let position: Position = fen.parse().unwrap();
        let table_move = table_move.map(|text| position.parse_uci(text).unwrap());
        let (histories, tunables) = (Histories::new(), Tunables::default());
        let context = Context {
            position: &position,
            tunables: &tunables,
            exchange: &tunables.exchange(),
            checks: &Checks::new(&position),
            rows: &[NO_ROW; 4],
            threats: Threats::default(),
        };
        let mut picker = match captures {
            Some(least) => Picker::captures(&position, table_move, least, Quiets::None),
            None => Picker::all(&position, table_move),
        };
        picker.prefer(killers);
        std::iter::from_fn(|| picker.next(&context, &histories))
            .map(|mv| mv.uci(chess::CastlingMode::Standard).to_string())
            .collect()
    }

    #[test]
    fn every_legal_move_comes_once_and_the_tables_first() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1",
        ] {
            let position: Position = fen.parse().unwrap();
            let mut legal: Vec<String> =
                position.legal_moves().iter().map(|mv| mv.uci(chess::CastlingMode::Standard).to_string()).collect();
            let last = legal.last().cloned();
            let mut all = picked(fen, last.as_deref(), None);
            assert_eq!(all.first(), last.as_ref());
            all.sort();
            legal.sort();
            assert_eq!(all, legal, "{fen}");
        }
    }

    #[test]
    fn killers_come_before_other_quiet_moves_and_only_once_and_only_where_they_can_be_played() {
        let fen = "4k3/2p5/3p4/8/3q4/2P5/3Q4/4K3 w - - 0 1";
        let position: Position = fen.parse().unwrap();
        let [first, second, capture] = ["d2a2", "d2b2", "c3d4"].map(|text| position.parse_uci(text).unwrap());
        let usual = picked(fen, None, None);
        let all = picked_with_killers(fen, None, None, [Some(first), Some(second)]);
        assert_eq!(all[..4], ["c3d4", "d2d4", "d2a2", "d2b2"], "after the captures that win a queen");
        assert_eq!(all.len(), usual.len());
        // The table's move, a capture here, and a move of a piece that is not there
        let of_table = picked_with_killers(fen, Some("d2a2"), None, [Some(first), None]);
        assert_eq!(of_table, picked(fen, Some("d2a2"), None));
        let elsewhere = Position::initial().parse_uci("g1f3").unwrap();
        assert_eq!(picked_with_killers(fen, None, None, [Some(capture), Some(elsewhere)]), usual);
    }

    #[test]
    fn winning_captures_come_first_and_losing_ones_last() {
        // The pawn takes the queen; the queen could take a pawn that is protected
        let fen = "4k3/2p5/3p4/8/3q4/2P5/3Q4/4K3 w - - 0 1";
        let all = picked(fen, None, None);
        assert_eq!(all.first().map(String::as_str), Some("c3d4"));
        let fen = "4k3/2p5/3p4/8/8/2P5/3Q4/4K3 w - - 0 1";
        assert_eq!(picked(fen, None, None).last().map(String::as_str), Some("d2d6"));
        assert_eq!(picked(fen, None, Some(0)), Vec::<String>::new());
    }

    #[test]
    fn of_the_quiet_moves_only_checks_are_left_whenever_the_others_are_left_out() {
        let position: Position = "4k3/8/8/8/8/8/3R4/R3K3 w Q - 0 1".parse().unwrap();
        let (histories, tunables, checks) = (Histories::new(), Tunables::default(), Checks::new(&position));
        let context = Context {
            position: &position,
            tunables: &tunables,
            exchange: &tunables.exchange(),
            checks: &checks,
            rows: &[NO_ROW; 4],
            threats: Threats::default(),
        };
        for first in 0..4 {
            let mut picker = Picker::all(&position, None);
            for _ in 0..first {
                assert!(picker.next(&context, &histories).is_some());
            }
            picker.skip_quiets_without_check(&position, &checks);
            let rest: Vec<Move> = std::iter::from_fn(|| picker.next(&context, &histories)).collect();
            assert!(rest.iter().all(|&mv| checks.given_by(&position, mv)), "{rest:?}");
            // Three checks in all: Ra8, Rd8 and Re2; they come first
            assert_eq!(rest.len(), 3_usize.saturating_sub(first), "{rest:?}");
        }
    }
}
