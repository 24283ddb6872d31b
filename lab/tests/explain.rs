//! Explanations whose figures add up and whose sentences name what a chess player would.

use std::sync::Arc;

use chess::{Epd, Move, Position};
use engine::{Limits, Tablebases, Trace, Weights};
use lab::explain::{Change, ExplainError, Explanation, Question, Verdict, explain, pawns, reasons};

fn question(fen: &str, weights: &str, depth: usize) -> Question<'static> {
    Question {
        position: fen.parse().unwrap(),
        weights: Arc::new(Weights::load(weights).unwrap()),
        limits: Limits { depth: Some(depth), ..Limits::default() },
        mv: None,
        against: None,
        tablebases: None,
        hash: 4,
        is_stopped: &|| false,
    }
}

/// Positions that random moves lead to, half of them far into a game.
fn positions(count: usize) -> Vec<Position> {
    let mut random = fastrand::Rng::with_seed(11);
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut position = Position::initial();
        for _ in 0..random.usize(4..120) {
            let legal = position.legal_moves();
            position.play(legal[random.usize(..legal.len())]);
            if position.outcome().is_some() {
                break;
            }
        }
        if position.outcome().is_none() && position.legal_moves().len() > 1 {
            positions.push(position);
        }
    }
    positions
}

/// The figures that stand in a sentence behind its colon: `knight placement +0.41 (f3), all else -0.02`.
fn figures(list: &str) -> Vec<i32> {
    let is_figure = |word: &&str| word.starts_with(['+', '-']) && word.contains('.');
    let words = list.split([' ', ',']).map(|word| word.trim_end_matches('.'));
    words.filter(is_figure).map(|word| (100.0 * word.parse::<f64>().unwrap()).round() as i32).collect()
}

fn check_sum(change: &Change, from: &Trace, to: &Trace) {
    let own = |trace: &Trace| change.view.fold_wb(trace.white_cp, -trace.white_cp);
    assert_eq!((change.from_cp, change.to_cp), (own(from), own(to)));
    assert_eq!(change.shifts.iter().map(|shift| shift.cp).sum::<i32>(), own(to) - own(from));
    assert_eq!(reasons(change).iter().map(|reason| reason.cp).sum::<i32>(), own(to) - own(from));
    let exact: f64 = change.shifts.iter().map(|shift| shift.exact).sum();
    assert!((exact - f64::from(own(to) - own(from))).abs() < 1e-6);
    assert!(change.shifts.iter().all(|shift| (shift.exact - f64::from(shift.cp)).abs() <= 1.0 + 1e-6));
    // Pieces stand on squares, which add up to their row
    for shift in change.shifts.iter().filter(|shift| shift.group == "Pieces") {
        assert_eq!(shift.places.iter().map(|place| place.cp).sum::<i32>(), shift.cp);
    }
}

fn check_sentences(explanation: &Explanation) {
    for sentence in explanation.sentences() {
        let Some((head, list)) = sentence
            .split_once(": ")
            .filter(|(head, _)| head.starts_with("From ") || head.contains(" over ") || head.contains(" behind "))
        else {
            continue;
        };
        let change = match &explanation.rival {
            Some((_, contrast)) if !head.starts_with("From ") => contrast,
            _ => &explanation.gain,
        };
        let figures = figures(list);
        if !figures.is_empty() {
            assert_eq!(figures.iter().sum::<i32>(), change.difference(), "{sentence}");
        }
        let named = if list.contains("all else") { &figures[..figures.len() - 1] } else { &figures[..] };
        assert!(named.windows(2).all(|pair| pair[0].abs() >= pair[1].abs()), "{sentence}");
    }
}

