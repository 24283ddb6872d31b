//! The hunt for mates: where a game looks decided, or where there is time to analyse, a share of the nodes asks nothing but
//! whether there is a forced mate.
//!
//! It is a proof-number search, depth first (Nagai's df-pn). A position where the attacker moves is proven by one move, one where the
//! defender moves by all of them, and the search always goes to where the least is missing: long mates that leave few
//! answers are proven in a few thousand nodes. What is proven goes to the transposition table, where the main search finds it.

use chess::{ByColor, Color, Move, Position, Trail};

use super::table::{Bound, Entry};
use super::value::{MATE, from_table, is_mate};
use super::worker::{Worker, is_draw};
use crate::pages::prefetch;

/// Positions that are remembered.
const PLACES: usize = 1 << 18;
/// Longer lines are not followed.
const DEEPEST: usize = 64;
/// More leaves than any proof can need.
const NEVER: u32 = 1 << 24;
/// After so many nodes of a search without a clock there is time to look for mates where nothing hints at one.
const LEISURE: u64 = 1 << 17;
/// Where the search has reached its last depth before its time is over, the hunt goes on as if it had so many nodes more.
pub(super) const SPARE: u64 = 1 << 21;
/// With fewer nodes a hunt is not taken up.
const SLICE: u64 = 4096;
/// After so many nodes at the most it is asked anew whether it is worth going on.
const STINT: u64 = 4 * SLICE;
/// Nodes with which a line that was proven may be proven again, where the memory of it is gone.
const SECOND_PROOF: u64 = 20_000;

/// What is known of a mate in a position.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct Numbers {
    /// Leaves that have to turn out well, at the least, for the mate to be proven.
    proof: u32,
    /// Leaves that have to turn out badly, at the least, until it is known that there is none.
    disproof: u32,
    /// Plies to a mate that is proven.
    distance: u16,
}

impl Numbers {
    const NO_MATE: Numbers = Numbers { proof: NEVER, disproof: 0, distance: 0 };
    const MATED: Numbers = Numbers { proof: 0, disproof: NEVER, distance: 0 };

    fn is_proven(self) -> bool {
        self.proof == 0
    }

    fn is_settled(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }
}

#[derive(Copy, Clone)]
struct Known {
    mark: u64,
    numbers: Numbers,
}

/// A move and what is known of the position after it.
struct Reply {
    mv: Move,
    /// None if the position is drawn on this path, whatever it is on others.
    key: Option<u64>,
    numbers: Numbers,
}

/// A mate that was proven at the root.
struct Mate {
    attacker: Color,
    /// The value for the side to move.
    value: i32,
    line: Vec<Move>,
}

/// Whether one side mates.
#[derive(Copy, Clone, Default)]
struct Question {
    /// Nodes of this search that were spent on it.
    nodes: u64,
    /// Leaves that were still to be proven when it was last asked.
    proof: u32,
    /// Whether it is answered.
    is_over: bool,
}

/// What a thread remembers of its hunts.
pub(super) struct Hunt {
    /// Made when it is first needed.
    known: Vec<Known>,
    /// Changed for each search, so that nothing that belongs to another one is found again.
    salt: u64,
    /// Where the search began, and the value of its last iteration.
    root: Option<(Position, i32)>,
    /// The game before the root, and the line that is looked at.
    trail: Trail,
    /// Who is to mate at the moment.
    attacker: Color,
    questions: ByColor<Question>,
    is_running: bool,
    mate: Option<Mate>,
    /// Whether a mate was proven in the middle of an iteration, which is given up for it.
    is_news: bool,
}

impl Hunt {
    pub(super) fn new() -> Hunt {
        Hunt {
            known: Vec::new(),
            salt: 0,
            root: None,
            trail: Trail::new(),
            attacker: Color::White,
            questions: ByColor::default(),
            is_running: false,
            mate: None,
            is_news: false,
        }
    }

    /// A new search begins.
    pub(super) fn prepare(&mut self) {
        *self = Hunt {
            known: std::mem::take(&mut self.known),
            salt: self.salt.wrapping_add(0x9e37_79b9_7f4a_7c15),
            ..Hunt::new()
        };
    }

