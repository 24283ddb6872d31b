//! FEN, X-FEN and Shredder-FEN, read strictly and written back.
//!
//! Reading says which field is wrong and why. Whether pieces can stand so at all is left to shakmaty's judgement.

use std::fmt;
use std::str::FromStr;

use shakmaty::{
    Bitboard, ByColor, ByRole, CastlingMode, Chess, Color, File, FromSetup, PositionErrorKinds, Rank, Role, Setup,
    Square,
};
use thiserror::Error;

use crate::Position;
use crate::keys::{Keys, Material};

/// A field of a FEN.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum FenField {
    /// Where the pieces stand.
    Board,
    /// Who moves.
    Turn,
    /// Who may still castle, and with which rook.
    Castling,
    /// Where a pawn can be captured en passant.
    EnPassant,
    /// Plies since the last capture or pawn move.
    HalfmoveClock,
    /// The number of the move.
    FullmoveNumber,
}

impl fmt::Display for FenField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FenField::Board => "board",
            FenField::Turn => "side to move",
            FenField::Castling => "castling rights",
            FenField::EnPassant => "en passant square",
            FenField::HalfmoveClock => "halfmove clock",
            FenField::FullmoveNumber => "fullmove number",
        })
    }
}

/// Why a text is not the FEN of a legal position.
#[derive(Clone, Eq, PartialEq, Debug, Error)]
#[error("FEN, {field}: {problem}")]
pub struct FenError {
    /// The field that is wrong.
    pub field: FenField,
    /// What is wrong with it.
    pub problem: FenProblem,
}

