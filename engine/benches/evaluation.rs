//! What an evaluation costs: through the ledger, and with the same terms written directly.
//!
//! `cargo bench -p engine`: the two take turns on the same positions and keep their best round.
//! `cargo bench -p engine -- count NAME on|off|direct` evaluates the positions a fixed number of times, with blending on
//! or off or directly, and prints nothing: run it under `valgrind --tool=callgrind` to count instructions.

use std::hint::black_box;
use std::time::{Duration, Instant};

use chess::{Bitboard, Color, File, Position, Rank, attacks};
use engine::terms::{
    BISHOP_MOBILITY, BISHOP_PAIR, CONNECTED_PAWN, DOUBLED_PAWN, ISOLATED_PAWN, KING_OPEN_FILE, KING_SEMI_OPEN_FILE,
    KNIGHT_MOBILITY, PASSED_PAWN, PAWN_SHIELD, QUEEN_MOBILITY, ROOK_MOBILITY, ROOK_ON_SEVENTH, ROOK_OPEN_FILE,
    ROOK_SEMI_OPEN_FILE, TEMPO,
};
use engine::{Accumulator, Param, Score, Trace, UpTo, Weights};

const ROUNDS: usize = 200;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let [mode, name, switch] = &arguments[..]
        && mode == "count"
    {
        count(name, switch);
        return;
    }
    println!("| weights | ledger, ns | direct, ns | ledger / direct |\n|---|---|---|---|");
    for name in ["handcrafted", "handset", "simplified"] {
        let weights = Weights::load(name).expect("a preset");
        let cases = cases(&weights);
        let (ledger, direct) = compare(&weights, &cases);
        println!("| {name} | {ledger:.1} | {direct:.1} | {:.3} |", ledger / direct);
    }
}

/// A position with what is kept incrementally.
struct Case {
    position: Position,
    accumulator: Accumulator,
    pieces: Score,
    phase: i32,
}

/// Every fourth position of games that always choose another move.
fn positions() -> Vec<Position> {
    let mut positions = Vec::new();
    for game in 0..40 {
        let mut position = Position::initial();
        for ply in 0..80 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            if ply % 4 == 3 {
                positions.push(position);
            }
            position.play(moves[(ply * 31 + game * 17 + ply * game) % moves.len()]);
        }
    }
    positions.retain(|position| position.outcome().is_none());
    positions
}

fn cases(weights: &Weights) -> Vec<Case> {
    let case = |position: Position| {
        let rows = Trace::of(&position, weights).rows;
        let pieces = rows
            .iter()
            .filter(|row| row.group == "Pieces")
            .fold(Score::ZERO, |sum, row| sum + Score::new(row.white.mg - row.black.mg, row.white.eg - row.black.eg));
        let phase = weights.phase_model().sum(&position);
        Case { position, accumulator: Accumulator::new(&position, weights), pieces, phase }
    };
    positions().into_iter().map(case).collect()
}

/// Nanoseconds per evaluation, through the ledger and directly.
fn compare(weights: &Weights, cases: &[Case]) -> (f64, f64) {
    let tables = Direct::new(weights);
    let mut best = [Duration::MAX; 2];
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let ledger: i64 =
            cases.iter().map(|case| i64::from(weights.evaluate(black_box(&case.position), &case.accumulator))).sum();
        best[0] = best[0].min(start.elapsed());
        let start = Instant::now();
        let direct: i64 = cases.iter().map(|case| i64::from(tables.evaluate(black_box(&case.position), case))).sum();
        best[1] = best[1].min(start.elapsed());
        assert_eq!(ledger, direct, "the two evaluations differ");
    }
    let nanoseconds = |time: Duration| time.as_secs_f64() * 1e9 / cases.len() as f64;
    (nanoseconds(best[0]), nanoseconds(best[1]))
}

fn count(name: &str, switch: &str) {
    let mut weights = Weights::load(name).expect("a preset");
    weights.set_interpolation(switch != "off");
    let cases = cases(&weights);
    let direct = Direct::new(&weights);
    for _ in 0..ROUNDS {
        for case in &cases {
            let position = black_box(&case.position);
            black_box(match switch {
                "direct" => direct.evaluate(position, case),
                _ => weights.evaluate(position, &case.accumulator),
            });
        }
    }
}

/// The same terms with their weights in hand, as one would write them without a ledger.
struct Direct<'w> {
    values: &'w [Score],
    weights: &'w Weights,
    king_phases: [i32; 257],
    has: Has,
}

/// Which groups have weights; a program written for one set of weights would leave out the rest.
struct Has {
    pawns: bool,
    rooks: bool,
    mobility: bool,
    king: bool,
    others: bool,
}

