//! Ratings of many players: simulated tournaments, symmetries, and results that bound nothing.

use fastrand::Rng;
use lab::stats::{Anchor, Estimate, Games, Level, Pairs, Performance, Ratings, RatingsError, Tally, Tournament};
use proptest::prelude::*;

fn score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// White's points, twice, where a number below the loss's share means a loss, below loss and draw a draw.
fn result(number: f64, score: f64) -> u64 {
    // Four draws in ten games between equals, fewer between unequals, and never more than the score allows
    let draws = 1.6 * score * (1.0 - score);
    let loss = 1.0 - score - draws / 2.0;
    match number {
        number if number < loss => 0,
        number if number < loss + draws => 1,
        _ => 2,
    }
}

/// Every two players meet in so many pairs of games. With `is_dependent`, what is good for a player in one game of a pair
/// is often bad in the other, as with a lopsided opening.
fn play(truth: &[f64], white: f64, pairs: usize, is_dependent: bool, random: &mut Rng) -> Tournament {
    let mut tournament = Tournament { players: truth.len(), ..Tournament::default() };
    for first in 0..truth.len() {
        for second in first + 1..truth.len() {
            let mut results = [[0; 3]; 2];
            let mut counts = [0; 5];
            for _ in 0..pairs {
                let number = random.f64();
                let other = if is_dependent && random.f64() < 0.6 { 1.0 - number } else { random.f64() };
                let one = result(number, score(truth[first] - truth[second] + white));
                let two = result(other, score(truth[first] - truth[second] - white));
                results[0][one as usize] += 1;
                results[1][two as usize] += 1;
                counts[(one + two) as usize] += 1;
            }
            let [[black_wins, draws, white_wins], [wins, drawn, losses]] = results;
            tournament.games.push(Games { white: first, black: second, white_wins, draws, black_wins });
            let back = Games { white: second, black: first, white_wins: wins, draws: drawn, black_wins: losses };
            tournament.games.push(back);
            tournament.pairs.push(Pairs { first, second, counts });
        }
    }
    tournament
}

const TRUTH: [f64; 6] = [0.0, 120.0, -80.0, 35.0, -210.0, 60.0];

#[test]
fn simulated_tournaments_give_the_truth_back() {
    let mut tournament = play(&TRUTH, 40.0, 4000, true, &mut Rng::with_seed(3));
    tournament.anchor = Anchor::Player { index: 1, elo: 2000.0 };
    let ratings = Ratings::of(&tournament).unwrap();
    for (rating, truth) in ratings.players.iter().zip(TRUTH) {
        let (off, error) = (rating.elo - (truth - 120.0 + 2000.0), rating.error.unwrap());
        assert!(off.abs() <= 1.5 * error + 1e-9 && error < 4.0, "{off} {error}");
        assert!(rating.is_connected && rating.is_bounded);
        assert_eq!(rating.games, 40_000);
    }
    assert_eq!((ratings.players[1].elo, ratings.players[1].error), (2000.0, Some(0.0)));
    assert!(
        (ratings.white_advantage - 40.0).abs() < ratings.white_advantage_error && ratings.white_advantage_error < 3.0
    );
    assert!((ratings.draw_ratio - 0.4).abs() < 0.02, "{}", ratings.draw_ratio);
    assert!(ratings.superiority(1, 5).unwrap() > 0.999 && ratings.superiority(4, 2).unwrap() < 0.001);
    assert!(ratings.misfit.p_value.unwrap() > 0.01 && ratings.misfit.degrees == 10, "{:?}", ratings.misfit);
}

/// The share of intervals that hold the truth, over many tournaments, and the mean of chi-square by its degrees.
fn coverage(tournaments: usize, is_dependent: bool, has_pairs: bool) -> (f64, f64) {
    let mut random = Rng::with_seed(11);
    let (mut inside, mut intervals, mut squares) = (0, 0, 0.0);
    for _ in 0..tournaments {
        let mut tournament = play(&TRUTH, 40.0, 15, is_dependent, &mut random);
        tournament.anchor = Anchor::Player { index: 0, elo: TRUTH[0] };
        if !has_pairs {
            tournament.pairs.clear();
        }
        let ratings = Ratings::of(&tournament).unwrap();
        for (rating, truth) in ratings.players.iter().zip(TRUTH).skip(1) {
            inside += usize::from((rating.elo - truth).abs() <= rating.error.unwrap());
            intervals += 1;
        }
        squares += ratings.misfit.chi_square / ratings.misfit.degrees as f64;
    }
    (inside as f64 / intervals as f64, squares / tournaments as f64)
}

