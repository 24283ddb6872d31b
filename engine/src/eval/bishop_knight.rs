//! Bishop and knight against the lone king: every position, solved once when it is first asked for or may soon be.

use std::sync::{LazyLock, Once};
use std::thread;

use chess::{Bitboard, Color, Move, Position, Role, Square, attacks};

use super::geometry::{DARK, neighbours};

/// The strong king on 20 squares (see [`is_home`]), the bishop on 32 dark ones, the knight on any.
const PLACES: usize = 20 * 32 * 64;

/// In so many moves the lone king is mated if it never is.
const NEVER: u8 = u8::MAX;

/// With so few men, bishop and knight may soon be all that is left.
const FEW: usize = 10;

/// By the places of the strong side, which is to move, then by the lone king's square: in how many moves it is mated.
static MOVES: LazyLock<Box<[[u8; 64]]>> = LazyLock::new(solve);

/// Lets a thread of its own solve what the search of a position may ask for, so that it need not wait.
pub(crate) fn foresee(position: &Position) {
    static BEGUN: Once = Once::new();
    let too_much = position.by_role(Role::King) | position.by_role(Role::Rook) | position.by_role(Role::Queen);
    let may_be_left = |color| (position.by_color(color) & !too_much).more_than_one();
    if position.occupied().count() <= FEW && (may_be_left(Color::White) || may_be_left(Color::Black)) {
        // Where there is no thread to be had, whoever asks first solves it
        BEGUN.call_once(|| drop(thread::Builder::new().spawn(|| LazyLock::force(&MOVES))));
    }
}

/// What comes of it if both sides play their best.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) enum Verdict {
    /// The lone king is mated in so many moves.
    Mate(usize),
    /// A piece is lost at once, or it is stalemate.
    Draw,
}

/// What is known if bishop and knight against the lone king are all that is left.
#[inline]
pub(crate) fn verdict(position: &Position) -> Option<Verdict> {
    // What nearly always decides comes first: this is asked at every node
    if position.by_role(Role::Pawn).any() || position.occupied().count() != 4 {
        return None;
    }
    let bishop = position.by_role(Role::Bishop).single_square()?;
    let knight = position.by_role(Role::Knight).single_square()?;
    let strong = if position.by_color(Color::White).contains(bishop) { Color::White } else { Color::Black };
    if !position.by_color(strong).contains(knight) {
        return None;
    }
    match moves_to_mate(position, strong, bishop, knight)? {
        NEVER => Some(Verdict::Draw),
        moves => Some(Verdict::Mate(moves.into())),
    }
}

/// A move that mates as soon, or is mated as late, as can be; none where there is no such mate, or nothing to move.
pub(crate) fn best_move(position: &Position) -> Option<Move> {
    let Verdict::Mate(moves) = verdict(position)? else { return None };
    let is_strong = position.by_color(position.turn()).more_than_one();
    let wanted = Verdict::Mate(moves - usize::from(is_strong));
    let is_best = |&mv: &Move| {
        let mut after = *position;
        after.play(mv);
        verdict(&after) == Some(wanted)
    };
    position.legal_moves().iter().copied().find(is_best)
}

/// Looks it up on a board that is turned as the table wants it.
fn moves_to_mate(position: &Position, strong: Color, bishop: Square, knight: Square) -> Option<u8> {
    let (king, lone, is_mirrored) = (position.king(strong), position.king(!strong), !DARK.contains(bishop));
    let turn = |square: Square| if is_mirrored { square.flip_horizontal() } else { square };
    let men = Men { king: turn(king), bishop: turn(bishop), knight: turn(knight) };
    let home = TURNS.into_iter().find(|home| is_home((home.square)(men.king)))?;
    let (men, lone) = (men.turned(home), (home.square)(turn(lone)));
    let moves = &MOVES[men.place()];
    if position.turn() == strong {
        return Some(moves[lone.to_usize()]);
    }
    let attacked = men.attacked();
    let replies = attacks::king_attacks(lone) & !attacked;
    let without = if attacked.contains(lone) { 0 } else { NEVER };
    Some(replies.into_iter().map(|to| moves[to.to_usize()]).max().unwrap_or(without))
}

/// Exchanges squares, and sets of squares alike, so that those of one colour keep it. Done twice it undoes itself.
#[derive(Copy, Clone)]
struct Turn {
    square: fn(Square) -> Square,
    set: fn(Bitboard) -> Bitboard,
}

