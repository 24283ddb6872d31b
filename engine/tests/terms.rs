//! What each term finds, in positions that a chess player can check.

use chess::{Color, Position};
use engine::{PARAM_COUNT, Score, TermInfo, Trace, Weights};

/// How often a side is credited a weight.
fn count(position: &Position, label: &str, color: Color) -> i32 {
    let index = (0..PARAM_COUNT).find(|&index| TermInfo::label(index) == label);
    let mut values = Box::new([Score::ZERO; PARAM_COUNT]);
    values[index.unwrap_or_else(|| panic!("no weight is called {label}"))] = Score::new(1, 0);
    let weights = Weights::load("material").unwrap().with_values(values);
    let rows = Trace::of(position, &weights).rows;
    rows.iter().map(|row| color.fold_wb(row.white.mg, row.black.mg)).sum()
}

/// Each case: a weight, how often White is credited it, how often Black; in the position and in its mirror image.
fn check(fen: &str, cases: &[(&str, i32, i32)]) {
    let position: Position = fen.parse().unwrap();
    for &(label, white, black) in cases {
        let found = (count(&position, label, Color::White), count(&position, label, Color::Black));
        assert_eq!(found, (white, black), "{label} in {fen}");
        let mirror = position.mirrored();
        let found = (count(&mirror, label, Color::White), count(&mirror, label, Color::Black));
        assert_eq!(found, (black, white), "{label} in the mirror image of {fen}");
    }
}

#[test]
fn pawn_structure() {
    check(
        "4k3/p1p3p1/1p2p3/3pP3/1P1P2P1/P7/5P2/4K3 w - - 0 1",
        &[
            ("defended_pawn.rank4", 1, 1),
            ("defended_pawn.rank5", 1, 0),
            ("defended_pawn.rank3", 0, 1),
            ("lone_pawn.yes.b", 0, 1),
            ("backward_pawn.yes", 1, 1),
            ("backward_pawn.no", 0, 0),
            ("blocked_pawn.rank4", 1, 1),
            ("blocked_pawn.rank5", 1, 0),
            ("blocked_pawn.rank3", 0, 1),
            ("rear_pawn.yes", 0, 0),
        ],
    );
    check(
        "4k3/6p1/8/8/5PP1/8/8/4K3 w - - 0 1",
        &[("candidate.rank4", 1, 0), ("phalanx.rank4", 2, 0), ("passer.rank4", 0, 0)],
    );
    check(
        "4k3/8/8/1p1p4/2P5/4P3/4P3/4K3 w - - 0 1",
        &[("forked_pawn", 1, 0), ("rear_pawn.yes", 1, 0), ("rear_pawn.no", 0, 0), ("passer.rank3", 0, 0)],
    );
    check(
        "4k3/8/8/4P3/8/8/4P3/4K3 w - - 0 1",
        &[("rear_pawn.no", 1, 0), ("passer.rank5", 1, 0), ("passer.rank2", 0, 0)],
    );
}

#[test]
fn shelter_and_storm() {
    check(
        "6k1/8/8/8/6p1/7P/5PP1/6K1 w - - 0 1",
        &[
            ("shelter.c.1", 1, 0),
            ("shelter.b.1", 1, 0),
            ("shelter.a.2", 1, 0),
            ("storm.b.3", 1, 0),
            ("storm.a.0", 1, 0),
            ("shelter.b.4", 0, 1),
            ("storm.c.6", 0, 1),
            ("storm.b.6", 0, 1),
            ("storm.a.5", 0, 1),
        ],
    );
    check(
        "7k/8/8/8/7p/7P/8/7K w - - 0 1",
        &[("blocked_storm.3", 1, 0), ("blocked_storm.5", 0, 1), ("storm.a.3", 0, 0)],
    );
}

#[test]
fn scope() {
    check("4k3/7p/8/8/8/8/8/N3K3 w - - 0 1", &[("knight_scope.2", 1, 0)]);
    // On the line of its pin a knight has no square, a rook has some
    check("4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1", &[("knight_scope.0", 1, 0)]);
    check("4r1k1/8/8/8/8/8/4R3/4K3 w - - 0 1", &[("rook_scope.6", 1, 0)]);
    // Through the own queen, but not onto squares that enemy pawns attack
    check("4k3/8/1p6/8/8/8/Q7/R3K3 w - - 0 1", &[("rook_scope.8", 1, 0)]);
}

