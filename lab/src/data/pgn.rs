//! Positions of games in PGN, with the scores that are written beside moves.
//!
//! | comment behind a move | whose score | in whose view |
//! |---|---|---|
//! | `{+0.31/12 0.5s}`, `{-M4/20 1.2s}` | the position before the move | the mover's |
//! | `{… wv=0.31, …}` | the position before the move | White's |
//! | `{[%eval 0.31]}`, `{[%eval #-4]}` | the position after the move | White's |
//!
//! The first are those of cutechess-cli, fastchess and this program's matches, the second TCEC's, the third Lichess's.

use std::borrow::Cow;
use std::ops::ControlFlow;

use chess::{Move, Position};
use memchr::{memchr, memchr2_iter, memrchr2};
use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Visitor};
use shakmaty::san::San;
use shakmaty::{Chess, Color, KnownOutcome, Outcome, Position as _, Role, Square};
use thiserror::Error;

use super::sample::Sample;
use super::strays::{marked, stray};

/// A mate is worth this less its distance in moves, and nothing is worth more.
pub(super) const MATE: i32 = 30_000;
/// Longer comments come in parts.
const COMMENT: usize = 1 << 13;

/// Why a game of a PGN file cannot be used.
#[derive(Clone, Eq, PartialEq, Debug, Error)]
pub enum PgnError {
    /// It has no result.
    #[error("the game has no result")]
    NoResult,
    /// Its rules are others.
    #[error("the variant {0:?} is not chess")]
    Variant(String),
    /// It begins with an impossible position.
    #[error(transparent)]
    Start(#[from] chess::FenError),
    /// A move that cannot be played.
    #[error("{mv} is not legal at ply {ply}")]
    Illegal {
        /// The move.
        mv: String,
        /// Its ply, from 1.
        ply: usize,
    },
    /// Something that is no move stands where one should.
    #[error("{word:?} is no move at ply {ply}")]
    NoMove {
        /// What stands there.
        word: String,
        /// The ply of the move that is missing, from 1.
        ply: usize,
    },
}

/// Where a game begins in a text.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) struct Start {
    pub(super) at: usize,
    /// Lines before it.
    pub(super) lines: u64,
}

/// Where games begin: at tags whose line before, empty ones left out, is no tag.
pub(super) fn starts(text: &[u8]) -> impl Iterator<Item = Start> {
    let (mut at, mut lines, mut was_tag) = (0, 0, false);
    std::iter::from_fn(move || {
        while at < text.len() {
            let line = &text[at..memchr(b'\n', &text[at..]).map_or(text.len(), |end| at + end)];
            let start = Start { at, lines };
            at += line.len() + 1;
            lines += 1;
            if line.trim_ascii().is_empty() {
                continue;
            }
            let before = std::mem::replace(&mut was_tag, is_tag(line));
            if was_tag && !before {
                return Some(start);
            }
        }
        None
    })
}

/// Whether a line is a tag such as `[White "?"]`.
fn is_tag(line: &[u8]) -> bool {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    let Some(name) = line.strip_prefix(b"[") else { return false };
    let length = name.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    length > 0 && name[length..].trim_ascii_start().starts_with(b"\"")
}

/// The positions of a text's games, and what was wrong with others: by the line on which they begin.
pub(super) fn read(text: &[u8], first: u64, mut take: impl FnMut(Sample), mut complain: impl FnMut(u64, PgnError)) {
    let mut games = starts(text).peekable();
    while let Some(start) = games.next() {
        let end = games.peek().map_or(text.len(), |next| next.at);
        let number = first + start.lines;
        let game = with_plain_promotions(&text[start.at..end]);
        let game = marked(&game, &mut false);
        let mut reader = Reader::build(&game[..]).set_supported_comment_length(COMMENT).finish();
        // Nothing is read but memory, which does not fail
        match reader.read_game(&mut Replay) {
            Ok(Some(Ok(game))) => game.samples(number).for_each(&mut take),
            Ok(Some(Err(error))) => complain(number, error),
            Ok(None) | Err(_) => complain(number, PgnError::NoResult),
        }
    }
}

/// Whether a variant is played by the rules that we know.
pub(crate) fn is_chess(variant: &str) -> bool {
    let plain: String = variant.to_lowercase().chars().filter(char::is_ascii_alphanumeric).collect();
    let known = ["", "chess", "standard", "normal", "fromposition", "chess960", "fischerandom", "fischerrandom"];
    known.contains(&plain.as_str()) || known.map(|known| format!("{known}chess")).contains(&plain) || plain == "frc"
}

