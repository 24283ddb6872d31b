//! The positions on which presets and documents are compared.

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Piece, Position, Role, Square};

/// Positions in which the game goes on, from all the pieces to none.
pub(crate) const ORDINARY: &[&str] = &[
    // Openings
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
    "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2",
    "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
    "rnbqkb1r/ppp2ppp/4pn2/3p4/2PP4/2N5/PP2PPPP/R1BQKBNR w KQkq - 2 4",
    "rnbq1rk1/ppp1ppbp/3p1np1/8/2PPP3/2N2N2/PP2BPPP/R1BQK2R b KQ - 3 6",
    "rn1qkbnr/pp2pppp/2p5/3pPb2/3P4/8/PPP2PPP/RNBQKBNR w KQkq - 1 4",
    "rnbqkb1r/pp3p1p/3p1np1/2pP4/4P3/2N5/PP3PPP/R1BQKBNR w KQkq - 0 7",
    "rnbqk1nr/pp3ppp/4p3/2ppP3/3P4/P1P5/2P2PPP/R1BQKBNR b KQkq - 0 6",
    "rnb1kbnr/ppp1pppp/8/q7/8/2N5/PPPP1PPP/R1BQKBNR w KQkq - 2 4",
    "r1bqkbnr/ppp2ppp/2n5/3pp1N1/7P/8/PPPPPPPR/RNBQKB2 b Qkq - 2 4",
    // Middlegames, with all or most of the pieces
    "r1bq1rk1/pp2ppbp/2np1np1/8/3NP3/2N1BP2/PPPQ2PP/R3KB1R w KQ - 3 9",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 b - - 0 10",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "2q1rr1k/3bbnnp/p2p1pp1/2pPp3/PpP1P1P1/1P2BNNP/2BQ1PRK/7R b - - 0 1",
    "rnbqkb1r/p3pppp/1p6/2ppP3/3N4/2P5/PPP1QPPP/R1B1KB1R w KQkq - 0 1",
    "r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - 0 1",
    "1nk1r1r1/pp2n1pp/4p3/q2pPp1N/b1pP1P2/B1P2R2/2P1B1PP/R2Q2K1 w - - 0 1",
    "2kr1bnr/pbpq4/2n1pp2/3p3p/3P1P1B/2N2N1Q/PPP3PP/2KR1B1R w - - 0 1",
    "2r1nrk1/p2q1ppp/bp1p4/n1pPp3/P1P1P3/2PBB1N1/4QPPP/R4RK1 w - - 0 1",
    "r2q1rk1/1ppnbppp/p2p1nb1/3Pp3/2P1P1P1/2N2N1P/PPB1QP2/R1B2RK1 b - - 0 1",
    "r1bq1rk1/pp2ppbp/2np2p1/2n5/P3PP2/N1P2N2/1PB3PP/R1B1QRK1 b - - 0 1",
    "2r2rk1/1bqnbpp1/1p1ppn1p/pP6/N1P1P3/P2B1N1P/1B2QPP1/R2R2K1 b - - 0 1",
    "r2qnrnk/p2b2b1/1p1p2pp/2pPpp2/1PP1P3/PRNBB3/3QNPPP/5RK1 w - - 0 1",
    "rnbqkbnr/8/8/8/8/8/8/RNBQKBNR w KQkq - 0 1",
    // Middlegames, thinned out
    "rnb2r1k/pp2p2p/2pp2p1/q2P1p2/8/1Pb2NP1/PB2PPBP/R2Q1RK1 w - - 0 1",
    "r1bqkb1r/4npp1/p1p4p/1p1pP1B1/8/1B6/PPPN1PPP/R2Q1RK1 w kq - 0 1",
    "r1bqk2r/pp2bppp/2p5/3pP3/P2Q1P2/2N1B3/1PP3PP/R4RK1 b kq - 0 1",
    "r4k2/pb2bp1r/1p1qp2p/3pNp2/3P1P2/2N3P1/PPP1Q2P/2KRR3 w - - 0 1",
    "3rn2k/ppb2rpp/2ppqp2/5N2/2P1P3/1P5Q/PB3PPP/3RR1K1 w - - 0 1",
    "3rr1k1/pp3pp1/1qn2np1/8/3p4/PP1R1P2/2P1NQPP/R1B3K1 b - - 0 1",
    "2r3k1/1p2q1pp/2b1pr2/p1pp4/6Q1/1P1PP1R1/P1PN2PP/5RK1 w - - 0 1",
    "r3r1k1/ppqb1ppp/8/4p1NQ/8/2P5/PP3PPP/R3R1K1 b - - 0 1",
    "r2q1rk1/4bppp/p2p4/2pP4/3pP3/3Q4/PP1B1PPP/R3R1K1 w - - 0 1",
    "3rr3/2pq2pk/p2p1pnp/8/2QBPP2/1P6/P5PP/4RRK1 b - - 0 1",
    "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1",
    "2k4r/ppp2ppp/8/2b5/8/2N5/PPP2PPP/3RK3 b - - 0 1",
    // Queens and rooks
    "3r1k2/4npp1/1ppr3p/p6P/P2PPPP1/1NR5/5K2/2R5 w - - 0 1",
    "2r3k1/pppR1pp1/4p3/4P1P1/5P2/1P4K1/P1P5/8 w - - 0 1",
    "6k1/5ppp/8/3q4/8/1Q6/5PPP/6K1 b - - 0 1",
    "8/5pk1/6p1/3Q3p/7P/6P1/3q1PK1/8 w - - 0 1",
    "6k1/R4ppp/8/8/8/8/r4PPP/6K1 w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "1K1k4/1P6/8/8/8/8/r7/2R5 w - - 0 1",
    "4k3/7R/r7/3KP3/8/8/8/8 b - - 0 1",
    "8/8/3k4/8/3KB3/8/R7/7r w - - 40 80",
    "8/3kr3/8/3K4/8/8/8/4Q3 w - - 0 1",
    "3rr1k1/8/8/8/8/8/8/3Q2K1 b - - 0 1",
    "8/1K6/8/8/8/8/1pk5/4Q3 w - - 0 1",
    "8/8/2k5/8/3r4/8/1P3K2/4R3 b - - 12 60",
    // Bishops and knights
    "4b3/p3kp2/6p1/3pP2p/2pP1P2/4K1P1/P3N2P/8 w - - 0 1",
    "8/5k2/4b3/3p1p2/3P1P2/4B3/5K2/8 b - - 0 1",
    "8/pp3kpp/2n5/3b4/8/2B1B3/PP3KPP/8 w - - 0 1",
    "8/8/4k3/8/8/8/8/2B1KB2 w - - 0 1",
    "8/8/8/3k4/8/8/8/2KBN3 w - - 0 1",
    "8/8/8/5k2/5p2/8/5N2/4K1N1 w - - 0 1",
    "4k3/1p3n2/8/8/8/8/1P3N2/4K3 b - - 0 1",
    "n3k2n/p6p/8/8/8/8/P6P/B3K2B w - - 0 1",
    "r3k3/8/8/8/8/8/8/1N2KB2 b - - 0 1",
    // Promoted pieces: four queens, three knights, three rooks, two bishops of one colour, more than a game starts with
    "3qk3/3q4/8/8/8/8/1Q6/1Q2K3 w - - 0 1",
    "4k3/pp6/8/3N4/8/1N6/PP6/4KN2 b - - 0 1",
    "r3k2r/p6p/3r4/8/8/8/P3Q2P/4K2R b Kkq - 0 1",
    "4k3/ppp5/8/8/8/8/PPP1B3/4KB2 w - - 0 1",
    "qqq1k3/pp6/8/8/8/8/1P6/RN1QKBNR w KQ - 0 1",
    "rnbqkbnr/8/8/8/8/8/QQQ5/RNBQKBNR w KQkq - 0 1",
    // Pawns alone: passed, doubled, tripled, isolated, racing, locked
    "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
    "8/8/8/3k4/3p4/8/3K4/8 w - - 0 1",
    "8/P6k/8/8/8/8/7p/K7 w - - 0 1",
    "8/2k5/8/2P5/1P1p4/8/5K2/8 b - - 0 1",
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    "4k3/p7/p7/p7/8/P7/PP5P/4K3 b - - 0 1",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
    "8/5ppp/8/3k4/8/3K4/PPP5/8 b - - 0 1",
    "8/8/1p1p1p1p/1P1P1P1P/3k4/8/3K4/8 w - - 0 1",
    "6k1/5p1p/6p1/8/1P6/8/P4PPP/6K1 w - - 0 1",
    "8/pP3k2/P7/2pP4/8/1p2K3/8/8 w - c6 0 40",
];