const TURNS: [Turn; 4] = [
    Turn { square: |square| square, set: |set| set },
    Turn { square: Square::flip_diagonal, set: Bitboard::flip_diagonal },
    Turn { square: Square::flip_anti_diagonal, set: Bitboard::flip_anti_diagonal },
    Turn { square: Square::rotate_180, set: Bitboard::rotate_180 },
];

/// The squares a1 to h1, b2 to g2, c3 to f3, d4 and e4: every square can be turned to one of them.
fn is_home(king: Square) -> bool {
    let (file, rank) = (king.file().to_u32(), king.rank().to_u32());
    rank <= file && file + rank <= 7
}

fn homes() -> impl Iterator<Item = Square> {
    Square::ALL.into_iter().filter(|&king| is_home(king))
}

/// The strong side.
#[derive(Copy, Clone)]
struct Men {
    king: Square,
    bishop: Square,
    knight: Square,
}

impl Men {
    /// Wherever they can stand with the king at home.
    fn all() -> impl Iterator<Item = Men> {
        homes().flat_map(Men::beside)
    }

    /// Wherever the others can stand with the king here.
    fn beside(king: Square) -> impl Iterator<Item = Men> {
        DARK.without(king).into_iter().flat_map(move |bishop| {
            let knights = Bitboard::FULL.without(king).without(bishop).into_iter();
            knights.map(move |knight| Men { king, bishop, knight })
        })
    }

    fn turned(self, turn: Turn) -> Men {
        let Turn { square, .. } = turn;
        Men { king: square(self.king), bishop: square(self.bishop), knight: square(self.knight) }
    }

    /// The number of such places: kings at home are counted rank by rank, dark squares two by two.
    fn place(self) -> usize {
        let (file, rank) = (self.king.file().to_usize(), self.king.rank().to_usize());
        let king = rank * (9 - rank) + file - rank;
        (king * 32 + self.bishop.to_usize() / 2) * 64 + self.knight.to_usize()
    }

    /// Where the lone king must not step. It does not shield what is behind it, because it steps away.
    fn attacked(self) -> Bitboard {
        let blockers = Bitboard::from(self.king).with(self.knight);
        attacks::king_attacks(self.king)
            | attacks::knight_attacks(self.knight)
            | attacks::bishop_attacks(self.bishop, blockers)
    }

    /// Where the lone king, to move, is mated or has to step to where it loses; it never does if it takes.
    fn lost(self, won: Bitboard) -> Bitboard {
        let attacked = self.attacked();
        let legal = !(attacks::king_attacks(self.king) | self.squares());
        legal & (attacked | neighbours(!attacked)) & !neighbours(!(attacked | won))
    }

    fn squares(self) -> Bitboard {
        Bitboard::from(self.king).with(self.bishop).with(self.knight)
    }
}

/// From mates backwards: one move more in each round, until nothing is won by more.
fn solve() -> Box<[[u8; 64]]> {
    let mut moves = vec![[NEVER; 64]; PLACES].into_boxed_slice();
    let mut won = vec![Bitboard::EMPTY; PLACES];
    // Where the lone king, to move, loses, if that was not known a round ago
    let mut lost = won.clone();
    for men in Men::all() {
        lost[men.place()] = men.lost(Bitboard::EMPTY);
    }
    for count in 1..NEVER {
        let reached = step_back(&lost);
        let mut is_solved = true;
        for men in Men::all() {
            let place = men.place();
            let new = reached[place] & !(men.attacked() | men.squares() | won[place]);
            let before = won[place];
            won[place] |= new;
            lost[place] = if new.any() { men.lost(won[place]) & !men.lost(before) } else { Bitboard::EMPTY };
            for lone in new {
                moves[place][lone.to_usize()] = count;
            }
            is_solved &= new.is_empty();
        }
        if is_solved {
            break;
        }
    }
    moves
}

