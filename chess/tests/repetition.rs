//! Repetition: three-fold in the game, two-fold in the search, and the one that a move would bring about.

use chess::{MoveKind, Position, Trail};
use proptest::prelude::*;

/// Plays UCI moves and leaves their trail.
fn play(position: &mut Position, trail: &mut Trail, moves: &str) {
    for uci in moves.split_whitespace() {
        trail.push(position);
        let mv = position.parse_uci(uci).unwrap_or_else(|error| panic!("{error}"));
        position.play(mv);
    }
}

const SHUFFLE: &str = "g1f3 g8f6 f3g1 f6g8 ";

#[test]
fn the_game_needs_three_occurrences() {
    let (mut position, mut trail) = (Position::initial(), Trail::new());
    play(&mut position, &mut trail, SHUFFLE);
    trail.start_search();
    assert!(!trail.is_repetition(&position), "the second occurrence is no draw yet");
    play(&mut position, &mut trail, "g1f3 g8f6 f3g1");
    assert!(trail.can_repeat(&position), "f6g8 would be the third");
    play(&mut position, &mut trail, "f6g8");
    assert!(trail.is_repetition(&position));
}

#[test]
fn the_search_needs_two_after_its_root() {
    let (mut position, mut trail) = (Position::initial(), Trail::new());
    trail.start_search();
    play(&mut position, &mut trail, SHUFFLE);
    assert!(!trail.is_repetition(&position), "the root itself has to occur three times");
    play(&mut position, &mut trail, "g1f3");
    assert!(trail.is_repetition(&position), "a position after the root has come back");
}

#[test]
fn a_trail_tells_whether_anything_came_back_since_the_last_pawn_move() {
    let (mut position, mut trail) = (Position::initial(), Trail::new());
    assert!(!trail.has_repeated(&position));
    play(&mut position, &mut trail, SHUFFLE);
    assert!(trail.has_repeated(&position), "the current position");
    play(&mut position, &mut trail, "b1c3");
    assert!(trail.has_repeated(&position), "an earlier one");
    play(&mut position, &mut trail, "e7e5");
    assert!(!trail.has_repeated(&position));
}

/// Passes and leaves its trail.
fn pass(position: &mut Position, trail: &mut Trail) {
    trail.push_null(position);
    position.play_null(&mut ());
}

#[test]
fn nothing_before_a_null_move_is_repeated_after_it() {
    let (mut position, mut trail) = (Position::initial(), Trail::new());
    trail.start_search();
    play(&mut position, &mut trail, "b1c3 b8c6");
    let before = position;
    pass(&mut position, &mut trail);
    play(&mut position, &mut trail, "g8f6");
    pass(&mut position, &mut trail);
    assert!(!trail.can_repeat(&position), "f6g8 would bring back a position from before the null move");
    play(&mut position, &mut trail, "f6g8");
    assert_eq!(position.keys(), before.keys());
    assert!(!trail.is_repetition(&position));
}

#[test]
fn a_null_move_that_was_taken_back_is_forgotten() {
    let (mut position, mut trail) = (Position::initial(), Trail::new());
    trail.start_search();
    play(&mut position, &mut trail, "b1c3 b8c6 g1f3");
    let before = position;
    pass(&mut position, &mut trail);
    trail.pop();
    position = before;
    play(&mut position, &mut trail, "g8f6 f3g1 f6g8");
    assert!(trail.can_repeat(&position), "g1f3 would bring back the position after it");
    play(&mut position, &mut trail, "g1f3");
    assert!(trail.is_repetition(&position));
}

#[test]
fn a_piece_in_the_way_prevents_a_repetition() {
    let mut position: Position = "4k3/8/8/8/8/8/n7/R3K3 b - - 0 1".parse().unwrap();
    let mut trail = Trail::new();
    trail.start_search();
    play(&mut position, &mut trail, "e8e7 e1e2 a2b4 a1a3 b4a2");
    assert!(!trail.can_repeat(&position), "the knight stands between a3 and a1");
}

#[test]
fn a_lost_castling_right_makes_a_position_new() {
    let mut position: Position = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1".parse().unwrap();
    let mut trail = Trail::new();
    trail.start_search();
    play(&mut position, &mut trail, "a1b1 a8b8 b1a1 b8a8 a1b1");
    assert!(!trail.is_repetition(&position), "the queen's rooks had not moved the first time");
    play(&mut position, &mut trail, "a8b8 b1a1 b8a8 a1b1");
    assert!(trail.is_repetition(&position));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// In endgames full of shuffling, the cuckoo tables find exactly the moves that repeat.
    #[test]
    fn a_repetition_is_foreseen_exactly_when_a_move_brings_it(
        choices in prop::collection::vec(any::<u16>(), 1..60),
        root in 0..20usize,
    ) {
        let mut position: Position = "4k2r/8/8/8/8/8/8/RN2K3 w - - 0 1".parse().unwrap();
        let mut trail = Trail::new();
        for (ply, &choice) in choices.iter().enumerate() {
            if ply == root {
                trail.start_search();
            }
            let moves = position.legal_moves();
            if moves.is_empty() || position.is_insufficient_material() {
                break;
            }
            if ply >= root {
                let repeats = moves.iter().any(|&mv| {
                    let mut child = position;
                    let mut trail = trail.clone();
                    trail.push(&position);
                    child.play(mv);
                    child.halfmove_clock() > 0 && trail.is_repetition(&child)
                });
                prop_assert_eq!(trail.can_repeat(&position), repeats, "{}", position);
            }
            // Prefer to go back where the last piece came from
            let quiet = |mv: &&chess::Move| mv.kind() == MoveKind::Normal && position.role_on(mv.to()).is_none();
            let quiets: Vec<_> = moves.iter().filter(quiet).take(6).collect();
            let mv = if quiets.is_empty() { moves[0] } else { *quiets[usize::from(choice) % quiets.len()] };
            trail.push(&position);
            position.play(mv);
        }
    }
}