const MATED: &str = "checkmate";
const STALEMATE: &str = "stalemate";
const DRAW: &str = "draw";

/// Positions in which the game is over, what they are worth to White, and why.
#[rustfmt::skip]
pub(crate) const OVER: &[(&str, i32, &str)] = &[
    ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",     -10000, MATED),
    ("r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4", 10000, MATED),
    ("3R2k1/5ppp/8/8/8/8/8/6K1 b - - 0 1",                                 10000, MATED),
    // The mating move was the hundredth: mate comes first
    ("3R2k1/5ppp/8/8/8/8/8/6K1 b - - 100 80",                              10000, MATED),
    ("6k1/8/8/8/8/8/5PPP/3r2K1 w - - 100 80",                             -10000, MATED),
    ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",                                         0, STALEMATE),
    ("8/8/8/8/8/6k1/5q2/7K w - - 0 1",                                         0, STALEMATE),
    ("k7/P7/K7/8/8/8/8/8 b - - 0 1",                                           0, STALEMATE),
    // Nobody can mate
    ("8/8/3k4/8/8/4K3/8/8 w - - 0 1",                                          0, DRAW),
    ("8/8/3k4/8/8/4K3/5N2/8 w - - 0 1",                                        0, DRAW),
    ("8/8/3k4/8/8/4K3/5B2/8 b - - 0 1",                                        0, DRAW),
    ("5b2/8/3k4/8/8/4K3/8/2B5 w - - 0 1",                                      0, DRAW),
    // Fifty moves without a capture or a pawn
    ("4k3/8/8/8/8/8/4P3/R3K3 w - - 100 100",                                   0, DRAW),
    ("8/8/3k4/8/3KB3/8/R7/7r w - - 120 180",                                   0, DRAW),
];