/// The text with promotions that are written as squares, `e7e8q`, as a reader of SAN takes them: `e7e8=Q`. Comments stay.
pub(super) fn with_plain_promotions(text: &[u8]) -> Cow<'_, [u8]> {
    let (mut plain, mut done) = (Vec::new(), 0);
    for rank in memchr2_iter(b'1', b'8', text) {
        let Some(start) = rank.checked_sub(3) else { continue };
        let is_file = |at: usize| (b'a'..=b'h').contains(&text[at]);
        let is_promotion = is_file(start)
            && matches!(text[start + 1], b'2' | b'7')
            && is_file(start + 2)
            && text.get(rank + 1).is_some_and(|role| b"qrbn".contains(role))
            && !text.get(rank + 2).is_some_and(u8::is_ascii_alphanumeric)
            && (start == 0 || !text[start - 1].is_ascii_alphabetic());
        let is_in_comment = || memrchr2(b'{', b'}', &text[..start]).is_some_and(|at| text[at] == b'{');
        if is_promotion && !is_in_comment() {
            plain.extend_from_slice(&text[done..=rank]);
            plain.extend([b'=', text[rank + 1].to_ascii_uppercase()]);
            done = rank + 2;
        }
    }
    if done == 0 {
        return Cow::Borrowed(text);
    }
    plain.extend_from_slice(&text[done..]);
    Cow::Owned(plain)
}

/// A legal move, as games write it.
pub(super) fn find_move(position: &Position, san: &San) -> Option<Move> {
    let found = san.to_move(&position.to_shakmaty()).ok().and_then(Move::from_shakmaty);
    found.filter(|mv| position.is_legal(*mv)).or_else(|| read_squares(position, san))
}

/// A legal move that is written as its squares, `g1f3`: to a reader of SAN it looks like one of a pawn.
fn read_squares(position: &Position, san: &San) -> Option<Move> {
    let San::Normal { role: Role::Pawn, file: Some(file), rank: Some(rank), to, promotion, .. } = san else {
        return None;
    };
    let promotion = promotion.map_or(String::new(), |role| role.char().to_string());
    position.parse_uci(&format!("{}{to}{promotion}", Square::from_coords(*file, *rank))).ok()
}

/// Plays games over.
struct Replay;

/// What tags say.
#[derive(Default)]
struct Tags {
    fen: Option<String>,
    variant: Option<String>,
    result: Option<f64>,
}

/// A game on its way.
struct Game {
    board: Chess,
    position: Position,
    result: Option<f64>,
    plies: Vec<Ply>,
    /// The value of the position that is reached, if the last comment gave it.
    value: Option<i32>,
}

struct Ply {
    position: Position,
    mv: Move,
    /// White's view.
    value: Option<i32>,
}

impl Game {
    fn samples(self, game: u64) -> impl Iterator<Item = Sample> {
        let result = self.result.unwrap_or(0.5);
        self.plies.into_iter().map(move |Ply { position, mv, value }| Sample {
            position,
            result,
            value,
            game,
            ply: Some(Sample::ply_of(&position)),
            best: Some(mv),
        })
    }
}

impl Visitor for Replay {
    type Tags = Tags;
    type Movetext = Game;
    type Output = Result<Game, PgnError>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Tags> {
        ControlFlow::Continue(Tags::default())
    }

