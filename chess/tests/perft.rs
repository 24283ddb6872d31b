//! Perft against known numbers: the well-known positions, traps for move generators, and double Chess960.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};

use chess::{PerftTable, Position, divide, perft, perft_every_leaf, perft_hashed};

/// Each line: FEN, then the leaves at depth 1, 2, 3 …
#[rustfmt::skip]
const CASES: &[(&str, &[u64])] = &[
    // The positions that everybody uses, numbered as on the Chess Programming Wiki
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",                 &[20, 400, 8_902, 197_281, 4_865_609, 119_060_324]),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",     &[48, 2_039, 97_862, 4_085_603, 193_690_690]),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",                                &[14, 191, 2_812, 43_238, 674_624, 11_030_083, 178_633_661]),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",         &[6, 264, 9_467, 422_333, 15_833_292]),
    ("r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",         &[6, 264, 9_467, 422_333, 15_833_292]),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",                &[44, 1_486, 62_379, 2_103_487, 89_941_194]),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", &[46, 2_079, 89_890, 3_894_594, 164_075_551]),
    ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",                                  &[24, 496, 9_483, 182_838, 3_605_103, 71_179_139]),
    // En passant: pinned along the rank, along the file and the diagonal; giving check; with two capturers
    ("3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1",                                           &[18, 92, 1_670, 10_138, 185_429, 1_134_888]),
    ("8/8/4k3/8/2p5/8/B2P2K1/8 w - - 0 1",                                          &[13, 102, 1_266, 10_276, 135_655, 1_015_133]),
    ("8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1",                                         &[15, 126, 1_928, 13_931, 206_379, 1_440_467]),
    ("8/8/8/8/k1pP3R/8/8/4K3 b - d3 0 1",                                           &[6, 95, 604, 10_522, 66_027, 1_182_387]),
    ("4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 2",                                           &[6, 94, 640, 10_826, 70_744, 1_223_929]),
    ("4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 2",                                         &[6, 82, 574, 8_889, 61_205, 1_011_560]),
    ("8/5bk1/8/2Pp4/8/1K6/8/8 w - d6 0 1",                                          &[8, 104, 736, 9_287, 62_297, 824_064]),
    // Castling: giving check, prevented, rights lost by capture, through and out of attack
    ("5k2/8/8/8/8/8/8/4K2R w K - 0 1",                                              &[15, 66, 1_198, 6_399, 120_330, 661_072]),
    ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1",                                              &[16, 71, 1_286, 7_418, 141_077, 803_711]),
    ("r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1",                                   &[26, 1_141, 27_826, 1_274_206]),
    ("r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1",                                    &[44, 1_494, 50_509]),
    ("1r2k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1",                                        &[26, 583, 14_252, 334_705]),
    ("r3k2r/8/8/8/8/8/6p1/R3K2R w KQkq - 0 1",                                      &[24, 664, 14_109, 389_522]),
    // Promotion: out of check, giving check, underpromotion, stalemate and mate; double and discovered check
    ("2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1",                                           &[11, 133, 1_442, 19_174, 266_199]),
    ("8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1",                                         &[29, 165, 5_160, 31_961, 1_004_658]),
    ("4k3/1P6/8/8/8/8/K7/8 w - - 0 1",                                              &[9, 40, 472, 2_661, 38_983, 217_342]),
    ("8/P1k5/K7/8/8/8/8/8 w - - 0 1",                                               &[6, 27, 273, 1_329, 18_135, 92_683]),
    ("K1k5/8/P7/8/8/8/8/8 w - - 0 1",                                               &[2, 6, 13, 63, 382, 2_217, 15_453]),
    ("8/k1P5/8/1K6/8/8/8/8 w - - 0 1",                                              &[10, 25, 268, 926, 10_857, 43_261, 567_584]),
    ("8/8/2k5/5q2/5n2/8/5K2/8 b - - 0 1",                                           &[37, 183, 6_559, 23_527, 811_573]),
    ("R6r/8/8/2K5/5k2/8/8/r6R w - - 0 1",                                           &[36, 1_027, 29_215, 771_461]),
    ("4k2r/8/8/8/8/8/8/4K1R1 b k - 0 1",                                            &[14, 184, 2_890, 45_559, 741_606]),
    // Chess960 and double Chess960: rook pinned behind the castling king, king and rook trading places, inner rooks
    ("4k3/8/8/8/8/8/8/qRK4R w HB - 0 1",                                            &[16, 265, 5_087, 106_265]),
    ("2r1k1r1/8/8/8/8/8/8/R4K1R w HAgc - 0 1",                                      &[22, 523, 11_617, 279_368]),
    ("2r1k1r1/8/8/8/8/8/8/R4KR1 w GAgc - 0 1",                                      &[22, 469, 10_557, 237_511]),
    ("6k1/8/8/8/8/8/8/rR1K3R w HB - 0 1",                                           &[18, 177, 4_091, 57_495, 1_436_834]),
    ("1rk1r3/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/1RK1R3 w EBeb - 0 5",                    &[24, 578, 13_274, 306_083]),
    ("nbbqrkrn/pppppppp/8/8/8/8/PPPPPPPP/RKRBNQBN w CAge - 0 1",                    &[19, 361, 7_786, 165_625]),
    ("nrkbbqrn/pp1ppp1p/8/2pP2p1/8/8/PPP1PPPP/NRKBBQRN w GBgb c6 0 3",              &[23, 553, 13_284, 341_146]),
    ("bqnbrkrn/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RKQNBBNR w HAge - 0 2",                &[27, 481, 14_049, 281_737]),
    ("q3rkr1/pppppppp/8/8/8/8/PPPPPPPP/5RKR w HFge - 0 1",                          &[22, 550, 12_152, 300_344]),
];

