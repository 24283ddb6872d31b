//! Document 000, "Piece-Square Tables & Positional Incentives": `positional`, `positional-fixed` and `centre`.
//!
//! The tables are printed rank 1 first and White's squares are read directly. `KING_MG` alone is printed rank 8 first,
//! as its row comments say, and is read so, although it then sends the king to the centre; `positional-fixed` has a
//! king table of ours, so it is compared where the kings cancel out.

use crate::{Verdict, agrees, agrees_where, count, holds, phase_agrees, pieces, weights, white_cp};
use shakmaty::{Board, Color, Role, Square};

#[rustfmt::skip]
const PAWN_MG: [i32; 64] = [
    0,   0,   0,   0,   0,   0,   0,   0,
    2,   4,   5,  10,  10,   5,   4,   2,   // Rank 2: modest advance bonus
    4,   8,  12,  16,  16,  12,   8,   4,   // Rank 3: better advanced
    6,  12,  16,  24,  24,  16,  12,   6,   // Rank 4: center pawns stronger
    8,  16,  24,  32,  32,  24,  16,   8,   // Rank 5: passed pawn territory
   12,  24,  36,  48,  48,  36,  24,  12,   // Rank 6: critical advancement
    0,   0,   0,   0,   0,   0,   0,   0,   // Rank 7: promotion (handled specially)
    0,   0,   0,   0,   0,   0,   0,   0,   // Rank 8: shouldn't exist
];

#[rustfmt::skip]
const PAWN_EG: [i32; 64] = [
    0,   0,   0,   0,   0,   0,   0,   0,
   10,  10,  10,  10,  10,  10,  10,  10,   // Rank 2: passed pawn bonus
   20,  20,  20,  20,  20,  20,  20,  20,   // Rank 3: higher bonus
   30,  30,  30,  30,  30,  30,  30,  30,   // Rank 4
   40,  40,  40,  40,  40,  40,  40,  40,   // Rank 5: strong advancement
   60,  60,  60,  60,  60,  60,  60,  60,   // Rank 6: very strong
  100, 100, 100, 100, 100, 100, 100, 100,   // Rank 7: nearly winning
    0,   0,   0,   0,   0,   0,   0,   0,   // Rank 8
];

#[rustfmt::skip]
const KNIGHT_MG: [i32; 64] = [
   -10,  -8,  -6,  -4,  -4,  -6,  -8, -10,
    -8,   0,   2,   4,   4,   2,   0,  -8,
    -6,   2,   6,   8,   8,   6,   2,  -6,
    -4,   4,   8,  10,  10,   8,   4,  -4,  // Rank 4: center squares
    -4,   4,   8,  10,  10,   8,   4,  -4,  // Rank 4: symmetric
    -6,   2,   6,   8,   8,   6,   2,  -6,
    -8,   0,   2,   4,   4,   2,   0,  -8,
   -10,  -8,  -6,  -4,  -4,  -6,  -8, -10,
];

#[rustfmt::skip]
const KNIGHT_EG: [i32; 64] = [
    -6,  -4,  -2,   0,   0,  -2,  -4,  -6,
    -4,   0,   2,   4,   4,   2,   0,  -4,
    -2,   2,   4,   6,   6,   4,   2,  -2,
     0,   4,   6,   8,   8,   6,   4,   0,
     0,   4,   6,   8,   8,   6,   4,   0,
    -2,   2,   4,   6,   6,   4,   2,  -2,
    -4,   0,   2,   4,   4,   2,   0,  -4,
    -6,  -4,  -2,   0,   0,  -2,  -4,  -6,
];

#[rustfmt::skip]
const BISHOP_MG: [i32; 64] = [
    -4,  -2,  -2,  -2,  -2,  -2,  -2,  -4,
    -2,   0,   2,   2,   2,   2,   0,  -2,
    -2,   2,   4,   4,   4,   4,   2,  -2,
    -2,   2,   4,   6,   6,   4,   2,  -2,  // Rank 4: center diagonals
    -2,   2,   4,   6,   6,   4,   2,  -2,  // Rank 4
    -2,   2,   4,   4,   4,   4,   2,  -2,
    -2,   0,   2,   2,   2,   2,   0,  -2,
    -4,  -2,  -2,  -2,  -2,  -2,  -2,  -4,
];

#[rustfmt::skip]
const BISHOP_EG: [i32; 64] = [
    -2,  -1,  -1,  -1,  -1,  -1,  -1,  -2,
    -1,   0,   1,   1,   1,   1,   0,  -1,
    -1,   1,   2,   2,   2,   2,   1,  -1,
    -1,   1,   2,   4,   4,   2,   1,  -1,
    -1,   1,   2,   4,   4,   2,   1,  -1,
    -1,   1,   2,   2,   2,   2,   1,  -1,
    -1,   0,   1,   1,   1,   1,   0,  -1,
    -2,  -1,  -1,  -1,  -1,  -1,  -1,  -2,
];

