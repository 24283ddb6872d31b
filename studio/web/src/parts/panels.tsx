// The weights of a term, drawn by their axis: boards for squares, bars for kinds and ranks, curves for counts. Every number
// can be typed or dragged.

import { useRef } from 'preact/hooks';
import type { Panel, WeightsDetails } from '../api';
import { details, edit, edits, isDark, valueOf } from '../state';
import { diverging, signed } from './scale';

export type Half = 0 | 1;
const HALF_NAMES = ['middlegame', 'endgame'] as const;

/** How panels are drawn. */
export interface Drawing {
  /** How much of the middlegame counts, of 256. */
  phase: number;
  /** Weights whose differences are shown instead of values. */
  other: WeightsDetails | null;
  /** Whether both wings are edited together. */
  isMirrored: boolean;
  /** Whether standard errors are shown, where they are known. */
  hasErrors: boolean;
  /** The value with the strongest colour. */
  most: number;
}

const otherValue = (other: WeightsDetails, param: number, half: Half) => (half ? other.eg[param] : other.mg[param]) ?? 0;

/** What a weight is coloured by: its value, or its distance from another's. */
export function shown(param: number, half: Half, other: WeightsDetails | null): number {
  const value = valueOf(param)[half];
  return other ? value - otherValue(other, param, half) : value;
}

function blend(param: number, { phase, other }: Drawing): number {
  return (shown(param, 0, other) * phase + shown(param, 1, other) * (256 - phase)) / 256;
}

/** How well a weight is known; nothing if it was not tuned. */
function errorOf(param: number, half: Half): number | null {
  const evidence = details.value?.evidence;
  return (half ? evidence?.eg_errors : evidence?.mg_errors)?.[param] ?? null;
}

/** A number that cannot be edited. */
const told = (value: number | null) => (value === null ? '–' : Math.round(value));

export function PanelView({ term, panel, drawing }: { term: string; panel: Panel; drawing: Drawing }) {
  const params = panel.labels.map((_, i) => panel.start + i);
  const all = params.flatMap((param) => [shown(param, 0, drawing.other), shown(param, 1, drawing.other)]);
  const range: [number, number] = [Math.min(0, ...all), Math.max(5, ...all)];
  const isWide = panel.kind !== 'squares' && params.length > 9;
  const Drawn = panel.kind === 'squares' ? Squares : Columns;
  return (
    <section class={`panel ${isWide ? 'wide' : ''}`} aria-label={`${term} ${panel.title}`}>
      {panel.title && <h3>{panel.title}</h3>}
      <div class={`halves ${panel.kind}`}>
        {([0, 1] as Half[]).map((half) => (
          <figure key={half}>
            <figcaption>{HALF_NAMES[half]}{drawing.other ? ', coloured by the difference' : ''}</figcaption>
            <Drawn term={term} panel={panel} half={half} read={(param) => shown(param, half, drawing.other)} range={range} drawing={drawing} />
          </figure>
        ))}
        <figure>
          <figcaption>{drawing.other ? 'difference, ' : ''}blended at {drawing.phase}</figcaption>
          <Drawn term={term} panel={panel} half={null} read={(param) => blend(param, drawing)} range={range} drawing={drawing} />
        </figure>
        {drawing.hasErrors && ([0, 1] as Half[]).map((half) => (
          <figure key={`error ${half}`} data-testid="errors">
            <figcaption>± {HALF_NAMES[half]}, standard error</figcaption>
            <Drawn term={term} panel={panel} half={null} read={(param) => errorOf(param, half)} range={range} drawing={drawing} />
          </figure>
        ))}
      </div>
    </section>
  );
}

interface DrawnProps {
  term: string;
  panel: Panel;
  /** The half that is edited; nothing for what cannot be. */
  half: Half | null;
  /** What is drawn. */
  read: (param: number) => number | null;
  /** The smallest and the largest value, for heights. */
  range: [number, number];
  drawing: Drawing;
}

function Squares({ term, panel, half, read, drawing }: DrawnProps) {
  return (
    <div class="square-table" role="group" aria-label={half === null ? 'blended' : HALF_NAMES[half]}>
      {[7, 6, 5, 4, 3, 2, 1, 0].flatMap((rank) =>
        [0, 1, 2, 3, 4, 5, 6, 7].map((file) => {
          const square = 8 * rank + file;
          const param = panel.start + square;
          const value = read(param);
          const color = diverging(value ?? 0, drawing.most, isDark.value);
          return half === null ? (
            <span key={square} class="cell" style={{ backgroundColor: color }}>{told(value)}</span>
          ) : (
            <Cell key={square} term={term} label={`${panel.title} ${panel.labels[square]}`} param={param} half={half} color={color}
              twin={drawing.isMirrored ? panel.start + (square ^ 7) : undefined} other={drawing.other} />
          );
        }),
      )}
    </div>
  );
}

const HEIGHT = 110;