    /// An iteration has ended with this value.
    pub(super) fn note(&mut self, root: &Position, value: i32) {
        self.root = Some((*root, value));
    }

    /// Nodes of this search that were spent on hunts.
    pub(super) fn nodes(&self) -> u64 {
        self.questions.white.nodes + self.questions.black.nodes
    }

    /// Whether a mate was proven since this was last asked.
    pub(super) fn take_news(&mut self) -> bool {
        std::mem::take(&mut self.is_news)
    }

    /// Whether a mate was proven in this search.
    pub(super) fn has_mate(&self) -> bool {
        self.mate.is_some()
    }

    fn is_attacker(&self, position: &Position) -> bool {
        position.turn() == self.attacker
    }

    /// What marks an entry as this position's, this search's and this attacker's.
    fn mark(&self, key: u64) -> u64 {
        key ^ self.attacker.fold_wb(self.salt, !self.salt)
    }

    fn prefetch(&self, key: u64) {
        prefetch(&self.known[key as usize % PLACES]);
    }

    fn get(&self, key: u64) -> Option<Numbers> {
        let known = self.known[key as usize % PLACES];
        (known.mark == self.mark(key)).then_some(known.numbers)
    }

    fn set(&mut self, key: u64, numbers: Numbers) {
        self.known[key as usize % PLACES] = Known { mark: self.mark(key), numbers };
    }
}

