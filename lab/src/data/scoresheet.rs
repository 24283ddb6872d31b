//! Whole games of PGN files: tags, moves, and everything that is written beside them. Text may be UTF-8 or Latin-1.

use std::fs::File;
use std::ops::ControlFlow;

use chess::{Color, Move, Position};
use pgn_reader::{Nag, RawComment, RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::Outcome;
use thiserror::Error;

use super::blocks::{Block, Blocks, Kind};
use super::pgn::{PgnError, find_move, is_chess, starts, with_plain_promotions};
use super::reader::DataError;
use super::strays::{marked, stray};
use super::unpack::unpacked;

/// Longer comments come in parts.
const COMMENT: usize = 1 << 14;

/// A game with all that is written in it.
#[derive(Clone, Debug)]
pub struct Scoresheet {
    /// Its place in the file, from 1.
    pub number: u64,
    /// Tags in the order of the file.
    pub tags: Vec<(String, String)>,
    /// Where it begins.
    pub start: Position,
    /// What is written before the first move.
    pub notes: Vec<Note>,
    /// The moves.
    pub plies: Vec<SheetPly>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
}

/// A move of a game.
#[derive(Clone, Debug)]
pub struct SheetPly {
    /// The position before it.
    pub position: Position,
    /// The move.
    pub mv: Move,
    /// Glyphs, such as 4 for `??`.
    pub nags: Vec<u8>,
    /// What is written behind it.
    pub notes: Vec<Note>,
}

/// Something that is written beside a move.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum Note {
    /// A comment.
    Comment(String),
    /// Other moves, as PGN writes them, with their comments and without the brackets about them. They are legal.
    Variation(String),
}

/// A game that cannot be used.
#[derive(Clone, Eq, PartialEq, Debug, Error)]
#[error("game {number} (line {line}): {error}")]
pub struct SheetError {
    /// Its place in the file, from 1.
    pub number: u64,
    /// The line on which it begins.
    pub line: u64,
    /// What is wrong.
    pub error: PgnError,
}

impl Scoresheet {
    /// The first game of a text, if it has one.
    pub fn first(text: &str) -> Result<Option<Scoresheet>, PgnError> {
        let game = read_game(text.as_bytes(), 1)?;
        // Any text is a PGN, with nothing in it
        Ok(game.filter(|game| !game.tags.is_empty() || !game.plies.is_empty()))
    }

    /// What a tag says.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// Where it ends.
    pub fn end(&self) -> Position {
        self.plies.last().map_or(self.start, |ply| {
            let mut end = ply.position;
            end.play(ply.mv);
            end
        })
    }
}

/// The games of a file, one after the other; broken ones are errors, and the rest goes on.
pub struct Scoresheets {
    path: String,
    blocks: Blocks,
    block: Option<(Block, Vec<(usize, u64)>)>,
    next: usize,
    number: u64,
}

impl Scoresheets {
    /// Opens a file of PGN, packed or not.
    pub fn open(path: &str) -> Result<Scoresheets, DataError> {
        let unreadable = |error| DataError::Unreadable(path.to_owned(), error);
        let file = File::open(path).map_err(unreadable)?;
        if file.metadata().map_err(unreadable)?.is_dir() {
            return Err(unreadable(std::io::ErrorKind::IsADirectory.into()));
        }
        let input = unpacked(Box::new(file)).map_err(unreadable)?;
        let blocks = Blocks::new(input, Kind::Pgn);
        Ok(Scoresheets { path: path.to_owned(), blocks, block: None, next: 0, number: 0 })
    }

    /// How many games the file has, broken ones too.
    pub fn count(path: &str) -> Result<u64, DataError> {
        let mut sheets = Scoresheets::open(path)?;
        let mut count = 0;
        while let Some(block) = sheets.read()? {
            count += starts(&block.text).count() as u64;
        }
        Ok(count)
    }

    fn read(&mut self) -> Result<Option<Block>, DataError> {
        self.blocks.next().map_err(|error| DataError::Unreadable(self.path.clone(), error))
    }
}

