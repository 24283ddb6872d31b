//! Adam: gradient descent with a step for each number by the size of its recent gradients.

const MOMENTUM: f64 = 0.9;
const SPREAD: f64 = 0.999;
const SMALLEST: f64 = 1e-10;

/// What the descent remembers of past gradients.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Adam {
    pub(super) means: Vec<f64>,
    pub(super) squares: Vec<f64>,
    pub(super) steps: u64,
}

impl Adam {
    /// Remembers nothing yet.
    pub(super) fn new(numbers: usize) -> Adam {
        Adam { means: vec![0.0; numbers], squares: vec![0.0; numbers], steps: 0 }
    }

    /// Goes a step downhill.
    pub(super) fn step(&mut self, numbers: &mut [f64], gradient: &[f64], rate: f64) {
        self.steps += 1;
        let age = i32::try_from(self.steps).unwrap_or(i32::MAX);
        let (mean_part, square_part) = (1.0 - MOMENTUM.powi(age), 1.0 - SPREAD.powi(age));
        let memory = self.means.iter_mut().zip(&mut self.squares);
        for ((number, &slope), (mean, square)) in numbers.iter_mut().zip(gradient).zip(memory) {
            *mean = MOMENTUM * *mean + (1.0 - MOMENTUM) * slope;
            *square = SPREAD * *square + (1.0 - SPREAD) * slope * slope;
            *number -= rate * (*mean / mean_part) / ((*square / square_part).sqrt() + SMALLEST);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_finds_the_bottom_of_a_bowl_whatever_its_scales() {
        let bottom = [3.0, -50.0, 0.5];
        let mut numbers = [0.0; 3];
        let mut adam = Adam::new(3);
        for step in 0..4000 {
            let gradient: Vec<f64> = (0..3).map(|n| [1e-6, 1.0, 1e3][n] * (numbers[n] - bottom[n])).collect();
            adam.step(&mut numbers, &gradient, 0.5 * 0.998_f64.powi(step));
        }
        assert!(numbers.iter().zip(bottom).all(|(number, at)| (number - at).abs() < 0.02), "{numbers:?}");
    }
}