/// What is wrong with a field of a FEN.
#[derive(Clone, Eq, PartialEq, Debug, Error)]
pub enum FenProblem {
    /// The text ends before the field.
    #[error("missing; a FEN reads: board, w or b, castling rights, en passant square, and two numbers")]
    Missing,
    /// Something follows the last field.
    #[error("{0:?} follows it, but a FEN ends there")]
    TrailingText(String),
    /// The board does not have eight ranks.
    #[error("{0} ranks instead of 8")]
    RankCount(usize),
    /// A rank does not have eight files.
    #[error("rank {} has {files} squares instead of 8", .rank.char())]
    RankLength {
        /// The rank.
        rank: Rank,
        /// Its squares.
        files: usize,
    },
    /// A letter that is no piece.
    #[error("{letter:?} on rank {} is neither a piece (PNBRQK, pnbrqk) nor a number of empty squares", .rank.char())]
    UnknownPiece {
        /// The rank.
        rank: Rank,
        /// The letter.
        letter: char,
    },
    /// A side without a king.
    #[error("{0} has no king")]
    NoKing(&'static str),
    /// A side with several kings.
    #[error("{0} has more than one king")]
    ManyKings(&'static str),
    /// A pawn on the first or last rank.
    #[error("a pawn stands on {0}, where none can be")]
    PawnOnBackRank(Square),
    /// More pieces than a game can bring about.
    #[error("{0} has more pieces than eight pawns and their promotions allow")]
    TooMuchMaterial(&'static str),
    /// The side that has just moved is in check.
    #[error("{0} is in check, but it is the other side's move")]
    OppositeCheck(&'static str),
    /// A check that the pawn's double step of the en passant square cannot have given.
    #[error("the pawn that has just gone two squares cannot have given the checks that {0} is in")]
    ImpossibleCheck(&'static str),
    /// Neither `w` nor `b`.
    #[error("{0:?} is neither w nor b")]
    UnknownTurn(String),
    /// A letter that is no castling right.
    #[error("{0:?} is no castling right; write KQkq, rook files such as HAha, or -")]
    UnknownCastling(char),
    /// A right without king and rook in place.
    #[error("{0:?} needs a king on its first rank and a rook there to castle with")]
    NoCastlingRook(char),
    /// Two rights for one side of one king.
    #[error("{0:?} gives a second right on the same side of the king")]
    RepeatedCastling(char),
    /// Not a square.
    #[error("{0:?} is neither a square nor -")]
    UnknownSquare(String),
    /// A square that no pawn has just passed.
    #[error("no pawn can have just passed {0}")]
    NothingPassed(Square),
    /// Not a number, or too large a one.
    #[error("{0:?} is not a number from 0 to 65535")]
    BadNumber(String),
}

use FenProblem::{
    BadNumber, ImpossibleCheck, ManyKings, Missing, NoCastlingRook, NoKing, NothingPassed, OppositeCheck,
    PawnOnBackRank, RankCount, RankLength, RepeatedCastling, TooMuchMaterial, TrailingText, UnknownCastling,
    UnknownPiece, UnknownSquare, UnknownTurn,
};

impl FenProblem {
    fn of(self, field: FenField) -> FenError {
        FenError { field, problem: self }
    }
}

/// Reads a FEN of four, five or six fields. Missing counters are 0 and 1.
impl FromStr for Position {
    type Err = FenError;

    fn from_str(fen: &str) -> Result<Position, FenError> {
        let mut fields = fen.split_ascii_whitespace();
        let position = Position::from_fields(&mut fields)?;
        match fields.next() {
            Some(text) => Err(TrailingText(text.to_owned()).of(FenField::FullmoveNumber)),
            None => Ok(position),
        }
    }
}

impl Position {
    /// Reads a position from the fields of a FEN, and leaves what follows it.
    pub(crate) fn from_fields<'a>(fields: &mut (impl Iterator<Item = &'a str> + Clone)) -> Result<Position, FenError> {
        let mut required = |field| fields.next().ok_or_else(|| Missing.of(field));
        let mut setup = Setup::empty();
        read_board(required(FenField::Board)?, &mut setup).map_err(|problem| problem.of(FenField::Board))?;
        setup.turn = read_turn(required(FenField::Turn)?).map_err(|problem| problem.of(FenField::Turn))?;
        setup.castling_rights =
            read_castling(required(FenField::Castling)?, &setup).map_err(|problem| problem.of(FenField::Castling))?;
        setup.ep_square = read_en_passant(required(FenField::EnPassant)?, &setup)
            .map_err(|problem| problem.of(FenField::EnPassant))?;
        let mut optional = |field, default| match fields.next() {
            Some(text) => text.parse().map_err(|_| BadNumber(text.to_owned()).of(field)),
            None => Ok(default),
        };
        let halfmove_clock = optional(FenField::HalfmoveClock, 0)?;
        let fullmove_number = optional(FenField::FullmoveNumber, 1)?;
        validate(&setup)?;
        Ok(Position::from_setup(&setup, halfmove_clock, fullmove_number))
    }

    /// Sets up a validated position.
    fn from_setup(setup: &Setup, halfmove_clock: u16, fullmove_number: u16) -> Position {
        let mut position = Position {
            roles: ByRole::default(),
            colors: ByColor::default(),
            board: [None; 64],
            keys: Keys::default(),
            material: Material::default(),
            checkers: Bitboard::EMPTY,
            castling: setup.castling_rights,
            en_passant: None,
            turn: setup.turn,
            halfmove_clock,
            fullmove_number: u32::from(fullmove_number).max(1),
        };
        for (square, piece) in setup.board.iter() {
            position.put(piece, square, &mut ());
        }
        position.keys.toggle_castling(setup.castling_rights);
        if setup.turn.is_black() {
            position.keys.toggle_turn();
        }
        position.checkers =
            position.attackers(position.king(setup.turn), position.occupied()) & position.by_color(!setup.turn);
        if let Some(passed) = setup.ep_square {
            position.allow_en_passant(passed);
        }
        position
    }

    /// The position as a FEN whose castling rights are written in this style.
    pub fn fen(&self, style: CastlingStyle) -> Fen<'_> {
        Fen { position: self, style }
    }
}

fn read_board(text: &str, setup: &mut Setup) -> Result<(), FenProblem> {
    let ranks = text.split('/').count();
    if ranks != 8 {
        return Err(RankCount(ranks));
    }
    for (rank, text) in Rank::ALL.into_iter().rev().zip(text.split('/')) {
        let mut file = 0;
        for letter in text.chars() {
            if let Some(empty @ 1..=8) = letter.to_digit(10) {
                file += empty as usize;
                continue;
            }
            let piece = shakmaty::Piece::from_char(letter).ok_or(UnknownPiece { rank, letter })?;
            if let Some(&file) = File::ALL.get(file) {
                setup.board.set_piece_at(Square::from_coords(file, rank), piece);
            }
            file += 1;
        }
        if file != 8 {
            return Err(RankLength { rank, files: file });
        }
    }
    Ok(())
}

fn read_turn(text: &str) -> Result<Color, FenProblem> {
    match text {
        "w" => Ok(Color::White),
        "b" => Ok(Color::Black),
        _ => Err(UnknownTurn(text.to_owned())),
    }
}

/// The rooks that may castle: `K` means the outermost rook on the king's side, a file letter the rook on that file.
fn read_castling(text: &str, setup: &Setup) -> Result<Bitboard, FenProblem> {
    let mut rooks = Bitboard::EMPTY;
    if text == "-" {
        return Ok(rooks);
    }
    for letter in text.chars() {
        let color = Color::from_white(letter.is_ascii_uppercase());
        let back_rank = Bitboard::from_rank(color.backrank());
        let candidates = setup.board.by_piece(color.rook()) & back_rank;
        let king = (setup.board.by_piece(color.king()) & back_rank).first().ok_or(NoCastlingRook(letter));
        let rook = match letter.to_ascii_lowercase() {
            'k' => candidates.last(),
            'q' => candidates.first(),
            file @ 'a'..='h' => File::from_char(file).and_then(|file| (candidates & Bitboard::from_file(file)).first()),
            _ => return Err(UnknownCastling(letter)),
        };
        let (king, rook) = (king?, rook.ok_or(NoCastlingRook(letter))?);
        let on_wrong_side = match letter.to_ascii_lowercase() {
            'k' => rook < king,
            'q' => rook > king,
            _ => false,
        };
        if on_wrong_side {
            return Err(NoCastlingRook(letter));
        }
        if (rooks & back_rank).into_iter().any(|other| (other < king) == (rook < king)) {
            return Err(RepeatedCastling(letter));
        }
        rooks.add(rook);
    }
    Ok(rooks)
}

fn read_en_passant(text: &str, setup: &Setup) -> Result<Option<Square>, FenProblem> {
    if text == "-" {
        return Ok(None);
    }
    let square: Square = text.parse().map_err(|_| UnknownSquare(text.to_owned()))?;
    if setup.turn.relative_rank(square.rank()) != Rank::Sixth {
        return Err(NothingPassed(square));
    }
    let forward = setup.turn.fold_wb(8, -8);
    let around = |step| square.offset(step).expect("there is a rank on either side of the sixth");
    let (pushed, origin) = (around(-forward), around(forward));
    let passed = setup.board.piece_at(pushed) == Some((!setup.turn).pawn())
        && setup.board.piece_at(square).is_none()
        && setup.board.piece_at(origin).is_none();
    if passed { Ok(Some(square)) } else { Err(NothingPassed(square)) }
}

/// Lets shakmaty judge the position as a whole and says what it found.
///
/// Checks that no last move can have given are common in compositions and test suites, and do no harm; only beside an
/// en passant square they do, because the last move is known there.
fn validate(setup: &Setup) -> Result<(), FenError> {
    let Err(error) = Chess::from_setup(setup.clone(), CastlingMode::Chess960) else {
        return Ok(());
    };
    let mut kinds = error.kinds();
    if setup.ep_square.is_none() {
        kinds.remove(PositionErrorKinds::IMPOSSIBLE_CHECK);
    }
    if kinds.is_empty() {
        return Ok(());
    }
    let board = &setup.board;
    let side = |guilty: &dyn Fn(Color) -> bool| {
        if guilty(Color::White) { "White" } else { "Black" }
    };
    let kings = |color: Color| board.by_piece(color.king());
    let name = |color: Color| color.fold_wb("White", "Black");
    let problem = if kinds.intersects(PositionErrorKinds::EMPTY_BOARD | PositionErrorKinds::MISSING_KING) {
        NoKing(side(&|color| kings(color).is_empty()))
    } else if kinds.contains(PositionErrorKinds::TOO_MANY_KINGS) {
        ManyKings(side(&|color| kings(color).more_than_one()))
    } else if let Some(square) = (board.pawns() & Bitboard::BACKRANKS).first() {
        PawnOnBackRank(square)
    } else if kinds.contains(PositionErrorKinds::TOO_MUCH_MATERIAL) {
        TooMuchMaterial(side(&|color| has_too_much_material(setup, color)))
    } else if kinds.contains(PositionErrorKinds::OPPOSITE_CHECK) {
        OppositeCheck(name(!setup.turn))
    } else if kinds.contains(PositionErrorKinds::INVALID_CASTLING_RIGHTS) {
        let rook = setup.castling_rights.first().unwrap_or(Square::A1);
        return Err(NoCastlingRook(rook.file().char()).of(FenField::Castling));
    } else if let (true, Some(square)) = (kinds.contains(PositionErrorKinds::INVALID_EP_SQUARE), setup.ep_square) {
        return Err(NothingPassed(square).of(FenField::EnPassant));
    } else {
        ImpossibleCheck(name(setup.turn))
    };
    Err(problem.of(FenField::Board))
}

fn has_too_much_material(setup: &Setup, color: Color) -> bool {
    let count = |role: Role| setup.board.by_piece(role.of(color)).count();
    let bishops = setup.board.by_piece(color.bishop());
    let promoted = count(Role::Knight).saturating_sub(2)
        + (bishops & Bitboard::LIGHT_SQUARES).count().saturating_sub(1)
        + (bishops & Bitboard::DARK_SQUARES).count().saturating_sub(1)
        + count(Role::Rook).saturating_sub(2)
        + count(Role::Queen).saturating_sub(1);
    count(Role::Pawn) + promoted > 8
}

/// How castling rights are written.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum CastlingStyle {
    /// `KQkq`, and the rook's file only where the outermost rook is not the one that castles.
    XFen,
    /// The rooks' files always: `HAha`.
    Shredder,
}

/// A position written as a FEN.
#[derive(Copy, Clone, Debug)]
pub struct Fen<'a> {
    position: &'a Position,
    style: CastlingStyle,
}

