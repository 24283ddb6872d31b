//! The evaluation's mechanism: rows add up, slopes are right, colours are equal, phases end where they should.

use chess::{ByColor, Checks, Color, Position, Square};
use engine::{
    Accumulator, CATALOG, Channel, Count, Counter, Dual, DualPair, PARAM_COUNT, PRESETS, PhaseModel, Score, Stage,
    Sums, Taper, Trace, Weights, compose, evaluate,
};
use proptest::prelude::*;

fn presets() -> Vec<Weights> {
    PRESETS.iter().map(|(name, _)| Weights::load(name).unwrap_or_else(|error| panic!("{error}"))).collect()
}

/// Positions of a random game of standard chess or double Chess960.
fn random_positions(plies: usize) -> impl Strategy<Value = Vec<Position>> {
    let start = prop_oneof![Just((518, 518)), (0..960u32, 0..960u32)];
    (start, prop::collection::vec(any::<u16>(), 1..=plies)).prop_map(|((white, black), choices)| {
        let mut positions = vec![Position::chess960(white, black)];
        for choice in choices {
            let mut position = positions[positions.len() - 1];
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play(moves[usize::from(choice) % moves.len()]);
            positions.push(position);
        }
        positions
    })
}

/// The same position with colours and side to move exchanged.
fn mirrored(position: &Position) -> Position {
    let fen = position.to_string();
    let fields: Vec<&str> = fen.split(' ').collect();
    let exchange = |text: &str| -> String {
        let swap = |c: char| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
        text.chars().map(swap).collect()
    };
    let board: Vec<String> = fields[0].split('/').rev().map(exchange).collect();
    let turn = if fields[1] == "w" { "b" } else { "w" };
    let passed = fields[3].replace('3', "x").replace('6', "3").replace('x', "6");
    let text = format!("{} {turn} {} {passed} {} {}", board.join("/"), exchange(fields[2]), fields[4], fields[5]);
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// How often each side was credited each weight, read from a trace of unit weights: one weight at a time is 1, all others 0.
fn signed_sum(trace: &Trace) -> f64 {
    trace.rows.iter().map(|row| row.cp).sum()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: (ProptestConfig::default().cases / 10).max(24), ..ProptestConfig::default() })]

    #[test]
    fn the_rows_add_up_to_the_evaluation(positions in random_positions(160)) {
        for weights in presets() {
            for position in &positions {
                let trace = Trace::of(position, &weights);
                prop_assert!((signed_sum(&trace) - f64::from(trace.white_cp)).abs() < 1e-6, "{position}");
                if trace.outcome.is_none() {
                    let value = evaluate(position, &weights);
                    let white = position.turn().fold_wb(value, -value);
                    prop_assert_eq!(trace.white_cp, white, "{} {}", weights.name(), position);
                    let rounding = trace.rows.iter().find(|row| row.term == "rounding").unwrap();
                    prop_assert!(rounding.cp.abs() < 1.0);
                }
            }
        }
    }

    #[test]
    fn exchanging_the_colours_changes_nothing(positions in random_positions(120)) {
        for weights in presets() {
            for position in &positions {
                let mirror = mirrored(position);
                prop_assert_eq!(mirror, position.mirrored());
                prop_assert_eq!(evaluate(position, &weights), evaluate(&mirror, &weights), "{}", position);
                let (trace, other) = (Trace::of(position, &weights), Trace::of(&mirror, &weights));
                prop_assert_eq!(trace.white_cp, -other.white_cp);
                for square in Square::ALL {
                    let flipped = other.squares[square.flip_vertical().to_usize()];
                    prop_assert!((trace.squares[square.to_usize()] + flipped).abs() < 1e-9);
                }
            }
        }
    }

    #[test]
    fn a_blend_lies_between_its_ends_and_moves_with_the_phase(mg in -9000..9000, eg in -9000..9000) {
        let value = |phase| {
            let mut white = [Score::ZERO; Channel::COUNT];
            white[Channel::Score as usize] = Score::new(mg, eg);
            let sides = ByColor { white, black: [Score::ZERO; Channel::COUNT] };
            compose(&sides, &Stage { turn: Color::White, phases: [phase; Channel::COUNT], unit: 100 }) as i32
        };
        prop_assert_eq!(value(256), mg);
        prop_assert_eq!(value(0), eg);
        for phase in 0..256 {
            let rises = value(phase + 1).cmp(&value(phase));
            prop_assert!(rises.is_eq() || rises == mg.cmp(&eg), "{mg} {eg} at {phase}");
        }
    }
}

