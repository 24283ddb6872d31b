//! Our rules against shakmaty's, on random games of standard chess, Chess960 and double Chess960.

mod random_game;

use std::collections::BTreeSet;

use chess::{
    Bitboard, CastlingMode, CastlingStyle, Checks, Color, Index, Move, MoveKind, MoveList, Observer, Outcome, Piece,
    Position, Square,
};
use proptest::prelude::*;
use random_game::random_game;
use shakmaty::{Chess, EnPassantMode, Position as _, fen::Fen, san::SanPlus, uci::UciMove};

fn reread(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn uci_set<'a>(moves: impl IntoIterator<Item = &'a Move>) -> BTreeSet<String> {
    moves.into_iter().map(|mv| mv.uci(CastlingMode::Chess960).to_string()).collect()
}

fn after(position: &Position, mv: Move) -> Position {
    let mut child = *position;
    child.play(mv);
    child
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn moves_checkers_outcome_and_fen_agree_with_shakmaty(game in random_game(180)) {
        // shakmaty plays the game in parallel, so that clocks, rights and en passant are its own
        let mut oracle: Option<Chess> = None;
        game.walk_with_moves(|position, last| {
            let fen = position.to_string();
            let start = || fen.parse::<Fen>().unwrap().into_position(CastlingMode::Chess960).unwrap();
            let oracle = oracle.get_or_insert_with(start);
            if let Some(mv) = last {
                let uci: UciMove = mv.uci(CastlingMode::Chess960).to_string().parse().unwrap();
                oracle.play_unchecked(uci.to_move(&*oracle).unwrap());
            }

            let theirs: BTreeSet<_> =
                oracle.legal_moves().iter().map(|mv| mv.to_uci(CastlingMode::Chess960).to_string()).collect();
            let ours = position.legal_moves();
            assert_eq!(uci_set(&ours), theirs, "{fen}");
            assert_eq!(ours.len(), theirs.len(), "{fen}: a move is listed twice");
            assert_eq!(position.count_legal_moves(), theirs.len(), "{fen}");
            assert_eq!(position.checkers(), oracle.checkers(), "{fen}");

            let outcome = position.outcome();
            assert_eq!(matches!(outcome, Some(Outcome::Checkmate { .. })), oracle.is_checkmate(), "{fen}");
            assert_eq!(outcome == Some(Outcome::Stalemate), oracle.is_stalemate(), "{fen}");
            assert_eq!(position.is_insufficient_material(), oracle.is_insufficient_material(), "{fen}");

            assert_eq!(fen, Fen::from_position(&*oracle, EnPassantMode::Legal).to_string());
        });
    }

    #[test]
    fn all_incremental_state_equals_the_state_set_up_from_scratch(game in random_game(180)) {
        game.walk(|position| {
            for style in [CastlingStyle::XFen, CastlingStyle::Shredder] {
                assert_eq!(*position, reread(&position.fen(style).to_string()), "{position}");
            }
            if !position.is_check() {
                let mut passed = *position;
                let mut tally = Tally::of(position);
                passed.play_null(&mut tally);
                assert_eq!(passed, reread(&passed.to_string()), "{position} after a null move");
                assert_eq!(tally.finished, Some(passed));
                assert_eq!(passed.halfmove_clock(), position.halfmove_clock() + 1);
                assert_eq!(passed.turn(), !position.turn());
                assert_eq!(passed.keys().pawns(), position.keys().pawns());
                assert_ne!(passed.keys().full(), position.keys().full());
            }
        });
    }

    #[test]
    fn stages_divide_the_legal_moves(game in random_game(120)) {
        game.walk(|position| {
            let (mut captures, mut quiets) = (MoveList::new(), MoveList::new());
            position.captures(&mut captures);
            position.quiets(&mut quiets);
            let is_capture = |mv: &Move| match mv.kind() {
                MoveKind::Castle | MoveKind::DoublePush => false,
                MoveKind::EnPassant | MoveKind::Promotion => true,
                MoveKind::Normal => position.role_on(mv.to()).is_some(),
            };
            assert!(captures.iter().all(is_capture), "{position}: {captures:?}");
            assert!(!quiets.iter().any(is_capture), "{position}: {quiets:?}");
            assert_eq!(uci_set(captures.iter().chain(&quiets)), uci_set(&position.legal_moves()), "{position}");
            assert_eq!(captures.len() + quiets.len(), position.count_legal_moves(), "{position}");
            if position.is_check() {
                let mut evasions = MoveList::new();
                position.evasions(&mut evasions);
                assert_eq!(uci_set(&evasions), uci_set(&position.legal_moves()), "{position}");
            }
        });
    }

    #[test]
    fn a_move_is_said_to_give_check_when_it_does(game in random_game(180)) {
        game.walk(|position| {
            let checks = Checks::new(position);
            for &mv in &position.legal_moves() {
                assert_eq!(checks.given_by(position, mv), after(position, mv).is_check(), "{position}: {mv:?}");
                assert_eq!(position.gives_check(mv), checks.given_by(position, mv));
            }
        });
    }

    #[test]
    fn uci_and_san_moves_are_read_back(game in random_game(60)) {
        game.walk(|position| {
            let oracle = position.to_shakmaty();
            for &mv in &position.legal_moves() {
                for mode in [CastlingMode::Chess960, position.castling_mode()] {
                    let text = mv.uci(mode).to_string();
                    assert_eq!(position.parse_uci(&text), Ok(mv), "{position}: {text}");
                    let theirs = text.parse::<UciMove>().unwrap().to_move(&oracle).unwrap();
                    assert_eq!(position.san(mv), SanPlus::from_move(oracle.clone(), theirs).to_string());
                }
                assert_eq!(position.parse_san(&position.san(mv)), Ok(mv), "{position}: {}", position.san(mv));
            }
        });
    }

    #[test]
    fn attacked_squares_and_pins_agree_with_shakmaty(game in random_game(120)) {
        game.walk(|position| {
            let board = position.to_shakmaty().board().clone();
            for color in [Color::White, Color::Black] {
                let attacked: Bitboard = Square::ALL
                    .into_iter()
                    .filter(|&square| board.attacks_to(square, color, board.occupied()).any())
                    .collect();
                assert_eq!(position.attacked_by(color), attacked, "{position}: {color}");
            }
            // A piece is pinned if its king is attacked by a slider once the piece is gone
            let us = position.turn();
            let king = position.king(us);
            let pinned: Bitboard = (position.by_color(us) & !position.by_piece(us.king()))
                .into_iter()
                .filter(|&square| {
                    let occupied = board.occupied().without(square);
                    let new = board.attacks_to(king, !us, occupied) & !board.attacks_to(king, !us, board.occupied());
                    new.any()
                })
                .collect();
            assert_eq!(position.pinned(), pinned, "{position}");
        });
    }

    #[test]
    fn an_observer_learns_every_change(game in random_game(120)) {
        game.walk(|position| {
            for &mv in &position.legal_moves() {
                let mut tally = Tally::of(position);
                let mut child = *position;
                child.play_observed(mv, &Checks::new(position), &mut tally);
                assert_eq!(tally.pieces, Tally::of(&child).pieces, "{position}: {mv:?}");
                assert_eq!(tally.finished, Some(child));
            }
        });
    }
}