#[test]
fn posts() {
    check(
        "4k3/8/8/3N4/2P5/8/8/4K3 w - - 0 1",
        &[("knight_outpost.yes", 1, 0), ("knight_outpost.no", 0, 0), ("knight_king_distance.4", 1, 0)],
    );
    check("4k3/2p5/8/3N4/2P5/8/8/4K3 w - - 0 1", &[("knight_outpost.yes", 0, 0), ("knight_near_outpost", 0, 0)]);
    check("4k3/8/8/8/2P5/2N5/8/4K3 w - - 0 1", &[("knight_near_outpost", 1, 0), ("minor_behind_pawn", 1, 0)]);
    check(
        "4k3/8/8/8/8/7P/5PB1/4K3 w - - 0 1",
        &[("bishop_own_pawns.1", 1, 0), ("bishop_long_diagonal", 1, 0), ("bishop_king_distance.2", 1, 0)],
    );
    check("3r2k1/8/8/3p4/8/3Q4/8/6K1 w - - 0 1", &[("harried_queen", 1, 0), ("rook_on_queen_file", 0, 1)]);
    check("6k1/8/8/8/8/8/6PP/5K1R w - - 0 1", &[("trapped_rook.no", 1, 0), ("trapped_rook.yes", 0, 0)]);
    check("6k1/8/8/8/8/8/6P1/5K1R w - - 0 1", &[("trapped_rook.no", 0, 0)]);
    check("4k3/8/8/p7/P7/8/8/R3K3 w - - 0 1", &[("rook_closed_file", 1, 0)]);
    check("4k3/8/8/7p/4p3/8/8/4K3 w - - 0 1", &[("space.12", 0, 1), ("space.10", 1, 0), ("space.11", 0, 0)]);
}

#[test]
fn passed_pawns() {
    check(
        "6k1/8/3P4/8/8/8/1p6/1R4K1 w - - 0 1",
        &[
            ("passer_clear.rank6", 1, 0),
            ("passer_own_king.rank6.6", 1, 0),
            ("passer_enemy_king.rank6.3", 1, 0),
            ("passer_unstoppable", 1, 0),
            ("passer_held.rank7", 0, 1),
            ("passer_own_king.rank7.7", 0, 1),
            ("passer_enemy_king.rank7.5", 0, 1),
        ],
    );
    // Black to move catches the pawn
    check("6k1/8/3P4/8/8/8/8/6K1 b - - 0 1", &[("passer_unstoppable", 0, 0)]);
    check(
        "2r3k1/8/3P4/8/8/8/8/3R2K1 w - - 0 1",
        &[("passer_step.rank6", 1, 0), ("passer_watched.rank6", 0, 0), ("passer_rook_behind", 1, 0)],
    );
    check("6k1/8/8/8/P6r/8/8/r5K1 w - - 0 1", &[("passer_enemy_rook_behind", 1, 0)]);
    check("6k1/3r4/8/3P4/8/8/8/6K1 w - - 0 1", &[("passer_watched.rank5", 1, 0)]);
}

#[test]
fn threats() {
    check("4k3/8/8/3r4/4P3/8/8/4K3 w - - 0 1", &[("threat_by_pawn.rook", 1, 0), ("hanging", 1, 0)]);
    check("4k3/8/3n4/8/4P3/8/8/4K3 w - - 0 1", &[("threat_by_push.knight", 1, 0)]);
    check(
        "4k3/2p5/3r4/8/4N3/8/8/4K3 w - - 0 1",
        &[("threat_by_minor.yes.rook", 1, 0), ("threat_by_minor.no.rook", 0, 0), ("hanging", 0, 0)],
    );
    check("4k3/8/8/8/8/8/3r4/4K2R w - - 0 1", &[("threat_by_king", 1, 0), ("threat_by_rook.no.rook", 0, 0)]);
    check("4k3/8/3q4/8/8/2N5/8/4K3 w - - 0 1", &[("knight_on_queen", 2, 0)]);
}

#[test]
fn danger_to_kings() {
    check(
        "6k1/5ppp/8/8/8/8/5PPP/Q5K1 w - - 0 1",
        &[
            ("safe_check.queen", 1, 0),
            ("more_safe_checks.queen", 0, 0),
            ("no_queen", 0, 1),
            ("danger_base", 1, 1),
            ("danger_turn", 1, 0),
            ("king_lines.0", 1, 1),
            ("assailant.queen", 1, 0),
        ],
    );
    check("6k1/7p/8/8/8/8/5n2/6K1 w - - 0 1", &[("assailant.knight", 0, 1), ("king_lines.3", 0, 1), ("assault", 0, 1)]);
}

