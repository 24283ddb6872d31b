//! The search's numbers, each declared once: its value, its range and what it does. UCI options for tuning, the lines of an
//! SPSA run and the documentation come from this list.

use chess::ByRole;

/// A number of the search: its name, what it does, its value and its range.
#[derive(Copy, Clone, Debug)]
pub struct Tunable {
    /// The name, which is also the UCI option's.
    pub name: &'static str,
    /// What it does.
    pub doc: &'static str,
    /// The value that the search uses unless told otherwise.
    pub default: i32,
    /// The least that makes sense.
    pub min: i32,
    /// The most that makes sense.
    pub max: i32,
}

macro_rules! tunables {
    ($(#[doc = $doc:literal] $name:ident: $default:literal in $min:literal..=$max:literal;)+) => {
        /// The search's numbers. Values of a run; [`TUNABLES`] describes them.
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct Tunables {
            $(#[doc = $doc] pub $name: i32,)+
        }

        impl Default for Tunables {
            fn default() -> Tunables {
                Tunables { $($name: $default,)+ }
            }
        }

        impl Tunables {
            /// The value of this name.
            pub fn get(&self, name: &str) -> Option<i32> {
                match name {
                    $(stringify!($name) => Some(self.$name),)+
                    _ => None,
                }
            }

            /// Where the value of this name is kept.
            pub fn get_mut(&mut self, name: &str) -> Option<&mut i32> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)+
                    _ => None,
                }
            }
        }

        /// All numbers of the search.
        pub static TUNABLES: &[Tunable] = &[
            $(Tunable {
                name: stringify!($name),
                doc: $doc.trim_ascii(),
                default: $default,
                min: $min,
                max: $max,
            },)+
        ];
    };
}