impl Worker<'_> {
    /// Looks for forced mates: of the side to move if it is far ahead or if that is asked for, and of both sides where there is
    /// time to analyse. `spare`: as if so many nodes more had been searched.
    pub(super) fn hunt(&mut self, spare: u64) {
        let Some((root, value)) = &self.scratch.hunt.root else { return };
        let (turn, value) = (root.turn(), *value);
        if self.scratch.hunt.is_running || self.shared.multi_pv > 1 || is_mate(value) {
            return;
        }
        for attacker in [turn, !turn] {
            while self.scratch.hunt.mate.is_none()
                && !self.is_stopped
                && let nodes = self.nodes_to_hunt(attacker, attacker == turn, value, spare)
                && nodes >= SLICE
            {
                self.hunt_for(attacker, nodes.min(STINT));
            }
        }
    }

    /// With how many nodes more a mate by this side is worth looking for: a share of the search's, the smaller the more is missing.
    fn nodes_to_hunt(&self, attacker: Color, is_own: bool, value: i32, spare: u64) -> u64 {
        let (tunables, deadline) = (self.shared.tunables, &self.shared.deadline);
        let question = self.scratch.hunt.questions.get(attacker);
        let is_asked = is_own && deadline.mate.is_some();
        let percent = match () {
            () if question.is_over => 0,
            () if is_asked => 100,
            () if is_own && value >= tunables.hunt_value && !deadline.is_analysis => tunables.hunt_share,
            () if deadline.is_analysis && self.nodes + spare >= LEISURE => tunables.hunt_analysis,
            () => 0,
        };
        let patience = (tunables.hunt_patience as u64).pow(2);
        let doubt = if is_asked { 0 } else { u64::from(question.proof).pow(2) };
        let share = (self.tree_nodes() + spare) * percent as u64 / 100 * patience / (patience + doubt);
        share.saturating_sub(question.nodes)
    }

    /// Looks for a mate by this side with so many nodes.
    fn hunt_for(&mut self, attacker: Color, nodes: u64) {
        let hunt = &mut self.scratch.hunt;
        let Some((root, _)) = hunt.root else { return };
        hunt.is_running = true;
        hunt.attacker = attacker;
        hunt.known.resize(PLACES, Known { mark: 0, numbers: Numbers::NO_MATE });
        hunt.trail = self.trail.at_root();
        let start = self.nodes;
        let moves: Vec<Move> = self.root_moves.iter().map(|root_move| root_move.mv).collect();
        let numbers = self.prove(&root, &moves, (NEVER, NEVER), 0, start + nodes);
        if numbers.is_proven()
            && let Some(line) = self.mating_line(&root, &moves)
            && line.len() >= usize::from(numbers.distance)
            && let value = MATE - line.len() as i32
            && from_table(value, 0, root.halfmove_clock()).is_some()
        {
            let value = if root.turn() == attacker { value } else { -value };
            self.scratch.hunt.mate = Some(Mate { attacker, value, line });
            self.scratch.hunt.is_news = true;
            self.is_stopped = true;
        }
        let spent = self.nodes - start;
        let hunt = &mut self.scratch.hunt;
        let question = hunt.questions.get_mut(attacker);
        question.nodes += spent;
        question.proof = numbers.proof;
        question.is_over = numbers.is_settled();
        hunt.is_running = false;
    }

    /// Puts a mate that is proven in the place of a value that is worse, or better for the side that is mated.
    pub(super) fn hold_to_proof(&mut self, turn: Color) {
        let Some(mate) = &self.scratch.hunt.mate else { return };
        let best = self.root_moves[0].value;
        let is_as_good = if mate.attacker == turn { best >= mate.value } else { best <= mate.value };
        let place = self.root_moves.iter().position(|root_move| root_move.mv == mate.line[0]);
        if let Some(place) = place.filter(|_| !is_as_good) {
            let root_move = &mut self.root_moves[place];
            root_move.value = mate.value;
            root_move.bound = Bound::Exact;
            root_move.deepest = root_move.deepest.max(mate.line.len());
            root_move.line.clone_from(&mate.line);
            self.root_moves[..=place].rotate_right(1);
        }
    }

    /// Searches for a proof until one of its numbers reaches its limit (proof, disproof) or the nodes are spent.
    fn prove(&mut self, position: &Position, moves: &[Move], limits: (u32, u32), ply: usize, until: u64) -> Numbers {
        self.nodes += 1;
        self.must_stop();
        let is_attack = self.scratch.hunt.is_attacker(position);
        self.scratch.hunt.trail.push(position);
        for &mv in moves {
            self.scratch.hunt.prefetch(position.likely_key_after(mv));
        }
        let mut replies: Vec<Reply> = moves.iter().map(|&mv| self.reply(position, mv, ply)).collect();
        let numbers = loop {
            for reply in &mut replies {
                let known = reply.key.and_then(|key| self.scratch.hunt.get(key));
                reply.numbers = known.unwrap_or(reply.numbers);
            }
            let numbers = combine(&replies, is_attack);
            if numbers.is_settled()
                || numbers.proof >= limits.0
                || numbers.disproof >= limits.1
                || self.nodes >= until
                || self.is_stopped
            {
                break numbers;
            }
            let (place, limits) = choose(&replies, is_attack, numbers, limits);
            let mut child = *position;
            child.play(replies[place].mv);
            replies[place].numbers = self.prove(&child, &child.legal_moves(), limits, ply + 1, until);
        };
        self.scratch.hunt.trail.pop();
        let key = position.keys().full();
        self.scratch.hunt.set(key, numbers);
        // At the root not all moves may be allowed; what takes longer than fifty moves is never asked for
        if numbers.is_proven() && ply > 0 && numbers.distance < 100 {
            let value = MATE - i32::from(numbers.distance);
            let entry = Entry {
                mv: best_proven(&replies, is_attack),
                value: if is_attack { value } else { -value },
                eval: None,
                depth: i32::from(numbers.distance),
                bound: if is_attack { Bound::Lower } else { Bound::Upper },
                was_pv: false,
            };
            self.shared.table.set(key, entry);
        }
        numbers
    }

    /// What is known of the position after a move, at a first look at least.
    fn reply(&mut self, position: &Position, mv: Move, ply: usize) -> Reply {
        let mut child = *position;
        child.play(mv);
        let key = child.keys().full();
        let numbers = self.scratch.hunt.get(key).unwrap_or_else(|| {
            let numbers = self.first_look(&child);
            self.scratch.hunt.set(key, numbers);
            numbers
        });
        if !numbers.is_settled() && (ply + 1 >= DEEPEST || is_draw(&self.scratch.hunt.trail, &child)) {
            return Reply { mv, key: None, numbers: Numbers::NO_MATE };
        }
        Reply { mv, key: Some(key), numbers }
    }

    /// What the number of legal moves says of a position: the fewer answers to an attack, the nearer the mate.
    fn first_look(&mut self, position: &Position) -> Numbers {
        self.nodes += 1;
        self.must_stop();
        let count = position.count_legal_moves() as u32;
        let is_attack = self.scratch.hunt.is_attacker(position);
        match (count, is_attack) {
            (0, false) if position.is_check() => Numbers::MATED,
            (0, _) => Numbers::NO_MATE,
            (_, true) => Numbers { proof: 1, disproof: 1 + count / 8, distance: 0 },
            (_, false) => Numbers { proof: count, disproof: 1, distance: 0 },
        }
    }

    /// The line to a mate that is proven: the shortest way that is known, against the longest defence.
    fn mating_line(&mut self, root: &Position, root_moves: &[Move]) -> Option<Vec<Move>> {
        let until = self.nodes + SECOND_PROOF;
        let (mut position, mut line) = (*root, Vec::new());
        let mut moves = root_moves.to_vec();
        while line.len() < DEEPEST {
            let is_attack = self.scratch.hunt.is_attacker(&position);
            if is_attack && !self.scratch.hunt.get(position.keys().full()).is_some_and(Numbers::is_proven) {
                self.prove(&position, &moves, (NEVER, NEVER), line.len(), until);
            }
            self.scratch.hunt.trail.push(&position);
            let mut replies: Vec<Reply> = moves.iter().map(|&mv| self.reply(&position, mv, line.len())).collect();
            for reply in replies.iter_mut().filter(|_| !is_attack) {
                if !reply.numbers.is_proven() {
                    let mut child = position;
                    child.play(reply.mv);
                    reply.numbers = self.prove(&child, &child.legal_moves(), (NEVER, NEVER), line.len() + 1, until);
                }
            }
            let mv = best_proven(&replies, is_attack)?;
            line.push(mv);
            position.play(mv);
            moves = position.legal_moves().to_vec();
            if moves.is_empty() {
                return position.is_check().then_some(line);
            }
        }
        None
    }
}