#[test]
fn the_leaves_are_as_many_as_known() {
    for &(fen, known) in CASES {
        let position: Position = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        for (depth, &leaves) in (1..).zip(known) {
            assert_eq!(perft(&position, depth), leaves, "{fen} at depth {depth}");
        }
    }
}

#[test]
fn every_way_of_counting_gives_the_same_number() {
    let table = PerftTable::new(NonZeroUsize::MIN).unwrap();
    for &(fen, known) in CASES {
        let position: Position = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        for (depth, &leaves) in (1..).zip(known).filter(|&(_, &leaves)| leaves < 200_000) {
            assert_eq!(
                perft_every_leaf(&position, depth, &mut ()),
                leaves,
                "{fen} at depth {depth}, every leaf played"
            );
            assert_eq!(perft_hashed(&position, depth, &table), leaves, "{fen} at depth {depth}, hashed");
            let threads = NonZeroUsize::new(3).unwrap();
            for table in [None, Some(&table)] {
                let parts = divide(&position, depth, threads, table, &|_, _| (), &|| false);
                let sum: u64 = parts.iter().map(|part| part.leaves.unwrap()).sum();
                assert_eq!(sum, leaves, "{fen} at depth {depth}, divided");
            }
        }
    }
}

#[test]
fn a_count_that_is_broken_off_says_what_it_did_not_finish() {
    let done = AtomicUsize::new(0);
    let progress = |parts: usize, _: usize| done.store(parts, Ordering::Relaxed);
    let is_stopped = || done.load(Ordering::Relaxed) >= 30;
    let parts = divide(&Position::initial(), 4, NonZeroUsize::MIN, None, &progress, &is_stopped);
    let finished: Vec<_> = parts.iter().filter_map(|part| part.leaves).collect();
    assert_eq!(finished.len(), 1, "thirty of four hundred parts hold the first of twenty moves and half the second");
    assert_eq!(finished[0], perft(&after_first_move(), 3));
}

#[test]
fn a_number_that_does_not_fit_is_the_largest() {
    let position: Position = "8/8/8/3k4/8/8/8/Q3K3 w - - 0 1".parse().unwrap();
    let table = PerftTable::new(NonZeroUsize::new(64).unwrap()).unwrap();
    assert_eq!(perft_hashed(&position, 19, &table), u64::MAX);
}

fn after_first_move() -> Position {
    let mut position = Position::initial();
    position.play(position.legal_moves()[0]);
    position
}

#[test]
fn no_moves_are_one_leaf() {
    assert_eq!(perft(&Position::initial(), 0), 1);
    assert_eq!(perft_every_leaf(&Position::initial(), 0, &mut ()), 1);
}