function Columns({ term, panel, half, read, range: [low, high], drawing }: DrawnProps) {
  const known = panel.labels.map((_, i) => read(panel.start + i));
  const values = known.map((value) => value ?? 0);
  const y = (value: number) => 5 + ((high - value) / Math.max(1, high - low)) * (HEIGHT - 10);
  const zero = y(0);
  const count = values.length;
  const isCurve = panel.kind === 'curve';
  const points = values.map((value, i) => `${10 * i + 5},${y(value).toFixed(1)}`).join(' ');
  return (
    <div class="columns" style={{ '--count': String(count) }}>
      <svg viewBox={`0 0 ${10 * count} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <line x1={0} x2={10 * count} y1={zero} y2={zero} class="axis" />
        {isCurve && <polyline points={points} class="curve" />}
        {values.map((value, i) => {
          const top = Math.min(y(value), zero);
          const height = Math.max(1, Math.abs(y(value) - zero));
          const class_ = value < 0 ? 'negative' : 'positive';
          return isCurve ? (
            <rect key={i} class={class_} x={10 * i + 3.6} width={2.8} y={y(value) - 3} height={6} />
          ) : (
            <rect key={i} class={class_} x={10 * i + 1.5} width={7} y={top} height={height} />
          );
        })}
      </svg>
      <div class="column-cells">
        {known.map((value, i) => (
          <div key={i} class="column">
            {half === null ? (
              <span class="cell">{told(value)}</span>
            ) : (
              <Cell term={term} label={`${panel.title} ${panel.labels[i]}`} param={panel.start + i} half={half} other={drawing.other} isTall />
            )}
            <span class="column-label" title={panel.labels[i]}>{panel.labels[i].replace('rank', '')}</span>
          </div>
        ))}
      </div>
    </div>
  );
}

interface CellProps {
  term: string;
  label: string;
  param: number;
  half: Half;
  color?: string;
  /** A weight that is edited with it. */
  twin?: number;
  other: WeightsDetails | null;
  /** Whether the chart above is part of what can be dragged. */
  isTall?: boolean;
}

function change(param: number, twin: number | undefined, half: Half, value: number, isSame: boolean) {
  const bounded = Math.max(-16000, Math.min(16000, Math.round(value)));
  const params = twin === undefined || twin === param ? [param] : [param, twin];
  edit(
    params.map((which) => {
      const [mg, eg] = valueOf(which);
      return [which, half ? [mg, bounded] : [bounded, eg]];
    }),
    isSame,
  );
}

/** One number: type it, drag it up and down, or use the arrow keys. */
function Cell({ term, label, param, half, color, twin, other, isTall }: CellProps) {
  const drag = useRef<{ y: number; value: number; hasMoved: boolean } | null>(null);
  const value = valueOf(param)[half];
  const isEdited = edits.value[param] !== undefined && edits.value[param][half] !== (half ? details.value?.eg : details.value?.mg)?.[param];
  const error = errorOf(param, half);
  const isUnseen = details.value?.evidence?.unseen.includes(param) ?? false;
  const title = [
    `${term} ${label}, ${HALF_NAMES[half]}`,
    error !== null ? `± ${error.toFixed(1)} (standard error)` : '',
    isUnseen ? 'never seen in the data' : '',
    other ? `${signed(value - otherValue(other, param, half))} beside ${other.name} (${otherValue(other, param, half)})` : '',
  ].filter(Boolean).join('\n');
  const down = (event: PointerEvent) => {
    drag.current = { y: event.clientY, value, hasMoved: false };
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent) => {
    const start = drag.current;
    if (!start) return;
    const steps = Math.round((start.y - event.clientY) / 3);
    if (!start.hasMoved && Math.abs(steps) < 2) return;
    change(param, twin, half, start.value + steps, start.hasMoved);
    start.hasMoved = true;
  };
  const keys = (event: KeyboardEvent) => {
    const step = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
    if (!step) return;
    event.preventDefault();
    change(param, twin, half, value + step, false);
  };
  const classes = ['cell', isEdited ? 'edited' : '', isUnseen ? 'unseen' : '', error !== null && Math.abs(value) < 2 * error ? 'unsure' : '', isTall ? 'tall' : ''];
  return (
    <input
      class={classes.join(' ')}
      inputMode="numeric"
      aria-label={`${term} ${label} ${HALF_NAMES[half]}`}
      title={title}
      data-param={param}
      data-half={half ? 'eg' : 'mg'}
      value={String(value)}
      style={{ backgroundColor: color ?? undefined }}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={() => (drag.current = null)}
      onPointerCancel={() => (drag.current = null)}
      onKeyDown={keys}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => {
        const typed = Number(event.currentTarget.value.replace('−', '-'));
        if (Number.isFinite(typed) && event.currentTarget.value.trim()) change(param, twin, half, typed, false);
        event.currentTarget.value = String(valueOf(param)[half]);
      }}
    />
  );
}