#[test]
fn files_mirrored_left_to_right_are_worth_the_same_where_tables_are_symmetric() {
    let flipped = |fen: &str| {
        let (board, rest) = fen.split_once(' ').unwrap();
        let ranks: Vec<String> = board.split('/').map(|rank| rank.chars().rev().collect()).collect();
        format!("{} {rest}", ranks.join("/")).parse::<Position>().unwrap()
    };
    for name in ["stockfish", "centre", "material", "positional"] {
        let weights = Weights::load(name).unwrap();
        for fen in [
            "r1bq1rk1/pp3ppp/2n1pn2/3p4/1bPP4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 9",
            "8/5pk1/4p1p1/3pP2p/1R1P3P/r5P1/5P2/6K1 b - - 3 40",
        ] {
            assert_eq!(evaluate(&fen.parse().unwrap(), &weights), evaluate(&flipped(fen), &weights), "{name} {fen}");
        }
    }
}

#[test]
fn the_accumulator_equals_the_sum_from_scratch_at_every_node() {
    fn walk(position: &Position, accumulator: &Accumulator, weights: &Weights, depth: u32) {
        assert_eq!(*accumulator, Accumulator::new(position, weights), "{position}");
        if depth == 0 {
            return;
        }
        if !position.is_check() {
            let (mut child, mut copy) = (*position, *accumulator);
            child.play_null(&mut copy.observe(weights));
            assert_eq!(copy, Accumulator::new(&child, weights), "{position}: null move");
        }
        let checks = Checks::new(position);
        for &mv in &position.legal_moves() {
            let (mut child, mut copy) = (*position, *accumulator);
            child.play_observed(mv, &checks, &mut copy.observe(weights));
            walk(&child, &copy, weights, depth - 1);
        }
    }
    let weights = Weights::load("seajay-pawns").unwrap();
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "nrkbbqrn/pp1ppp1p/8/2pP2p1/8/8/PPP1PPPP/NRKBBQRN w GBgb c6 0 3",
        "2r1k1r1/8/8/8/8/8/8/R4K1R w HAgc - 0 1",
    ] {
        let position: Position = fen.parse().unwrap();
        walk(&position, &Accumulator::new(&position, &weights), &weights, 4);
    }
}

/// The slope of the value with respect to each weight, from one composition with derivatives and the counts of the
/// trace, against the difference that changing the weight makes.
#[test]
fn the_slope_for_every_weight_equals_the_finite_difference() {
    let positions: Vec<Position> = [
        "r1bq1rk1/pp3ppp/2n1pn2/3p4/1bPP4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 9",
        "r4rk1/pp1n1ppp/2p1pn2/q7/2PP4/P1Q1PN2/5PPP/R3KB1R b KQ - 2 13",
        "8/5pk1/1p2p1p1/3pP2p/1R1P3P/r5P1/P4P2/6K1 b - - 3 40",
    ]
    .map(|fen| fen.parse().unwrap())
    .to_vec();
    for name in ["handset", "stockfish"] {
        let weights = endangered(&Weights::load(name).unwrap());
        for position in &positions {
            let stage = weights.stage_of(position);
            let slopes = compose(&dual_sums(position, &weights), &stage).slopes;
            let counts = counts(position);
            for term in CATALOG {
                for index in term.params() {
                    // Of the many that are not found some will do
                    if counts[index] == [0, 0] && index % 41 != 0 {
                        continue;
                    }
                    for (half, change) in [(0, Score::new(8, 0)), (1, Score::new(0, 8))] {
                        let with = |change: Score| {
                            let mut values = Box::new(*weights.values());
                            values[index] += change;
                            exact(position, &weights.with_values(values))
                        };
                        let difference = (with(change) - with(-change)) / 16.0;
                        let slope: f64 = [Color::White, Color::Black]
                            .into_iter()
                            .map(|color| {
                                slopes[place(color, term.channel, half)] * f64::from(counts[index][color.fold_wb(0, 1)])
                            })
                            .sum();
                        assert!(
                            (difference - slope).abs() < 1e-9,
                            "{name}, {}, weight {index}: {slope} {difference}",
                            term.name
                        );
                    }
                }
            }
        }
    }
}

