//! Document 004, "Handcrafted Evaluation": `handcrafted`.
//!
//! The document prints no tables. Those of document 003 have the extremes that it names; the endgame tables of pawn and
//! king are ours. Half of an odd bonus rounds down.

use crate::doc002::KING_EG;
use crate::doc003::{PST, index};
use crate::positions::{OVER, mirrored};
use crate::{Verdict, agrees, count, holds, ours, phase_agrees, weights};
use engine::Trace;
use shakmaty::{Bitboard, Board, Color, Role, Square, attacks};

/// (mg, eg)
type Score = (i32, i32);

/// Pawn, knight, bishop, rook, queen, king.
const MATERIAL: [Score; 6] = [(100, 110), (320, 310), (330, 330), (500, 520), (900, 950), (0, 0)];

/// Ours, by rank: up to +80 on the 7th.
const PAWN_EG: [i32; 8] = [0, 0, 10, 20, 35, 55, 80, 0];

const ISOLATED: Score = (-15, -20);
const DOUBLED: Score = (-10, -15);
const OPEN_FILE: Score = (15, 10);
const SEMI_OPEN_FILE: Score = (8, 5);
const BISHOP_PAIR: Score = (30, 50);
const SHIELD: Score = (10, 0);

/// The document counts to 24; here to 256.
pub(crate) fn phase(board: &Board) -> f64 {
    let weights = [(Role::Knight, 1.0), (Role::Bishop, 1.0), (Role::Rook, 2.0), (Role::Queen, 4.0)];
    let sum: f64 = weights.iter().map(|&(role, weight)| count(board, role) * weight).sum();
    (sum / 24.0).min(1.0) * 256.0
}

/// One side's army, seen from its own side of the board: files and ranks from 0, rank 0 is its first.
struct Side<'a> {
    board: &'a Board,
    color: Color,
}

impl Side<'_> {
    fn squares(&self, role: Role) -> Vec<Square> {
        self.board.by_piece(role.of(self.color)).into_iter().collect()
    }

    fn place(&self, square: Square) -> (i32, i32) {
        let square = self.color.fold_wb(square, square.flip_vertical());
        (i32::from(square.file()), i32::from(square.rank()))
    }

    /// The pawns of a colour, as this side sees them.
    fn pawns(&self, color: Color) -> Vec<(i32, i32)> {
        self.board.by_piece(Role::Pawn.of(color)).into_iter().map(|square| self.place(square)).collect()
    }

    fn material_and_tables(&self, role: Role, square: Square) -> Score {
        let (mg, eg) = MATERIAL[index(role)];
        // The tables are printed rank 8 first
        let cell = usize::from(self.color.fold_wb(square.flip_vertical(), square));
        let table = PST[index(role)][cell];
        match role {
            Role::Pawn => (mg + table, eg + PAWN_EG[7 - cell / 8]),
            Role::King => (mg + table, eg + KING_EG[cell]),
            _ => (mg + table, eg + table),
        }
    }

    fn pawn(&self, square: Square) -> Score {
        let (file, rank) = self.place(square);
        let (friends, enemies) = (self.pawns(self.color), self.pawns(!self.color));
        let mut score = (0, 0);

        // No enemy pawn that could block or capture it
        if !enemies.iter().any(|&(other, ahead)| (other - file).abs() <= 1 && ahead > rank) {
            let distance_from_start = rank - 1;
            let bonus = 10 + distance_from_start * distance_from_start * 3;
            add(&mut score, (bonus / 2, bonus));
        }
        // No friendly pawns on adjacent files
        if !friends.iter().any(|&(other, _)| (other - file).abs() == 1) {
            add(&mut score, ISOLATED);
        }
        // More than one friendly pawn on the same file
        if friends.iter().filter(|&&(other, _)| other == file).count() > 1 {
            add(&mut score, DOUBLED);
        }
        score
    }

    fn rook_file(&self, square: Square) -> Score {
        let on_file = |color| self.pawns(color).iter().any(|&(file, _)| file == i32::from(square.file()));
        match (on_file(self.color), on_file(!self.color)) {
            (false, false) => OPEN_FILE,
            (false, true) => SEMI_OPEN_FILE,
            _ => (0, 0),
        }
    }

    /// Squares attacked, without those of own pieces, times a bonus per square.
    fn mobility(&self, role: Role, square: Square) -> Score {
        let occupied = self.board.occupied();
        let (attacked, bonus) = match role {
            Role::Knight => (attacks::knight_attacks(square), 4),
            Role::Bishop => (attacks::bishop_attacks(square, occupied), 3),
            Role::Rook => (attacks::rook_attacks(square, occupied), 2),
            Role::Queen => (attacks::queen_attacks(square, occupied), 1),
            Role::Pawn | Role::King => (Bitboard::EMPTY, 0),
        };
        let squares = attacked.into_iter().filter(|&to| self.board.color_at(to) != Some(self.color)).count();
        let score = bonus * i32::try_from(squares).expect("at most 64");
        (score, score)
    }

    /// Friendly pawns one or two ranks ahead of the king, on the three files around it.
    fn shield(&self, square: Square) -> Score {
        let (file, rank) = self.place(square);
        let mut score = (0, 0);
        for (other, ahead) in self.pawns(self.color) {
            if (other - file).abs() <= 1 && (1..=2).contains(&(ahead - rank)) {
                add(&mut score, SHIELD);
            }
        }
        score
    }

    fn total(&self) -> Score {
        let mut total = (0, 0);
        for role in Role::ALL {
            for square in self.squares(role) {
                add(&mut total, self.material_and_tables(role, square));
                add(&mut total, self.mobility(role, square));
                match role {
                    Role::Pawn => add(&mut total, self.pawn(square)),
                    Role::Rook => add(&mut total, self.rook_file(square)),
                    Role::King => add(&mut total, self.shield(square)),
                    _ => {}
                }
            }
        }
        if self.squares(Role::Bishop).len() >= 2 {
            add(&mut total, BISHOP_PAIR);
        }
        total
    }
}

