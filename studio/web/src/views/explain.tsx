// Explain: the evaluation opened, from material to the final number, down to the square; two moves or two weights compared.

import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Choice, Comparison, Explanation } from '../api';
import { legalMoves } from '../game';
import { post } from '../net';
import { useAnswer } from '../parts/answer';
import { Board, type Overlay } from '../parts/board';
import { Exchange, GameButtons, MoveInput, MoveList, useGameKeys } from '../parts/moves';
import { differences } from '../parts/review';
import { Legend } from '../parts/legend';
import { diverging, pawns, place, signed, words, worth } from '../parts/scale';
import { Waterfall } from '../parts/waterfall';
import { WeightsOptions } from '../parts/weights';
import { choice, fen, game, isDark, isFlipped, playMove, ply, position, tell } from '../state';

/** The evaluation of a position, asked for again when it or the weights change. */
export function useTrace(at: string, weights: Choice): Explanation | null {
  const request = { fen: at, weights };
  return useAnswer(JSON.stringify(request), () => post<Explanation>('trace', request));
}

/** What squares are coloured by. */
type Heat = 'square' | 'all' | 'none';
/** The strongest colour where material counts. */
const FULL = 1000;

type Mode = 'position' | 'moves' | 'weights';
const MODES: [Mode, string][] = [['position', 'This position'], ['moves', 'Why not …?'], ['weights', 'Two weights']];

export function Explain() {
  useGameKeys();
  const trace = useTrace(fen.value, choice.value);
  const [mode, setMode] = useState<Mode>('position');
  const [heat, setHeat] = useState<Heat>('square');
  const [term, setTerm] = useState<string | null>(null);
  const [square, setSquare] = useState<string | null>(null);
  const overlay = useMemo(() => overlayOf(trace, heat, term, square, isDark.value), [trace, heat, term, square, isDark.value]);
  return (
    <div class="two-columns">
      <section class="board-column" aria-label="Board">
        <Board
          position={position.value}
          isFlipped={isFlipped.value}
          lastMove={ply.value ? game.value.moves[ply.value - 1] : undefined}
          overlay={overlay}
          movable="both"
          onMove={playMove}
          onHover={setSquare}
        />
        <div class="row">
          <label>
            What each piece contributes{' '}
            <select value={heat} onChange={(event) => setHeat(event.currentTarget.value as Heat)} data-testid="heat">
              <option value="square">beyond its material</option>
              <option value="all">with its material</option>
              <option value="none">not shown</option>
            </select>
          </label>
          <Legend from="Black" to="White" most={heat === 'all' && !term ? FULL : 100} unit="centipawns" />
        </div>
        <GameButtons />
        <MoveInput />
        <SquareList trace={trace} square={square} />
        <MoveList />
        <Exchange />
      </section>
      <section class="side-column" aria-label="Explanation">
        <div class="tabs" role="tablist" aria-label="What is explained">
          {MODES.map(([name, title]) => (
            <button key={name} role="tab" aria-selected={mode === name} onClick={() => setMode(name)}>{title}</button>
          ))}
        </div>
        {mode === 'position' && (trace ? <Waterfall trace={trace} onTerm={setTerm} lit={square} /> : <p class="waiting">…</p>)}
        {mode === 'moves' && <TwoMoves />}
        {mode === 'weights' && <TwoWeights />}
      </section>
    </div>
  );
}

/** Heat of all squares, or of a term's findings, which are lit. */
function overlayOf(trace: Explanation | null, heat: Heat, term: string | null, square: string | null, dark: boolean): Overlay[] {
  if (!trace) return [];
  const sums = new Map<string, number>();
  const isWanted = (name: string) => (term ? name === term : heat === 'all' || (heat === 'square' && name !== 'material'));
  for (const finding of trace.findings) {
    if (finding.square && isWanted(finding.term)) sums.set(finding.square, (sums.get(finding.square) ?? 0) + finding.cp);
  }
  const most = heat === 'all' && !term ? FULL : 100;
  const names = new Set([...sums.keys(), ...(square ? [square] : [])]);
  return [...names].map((name) => {
    const cp = sums.get(name);
    return {
      square: name,
      color: cp === undefined ? undefined : diverging(cp, most, dark, 0.8),
      text: cp === undefined ? '' : signed(cp),
      isLit: name === square || (term !== null && cp !== undefined),
    };
  });
}

