//! Document 002, "PST Phase Interpolation Implementation Plan": `seajay` and `seajay-pawns`.
//!
//! The document prints (mg, eg) pairs for some squares, in words. The base is the usual simplified table (document
//! 003's), the king's endgame table is the usual one that goes with it, and the printed pairs win where they apply.

use crate::doc003::{PIECE_VALUES, PST, index};
use crate::{Verdict, agrees, count, holds, ours, phase_agrees, pieces, theirs, weights};
use engine::Trace;
use shakmaty::{Board, File, Position, Rank, Role, Square};

/// Not in the document, which only says that it is distinct. Rank 8 first.
#[rustfmt::skip]
pub(crate) const KING_EG: [i32; 64] = [
    -50, -40, -30, -20, -20, -30, -40, -50,
    -30, -20, -10,   0,   0, -10, -20, -30,
    -30, -10,  20,  30,  30,  20, -10, -30,
    -30, -10,  30,  40,  40,  30, -10, -30,
    -30, -10,  30,  40,  40,  30, -10, -30,
    -30, -10,  20,  30,  30,  20, -10, -30,
    -30, -30,   0,   0,   0,   0, -30, -30,
    -50, -30, -30, -30, -30, -30, -30, -50,
];

/// The pair that the document prints for a white piece on a square, if it prints one.
fn printed(role: Role, square: Square) -> Option<(i32, i32)> {
    let (file, rank) = (square.file(), square.rank());
    let within = |files: [File; 2], ranks: [Rank; 2]| {
        (files[0]..=files[1]).contains(&file) && (ranks[0]..=ranks[1]).contains(&rank)
    };
    let corner = matches!(square, Square::A1 | Square::H1 | Square::A8 | Square::H8);
    let long_diagonal = usize::from(file) == usize::from(rank) || usize::from(file) + usize::from(rank) == 7;
    match role {
        // Passed pawns more valuable; near promotion critical
        Role::Pawn if rank == Rank::Sixth => Some((20, 35)),
        Role::Pawn if rank == Rank::Seventh => Some((50, 90)),
        // Center squares; edge squares
        Role::Knight if within([File::D, File::E], [Rank::Fourth, Rank::Fifth]) => Some((20, 15)),
        Role::Knight if corner => Some((-50, -40)),
        // Corners; long diagonals
        Role::Bishop if corner => Some((-20, -10)),
        Role::Bishop if long_diagonal => Some((15, 20)),
        // 7th rank; active placement
        Role::Rook if rank == Rank::Seventh => Some((10, 25)),
        Role::Rook if within([File::B, File::G], [Rank::Fourth, Rank::Sixth]) => Some((0, 10)),
        // Center control; back rank
        Role::Queen if within([File::C, File::F], [Rank::Third, Rank::Sixth]) => Some((5, 10)),
        Role::Queen if corner && rank == Rank::First => Some((-20, -5)),
        _ => None,
    }
}

/// The pair for a white piece: the document's, else the base.
fn pair(role: Role, square: Square) -> (i32, i32) {
    // The tables are printed rank 8 first
    let cell = usize::from(square.flip_vertical());
    let base = PST[index(role)][cell];
    printed(role, square).unwrap_or_else(|| match role {
        Role::King => (base, KING_EG[cell]),
        // Ours: no square of the back rank is worse than its corners
        Role::Queen if square.rank() == Rank::First => (base, -5),
        _ => (base, base),
    })
}

/// Of 256 and before any clamp.
fn material_phase(board: &Board) -> f64 {
    let phase = count(board, Role::Knight)
        + count(board, Role::Bishop)
        + 2.0 * count(board, Role::Rook)
        + 4.0 * count(board, Role::Queen);
    phase * 256.0 / 24.0
}

pub(crate) fn phase0to256(board: &Board) -> f64 {
    material_phase(board).clamp(0.0, 256.0)
}

