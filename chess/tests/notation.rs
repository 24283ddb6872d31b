//! FEN, X-FEN, Shredder-FEN, EPD and UCI moves: what is read, what is refused, and what is said then.

use chess::{CastlingMode, CastlingStyle, Epd, FenField, Outcome, Position, Square};

fn position(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

#[test]
fn a_fen_is_written_as_it_was_read() {
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - 12 37",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        "1rk1r3/8/8/8/8/8/8/1RK1RR2 w Eq - 0 5",
    ] {
        assert_eq!(position(fen).to_string(), fen);
    }
}

#[test]
fn castling_rights_are_read_and_written_in_either_style() {
    let standard = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    assert_eq!(position("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1"), position(standard));
    assert_eq!(position(standard).fen(CastlingStyle::Shredder).to_string(), "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1");

    // X-FEN names the file where the rook that castles is not the outermost
    let inner = position("1r2k2r/8/8/8/8/8/8/RR2K2R w KBk - 0 1");
    assert_eq!(inner.to_string(), "1r2k2r/8/8/8/8/8/8/RR2K2R w KBk - 0 1");
    assert_eq!(inner.fen(CastlingStyle::Shredder).to_string(), "1r2k2r/8/8/8/8/8/8/RR2K2R w HBh - 0 1");
    assert_eq!(inner.castling_mode(), CastlingMode::Chess960);
    assert_eq!(position(standard).castling_mode(), CastlingMode::Standard);
}

#[test]
fn counters_may_be_missing() {
    let full = position("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    assert_eq!(position("4k3/8/8/8/8/8/8/4K2R w K -"), full);
    assert_eq!(position("4k3/8/8/8/8/8/8/4K2R w K - 0"), full);
    assert_eq!(position("  4k3/8/8/8/8/8/8/4K2R\tw  K - 0 0\r\n"), full);
}

#[test]
fn an_en_passant_square_that_nobody_can_use_is_dropped() {
    assert_eq!(position("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1").en_passant(), None);
    assert_eq!(position("4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 2").en_passant(), None, "the capture would expose the king");
    assert_eq!(position("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2").en_passant(), Some(Square::D6));
}

/// Each wrong FEN: the field that is named, and words of the sentence.
#[rustfmt::skip]
const WRONG: &[(&str, FenField, &str)] = &[
    ("",                                              FenField::Board,          "missing"),
    ("8/8/8/8 w - - 0 1",                             FenField::Board,          "8 ranks are needed, not 4"),
    ("4k3/8/8/8/8/8/8/4K3/8 w - - 0 1",               FenField::Board,          "8 ranks are needed, not 9"),
    ("4k3/8/8/8/8/8/8/4K2 w - - 0 1",                 FenField::Board,          "rank 1 has 7 squares"),
    ("4k3/8/8/8/ppppppppp/8/8/4K3 w - - 0 1",         FenField::Board,          "rank 4 has 9 squares"),
    ("4k3/8/8/3x4/8/8/8/4K3 w - - 0 1",               FenField::Board,          "'x' on rank 5"),
    ("4k3/8/8/3é4/8/8/8/4K3 w - - 0 1",               FenField::Board,          "'é' on rank 5"),
    ("8/8/8/8/8/8/8/4K3 w - - 0 1",                   FenField::Board,          "Black has no king"),
    ("8/8/8/8/8/8/8/8 w - - 0 1",                     FenField::Board,          "White has no king"),
    ("4k3/8/8/8/8/8/8/K3K3 w - - 0 1",                FenField::Board,          "White has more than one king"),
    ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1",                FenField::Board,          "a pawn stands on a8"),
    ("4k3/8/8/8/8/8/8/4K2R b - - 0 1 extra",          FenField::FullmoveNumber, "\"extra\" follows it"),
    ("4k2R/8/8/8/8/8/8/4K3 w - - 0 1",                FenField::Board,          "Black is in check"),
    ("4k3/QQQQQQQQ/QQ6/8/8/8/8/4K3 b - - 0 1",        FenField::Board,          "White has more pieces"),
    ("4k3/8/8/8/8/8/8/4K3 x - - 0 1",                 FenField::Turn,           "\"x\" is neither w nor b"),
    ("4k3/8/8/8/8/8/8/4K3",                           FenField::Turn,           "missing"),
    ("4k3/8/8/8/8/8/8/4K3 w",                         FenField::Castling,       "missing"),
    ("4k3/8/8/8/8/8/8/4K2R w X - 0 1",                FenField::Castling,       "'X' is no castling right"),
    ("4k3/8/8/8/8/8/8/4K2R w KQ - 0 1",               FenField::Castling,       "'Q' needs a king"),
    ("4k3/8/8/8/8/8/4K3/7R w K - 0 1",                FenField::Castling,       "'K' needs a king"),
    ("4k3/8/8/8/8/8/8/4K1RR w KG - 0 1",              FenField::Castling,       "'G' gives a second right"),
    ("4k3/8/8/8/8/8/8/4K2R w K",                      FenField::EnPassant,      "missing"),
    ("4k3/8/8/3pP3/8/8/8/4K3 w - d9 0 1",             FenField::EnPassant,      "\"d9\" is neither a square nor -"),
    ("4k3/8/8/3pP3/8/8/8/4K3 w - d3 0 1",             FenField::EnPassant,      "no pawn can have just passed d3"),
    ("4k3/8/8/4P3/8/8/8/4K3 w - d6 0 1",              FenField::EnPassant,      "no pawn can have just passed d6"),
    ("4k3/8/8/8/8/8/8/4K3 w - - x 1",                 FenField::HalfmoveClock,  "\"x\" is not a number"),
    ("4k3/8/8/8/8/8/8/4K3 w - - -1 1",                FenField::HalfmoveClock,  "\"-1\" is not a number"),
    ("4k3/8/8/8/8/8/8/4K3 w - - +5 1",                FenField::HalfmoveClock,  "\"+5\" is not a number from 0 to 65535"),
    ("4k3/8/8/8/8/8/8/4K3 w - - 65536 1",             FenField::HalfmoveClock,  "\"65536\" is not a number"),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 9999999999",        FenField::FullmoveNumber, "\"9999999999\" is not a number"),
    ("4k3/8/8/4Pp2/8/8/8/4r1K1 w - f6 0 1",           FenField::EnPassant,      "cannot have given the checks that White is in"),
];