#[test]
fn intervals_hold_the_truth_nineteen_times_of_twenty() {
    for is_dependent in [false, true] {
        let (share, squares) = coverage(2000, is_dependent, true);
        assert!((0.93..=0.97).contains(&share), "dependent {is_dependent}: {share}");
        assert!((0.9..=1.1).contains(&squares), "dependent {is_dependent}: {squares}");
    }
    let (share, _) = coverage(500, true, false);
    assert!(share > 0.975, "without the pairs, dependent games look like more noise than they are: {share}");
}

#[test]
fn names_do_not_matter() {
    let tournament = play(&TRUTH, 40.0, 20, true, &mut Rng::with_seed(5));
    let order = [3, 0, 5, 1, 2, 4];
    let mut renamed = tournament.clone();
    for games in &mut renamed.games {
        (games.white, games.black) = (order[games.white], order[games.black]);
    }
    for pairs in &mut renamed.pairs {
        (pairs.first, pairs.second) = (order[pairs.first], order[pairs.second]);
    }
    let (one, other) = (Ratings::of(&tournament).unwrap(), Ratings::of(&renamed).unwrap());
    let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-6, "{a} {b}");
    for (player, &renamed) in order.iter().enumerate() {
        close(one.players[player].elo, other.players[renamed].elo);
        close(one.players[player].error.unwrap(), other.players[renamed].error.unwrap());
        for (rival, &renamed_rival) in order.iter().enumerate() {
            let (there, back) = (one.superiority(player, rival).unwrap(), one.superiority(rival, player).unwrap());
            close(there, other.superiority(renamed, renamed_rival).unwrap());
            close(there + back, 1.0);
        }
    }
    close(one.players.iter().map(|rating| rating.elo).sum(), 0.0);
    close(one.misfit.chi_square, other.misfit.chi_square);
    close(one.white_advantage, other.white_advantage);
}

#[test]
fn two_players_get_the_usual_elo() {
    // The same with each colour, so that White's advantage has nothing to explain
    let games = |white, black, wins, losses| Games { white, black, white_wins: wins, draws: 144, black_wins: losses };
    let mut tournament = Tournament {
        players: 2,
        games: vec![games(0, 1, 192, 130), games(1, 0, 130, 192)],
        anchor: Anchor::Player { index: 1, elo: 0.0 },
        ..Tournament::default()
    };
    let compare = |tournament: &Tournament, tally: &Tally, nearly: f64| {
        let (ratings, usual) = (Ratings::of(tournament).unwrap(), Estimate::of(tally).unwrap());
        let (elo, error) = ratings.difference(0, 1).unwrap();
        assert!((elo - usual.elo).abs() < 0.005, "{elo} {}", usual.elo);
        assert!((error / usual.elo_error - 1.0).abs() < nearly, "{error} {}", usual.elo_error);
        assert!((ratings.superiority(0, 1).unwrap() - usual.los).abs() < 1e-4);
        assert!(ratings.white_advantage.abs() < 1e-6);
        assert_eq!((ratings.pairings[0].z, ratings.misfit.p_value), (0.0, None));
        assert!((ratings.pairings[0].expected - ratings.pairings[0].points).abs() < 1e-6);
    };
    compare(&tournament, &Tally::Games { wins: 384, draws: 288, losses: 260 }, 0.003);
    let counts = [31, 83, 155, 125, 72];
    tournament.pairs.push(Pairs { first: 1, second: 0, counts: [72, 125, 155, 83, 31] });
    compare(&tournament, &Tally::Pairs(counts), 0.004);
}

#[test]
fn perfect_scores_are_finite_and_marked() {
    let won = |white, black, white_wins| Games { white, black, white_wins, draws: 0, black_wins: 0 };
    let drawn = |white, black, draws| Games { white, black, white_wins: 0, draws, black_wins: 0 };
    let cases = [
        vec![won(0, 1, 1)],
        vec![won(0, 1, 1000), won(1, 0, 0)],
        vec![won(0, 1, 50), won(1, 0, 50)],
        vec![won(0, 1, 1), drawn(1, 0, 1)],
        vec![drawn(0, 1, 900)],
        vec![won(0, 1, 3), won(1, 2, 3), won(0, 2, 3)],
        vec![won(0, 1, 3), won(1, 2, 3), won(2, 0, 3)],
        vec![won(0, 1, 1_000_000_000_000), won(1, 2, 1), drawn(2, 3, 5)],
        vec![],
    ];
    for games in cases {
        let ratings = Ratings::of(&Tournament { players: 4, games: games.clone(), ..Tournament::default() }).unwrap();
        for rating in &ratings.players {
            assert!(rating.elo.is_finite() && rating.elo.abs() < 10_000.0, "{games:?}: {rating:?}");
            assert!(rating.error.is_none_or(|error| error.is_finite() && error >= 0.0), "{games:?}: {rating:?}");
        }
        let others = [ratings.white_advantage, ratings.white_advantage_error, ratings.draw_parameter];
        assert!(others.iter().all(|number| number.is_finite()), "{games:?}: {others:?}");
        assert!(ratings.pairings.iter().all(|pairing| pairing.z.is_finite() && pairing.expected.is_finite()));
        assert!(ratings.misfit.chi_square.is_finite() && ratings.misfit.p_value.is_none_or(f64::is_finite));
    }
    // Among equals one who loses everything: only that one is not bounded, and the others do not suffer from it
    let mut games = vec![drawn(0, 1, 10), won(0, 1, 5), won(1, 0, 5), drawn(0, 2, 20), drawn(1, 2, 20)];
    games.extend([won(0, 3, 10), won(1, 3, 10), won(2, 3, 10)]);
    let tournament = Tournament { players: 4, games, white_advantage: Some(0.0), ..Tournament::default() };
    let ratings = Ratings::of(&tournament).unwrap();
    assert_eq!(ratings.players.iter().map(|rating| rating.is_bounded).collect::<Vec<_>>(), [true, true, true, false]);
    let [patzer, equal] = [3, 1].map(|other| ratings.difference(0, other).unwrap().0);
    assert!(patzer > 400.0 && equal.abs() < 1e-6, "{patzer} {equal}");
}

