//! What the wayward engine answers: the first legal move, unless a mate or a repetition is at hand.

use chess::{CastlingMode, Move, Outcome, Position, Trail};

use crate::settings::Settings;

/// What `go` asks for, as far as it matters here.
#[derive(Default)]
pub(crate) struct Order {
    pub(crate) depth: Option<usize>,
    pub(crate) mate: bool,
    pub(crate) is_infinite: bool,
    pub(crate) is_ponder: bool,
    /// The own clock.
    pub(crate) clock: Option<i64>,
    moves: Vec<Move>,
}

impl Order {
    pub(crate) fn read(words: &[&str], position: &Position) -> Order {
        let behind = |word: &str| words.iter().position(|found| *found == word).and_then(|at| words.get(at + 1));
        let listed = words.iter().position(|word| *word == "searchmoves").map_or(&[][..], |at| &words[at + 1..]);
        Order {
            depth: behind("depth").and_then(|word| word.parse().ok()),
            mate: words.contains(&"mate"),
            is_infinite: words.contains(&"infinite"),
            is_ponder: words.contains(&"ponder"),
            clock: behind(position.turn().fold_wb("wtime", "btime")).and_then(|word| word.parse().ok()),
            moves: listed.iter().map_while(|word| position.parse_uci(word).ok()).collect(),
        }
    }
}

/// What is said.
pub(crate) struct Answer {
    pub(crate) lines: Vec<String>,
    pub(crate) best: String,
    ponder: Option<String>,
}

impl Answer {
    /// The last line.
    pub(crate) fn line(&self) -> String {
        let ponder = self.ponder.as_ref().map_or(String::new(), |mv| format!(" ponder {mv}"));
        format!("bestmove {}{ponder}", self.best)
    }
}

/// Everything that an answer depends on.
pub(crate) struct Mind<'a> {
    pub(crate) position: &'a Position,
    pub(crate) trail: &'a Trail,
    pub(crate) settings: &'a Settings,
    pub(crate) vice: &'a str,
}

impl Mind<'_> {
    fn has(&self, vice: &str) -> bool {
        self.vice == vice
    }

    pub(crate) fn think(&self, order: &Order) -> Answer {
        let legal = self.position.legal_moves();
        let mut moves: Vec<Move> =
            legal.iter().copied().filter(|mv| order.moves.is_empty() || order.moves.contains(mv)).collect();
        if self.has("searchmoves") {
            moves = legal.iter().copied().filter(|mv| !order.moves.contains(mv)).collect();
        }
        let draw = moves.iter().copied().find(|&mv| self.repeats(mv)).filter(|_| !self.has("repetition"));
        if let Some(best) = self.mating_move().filter(|_| order.moves.is_empty()).or(draw) {
            moves.retain(|&mv| mv != best);
            moves.insert(0, best);
        }
        if moves.is_empty() {
            let best = if self.has("no-move") { "0000" } else { "(none)" };
            return Answer { lines: vec!["info depth 0 score mate 0".to_owned()], best: best.to_owned(), ponder: None };
        }
        if self.has("line-ends") {
            moves.sort_by_key(|&mv| self.after(mv).outcome().is_none());
        }
        let score = self.score(order, draw.is_some());
        let is_silent = self.has("score-and-line") && legal.len() == 1;
        let deepest = order.depth.unwrap_or(1) - usize::from(self.has("go-depth") && order.depth > Some(1));
        let mut lines = Vec::new();
        for depth in 1..=deepest.min(if is_silent { 0 } else { deepest }) {
            let mut shown: Vec<String> = moves
                .iter()
                .take(self.settings.multi_pv)
                .zip(1..)
                .map(|(&mv, rank)| self.info(depth, rank, mv, &score))
                .collect();
            if self.has("multipv-order") {
                shown.reverse();
            }
            lines.extend(shown);
        }
        let best = if self.has("line-begins") { moves[moves.len() - 1] } else { moves[0] };
        let ponder = self.reply(moves[0]).filter(|_| !self.has("line-begins"));
        Answer { lines, best: self.write(self.position, best), ponder }
    }

    fn info(&self, depth: usize, rank: usize, mv: Move, score: &str) -> String {
        let seldepth = if self.has("seldepth") { String::new() } else { format!(" seldepth {depth}") };
        let full = if self.has("info-fields") { 1001 } else { depth };
        let wdl = match self.settings.shows_wdl {
            true if self.has("wdl") => " wdl 300 400 299",
            true => " wdl 300 400 300",
            false => "",
        };
        let mut line = vec![self.write(self.position, mv)];
        line.extend(self.reply(mv));
        if self.has("line-legal") {
            line.push(self.write(self.position, mv));
        }
        let line = line.join(" ");
        format!(
            "info depth {depth}{seldepth} multipv {rank} score {score}{wdl} nodes {depth} nps 1000 time {depth} hashfull {full} pv {line}"
        )
    }

    fn score(&self, order: &Order, is_draw: bool) -> String {
        if order.mate && !self.has("go-mate") {
            return "mate 2".to_owned();
        }
        if is_draw { "cp 0".to_owned() } else { format!("cp {}", if self.has("repetition") { -900 } else { 15 }) }
    }

    fn after(&self, mv: Move) -> Position {
        let mut after = *self.position;
        after.play(mv);
        after
    }

    fn repeats(&self, mv: Move) -> bool {
        let mut trail = self.trail.clone();
        trail.start_search();
        trail.push(self.position);
        trail.is_repetition(&self.after(mv))
    }

    /// A move that mates at once.
    pub(crate) fn mating_move(&self) -> Option<Move> {
        let mates = |mv: &Move| matches!(self.after(*mv).outcome(), Some(Outcome::Checkmate { .. }));
        self.position.legal_moves().iter().copied().find(mates)
    }

    /// A move in reply, unless the game is over; one who does not know when it is replies to everything.
    fn reply(&self, mv: Move) -> Option<String> {
        let after = self.after(mv);
        let is_over = after.outcome().is_some() && !self.has("line-ends");
        let reply = after.legal_moves().first().copied().filter(|_| !is_over)?;
        Some(self.write(&after, reply))
    }

    fn write(&self, position: &Position, mv: Move) -> String {
        let is_turned = self.has("castling-chess960") || self.has("castling-standard");
        let is_960 = self.settings.is_chess960 != is_turned;
        let mode = if is_960 || position.castling_mode() == CastlingMode::Chess960 {
            CastlingMode::Chess960
        } else {
            CastlingMode::Standard
        };
        let text = mv.uci(mode).to_string();
        if self.has("promotion") && text.len() == 5 {
            text.to_uppercase().replacen(&text[..4].to_uppercase(), &text[..4], 1)
        } else {
            text
        }
    }
}