/** What the piece under the pointer contributes; the same room whether there is one or not. */
function SquareList({ trace, square }: { trace: Explanation | null; square: string | null }) {
  const found = trace && square ? trace.findings.filter((finding) => finding.square === square && finding.cp !== 0) : [];
  const sum = found.reduce((total, finding) => total + finding.cp, 0);
  const sorted = [...found].sort((a, b) => Math.abs(b.cp) - Math.abs(a.cp));
  return (
    <div class="square-list" data-testid="square-list" aria-live="polite">
      <strong>{square && found.length ? `${square}: ${signed(sum, 1)} centipawns` : 'Point at a piece to see what it contributes.'}</strong>
      <ul>
        {sorted.map((finding, i) => (
          <li key={i}>
            <span>{words(finding.term)} {place(finding.label)}{finding.count !== 1 ? ` × ${finding.count}` : ''}</span>
            <span class="number">{signed(finding.cp, 1)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function TwoMoves() {
  const moves = useMemo(() => legalMoves(position.value), [fen.value]);
  const [pair, setPair] = useState<[string, string]>(['', '']);
  const [result, setResult] = useState<Comparison | null>(null);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    setResult(null);
    setPair([moves[0]?.uci ?? '', moves[1]?.uci ?? moves[0]?.uci ?? '']);
  }, [fen.value]);
  const compare = async () => {
    setBusy(true);
    try {
      setResult(await post<Comparison>('compare', { fen: fen.value, moves: pair, weights: choice.value, nodes: 200_000 }));
    } catch (error) {
      tell(error);
    }
    setBusy(false);
  };
  const select = (which: 0 | 1, label: string) => (
    <label>
      {label}{' '}
      <select value={pair[which]} onChange={(event) => setPair(which ? [pair[0], event.currentTarget.value] : [event.currentTarget.value, pair[1]])} data-testid={`move-${which}`}>
        {moves.map(({ uci, san }) => <option key={uci} value={uci}>{san}</option>)}
      </select>
    </label>
  );
  if (moves.length === 0) return <p>There is no legal move here.</p>;
  return (
    <div class="compare">
      <div class="row">
        {select(0, 'Why not')} {select(1, 'instead of')}
        <button class="primary" onClick={() => void compare()} disabled={isBusy} data-testid="compare">{isBusy ? 'Looking …' : 'Compare'}</button>
      </div>
      <p class="faint">Each move is searched on its own; the terms are those of the position at the end of its line.</p>
      {result && (
        <>
          <ul class="branches">
            {result.branches.map((branch, i) => (
              <li key={i}>
                <strong>{branch.san}</strong> <span class="number">{worth(branch.line)}</span>: {branch.line.san.join(' ')}
                <span class="faint"> (static {pawns(branch.end.white_cp)})</span>
              </li>
            ))}
          </ul>
          <Differences a={result.branches[0].end} b={result.branches[1].end} names={[result.branches[0].san, result.branches[1].san]} rows={differences(result)} />
        </>
      )}
    </div>
  );
}

function TwoWeights() {
  const [other, setOther] = useState('handcrafted');
  const own = useTrace(fen.value, choice.value);
  const theirs = useTrace(fen.value, { base: other, edits: [] });
  const rows = useMemo(() => {
    if (!own || !theirs) return [];
    const terms = new Set([...own.rows, ...theirs.rows].map((row) => row.term));
    const share = (trace: Explanation, term: string) => trace.rows.find((row) => row.term === term)?.cp ?? 0;
    return [...terms].map((term) => ({ term, cp: share(theirs, term) - share(own, term) })).filter(({ cp }) => Math.abs(cp) >= 0.005)
      .sort((a, b) => Math.abs(b.cp) - Math.abs(a.cp));
  }, [own, theirs]);
  return (
    <div class="compare">
      <div class="row">
        <label>
          Beside {choice.value.base}{' '}
          <select value={other} onChange={(event) => setOther(event.currentTarget.value)} data-testid="other-weights"><WeightsOptions /></select>
        </label>
      </div>
      {own && theirs && <Differences a={own} b={theirs} names={[own.weights, theirs.weights]} rows={rows} />}
    </div>
  );
}

/** Two evaluations term by term, the largest difference first. */
function Differences({ a, b, names, rows }: { a: Explanation; b: Explanation; names: [string, string]; rows: { term: string; cp: number }[] }) {
  const share = (trace: Explanation, term: string) => trace.rows.find((row) => row.term === term)?.cp ?? 0;
  const most = Math.max(1, ...rows.map(({ cp }) => Math.abs(cp)));
  return (
    <table class="differences" data-testid="differences">
      <caption class="sr">Terms compared, centipawns, White's view</caption>
      <thead>
        <tr><th>Term</th><th class="number">{names[0]}</th><th class="number">{names[1]}</th><th class="number">Difference</th><th aria-hidden="true" /></tr>
      </thead>
      <tbody>
        {rows.map(({ term, cp }) => (
          <tr key={term}>
            <td>{words(term)}</td>
            <td class="number">{signed(share(a, term), 1)}</td>
            <td class="number">{signed(share(b, term), 1)}</td>
            <td class="number">{signed(cp, 1)}</td>
            <td class="bar-cell"><i class={cp < 0 ? 'negative' : 'positive'} style={{ width: `${(50 * Math.abs(cp)) / most}%` }} /></td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th>Evaluation</th>
          <td class="number" data-testid="sum-a">{signed(a.white_cp)}</td>
          <td class="number" data-testid="sum-b">{signed(b.white_cp)}</td>
          <td class="number">{signed(b.white_cp - a.white_cp)}</td>
          <td />
        </tr>
      </tfoot>
    </table>
  );
}
