//! What a player sees at once in a move and no term of the evaluation stands for.

use chess::{Move, MoveKind, Position, Role};

/// Says what a move does, after the words "The move": none if it is nothing of the kind.
pub(super) fn motif(position: &Position, mv: Move) -> Option<String> {
    let mut after = *position;
    after.play(mv);
    if mv.kind() == MoveKind::Castle {
        return Some("castles: the king goes to safety and a rook comes into play".to_owned());
    }
    if let Some(role) = mv.promoted_to() {
        return Some(format!("promotes to a {}", engine::ROLE_NAMES[role as usize - 1]));
    }
    let is_king_move = position.role_on(mv.from()) == Some(Role::King);
    if is_king_move && is_pawn_ending(&after) && is_opposition(&after) {
        return Some("takes the opposition: the kings face each other, and the other one has to give way".to_owned());
    }
    None
}

fn is_pawn_ending(position: &Position) -> bool {
    let others = position.occupied() & !position.by_role(Role::Pawn) & !position.by_role(Role::King);
    others.is_empty() && position.by_role(Role::Pawn).any()
}

/// Whether the kings stand on one line with one square between them, so that the side to move gives way.
fn is_opposition(position: &Position) -> bool {
    let (white, black) = (position.king(chess::Color::White), position.king(chess::Color::Black));
    let files = white.file().distance(black.file());
    let ranks = white.rank().distance(black.rank());
    matches!((files, ranks), (0, 2) | (2, 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(fen: &str, san: &str) -> Option<String> {
        let position: Position = fen.parse().unwrap();
        motif(&position, position.parse_san(san).unwrap())
    }

    #[test]
    fn what_is_seen_at_once() {
        assert!(of("4k3/8/3K4/4P3/8/8/8/8 w - - 0 1", "Ke6").unwrap().starts_with("takes the opposition"));
        assert_eq!(of("4k3/8/3K4/4P3/8/8/8/8 w - - 0 1", "Kd5"), None);
        assert_eq!(of("4k3/8/3K4/4P3/8/8/8/R7 w - - 0 1", "Ke6"), None, "a rook decides, not the opposition");
        assert!(of("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O").unwrap().starts_with("castles"));
        assert_eq!(of("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a8=N").unwrap(), "promotes to a knight");
        assert_eq!(of("7k/P7/8/8/8/8/8/K7 w - - 0 1", "Kb2"), None);
    }
}
