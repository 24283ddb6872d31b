//! Terms as a chess player calls them. Several terms can be one reason: all kinds of mobility are mobility.

use std::collections::BTreeSet;

use chess::Color;
use engine::{CATALOG, ROLE_NAMES, TermInfo};

/// What a player calls a term, by its name, its piece and its group. Terms that are not listed go by their group where that
/// says enough, and otherwise by their own name.
pub fn reason_of(term: &str, role: Option<&str>, group: &str) -> String {
    let known = match term {
        "material" => "material",
        "piece_square" => return role.map_or("placement".to_owned(), |role| format!("{role} placement")),
        "bishop_pair" => "bishop pair",
        "passed_pawn" | "passer" | "candidate" => "passed pawns",
        "isolated_pawn" | "lone_pawn" => "isolated pawns",
        "doubled_pawn" | "rear_pawn" => "doubled pawns",
        "connected_pawn" | "phalanx" | "defended_pawn" => "connected pawns",
        "backward_pawn" => "backward pawns",
        "forked_pawn" => "pawns under attack",
        "blocked_pawn" => "blocked pawns",
        "rook_open_file" | "rook_semi_open_file" | "rook_closed_file" => "rooks on open files",
        "rook_on_seventh" => "rook on the seventh rank",
        "pawn_shield" | "king_open_file" | "king_semi_open_file" => "king shelter",
        "knight_outpost" | "bishop_outpost" | "knight_near_outpost" => "outposts",
        "minor_behind_pawn" => "minor pieces behind pawns",
        "knight_king_distance" | "bishop_king_distance" => "pieces near their king",
        "bishop_own_pawns" | "bishop_blocked_centre" => "bad bishop",
        "bishop_long_diagonal" => "bishop on the long diagonal",
        "rook_on_queen_file" => "rook on the queen's file",
        "trapped_rook" => "trapped rook",
        "harried_queen" => "harried queen",
        "space" => "space",
        "pawn_duo" | "pawn_foe" => "pawns towards each other",
        "king_own_pawn" | "king_enemy_pawn" => "pawns towards the kings",
        "own_king_square" | "enemy_king_square" => "placement towards the kings",
        "lone_king_edge" | "lone_king_near" | "lone_king_corner" | "lone_king_mate" => "driving the lone king",
        "opposite_bishops" | "opposite_bishops_and_more" => "bishops of opposite colours",
        "bare_lead" => "a lead without pawns",
        "no_mating_force" => "too little to mate",
        "wrong_bishop" => "wrong-coloured bishop",
        "few_pawns" => "winning chances",
        "tempo" => "having the move",
        "phase" => "game stage",
        "rounding" => "rounding",
        "limit" => "the evaluation's limit",
        "outcome" => "the result",
        _ => match group {
            "Mobility" | "Activity" => "mobility",
            "Passers" => "passed pawns",
            "KingSafety" | "Shelter" => "king shelter",
            "Threats" => "threats",
            "Danger" => "king attack",
            "Winnable" => "winning chances",
            _ => return term.replace('_', " "),
        },
    };
    known.to_owned()
}

/// All reasons that terms of the evaluation are called by.
pub fn reasons_known() -> BTreeSet<String> {
    let roles = |term: &TermInfo| match term.name {
        "piece_square" => ROLE_NAMES.map(Some).to_vec(),
        _ => vec![None],
    };
    let pairs = CATALOG.iter().flat_map(|term| roles(term).into_iter().map(move |role| (term, role)));
    pairs.map(|(term, role)| reason_of(term.name, role, term.group.name())).collect()
}

/// Reasons that are no side's own: they speak of both, or of the whole position.
const COMMON: &[&str] = &[
    "material",
    "having the move",
    "game stage",
    "rounding",
    "the evaluation's limit",
    "the result",
    "winning chances",
    "won ending",
    "drawn pawn ending",
    "level rook ending",
    "driving the lone king",
    "bishops of opposite colours",
    "a lead without pawns",
    "too little to mate",
];

/// The same with whose it is, where that is not the side that is spoken of.
pub(super) fn owned(reason: &str, owner: Option<Color>, view: Color) -> String {
    let name = |color: Color| color.fold_wb("White", "Black");
    match (reason, owner.filter(|_| !COMMON.contains(&reason))) {
        (_, None) => reason.to_owned(),
        // An attack is the attacker's, but is told of the king
        ("king attack", Some(owner)) => format!("attack on {}'s king", name(!owner)),
        (_, Some(owner)) if owner == view => reason.to_owned(),
        (_, Some(owner)) => format!("{}'s {reason}", name(owner)),
    }
}

/// A search's value in words: `+0.41`, `mate in 3`, `a win by endgame tables`.
pub fn score_in_words(value: i32) -> String {
    match engine::moves_to_mate(value) {
        Some(moves) if moves > 0 => format!("mate in {moves}"),
        Some(moves) => format!("mated in {}", -moves),
        None if value > super::path::DECIDED => "a win by endgame tables".to_owned(),
        None if value < -super::path::DECIDED => "a loss by endgame tables".to_owned(),
        None => super::pawns(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_term_has_a_name_that_can_be_read() {
        for term in CATALOG {
            let reason = reason_of(term.name, None, term.group.name());
            assert!(!reason.is_empty() && !reason.contains('_'), "{}: {reason}", term.name);
        }
        assert_eq!(reason_of("piece_square", Some("knight"), "Pieces"), "knight placement");
        assert_eq!(reason_of("rook_scope", None, "Activity"), "mobility");
        assert_eq!(reason_of("safe_check", None, "Danger"), "king attack");
        assert_eq!(reason_of("prospects_intruder", None, "Winnable"), "winning chances");
        assert_eq!(reason_of("some_new_term", None, "Posts"), "some new term");
    }

    #[test]
    fn whose_it_is_is_said_of_the_other_side() {
        assert_eq!(owned("mobility", Some(Color::White), Color::White), "mobility");
        assert_eq!(owned("mobility", Some(Color::Black), Color::White), "Black's mobility");
        assert_eq!(owned("king attack", Some(Color::White), Color::White), "attack on Black's king");
        assert_eq!(owned("king attack", Some(Color::White), Color::Black), "attack on Black's king");
        assert_eq!(owned("material", Some(Color::Black), Color::White), "material");
        assert_eq!(owned("won ending", Some(Color::Black), Color::White), "won ending");
    }
}
