//! When the referee steps in: draws and resignations by the players' own scores, tables, and games without end.

use std::sync::Arc;
use std::time::Duration;

use chess::{Color, Position};
use engine::{Tablebases, Wdl};

use super::game::{Ending, Ply, Winner};
use super::info::Score;

/// What a referee goes by, beside the rules of chess.
#[derive(Clone)]
pub struct Rules {
    /// By how much a clock may be overstepped.
    pub margin: Duration,
    /// How long an engine without a clock may think before it counts as stalled.
    pub patience: Duration,
    /// A draw by scores.
    pub draw: Option<DrawRule>,
    /// A resignation by scores.
    pub resign: Option<ResignRule>,
    /// After so many moves of each side the game is a draw.
    pub max_moves: Option<u32>,
    /// Tables that end a game.
    pub tables: Option<Arc<Tablebases>>,
}

impl Default for Rules {
    fn default() -> Rules {
        let patience = Duration::from_secs(60);
        Rules { margin: Duration::ZERO, patience, draw: None, resign: None, max_moves: None, tables: None }
    }
}

/// A draw when both sides have thought so for a while.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct DrawRule {
    /// Not before this move of the game.
    pub movenumber: u32,
    /// For so many moves of each side in a row, without a capture or a pawn move between them.
    pub movecount: u32,
    /// In hundredths of a pawn, at most so far from level.
    pub score: i32,
}

/// A resignation when a side has thought itself lost for a while.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct ResignRule {
    /// For so many of its moves in a row.
    pub movecount: u32,
    /// In hundredths of a pawn, at least so far behind.
    pub score: i32,
    /// Whether the other side must think so too.
    pub twosided: bool,
}

/// A game longer than this, in plies, is a draw without any rule.
const LONGEST: usize = 2000;

impl Rules {
    /// How the game ends here by these rules, if it does.
    pub(super) fn ending(&self, position: &Position, plies: &[Ply]) -> Option<Ending> {
        self.by_tables(position)
            .or_else(|| self.by_resignation(position, plies))
            .or_else(|| self.by_agreement(position, plies))
            .or_else(|| self.by_length(plies))
    }

    fn by_agreement(&self, position: &Position, plies: &[Ply]) -> Option<Ending> {
        let rule = self.draw?;
        let count = 2 * rule.movecount as usize;
        // Only moves since the last capture or pawn move
        let is_long_enough = plies.len() >= count && position.halfmove_clock() as usize >= count;
        let is_level = |ply: &Ply| ply.score.is_some_and(|score| score.centipawns().abs() <= rule.score);
        let agreed = is_long_enough
            && position.fullmove_number() >= rule.movenumber
            && plies[plies.len() - count..].iter().all(is_level);
        agreed.then(|| adjudicated(Winner::Draw, "draw by adjudication"))
    }

    fn by_resignation(&self, position: &Position, plies: &[Ply]) -> Option<Ending> {
        let rule = self.resign?;
        let count = rule.movecount as usize;
        // The side that has just moved is the one that may resign
        let loser = !position.turn();
        let own = plies.iter().rev().step_by(2).take(count);
        let other = plies.iter().rev().skip(1).step_by(2).take(count);
        let score = |ply: &Ply| ply.score.map_or(0, Score::centipawns);
        let is_lost = plies.len() >= 2 * count && own.clone().all(|ply| score(ply) <= -rule.score);
        let is_agreed = !rule.twosided || other.clone().all(|ply| score(ply) >= rule.score);
        let reason = loser.fold_wb("White resigns by adjudication", "Black resigns by adjudication");
        (is_lost && is_agreed).then(|| adjudicated(Winner::Side(!loser), reason))
    }

    fn by_tables(&self, position: &Position) -> Option<Ending> {
        let winner = known_winner(self.tables.as_ref()?, position)?;
        let reason = match winner {
            Winner::Side(Color::White) => "White wins by tablebase adjudication",
            Winner::Side(Color::Black) => "Black wins by tablebase adjudication",
            Winner::Draw => "draw by tablebase adjudication",
        };
        Some(adjudicated(winner, reason))
    }

    fn by_length(&self, plies: &[Ply]) -> Option<Ending> {
        let longest = self.max_moves.map_or(LONGEST, |moves| 2 * moves as usize);
        (plies.len() >= longest).then(|| adjudicated(Winner::Draw, "draw by the limit of moves"))
    }
}

/// Who wins, if tables know: they know results right after a capture or pawn move.
pub(crate) fn known_winner(tables: &Tablebases, position: &Position) -> Option<Winner> {
    if position.halfmove_clock() != 0 {
        return None;
    }
    Some(match tables.wdl(position)? {
        Wdl::Win => Winner::Side(position.turn()),
        Wdl::Loss => Winner::Side(!position.turn()),
        Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => Winner::Draw,
    })
}

