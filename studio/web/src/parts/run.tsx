// A run as it goes: where it stands, and what can be wanted of it.

import type { Action, RunDetails, RunSummary } from '../api';
import { get, post } from '../net';
import { runs, tell } from '../state';
import { useAnswer } from './answer';

/** All that is known of a run, asked for again when something happens in it. */
export function useRun(id: number): RunDetails | null {
  const summary = runs.value.find((run) => run.id === id);
  const key = summary ? `${summary.id} ${summary.games} ${summary.status} ${summary.request} ${summary.updated}` : String(id);
  const details = useAnswer(key, () => get<RunDetails>(`runs/${id}`));
  return details?.summary.id === id ? details : null;
}

async function want(id: number, action: Action) {
  try {
    await post(`runs/${id}/request`, { action });
  } catch (error) {
    tell(error);
  }
}

export function RunButtons({ run }: { run: RunSummary }) {
  const isPausing = run.request === 'pause' || run.status === 'paused';
  return (
    <div class="row" role="group" aria-label={`Run ${run.id}`}>
      <button disabled={!run.can_pause || isPausing} onClick={() => void want(run.id, 'pause')} data-testid="pause">Pause</button>
      <button disabled={run.is_alive ? !isPausing : !run.can_resume} onClick={() => void want(run.id, 'resume')} data-testid="resume">Resume</button>
      <button disabled={!run.is_alive || run.request === 'stop'} onClick={() => void want(run.id, 'stop')} data-testid="stop">Stop</button>
      <span class="hint">{run.request !== 'none' && run.is_alive && run.status !== 'paused' ? `asked to ${run.request}` : ''}</span>
    </div>
  );
}

/** The sequential test as a gauge between its bounds. */
export function TestGauge({ details }: { details: RunDetails }) {
  const test = details.digest.sprt;
  if (!test) return null;
  const [low, high] = test.bounds;
  const share = Math.max(0, Math.min(100, (100 * (test.llr - low)) / (high - low)));
  const verdict = test.verdict === 'H1' ? 'accepted: stronger' : test.verdict === 'H0' ? 'rejected: no such gain' : 'not decided yet';
  return (
    <div class="gauge" data-testid="gauge">
      <div class="gauge-track" role="meter" aria-valuemin={low} aria-valuemax={high} aria-valuenow={test.llr} aria-label="Log-likelihood ratio">
        <i style={{ left: `${share}%` }} />
      </div>
      <div class="row number">
        <span>{low.toFixed(2)}</span>
        <strong>LLR {test.llr.toFixed(2)}, {verdict}</strong>
        <span>{high.toFixed(2)}</span>
      </div>
      <span class="faint">between {test.elo0} and {test.elo1} Elo (normalized)</span>
    </div>
  );
}

/** A run in brief, live. */
export function RunCard({ id, onOpen }: { id: number; onOpen: () => void }) {
  const details = useRun(id);
  const summary = runs.value.find((run) => run.id === id) ?? details?.summary;
  return (
    <div class="run-card" data-testid="run-card" data-run={id} data-status={summary?.status}>
      <strong>Run {id}: {summary?.status ?? '…'}</strong>
      <p class="number">{summary ? `${summary.games} games. ${summary.sentence}` : ''}</p>
      {details && <TestGauge details={details} />}
      {summary && <RunButtons run={summary} />}
      <button onClick={onOpen}>Open in the laboratory</button>
    </div>
  );
}