/// The unrounded value, from the side to move's view.
fn exact(position: &Position, weights: &Weights) -> f64 {
    let rows = Trace::of(position, weights).rows;
    let sum: f64 = rows.iter().filter(|row| row.group != "Composition").map(|row| row.cp).sum();
    position.turn().fold_wb(sum, -sum)
}

/// By weight: how often White and Black are credited it.
fn counts(position: &Position) -> Vec<[i16; 2]> {
    let mut counter = Counter::with_sides_apart();
    let slots = counter.slots().to_vec();
    let mut counts = vec![[0; 2]; PARAM_COUNT];
    counter.count(position, |slot, _, found| {
        let side = usize::from(slots[slot].side == Some(Color::Black));
        found.for_each(|Count { index, count }| counts[usize::from(index)][side] += count);
    });
    counts
}

/// The same weights with dangers that are well inside their curve, and with what acts on the endgame.
fn endangered(weights: &Weights) -> Weights {
    let mut values = Box::new(*weights.values());
    values[engine::terms::DANGER_BASE.at(()).index()] = Score::new(400, 380);
    values[engine::terms::WING_ATTACK.at(()).index()] = Score::new(3, 2);
    // One side stays ahead in the endgame, whatever else changes
    values[engine::terms::TEMPO.at(()).index()] = Score::new(10, 2500);
    values[engine::terms::PROSPECTS_PAWN.at(()).index()] = Score::new(0, 3);
    values[engine::terms::FEW_PAWNS.at(engine::UpTo(5)).index()] = Score::new(0, 11);
    weights.with_values(values)
}

fn place(color: Color, channel: Channel, half: usize) -> usize {
    color.fold_wb(0, 2 * Channel::COUNT) + 2 * channel as usize + half
}

const SLOPES: usize = 4 * Channel::COUNT;

/// Both sides' sums as variables.
fn dual_sums(position: &Position, weights: &Weights) -> ByColor<Sums<DualPair<SLOPES>>> {
    let rows = Trace::of(position, weights).rows;
    let sum = |color: Color, channel: Channel, half: usize| -> f64 {
        let is_in = |row: &&engine::Row| CATALOG.iter().any(|term| term.name == row.term && term.channel == channel);
        let of = |row: &engine::Row| {
            let side = color.fold_wb(row.white, row.black);
            f64::from(if half == 0 { side.mg } else { side.eg })
        };
        rows.iter().filter(is_in).map(of).sum()
    };
    let variable = |color, channel, half| Dual::variable(sum(color, channel, half), place(color, channel, half));
    let pair = |color, channel| DualPair { mg: variable(color, channel, 0), eg: variable(color, channel, 1) };
    let side = |color| Channel::ALL.map(|channel| pair(color, channel));
    ByColor { white: side(Color::White), black: side(Color::Black) }
}

#[test]
fn every_weight_has_a_name_of_its_own() {
    let mut labels: Vec<String> = (0..PARAM_COUNT).map(engine::TermInfo::label).collect();
    assert_eq!(
        labels[engine::terms::PIECE_SQUARE.at((chess::Role::Knight, Square::D4)).index()],
        "piece_square.knight.d4"
    );
    assert_eq!(labels[engine::terms::PASSED_PAWN.at(chess::Rank::Sixth).index()], "passed_pawn.rank6");
    assert_eq!(labels[engine::terms::TEMPO.at(()).index()], "tempo");
    labels.sort_unstable();
    labels.dedup();
    assert_eq!(labels.len(), PARAM_COUNT);
}