fn add(total: &mut Score, score: Score) {
    total.0 += score.0;
    total.1 += score.1;
}

fn handcrafted(board: &Board) -> Verdict {
    let [white, black] = [Color::White, Color::Black].map(|color| Side { board, color }.total());
    Verdict::new((white.0 - black.0, white.1 - black.1), phase(board))
}

#[test]
fn handcrafted_follows_the_document() {
    agrees("handcrafted", handcrafted);
    phase_agrees("handcrafted", phase);
}

#[test]
fn the_game_may_be_over() {
    let weights = weights("handcrafted");
    for &(fen, white_cp, outcome) in OVER {
        let trace = Trace::of(&ours(fen), &weights);
        assert_eq!((trace.white_cp, trace.outcome), (white_cp, Some(outcome)), "{fen}");
        let trace = Trace::of(&ours(&mirrored(fen)), &weights);
        assert_eq!((trace.white_cp, trace.outcome), (-white_cp, Some(outcome)), "{fen}, colours swapped");
    }
}

#[test]
fn the_game_is_not_over_a_move_before_the_fifty() {
    let trace = Trace::of(&ours("4k3/8/8/8/8/8/4P3/R3K3 w - - 99 100"), &weights("handcrafted"));
    assert_eq!(trace.outcome, None);
    assert!(trace.white_cp > 500);
}

