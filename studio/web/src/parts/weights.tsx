// Which weights are in use: presets, files and saved ones.

import { base, chooseWeights, dropEdits, editCount, weightsList } from '../state';

const ORIGINS = { preset: 'Presets', file: 'Files', saved: 'Saved here' } as const;

/** The names in groups. */
export function WeightsOptions() {
  return (
    <>
      {Object.entries(ORIGINS).map(([origin, title]) => {
        const names = weightsList.value.filter((known) => known.origin === origin);
        return names.length ? (
          <optgroup key={origin} label={title}>
            {names.map(({ name, description }) => (
              <option key={name} value={name} title={description}>{name}</option>
            ))}
          </optgroup>
        ) : null;
      })}
    </>
  );
}

/** The weights that all views use. */
export function WeightsSelect() {
  return (
    <div class="weights-select">
      <label>
        Weights{' '}
        <select data-testid="weights" value={base.value} onChange={(event) => void chooseWeights(event.currentTarget.value)}>
          {weightsList.value.length ? <WeightsOptions /> : <option value={base.value}>{base.value}</option>}
        </select>
      </label>
      <button class="badge" disabled={!editCount.value} onClick={dropEdits} title="Take the weights as they were" data-testid="edit-count">
        {editCount.value} edited
      </button>
    </div>
  );
}
