//! Reading: the fields one by one, then shakmaty's judgement of the whole.

use std::str::FromStr;

use shakmaty::{
    Bitboard, ByColor, ByRole, CastlingMode, Chess, Color, File, FromSetup, Piece, PositionErrorKinds, Rank, Role,
    Setup, Square,
};

use super::FenProblem::{
    BadNumber, ImpossibleCheck, ManyKings, Missing, NoCastlingRook, NoKing, NothingPassed, OppositeCheck,
    PawnOnBackRank, RankCount, RankLength, RepeatedCastling, TooMuchMaterial, TrailingText, UnknownCastling,
    UnknownPiece, UnknownSquare, UnknownTurn,
};
use super::{FenError, FenField, FenProblem, shortened};
use crate::Position;
use crate::keys::{Keys, Material};

/// Reads a FEN of four, five or six fields. Missing counters are 0 and 1.
impl FromStr for Position {
    type Err = FenError;

    fn from_str(fen: &str) -> Result<Position, FenError> {
        match Position::read_plain_fen(fen.as_bytes()) {
            Some(plain) if plain.length == fen.len() => Ok(plain.position),
            _ => Position::read_strictly(fen),
        }
    }
}

impl Position {
    /// Reads a FEN or says what is wrong with it.
    pub(super) fn read_strictly(fen: &str) -> Result<Position, FenError> {
        let mut fields = fen.split_ascii_whitespace();
        let mut required = |field| fields.next().ok_or_else(|| Missing.of(field));
        let mut setup = Setup::empty();
        read_board(required(FenField::Board)?, &mut setup).map_err(|problem| problem.of(FenField::Board))?;
        setup.turn = read_turn(required(FenField::Turn)?).map_err(|problem| problem.of(FenField::Turn))?;
        setup.castling_rights = read_castling(required(FenField::Castling)?, |piece| setup.board.by_piece(piece))
            .map_err(|problem| problem.of(FenField::Castling))?;
        setup.ep_square = read_en_passant(required(FenField::EnPassant)?, &setup)
            .map_err(|problem| problem.of(FenField::EnPassant))?;
        let mut optional = |field, default, most| {
            fields.next().map_or(Ok(default), |text| read_number(text, most).map_err(|problem| problem.of(field)))
        };
        let halfmove_clock = optional(FenField::HalfmoveClock, 0, u32::from(u16::MAX))?;
        let fullmove_number = optional(FenField::FullmoveNumber, 1, u32::MAX)?;
        if let Some(text) = fields.next() {
            return Err(TrailingText(shortened(text)).of(FenField::FullmoveNumber));
        }
        validate(&setup)?;
        Ok(Position::from_setup(&setup, halfmove_clock as u16, fullmove_number))
    }

    /// Sets up a validated position.
    pub(crate) fn from_setup(setup: &Setup, halfmove_clock: u16, fullmove_number: u32) -> Position {
        let mut position = Position {
            castling: setup.castling_rights,
            turn: setup.turn,
            halfmove_clock,
            fullmove_number: fullmove_number.max(1),
            roles: ByRole::default(),
            colors: ByColor::default(),
            board: [None; 64],
            keys: Keys::default(),
            material: Material::default(),
            checkers: Bitboard::EMPTY,
            en_passant: None,
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
            let piece = Piece::from_char(letter).ok_or(UnknownPiece { rank, letter })?;
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

/// Digits, and nothing else.
fn read_number(text: &str, most: u32) -> Result<u32, FenProblem> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|&number| digits && number <= most);
    number.ok_or_else(|| BadNumber(shortened(text), most))
}

fn read_turn(text: &str) -> Result<Color, FenProblem> {
    match text {
        "w" => Ok(Color::White),
        "b" => Ok(Color::Black),
        _ => Err(UnknownTurn(shortened(text))),
    }
}

/// The rooks that may castle: `K` means the outermost rook on the king's side, a file letter the rook on that file.
pub(super) fn read_castling(text: &str, by_piece: impl Fn(Piece) -> Bitboard) -> Result<Bitboard, FenProblem> {
    let mut rooks = Bitboard::EMPTY;
    if text == "-" {
        return Ok(rooks);
    }
    for letter in text.chars() {
        let color = Color::from_white(letter.is_ascii_uppercase());
        let back_rank = Bitboard::from_rank(color.backrank());
        let candidates = by_piece(color.rook()) & back_rank;
        let king = (by_piece(color.king()) & back_rank).first().ok_or(NoCastlingRook(letter));
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
    let square: Square = text.parse().map_err(|_| UnknownSquare(shortened(text)))?;
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
pub(crate) fn validate(setup: &Setup) -> Result<(), FenError> {
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
    } else {
        // Castling rights were read for kings and rooks in place; what is left concerns the last move
        return Err(ImpossibleCheck(name(setup.turn)).of(FenField::EnPassant));
    };
    Err(problem.of(FenField::Board))
}

/// Whether a side has more pieces than eight pawns and their promotions allow.
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
