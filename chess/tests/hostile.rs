//! Whatever is typed, pasted or damaged: a position or a sentence, never a panic.

use chess::{Epd, Position};
use proptest::prelude::*;

const SEEDS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "nrkbbqrn/pp1ppp1p/8/2pP2p1/8/8/PPP1PPPP/NRKBBQRN w GBgb c6 0 3",
    "4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id \"x\"; hmvc 3;",
];

/// Reads a text in every way. What is accepted must be playable; what is refused must say why.
fn read(text: &str) {
    match text.parse::<Position>() {
        Ok(position) => {
            let again: Position = position.to_string().parse().unwrap_or_else(|error| panic!("{position}: {error}"));
            assert_eq!(again, position);
            for &mv in &position.legal_moves() {
                let mut child = position;
                child.play(mv);
                child.outcome();
            }
            position.parse_uci(text).ok();
        }
        Err(error) => {
            assert!(error.to_string().contains(&error.field.to_string()));
            assert!(!error.problem.to_string().is_empty());
        }
    }
    if let Err(error) = text.parse::<Epd>() {
        assert!(!error.to_string().is_empty());
    }
    for move_error in [
        Position::initial().parse_uci(text).err().map(|e| e.to_string()),
        Position::initial().parse_san(text).err().map(|e| e.to_string()),
    ]
    .into_iter()
    .flatten()
    {
        assert!(text.chars().count() > 60 || move_error.contains(&format!("{text:?}")));
    }
}

/// A seed with some characters replaced, removed or inserted.
fn mutated() -> impl Strategy<Value = String> {
    let letter = prop_oneof![
        prop::sample::select("pnbrqkPNBRQK12345678/ -wbhHaAgGcCeE;\"0".chars().collect::<Vec<_>>()),
        any::<char>(),
    ];
    let edit = (any::<prop::sample::Index>(), 0..3u8, letter);
    (prop::sample::select(SEEDS.to_vec()), prop::collection::vec(edit, 0..6)).prop_map(|(seed, edits)| {
        let mut text: Vec<char> = seed.chars().collect();
        for (place, kind, letter) in edits {
            let place = place.index(text.len().max(1));
            match kind {
                0 if place < text.len() => text[place] = letter,
                1 if place < text.len() => drop(text.remove(place)),
                _ => text.insert(place.min(text.len()), letter),
            }
        }
        text.into_iter().collect()
    })
}

/// Boards with any pieces anywhere, so that the rules themselves meet odd positions.
fn any_board() -> impl Strategy<Value = String> {
    let square = prop_oneof![8 => Just('1'), 1 => prop::sample::select("pnbrqPNBRQ".chars().collect::<Vec<_>>())];
    let board = prop::collection::vec(square, 64);
    let kings = (0..64usize, 0..64usize);
    let rest = prop::sample::select(vec!["w - -", "b - -", "w KQkq -", "b KQkq -", "w HAha -", "w - e6", "b - d3"]);
    (board, kings, rest).prop_map(|(mut board, (white, black), rest)| {
        for square in (0..8).chain(56..64) {
            if board[square].eq_ignore_ascii_case(&'p') {
                board[square] = '1';
            }
        }
        board[white] = 'K';
        board[black] = 'k';
        let ranks: Vec<String> = board.chunks(8).map(|rank| rank.iter().collect()).collect();
        format!("{} {rest} 0 1", ranks.join("/"))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        read(&text);
    }

    #[test]
    fn any_damaged_fen_is_read_or_refused(text in mutated()) {
        read(&text);
    }

    #[test]
    fn any_board_is_read_or_refused(text in any_board()) {
        read(&text);
    }

    #[test]
    fn any_short_text_is_a_move_or_refused(text in "[a-h0-9nbrqNO=x+#-]{0,7}") {
        read(&text);
    }
}
