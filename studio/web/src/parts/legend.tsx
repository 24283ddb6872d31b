// What colours mean.

import { isDark } from '../state';
import { diverging } from './scale';

export function Legend({ from, to, most, unit }: { from: string; to: string; most: number; unit: string }) {
  const steps = [-1, -0.66, -0.33, 0, 0.33, 0.66, 1];
  return (
    <div class="scale-legend" role="img" aria-label={`Colours: orange is ${from}, blue is ${to}, the strongest at ${most} ${unit}`}>
      <span>{from} −{most}</span>
      {steps.map((step) => <i key={step} style={{ background: diverging(step, 1, isDark.value) }} />)}
      <span>+{most} {to}</span>
      <span class="faint">{unit}</span>
    </div>
  );
}