/// The numbers of a position: one reply is enough for the side to move, the other needs all.
fn combine(replies: &[Reply], is_attack: bool) -> Numbers {
    let (mut least, mut sum) = (NEVER, 0);
    for reply in replies {
        let (own, others) = turned(reply.numbers, is_attack);
        least = least.min(own);
        sum = (sum + others).min(NEVER);
    }
    let (proof, disproof) = if is_attack { (least, sum) } else { (sum, least) };
    if disproof == 0 {
        return Numbers::NO_MATE;
    }
    if proof > 0 {
        return Numbers { proof, disproof, distance: 0 };
    }
    let distances = replies.iter().filter(|reply| reply.numbers.is_proven()).map(|reply| reply.numbers.distance + 1);
    let distance = if is_attack { distances.min() } else { distances.max() };
    Numbers { proof, disproof: NEVER, distance: distance.unwrap_or(0) }
}

/// What the side to move has to do to settle the position in its favour, then what the other has to.
fn turned(numbers: Numbers, is_attack: bool) -> (u32, u32) {
    if is_attack { (numbers.proof, numbers.disproof) } else { (numbers.disproof, numbers.proof) }
}

/// The reply in which the least is missing to settle the position for the side to move, and the limits (proof, disproof) up to which
/// it is worth staying there: a little beyond the second best, so that the search does not jump to and fro.
fn choose(replies: &[Reply], is_attack: bool, all: Numbers, limits: (u32, u32)) -> (usize, (u32, u32)) {
    let (mut place, mut best, mut second) = (0, (u32::MAX, u32::MAX), u32::MAX);
    for (index, reply) in replies.iter().enumerate() {
        let numbers = turned(reply.numbers, is_attack);
        if numbers < best {
            second = best.0;
            (place, best) = (index, numbers);
        } else {
            second = second.min(numbers.0);
        }
    }
    let (own_limit, others_limit) = if is_attack { limits } else { (limits.1, limits.0) };
    let own = own_limit.min(second.saturating_add(second / 8 + 1));
    let others = others_limit.saturating_sub(turned(all, is_attack).1 - best.1).min(NEVER);
    (place, if is_attack { (own, others) } else { (others, own) })
}

