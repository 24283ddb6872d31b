//! Document 003, "Quick Fix for MinimaxEngine: Add Piece-Square Tables": `simplified`, and `material` as its "before".
//!
//! The tables are printed rank 8 first, but the document's code reads White's squares directly, so that both sides see
//! them upside down. Here as in the preset they are read as meant: White flips, Black does not. The piece values are
//! ours, for the document prints none; there is no taper.

use crate::{Verdict, agrees, holds, pieces};
use shakmaty::{Board, Role};

/// Pawn, knight, bishop, rook, queen, king.
pub(crate) const PIECE_VALUES: [i32; 6] = [100, 320, 330, 500, 900, 0];

#[rustfmt::skip]
pub(crate) const PST: [[i32; 64]; 6] = [
    // Pawn
    [
         0,   0,   0,   0,   0,   0,   0,   0,
        50,  50,  50,  50,  50,  50,  50,  50,
        10,  10,  20,  30,  30,  20,  10,  10,
         5,   5,  10,  25,  25,  10,   5,   5,
         0,   0,   0,  20,  20,   0,   0,   0,
         5,  -5, -10,   0,   0, -10,  -5,   5,
         5,  10,  10, -20, -20,  10,  10,   5,
         0,   0,   0,   0,   0,   0,   0,   0
    ],
    // Knight
    [
        -50, -40, -30, -30, -30, -30, -40, -50,
        -40, -20,   0,   0,   0,   0, -20, -40,
        -30,   0,  10,  15,  15,  10,   0, -30,
        -30,   5,  15,  20,  20,  15,   5, -30,
        -30,   0,  15,  20,  20,  15,   0, -30,
        -30,   5,  10,  15,  15,  10,   5, -30,
        -40, -20,   0,   5,   5,   0, -20, -40,
        -50, -40, -30, -30, -30, -30, -40, -50,
    ],
    // Bishop
    [
        -20, -10, -10, -10, -10, -10, -10, -20,
        -10,   0,   0,   0,   0,   0,   0, -10,
        -10,   0,   5,  10,  10,   5,   0, -10,
        -10,   5,   5,  10,  10,   5,   5, -10,
        -10,   0,  10,  10,  10,  10,   0, -10,
        -10,  10,  10,  10,  10,  10,  10, -10,
        -10,   5,   0,   0,   0,   0,   5, -10,
        -20, -10, -10, -10, -10, -10, -10, -20,
    ],
    // Rook
    [
         0,   0,   0,   0,   0,   0,   0,   0,
         5,  10,  10,  10,  10,  10,  10,   5,
        -5,   0,   0,   0,   0,   0,   0,  -5,
        -5,   0,   0,   0,   0,   0,   0,  -5,
        -5,   0,   0,   0,   0,   0,   0,  -5,
        -5,   0,   0,   0,   0,   0,   0,  -5,
        -5,   0,   0,   0,   0,   0,   0,  -5,
         0,   0,   0,   5,   5,   0,   0,   0
    ],
    // Queen
    [
        -20, -10, -10,  -5,  -5, -10, -10, -20,
        -10,   0,   0,   0,   0,   0,   0, -10,
        -10,   0,   5,   5,   5,   5,   0, -10,
         -5,   0,   5,   5,   5,   5,   0,  -5,
          0,   0,   5,   5,   5,   5,   0,  -5,
        -10,   5,   5,   5,   5,   5,   0, -10,
        -10,   0,   5,   0,   0,   0,   0, -10,
        -20, -10, -10,  -5,  -5, -10, -10, -20
    ],
    // King
    [
        -30, -40, -40, -50, -50, -40, -40, -30,
        -30, -40, -40, -50, -50, -40, -40, -30,
        -30, -40, -40, -50, -50, -40, -40, -30,
        -30, -40, -40, -50, -50, -40, -40, -30,
        -20, -30, -30, -40, -40, -30, -30, -20,
        -10, -20, -20, -20, -20, -20, -20, -10,
         20,  20,   0,   0,   0,   0,  20,  20,
         20,  30,  10,   0,   0,  10,  30,  20
    ],
];

pub(crate) fn index(role: Role) -> usize {
    Role::ALL.iter().position(|&other| other == role).expect("one of six")
}

fn material_score(board: &Board, with_tables: bool) -> Verdict {
    let mut score = 0;
    for (role, square, color, sign) in pieces(board) {
        let pst_square = color.fold_wb(square.flip_vertical(), square);
        let bonus = if with_tables { PST[index(role)][usize::from(pst_square)] } else { 0 };
        score += sign * (PIECE_VALUES[index(role)] + bonus);
    }
    // Middlegame and endgame are one
    Verdict::new((score, score), 0.0)
}

#[test]
fn simplified_follows_the_document() {
    agrees("simplified", |board| material_score(board, true));
}

#[test]
fn material_counts_pieces_and_nothing_else() {
    agrees("material", |board| material_score(board, false));
}

#[test]
fn simplified_facts() {
    holds(
        "simplified",
        &[
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0),
            // Knight g1 to d4; pawn e2 to e4
            ("rnbqkbnr/pppppppp/8/8/3N4/8/PPPPPPPP/RNBQKB1R b KQkq - 0 1", 20 + 40),
            ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", 20 + 20),
            // King e1 to g1, for the tables are not upside down, and rook h1 to f1
            ("4k2r/8/8/8/8/8/7P/5RK1 b k - 0 1", 100 + 5 + 30),
            // A pawn on the 7th, one on the 2nd; a queen on the rim
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", 100 + 50),
            ("4k3/8/8/8/8/8/3P4/4K3 w - - 0 1", 100 - 20),
            ("4k2q/8/8/8/8/8/8/4K3 w - - 0 1", -900 + 20),
        ],
    );
}

#[test]
fn material_facts() {
    holds(
        "material",
        &[
            ("rnbqkbnr/pppppppp/8/8/3N4/8/PPPPPPPP/RNBQKB1R b KQkq - 0 1", 0),
            ("4k3/8/8/8/8/8/3P4/4K3 w - - 0 1", 100),
            ("4k3/8/8/8/8/8/3P4/N3K3 b - - 0 1", 100 + 320),
            ("4k3/p7/8/8/8/8/8/B3K1R1 w - - 0 1", 330 + 500 - 100),
            ("3qk3/8/8/8/8/8/8/R3K3 w - - 0 1", 500 - 900),
        ],
    );
}
