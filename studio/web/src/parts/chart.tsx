// Curves by uPlot, in the page's colours, as wide as there is room.

import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { isDark } from '../state';
import { KINDS } from './scale';

export interface Curve {
  name: string;
  values: (number | null)[];
  color?: string;
  width?: number;
  dash?: number[];
  /** Drawn without a line, as the edge of a band to the curve before it. */
  isEdge?: boolean;
  digits?: number;
}

interface Props {
  label: string;
  /** What stands below: games, epochs. */
  unit: string;
  x: number[];
  curves: Curve[];
  height?: number;
  testid?: string;
}

export function Chart({ label, unit, x, curves, height = 220, testid }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const names = curves.map((curve) => curve.name).join('\n');
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const style = getComputedStyle(document.documentElement);
    const ink = style.getPropertyValue('--faint').trim();
    const line = style.getPropertyValue('--line').trim();
    const axis: uPlot.Axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { stroke: line } };
    const series: uPlot.Series[] = curves.map((curve, i) => ({
      label: curve.name,
      stroke: curve.isEdge ? 'transparent' : (curve.color ?? KINDS[i % KINDS.length]),
      width: curve.isEdge ? 0 : (curve.width ?? 2),
      dash: curve.dash,
      points: { show: x.length === 1 },
      value: (_, value) => (value == null ? '–' : value.toFixed(curve.digits ?? 2)),
    }));
    const edges = curves.flatMap((curve, i) => (curve.isEdge ? [i + 1] : []));
    plot.current = new uPlot(
      {
        width: element.clientWidth,
        height,
        series: [{ label: unit }, ...series],
        scales: { x: { time: false } },
        // Games and epochs are whole
        axes: [{ ...axis, incrs: [1, 2, 5].flatMap((n) => [0, 1, 2, 3, 4, 5].map((zeros) => n * 10 ** zeros)).sort((a, b) => a - b) }, { ...axis, size: 60 }],
        bands: edges.length === 2 ? [{ series: [edges[1], edges[0]], fill: 'rgba(0, 114, 178, 0.18)' }] : [],
        cursor: { drag: { x: true, y: false } },
      },
      [x, ...curves.map((curve) => curve.values)] as uPlot.AlignedData,
      element,
    );
    const resize = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height }));
    resize.observe(element);
    return () => {
      resize.disconnect();
      plot.current?.destroy();
      plot.current = null;
    };
  }, [names, isDark.value, height]);
  useEffect(() => plot.current?.setData([x, ...curves.map((curve) => curve.values)] as uPlot.AlignedData), [x, curves]);
  return (
    <figure class="chart" data-testid={testid} style={{ minHeight: `${height + 34}px` }}>
      <figcaption>{label}</figcaption>
      <div ref={place} role="img" aria-label={label} />
    </figure>
  );
}
