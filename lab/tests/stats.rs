//! Statistics against known results, and against their own symmetries.

use lab::stats::{Estimate, Model, Sprt, Tally, Verdict};
use proptest::prelude::*;

fn sprt(elo0: f64, elo1: f64, model: Model) -> Sprt {
    Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap()
}

/// Pairs, bounds, and the log-likelihood ratio that the field's match runners print.
const KNOWN: [([u64; 5], (f64, f64), f64); 4] = [
    ([379, 10170, 21828, 10640, 343], (0.0, 2.0), 2.9455),
    ([46, 496, 1073, 640, 79], (0.0, 3.0), 2.8905),
    ([39, 8843, 26675, 9240, 44], (0.5, 2.5), 2.9417),
    ([31, 83, 155, 125, 72], (0.0, 8.0), 3.257),
];

#[test]
fn known_ratios_are_found_to_the_printed_digit() {
    for (pairs, (elo0, elo1), expected) in KNOWN {
        let llr = sprt(elo0, elo1, Model::Normalized).llr(&Tally::Pairs(pairs));
        let digits = if expected == 3.257 { 5e-4 } else { 5e-5 };
        assert!((llr - expected).abs() <= digits, "{pairs:?}: {llr}");
    }
}

#[test]
fn the_seeds_own_result_is_found() {
    let tally = Tally::Pairs([31, 83, 155, 125, 72]);
    let estimate = Estimate::of(&tally).unwrap();
    assert_eq!(tally.games(), 932);
    assert_eq!(format!("{:.2} {:.2}", estimate.elo, estimate.elo_error), "46.50 18.04");
    assert_eq!(sprt(0.0, 8.0, Model::Normalized).verdict(3.257), Verdict::H1);
}

#[test]
fn a_level_result_is_no_negative_zero() {
    let estimate = Estimate::of(&Tally::Pairs([2, 0, 0, 0, 2])).unwrap();
    assert_eq!(format!("{:.2} {:.2}", estimate.elo, estimate.nelo), "0.00 0.00");
}

#[test]
fn the_bounds_are_the_usual_ones() {
    let (lower, upper) = sprt(0.0, 5.0, Model::Normalized).bounds();
    assert!((lower + 2.944_439).abs() < 1e-6 && (upper - 2.944_439).abs() < 1e-6);
}

#[test]
fn a_test_that_makes_no_sense_is_refused() {
    let refused =
        |elo0, elo1, alpha, beta| Sprt::new(elo0, elo1, alpha, beta, Model::Normalized).unwrap_err().to_string();
    assert_eq!(refused(5.0, 0.0, 0.05, 0.05), "elo0 is 5 and elo1 is 0, but elo1 must be the larger");
    assert_eq!(refused(0.0, f64::NAN, 0.05, 0.05), "elo0 is 0 and elo1 is NaN, but elo1 must be the larger");
    assert_eq!(refused(0.0, 5.0, 0.0, 0.05), "alpha is 0, but must be above 0 and below 0.5");
    assert_eq!(refused(0.0, 5.0, 0.05, 0.7), "beta is 0.7, but must be above 0 and below 0.5");
}

#[test]
fn results_without_variety_give_numbers() {
    let single = |wins, draws, losses| Tally::Games { wins, draws, losses };
    let mut tallies = vec![single(1, 0, 0), single(0, 1, 0), single(0, 0, 1), single(500, 0, 0), single(0, 900, 0)];
    for place in 0..5 {
        for count in [1, 1000] {
            let mut pairs = [0; 5];
            pairs[place] = count;
            tallies.push(Tally::Pairs(pairs));
        }
    }
    for tally in tallies {
        let estimate = Estimate::of(&tally).unwrap();
        let llr = [Model::Normalized, Model::Logistic].map(|model| sprt(0.0, 5.0, model).llr(&tally));
        let numbers =
            [estimate.elo, estimate.elo_error, estimate.nelo, estimate.nelo_error, estimate.los, llr[0], llr[1]];
        assert!(numbers.iter().all(|number| number.is_finite()), "{tally:?}: {numbers:?}");
        assert!(estimate.elo_error > 0.0, "{tally:?}: {numbers:?}");
    }
    assert_eq!(Estimate::of(&Tally::Pairs([0; 5])), None);
    assert_eq!(sprt(0.0, 5.0, Model::Normalized).llr(&Tally::Pairs([0; 5])), 0.0);
}

proptest! {
    #[test]
    fn exchanging_the_players_turns_everything_round(pairs in prop::array::uniform5(0..400u64), elo0 in -8.0..4.0, width in 0.5..9.0) {
        let tally = Tally::Pairs(pairs);
        prop_assume!(tally.games() > 0);
        for model in [Model::Normalized, Model::Logistic] {
            let there = sprt(elo0, elo0 + width, model).llr(&tally);
            let back = sprt(-elo0 - width, -elo0, model).llr(&tally.reversed());
            prop_assert!((there + back).abs() < 1e-6 * there.abs().max(1.0), "{there} {back}");
        }
        let (there, back) = (Estimate::of(&tally).unwrap(), Estimate::of(&tally.reversed()).unwrap());
        prop_assert!((there.elo + back.elo).abs() < 1e-9);
        prop_assert!((there.elo_error - back.elo_error).abs() < 1e-9);
        prop_assert!((there.los + back.los - 1.0).abs() < 1e-9);
        prop_assert!((0.0..=1.0).contains(&there.los));
    }

    #[test]
    fn better_results_never_speak_against_the_first_player(pairs in prop::array::uniform5(1..400u64), place in 0..4usize) {
        let mut better = pairs;
        better[place] -= 1;
        better[place + 1] += 1;
        let (pairs, better) = (Tally::Pairs(pairs), Tally::Pairs(better));
        prop_assert!(Estimate::of(&better).unwrap().elo > Estimate::of(&pairs).unwrap().elo);
        let test = sprt(0.0, 5.0, Model::Logistic);
        prop_assert!(test.llr(&better) > test.llr(&pairs));
    }

    #[test]
    fn symmetric_bounds_and_results_decide_nothing(a in 0..400u64, b in 0..400u64, c in 1..400u64, width in 0.5..9.0f64) {
        let level = Tally::Pairs([a, b, c, b, a]);
        for model in [Model::Normalized, Model::Logistic] {
            prop_assert!(sprt(-width, width, model).llr(&level).abs() < 1e-6);
        }
    }

    #[test]
    fn extreme_results_give_numbers(place in 0..5usize, count in 1..100_000u64, elo0 in -50.0..50.0, width in 0.1..50.0) {
        let mut pairs = [0; 5];
        pairs[place] = count;
        let games = [(count, 0, 0), (0, count, 0), (0, 0, count)][place % 3];
        let games = Tally::Games { wins: games.0, draws: games.1, losses: games.2 };
        for tally in [Tally::Pairs(pairs), games] {
            for model in [Model::Normalized, Model::Logistic] {
                let llr = sprt(elo0, elo0 + width, model).llr(&tally);
                prop_assert!(llr.is_finite(), "{tally:?}: {llr}");
            }
            let estimate = Estimate::of(&tally).unwrap();
            prop_assert!(estimate.elo.is_finite() && estimate.elo_error.is_finite() && estimate.nelo.is_finite());
        }
    }
}