/// Boards that get one more white piece: of the middlegame and of the endgame, with kings on two files.
#[rustfmt::skip]
const SWEPT: [&str; 4] = [
    "rnbqkbnr/ppppppp1/8/8/8/8/1PPPPPP1/RNBQKBNR w - - 0 1",
    "kbbrrqnn/ppppppp1/8/8/8/8/1PPPPPP1/KBBRRQNN w - - 0 1",
    "4k3/2p5/8/8/8/8/5P2/4K3 w - - 0 1",
    "k7/2p5/8/8/8/8/5P2/K7 w - - 0 1",
];

/// Every white piece on every square of these boards, if the game goes on there: no cell of a table stays unread.
pub(crate) fn sweep() -> Vec<String> {
    let mut fens = Vec::new();
    for base in SWEPT {
        for role in Role::ALL {
            fens.extend(Square::ALL.into_iter().filter_map(|square| with_white(base, role, square)));
        }
    }
    fens
}

/// A board with one more white piece on a square, or with its white king moved there.
fn with_white(base: &str, role: Role, square: Square) -> Option<String> {
    let setup = base.parse::<Fen>().expect("a sound FEN").into_setup();
    if setup.board.role_at(square) == Some(Role::King) {
        return None;
    }
    [Color::White, Color::Black].into_iter().find_map(|turn| {
        let mut setup = setup.clone();
        if role == Role::King {
            setup.board.discard_piece_at(setup.board.king_of(Color::White).expect("a white king"));
        }
        setup.board.set_piece_at(square, Piece { color: Color::White, role });
        setup.turn = turn;
        let position: Chess = setup.position(CastlingMode::Standard).ok()?;
        (!position.is_game_over()).then(|| Fen::from_position(&position, EnPassantMode::Legal).to_string())
    })
}

/// The same position with colours and side to move swapped.
pub(crate) fn mirrored(fen: &str) -> String {
    let swapped = |c: char| if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
    let fields: Vec<&str> = fen.split(' ').collect();
    let board: Vec<String> = fields[0].rsplit('/').map(|rank| rank.chars().map(swapped).collect()).collect();
    let turn = if fields[1] == "w" { "b" } else { "w" };
    // White's rights come first
    let mut castling: Vec<char> = fields[2].chars().map(swapped).collect();
    castling.sort_unstable();
    let castling: String = castling.into_iter().collect();
    let en_passant = fields[3].replace('3', "#").replace('6', "3").replace('#', "6");
    format!("{} {turn} {castling} {en_passant} {} {}", board.join("/"), fields[4], fields[5])
}
