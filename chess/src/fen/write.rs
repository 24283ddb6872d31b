//! Writing, with castling rights in either style.

use std::fmt;

use shakmaty::{Bitboard, Color, File, Rank, Square};

use crate::Position;

/// How castling rights are written.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum CastlingStyle {
    /// `KQkq`, and the rook's file only where the outermost rook is not the one that castles.
    XFen,
    /// The rooks' files always: `HAha`.
    Shredder,
}

impl Position {
    /// The position as a FEN whose castling rights are written in this style.
    pub fn fen(&self, style: CastlingStyle) -> Fen<'_> {
        Fen { position: self, style }
    }
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