/// As X-FEN, which is plain FEN for positions of standard chess.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fen(CastlingStyle::XFen).fmt(f)
    }
}

impl fmt::Display for Fen<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = self.position;
        self.write_board(f)?;
        write!(f, " {} ", position.turn.char())?;
        self.write_castling(f)?;
        match position.en_passant {
            Some(square) => write!(f, " {square}")?,
            None => f.write_str(" -")?,
        }
        write!(f, " {} {}", position.halfmove_clock, position.fullmove_number)
    }
}

impl Fen<'_> {
    fn write_board(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            let mut empty = 0;
            for file in File::ALL {
                match self.position.piece_on(Square::from_coords(file, rank)) {
                    Some(piece) => {
                        if empty > 0 {
                            write!(f, "{empty}")?;
                        }
                        write!(f, "{}", piece.char())?;
                        empty = 0;
                    }
                    None => empty += 1,
                }
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
            if rank != Rank::First {
                f.write_str("/")?;
            }
        }
        Ok(())
    }

    fn write_castling(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.position.castling.is_empty() {
            return f.write_str("-");
        }
        for color in [Color::White, Color::Black] {
            let rooks = self.position.castling & self.position.by_color(color);
            for rook in rooks.into_iter().rev() {
                let letter = self.castling_letter(color, rook);
                write!(f, "{}", color.fold_wb(letter.to_ascii_uppercase(), letter))?;
            }
        }
        Ok(())
    }

    fn castling_letter(&self, color: Color, rook: Square) -> char {
        let rooks = self.position.by_piece(color.rook()) & Bitboard::from_rank(color.backrank());
        let king = self.position.king(color);
        match self.style {
            CastlingStyle::XFen if rook > king && rooks.last() == Some(rook) => 'k',
            CastlingStyle::XFen if rook < king && rooks.first() == Some(rook) => 'q',
            _ => rook.file().char(),
        }
    }
}