#[test]
fn what_nothing_connects_is_not_compared() {
    let even = |white, black| Games { white, black, white_wins: 5, draws: 3, black_wins: 5 };
    let tournament = Tournament {
        players: 6,
        games: vec![even(0, 1), even(1, 2), even(3, 4)],
        anchor: Anchor::Player { index: 2, elo: 1500.0 },
        ..Tournament::default()
    };
    let ratings = Ratings::of(&tournament).unwrap();
    let connected: Vec<bool> = ratings.players.iter().map(|rating| rating.is_connected).collect();
    assert_eq!(connected, [true, true, true, false, false, false]);
    assert_eq!((ratings.superiority(0, 3), ratings.difference(5, 0), ratings.difference(0, 9)), (None, None, None));
    assert!(ratings.superiority(3, 4).is_some() && ratings.superiority(0, 2).is_some());
    for rating in &ratings.players {
        assert_eq!(rating.error.is_some(), rating.is_connected);
        assert!((rating.elo - 1500.0).abs() < 60.0, "{rating:?}");
    }
    assert_eq!(ratings.players[5].games, 0);
    let superiorities = std::array::from_fn(|other| ratings.superiority(5, other));
    assert_eq!(superiorities, [None, None, None, None, None, Some(0.5)]);
}

#[test]
fn a_circle_of_winners_is_called_a_misfit() {
    let games = |white, black| Games { white, black, white_wins: 60, draws: 20, black_wins: 20 };
    let circle = vec![games(0, 1), games(1, 2), games(2, 0)];
    let ratings =
        Ratings::of(&Tournament { players: 3, games: circle, white_advantage: Some(0.0), ..Tournament::default() });
    let ratings = ratings.unwrap();
    assert!(ratings.players.iter().all(|rating| rating.elo.abs() < 1e-6));
    assert_eq!(ratings.misfit.degrees, 1);
    assert!(ratings.misfit.p_value.unwrap() < 1e-6, "{:?}", ratings.misfit);
    assert!(ratings.pairings.iter().all(|pairing| pairing.z.abs() > 5.0), "{:?}", ratings.pairings);
}

#[test]
fn nonsense_is_refused_in_one_sentence() {
    let refused = |games: Games, pairs: Option<Pairs>, anchor| {
        let tournament = Tournament {
            players: 2,
            games: vec![games],
            pairs: pairs.into_iter().collect(),
            anchor,
            ..Tournament::default()
        };
        Ratings::of(&tournament).unwrap_err()
    };
    let fine = Games { white: 0, black: 1, white_wins: 1, draws: 0, black_wins: 0 };
    let unknown = refused(Games { black: 2, ..fine }, None, Anchor::MeanZero);
    assert_eq!(unknown.to_string(), "player 2 is named, but the 2 players have the numbers from 0");
    assert_eq!(refused(Games { black: 0, ..fine }, None, Anchor::MeanZero), RatingsError::AgainstItself(0));
    let pairs = Pairs { first: 1, second: 0, counts: [0, 0, 1, 0, 0] };
    let too_many = RatingsError::TooManyPairs { first: 0, second: 1, pairs: 1, games: 0 };
    assert_eq!(refused(fine, Some(pairs), Anchor::MeanZero), too_many);
    let nowhere = Anchor::Player { index: 0, elo: f64::NAN };
    assert_eq!(refused(fine, None, nowhere).to_string(), "the given rating of the anchor must be a finite number");
}

