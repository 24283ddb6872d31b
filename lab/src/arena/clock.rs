//! A player's clock, and what `go` says of both.

use std::time::Duration;

use chess::{ByColor, Color};

use super::spec::Thinking;

/// What a move with a time of its own may take beyond it: nothing is won by thinking longer, and machines stutter.
const GRACE: Duration = Duration::from_millis(500);
/// How long past its end a clock is waited for, so that a late move is seen as late and not as missing.
const OVERTIME: Duration = Duration::from_secs(5);

/// How one side thinks and what it has left.
pub(super) struct Clock {
    thinking: Thinking,
    left: Duration,
    /// Moves until the time is given again.
    moves_to_go: Option<u32>,
    margin: Duration,
    patience: Duration,
}

impl Clock {
    pub(super) fn new(thinking: Thinking, margin: Duration, patience: Duration) -> Clock {
        let (left, moves_to_go) = match thinking {
            Thinking::Clock { moves, time, .. } => (time, moves),
            Thinking::MoveTime(time) => (time + GRACE, None),
            Thinking::Nodes(_) | Thinking::Depth(_) => (patience, None),
        };
        Clock { thinking, left, moves_to_go, margin, patience }
    }

    /// Takes the time of a move off the clock and says whether it was in time. Without a clock every move is that was waited
    /// for: while the whole program stands still, as after Ctrl-Z, time passes that nobody used.
    pub(super) fn charge(&mut self, spent: Duration) -> bool {
        let is_in_time = !self.is_timed() || spent <= self.left + self.margin;
        if let Thinking::Clock { moves, time, increment } = self.thinking {
            self.left = self.left.saturating_sub(spent) + increment;
            self.moves_to_go = self.moves_to_go.map(|left| left - 1);
            if self.moves_to_go == Some(0) {
                self.left += time;
                self.moves_to_go = moves;
            }
        }
        is_in_time
    }

    /// How long to wait for a move.
    pub(super) fn patience(&self) -> Duration {
        match self.thinking {
            Thinking::Clock { .. } | Thinking::MoveTime(_) => self.left + self.margin + OVERTIME.min(self.patience),
            Thinking::Nodes(_) | Thinking::Depth(_) => self.patience,
        }
    }

    /// Whether silence means that the clock has run out.
    pub(super) fn is_timed(&self) -> bool {
        self.thinking.is_timed()
    }
}

/// What the side to move is told.
pub(super) fn go(clocks: &ByColor<Clock>, turn: Color) -> String {
    let own = clocks.get(turn);
    let Thinking::Clock { .. } = own.thinking else { return own.thinking.go() };
    let told = |clock: &Clock| match clock.thinking {
        Thinking::Clock { increment, .. } => (clock.left.as_millis(), increment.as_millis()),
        // An opponent without a clock seems to have the same one
        _ => match own.thinking {
            Thinking::Clock { increment, .. } => (own.left.as_millis(), increment.as_millis()),
            _ => (0, 0),
        },
    };
    let ((white, white_more), (black, black_more)) = (told(&clocks.white), told(&clocks.black));
    let moves = own.moves_to_go.map_or(String::new(), |moves| format!(" movestogo {moves}"));
    format!("go wtime {white} btime {black} winc {white_more} binc {black_more}{moves}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn clock(text: &str, margin: Duration) -> Clock {
        Clock::new(Thinking::read("tc", text).unwrap(), margin, SECOND)
    }

    #[test]
    fn a_clock_runs_down_and_is_fed_by_its_increment() {
        let mut clock = clock("3+0.5", Duration::ZERO);
        assert!(clock.charge(2 * SECOND));
        assert_eq!(clock.left, Duration::from_millis(1500));
        assert!(clock.charge(Duration::from_millis(1500)), "exactly in time");
        assert_eq!(clock.left, Duration::from_millis(500));
        assert!(!clock.charge(Duration::from_micros(500_001)));
    }

    #[test]
    fn without_a_clock_nobody_is_late() {
        for (key, text) in [("nodes", "1000"), ("depth", "9")] {
            let mut clock = Clock::new(Thinking::read(key, text).unwrap(), Duration::ZERO, SECOND);
            assert!(clock.charge(100 * SECOND));
        }
    }

    #[test]
    fn a_margin_forgives() {
        let mut clock = clock("1", Duration::from_millis(20));
        assert!(clock.charge(Duration::from_millis(1020)));
        assert!(!clock.charge(Duration::from_millis(21)));
    }

    #[test]
    fn time_is_given_again_after_so_many_moves() {
        let mut clocks = ByColor { white: clock("2/10", Duration::ZERO), black: clock("5+1", Duration::ZERO) };
        assert_eq!(go(&clocks, Color::White), "go wtime 10000 btime 5000 winc 0 binc 1000 movestogo 2");
        clocks.white.charge(SECOND);
        assert_eq!(go(&clocks, Color::White), "go wtime 9000 btime 5000 winc 0 binc 1000 movestogo 1");
        clocks.white.charge(SECOND);
        assert_eq!(go(&clocks, Color::White), "go wtime 18000 btime 5000 winc 0 binc 1000 movestogo 2");
        assert_eq!(go(&clocks, Color::Black), "go wtime 18000 btime 5000 winc 0 binc 1000");
    }

    #[test]
    fn a_move_without_a_clock_has_a_grace() {
        let mut clock = Clock::new(Thinking::MoveTime(SECOND), Duration::ZERO, SECOND);
        assert!(clock.charge(Duration::from_millis(1499)) && clock.charge(Duration::from_millis(1499)));
        assert!(!clock.charge(Duration::from_millis(1501)));
    }
}