/// Clamped once, at the end.
fn phase0to256_pawn_aware(board: &Board) -> f64 {
    (material_phase(board) + (count(board, Role::Pawn) - 8.0) * 3.0).clamp(0.0, 256.0)
}

fn pst_score(board: &Board) -> (i32, i32) {
    let (mut mg, mut eg) = (0, 0);
    for (role, square, color, sign) in pieces(board) {
        let pst = pair(role, color.fold_wb(square, square.flip_vertical()));
        mg += sign * (PIECE_VALUES[index(role)] + pst.0);
        eg += sign * (PIECE_VALUES[index(role)] + pst.1);
    }
    (mg, eg)
}

#[test]
fn seajay_follows_the_document() {
    agrees("seajay", |board| Verdict::new(pst_score(board), phase0to256(board)));
    phase_agrees("seajay", phase0to256);
}

#[test]
fn seajay_pawns_follows_the_document() {
    agrees("seajay-pawns", |board| Verdict::new(pst_score(board), phase0to256_pawn_aware(board)));
    phase_agrees("seajay-pawns", phase0to256_pawn_aware);
}

#[test]
fn seajay_facts() {
    for preset in ["seajay", "seajay-pawns"] {
        holds(
            preset,
            &[
                ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0),
                // Middlegame: knight g1 to d4; bishop c1 to b2 behind b3; rook a1 to a7, and there to take
                ("rnbqkbnr/pppppppp/8/8/3N4/8/PPPPPPPP/RNBQKB1R b KQkq - 0 1", 20 + 40),
                ("rnbqkbnr/pppppppp/8/8/8/1P6/PBPPPPPP/RN1QKBNR b KQkq - 0 1", (15 + 10) + (-5 - 10)),
                ("rnbqkbnr/Rppppppp/8/8/8/8/1PPPPPPP/1NBQKBNR b Kkq - 0 1", 10),
                // Endgame: pawns on rank 5, 6 and 7; the king in the centre
                ("4k3/8/8/P7/8/8/8/4K3 w - - 0 1", 100 + 5),
                ("4k3/8/P7/8/8/8/8/4K3 w - - 0 1", 100 + 35),
                ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", 100 + 90),
                ("4k3/8/8/8/3KP3/8/8/8 w - - 0 1", 100 + 20 + 40 + 30),
            ],
        );
    }
}

#[test]
fn pawns_move_the_phase_by_three_each() {
    let [plain, aware] = ["seajay", "seajay-pawns"].map(weights);
    for (fen, expected) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", [256, 256]),
        // All pieces with 8 pawns, with 2 and with none
        ("rnbqkbnr/pppp4/8/8/8/8/PPPP4/RNBQKBNR w KQkq - 0 1", [256, 256]),
        ("rnbqkbnr/p7/8/8/8/8/P7/RNBQKBNR w KQkq - 0 1", [256, 238]),
        ("rnbqkbnr/8/8/8/8/8/8/RNBQKBNR w KQkq - 0 1", [256, 232]),
        // No pieces with 16 pawns, with 9, 8 and 7
        ("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1", [0, 24]),
        ("4k3/pppp4/8/8/8/8/PPPPP3/4K3 w - - 0 1", [0, 3]),
        ("4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1", [0, 0]),
        ("4k3/pppp4/8/8/8/8/PPP5/4K3 w - - 0 1", [0, 0]),
        // Three more queens than a game starts with make up for the missing pawns
        ("rnbqkbnr/8/8/8/8/8/QQQ5/RNBQKBNR w KQkq - 0 1", [256, 256]),
    ] {
        let phases = [&plain, &aware].map(|weights| Trace::of(&ours(fen), weights).phase);
        assert_eq!(phases, expected, "{fen}");
        let theirs = theirs(fen);
        assert_eq!([phase0to256, phase0to256_pawn_aware].map(|phase| phase(theirs.board())), expected.map(f64::from));
    }
}