#[test]
fn a_wrong_fen_is_refused_with_the_field_and_the_reason() {
    for &(fen, field, words) in WRONG {
        let error = fen.parse::<Position>().expect_err(fen);
        assert_eq!(error.field, field, "{fen}: {error}");
        let sentence = error.to_string();
        assert!(sentence.contains(words), "{fen}: {sentence}");
        assert!(sentence.contains(&field.to_string()), "{fen}: {sentence}");
    }
}

#[test]
fn the_last_move_number_can_be_played_and_read_back() {
    let mut last = position("4k3/8/8/8/8/8/8/4K2R b - - 65535 4294967295");
    last.play(last.parse_uci("e8e7").unwrap());
    assert_eq!(last.to_string(), "8/4k3/8/8/8/8/8/4K2R w - - 65535 4294967295");
    assert_eq!(position(&last.to_string()), last);
}

#[test]
fn a_message_does_not_repeat_a_novel() {
    let novel = "x".repeat(1_000_000);
    let fen = format!("4k3/8/8/8/8/8/8/4K3 {novel} - - 0 1");
    assert!(fen.parse::<Position>().unwrap_err().to_string().len() < 200);
    assert!(Position::initial().parse_uci(&novel).unwrap_err().to_string().len() < 200);
    assert!(Position::initial().parse_san(&novel).unwrap_err().to_string().len() < 200);
}

#[test]
fn castling_may_be_written_with_zeros() {
    let castling = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    assert_eq!(castling.parse_san("0-0"), castling.parse_san("O-O"));
    assert_eq!(castling.parse_san("0-0-0"), castling.parse_san("O-O-O"));
    assert!(castling.parse_san("0-0").is_ok());
}

#[test]
fn castling_and_en_passant_that_expose_the_king_say_so() {
    let checked = position("4k3/8/8/8/8/4r3/8/4K2R w K - 0 1");
    assert!(checked.parse_uci("e1g1").unwrap_err().to_string().contains("to castle, the way must be free"));
    let pinned = position("4r1k1/8/8/3pP1p1/8/8/8/B3K3 w - d6 0 2");
    assert!(pinned.en_passant().is_none());
}

#[test]
fn uci_moves_are_read_in_both_castling_notations() {
    let castling = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    for (step, takes) in [("e1g1", "e1h1"), ("e1c1", "e1a1")] {
        let mv = castling.parse_uci(step).unwrap();
        assert_eq!(castling.parse_uci(takes), Ok(mv));
        assert_eq!(mv.uci(CastlingMode::Standard).to_string(), step);
        assert_eq!(mv.uci(CastlingMode::Chess960).to_string(), takes);
    }
    // A king beside its target square steps there; castling is said by taking the rook
    let beside = position("5k1r/8/8/8/8/8/8/5K1R w Kk - 0 1");
    assert_eq!(beside.parse_uci("f1g1").unwrap().kind(), chess::MoveKind::Normal);
    assert_eq!(beside.parse_uci("f1h1").unwrap().kind(), chess::MoveKind::Castle);
}

