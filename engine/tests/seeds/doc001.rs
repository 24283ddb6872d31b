//! Document 001, "PSQT (Piece-Square Tables)": `stockfish`.
//!
//! Internal units, 248 of them to a displayed pawn. Only the pawn and knight tables are printed, for files a to d and
//! rank 1 first; the other pieces get material alone. The document prints the limits of the phase and no formula.

use crate::positions::mirrored;
use crate::{Verdict, agrees, count, phase_agrees, pieces, weights, white_cp};
use shakmaty::{Board, Color, Role, Square};

/// (mg, eg)
type Score = (i32, i32);

const UNIT: f64 = 248.0;

/// Pawn, knight, bishop, rook, queen, king.
const PIECE_VALUE: [Score; 6] = [(188, 248), (753, 832), (826, 897), (1285, 1371), (2513, 2650), (0, 0)];

const MIDGAME_LIMIT: f64 = 15258.0;
const ENDGAME_LIMIT: f64 = 3915.0;

/// By rank, then by file a to d. The document stops before the pawns' last rank.
#[rustfmt::skip]
const BONUS: [&[[Score; 4]]; 2] = [
  &[ // Pawn
   [ (  0, 0), (  0, 0), (  0, 0), ( 0, 0) ],
   [ (-16, 7), (  1,-4), (  7, 8), ( 3,-2) ],
   [ (-23,-4), ( -7,-5), ( 19, 5), (24, 4) ],
   [ (-22, 3), (-14, 3), ( 20,-8), (35,-3) ],
   [ (-11, 8), (  0, 9), (  3, 7), (21,-6) ],
   [ (-11, 8), (-13,-5), ( -6, 2), (-2, 4) ],
   [ ( -9, 3), ( 15,-9), ( -8, 1), (-4,18) ]
  ],
  &[ // Knight
   [ (-143, -97), (-96,-82), (-80,-46), (-73,-14) ],
   [ ( -83, -69), (-43,-55), (-21,-17), (-10,  9) ],
   [ ( -71, -50), (-22,-39), (  0, -8), (  9, 28) ],
   [ ( -25, -41), ( 18,-25), ( 43,  7), ( 47, 38) ],
   [ ( -26, -46), ( 16,-25), ( 38,  2), ( 50, 41) ],
   [ ( -11, -55), ( 37,-38), ( 56, -8), ( 71, 27) ],
   [ ( -62, -64), (-17,-50), (  5,-24), ( 14, 13) ],
   [ (-195,-110), (-66,-90), (-42,-50), (-29,-13) ]
  ],
];

fn index(role: Role) -> usize {
    Role::ALL.iter().position(|&other| other == role).expect("one of six")
}

fn bonus(role: Role, square: Square) -> Score {
    let file = usize::from(square.file()).min(7 - usize::from(square.file()));
    let table = BONUS.get(index(role)).copied().unwrap_or_default();
    table.get(usize::from(square.rank())).map_or((0, 0), |rank| rank[file])
}

/// The final table: White's half is value and bonus, Black's is flipped and negated.
fn init() -> [[[Score; 64]; 6]; 2] {
    let mut psq = [[[(0, 0); 64]; 6]; 2];
    for role in Role::ALL {
        let value = PIECE_VALUE[index(role)];
        for square in Square::ALL {
            let bonus = bonus(role, square);
            let (mg, eg) = (value.0 + bonus.0, value.1 + bonus.1);
            psq[0][index(role)][usize::from(square)] = (mg, eg);
            psq[1][index(role)][usize::from(square.flip_vertical())] = (-mg, -eg);
        }
    }
    psq
}

/// The non-pawn material of both sides between the two limits.
fn phase(board: &Board) -> f64 {
    let material: f64 = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen]
        .iter()
        .map(|&role| count(board, role) * f64::from(PIECE_VALUE[index(role)].0))
        .sum();
    (256.0 * (material - ENDGAME_LIMIT) / (MIDGAME_LIMIT - ENDGAME_LIMIT)).clamp(0.0, 256.0)
}

fn stockfish(board: &Board) -> Verdict {
    let psq = init();
    let (mut mg, mut eg) = (0, 0);
    for (role, square, color, _) in pieces(board) {
        let score = psq[usize::from(color == Color::Black)][index(role)][usize::from(square)];
        mg += score.0;
        eg += score.1;
    }
    let cp = |units: i32| f64::from(units) * 100.0 / UNIT;
    Verdict { mg: cp(mg), eg: cp(eg), phase: phase(board) }
}

#[test]
fn stockfish_follows_the_document() {
    agrees("stockfish", stockfish);
    phase_agrees("stockfish", phase);
}

/// Facts in internal units; the engine shows centipawns.
#[test]
fn stockfish_facts() {
    let weights = weights("stockfish");
    for (fen, units) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0),
        // Knight g1 to d4 and to f3; pawn e2 to e4
        ("rnbqkbnr/pppppppp/8/8/3N4/8/PPPPPPPP/RNBQKB1R b KQkq - 0 1", 47 + 96),
        ("rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1", 96),
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", 35 - 3),
        // A pawn more, in the middlegame and in the endgame; files e to h mirror files a to d
        ("rnbqkbnr/1ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 188 - 16),
        ("rnbqkbnr/ppppppp1/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 188 - 16),
        ("4k3/8/8/8/4P3/8/8/4K3 w - - 0 1", 248 - 3),
        ("4k3/4P3/8/8/8/8/8/K7 b - - 0 1", 248 + 18),
        // The last pieces: a phase of 0, and material alone for a bishop, rook or queen
        ("4k3/8/8/8/8/8/3P4/3QK3 w - - 0 1", 2650 + 248 - 2),
        ("4k3/8/8/8/3R4/8/8/R3K3 w - - 0 1", 2 * 1371),
        ("4k3/8/8/8/3B4/8/8/B3K2N w - - 0 1", 2 * 897 + 832 - 97),
    ] {
        let cp = f64::from(units) * 100.0 / UNIT;
        assert!((f64::from(white_cp(fen, &weights)) - cp).abs() <= 1.0, "{fen}: not {cp}");
        assert!((f64::from(white_cp(&mirrored(fen), &weights)) + cp).abs() <= 1.0, "{fen}, colours swapped: not {cp}");
    }
}