/// The shortest way to the mate, or the longest defence.
fn best_proven(replies: &[Reply], is_attack: bool) -> Option<Move> {
    let proven = replies.iter().filter(|reply| reply.numbers.is_proven());
    let best = match is_attack {
        true => proven.min_by_key(|reply| reply.numbers.distance),
        false if proven.clone().count() < replies.len() => None,
        false => proven.max_by_key(|reply| reply.numbers.distance),
    };
    best.map(|reply| reply.mv)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::search::{Limits, Memory, Report, Signal, Task, search};
    use crate::{Tunables, Weights};
    use chess::Outcome;

    /// What a search says that hunts for mates from the beginning. It ends with the first one.
    fn hunted(fen: &str, limits: Limits) -> Report {
        let weights = Arc::new(Weights::load("default").unwrap());
        let mut task = Task::new(fen.parse().unwrap(), weights, limits);
        task.tunables =
            Arc::new(Tunables { hunt_value: -MATE, hunt_share: 100, hunt_analysis: 100, ..Tunables::default() });
        let signal = Signal::new(false);
        let mut stop_at_mate = |report: &Report| {
            if is_mate(report.value) {
                signal.stop();
            }
        };
        search(&task, &mut Memory::new(1).unwrap(), &signal, &mut stop_at_mate).unwrap()
    }

    fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// The report's mate in plies, which its line really gives.
    fn mate(fen: &str, report: &Report) -> Option<i32> {
        is_mate(report.value).then(|| {
            let mut position: Position = fen.parse().unwrap();
            for &mv in &report.line {
                assert!(position.is_legal(mv), "{fen}: {:?}", report.line);
                position.play(mv);
            }
            assert!(matches!(position.outcome(), Some(Outcome::Checkmate { .. })), "{fen}: {:?}", report.line);
            assert_eq!(MATE - report.value.abs(), report.line.len() as i32, "{fen}");
            report.line.len() as i32 * report.value.signum()
        })
    }

    /// Lasker against Thomas, London 1912: the king is led from g8 to g1.
    const LASKER: &str = "rn3rk1/pbppq1pp/1p2pb2/4N2Q/3PN3/3B4/PPP2PPP/R3K2R w KQ - 7 11";

    #[test]
    fn a_long_mate_is_proven_for_the_side_that_gives_it() {
        assert!(matches!(mate(LASKER, &hunted(LASKER, nodes(60_000))), Some(13..=31)));
    }

    #[test]
    fn a_long_mate_is_proven_for_the_side_that_suffers_it() {
        let fen = "rn3rk1/pbppq1pQ/1p2pb2/4N3/3PN3/3B4/PPP2PPP/R3K2R b KQ - 0 11";
        let analysis = Limits { movetime: Some(30_000), ..Limits::default() };
        assert!(matches!(mate(fen, &hunted(fen, analysis)), Some(-30..=-12)));
    }

    #[test]
    fn where_checks_go_on_for_ever_there_is_no_mate() {
        let fen = "6k1/5p1p/8/8/8/7P/qr3PP1/3Q2K1 w - - 0 1";
        assert_eq!(mate(fen, &hunted(fen, nodes(60_000))), None);
    }

    #[test]
    fn a_mate_that_comes_too_late_for_the_fifty_moves_is_none() {
        let (early, late) = ("8/8/8/8/4k3/8/8/QK6 w - - 0 80", "8/8/8/8/4k3/8/8/QK6 w - - 88 80");
        assert!(mate(early, &hunted(early, nodes(200_000))).is_some());
        assert_eq!(mate(late, &hunted(late, nodes(200_000))), None);
    }
}