#[test]
fn endings_that_are_won_or_cannot_be() {
    check(
        "8/8/8/3k4/8/8/8/KQ6 w - - 0 1",
        &[("won_ending", 1, 0), ("lone_king_edge.3", 1, 0), ("lone_king_near.4", 1, 0)],
    );
    check(
        "8/8/8/8/8/2k5/8/KBN5 w - - 0 1",
        &[("won_ending", 1, 0), ("lone_king_corner.7", 1, 0), ("lone_king_edge.1", 0, 0)],
    );
    check("7k/8/8/8/8/8/8/KBN5 w - - 0 1", &[("lone_king_mate.29", 1, 0), ("drawn_bishop_and_knight", 0, 0)]);
    check(
        "8/8/8/8/2BkN3/8/8/7K b - - 0 1",
        &[("won_ending", 0, 0), ("lone_king_near.4", 0, 0), ("drawn_bishop_and_knight", 1, 0)],
    );
    check("8/8/8/3k4/8/8/8/KNN5 w - - 0 1", &[("won_ending", 0, 0), ("no_mating_force", 1, 1)]);
    // The king on the sixth rank before its pawn wins, one that is beside it does not
    check("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", &[("won_ending", 1, 0), ("drawn_pawn_ending", 0, 0)]);
    check("8/4k3/8/4P3/4K3/8/8/8 w - - 0 1", &[("won_ending", 0, 0), ("drawn_pawn_ending", 1, 0)]);
    check("k7/8/8/P7/1K6/8/8/2B5 w - - 0 1", &[("wrong_bishop", 1, 0)]);
    check("k7/8/8/P7/1K6/8/8/3B4 w - - 0 1", &[("wrong_bishop", 0, 0)]);
    check("4k3/2b2p2/8/8/8/8/2B1PP2/4K3 w - - 0 1", &[("opposite_bishops.2", 1, 0), ("opposite_bishops.1", 0, 1)]);
    check("4k2r/2b2p2/8/8/8/8/2B1PP2/4K2R w - - 0 1", &[("opposite_bishops_and_more.2", 1, 0), ("few_pawns.2", 0, 0)]);
    check("4k3/5p1r/8/8/8/8/4PP2/4K2R w - - 0 1", &[("level_rook_ending", 1, 1), ("few_pawns.2", 1, 0)]);
    check("4k3/7r/8/8/8/8/3B4/4K2R w - - 0 1", &[("bare_lead", 1, 1)]);
}

#[test]
fn what_there_is_to_play_for() {
    check(
        "4k3/p4p2/8/3K4/8/8/P5P1/8 w - - 0 1",
        &[
            ("prospects", 1, 1),
            ("prospects_pawn", 2, 2),
            ("prospects_both_wings", 1, 1),
            ("prospects_intruder", 1, 0),
            ("prospects_pawn_ending", 1, 1),
            ("prospects_passer", 0, 0),
        ],
    );
}

#[test]
fn pawns_are_seen_with_their_neighbours() {
    check(
        "4k3/8/8/6p1/8/7P/5P2/4K3 w - - 0 1",
        &[
            // The rear pawn first: f2 and h3, turned to c2 and a3
            ("pawn_duo.ca.rank2.rank3", 1, 0),
            // h3 and g5, turned to a3 and b5; f2 and g5, turned to c2 and b5
            ("pawn_foe.ab.rank3.rank5", 1, 0),
            ("pawn_foe.cb.rank2.rank5", 1, 0),
            // The same seen by Black: g5 is b4 and h3 is a6, f2 is c7
            ("pawn_foe.ba.rank4.rank6", 0, 1),
            ("pawn_foe.bc.rank4.rank7", 0, 1),
        ],
    );
    // Level pawns: the one nearer to the edge first; in the middle either
    check("4k3/8/8/8/3PP3/8/8/4K3 w - - 0 1", &[("pawn_duo.de.rank4.rank4", 1, 0)]);
    check("4k3/8/8/8/4P1P1/8/8/4K3 w - - 0 1", &[("pawn_duo.bd.rank4.rank4", 1, 0)]);
    // Three files apart
    check("4k3/8/8/8/2P2P2/8/8/4K3 w - - 0 1", &[("pawn_duo.ce.rank4.rank4", 0, 0)]);
}

#[test]
fn pawns_are_seen_from_both_kings() {
    check(
        "1k6/2p5/8/8/8/7P/8/6K1 w - - 0 1",
        &[
            // White's king on g1, turned to b1: h3 is a3, c7 is f7
            ("king_own_pawn.b.rank1.a3", 1, 0),
            ("king_enemy_pawn.b.rank1.f7", 1, 0),
            // Black's king on b8, which is b1 from its own side: c7 is c2, h3 is h6
            ("king_own_pawn.b.rank1.c2", 0, 1),
            ("king_enemy_pawn.b.rank1.h6", 0, 1),
        ],
    );
}

#[test]
fn pieces_are_seen_from_their_kings() {
    check(
        "2k5/8/8/3n4/8/8/5P2/6K1 w - - 0 1",
        &[
            ("own_king_square.gh1.pawn.f2", 1, 0),
            // Black's king is on c8: f1 for the turned board, and d5 is e4
            ("own_king_square.f1.knight.e4", 0, 1),
            ("enemy_king_square.f1.pawn.c2", 1, 0),
            ("enemy_king_square.gh1.knight.d4", 0, 1),
            ("enemy_king_square.f1.king.b1", 1, 0),
        ],
    );
}