    fn tag(&mut self, tags: &mut Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
        let text = || Some(value.decode_utf8_lossy().into_owned());
        if name.eq_ignore_ascii_case(b"FEN") {
            tags.fen = text();
        } else if name.eq_ignore_ascii_case(b"Variant") {
            tags.variant = text();
        } else if name.eq_ignore_ascii_case(b"Result") {
            tags.result = Outcome::from_ascii(value.as_bytes()).ok().and_then(points);
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Tags) -> ControlFlow<Self::Output, Game> {
        if let Some(variant) = tags.variant.filter(|variant| !is_chess(variant)) {
            return ControlFlow::Break(Err(PgnError::Variant(variant)));
        }
        let position = match tags.fen.map(|fen| fen.parse::<Position>()) {
            Some(Ok(position)) => position,
            Some(Err(error)) => return ControlFlow::Break(Err(error.into())),
            None => Position::initial(),
        };
        let board = position.to_shakmaty();
        ControlFlow::Continue(Game { board, position, result: tags.result, plies: Vec::new(), value: None })
    }

    fn san(&mut self, game: &mut Game, san: SanPlus) -> ControlFlow<Self::Output> {
        let found = san.san.to_move(&game.board).ok().and_then(|mv| Some((Some(mv), Move::from_shakmaty(mv)?)));
        let found = found.filter(|(_, mv)| game.position.is_legal(*mv));
        let found = found.or_else(|| Some((None, read_squares(&game.position, &san.san)?)));
        let Some((theirs, mv)) = found else {
            let ply = game.plies.len() + 1;
            return ControlFlow::Break(Err(PgnError::Illegal { mv: san.to_string(), ply }));
        };
        game.plies.push(Ply { position: game.position, mv, value: game.value.take() });
        game.position.play(mv);
        match theirs {
            Some(theirs) => game.board.play_unchecked(theirs),
            None => game.board = game.position.to_shakmaty(),
        }
        ControlFlow::Continue(())
    }

    fn comment(&mut self, game: &mut Game, comment: RawComment<'_>) -> ControlFlow<Self::Output> {
        if let Some(word) = stray(comment.as_bytes()) {
            return ControlFlow::Break(Err(PgnError::NoMove { word, ply: game.plies.len() + 1 }));
        }
        let Some(ply) = game.plies.last_mut() else { return ControlFlow::Continue(()) };
        match Remark::read(&String::from_utf8_lossy(comment.as_bytes())) {
            Some(Remark::Mover(value)) => ply.value = Some(ply.position.turn().fold_wb(value, -value)),
            Some(Remark::White(value)) => ply.value = Some(value),
            Some(Remark::After(value)) => game.value = Some(value),
            None => (),
        }
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, game: &mut Game, outcome: Outcome) -> ControlFlow<Self::Output> {
        game.result = points(outcome).or(game.result);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, game: Game) -> Self::Output {
        if game.result.is_some() { Ok(game) } else { Err(PgnError::NoResult) }
    }
}

fn points(outcome: Outcome) -> Option<f64> {
    Some(match outcome {
        Outcome::Known(KnownOutcome::Decisive { winner: Color::White }) => 1.0,
        Outcome::Known(KnownOutcome::Decisive { winner: Color::Black }) => 0.0,
        Outcome::Known(KnownOutcome::Draw) => 0.5,
        Outcome::Unknown => return None,
    })
}

/// A score in a comment, in centipawns.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
enum Remark {
    /// Of the position before the move, in the mover's view.
    Mover(i32),
    /// Of the position before the move, in White's view.
    White(i32),
    /// Of the position after the move, in White's view.
    After(i32),
}

impl Remark {
    fn read(comment: &str) -> Option<Remark> {
        let behind = |mark: &str| comment.split_once(mark).map(|(_, rest)| rest.trim_start());
        let word = |text: &str| text.split([' ', ',', ']', '/', ';']).next().and_then(score);
        if let Some(rest) = behind("[%eval ") {
            return word(rest).map(Remark::After);
        }
        if let Some(rest) = behind("wv=") {
            return word(rest).map(Remark::White);
        }
        let (value, _) = comment.trim_start().split_once('/')?;
        score(value).map(Remark::Mover)
    }
}

/// Pawns, or a mate such as `M5`, `-M5` or `#5`.
pub(super) fn score(text: &str) -> Option<i32> {
    let (sign, digits) = match text.as_bytes().first()? {
        b'-' => (-1, &text[1..]),
        b'+' => (1, &text[1..]),
        _ => (1, text),
    };
    let (sign, digits) = match digits.strip_prefix("#-") {
        Some(moves) => (-sign, format!("#{moves}")),
        None => (sign, digits.to_owned()),
    };
    if let Some(moves) = digits.strip_prefix(['M', '#']) {
        return moves.parse().ok().filter(|moves| (0..=MATE).contains(moves)).map(|moves: i32| sign * (MATE - moves));
    }
    let pawns: f64 = digits.parse().ok().filter(|_| digits.starts_with(|c: char| c.is_ascii_digit()))?;
    Some(sign * (100.0 * pawns).round().min(f64::from(MATE)) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(text: &str) -> (Vec<Sample>, Vec<(u64, PgnError)>) {
        let (mut samples, mut faults) = (Vec::new(), Vec::new());
        read(text.as_bytes(), 1, |sample| samples.push(sample), |line, error| faults.push((line, error)));
        (samples, faults)
    }

    #[test]
    fn scores_are_read_as_programs_write_them() {
        for (comment, remark) in [
            ("+0.31/12 0.5s", Some(Remark::Mover(31))),
            ("-1.20/9 1s, Black resigns", Some(Remark::Mover(-120))),
            ("0.00/1", Some(Remark::Mover(0))),
            ("+M5/30 0.1s", Some(Remark::Mover(MATE - 5))),
            ("-M12/30", Some(Remark::Mover(12 - MATE))),
            (" [%eval 0.31] [%clk 0:03:00]", Some(Remark::After(31))),
            ("[%eval -1.5,20]", Some(Remark::After(-150))),
            ("[%eval #-4]", Some(Remark::After(4 - MATE))),
            ("d=26, sd=38, pv=Nf3 d6, wv=-0.18, R50=49", Some(Remark::White(-18))),
            ("0.105s", None),
            ("book", None),
            ("a/b", None),
            ("", None),
            ("inf/3", None),
            ("-99999999/3", Some(Remark::Mover(-MATE))),
        ] {
            assert_eq!(Remark::read(comment), remark, "{comment}");
        }
    }

    #[test]
    fn each_position_gets_its_score_in_whites_view() {
        let (samples, faults) = read_all(
            "[Result \"1-0\"]\n\n1. e4 {+0.31/12 0.5s} (1. d4 {+9.00/1}) e5 {-0.20/10 1s} 2. Nf3 {[%eval 0.5]} Nc6 3. Bb5 1-0\n",
        );
        assert!(faults.is_empty(), "{faults:?}");
        let values: Vec<Option<i32>> = samples.iter().map(|sample| sample.value).collect();
        assert_eq!(values, [Some(31), Some(20), None, Some(50), None]);
        assert_eq!(samples.iter().map(|sample| sample.ply).collect::<Vec<_>>(), (0..5).map(Some).collect::<Vec<_>>());
        assert!(samples.iter().all(|sample| sample.result == 1.0 && sample.game == 1));
        assert_eq!(samples[2].best, samples[2].position.parse_uci("g1f3").ok());
    }

    #[test]
    fn games_that_cannot_be_used_are_named_by_their_line() {
        let (samples, faults) = read_all(
            "\u{feff}[Event \"unfinished\"]\n[Result \"*\"]\n\n1. e4 *\n\n[Event \"good\"]\n\n1. d4 d5 1/2-1/2\n\
             [Event \"illegal\"]\n1. e4 e5 2. Ke3 1-0\n\n[Variant \"Atomic\"]\n1. e4 1-0\n\n[FEN \"8/8 w - -\"]\n\n1-0\n",
        );
        assert_eq!(samples.len(), 2);
        assert!(samples.iter().all(|sample| sample.game == 6 && sample.result == 0.5));
        assert_eq!(faults.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [1, 9, 12, 15]);
        assert_eq!(faults[0].1, PgnError::NoResult);
        assert_eq!(faults[1].1, PgnError::Illegal { mv: "Ke3".to_owned(), ply: 3 });
        assert_eq!(faults[2].1, PgnError::Variant("Atomic".to_owned()));
        assert!(matches!(faults[3].1, PgnError::Start(_)));
    }

    #[test]
    fn a_word_that_is_no_move_is_blamed_and_not_the_move_behind_it() {
        let (samples, faults) = read_all(
            "[Event \"a\"]\n\n1. e4 e5 2. Qh9 1-0\n\n[Event \"b\"]\n\n1. e4 e5 2. Qh9 Kd8 1-0\n\n\
             [Event \"c\"]\n\n1. e4 (1. Qh9) e5 $1 {Qh9} ; Qh9\n2. Nf3 1-0 Qh9\n",
        );
        assert_eq!(samples.len(), 3);
        let fault = PgnError::NoMove { word: "Qh9".to_owned(), ply: 3 };
        assert_eq!(faults, [(1, fault.clone()), (5, fault)]);
    }

    #[test]
    fn moves_may_be_written_as_their_squares() {
        let (samples, faults) =
            read_all("[Event \"a\"]\n\ng1f3 d7d5 g2g3 d5d4 f1g2 d4d3 e1g1 d3e2 h2h3 {e2d1q} e2d1q 1-0\n");
        assert!(faults.is_empty(), "{faults:?}");
        assert_eq!(samples.len(), 10);
        assert_eq!(samples[7].position.to_string(), "rnbqkbnr/ppp1pppp/8/8/8/3p1NP1/PPPPPPBP/RNBQ1RK1 b kq - 1 4");
    }

    #[test]
    fn chess960_castles() {
        let (samples, faults) = read_all(
            "[FEN \"1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1\"]\n[Variant \"Chess960\"]\n\n1. O-O-O O-O 2. d3 0-1\n",
        );
        assert!(faults.is_empty(), "{faults:?}");
        assert_eq!(samples.len(), 3);
        assert_eq!(samples[2].position.to_string(), "1r3rk1/pppppppp/8/8/8/8/PPPPPPPP/2KR2R1 w - - 2 2");
    }
}
