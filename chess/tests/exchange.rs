//! Static exchange evaluation: what each capture is worth, to the pawn.

use chess::{Bitboard, ByRole, Color, Move, MoveKind, Position, Role, Square};
use proptest::prelude::*;

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
    // Cheaper pieces take first: bishop or knight before rook, rook before queen
    ("6k1/8/8/3p4/8/8/3R4/1Q1R2K1 w - - 0 1",              "d2d5",  100),
    ("3r2k1/3q4/8/3P4/8/2N5/8/6K1 b - - 0 1",              "d7d5", -500),
    ("3rk3/8/4p3/3p4/8/2N5/6B1/3QK3 w - - 0 1",            "g2d5", -100),
    // A piece behind a pawn, a bishop behind a queen and a rook behind a queen take part
    ("6k1/8/4p3/3p4/2P5/1B6/8/6K1 w - - 0 1",              "c4d5",  100),
    ("6k1/8/2p1p3/3p4/2P5/1B6/8/6K1 w - - 0 1",            "c4d5",  0),
    ("6k1/5b2/4q3/3p4/8/1B6/Q7/6K1 w - - 0 1",             "b3d5", -200),
    ("3r2k1/3q4/8/3p4/8/8/3Q4/3R2K1 w - - 0 1",            "d2d5", -400),
    // The pawn that was taken en passant no longer blocks its file
    ("3rk3/8/8/3pP3/8/8/8/3RK3 w - d6 0 2",                "e5d6",  100),
];

/// Taking turns, each side with its cheapest piece, may stop: the same by trying, move after move, on a board.
fn by_trying(position: &Position, mv: Move) -> i32 {
    let target = mv.to();
    let captured = position.role_on(target).map_or(0, |role| *VALUES.get(role));
    let mut occupied = position.occupied().without(mv.from());
    captured - best_reply(position, target, position.role_on(mv.from()).unwrap(), !position.turn(), &mut occupied)
}

fn best_reply(position: &Position, target: Square, standing: Role, side: Color, occupied: &mut Bitboard) -> i32 {
    let attackers =
        |color: Color, occupied: Bitboard| position.attackers(target, occupied) & occupied & position.by_color(color);
    let ours = attackers(side, *occupied);
    let Some((role, square)) =
        Role::ALL.into_iter().find_map(|role| (ours & position.by_role(role)).first().map(|square| (role, square)))
    else {
        return 0;
    };
    if role == Role::King && attackers(!side, *occupied).any() {
        return 0;
    }
    occupied.discard(square);
    (VALUES.get(standing) - best_reply(position, target, role, !side, occupied)).max(0)
}

proptest! {
    /// On captures away from the last ranks, in positions of random games.
    #[test]
    fn an_exchange_is_worth_what_trying_it_shows(choices in prop::collection::vec(any::<u16>(), 1..100)) {
        let mut position = Position::initial();
        for choice in choices {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            for &mv in &moves {
                let on_last_rank = Bitboard::BACKRANKS.contains(mv.to());
                if mv.kind() == MoveKind::Normal && !on_last_rank {
                    let value = by_trying(&position, mv);
                    prop_assert!(position.exchange_reaches(mv, value, &VALUES), "{position} {mv:?}: less than {value}");
                    prop_assert!(!position.exchange_reaches(mv, value + 1, &VALUES), "{position} {mv:?}: more than {value}");
                }
            }
            position.play(moves[usize::from(choice) % moves.len()]);
        }
    }
}

#[test]
fn an_exchange_reaches_its_value_and_no_more() {
    for &(fen, uci, value) in CASES {
        let position: Position = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        let mv = position.parse_uci(uci).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert!(position.exchange_reaches(mv, value, &VALUES), "{fen} {uci}: less than {value}");
        assert!(!position.exchange_reaches(mv, value + 1, &VALUES), "{fen} {uci}: more than {value}");
    }
}