/// Phase 0: kings on e1 and e8 cancel out, what remains is pawns.
#[test]
fn pawns_in_the_endgame() {
    holds(
        "handcrafted",
        &[
            // Alone: material, table, passed, isolated. Ranks 2 to 7
            ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", 110 + 10 - 20),
            ("4k3/8/8/8/8/P7/8/4K3 w - - 0 1", 110 + 10 + 13 - 20),
            ("4k3/8/8/8/P7/8/8/4K3 w - - 0 1", 110 + 20 + 22 - 20),
            ("4k3/8/8/P7/8/8/8/4K3 w - - 0 1", 110 + 35 + 37 - 20),
            ("4k3/8/P7/8/8/8/8/4K3 w - - 0 1", 110 + 55 + 58 - 20),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", 110 + 80 + 85 - 20),
            // Two abreast are not isolated; two on a file are doubled, and both passed
            ("4k3/8/8/8/PP6/8/8/4K3 w - - 0 1", 2 * (110 + 20 + 22)),
            ("4k3/8/8/8/P7/P7/8/4K3 w - - 0 1", 2 * (110 - 20 - 15) + (20 + 22) + (10 + 13)),
            // An enemy ahead on the next file stops both; beside or behind it stops neither
            ("4k3/3p4/8/8/4P3/8/8/4K3 w - - 0 1", 20),
            ("4k3/8/8/8/Pp6/8/8/4K3 w - - 0 1", (20 + 22) - (35 + 37)),
            ("4k3/8/8/P7/1p6/8/8/4K3 w - - 0 1", 0),
            // A shield counts nothing here
            ("6k1/8/8/8/8/8/5PPP/6K1 w - - 0 1", 3 * (110 + 10)),
        ],
    );
}

/// Phase 256: all the pieces, so that a change shows in the middlegame half alone.
#[test]
fn terms_in_the_middlegame() {
    holds(
        "handcrafted",
        &[
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0),
            // Knight g1 to d4: table, four squares more for it, one more for the rook
            ("rnbqkbnr/pppppppp/8/8/3N4/8/PPPPPPPP/RNBQKB1R b KQkq - 0 1", (20 + 40) + 4 * 4 + 2),
            // Pawn e2 to e3: table, five squares for the bishop, four for the queen, one for the knight
            ("rnbqkbnr/pppppppp/8/8/8/4P3/PPPP1PPP/RNBQKBNR b KQkq - 0 1", 20 + 5 * 3 + 4 + 4),
            // Pawn e2 to e4: the same and ten less of a shield
            ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", 40 + 5 * 3 + 4 + 4 - 10),
            // No pawn on b2: it, its table, an isolated pawn, two squares for the bishop
            ("rnbqkbnr/pppppppp/8/8/8/8/P1PPPPPP/RNBQKBNR w KQkq - 0 1", -100 - 10 - 15 + 2 * 3),
            // Pawn b2 to a3: table, two isolated and doubled pawns, a square for the bishop and one less for the knight
            ("rnbqkbnr/pppppppp/8/8/8/P7/P1PPPPPP/RNBQKBNR w KQkq - 0 1", (5 - 10) - 2 * 15 - 2 * 10 + 3 - 4),
            // No pawn on a2: it, its table, a semi-open file, six squares for the rook
            ("rnbqkbnr/pppppppp/8/8/8/8/1PPPPPPP/RNBQKBNR w KQkq - 0 1", -100 - 5 + 8 + 6 * 2),
            // An open file and seven squares for the white rook, none for the black one on b8; both knights
            ("nrbqkbnr/1ppppppp/8/8/8/8/1PPPPPPP/RNBQKBNR w KQk - 0 1", 15 + 7 * 2 + (-40 + 2 * 4) - (-50 + 4)),
            // A bishop pair, and a black knight instead of the bishop on c8
            ("rnnqkbnr/ppppppp1/8/8/8/8/PPPPPPP1/RNBQKBNR w KQkq - 0 1", 30 + (330 - 10) - (320 - 30 + 2 * 4)),
            // A passed pawn on a6 for that on a2, none on a7 and b7: table, passed, four squares for the rook;
            // for Black a semi-open file, two squares for the rook and two for the bishop
            (
                "rnbqkbnr/2pppppp/P7/8/8/8/1PPPPPPP/RNBQKBNR w KQkq - 0 1",
                (10 - 5) + 29 + 4 * 2 + (100 + 5) + (100 + 10) - (8 + 2 * 2 + 2 * 3),
            ),
        ],
    );
}
