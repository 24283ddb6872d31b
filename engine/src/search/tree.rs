//! The main function of the search, which reads as a list of its steps. `cold_path` marks what hardly ever happens, so that the
//! compiler lays the rest in one piece.

use std::hint::cold_path;

use chess::Checks;

use super::history::{NO_ROW, QuietPlace, piece_to};
use super::kind::{Bounding, Kind, Pv};
use super::picker::{Context, Picker, is_tactical};
use super::reductions::reduction;
use super::steps::{Probe, Tried};
use super::table::{Bound, Entry};
use super::value::{DRAW, INFINITE, MAX_PLY, from_table, is_decisive, mated_in, to_table, undecided};
use super::worker::{Node, Worker, has_lone_king, has_pieces};

impl Worker<'_> {
    /// The value of a node within a window, searched to a depth. `is_cut`: a value above the window is expected.
    pub(super) fn negamax<K: Kind>(
        &mut self,
        node: &Node,
        mut alpha: i32,
        mut beta: i32,
        mut depth: i32,
        ply: usize,
        is_cut: bool,
    ) -> i32 {
        // Quiescence at the leaves
        if depth <= 0 {
            return self.quiescence::<K>(node, alpha, beta, ply, true);
        }
        let shared = self.shared;
        let tunables = shared.tunables;
        let position = &node.position;
        if K::PV {
            self.scratch.lines[ply].clear();
            self.deepest = self.deepest.max(ply + 1);
        }
        if self.must_stop() {
            cold_path();
            return DRAW;
        }

        if !K::ROOT {
            // Draws
            if self.is_draw(position) {
                return DRAW;
            }
            if ply >= MAX_PLY - 1 {
                cold_path();
                return self.evaluate(node);
            }
            // Mate distance pruning
            alpha = alpha.max(mated_in(ply));
            beta = beta.min(-mated_in(ply + 1));
            if alpha >= beta {
                cold_path();
                return alpha;
            }
            // Upcoming repetition
            if alpha < DRAW && self.trail.can_repeat(position) {
                alpha = DRAW;
                if alpha >= beta {
                    return alpha;
                }
            }
        }

        // Transposition table
        let in_check = position.is_check();
        let clock = position.halfmove_clock();
        let excluded = self.frame(ply).excluded;
        let key = position.keys().full();
        let entry = shared.table.get(key);
        let table_value = entry.and_then(|entry| from_table(entry.value, ply, clock));
        let table_move = match K::ROOT {
            true => Some(self.root_moves[self.rank].mv),
            false => entry.and_then(|entry| entry.mv),
        };
        let was_pv = K::PV || entry.is_some_and(|entry| entry.was_pv);
        self.frame(ply).was_pv = was_pv;
        let table_captures = table_move.is_some_and(|mv| is_tactical(position, mv));
        if let (Some(entry), Some(value)) = (entry, table_value)
            && !K::PV
            && excluded.is_none()
            // A mate is proven at any depth: nothing is left out where the best so far is one
            && (entry.depth >= depth || is_decisive(value))
            && clock < 90
            && entry.bound.suffices(value, alpha, beta)
        {
            if let Some(mv) = entry.mv.filter(|&mv| value >= beta && !table_captures && position.is_legal(mv)) {
                let place = QuietPlace::new(position, mv, position.attacked_by(!position.turn()));
                let rows = self.rows(ply);
                self.histories.learn_quiet(place, &rows, (tunables.history_table_bonus * depth).min(1000), tunables);
            }
            return value;
        }

        // Bishop and knight, whose mates are known. On the main line they are played out
        if !K::PV
            && excluded.is_none()
            && let Some(value) = self.solved(position, ply)
        {
            cold_path();
            return value;
        }

        // Endgame tables
        let mut most = INFINITE;
        let mut best_value = -INFINITE;
        if !K::ROOT
            && excluded.is_none()
            && let Some((value, bound)) = self.probe(position, ply)
        {
            cold_path();
            if bound.suffices(value, alpha, beta) {
                let entry = Entry {
                    mv: None,
                    value: to_table(value, ply),
                    eval: None,
                    depth: (depth + 6).min(MAX_PLY as i32 - 1),
                    bound,
                    was_pv,
                };
                shared.table.set(key, entry);
                return value;
            }
            if K::PV && bound == Bound::Lower {
                best_value = value;
                alpha = alpha.max(value);
            } else if K::PV {
                most = value;
            }
        }

        // Static evaluation
        let raw_eval = match excluded {
            Some(_) => None,
            None => self.raw_eval(node, entry.as_ref()),
        };
        let correction = self.correction(position, ply);
        let static_eval = match excluded {
            Some(_) => self.frame(ply).eval,
            None => raw_eval.map(|raw| self.adjusted(position, raw, correction)),
        };
        self.frame(ply).eval = static_eval;
        self.frame(ply + 2).cutoffs = 0;
        // The table's value is a better estimate where its bound allows
        let eval = static_eval.map(|eval| match (entry, table_value) {
            (Some(entry), Some(value)) if !is_decisive(value) && entry.bound.is_better(value, eval) => value,
            _ => eval,
        });
        let before = self.earlier(ply, 2).eval.or(self.earlier(ply, 4).eval);
        let improving = static_eval.zip(before).is_some_and(|(now, before)| now > before);
        let opponents = self.earlier(ply, 1).eval;
        let worsening = static_eval.zip(opponents).is_some_and(|(now, theirs)| now > -theirs);

        // What the opponent's last quiet move did to the evaluation says how good such moves are
        if let (Some(now), Some(theirs), Some(place)) = (static_eval, opponents, self.earlier(ply, 1).quiet)
            && excluded.is_none()
        {
            let most = tunables.eval_history_max;
            let bonus = (-tunables.eval_history * (now + theirs)).clamp(-most, most) + tunables.eval_history_offset;
            self.histories.learn_butterfly(place, bonus);
        }

        // Hindsight: the last move was reduced and that looks wrong
        let last_reduction = self.earlier(ply, 1).reduction;
        if !K::ROOT && excluded.is_none() && !in_check && last_reduction > 0 {
            if last_reduction >= tunables.hindsight_deeper && !worsening {
                depth += 1;
            } else if last_reduction >= tunables.hindsight_shallower
                && depth >= 2
                && static_eval.zip(opponents).is_some_and(|(now, theirs)| now + theirs > tunables.hindsight_margin)
            {
                depth -= 1;
            }
        }

        let may_prune = !K::PV && excluded.is_none();
        if let (Some(eval), Some(static_eval)) = (eval, static_eval)
            && may_prune
        {
            // Razoring
            if depth <= tunables.razor_depth
                && !is_decisive(alpha)
                && eval + tunables.razor_base + tunables.razor_slope * depth * depth < alpha
            {
                let value = self.quiescence::<Bounding>(node, alpha, alpha + 1, ply, true);
                if value <= alpha {
                    return value;
                }
            }

            // Reverse futility pruning
            let margin = tunables.rfp_margin * depth
                - tunables.rfp_improving * i32::from(improving)
                - tunables.rfp_worsening * i32::from(worsening)
                + tunables.rfp_correction * correction.abs() / 100
                + self.earlier(ply, 1).history * tunables.rfp_history / 65_536;
            if depth <= tunables.rfp_depth
                && !was_pv
                && eval - margin >= beta
                && !is_decisive(beta)
                && (table_move.is_none() || table_captures)
                // What drives a lone king is worth more than the margin, and hides that a piece hangs
                && !has_lone_king(position)
            {
                return undecided((eval + beta) / 2);
            }

            // Null move pruning
            if depth >= tunables.nmp_depth
                && eval >= beta
                && static_eval + tunables.nmp_slope * depth - tunables.nmp_margin >= beta
                && !is_decisive(beta)
                && self.earlier(ply, 1).row != NO_ROW
                && ply >= self.verified_until
                && has_pieces(position)
            {
                let less = tunables.nmp_base
                    + depth / tunables.nmp_divisor
                    + ((eval - beta) / tunables.nmp_eval_divisor).min(3);
                let value = self.null_move(node, beta, depth - less, ply, is_cut);
                if self.is_stopped {
                    cold_path();
                    return DRAW;
                }
                if value >= beta && !is_decisive(value) {
                    if depth < tunables.nmp_verify_depth || self.verified_until > 0 {
                        return value;
                    }
                    // At great depth the side to move has to show it without passing
                    self.verified_until = ply + 3 * (depth - less).max(0) as usize / 4;
                    let verified = self.negamax::<Bounding>(node, beta - 1, beta, depth - less, ply, false);
                    self.verified_until = 0;
                    if verified >= beta {
                        return value;
                    }
                }
            }
        }

        // Internal iterative reduction
        if depth >= tunables.iir_depth
            && (K::PV || is_cut)
            && excluded.is_none()
            && entry.is_none_or(|entry| entry.mv.is_none() || entry.depth < depth - 4)
        {
            depth -= 1;
        }

        let checks = Checks::new(position);

        // ProbCut: a capture that is far above beta at a shallow depth
        let probcut = beta + tunables.probcut_margin - tunables.probcut_improving * i32::from(improving);
        if may_prune
            && let Some(eval) = static_eval
            && depth >= tunables.probcut_depth
            && !is_decisive(beta)
            && !is_decisive(probcut)
            && !(entry.is_some_and(|entry| entry.depth >= depth - 3) && table_value.is_some_and(|v| v < probcut))
            && let Some(value) = self.probcut(
                node,
                &checks,
                ply,
                &Probe { value: probcut, least: probcut - eval, depth, table_move, is_cut },
            )
        {
            return if is_decisive(value) { value } else { value - (probcut - beta) };
        }

        let threats = position.threats_by(!position.turn());
        let rows = self.rows(ply);
        let context = Context { position, tunables, exchange: &shared.exchange, checks: &checks, rows: &rows, threats };
        let mut picker = Picker::all(position, table_move);
        picker.prefer(self.earlier(ply, 0).killers);
        let mut best_move = None;
        let old_alpha = alpha;
        let (mut tried_quiets, mut tried_captures) = (Tried::new(), Tried::new());
        let mut count = 0;
        let mut is_singular = false;
        let mut asked = None;

        loop {
            // Late move pruning and futility pruning: of the quiet moves that are left only checks are even generated
            let may_leave_out = !K::ROOT && best_value > -INFINITE && !is_decisive(best_value) && has_pieces(position);
            let quiet_reduction = reduction(depth, count + 1, true, tunables);
            if may_leave_out && !picker.is_past_quiets() {
                let reduced_depth = (depth - quiet_reduction / 1024).max(0);
                let hope = match static_eval {
                    Some(eval) if reduced_depth <= tunables.futility_depth && alpha.abs() < tunables.futility_most => {
                        eval + tunables.futility_base + tunables.futility_slope * reduced_depth
                    }
                    _ => INFINITE,
                };
                if hope <= alpha {
                    best_value = best_value.max(hope);
                }
                let enough = tunables.lmp_base + tunables.lmp_slope * depth * depth / 100;
                if hope <= alpha || count >= enough / (2 - i32::from(improving)) {
                    picker.skip_quiets_without_check(position, &checks);
                }
            }
            let Some(mv) = picker.next(&context, self.histories) else {
                break;
            };
            if Some(mv) == excluded || (K::ROOT && !self.is_searched_at_root(mv)) {
                continue;
            }
            // The table's memory is slow: it is asked for while the move before is searched
            if asked != Some(mv) {
                shared.table.prefetch(position.likely_key_after(mv));
            }
            asked = picker.upcoming();
            if let Some(next) = asked {
                shared.table.prefetch(position.likely_key_after(next));
            }
            count += 1;
            let is_quiet = !is_tactical(position, mv);
            let place = is_quiet.then(|| QuietPlace::new(position, mv, threats.by_any));
            let (history, mut late) = match place {
                Some(place) => (self.histories.quiet_trust(place, &rows, tunables), quiet_reduction),
                None => (self.histories.capture(position, mv), reduction(depth, count, false, tunables)),
            };

            if may_leave_out {
                let reduced_depth = (depth - late / 1024).max(0);
                let gives_check = checks.given_by(position, mv);
                if is_quiet {
                    // History pruning
                    if reduced_depth <= tunables.history_pruning_depth
                        && history < -tunables.history_pruning * depth
                        && !gives_check
                    {
                        continue;
                    }
                    // Quiet moves that lose material; a check may give up as much as a capture
                    let least = match gives_check {
                        true => -tunables.see_capture * depth,
                        false => -tunables.see_quiet * reduced_depth * reduced_depth,
                    };
                    let is_attacked = threats.by_any.contains(mv.from()) || threats.by_any.contains(mv.to());
                    if is_attacked && !position.exchange_reaches(mv, least, &shared.exchange) {
                        continue;
                    }
                } else {
                    // Futility pruning of captures
                    if reduced_depth <= tunables.capture_futility_depth
                        && let (Some(eval), Some(victim)) = (static_eval, position.role_on(mv.to()))
                        && mv.promoted_to().is_none()
                        && eval
                            + tunables.capture_futility_base
                            + tunables.capture_futility_slope * reduced_depth
                            + shared.exchange.get(victim)
                            <= alpha
                        && !gives_check
                    {
                        continue;
                    }
                    // Captures that lose too much
                    let least = -tunables.see_capture * depth - history / tunables.see_capture_history;
                    if picker.is_at_bad_captures() && !position.exchange_reaches(mv, least.min(0), &shared.exchange) {
                        continue;
                    }
                }
            }

            // Singular extension: is the table's move better than all others?
            let mut extension = 0;
            if let (Some(entry), Some(value)) = (entry, table_value)
                && !K::ROOT
                && excluded.is_none()
                && Some(mv) == table_move
                && depth >= tunables.singular_depth
                && entry.depth >= depth - tunables.singular_table_depth
                && entry.bound != Bound::Upper
                && !is_decisive(value)
                && (ply as i32) < 2 * self.depth
            {
                let spread = if was_pv && !K::PV { tunables.singular_table_pv } else { 0 };
                let others = value - (tunables.singular_margin + spread) * depth / 16;
                self.frame(ply).excluded = Some(mv);
                let found = self.negamax::<Bounding>(node, others - 1, others, (depth - 1) / 2, ply, is_cut);
                self.frame(ply).excluded = None;
                if self.is_stopped {
                    cold_path();
                    return DRAW;
                }
                if found < others {
                    let is_double = !K::PV && found < others - tunables.double_margin;
                    let is_triple = is_double && is_quiet && found < others - tunables.triple_margin;
                    extension = 1 + i32::from(is_double) + i32::from(is_triple);
                    is_singular = true;
                } else if others >= beta && !K::PV {
                    // Multicut: even without it there is a cutoff
                    return found;
                } else if value >= beta {
                    extension = -2 - i32::from(!K::PV);
                } else if is_cut {
                    extension = -2;
                } else if value <= alpha {
                    extension = -1;
                }
            }

            let nodes_before = if K::ROOT { self.tree_nodes() } else { 0 };
            self.nodes += 1;
            let mut child = *node;
            child.play(mv, &checks, shared.weights);
            self.frame(ply).row = piece_to(position, mv);
            self.prefetch(&child.position, ply);

            // Check extension: the opponent has one reply
            if extension == 0
                && child.position.is_check()
                && (ply as i32) < 2 * self.depth
                && child.position.count_legal_moves() == 1
            {
                extension = 1;
            }

            self.trail.push(position);
            let frame = self.frame(ply);
            frame.quiet = place;
            frame.history = if is_quiet { history } else { 0 };
            frame.count = count;
            frame.reduction = 0;
            let mut new_depth = depth - 1 + extension;
            let mut value = alpha;
            let mut is_to_be_proven = count > 1 || !K::PV;

            // Late move reductions
            if depth >= 2 && count > 1 + usize::from(K::ROOT) as i32 {
                late -= tunables.lmr_pv * i32::from(K::PV);
                late -= tunables.lmr_window * (beta - alpha) / self.root_window.max(beta - alpha);
                late -= tunables.lmr_singular * i32::from(is_singular && !table_captures);
                late -= tunables.lmr_late_reply * i32::from(self.earlier(ply, 1).count > tunables.lmr_late_reply_count);
                late -= tunables.lmr_table_pv * i32::from(was_pv);
                late += tunables.lmr_cut_node * i32::from(is_cut);
                late += tunables.lmr_cut_blind * i32::from(is_cut && table_move.is_none());
                late += tunables.lmr_not_improving * i32::from(!improving);
                late += tunables.lmr_table_capture * i32::from(table_captures && is_quiet);
                late -= tunables.lmr_check * i32::from(child.position.is_check());
                late -= tunables.lmr_correction * correction.abs();
                if self.frame(ply + 1).cutoffs > tunables.lmr_cutoff_count {
                    late += tunables.lmr_cutoffs;
                }
                let trust = if is_quiet { tunables.lmr_history } else { tunables.lmr_capture_history };
                late -= history * 1024 / trust;
                let reduced = (new_depth - late / 1024).clamp(1, new_depth.max(1) + i32::from(K::PV));
                self.frame(ply).reduction = (new_depth - reduced) * 1024;
                value = -self.negamax::<Bounding>(&child, -alpha - 1, -alpha, reduced, ply + 1, true);
                self.frame(ply).reduction = 0;
                is_to_be_proven = false;
                if value > alpha && reduced < new_depth && !self.is_stopped {
                    // Deeper or shallower, as the reduced search suggests
                    let much = best_value + tunables.deeper_margin + 2 * new_depth;
                    let little = best_value + tunables.shallower_margin * new_depth;
                    new_depth += i32::from(value > much) - i32::from(value < little);
                    is_to_be_proven = new_depth > reduced;
                    if is_to_be_proven {
                        value = -self.negamax::<Bounding>(&child, -alpha - 1, -alpha, new_depth, ply + 1, !is_cut);
                        is_to_be_proven = false;
                    }
                    if let Some(place) = place.filter(|_| !self.is_stopped) {
                        let bonus = self.bonus(new_depth);
                        let bonus = if value >= beta {
                            bonus
                        } else if value <= alpha {
                            -bonus
                        } else {
                            0
                        };
                        self.histories.learn_continuation(place, &rows, bonus, tunables);
                    }
                }
            }

            // Principal variation search: the first move in full, the others have to prove that they are better
            if is_to_be_proven {
                value = -self.negamax::<Bounding>(&child, -alpha - 1, -alpha, new_depth, ply + 1, !is_cut);
            }
            if K::PV && (count == 1 || value > alpha) {
                value = -self.negamax::<Pv>(&child, -beta, -alpha, new_depth, ply + 1, false);
            }

            self.trail.pop();
            if self.is_stopped {
                cold_path();
                return DRAW;
            }
            if K::ROOT {
                self.note_root_move(mv, value, count == 1, (alpha, beta), self.tree_nodes() - nodes_before);
            }
            if value > best_value {
                best_value = value;
                if value > alpha {
                    best_move = Some(mv);
                    if K::PV {
                        self.extend_line(ply, mv);
                    }
                    if value >= beta {
                        self.frame(ply).cutoffs += 1 + i32::from(table_move.is_none());
                        break;
                    }
                    alpha = value;
                    // What is left has to be better still, which is rare: it may be searched less deep
                    if (3..tunables.raised_depth).contains(&depth) {
                        depth = (depth - tunables.raised_reduction).max(1);
                    }
                }
            }
            if Some(mv) != best_move {
                let tried = if is_quiet { &mut tried_quiets } else { &mut tried_captures };
                // Past the first ones there is nothing to learn
                let _ = tried.try_push(mv);
            }
        }

        // Mate and stalemate
        if count == 0 {
            return match excluded {
                Some(_) => alpha,
                None if in_check => mated_in(ply),
                None => DRAW,
            };
        }

        best_value = best_value.min(most);
        let is_cutoff = best_value >= beta;

        // Histories
        if let Some(mv) = best_move {
            let bonus_depth = depth + i32::from(best_value > beta + 90);
            self.learn_best(position, mv, (&tried_quiets, &tried_captures), bonus_depth, ply, threats.by_any);
        }
        if !K::ROOT {
            self.learn_last(depth, ply, best_move.is_some());
        }

        // A value far above the window is less certain the less deep the search was
        if is_cutoff && !K::PV && !is_decisive(best_value) && !is_decisive(beta) {
            best_value = (best_value * depth + beta) / (depth + 1);
        }

        let bound = Bound::of(best_value, old_alpha, beta);
        if excluded.is_some() {
            return best_value;
        }
        if !K::ROOT || self.rank == 0 {
            let value = to_table(best_value, ply);
            // Nothing is better here: the line of the ply before goes on in another way, and this is close to it
            let was_pv =
                was_pv || (bound == Bound::Upper && depth > tunables.pv_spread_depth && self.earlier(ply, 1).was_pv);
            shared.table.set(key, Entry { mv: best_move, value, eval: raw_eval, depth, bound, was_pv });
        }

        // Correction history
        if let Some(eval) = static_eval
            && !is_decisive(best_value)
            && !has_lone_king(position)
            && best_move.is_none_or(|mv| !is_tactical(position, mv))
            && !(bound == Bound::Lower && best_value <= eval)
            && !(bound == Bound::Upper && best_value >= eval)
        {
            let last = [self.earlier(ply, 1).row, self.earlier(ply, 2).row];
            self.histories.corrections.learn(position, last, best_value - eval, depth);
        }
        best_value
    }
}
