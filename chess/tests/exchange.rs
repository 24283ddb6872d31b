//! Static exchange evaluation: what each capture is worth, to the pawn.

use chess::{ByRole, Position};

const VALUES: ByRole<i32> = ByRole { pawn: 100, knight: 300, bishop: 300, rook: 500, queen: 900, king: 0 };

/// FEN, move, and what the exchange brings in.
#[rustfmt::skip]
const CASES: &[(&str, &str, i32)] = &[
    // Nothing to take, nothing to lose; a piece put where a pawn takes it; a piece defended by a pawn
    ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",                    "e2e4",  0),
    ("4k3/8/8/3p4/8/2N5/8/4K3 w - - 0 1",                  "c3e4", -300),
    ("4k3/8/8/3p4/8/2N5/2P5/4K3 w - - 0 1",                "c3d5",  100),
    ("4k3/8/2p5/3p4/8/2N5/8/4K3 w - - 0 1",                "c3d5", -200),
    // Rooks behind rooks and a queen behind a bishop take part
    ("3r2k1/3r4/8/3p4/8/8/3R4/3R2K1 w - - 0 1",            "d2d5", -400),
    ("6k1/3r4/8/3p4/8/8/3R4/3R2K1 w - - 0 1",              "d2d5",  100),
    ("6k1/8/4p3/3p4/8/1B6/Q7/6K1 w - - 0 1",               "b3d5", -100),
    // The king takes last, and only if nobody can take it
    ("8/8/3k4/3p4/8/1B6/8/6K1 w - - 0 1",                  "b3d5", -200),
    ("8/8/3k4/3p4/8/1B6/Q7/6K1 w - - 0 1",                 "b3d5",  100),
    // En passant, castling, promotion and promotion by capture
    ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2",                  "e5d6",  100),
    ("4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 2",                "e5d6",  0),
    ("4k3/8/8/8/8/8/8/4K2R w K - 0 1",                     "e1g1",  0),
    ("8/1P1k4/8/8/8/8/8/4K3 w - - 0 1",                    "b7b8q", 800),
    ("r7/1P1k4/8/8/8/8/8/4K3 w - - 0 1",                   "b7b8q", -100),
    ("r7/1P1k4/8/8/8/8/8/4K3 w - - 0 1",                   "b7a8n", 700),
    // A pawn that retakes on the last rank promotes, so the exchange costs more than the piece
    ("3r4/2P5/2n5/1k6/8/8/8/4K3 b - - 0 1",                "c6a7",  0),
    ("3N4/2P5/2n5/1k6/8/8/8/4K3 b - - 0 1",                "c6d8", -800),
    ("8/8/1k6/8/8/2N1N3/2p1p1K1/3n4 w - - 0 1",            "c3d1", -800),
    ("8/8/1k6/8/8/2N1N3/2p1p1K1/3n4 w - - 0 1",            "e3d1", -800),
];

#[test]
fn an_exchange_reaches_its_value_and_no_more() {
    for &(fen, uci, value) in CASES {
        let position: Position = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        let mv = position.parse_uci(uci).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert!(position.exchange_reaches(mv, value, &VALUES), "{fen} {uci}: less than {value}");
        assert!(!position.exchange_reaches(mv, value + 1, &VALUES), "{fen} {uci}: more than {value}");
    }
}