#[test]
fn a_wrong_uci_move_is_refused_with_the_reason() {
    let pinned = position("4r1k1/P7/8/8/8/4N3/8/4K3 w - - 0 1");
    for (text, words) in [
        ("", "is not a move"),
        ("e2", "is not a move"),
        ("e2e4x", "is not a move"),
        ("ééé", "is not a move"),
        ("i2i4", "is not a move"),
        ("0000", "is not a move"),
        ("a1a2", "no piece stands on a1"),
        ("e8e7", "belongs to the side that is not to move"),
        ("e3e4", "the knight on e3 cannot go there"),
        ("e3d5q", "the knight on e3 cannot go there"),
        ("a7a8", "needs a promotion, such as a7a8q"),
        ("e3d5", "leaves the king in check"),
    ] {
        let error = pinned.parse_uci(text).expect_err(text).to_string();
        assert!(error.contains(words), "{text}: {error}");
        assert!(error.contains(&format!("{text:?}")), "{text}: {error}");
    }
}

#[test]
fn san_says_why_it_does_not_fit() {
    let two_knights = position("4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1");
    assert!(two_knights.parse_san("Nd2").unwrap_err().to_string().contains("more than one"));
    assert!(two_knights.parse_san("Qd2").unwrap_err().to_string().contains("not legal"));
    assert!(two_knights.parse_san("hello").unwrap_err().to_string().contains("not a move"));
    assert_eq!(two_knights.san(two_knights.parse_san("Nbd2").unwrap()), "Nbd2");
}

#[test]
fn epd_operations_are_read_with_their_operands() {
    let epd: Epd =
        "4k3/8/8/8/8/8/8/4K2R w K - bm O-O Rh8+; id \"one; two\"; hmvc 3; fmvn 9; c0 \"a=10, b=2\";".parse().unwrap();
    assert_eq!(epd.operands("bm").unwrap(), ["O-O", "Rh8+"]);
    assert_eq!(epd.text("id"), Some("one; two"));
    assert_eq!(epd.text("c0"), Some("a=10, b=2"));
    assert_eq!(epd.operands("am"), None);
    assert_eq!((epd.position.halfmove_clock(), epd.position.fullmove_number()), (3, 9));
}

#[test]
fn epd_dialects_are_read() {
    let perft: Epd = "4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 15 ;D2 66".parse().unwrap();
    let operations: Vec<_> = perft.operations().map(|(opcode, operands)| (opcode, operands.join(" "))).collect();
    assert_eq!(operations, [("D1", "15".to_owned()), ("D2", "66".to_owned())]);

    let spaced: Epd = "4k3/8/8/8/8/8/8/4K2R w K -  ; bm O-O; id POS.01 ".parse().unwrap();
    assert_eq!(spaced.text("id"), Some("POS.01"));
    let old: Epd = "\u{feff}4k3/8/8/8/8/8/8/4K2R w K - bm Rh8 +\0; id \"x\";\0".parse().unwrap();
    assert_eq!(old.operands("bm").unwrap(), ["Rh8+"]);
    let bare: Epd = "4k3/8/8/8/8/8/8/4K2R w K -;".parse().unwrap();
    assert_eq!(bare.operations().count(), 0);
}

#[test]
fn a_wrong_epd_is_refused_with_the_reason() {
    for (line, words) in [
        ("4k3/8/8/8/8/8/8 w - - bm Kd1;", "8 ranks are needed, not 7"),
        ("4k3/8/8/8/8/8/8/4K3 w - - bm \"Kd1;", "bm: the quotation mark is not closed"),
        ("4k3/8/8/8/8/8/8/4K3 w - - ; 12 bm;", "\"12\" does not begin with a name"),
        ("4k3/8/8/8/8/8/8/4K3 w - - hmvc many;", "hmvc: \"many\" is not a number"),
    ] {
        let error = line.parse::<Epd>().expect_err(line).to_string();
        assert!(error.contains(words), "{line}: {error}");
    }
}

#[test]
fn the_game_ends_by_mate_before_the_fifty_move_rule() {
    let mate = position("R5k1/5ppp/8/8/8/8/8/4K3 b - - 100 80");
    assert!(matches!(mate.outcome(), Some(Outcome::Checkmate { winner: chess::Color::White })));
    assert!(!mate.is_fifty_move_draw());
    let check = position("R5k1/5pp1/8/8/8/8/8/4K3 b - - 100 80");
    assert_eq!(check.outcome(), Some(Outcome::FiftyMoves));
    assert!(check.is_fifty_move_draw());
    let almost = position("R5k1/5pp1/8/8/8/8/8/4K3 b - - 99 80");
    assert_eq!(almost.outcome(), None);
    assert!(!almost.is_fifty_move_draw());
    assert_eq!(position("7k/8/6Q1/8/8/8/8/4K3 b - - 0 1").outcome(), Some(Outcome::Stalemate));
    assert_eq!(position("4k3/8/8/8/8/8/8/4KN2 w - - 0 1").outcome(), Some(Outcome::InsufficientMaterial));
    assert_eq!(position("4k1b1/8/8/8/8/8/8/B3K3 w - - 0 1").outcome(), None, "bishops of opposite colours can mate");
    assert_eq!(Position::initial().outcome(), None);
}
