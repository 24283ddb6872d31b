//! Ratings of more than two players, as a table and as JSON.

use lab::arena::Standings;
use lab::stats::{Anchor, Games, Pairs, Ratings, RatingsError, Tournament};
use serde_json::{Value, json};

/// A misfit less likely than this is pointed out.
const SUSPICIOUS: f64 = 0.01;

/// The ratings of a contest.
pub(super) fn of(
    standings: &Standings,
    names: &[String],
    anchor: Option<&(String, f64)>,
) -> Result<Ratings, RatingsError> {
    let (mut games, mut pairs) = (Vec::new(), Vec::new());
    for (&[first, second], score) in standings.schedule().pairings().iter().zip(standings.scores()) {
        for (white, black, [white_wins, draws, black_wins]) in
            [(first, second, score.by_color.white), (second, first, score.by_color.black)]
        {
            games.push(Games { white, black, white_wins, draws, black_wins });
        }
        pairs.push(Pairs { first, second, counts: score.pairs });
    }
    let anchor = anchor.and_then(|(name, elo)| Some((names.iter().position(|other| other == name)?, *elo)));
    let anchor = anchor.map_or(Anchor::MeanZero, |(index, elo)| Anchor::Player { index, elo });
    Ratings::of(&Tournament { players: names.len(), games, pairs, anchor, white_advantage: None })
}

/// A table, the strongest first, with what the ratings leave unexplained.
pub(super) fn describe(standings: &Standings, names: &[String], anchor: Option<&(String, f64)>) -> String {
    let ratings = match of(standings, names, anchor) {
        Ok(ratings) => ratings,
        Err(error) => return error.to_string(),
    };
    let order = ranking(&ratings);
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
    let mut lines = vec![format!(
        "{:>3}  {:<width$}  {:>7}  {:>6}  {:>6}  {:>8}  {:>6}  {:>6}",
        "#", "engine", "Elo", "+/-", "games", "points", "share", "LOS"
    )];
    for (rank, &index) in order.iter().enumerate() {
        let player = &ratings.players[index];
        let error = player.error.map_or("-".to_owned(), |error| format!("{error:.1}"));
        let share = 100.0 * player.points / player.games.max(1) as f64;
        // How likely it is stronger than the next
        let next = order.get(rank + 1).and_then(|&next| ratings.superiority(index, next));
        let los = next.map_or(String::new(), |los| format!("{:.1} %", 100.0 * los));
        let unbounded = if player.is_bounded { "" } else { "  (the games alone do not bound it)" };
        lines.push(format!(
            "{:>3}  {:<width$}  {:>+7.1}  {error:>6}  {:>6}  {:>8.1}  {share:>4.1} %  {los:>6}{unbounded}",
            rank + 1,
            names[index],
            player.elo,
            player.games,
            player.points
        ));
    }
    lines.push(format!(
        "White is worth {:+.1} +/- {:.1} Elo; between equals {:.0} % of the games are drawn. LOS: how likely an engine is stronger than the next.",
        ratings.white_advantage,
        ratings.white_advantage_error,
        100.0 * ratings.draw_ratio
    ));
    lines.push(misfit(&ratings, names));
    lines.join("\n")
}

fn misfit(ratings: &Ratings, names: &[String]) -> String {
    let Some(p_value) = ratings.misfit.p_value else {
        return "There are no results beyond those that make the ratings.".to_owned();
    };
    let fit = if p_value < SUSPICIOUS { "do not explain" } else { "explain" };
    let worst = ratings.pairings.iter().max_by(|a, b| a.z.abs().total_cmp(&b.z.abs()));
    let worst = worst.map_or(String::new(), |pairing| {
        let (first, second) = (&names[pairing.first], &names[pairing.second]);
        let (points, expected, games, z) = (pairing.points, pairing.expected, pairing.games, pairing.z);
        format!("; furthest off: {first} - {second}, {points} of {games} where {expected:.1} were expected (z {z:+.1})")
    });
    let chi_square = ratings.misfit.chi_square;
    format!(
        "The ratings {fit} the results (chi-square {chi_square:.1} of {}, p {p_value:.3}){worst}.",
        ratings.misfit.degrees
    )
}

fn ranking(ratings: &Ratings) -> Vec<usize> {
    let mut order: Vec<usize> = (0..ratings.players.len()).collect();
    order.sort_by(|&a, &b| ratings.players[b].elo.total_cmp(&ratings.players[a].elo));
    order
}

/// What scripts read.
pub(super) fn object(standings: &Standings, names: &[String], anchor: Option<&(String, f64)>) -> Value {
    let Ok(ratings) = of(standings, names, anchor) else { return json!({ "ratings": [] }) };
    let players = ranking(&ratings).into_iter().map(|index| {
        let player = &ratings.players[index];
        json!({
            "engine": names[index], "elo": player.elo, "elo_error": player.error, "games": player.games,
            "points": player.points, "is_bounded": player.is_bounded, "is_connected": player.is_connected,
        })
    });
    let misfit = &ratings.misfit;
    json!({
        "ratings": players.collect::<Vec<_>>(),
        "white_advantage": ratings.white_advantage,
        "draw_ratio": ratings.draw_ratio,
        "misfit": { "chi_square": misfit.chi_square, "degrees": misfit.degrees, "p_value": misfit.p_value },
    })
}
