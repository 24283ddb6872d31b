//! How often games are drawn: Davidson's model, within a given average score.

/// Draws are never likelier or less likely than this makes them.
const LARGEST: f64 = 1e6;

/// The share of draws where the average score is `score`: the D of D² = ν²·W·L with W + D/2 = score, L + D/2 = 1 − score.
pub(crate) fn draw_share(score: f64, nu: f64) -> f64 {
    let product = score * (1.0 - score);
    let root = (nu * nu * (0.25 - product) + 4.0 * product).sqrt();
    if product == 0.0 { 0.0 } else { 2.0 * nu * product / (nu / 2.0 + root) }
}

/// How much a game's points scatter, as a variance.
pub(crate) fn game_variance(score: f64, nu: f64) -> f64 {
    let without_draws = score * (1.0 - score);
    (without_draws - draw_share(score, nu) / 4.0).max(1e-4 * without_draws)
}

/// The ν that makes as many draws likely as there were, of games given as (average score, number).
///
/// Where no game or every game was drawn, half a draw is added or taken away, so that ν is neither nothing nor infinite.
pub(crate) fn draw_parameter(games: &[(f64, f64)], draws: f64) -> f64 {
    let all: f64 = games.iter().map(|(_, number)| number).sum();
    if all == 0.0 {
        return 1.0;
    }
    let wanted = draws.clamp(0.5_f64.min(all / 4.0), all - 0.5_f64.min(all / 4.0));
    let expected = |nu: f64| games.iter().map(|&(score, number)| number * draw_share(score, nu)).sum::<f64>();
    let (mut low, mut high) = (-LARGEST.ln(), LARGEST.ln());
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if expected(middle.exp()) < wanted { low = middle } else { high = middle }
    }
    ((low + high) / 2.0).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_keep_the_average_and_davidsons_rule() {
        for score in [0.01, 0.2, 0.5, 0.77, 0.999] {
            for nu in [0.01, 0.5, 2.0, 9.0] {
                let draw = draw_share(score, nu);
                let (win, loss) = (score - draw / 2.0, 1.0 - score - draw / 2.0);
                assert!(draw > 0.0 && win > 0.0 && loss > 0.0, "{score} {nu}");
                assert!((draw * draw - nu * nu * win * loss).abs() < 1e-12, "{score} {nu}");
                let variance = win + draw / 4.0 - score * score;
                assert!((game_variance(score, nu) - variance).abs() < 1e-12, "{score} {nu}");
            }
        }
    }

    #[test]
    fn the_parameter_is_found_again() {
        let games: Vec<(f64, f64)> = vec![(0.5, 100.0), (0.8, 50.0), (0.3, 70.0)];
        let draws = games.iter().map(|&(score, number)| number * draw_share(score, 1.3)).sum();
        assert!((draw_parameter(&games, draws) - 1.3).abs() < 1e-9);
        for draws in [0.0, 220.0] {
            assert!(draw_parameter(&games, draws).is_finite());
        }
        assert_eq!(draw_parameter(&[], 0.0), 1.0);
    }
}