#[rustfmt::skip]
const ROOK_MG: [i32; 64] = [
     0,   1,   2,   3,   3,   2,   1,   0,
     1,   2,   3,   4,   4,   3,   2,   1,
     0,   0,   0,   0,   0,   0,   0,   0,  // Rank 3: neutral
     0,   0,   0,   0,   0,   0,   0,   0,  // Rank 4
     0,   0,   0,   0,   0,   0,   0,   0,  // Rank 5
     0,   0,   0,   0,   0,   0,   0,   0,  // Rank 6
     5,   5,   5,   5,   5,   5,   5,   5,  // Rank 7: 7th rank bonus!
     0,   1,   2,   3,   3,   2,   1,   0,
];

#[rustfmt::skip]
const ROOK_EG: [i32; 64] = [
    -4,  -2,   0,   0,   0,   0,  -2,  -4,
    -2,   0,   2,   2,   2,   2,   0,  -2,
     0,   2,   4,   4,   4,   4,   2,   0,  // Rank 3: centralize
     0,   2,   4,   6,   6,   4,   2,   0,  // Rank 4
     0,   2,   4,   6,   6,   4,   2,   0,  // Rank 5
     0,   2,   4,   4,   4,   4,   2,   0,  // Rank 6
    -2,   0,   2,   2,   2,   2,   0,  -2,
    -4,  -2,   0,   0,   0,   0,  -2,  -4,
];

#[rustfmt::skip]
const QUEEN_MG: [i32; 64] = [
    -4,  -2,   0,   0,   0,   0,  -2,  -4,
    -2,   0,   2,   2,   2,   2,   0,  -2,
     0,   2,   4,   4,   4,   4,   2,   0,
     0,   2,   4,   6,   6,   4,   2,   0,  // Rank 4: center bonus
     0,   2,   4,   6,   6,   4,   2,   0,  // Rank 5
     0,   2,   4,   4,   4,   4,   2,   0,
    -2,   0,   2,   2,   2,   2,   0,  -2,
    -4,  -2,   0,   0,   0,   0,  -2,  -4,
];

#[rustfmt::skip]
const QUEEN_EG: [i32; 64] = [
    -2,  -1,   0,   0,   0,   0,  -1,  -2,
    -1,   0,   1,   1,   1,   1,   0,  -1,
     0,   1,   2,   2,   2,   2,   1,   0,
     0,   1,   2,   4,   4,   2,   1,   0,
     0,   1,   2,   4,   4,   2,   1,   0,
     0,   1,   2,   2,   2,   2,   1,   0,
    -1,   0,   1,   1,   1,   1,   0,  -1,
    -2,  -1,   0,   0,   0,   0,  -1,  -2,
];

#[rustfmt::skip]
const KING_MG: [i32; 64] = [
   -40, -30, -30, -30, -30, -30, -30, -40,  // Rank 8
   -30, -20, -10, -10, -10, -10, -20, -30,  // Rank 7
   -20, -10,   0,   0,   0,   0, -10, -20,  // Rank 6
   -10,   0,   5,   5,   5,   5,   0, -10,  // Rank 5
     0,   5,  10,  10,  10,  10,   5,   0,  // Rank 4
    -5,   0,   5,  10,  10,   5,   0,  -5,  // Rank 3
   -30, -20, -10, -10, -10, -10, -20, -30,  // Rank 2
   -50, -40, -30, -30, -30, -30, -40, -50,  // Rank 1
];

#[rustfmt::skip]
const KING_EG: [i32; 64] = [
    -6,  -4,  -2,   0,   0,  -2,  -4,  -6,
    -4,   0,   2,   4,   4,   2,   0,  -4,
    -2,   2,   4,   6,   6,   4,   2,  -2,
     0,   4,   6,   8,   8,   6,   4,   0,  // Rank 4: center bonus
     0,   4,   6,   8,   8,   6,   4,   0,  // Rank 5
    -2,   2,   4,   6,   6,   4,   2,  -2,
    -4,   0,   2,   4,   4,   2,   0,  -4,
    -6,  -4,  -2,   0,   0,  -2,  -4,  -6,
];

#[rustfmt::skip]
const CENTER_BONUS: [i32; 64] = [
    0, 0, 0, 0, 0, 0, 0, 0,
    0, 1, 1, 1, 1, 1, 1, 0,
    0, 1, 2, 2, 2, 2, 1, 0,
    0, 1, 2, 3, 3, 2, 1, 0,
    0, 1, 2, 3, 3, 2, 1, 0,
    0, 1, 2, 2, 2, 2, 1, 0,
    0, 1, 1, 1, 1, 1, 1, 0,
    0, 0, 0, 0, 0, 0, 0, 0,
];

/// Pawn, knight, bishop, rook, queen, king.
const PIECE_VALUES: [i32; 6] = [100, 325, 335, 500, 900, 0];

const MG_TABLES: [&[i32; 64]; 6] = [&PAWN_MG, &KNIGHT_MG, &BISHOP_MG, &ROOK_MG, &QUEEN_MG, &KING_MG];
const EG_TABLES: [&[i32; 64]; 6] = [&PAWN_EG, &KNIGHT_EG, &BISHOP_EG, &ROOK_EG, &QUEEN_EG, &KING_EG];

fn index(role: Role) -> usize {
    Role::ALL.iter().position(|&other| other == role).expect("one of six")
}