fn adjudicated(winner: Winner, reason: &str) -> Ending {
    Ending { winner, reason: reason.to_owned(), is_incident: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Knights go out and back; each move with a score of its side.
    fn shuffle(scores: &[i32]) -> (Position, Vec<Ply>) {
        let mut position = Position::initial();
        let moves = ["g1f3", "g8f6", "f3g1", "f6g8"];
        let plies = scores.iter().zip(moves.iter().cycle()).map(|(&score, text)| {
            let mv = position.parse_uci(text).unwrap();
            position.play(mv);
            Ply { mv, score: Some(Score::Centipawns(score)), depth: 1, time: Duration::ZERO }
        });
        let plies = plies.collect();
        (position, plies)
    }

    fn ending(rules: &Rules, scores: &[i32]) -> Option<String> {
        let (position, plies) = shuffle(scores);
        rules.ending(&position, &plies).map(|ending| ending.reason)
    }

    #[test]
    fn a_draw_needs_both_sides_for_long_enough() {
        let draw = Some(DrawRule { movenumber: 4, movecount: 3, score: 10 });
        let rules = Rules { draw, ..Rules::default() };
        let drawn = Some("draw by adjudication".to_owned());
        assert_eq!(ending(&rules, &[5, -5, 10, -10, 0, 3]), drawn);
        assert_eq!(ending(&rules, &[5, -5, 10, -10, 0]), None, "too early");
        assert_eq!(ending(&rules, &[5, -5, 11, -10, 0, 3]), None, "somebody hopes");
        assert_eq!(ending(&rules, &[99, 99, 5, -5, 10, -10, 0, 3]), drawn);
        let later = Rules { draw: Some(DrawRule { movenumber: 5, movecount: 3, score: 10 }), ..Rules::default() };
        assert_eq!(ending(&later, &[5, -5, 10, -10, 0, 3]), None, "not before the move that was named");
    }

    #[test]
    fn a_capture_or_pawn_move_begins_the_count_anew() {
        let rules = Rules { draw: Some(DrawRule { movenumber: 1, movecount: 1, score: 10 }), ..Rules::default() };
        let mut position = Position::initial();
        let mut plies = Vec::new();
        let mut play = |text: &str| {
            let mv = position.parse_uci(text).unwrap();
            position.play(mv);
            plies.push(Ply { mv, score: Some(Score::Centipawns(0)), depth: 1, time: Duration::ZERO });
            rules.ending(&position, &plies).is_some()
        };
        assert_eq!(["e2e4", "e7e5", "g1f3", "b8c6"].map(&mut play), [false, false, false, true]);
    }

    #[test]
    fn a_side_that_thinks_itself_lost_resigns() {
        let one = ResignRule { movecount: 2, score: 500, twosided: false };
        let rules = Rules { resign: Some(one), ..Rules::default() };
        assert_eq!(ending(&rules, &[0, -500, 0, -600]).as_deref(), Some("Black resigns by adjudication"));
        assert_eq!(ending(&rules, &[-700, 0, -500, 0, -600]).as_deref(), Some("White resigns by adjudication"));
        assert_eq!(ending(&rules, &[0, -499, 0, -600]), None);
        assert_eq!(ending(&rules, &[0, -600]), None, "too early");
        let both = Rules { resign: Some(ResignRule { twosided: true, ..one }), ..Rules::default() };
        assert_eq!(ending(&both, &[0, -500, 600, -600]), None, "the other side does not agree");
        assert!(ending(&both, &[500, -500, 600, -600]).is_some());
    }

    #[test]
    fn mates_count_as_more_than_any_score_and_silence_as_level() {
        let rules = Rules {
            resign: Some(ResignRule { movecount: 1, score: 20_000, twosided: false }),
            draw: Some(DrawRule { movenumber: 1, movecount: 1, score: i32::MAX - 1 }),
            ..Rules::default()
        };
        let (position, mut plies) = shuffle(&[0, 0]);
        plies[1].score = Some(Score::Mate(-3));
        assert_eq!(rules.ending(&position, &plies).unwrap().reason, "Black resigns by adjudication");
        plies[1].score = None;
        assert!(rules.ending(&position, &plies).is_none());
    }

    #[test]
    fn a_game_without_end_is_a_draw() {
        let rules = Rules { max_moves: Some(2), ..Rules::default() };
        assert_eq!(ending(&rules, &[0, 0, 0]), None);
        assert_eq!(ending(&rules, &[0, 0, 0, 0]).as_deref(), Some("draw by the limit of moves"));
    }
}