#[test]
fn every_phase_model_ends_at_256_and_0() {
    let bare: Position = "4k3/8/8/8/8/8/8/4K3 w - - 0 1".parse().unwrap();
    for weights in presets() {
        let model = weights.phase_model();
        assert_eq!(model.phase(model.sum(&Position::initial())), 256, "{}", weights.name());
        let least = model.phase(model.sum(&bare));
        // Counting pieces, two kings remain
        let expected = if weights.name().starts_with("positional") || weights.name() == "centre" { 16 } else { 0 };
        assert_eq!(least, expected, "{}", weights.name());
        assert_eq!(model.phase(i32::MIN / 4), 0);
        assert_eq!(model.phase(i32::MAX / 4), 256);
    }
}

#[test]
fn without_interpolation_the_middlegame_counts_alone() {
    let position: Position = "8/P4pk1/4p1p1/3pP2p/1R1P3P/r5P1/5P2/6K1 w - - 3 40".parse().unwrap();
    let mut weights = Weights::load("seajay").unwrap();
    weights.set_interpolation(false);
    let trace = Trace::of(&position, &weights);
    let mg: i32 = trace.rows.iter().map(|row| row.white.mg - row.black.mg).sum();
    assert_eq!(trace.phase, 256);
    assert_eq!(trace.white_cp, mg);
    weights.set_interpolation(true);
    assert_ne!(Trace::of(&position, &weights).white_cp, mg);
}

#[test]
fn pawns_change_the_pawn_aware_phase_by_three_each() {
    let model = |name| *Weights::load(name).unwrap().phase_model();
    let (plain, aware): (PhaseModel, PhaseModel) = (model("seajay"), model("seajay-pawns"));
    for (fen, pawns) in [
        ("r2qk3/pppp4/8/8/8/8/PPPP4/R2QK3 w - - 0 1", 8),
        ("r2qk3/8/8/8/8/8/PPPP4/R2QK3 w - - 0 1", 4),
        ("r2qk3/pppppppp/8/8/8/8/PPPPP3/R2QK3 w - - 0 1", 13),
    ] {
        let position: Position = fen.parse().unwrap();
        let difference = aware.phase(aware.sum(&position)) - plain.phase(plain.sum(&position));
        assert_eq!(difference, 3 * (pawns - 8), "{fen}");
    }
}

#[test]
fn a_sigmoid_taper_keeps_its_ends_and_never_falls() {
    for (midpoint, width) in [(128, 96), (60, 20), (0, 1), (256, 1000)] {
        let table = Taper::Sigmoid { midpoint, width }.table();
        assert_eq!((table[0], table[256]), (0, 256));
        assert!(table.windows(2).all(|pair| pair[0] <= pair[1]), "{midpoint} {width}");
    }
    let linear = Taper::Linear.table();
    assert!((0..=256).all(|phase| linear[phase] == phase as i32));
    let sigmoid = Taper::Sigmoid { midpoint: 128, width: 40 }.table();
    assert!(sigmoid[192] > 192 && sigmoid[64] < 64, "steeper than linear about the midpoint");
}

#[test]
fn an_extreme_evaluation_is_limited_and_says_so() {
    let position: Position = "3QQ3/8/8/8/8/8/k7/4K3 w - - 0 1".parse().unwrap();
    let mut values = Box::new(*Weights::load("material").unwrap().values());
    values[engine::terms::MATERIAL.at(chess::Role::Queen).index()] = Score::new(13_500, 13_500);
    let weights = Weights::load("material").unwrap().with_values(values);
    let trace = Trace::of(&position, &weights);
    assert_eq!(trace.white_cp, 20_000);
    assert!(trace.rows.iter().any(|row| row.term == "limit" && row.cp == -7000.0));
    assert!((signed_sum(&trace) - 20_000.0).abs() < 1e-6);
}
