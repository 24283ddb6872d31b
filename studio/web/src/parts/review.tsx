// A whole game looked over: what each move cost, the mistakes marked, and why they are mistakes.

import { computed, signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Answer, Comparison, Line } from '../api';
import { fenOf, moveNumber, readMove } from '../game';
import { Thinker, post } from '../net';
import { choice, game, goTo, replayed, tell } from '../state';
import type { Remark } from './moves';
import { signed, words, worth } from './scale';

/** What was found of which game. */
const reviewed = signal<{ key: string; lines: (Line | null)[]; isDone: boolean }>({ key: '', lines: [], isDone: false });
export const wantsReview = signal(false);
/** While a game is looked over, the tab's engine does nothing else. */
export const isReviewing = signal(false);

const keyOf = () => JSON.stringify([game.value.fen, game.value.moves, choice.value]);
/** Nodes for each position. */
const NODES = 40_000;

/** White's expected points, of 1000. */
const expected = (line: Line | null | undefined, fallback: number) => (line ? line.wdl[0] + line.wdl[1] / 2 : fallback);

export interface Mistake extends Remark {
  ply: number;
  /** Expected points lost, of 1000. */
  loss: number;
  played: string;
  best: Line;
}

const KINDS: [number, Remark][] = [
  [300, { mark: '??', kind: 'blunder' }],
  [150, { mark: '?', kind: 'mistake' }],
  [70, { mark: '?!', kind: 'inaccuracy' }],
];

export const mistakes = computed<Mistake[]>(() => {
  const { key, lines } = reviewed.value;
  if (key !== keyOf()) return [];
  const { positions, san } = replayed.value;
  const found: Mistake[] = [];
  for (let i = 0; i < Math.min(san.length, lines.length - 1); i++) {
    const best = lines[i];
    if (!best || best.moves[0] === game.value.moves[i]) continue;
    const after = positions[i + 1];
    const final = after.isCheckmate() ? (after.turn === 'white' ? 0 : 1000) : 500;
    const change = expected(lines[i + 1], final) - expected(best, 500);
    const loss = positions[i].turn === 'white' ? -change : change;
    const remark = KINDS.find(([least]) => loss >= least)?.[1];
    if (remark) found.push({ ...remark, ply: i + 1, loss, played: san[i], best });
  }
  return found;
});

export const remarks = computed<Map<number, Remark>>(() => new Map(mistakes.value.map((mistake) => [mistake.ply, mistake])));

export function Review() {
  const thinker = useRef<Thinker | null>(null);
  const key = keyOf();
  const isCurrent = reviewed.value.key === key;
  const stop = () => {
    thinker.current?.close();
    isReviewing.value = false;
  };
  useEffect(() => stop, []);
  const start = () => {
    reviewed.value = { key, lines: [], isDone: false };
    isReviewing.value = true;
    const hear = (answer: Answer) => {
      const state = reviewed.value;
      if (answer.type === 'reviewed') {
        const lines = [...state.lines];
        lines[answer.ply] = answer.line;
        reviewed.value = { ...state, lines };
      } else if (answer.type !== 'thinking') {
        if (answer.type === 'problem') tell(answer.error);
        reviewed.value = { ...state, isDone: true };
        stop();
      }
    };
    thinker.current = new Thinker(hear);
    const setup = { weights: choice.value, threads: 1, hash: 32, lines: 1, elo: null };
    thinker.current.ask({ type: 'review', game: { fen: game.value.fen, moves: game.value.moves }, setup, nodes: NODES });
  };
  useEffect(() => {
    if (!isCurrent) stop();
  }, [key]);
  useEffect(() => {
    if (wantsReview.value && game.value.moves.length) {
      wantsReview.value = false;
      start();
    }
  }, [wantsReview.value]);
  const total = game.value.moves.length + 1;
  return (
    <section class="review" aria-label="Mistakes">
      <div class="row">
        <button onClick={start} disabled={!game.value.moves.length || isReviewing.value} data-testid="review">Find mistakes</button>
        <progress max={total} value={isCurrent ? reviewed.value.lines.length : 0} aria-label="Positions looked at" />
        <span class="hint" role="status" data-testid="review-state">
          {isCurrent && reviewed.value.isDone ? `${mistakes.value.length} ${mistakes.value.length === 1 ? 'mistake' : 'mistakes'}` : isReviewing.value ? `${reviewed.value.lines.length} of ${total}` : ''}
        </span>
      </div>
      <ol class="mistakes">
        {mistakes.value.map((mistake) => <MistakeRow key={mistake.ply} mistake={mistake} />)}
      </ol>
    </section>
  );
}

/** The terms that tell two line ends apart most. */
export function differences(comparison: Comparison): { term: string; cp: number }[] {
  const [played, better] = comparison.branches;
  const terms = new Set([...played.end.rows, ...better.end.rows].map((row) => row.term));
  const share = (branch: typeof played, term: string) => branch.end.rows.find((row) => row.term === term)?.cp ?? 0;
  return [...terms]
    .map((term) => ({ term, cp: share(better, term) - share(played, term) }))
    .filter(({ cp }) => Math.abs(cp) >= 0.005)
    .sort((a, b) => Math.abs(b.cp) - Math.abs(a.cp));
}

function MistakeRow({ mistake }: { mistake: Mistake }) {
  const [why, setWhy] = useState('');
  const before = replayed.value.positions[mistake.ply - 1];
  const explain = async () => {
    goTo(mistake.ply);
    const played = readMove(before, mistake.played);
    if (!played) return;
    try {
      const request = { fen: fenOf(before), moves: [played, mistake.best.moves[0]], weights: choice.value, nodes: 2 * NODES };
      const comparison = await post<Comparison>('compare', request);
      const sign = before.turn === 'white' ? 1 : -1;
      const top = differences(comparison).slice(0, 3).map(({ term, cp }) => `${words(term)} ${signed(sign * cp)}`);
      const [a, b] = comparison.branches;
      setWhy(`${b.san} is worth ${worth(b.line)}, ${a.san} ${worth(a.line)}. At the end of its line it gains most by ${top.join(', ')} (centipawns, ${before.turn === 'white' ? 'White' : 'Black'}'s view). It goes ${b.line.san.slice(0, 6).join(' ')}.`);
    } catch (error) {
      tell(error);
    }
  };
  return (
    <li class={mistake.kind}>
      <button onClick={() => void explain()}>
        {moveNumber(before)} {mistake.played}{mistake.mark}
      </button>{' '}
      <span class="number">−{(mistake.loss / 10).toFixed(0)} %</span>, best was {mistake.best.san[0]}
      {why && <p class="why">{why}</p>}
    </li>
  );
}