impl<'w> Direct<'w> {
    fn new(weights: &'w Weights) -> Direct<'w> {
        let any = |name: &str| {
            let terms = engine::CATALOG.iter().filter(|term| term.group.name() == name);
            terms.flat_map(|term| &weights.values()[term.params()]).any(|&value| value != Score::ZERO)
        };
        Direct {
            values: weights.values(),
            weights,
            king_phases: weights.king_taper().table(),
            has: Has {
                pawns: any("Pawns"),
                rooks: any("Rooks"),
                mobility: any("Mobility"),
                king: any("KingSafety"),
                others: any("Imbalance") || any("Initiative"),
            },
        }
    }

    fn evaluate(&self, position: &Position, case: &Case) -> i32 {
        let (white, black) = (self.side(position, Color::White), self.side(position, Color::Black));
        let mut score = case.pieces + white.0 - black.0;
        let mut king = white.1 - black.1;
        if position.turn().is_black() {
            score = -score;
            king = -king;
        }
        if self.has.others {
            score += self.value(TEMPO.at(()));
        }
        let phase = self.weights.phase_model().phase(case.phase);
        let king_phase = self.king_phases[phase as usize];
        let blended =
            score.mg() * phase + score.eg() * (256 - phase) + king.mg() * king_phase + king.eg() * (256 - king_phase);
        ((blended + 128) >> 8).clamp(-20_000, 20_000)
    }

    fn value(&self, param: Param) -> Score {
        self.values[param.index()]
    }

    #[inline(always)]
    fn side(&self, position: &Position, us: Color) -> (Score, Score) {
        let mut score = Score::ZERO;
        let mut safety = Score::ZERO;
        let (own_pawns, enemy_pawns) = (position.by_piece(us.pawn()), position.by_piece((!us).pawn()));
        if self.has.others && position.by_piece(us.bishop()).more_than_one() {
            score += self.value(BISHOP_PAIR.at(()));
        }
        if self.has.pawns {
            let stoppers = ahead(!us, enemy_pawns);
            for pawn in own_pawns & !(stoppers | beside(stoppers)) {
                score += self.value(PASSED_PAWN.at(us.relative_rank(pawn.rank())));
            }
            let isolated = own_pawns & !files(beside(own_pawns));
            score += self.value(ISOLATED_PAWN.at(())) * isolated.count() as i32;
            let doubled = own_pawns & (ahead(us, own_pawns) | ahead(!us, own_pawns));
            score += self.value(DOUBLED_PAWN.at(())) * doubled.count() as i32;
            let defended = beside(own_pawns.shift(if us.is_white() { 8 } else { -8 }));
            for pawn in own_pawns & (defended | beside(own_pawns)) {
                score += self.value(CONNECTED_PAWN.at(us.relative_rank(pawn.rank())));
            }
        }
        let rooks = position.by_piece(us.rook());
        if self.has.rooks && rooks.any() {
            let free = rooks & !files(own_pawns);
            let enemy_files = files(enemy_pawns);
            score += self.value(ROOK_OPEN_FILE.at(())) * (free & !enemy_files).count() as i32;
            score += self.value(ROOK_SEMI_OPEN_FILE.at(())) * (free & enemy_files).count() as i32;
            let seventh = Bitboard::from_rank(us.relative_rank(Rank::Seventh));
            let eighth = Bitboard::from_rank(us.relative_rank(Rank::Eighth));
            if ((enemy_pawns & seventh) | (position.by_piece((!us).king()) & eighth)).any() {
                score += self.value(ROOK_ON_SEVENTH.at(())) * (rooks & seventh).count() as i32;
            }
        }
        if self.has.mobility {
            let occupied = position.occupied();
            let free = !position.by_color(us);
            for square in position.by_piece(us.knight()) {
                score += self.value(KNIGHT_MOBILITY.at(UpTo((attacks::knight_attacks(square) & free).count())));
            }
            for square in position.by_piece(us.bishop()) {
                score +=
                    self.value(BISHOP_MOBILITY.at(UpTo((attacks::bishop_attacks(square, occupied) & free).count())));
            }
            for square in rooks {
                score += self.value(ROOK_MOBILITY.at(UpTo((attacks::rook_attacks(square, occupied) & free).count())));
            }
            for square in position.by_piece(us.queen()) {
                score += self.value(QUEEN_MOBILITY.at(UpTo((attacks::queen_attacks(square, occupied) & free).count())));
            }
        }
        if self.has.king {
            let king = Bitboard::from_square(position.king(us));
            let around = king | beside(king);
            let step = if us.is_white() { 8 } else { -8 };
            let shield = own_pawns & (around.shift(step) | around.shift(2 * step));
            safety += self.value(PAWN_SHIELD.at(())) * shield.count() as i32;
            let lines = files(around) & !files(own_pawns) & Bitboard::from_rank(Rank::First);
            let attacked = lines & files(enemy_pawns);
            safety += self.value(KING_OPEN_FILE.at(())) * (lines & !attacked).count() as i32;
            safety += self.value(KING_SEMI_OPEN_FILE.at(())) * attacked.count() as i32;
        }
        (score, safety)
    }
}

fn beside(squares: Bitboard) -> Bitboard {
    (squares & !Bitboard::from_file(File::A)).shift(-1) | (squares & !Bitboard::from_file(File::H)).shift(1)
}

fn ahead(color: Color, squares: Bitboard) -> Bitboard {
    let step = if color.is_white() { 8 } else { -8 };
    let mut set = squares;
    for distance in [1, 2, 4] {
        set |= set.shift(step * distance);
    }
    set.shift(step)
}

fn files(squares: Bitboard) -> Bitboard {
    squares | ahead(Color::White, squares) | ahead(Color::Black, squares)
}
