//! Whether the statistics keep what they promise, over thousands of simulated matches.

use fastrand::Rng;
use lab::stats::{Estimate, Model, Sprt, Tally, Verdict};

const POINTS: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Draws pair results from fixed shares.
struct Pairs {
    limits: [f64; 4],
}

impl Pairs {
    /// Shares like those of engines that are nearly equal, tilted until the difference in normalized Elo is the wanted one.
    fn with_nelo(nelo: f64) -> Pairs {
        let (mut low, mut high) = (-3.0, 3.0);
        for _ in 0..80 {
            let middle = (low + high) / 2.0;
            if nelo_of(&tilted(middle)) < nelo { low = middle } else { high = middle }
        }
        let mut sum = 0.0;
        let [a, b, c, d, _] = tilted(low).map(|share| {
            sum += share;
            sum
        });
        Pairs { limits: [a, b, c, d] }
    }

    fn draw(&self, random: &mut Rng) -> usize {
        let number = random.f64();
        self.limits.iter().filter(|&&limit| number >= limit).count()
    }
}

fn tilted(tilt: f64) -> [f64; 5] {
    let shares = [0.04, 0.22, 0.48, 0.22, 0.04];
    let raw: [f64; 5] = std::array::from_fn(|place| shares[place] * (tilt * POINTS[place]).exp());
    raw.map(|share| share / raw.iter().sum::<f64>())
}

fn moments(shares: &[f64; 5]) -> (f64, f64) {
    let mean: f64 = shares.iter().zip(POINTS).map(|(share, points)| share * points).sum();
    (mean, shares.iter().zip(POINTS).map(|(share, points)| share * (points - mean).powi(2)).sum())
}

fn nelo_of(shares: &[f64; 5]) -> f64 {
    let (mean, variance) = moments(shares);
    (mean - 0.5) / (2.0 * variance).sqrt() * 800.0 / std::f64::consts::LN_10
}

/// How often the test of [0, 20] normalized Elo ends in H1. It is asked after every eighth pair only, to save time; the
/// promise holds for any times of asking.
fn share_of_h1(nelo: f64, runs: u64) -> f64 {
    let pairs = Pairs::with_nelo(nelo);
    let test = Sprt::new(0.0, 10.0, 0.05, 0.05, Model::Normalized).unwrap();
    let accepted = |run: u64| {
        let mut random = Rng::with_seed(run);
        let mut counts = [0; 5];
        loop {
            (0..16).for_each(|_| counts[pairs.draw(&mut random)] += 1);
            match test.verdict(test.llr(&Tally::Pairs(counts))) {
                Verdict::H0 => return false,
                Verdict::H1 => return true,
                Verdict::Undecided => (),
            }
        }
    };
    (0..runs).filter(|&run| accepted(run)).count() as f64 / runs as f64
}

#[test]
fn the_sequential_test_keeps_its_error_rates() {
    let runs = 2000;
    let most = 0.05 + 2.0 * (0.05 * 0.95 / runs as f64).sqrt();
    let (wrongly_accepted, wrongly_refused) = std::thread::scope(|scope| {
        let refused = scope.spawn(|| 1.0 - share_of_h1(10.0, runs));
        (share_of_h1(0.0, runs), refused.join().unwrap())
    });
    println!("alpha {wrongly_accepted}, beta {wrongly_refused}");
    assert!(wrongly_accepted <= most, "H1 was accepted in {wrongly_accepted} of the runs under H0");
    assert!(wrongly_refused <= most, "H0 was accepted in {wrongly_refused} of the runs under H1");
    // Errors far below what is allowed would mean that the test is slower than it need be
    assert!(wrongly_accepted > 0.03 && wrongly_refused > 0.03, "{wrongly_accepted} {wrongly_refused}");
}

#[test]
fn error_bars_hold_the_truth_nineteen_times_of_twenty() {
    let runs = 4000;
    for tilt in [0.0, 0.35, -1.1] {
        let shares = tilted(tilt);
        let (mean, _) = moments(&shares);
        let (elo, nelo) = (-400.0 * (1.0 / mean - 1.0).log10(), nelo_of(&shares));
        let pairs = Pairs::with_nelo(nelo);
        let mut random = Rng::with_seed(2);
        let (mut elo_inside, mut nelo_inside) = (0, 0);
        for _ in 0..runs {
            let mut counts = [0; 5];
            (0..250).for_each(|_| counts[pairs.draw(&mut random)] += 1);
            let estimate = Estimate::of(&Tally::Pairs(counts)).unwrap();
            elo_inside += usize::from((estimate.elo - elo).abs() <= estimate.elo_error);
            nelo_inside += usize::from((estimate.nelo - nelo).abs() <= estimate.nelo_error);
        }
        for (name, inside) in [("Elo", elo_inside), ("nElo", nelo_inside)] {
            let share = inside as f64 / f64::from(runs);
            assert!((0.93..=0.97).contains(&share), "{name} {elo:.1}: {share}");
        }
    }
}