tunables! {
    /// Aspiration: the first window about the last value, in centipawns to either side.
    aspiration_window: 8 in 5..=50;
    /// Aspiration: the square of the last value is divided by this and added, since great values change more.
    aspiration_divisor: 5000 in 1000..=30000;
    /// Aspiration: how fast the window grows, in per cent.
    aspiration_growth: 50 in 20..=150;

    /// Hunt for mates: from this lead on, where a clock, depth or a number of nodes limits the search.
    hunt_value: 500 in 100..=3000;
    /// Hunt for mates: then so many nodes at most for a hundred of the search.
    hunt_share: 10 in 0..=100;
    /// Hunt for mates: the same for each side in any position, in long searches that nothing but time limits.
    hunt_analysis: 150 in 0..=1000;
    /// Hunt for mates: where so many leaves are still to be proven, half of that is spent.
    hunt_patience: 100 in 20..=1000;

    /// Fifty-move damping: an evaluation shrinks by the halfmove clock's share of this.
    fifty_move_damping: 220 in 120..=400;

    /// Hindsight: a move reduced by so many 1024ths of a ply is searched deeper if the opponent did not get worse.
    hindsight_deeper: 3072 in 1024..=6144;
    /// Hindsight: a move reduced by so many 1024ths of a ply is searched less deep if it clearly lost something.
    hindsight_shallower: 2048 in 1024..=6144;
    /// Hindsight: how many centipawns the evaluation has to say that it lost.
    hindsight_margin: 120 in 40..=300;

    /// Razoring: centipawns at depth 0.
    razor_base: 150 in 50..=500;
    /// Razoring: centipawns for the square of the depth.
    razor_slope: 105 in 40..=300;
    /// Razoring: the greatest depth.
    razor_depth: 4 in 1..=8;

    /// Reverse futility: the greatest depth.
    rfp_depth: 9 in 4..=14;
    /// Reverse futility: centipawns a ply.
    rfp_margin: 59 in 30..=160;
    /// Reverse futility: centipawns less if the position is improving.
    rfp_improving: 45 in 0..=160;
    /// Reverse futility: centipawns less if the opponent's position is worsening.
    rfp_worsening: 18 in 0..=80;
    /// Reverse futility: percentage of the size of the correction that is added.
    rfp_correction: 50 in 0..=200;

    /// Reverse futility: centipawns more, in 65,536ths, for the history of the opponent's last quiet move.
    rfp_history: 63 in 0..=300;

    /// Null move: the least depth.
    nmp_depth: 2 in 1..=5;
    /// Null move: how far the static evaluation has to lie above beta at depth 0, in centipawns.
    nmp_margin: 123 in 0..=300;
    /// Null move: how much less with each ply.
    nmp_slope: 17 in 0..=40;
    /// Null move: plies always taken off.
    nmp_base: 4 in 2..=6;
    /// Null move: a ply more for so many plies of depth.
    nmp_divisor: 3 in 2..=8;
    /// Null move: a ply more for so many centipawns above beta.
    nmp_eval_divisor: 62 in 30..=400;
    /// Null move: from this depth on a success is verified.
    nmp_verify_depth: 14 in 8..=24;

    /// Internal iterative reduction: the least depth.
    iir_depth: 4 in 2..=8;

    /// ProbCut: the least depth.
    probcut_depth: 5 in 3..=8;
    /// ProbCut: centipawns above beta.
    probcut_margin: 84 in 40..=400;
    /// ProbCut: centipawns less if the position is improving.
    probcut_improving: 25 in 0..=150;
    /// ProbCut: plies that the proof is shallower.
    probcut_reduction: 4 in 2..=6;

    /// Late move pruning: moves at depth 0.
    lmp_base: 3 in 1..=8;
    /// Late move pruning: hundredths of a move for the square of the depth.
    lmp_slope: 116 in 40..=200;

    /// Futility of quiet moves: the greatest reduced depth.
    futility_depth: 12 in 4..=14;
    /// Futility of quiet moves: centipawns at depth 0.
    futility_base: 31 in 20..=250;
    /// Futility of quiet moves: centipawns a ply.
    futility_slope: 41 in 40..=200;

    /// Futility of quiet moves: not where alpha is further from level than this, in centipawns.
    futility_most: 1000 in 200..=20000;

    /// Futility of captures: the greatest reduced depth.
    capture_futility_depth: 6 in 3..=10;
    /// Futility of captures: centipawns at depth 0.
    capture_futility_base: 80 in 60..=400;
    /// Futility of captures: centipawns a ply.
    capture_futility_slope: 85 in 60..=350;

    /// History pruning: how bad a history is bad enough, a ply.
    history_pruning: 2898 in 1000..=8000;
    /// History pruning: the greatest reduced depth.
    history_pruning_depth: 5 in 2..=9;

    /// Exchanges of quiet moves: centipawns that may be lost, for the square of the reduced depth.
    see_quiet: 13 in 8..=60;
    /// Exchanges of captures: centipawns that may be lost a ply.
    see_capture: 90 in 40..=250;
    /// Exchanges of captures: a centipawn more for so much capture history.
    see_capture_history: 40 in 10..=120;

    /// Singular extension: the least depth.
    singular_depth: 6 in 4..=10;
    /// Singular extension: how much shallower the table's entry may be.
    singular_table_depth: 3 in 2..=5;
    /// Singular extension: sixteenths of a centipawn a ply by which all other moves have to be worse.
    singular_margin: 15 in 6..=48;
    /// Singular extension: what is added to that beside a principal variation, where one went once.
    singular_table_pv: -5 in -12..=48;
    /// Double extension: centipawns that they have to be worse still.
    double_margin: 15 in 0..=60;
    /// Triple extension of quiet moves: centipawns that they have to be worse still.
    triple_margin: 90 in 30..=240;

    /// Late move reduction: 1024ths of a ply always.
    lmr_base: 819 in 0..=1600;
    /// Late move reduction: what the product of the logarithms is divided by, in 64ths.
    lmr_divisor: 503 in 300..=1200;
    /// Late move reduction of captures: 1024ths of a ply always.
    lmr_capture_base: 43 in -600..=1000;
    /// Late move reduction of captures: what the product of the logarithms is divided by, in 64ths.
    lmr_capture_divisor: 903 in 400..=1800;
    /// Late move reduction: less in a principal variation, in 1024ths of a ply.
    lmr_pv: 861 in 0..=2048;
    /// Late move reduction: less by the window's share of the root's.
    lmr_window: 293 in 0..=2048;
    /// Late move reduction: less where the table's move is better than all others and no capture.
    lmr_singular: 372 in 0..=2048;
    /// Late move reduction: less in reply to a move that was tried late.
    lmr_late_reply: 402 in 0..=2048;
    /// Late move reduction: after how many others a move is late.
    lmr_late_reply_count: 7 in 2..=20;
    /// Late move reduction: less where a principal variation went once.
    lmr_table_pv: 887 in 0..=2048;
    /// Late move reduction: more where a cutoff is expected.
    lmr_cut_node: 1839 in 0..=3072;
    /// Late move reduction: more still there if the table knows no move.
    lmr_cut_blind: 400 in 0..=2048;
    /// Late move reduction: more if the position is not improving.
    lmr_not_improving: 546 in 0..=2048;
    /// Late move reduction: less for a move that gives check.
    lmr_check: 833 in 0..=2048;
    /// Late move reduction: more if the table's move captures.
    lmr_table_capture: 750 in 0..=2048;
    /// Late move reduction: more if the position after the move saw many cutoffs.
    lmr_cutoffs: 837 in 0..=2048;
    /// Late move reduction: how many cutoffs are many.
    lmr_cutoff_count: 3 in 1..=6;
    /// Late move reduction: history that makes a ply.
    lmr_history: 10584 in 3000..=24000;
    /// Late move reduction: capture history that makes a ply.
    lmr_capture_history: 6500 in 2000..=20000;
    /// Late move reduction: less, in 1024ths of a ply for each centipawn of correction.
    lmr_correction: 8 in 0..=40;
    /// After a move that raised alpha: below this depth the moves that are left are searched less deep.
    raised_depth: 12 in 3..=20;
    /// After a move that raised alpha: plies that are taken off.
    raised_reduction: 1 in 0..=3;
    /// Close to a principal variation: beyond this depth what was found no better is remembered as such.
    pv_spread_depth: 4 in 1..=64;
    /// After a reduction: centipawns above the best value for one ply more.
    deeper_margin: 24 in 10..=120;
    /// After a reduction: centipawns above the best value, a ply, below which it is one ply less.
    shallower_margin: 1 in 0..=8;

    /// Quiescence: centipawns above the evaluation that a capture may bring beside its victim.
    quiescence_futility: 75 in 20..=300;
    /// Quiescence: captures that are tried.
    quiescence_moves: 3 in 1..=8;
    /// Quiescence: centipawns that a capture may lose.
    quiescence_see: 20 in 0..=150;

    /// History: bonus a ply.
    history_bonus: 164 in 60..=400;
    /// History: what is taken off every bonus.
    history_bonus_offset: 60 in 0..=300;
    /// History: the greatest bonus.
    history_bonus_max: 1500 in 600..=3000;
    /// History: malus a ply.
    history_malus: 233 in 60..=500;
    /// History: the greatest malus.
    history_malus_max: 1200 in 400..=3000;
    /// History: bonus of a table's move that cuts off at once, a ply.
    history_table_bonus: 90 in 20..=240;
    /// History: bonus of the opponent's last move if nothing works against it, a ply.
    history_prior_bonus: 90 in 20..=240;
    /// History: malus of the opponent's last move if it was an early quiet one and is refuted, a ply.
    history_refuted: 90 in 0..=240;
    /// History: what the opponent's last quiet move gains or loses for each centipawn of the evaluation.
    eval_history: 17 in 0..=40;
    /// History: the most that it gains or loses by the evaluation.
    eval_history_max: 1000 in 200..=2500;
    /// History: what it gains in any case, since the side to move has the advantage of the move.
    eval_history_offset: 350 in 0..=1000;
    /// History: the most that the moves before a move can say of it.
    history_continuation_limit: 10679 in 4096..=30000;
    /// How far a quiet move is trusted: weight of the history by squares, in sixteenths.
    trust_butterfly: 32 in 0..=64;
    /// How far a quiet move is trusted: weight of the history after the last move, in sixteenths.
    trust_continuation_1: 16 in 0..=48;
    /// How far a quiet move is trusted: weight of the history after the own last move, in sixteenths.
    trust_continuation_2: 16 in 0..=48;
    /// How far a quiet move is trusted: weight of the history four plies back, in sixteenths.
    trust_continuation_4: 3 in 0..=48;
    /// Quiet moves' order: weight of the history by squares, in sixteenths.
    order_butterfly: 32 in 8..=64;
    /// Quiet moves' order: weight of the history by pawns, in sixteenths.
    order_pawns: 24 in 0..=64;
    /// Quiet moves' order: weight of the history after the last move, in sixteenths.
    order_continuation_1: 33 in 8..=64;
    /// Quiet moves' order: weight of the history after the own last move, in sixteenths.
    order_continuation_2: 28 in 8..=64;
    /// Quiet moves' order: weight of the history four plies back, in sixteenths.
    order_continuation_4: 14 in 0..=48;
    /// Quiet moves' order: weight of the history six plies back, in sixteenths.
    order_continuation_6: 12 in 0..=48;
    /// Quiet moves' order: a knight or bishop leaves a square that something cheaper attacks, or goes to one.
    order_escape_minor: 6192 in 0..=30000;
    /// Quiet moves' order: a rook leaves a square that something cheaper attacks, or goes to one.
    order_escape_rook: 12443 in 0..=40000;
    /// Quiet moves' order: a queen leaves a square that something cheaper attacks, or goes to one.
    order_escape_queen: 15357 in 0..=60000;
    /// Quiet moves' order: bonus of a direct check.
    order_check: 9000 in 0..=20000;
    /// Captures' order: weight of the victim, in sixteenths of history for each centipawn.
    order_victim: 120 in 40..=240;
    /// Captures' order: a capture may lose a centipawn for so much of its score and still count as good.
    order_good_capture: 36 in 16..=128;

    /// Corrections: what the weighted sum is divided by to be centipawns.
    correction_grain: 440 in 200..=1200;
    /// Corrections: weight of the pawns'.
    correction_pawns: 30 in 8..=64;
    /// Corrections: weight of each side's pieces'.
    correction_pieces: 26 in 8..=64;
    /// Corrections: weight of the minor pieces'.
    correction_minors: 20 in 0..=64;
    /// Corrections: weight of the major pieces'.
    correction_majors: 14 in 0..=64;
    /// Corrections: weight of the last two moves'.
    correction_continuation: 22 in 0..=64;

    /// Exchange value of a pawn.
    see_pawn: 100 in 60..=160;
    /// Exchange value of a knight.
    see_knight: 320 in 240..=440;
    /// Exchange value of a bishop.
    see_bishop: 330 in 240..=450;
    /// Exchange value of a rook.
    see_rook: 520 in 400..=700;
    /// Exchange value of a queen.
    see_queen: 980 in 800..=1400;

    /// Time: moves that the clock is divided by as a game begins, and at most before a time control.
    time_moves: 30 in 12..=50;
    /// Time: hundredths of a move that each move of the game takes off that number.
    time_moves_played: 50 in 0..=100;
    /// Time: moves that the clock is divided by at least, however long the game is.
    time_moves_least: 16 in 8..=30;
    /// Time: percentage of the increment that a move may use; more than all of it while the clock has some to spare.
    time_increment: 143 in 40..=200;
    /// Time: percentage of the clock beyond which a move is not meant to go.
    time_share: 20 in 10..=50;
    /// Time: how many times its share a move may use at most, in per cent.
    time_hard: 420 in 200..=800;
    /// Time: percentage of the clock that a move may use at most.
    time_clock: 60 in 30..=80;
    /// Time: the factor of a best move with none of the nodes, in per cent.
    time_node_base: 220 in 120..=300;
    /// Time: what the share of the nodes takes off it, in per cent.
    time_node_slope: 165 in 60..=250;
    /// Time: the factor just after the best move has changed, in per cent.
    time_unstable: 135 in 100..=220;
    /// Time: what each iteration without a change takes off it, in per cent.
    time_stable: 9 in 2..=20;
    /// Time: percentage more for each ten centipawns that the value has fallen.
    time_falling: 8 in 0..=20;
}

impl Tunables {
    /// What pieces are worth in an exchange.
    pub(super) fn exchange(&self) -> ByRole<i32> {
        ByRole {
            pawn: self.see_pawn,
            knight: self.see_knight,
            bishop: self.see_bishop,
            rook: self.see_rook,
            queen: self.see_queen,
            king: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_lies_within_its_range_and_is_found_by_its_name() {
        let mut tunables = Tunables::default();
        for tunable in TUNABLES {
            assert!((tunable.min..=tunable.max).contains(&tunable.default), "{}", tunable.name);
            assert!(tunable.min < tunable.max && tunable.doc.ends_with('.'), "{}", tunable.name);
            assert_eq!(tunables.get(tunable.name), Some(tunable.default));
            *tunables.get_mut(tunable.name).unwrap() = tunable.max;
            assert_eq!(tunables.get(tunable.name), Some(tunable.max));
        }
        assert_eq!(tunables.get("nothing"), None);
    }
}