/// The keys of parts, as sets of pieces: two positions share a key exactly if they share the part.
#[test]
fn each_key_changes_with_its_own_pieces_only() {
    type Part = fn(&Position) -> u64;
    let parts: [(&str, Part, &str); 5] = [
        ("pawns", |position| position.keys().pawns(), "Pp"),
        ("White's non-pawns", |position| position.keys().non_pawns(Color::White), "NBRQK"),
        ("Black's non-pawns", |position| position.keys().non_pawns(Color::Black), "nbrqk"),
        ("minors", |position| position.keys().minors(), "NBKnbk"),
        ("majors", |position| position.keys().majors(), "RQKrqk"),
    ];
    let start = reread("r1bqk2r/pp2bppp/2n1pn2/3p4/3P4/2N1PN2/PP2BPPP/R1BQK2R w KQkq - 0 1");
    for (fen, moved) in [
        ("r1bqk2r/pp2bppp/2n1pn2/3p4/3P4/P1N1PN2/1P2BPPP/R1BQK2R w KQkq - 0 1", 'P'),
        ("r1bqk2r/1p2bppp/p1n1pn2/3p4/3P4/2N1PN2/PP2BPPP/R1BQK2R w KQkq - 0 1", 'p'),
        ("r1bqk2r/pp2bppp/2n1pn2/3pN3/3P4/2N1P3/PP2BPPP/R1BQK2R w KQkq - 0 1", 'N'),
        ("r1bqk2r/pp2bppp/2n1p3/3pn3/3P4/2N1PN2/PP2BPPP/R1BQK2R w KQkq - 0 1", 'n'),
        ("r1bqk2r/pp2bppp/2n1pn2/3p4/3P4/2NBPN2/PP3PPP/R1BQK2R w KQkq - 0 1", 'B'),
        ("r1bqk2r/pp3ppp/2nbpn2/3p4/3P4/2N1PN2/PP2BPPP/R1BQK2R w KQkq - 0 1", 'b'),
        ("r1bqk2r/pp2bppp/2n1pn2/3p4/3P4/2N1PN2/PP2BPPP/1RBQK2R w Kkq - 0 1", 'R'),
        ("1rbqk2r/pp2bppp/2n1pn2/3p4/3P4/2N1PN2/PP2BPPP/R1BQK2R w KQk - 0 1", 'r'),
        ("r1bqk2r/pp2bppp/2n1pn2/3p4/3P4/2NQPN2/PP2BPPP/R1B1K2R w KQkq - 0 1", 'Q'),
        ("r1b1k2r/pp2bppp/2nqpn2/3p4/3P4/2N1PN2/PP2BPPP/R1BQK2R w KQkq - 0 1", 'q'),
        ("r1bqk2r/pp2bppp/2n1pn2/3p4/3P4/2N1PN2/PP2BPPP/R1BQ1K1R w kq - 0 1", 'K'),
        ("r1bq1k1r/pp2bppp/2n1pn2/3p4/3P4/2N1PN2/PP2BPPP/R1BQK2R w KQ - 0 1", 'k'),
    ] {
        let other = reread(fen);
        assert_ne!(other.keys().full(), start.keys().full());
        for (name, key, pieces) in parts {
            assert_eq!(key(&other) != key(&start), pieces.contains(moved), "{name} when {moved} moves");
        }
        assert_eq!(other.material(), start.material());
    }
    assert_eq!(start.material().count(Color::White.pawn()), 7);
    assert_eq!(start.material().count(Color::Black.knight()), 2);
    assert_eq!(start.material().count(Color::Black.queen()), 1);
    let captured = reread("r1bqk2r/pp2bppp/2n1p3/3p4/3P4/2N1PN2/PP2BPPP/R1BQK2R w KQkq - 0 1");
    assert_ne!(captured.material().key(), start.material().key());
}