/// From where the strong side reaches these in one move, and some where the lone king would stand in check before it.
fn step_back(lost: &[Bitboard]) -> Vec<Bitboard> {
    let mut reached = vec![Bitboard::EMPTY; PLACES];
    for king in homes() {
        // On a long diagonal the king is at home in two ways
        let ways =
            |from| TURNS.into_iter().filter(move |turn| is_home((turn.square)(from))).map(move |turn| (from, turn));
        let steps: Vec<_> = attacks::king_attacks(king).into_iter().flat_map(ways).collect();
        for men in Men::beside(king) {
            let set = lost[men.place()];
            if set.is_empty() {
                continue;
            }
            for bishop in attacks::bishop_attacks(men.bishop, men.squares()) {
                reached[Men { bishop, ..men }.place()] |= set;
            }
            for knight in attacks::knight_attacks(men.knight) {
                reached[Men { knight, ..men }.place()] |= set;
            }
            for &(king, turn) in &steps {
                reached[Men { king, ..men }.turned(turn).place()] |= (turn.set)(set);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::*;

    /// A position with White's or Black's bishop and knight anywhere.
    fn random_position(rng: &mut Rng) -> Position {
        loop {
            let mut board = ['1'; 64];
            for piece in ['K', 'B', 'N', 'k'] {
                board[rng.usize(..64)] = piece;
            }
            let ranks: Vec<String> = board.chunks(8).map(|rank| rank.iter().collect()).collect();
            let fen = format!("{} {} - - 0 1", ranks.join("/"), if rng.bool() { 'w' } else { 'b' });
            let position = fen.parse::<Position>().ok().filter(|position| position.occupied().count() == 4);
            if let Some(position) = position {
                return if rng.bool() { position.mirrored() } else { position };
            }
        }
    }

    fn known(fen: &str) -> Option<Verdict> {
        verdict(&fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}")))
    }

    #[test]
    fn the_longest_mate_takes_33_moves() {
        let longest = MOVES.as_flattened().iter().filter(|&&moves| moves != NEVER).max();
        assert_eq!(longest, Some(&33));
    }

    #[test]
    fn some_positions_are_known_to_everyone() {
        assert_eq!(known("k7/8/NK6/8/4B3/8/8/8 b - - 0 1"), Some(Verdict::Mate(0)));
        assert_eq!(known("k7/8/NK6/8/8/3B4/8/8 w - - 0 1"), Some(Verdict::Mate(1)));
        assert_eq!(known("7k/8/8/8/8/8/8/KBN5 w - - 0 1"), Some(Verdict::Mate(29)));
        // Stalemate, a fork, and what is another ending
        assert_eq!(known("k7/8/NK6/8/5B2/8/8/8 b - - 0 1"), Some(Verdict::Draw));
        assert_eq!(known("8/8/8/8/2BkN3/8/8/7K b - - 0 1"), Some(Verdict::Draw));
        assert_eq!(known("8/8/8/3k4/8/8/8/KBB5 w - - 0 1"), None);
        assert_eq!(known("8/8/8/3k4/8/8/8/KB4n1 w - - 0 1"), None);
        assert_eq!(known("8/8/8/3k4/8/8/8/KBN4R w - - 0 1"), None);
    }

    #[test]
    fn each_move_is_worth_one_and_no_side_has_better() {
        let mut rng = Rng::with_seed(33);
        let (mut mates, mut draws) = (0, 0);
        // Draws are more than all mates
        let count = |position: &Position| match verdict(position) {
            Some(Verdict::Mate(moves)) => moves,
            _ => usize::from(NEVER),
        };
        for _ in 0..20_000 {
            let position = random_position(&mut rng);
            let moves = position.legal_moves();
            let after = moves.iter().map(|&mv| {
                let mut after = position;
                after.play(mv);
                count(&after)
            });
            let expected = match position.by_color(position.turn()).more_than_one() {
                true => after.min().map(|moves| (moves + 1).min(usize::from(NEVER))),
                false => after.max().or(position.is_check().then_some(0)),
            };
            assert_eq!(count(&position), expected.unwrap_or(usize::from(NEVER)), "{position}");
            if count(&position) < usize::from(NEVER) { mates += 1 } else { draws += 1 }
        }
        assert!(mates > 15_000 && draws > 1_000, "{mates} {draws}");
    }

    #[test]
    fn the_board_may_be_turned() {
        let mut rng = Rng::with_seed(34);
        for _ in 0..2_000 {
            let position = random_position(&mut rng);
            let fen = position.to_string();
            let (board, rest) = fen.split_once(' ').unwrap();
            let ranks: Vec<String> = board.split('/').map(|rank| rank.chars().rev().collect()).collect();
            let reversed: Vec<&str> = ranks.iter().map(String::as_str).rev().collect();
            let verdicts = [
                verdict(&position.mirrored()),
                known(&format!("{} {rest}", ranks.join("/"))),
                known(&format!("{} {rest}", reversed.join("/"))),
            ];
            assert_eq!(verdicts, [verdict(&position); 3], "{position}");
        }
    }
}