impl Iterator for Scoresheets {
    type Item = Result<Result<Scoresheet, SheetError>, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some((block, games)) = &self.block
                && let Some(&(at, line)) = games.get(self.next)
            {
                self.next += 1;
                self.number += 1;
                let end = games.get(self.next).map_or(block.text.len(), |(end, _)| *end);
                let failed = |error| SheetError { number: self.number, line, error };
                let game = read_game(&block.text[at..end], self.number);
                return Some(Ok(game.and_then(|game| game.ok_or(PgnError::NoResult)).map_err(failed)));
            }
            match self.read() {
                Ok(Some(block)) => {
                    let games = starts(&block.text).map(|start| (start.at, block.first + start.lines)).collect();
                    (self.block, self.next) = (Some((block, games)), 0);
                }
                Ok(None) => return None,
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

/// The first game of a text, if there is anything in it.
fn read_game(text: &[u8], number: u64) -> Result<Option<Scoresheet>, PgnError> {
    let text = with_plain_promotions(text);
    let text = marked(&text, &mut false);
    let mut reader = Reader::build(&text[..]).set_supported_comment_length(COMMENT).finish();
    // Nothing is read but memory, which does not fail
    reader.read_game(&mut Copyist { number }).ok().flatten().transpose()
}

/// Text in either encoding.
fn decoded(bytes: &[u8]) -> String {
    std::str::from_utf8(bytes).map_or_else(|_| bytes.iter().map(|&byte| char::from(byte)).collect(), str::to_owned)
}

/// Copies games.
struct Copyist {
    number: u64,
}

/// A game on its way, and the variations that are open in it.
struct Draft {
    sheet: Scoresheet,
    position: Position,
    open: Vec<Branch>,
    /// Parts of a comment that is not over.
    comment: String,
}

/// A variation that is being read.
struct Branch {
    /// The position before its last move, or before the move that it replaces.
    before: Position,
    position: Position,
    text: Vec<String>,
    /// Whether the next move needs its number.
    is_numbered: bool,
    /// After an illegal move nothing more of it is taken.
    is_broken: bool,
}

impl Draft {
    /// A word that is no move ends a variation, and breaks the game.
    fn take_stray(&mut self, word: String) -> ControlFlow<Result<Scoresheet, PgnError>> {
        let Some(branch) = self.open.last_mut() else {
            return ControlFlow::Break(Err(PgnError::NoMove { word, ply: self.sheet.plies.len() + 1 }));
        };
        branch.is_broken = true;
        ControlFlow::Continue(())
    }

    /// Where the next note belongs.
    fn note(&mut self, note: Note) {
        match (self.open.last_mut(), self.sheet.plies.last_mut()) {
            (Some(branch), _) if branch.is_broken => (),
            (Some(branch), _) => {
                branch.text.push(match note {
                    Note::Comment(text) => format!("{{{text}}}"),
                    Note::Variation(text) => format!("({text})"),
                });
                branch.is_numbered = true;
            }
            (None, Some(ply)) => ply.notes.push(note),
            (None, None) => self.sheet.notes.push(note),
        }
    }
}

impl Branch {
    fn play(&mut self, san: &SanPlus) {
        let Some(mv) = find_move(&self.position, &san.san).filter(|_| !self.is_broken) else {
            self.is_broken = true;
            return;
        };
        self.text.push(numbered(&self.position, mv, self.is_numbered));
        self.is_numbered = false;
        self.before = self.position;
        self.position.play(mv);
    }
}

/// A move in SAN, with its number where it needs one: White's always, Black's if it is asked for.
pub(crate) fn numbered(position: &Position, mv: Move, is_asked: bool) -> String {
    let (number, san) = (position.fullmove_number(), position.san(mv));
    match position.turn() {
        Color::White => format!("{number}. {san}"),
        Color::Black if is_asked => format!("{number}... {san}"),
        Color::Black => san,
    }
}

impl Visitor for Copyist {
    type Tags = Vec<(String, String)>;
    type Movetext = Draft;
    type Output = Result<Scoresheet, PgnError>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Self::Tags> {
        ControlFlow::Continue(Vec::new())
    }

    fn tag(&mut self, tags: &mut Self::Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
        tags.push((decoded(name), decoded(&value.decode())));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Self::Tags) -> ControlFlow<Self::Output, Draft> {
        let mut sheet = Scoresheet {
            number: self.number,
            tags,
            start: Position::initial(),
            notes: Vec::new(),
            plies: Vec::new(),
            result: "*".to_owned(),
        };
        if let Some(variant) = sheet.tag("Variant").filter(|variant| !is_chess(variant)) {
            return ControlFlow::Break(Err(PgnError::Variant(variant.to_owned())));
        }
        match sheet.tag("FEN").map(str::parse::<Position>) {
            Some(Ok(position)) => sheet.start = position,
            Some(Err(error)) => return ControlFlow::Break(Err(error.into())),
            None => (),
        }
        let told = sheet.tag("Result").filter(|result| ["1-0", "0-1", "1/2-1/2"].contains(result)).map(str::to_owned);
        sheet.result = told.unwrap_or(sheet.result);
        ControlFlow::Continue(Draft { position: sheet.start, sheet, open: Vec::new(), comment: String::new() })
    }

    fn san(&mut self, draft: &mut Draft, san: SanPlus) -> ControlFlow<Self::Output> {
        if let Some(branch) = draft.open.last_mut() {
            branch.play(&san);
            return ControlFlow::Continue(());
        }
        let Some(mv) = find_move(&draft.position, &san.san) else {
            let ply = draft.sheet.plies.len() + 1;
            return ControlFlow::Break(Err(PgnError::Illegal { mv: san.to_string(), ply }));
        };
        draft.sheet.plies.push(SheetPly { position: draft.position, mv, nags: Vec::new(), notes: Vec::new() });
        draft.position.play(mv);
        ControlFlow::Continue(())
    }

    fn nag(&mut self, draft: &mut Draft, Nag(nag): Nag) -> ControlFlow<Self::Output> {
        match (draft.open.last_mut(), draft.sheet.plies.last_mut()) {
            (Some(branch), _) if branch.is_broken || branch.text.is_empty() => (),
            (Some(branch), _) => branch.text.push(format!("${nag}")),
            (None, Some(ply)) => ply.nags.push(nag),
            (None, None) => (),
        }
        ControlFlow::Continue(())
    }

    fn partial_comment(&mut self, draft: &mut Draft, comment: RawComment<'_>) -> ControlFlow<Self::Output> {
        draft.comment += &decoded(comment.as_bytes());
        ControlFlow::Continue(())
    }

    fn comment(&mut self, draft: &mut Draft, comment: RawComment<'_>) -> ControlFlow<Self::Output> {
        if let Some(word) = stray(comment.as_bytes()) {
            return draft.take_stray(word);
        }
        let text = std::mem::take(&mut draft.comment) + &decoded(comment.as_bytes());
        // Line ends are no more than blanks
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if !text.is_empty() {
            draft.note(Note::Comment(text));
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, draft: &mut Draft) -> ControlFlow<Self::Output, Skip> {
        let before = match (draft.open.last(), draft.sheet.plies.last()) {
            (Some(branch), _) => branch.before,
            (None, Some(ply)) => ply.position,
            (None, None) => draft.position,
        };
        let is_broken = draft.open.last().is_some_and(|branch| branch.is_broken);
        draft.open.push(Branch { before, position: before, text: Vec::new(), is_numbered: true, is_broken });
        ControlFlow::Continue(Skip(false))
    }

    fn end_variation(&mut self, draft: &mut Draft) -> ControlFlow<Self::Output> {
        if let Some(branch) = draft.open.pop()
            && branch.position != branch.before
        {
            draft.note(Note::Variation(branch.text.join(" ")));
        }
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, draft: &mut Draft, outcome: Outcome) -> ControlFlow<Self::Output> {
        if draft.open.is_empty() && outcome != Outcome::Unknown {
            draft.sheet.result = outcome.to_string();
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, draft: Draft) -> Self::Output {
        Ok(draft.sheet)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: impl AsRef<[u8]>) -> Vec<Result<Scoresheet, SheetError>> {
        let thread = std::thread::current().id();
        let path = std::env::temp_dir().join(format!("marquetry-{}-{thread:?}.pgn", std::process::id()));
        std::fs::write(&path, text).unwrap();
        let text = path.to_string_lossy();
        let sheets = Scoresheets::open(&text).unwrap().map(Result::unwrap).collect::<Vec<_>>();
        assert_eq!(Scoresheets::count(&text).unwrap(), sheets.len() as u64);
        std::fs::remove_file(&path).unwrap();
        sheets
    }

    #[test]
    fn everything_that_is_written_comes_along() {
        let sheets = read(
            "\u{feff}[White \"A \\\"B\\\"\"]\n[Result \"1-0\"]\n\n{ first } 1. e4 $1 {good\nmove} (1. d4 d5 $2 {no} (1... Nf6 2. c4) 2. c4) \
             1... e5 (1... Ke7 2. e4) 2. Nf3 1-0\n",
        );
        let sheet = sheets[0].as_ref().unwrap();
        assert_eq!((sheet.tag("white"), sheet.result.as_str()), (Some("A \"B\""), "1-0"));
        assert_eq!(sheet.notes, [Note::Comment("first".to_owned())]);
        assert_eq!(sheet.plies[0].nags, [1]);
        assert_eq!(
            sheet.plies[0].notes,
            [
                Note::Comment("good move".to_owned()),
                Note::Variation("1. d4 d5 $2 {no} (1... Nf6 2. c4) 2. c4".to_owned())
            ]
        );
        assert!(sheet.plies[1].notes.is_empty(), "an illegal variation is left out");
        assert_eq!(sheet.plies.len(), 3);
        assert_eq!(sheet.end().turn(), Color::Black);
    }

    #[test]
    fn broken_games_have_numbers_and_the_rest_goes_on() {
        let sheets = read(
            "[A \"1\"]\n\n1. e4 e5 *\n\n[A \"2\"]\n\n1. e4 Ke4 *\n\n[A \"3\"]\n[Variant \"Atomic\"]\n\n1. e4 *\n\n[A \"4\"]\n\n1. d4 *\n",
        );
        let errors: Vec<String> = sheets.iter().filter_map(|sheet| Some(sheet.as_ref().err()?.to_string())).collect();
        assert_eq!(
            errors,
            ["game 2 (line 5): Ke4 is not legal at ply 2", "game 3 (line 9): the variant \"Atomic\" is not chess"]
        );
        assert_eq!(sheets[3].as_ref().unwrap().number, 4);
    }

    #[test]
    fn a_word_that_is_no_move_breaks_its_game_or_variation() {
        let sheets = read(
            "[A \"1\"]\n\n1. e4 e5 2. Qh9 1-0\n\n[A \"2\"]\n\n1. e4 e5 2. Qh9 Kd8 1-0\n\n[A \"3\"]\n\n1. e4 (1. d4 Qh9 2. c4) e5 *\n",
        );
        let errors: Vec<String> = sheets.iter().filter_map(|sheet| Some(sheet.as_ref().err()?.to_string())).collect();
        let error = |at: &str| format!("game {at}: \"Qh9\" is no move at ply 3");
        assert_eq!(errors, [error("1 (line 1)"), error("2 (line 5)")]);
        let sheet = sheets[2].as_ref().unwrap();
        assert_eq!((sheet.plies.len(), &sheet.plies[0].notes[..]), (2, &[Note::Variation("1. d4".to_owned())][..]));
    }

    #[test]
    fn either_encoding_is_read() {
        let sheets = read(b"[White \"M\xfcller\"]\n\n1. e4 {sch\xf6n} *\n\n[White \"M\xc3\xbcller\"]\n\ng1f3 *\n");
        for sheet in &sheets {
            assert_eq!(sheet.as_ref().unwrap().tag("White"), Some("Müller"));
        }
        assert_eq!(sheets[0].as_ref().unwrap().plies[0].notes, [Note::Comment("schön".to_owned())]);
        assert_eq!(sheets[1].as_ref().unwrap().plies.len(), 1);
    }
}