/// White reads a table that is printed rank 1 first directly, Black flips.
fn relative(square: Square, color: Color) -> Square {
    color.fold_wb(square, square.flip_vertical())
}

fn get_mg_score(role: Role, square: Square, color: Color) -> i32 {
    let square = relative(square, color);
    // Printed rank 8 first
    let square = if role == Role::King { square.flip_vertical() } else { square };
    MG_TABLES[index(role)][usize::from(square)]
}

fn get_eg_score(role: Role, square: Square, color: Color) -> i32 {
    EG_TABLES[index(role)][usize::from(relative(square, color))]
}

/// Eight for every piece, pawns and kings too.
fn get_phase(board: &Board) -> f64 {
    (Role::ALL.iter().map(|&role| count(board, role)).sum::<f64>() * 8.0).min(256.0)
}

fn positional(board: &Board) -> Verdict {
    let (mut mg, mut eg) = (0, 0);
    for (role, square, color, sign) in pieces(board) {
        mg += sign * (PIECE_VALUES[index(role)] + get_mg_score(role, square, color));
        eg += sign * (PIECE_VALUES[index(role)] + get_eg_score(role, square, color));
    }
    Verdict::new((mg, eg), get_phase(board))
}

/// "Applies to most pieces": not to pawns and kings.
fn centre(board: &Board) -> Verdict {
    let mut score = 0;
    for (role, square, color, sign) in pieces(board) {
        let bonus = match role {
            Role::Pawn | Role::King => 0,
            _ => CENTER_BONUS[usize::from(relative(square, color))],
        };
        score += sign * (PIECE_VALUES[index(role)] + bonus);
    }
    Verdict::new((score, score), get_phase(board))
}

#[test]
fn positional_follows_the_document() {
    agrees("positional", positional);
    phase_agrees("positional", get_phase);
}

#[test]
fn positional_fixed_follows_the_document_but_for_the_king() {
    let kings_cancel = |board: &Board| {
        let king = |color| board.king_of(color).expect("each side has a king");
        king(Color::White) == king(Color::Black).flip_vertical()
    };
    assert!(agrees_where("positional-fixed", positional, kings_cancel) >= 30);
    phase_agrees("positional-fixed", get_phase);
}

#[test]
fn centre_follows_the_document() {
    agrees("centre", centre);
    phase_agrees("centre", get_phase);
}

#[test]
fn positional_facts() {
    holds(
        "positional",
        &[
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0),
            // Knight g1 to d4; pawn e2 to e4; knight g1 to f3
            ("rnbqkbnr/pppppppp/8/8/3N4/8/PPPPPPPP/RNBQKB1R b KQkq - 0 1", 10 + 8),
            ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", 24 - 10),
            ("rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1", 6 + 8),
            // King e1 to g1 and rook h1 to f1, pawn e3, bishop e2, knight f3: the king loses ten by castling
            ("rnbqkbnr/pppppppp/8/8/8/4PN2/PPPPBPPP/RNBQ1RK1 b kq - 0 1", -40 + 30 + 2 + (2 + 2) + 14 + (16 - 10)),
            // A pawn on the 7th: nothing in the middlegame, a hundred in the endgame; 3 pieces make a phase of 24
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", 100 + (100 * 232 + 128) / 256),
        ],
    );
}

#[test]
fn centre_facts() {
    holds(
        "centre",
        &[
            ("rnbqkbnr/pppppppp/8/8/3N4/8/PPPPPPPP/RNBQKB1R b KQkq - 0 1", 3),
            ("rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1", 2),
            ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", 0),
            ("4k3/8/8/8/8/4P3/8/4K3 w - - 0 1", 100),
            ("4k3/8/8/3q4/8/8/1P6/4K3 w - - 0 1", 100 - 900 - 3),
        ],
    );
}

/// Against a black king on e8, with all the pieces that a king may hide behind.
fn king_on(square: &str, preset: &str) -> i32 {
    let fen = match square {
        "e1" => "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQK2R w - - 0 1",
        "g1" => "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ2KR w - - 0 1",
        "b1" => "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RKBQ2NR w - - 0 1",
        "e3" => "rnbqkbnr/pppppppp/8/8/8/4K3/PPPPPPPP/RNBQ3R w - - 0 1",
        "e4" => "rnbqkbnr/pppppppp/8/8/4K3/8/PPPPPPPP/RNBQ3R w - - 0 1",
        _ => panic!("no position for a king on {square}"),
    };
    white_cp(fen, &weights(preset))
}

#[test]
fn the_printed_king_goes_to_the_centre_and_the_fixed_one_into_its_corner() {
    let [printed, fixed] = ["positional", "positional-fixed"]
        .map(|preset| ["e4", "e3", "e1", "b1", "g1"].map(|square| king_on(square, preset)));
    assert!(printed[0] >= printed[1] && printed[1] > printed[2] && printed[2] > printed[4], "{printed:?}");
    assert!(fixed[0] < fixed[1] && fixed[1] < fixed[2] && fixed[2] < fixed[3] && fixed[3] == fixed[4], "{fixed:?}");
}
