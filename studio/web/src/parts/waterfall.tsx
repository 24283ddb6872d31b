// The rows of an explanation as a waterfall: each begins where the one before ended, and the last ends at the evaluation.

import { useState } from 'preact/hooks';
import type { ExplainedFinding, ExplainedRow, Explanation } from '../api';
import { catalogue } from '../state';
import { pawns, place, signed, words } from './scale';

type Order = 'catalogue' | 'size';

interface Props {
  trace: Explanation;
  /** The term under the pointer or with the focus. */
  onTerm: (term: string | null) => void;
  /** A square whose terms are lit. */
  lit: string | null;
}

const isShown = (row: ExplainedRow) =>
  row.group === 'Composition' || row.cp !== 0 || [row.white, row.black].some((side) => side.mg !== 0 || side.eg !== 0);

export function Waterfall({ trace, onTerm, lit }: Props) {
  const [order, setOrder] = useState<Order>('catalogue');
  const [open, setOpen] = useState<string | null>(null);
  const rows = trace.rows.filter(isShown);
  if (order === 'size') {
    // Material stays first and composition last: that is where the number starts and ends
    const rank = (row: ExplainedRow) => (row.term === 'material' ? -1e9 : row.group === 'Composition' ? 1e9 : -Math.abs(row.cp));
    rows.sort((a, b) => rank(a) - rank(b));
  }
  let sum = 0;
  const steps = rows.map((row) => {
    const from = sum;
    sum += row.cp;
    return { row, from, to: sum };
  });
  const ends = steps.flatMap(({ from, to }) => [from, to]);
  const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  const span = Math.max(high - low, 1);
  const x = (cp: number) => (100 * (cp - low)) / span;
  const litTerms = new Set(lit ? trace.findings.filter((finding) => finding.square === lit).map((finding) => finding.term) : []);
  const mg = (side: 'mg' | 'eg') => rows.reduce((total, row) => total + row.white[side] - row.black[side], 0);
  return (
    <div class="waterfall" onMouseLeave={() => onTerm(null)}>
      <div class="waterfall-head">
        <div class="evaluation">
          <span class="faint">Evaluation, White's view</span>
          <strong class="number" data-testid="evaluation" data-cp={trace.white_cp}>{pawns(trace.white_cp)}</strong>
        </div>
        <div class="phase">
          <span>phase <b class="number">{trace.phase}</b> of 256</span>
          <meter min={0} max={256} value={trace.phase} aria-label="How much of the middlegame is left" />
          <span class="faint">middlegame {signed(mg('mg'))}, endgame {signed(mg('eg'))}{trace.outcome ? `, ${trace.outcome}` : ''}</span>
        </div>
        <label>
          Order{' '}
          <select value={order} onChange={(event) => setOrder(event.currentTarget.value as Order)}>
            <option value="catalogue">as evaluated</option>
            <option value="size">largest first</option>
          </select>
        </label>
      </div>
      <table>
        <caption class="sr">What the evaluation is made of, in centipawns, White's view</caption>
        <thead>
          <tr>
            <th>Term</th>
            <th class="number" colSpan={3} title="How often, middlegame, endgame">White n · mg · eg</th>
            <th class="number" colSpan={3} title="How often, middlegame, endgame">Black n · mg · eg</th>
            <th class="waterfall-bars">from 0 to {signed(trace.white_cp)}</th>
            <th class="number">Share</th>
          </tr>
        </thead>
        <tbody>
          {steps.map(({ row, from, to }) => (
            <>
              <tr
                key={row.term}
                class={litTerms.has(row.term) ? 'lit' : ''}
                data-term={row.term}
                onMouseEnter={() => onTerm(row.term)}
                onFocusIn={() => onTerm(row.term)}
              >
                <td>
                  <button class="opener" aria-expanded={open === row.term} onClick={() => setOpen(open === row.term ? null : row.term)} title={docOf(row.term)}>
                    {words(row.term)}
                  </button>
                </td>
                <Side side={row.white} />
                <Side side={row.black} />
                <td class="waterfall-bars">
                  <i class="zero" style={{ left: `${x(0)}%` }} />
                  <i class={row.cp < 0 ? 'negative' : 'positive'} style={{ left: `${x(Math.min(from, to))}%`, width: `${Math.max(0.4, (100 * Math.abs(row.cp)) / span)}%` }} />
                </td>
                <td class="number" data-testid="share" data-cp={row.cp}>{signed(row.cp, 2)}</td>
              </tr>
              {open === row.term && (
                <tr class="findings">
                  <td colSpan={9}>
                    <p>{docOf(row.term)} <span class="faint">{words(row.group)}</span></p>
                    <Findings findings={trace.findings.filter((finding) => finding.term === row.term)} />
                  </td>
                </tr>
              )}
            </>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th colSpan={8}>Sum of the rows</th>
            <td class="number" data-testid="sum">{signed(sum, 2)}</td>
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

function Side({ side }: { side: { mg: number; eg: number; count: number } }) {
  if (side.count === 0) return <><td /><td /><td /></>;
  return (
    <>
      <td class="number faint">{side.count}</td>
      <td class="number">{side.mg}</td>
      <td class="number">{side.eg}</td>
    </>
  );
}

function Findings({ findings }: { findings: ExplainedFinding[] }) {
  return (
    <ul class="finding-list">
      {findings.map((finding, i) => (
        <li key={i}>
          <span class={`dot ${finding.color}`} aria-label={finding.color} />
          <b>{finding.square ?? 'whole side'}</b>
          <span>{place(finding.label) || words(finding.label)}{finding.count !== 1 ? ` × ${finding.count}` : ''}</span>
          <span class="number faint">{finding.mg} / {finding.eg}</span>
          <span class="number">{signed(finding.cp, 2)}</span>
        </li>
      ))}
    </ul>
  );
}

const COMPOSITION: Record<string, string> = {
  rounding: 'What rounding to whole centipawns changes.',
  limit: 'Evaluations stay below those of known results.',
  outcome: 'The game is over.',
};

function docOf(term: string): string {
  return catalogue.value?.terms.find((known) => known.name === term)?.doc ?? COMPOSITION[term] ?? '';
}
