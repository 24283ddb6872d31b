// The evaluation over a game: a column for each position, stacked from the shares of groups of terms, and a line for the sum.

import type { Graph as GraphData } from '../api';
import { post } from '../net';
import { choice, game, goTo, ply, replayed } from '../state';
import { useAnswer } from './answer';
import { KINDS, pawns, words } from './scale';

const WIDTH = 1000;
const HEIGHT = 190;
/** So many groups have a colour of their own. */
const SHOWN = 7;

function useGraph(): GraphData | null {
  const request = { game: { fen: game.value.fen, moves: game.value.moves }, weights: choice.value };
  return useAnswer(JSON.stringify(request), () => post<GraphData>('graph', request), 80);
}

/** The groups with the largest shares, and the rest as one. */
function kindsOf(data: GraphData): string[] {
  const sums = new Map<string, number>();
  for (const point of data.points) {
    for (const [group, cp] of point.groups) sums.set(group, (sums.get(group) ?? 0) + Math.abs(cp));
  }
  return [...sums].filter(([, sum]) => sum > 0).sort((a, b) => b[1] - a[1]).slice(0, SHOWN).map(([group]) => group);
}

export function Graph({ marks }: { marks?: Map<number, { kind: string }> }) {
  const data = useGraph();
  const points = data?.points ?? [];
  const kinds = data ? kindsOf(data) : [];
  const columns = points.map((point) => {
    const shares = kinds.map((kind) => point.groups.find(([group]) => group === kind)?.[1] ?? 0);
    const rest = point.white_cp - shares.reduce((sum, cp) => sum + cp, 0);
    return [...shares, rest];
  });
  const extent = (shares: number[]) => {
    const up = shares.filter((cp) => cp > 0).reduce((sum, cp) => sum + cp, 0);
    const down = shares.filter((cp) => cp < 0).reduce((sum, cp) => sum - cp, 0);
    return Math.max(up, down);
  };
  const most = Math.min(3000, Math.max(100, ...columns.map(extent)));
  const y = (cp: number) => HEIGHT / 2 - (Math.max(-most, Math.min(most, cp)) / most) * (HEIGHT / 2 - 6);
  const step = WIDTH / Math.max(points.length, 24);
  const paths = [...kinds, 'others'].map((_, kind) =>
    columns
      .map((shares, i) => {
        const cp = shares[kind];
        if (Math.abs(cp) < 0.5) return '';
        const below = shares.slice(0, kind).filter((other) => other * cp > 0).reduce((sum, other) => sum + other, 0);
        const [top, bottom] = [y(below + cp), y(below)];
        return `M${(i * step + step * 0.1).toFixed(1)} ${top.toFixed(1)}h${(step * 0.8).toFixed(1)}V${bottom.toFixed(1)}h${(-step * 0.8).toFixed(1)}z`;
      })
      .join(''),
  );
  const line = points.map((point, i) => `${i ? 'L' : 'M'}${((i + 0.5) * step).toFixed(1)} ${y(point.white_cp).toFixed(1)}`).join('');
  const jump = (event: MouseEvent) => {
    const box = (event.currentTarget as SVGElement).getBoundingClientRect();
    goTo(Math.floor(((event.clientX - box.left) / box.width) * (WIDTH / step)));
  };
  const here = points[ply.value];
  return (
    <figure class="graph">
      <figcaption>
        <span>Static evaluation over the game, by groups of terms</span>
        <span class="number" data-testid="graph-now">
          {here ? `${ply.value ? replayed.value.san[ply.value - 1] : 'start'}: ${pawns(here.white_cp)}` : ''}
        </span>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label="Evaluation over the game; click to jump" onClick={jump} data-testid="graph">
        <rect class="graph-here" x={ply.value * step} y={0} width={step} height={HEIGHT} />
        {[0.5, 0.25, 0.75].map((share) => (
          <line key={share} class={share === 0.5 ? 'axis' : 'grid'} x1={0} x2={WIDTH} y1={HEIGHT * share} y2={HEIGHT * share} />
        ))}
        {paths.map((d, kind) => <path key={kind} d={d} fill={KINDS[kind]} />)}
        <path class="graph-sum" d={line} />
        {[...(marks ?? [])].map(([at, { kind }]) => (
          <circle key={at} class={kind} cx={(at + 0.5) * step} cy={y(points[at]?.white_cp ?? 0)} r={5} />
        ))}
      </svg>
      <ul class="legend">
        {kinds.map((kind, i) => (
          <li key={kind}><i style={{ background: KINDS[i] }} />{words(kind)}</li>
        ))}
        {kinds.length > 0 && <li><i style={{ background: KINDS[kinds.length] }} />others</li>}
        <li><i class="sum" />sum, ±{(most / 100).toFixed(1)} pawns</li>
      </ul>
    </figure>
  );
}