/// A ladder of opponents, each with a number of games.
fn climb(truth: f64, games: usize, random: &mut Rng) -> Vec<Level> {
    let level = |elo: f64| {
        let mut counts = [0; 3];
        (0..games).for_each(|_| counts[result(random.f64(), score(truth - elo)) as usize] += 1);
        let [losses, draws, wins] = counts;
        Level { elo, wins, draws, losses, pairs: None }
    };
    [1350.0, 1500.0, 1650.0, 1800.0, 1950.0].map(level).to_vec()
}

#[test]
fn a_ladder_finds_the_rating_of_the_climber() {
    let mut random = Rng::with_seed(9);
    let (mut inside, mut squares) = (0, 0.0);
    for _ in 0..3000 {
        let performance = Performance::of(&climb(1700.0, 30, &mut random)).unwrap();
        inside += usize::from((performance.elo - 1700.0).abs() <= performance.error);
        squares += performance.misfit.chi_square / performance.misfit.degrees as f64;
    }
    let share = f64::from(inside as u32) / 3000.0;
    assert!((0.93..=0.97).contains(&share), "{share}");
    assert!((0.9..=1.1).contains(&(squares / 3000.0)), "{squares}");

    let long = Performance::of(&climb(1700.0, 4000, &mut random)).unwrap();
    for level in &long.levels {
        assert!((level.performance.unwrap() - 1700.0).abs() < 1.5 * level.error.unwrap(), "{level:?}");
        assert!(level.z.abs() < 3.5 && (level.expected - level.points).abs() < 120.0, "{level:?}");
    }
    assert!(long.is_bounded && long.error < long.levels[2].error.unwrap());
}

#[test]
fn a_ladder_of_one_step_is_a_match() {
    let level = Level { elo: 1000.0, wins: 384, draws: 288, losses: 260, pairs: Some([31, 83, 155, 125, 72]) };
    let performance = Performance::of(&[level]).unwrap();
    assert_eq!(format!("{:.2}", performance.elo), "1046.50");
    assert!((performance.error / 18.04 - 1.0).abs() < 0.005, "{}", performance.error);
    assert_eq!((performance.levels[0].z, performance.misfit.p_value), (0.0, None));
}

#[test]
fn all_or_nothing_on_a_ladder_is_finite_and_marked() {
    let level = |elo, wins, losses| Level { elo, wins, draws: 0, losses, pairs: None };
    for (wins, losses) in [(10, 0), (0, 10), (1, 0)] {
        let performance = Performance::of(&[level(1500.0, wins, losses), level(1800.0, wins, losses)]).unwrap();
        assert!(!performance.is_bounded && performance.elo.is_finite() && performance.error.is_finite());
        assert_eq!(performance.elo > 1650.0, wins > 0);
    }
    assert_eq!(Performance::of(&[]), None);
    assert_eq!(Performance::of(&[level(1500.0, 0, 0)]), None);
    let some = Performance::of(&[level(1500.0, 0, 0), level(1600.0, 2, 2)]).unwrap();
    assert_eq!((some.levels[0].performance, some.levels[0].z, some.misfit.p_value), (None, 0.0, None));
    assert!((some.elo - 1600.0).abs() < 1e-6);
}

proptest! {
    /// Few games, or none: the first minutes of a contest, when everything is asked for already.
    #[test]
    fn whatever_was_played_gives_finite_numbers(
        counts in prop::collection::vec((0..4u64, 0..4u64, 0..4u64), 1..6),
        pairs in prop::collection::vec(prop::array::uniform5(0..2u64), 6),
    ) {
        let levels: Vec<Level> = counts
            .iter()
            .zip((0..).map(|step| 1350.0 + 250.0 * f64::from(step)))
            .map(|(&(wins, draws, losses), elo)| Level { elo, wins, draws, losses, pairs: None })
            .collect();
        if let Some(found) = Performance::of(&levels) {
            prop_assert!(found.elo.is_finite() && found.error.is_finite());
            prop_assert!(found.misfit.p_value.is_none_or(|p_value| (0.0..=1.0).contains(&p_value)));
        }
        // The same as a gauntlet, with pairs where there are games enough
        let players = counts.len() + 1;
        let mut tournament = Tournament { players, ..Tournament::default() };
        for (index, &(white_wins, draws, black_wins)) in counts.iter().enumerate() {
            let second = index + 1;
            tournament.games.push(Games { white: 0, black: second, white_wins, draws, black_wins });
            tournament.games.push(Games { white: second, black: 0, white_wins: black_wins, draws, black_wins: white_wins });
            if pairs[index].iter().sum::<u64>() <= white_wins + draws + black_wins {
                tournament.pairs.push(Pairs { first: 0, second, counts: pairs[index] });
            }
        }
        let ratings = Ratings::of(&tournament).unwrap();
        prop_assert!(ratings.players.iter().all(|player| player.elo.is_finite()));
        prop_assert!(ratings.misfit.p_value.is_none_or(|p_value| (0.0..=1.0).contains(&p_value)));
    }
}