/// Counts the pieces on each square from what it is told.
struct Tally {
    pieces: [[i32; 64]; Piece::COUNT],
    finished: Option<Position>,
}

impl Tally {
    fn of(position: &Position) -> Tally {
        let mut tally = Tally { pieces: [[0; 64]; Piece::COUNT], finished: None };
        for square in position.occupied() {
            tally.put(position.piece_on(square).unwrap(), square);
        }
        tally
    }
}

impl Observer for Tally {
    fn put(&mut self, piece: Piece, square: Square) {
        self.pieces[piece.index()][square.to_usize()] += 1;
    }

    fn take(&mut self, piece: Piece, square: Square) {
        self.pieces[piece.index()][square.to_usize()] -= 1;
    }

    fn shift(&mut self, piece: Piece, from: Square, to: Square) {
        self.take(piece, from);
        self.put(piece, to);
    }

    fn finish(&mut self, position: &Position) {
        self.finished = Some(*position);
    }
}

/// Every pattern of 16 bits is legal if and only if it is listed, along some games with much going on.
#[test]
fn a_stored_move_is_legal_exactly_when_it_is_listed() {
    for fen in [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "nrkbbqrn/pp1ppp1p/8/2pP2p1/8/8/PPP1PPPP/NRKBBQRN w GBgb c6 0 3",
    ] {
        let mut position = reread(fen);
        for ply in 0..40 {
            let listed: BTreeSet<u16> = position.legal_moves().iter().map(|mv| mv.bits()).collect();
            for bits in 0..=u16::MAX {
                let legal = Move::from_bits(bits).is_some_and(|mv| position.is_legal(mv));
                assert_eq!(legal, listed.contains(&bits), "{position}: {bits:#x}");
            }
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play(moves[(ply * 7 + 3) % moves.len()]);
        }
    }
}