#[test]
fn on_200_positions_the_printed_differences_add_up_to_the_change_between_the_leaves() {
    let weights = ["handcrafted", "default"].map(|name| Arc::new(Weights::load(name).unwrap()));
    for (number, position) in positions(200).into_iter().enumerate() {
        let legal = position.legal_moves();
        let mut question = question("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "material", 3);
        question.position = position;
        question.weights = weights[number % 2].clone();
        question.against = Some(legal[number % legal.len()]);
        let explanation = explain(&question).unwrap();
        check_sum(&explanation.gain, &explanation.here, &explanation.chosen.end);
        let (rival, contrast) = explanation.rival.as_ref().unwrap();
        assert_ne!(rival.mv, explanation.chosen.mv);
        check_sum(contrast, &rival.end, &explanation.chosen.end);
        check_sentences(&explanation);
    }
}

/// What is told is compared with files that a chess player has read. The lines are a move long, so that the files change with
/// the words and not with the search. `RENEW=1 cargo test -p lab --test explain textbook` writes them anew, to be read again.
#[test]
fn textbook_positions_are_explained_by_the_textbook() {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/textbook");
    let text = std::fs::read_to_string(format!("{directory}/positions.epd")).unwrap();
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(lines.len(), 10);
    for line in lines {
        let epd: Epd = line.parse().unwrap();
        let text = |opcode: &str| epd.text(opcode).unwrap();
        let (fen, id, reason) = (epd.position.to_string(), text("id"), text("c0"));
        let read = |opcode: &str| -> Move { epd.position.parse_san(text(opcode)).unwrap() };
        let mut question = question(&fen, &format!("{directory}/weights.toml"), 1);
        (question.mv, question.against) = (Some(read("bm")), Some(read("am")));
        let explanation = explain(&question).unwrap();
        check_sentences(&explanation);
        let sentences = explanation.sentences().join("\n");
        let (_, contrast) = explanation.rival.as_ref().unwrap();
        let found = reasons(contrast);
        let found = found.iter().take(2).find(|found| found.name == reason).map(|found| found.cp);
        match text("c1") {
            "for" => assert!(found.is_some_and(|cp| cp > 0), "{id}: {sentences}"),
            "against" => assert!(found.is_some_and(|cp| cp < 0), "{id}: {sentences}"),
            _ => (),
        }
        let figure = found.map_or(String::new(), |cp| format!(" {}", pawns(cp)));
        assert!(sentences.contains(&format!("{reason}{figure}")), "{id}: {sentences}");
        let told = format!("{fen}\n{} against {}\n\n{sentences}\n", text("bm"), text("am"));
        let path = format!("{directory}/{id}.txt");
        if std::env::var_os("RENEW").is_some() {
            std::fs::write(&path, &told).unwrap();
        }
        assert_eq!(told, std::fs::read_to_string(&path).unwrap(), "{path}");
    }
}

#[test]
fn mates_and_draws_are_said_to_be_such() {
    let mate = explain(&question("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "handset", 4)).unwrap();
    assert_eq!(mate.chosen.verdict, Verdict::Mate(1));
    assert_eq!(mate.sentences()[1], "Ra8# is checkmate, so terms do not count.");
    let two = explain(&question("7k/8/8/8/8/8/R7/1R2K3 w - - 0 1", "handset", 6)).unwrap();
    assert_eq!(two.chosen.verdict, Verdict::Mate(2));
    assert!(two.sentences()[1].contains("forces mate in 2"), "{:?}", two.sentences());
    let mated = explain(&question("k7/8/1K6/8/8/8/8/7R b - - 0 1", "handset", 6)).unwrap();
    assert_eq!(mated.chosen.verdict, Verdict::Mate(-1));
    let mut draw = question("7k/8/8/8/8/8/6q1/7K w - - 0 1", "handset", 4);
    draw.mv = draw.position.parse_san("Kxg2").ok();
    let draw = explain(&draw).unwrap();
    assert_eq!(draw.chosen.verdict, Verdict::Draw("insufficient material"));
    assert!(draw.sentences()[1].contains("draw by insufficient material"), "{:?}", draw.sentences());
}

#[test]
fn endgame_tables_are_said_to_decide() {
    let Some(path) = std::env::var("SYZYGY_PATH").ok().filter(|path| !path.is_empty()) else { return };
    let mut won = question("4k3/8/3K4/4P3/8/8/8/8 w - - 0 1", "handset", 6);
    won.tablebases = Some(Arc::new(Tablebases::open(&path).0));
    won.against = won.position.parse_san("Kd5").ok();
    let won = explain(&won).unwrap();
    assert_eq!(won.chosen.verdict, Verdict::Table(true));
    let sentences = won.sentences().join("\n");
    assert!(sentences.contains("wins by the endgame tables"), "{sentences}");
    assert!(sentences.contains("Kd5 is a draw by the endgame tables"), "{sentences}");
}

#[test]
fn what_cannot_be_compared_is_said() {
    let error = |question: &Question| explain(question).unwrap_err();
    let mut same = question("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "handset", 2);
    same.mv = same.position.parse_san("e4").ok();
    same.against = same.mv;
    assert_eq!(error(&same), ExplainError::Same("e4".to_owned()));
    assert_eq!(error(&question("7k/8/6Q1/8/8/8/8/4K3 b - - 0 1", "handset", 2)), ExplainError::Over("stalemate"));
    let mut only = question("7k/8/8/8/8/8/1r6/K7 w - - 0 1", "handset", 2);
    only.against = only.position.legal_moves().first().copied();
    assert!(matches!(error(&only), ExplainError::Only(_)));
    // The best move has nothing better beside it: the next best is compared with it
    let mut best = question("3qk3/8/8/8/8/8/8/3RK3 w - - 0 1", "handset", 4);
    best.against = best.position.parse_san("Rxd8+").ok();
    let explanation = explain(&best).unwrap();
    assert!(explanation.is_rival_best);
    assert!(explanation.sentences()[0].starts_with("Rxd8+ is itself the best move; the next best is "));
}
