// Tables: every weight of the evaluation, drawn by its axis; change one, see at once what it does, and prove it.

import { useEffect, useMemo, useState } from 'preact/hooks';
import type { CatalogueTerm, Choice, Effect, Started, WeightsDetails, WeightsName } from '../api';
import { get, post, postForText } from '../net';
import { useAnswer } from '../parts/answer';
import { Board } from '../parts/board';
import { Legend } from '../parts/legend';
import { type Drawing, PanelView, shown } from '../parts/panels';
import { RunCard } from '../parts/run';
import { pawns, signed, words, worth } from '../parts/scale';
import { WeightsOptions } from '../parts/weights';
import {
  base, canRedoEdit, canUndoEdit, catalogue, choice, chooseWeights, details, editCount, edits, fen, game, go, isFlipped, loadWeightsList,
  original, playMove, ply, position, proof, redoEdit, route, tell, undoEdit, valueOf, weightsList,
} from '../state';

export function Tables() {
  const terms = catalogue.value?.terms ?? [];
  const term = terms.find((known) => known.name === route.value.rest) ?? terms[0];
  const [phase, setPhase] = useState(128);
  const [isMirrored, setMirrored] = useState(false);
  const [hasErrors, setErrors] = useState(false);
  const [otherName, setOtherName] = useState('');
  const [other, setOther] = useState<WeightsDetails | null>(null);
  useEffect(() => {
    setOther(null);
    if (otherName) get<WeightsDetails>(`weights/${encodeURIComponent(otherName)}`).then(setOther).catch(tell);
  }, [otherName]);
  useEffect(() => {
    const keys = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return;
      event.preventDefault();
      if (event.shiftKey) redoEdit();
      else undoEdit();
    };
    addEventListener('keydown', keys);
    return () => removeEventListener('keydown', keys);
  }, []);
  const isTuned = details.value?.evidence?.mg_errors.some((error) => error !== null) ?? false;
  if (!term || !details.value) return <p class="waiting">…</p>;
  const weights = term.panels.flatMap((panel) => panel.labels.map((_, i) => panel.start + i));
  const most = Math.max(5, ...weights.flatMap((param) => [shown(param, 0, other), shown(param, 1, other)]).map(Math.abs));
  const drawing: Drawing = { phase, other, isMirrored, hasErrors: hasErrors && isTuned, most };
  const evidence = details.value.evidence;
  const hints = [
    evidence && `hatched: never seen in the data (${evidence.unseen.length})`,
    isTuned && 'underlined with dots: less than two standard errors from 0',
  ].filter(Boolean);
  return (
    <div class="three-columns">
      <TermList terms={terms} current={term} />
      <section class="term" aria-label={words(term.name)}>
        <div class="card term-head">
          <div>
            <h2>{words(term.name)}</h2>
            <p>{term.doc} <span class="faint">{words(term.group)}{term.channel === 'danger' ? '; danger counts by its square' : ''}</span></p>
          </div>
          <div class="row">
            <label class="phase-slider">
              Phase <output class="number">{phase}</output>
              <input type="range" aria-label="Phase" min={0} max={256} value={phase} onInput={(event) => setPhase(Number(event.currentTarget.value))} />
            </label>
            <label>
              Compare with{' '}
              <select value={otherName} onChange={(event) => setOtherName(event.currentTarget.value)} data-testid="compare-with">
                <option value="">nothing</option>
                <WeightsOptions />
              </select>
            </label>
            <label class="check">
              <input type="checkbox" checked={isMirrored} onChange={(event) => setMirrored(event.currentTarget.checked)} />
              Edit both wings
            </label>
            {isTuned && (
              <label class="check">
                <input type="checkbox" checked={hasErrors} onChange={(event) => setErrors(event.currentTarget.checked)} data-testid="show-errors" />
                Standard errors
              </label>
            )}
            <button onClick={undoEdit} disabled={!canUndoEdit.value} data-testid="undo-edit" title="Ctrl+Z">Undo</button>
            <button onClick={redoEdit} disabled={!canRedoEdit.value} title="Ctrl+Shift+Z">Redo</button>
          </div>
          <div class="row">
            <Legend from="" to="" most={most} unit={`units, ${details.value.unit} to the pawn`} />
            <span class="faint">
              {hints.length ? hints.join('; ') : 'Drag a number up or down, type, or use the arrow keys.'}
            </span>
          </div>
        </div>
        {term.panels.map((panel) => <PanelView key={panel.start} term={words(term.name)} panel={panel} drawing={drawing} />)}
      </section>
      <aside class="effect-column" aria-label="Effect">
        <EffectCard />
        <ProveCard />
        <SaveCard />
      </aside>
    </div>
  );
}

function TermList({ terms, current }: { terms: CatalogueTerm[]; current: CatalogueTerm }) {
  const [filter, setFilter] = useState('');
  const isEdited = (term: CatalogueTerm) => term.panels.some((panel) => panel.labels.some((_, i) => edits.value[panel.start + i]));
  const isUsed = (term: CatalogueTerm) => term.panels.some((panel) => panel.labels.some((_, i) => valueOf(panel.start + i).some((value) => value !== 0)));
  const wanted = terms.filter((term) => `${words(term.name)} ${term.group}`.toLowerCase().includes(filter.toLowerCase()));
  return (
    <nav class="term-list card" aria-label="Terms">
      <label>
        <span class="sr">Find a term</span>
        <input type="search" placeholder="Find a term" value={filter} onInput={(event) => setFilter(event.currentTarget.value)} />
      </label>
      {(catalogue.value?.groups ?? []).map((group) => {
        const members = wanted.filter((term) => term.group === group);
        return members.length ? (
          <div key={group}>
            <h3>{words(group)}</h3>
            {members.map((term) => (
              <a key={term.name} href={`#/tables/${term.name}`} aria-current={term === current ? 'true' : undefined}
                class={`${isUsed(term) ? '' : 'unused'} ${isEdited(term) ? 'edited' : ''}`} title={term.doc}>
                {words(term.name)}
              </a>
            ))}
          </div>
        ) : null;
      })}
    </nav>
  );
}

/** Nodes of the search that finds the best move. */
const NODES = 20_000;

/** What weights say of the position on the board. */
function useEffectOf(weights: Choice): Effect | null {
  const request = { fen: fen.value, weights, nodes: NODES };
  return useAnswer(JSON.stringify(request), () => post<Effect>('effect', request), 60);
}

/** What the edits do to the position on the board. */
function EffectCard() {
  const before = useEffectOf(original.value);
  const after = useEffectOf(choice.value);
  const arrows = useMemo(() => {
    const arrow = (effect: Effect | null, brush: string) => (effect?.best ? [{ orig: effect.best.slice(0, 2), dest: effect.best.slice(2, 4), brush }] : []);
    return [...arrow(before, 'paleGrey'), ...arrow(after, 'green')] as never[];
  }, [before?.best, after?.best]);
  const difference = before && after ? after.white_cp - before.white_cp : 0;
  const cell = (effect: Effect | null, name: string) => (
    <>
      <td class="number" data-testid={`cp-${name}`} data-cp={effect?.white_cp}>{effect ? pawns(effect.white_cp) : '…'}</td>
      <td data-testid={`best-${name}`}>{effect?.line ? `${effect.line.san[0]} ${worth(effect.line)}` : effect ? 'none' : '…'}</td>
    </>
  );
  return (
    <div class="card">
      <h2>Effect</h2>
      <Board position={position.value} isFlipped={isFlipped.value} arrows={arrows} movable="both" onMove={playMove}
        lastMove={ply.value ? game.value.moves[ply.value - 1] : undefined} />
      <table class="effect">
        <thead><tr><th /><th class="number">Evaluation</th><th>Best move</th></tr></thead>
        <tbody>
          <tr><th>{base.value}</th>{cell(before, 'before')}</tr>
          <tr><th>edited</th>{cell(after, 'after')}</tr>
          <tr><th>change</th><td class="number" data-testid="cp-change">{signed(difference)} cp</td><td>{before && after && before.best !== after.best ? 'another move' : 'the same move'}</td></tr>
        </tbody>
      </table>
      <p class="faint">Best moves by {NODES / 1000} k nodes. Choose the position in Analyse.</p>
    </div>
  );
}

/** A sequential test of the edited weights against the original ones. */
function ProveCard() {
  const [form, setForm] = useState({ nodes: 5000, rounds: 5000, elo0: 0, elo1: 5, concurrency: Math.max(1, (catalogue.value?.threads ?? 2) - 1) });
  const [isBusy, setBusy] = useState(false);
  const number = (label: string, key: keyof typeof form) => (
    <label>
      {label}{' '}
      <input type="number" value={form[key]} data-testid={`prove-${key}`} onChange={(event) => setForm({ ...form, [key]: Number(event.currentTarget.value) })} />
    </label>
  );
  const start = async () => {
    setBusy(true);
    try {
      const started = await post<Started>('matches', {
        first: { name: `${base.value}-edited`, weights: choice.value },
        second: { name: base.value, weights: original.value },
        nodes: form.nodes, clock: null, rounds: form.rounds, concurrency: form.concurrency, sprt: [form.elo0, form.elo1], seed: Date.now() % 1_000_000,
      });
      proof.value = started.run;
    } catch (error) {
      tell(error);
    }
    setBusy(false);
  };
  return (
    <div class="card">
      <h2>Prove it</h2>
      <p class="faint">A sequential test of the edited weights against {base.value}. It goes on when this page or the server is closed.</p>
      <div class="row">
        {number('Nodes a move', 'nodes')} {number('Pairs at most', 'rounds')} {number('At once', 'concurrency')} {number('elo0', 'elo0')} {number('elo1', 'elo1')}
      </div>
      <button class="primary" onClick={() => void start()} disabled={!editCount.value || isBusy} data-testid="prove">
        {isBusy ? 'Starting …' : editCount.value ? `Prove ${editCount.value} ${editCount.value === 1 ? 'change' : 'changes'}` : 'Change a weight first'}
      </button>
      {proof.value !== null && <RunCard id={proof.value} onOpen={() => go('laboratory', String(proof.value))} />}
    </div>
  );
}

const isTaken = (name: string) => weightsList.value.some((known) => known.name === name);

/** The name itself, or with the first number that no other weights have. */
function freeName(wanted: string): string {
  let name = wanted;
  for (let number = 2; isTaken(name); number++) name = `${wanted}-${number}`;
  return name;
}

function SaveCard() {
  const [name, setName] = useState('');
  const [note, setNote] = useState('');
  const save = async () => {
    try {
      const saved = await post<WeightsName>('weights', { name, description: '', weights: choice.value });
      await loadWeightsList();
      await chooseWeights(saved.name);
      setNote(`Saved as ${saved.name}.`);
    } catch (error) {
      tell(error);
    }
  };
  const download = async () => {
    try {
      const text = await postForText('weights/download', choice.value);
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([text], { type: 'application/toml' }));
      link.download = `${name || base.value}.toml`;
      link.click();
      URL.revokeObjectURL(link.href);
    } catch (error) {
      tell(error);
    }
  };
  const open = async (file: File | undefined) => {
    if (!file) return;
    try {
      const wanted = file.name.replace(/\.toml$/, '').replace(/[^A-Za-z0-9_-]/g, '-').slice(0, 36);
      const read = await post<WeightsName>('weights/import', { name: freeName(wanted), text: await file.text() });
      await loadWeightsList();
      await chooseWeights(read.name);
      setNote(`${read.name} is open.`);
    } catch (error) {
      tell(error);
    }
  };
  return (
    <div class="card">
      <h2>Keep it</h2>
      <div class="row">
        <label>Name <input value={name} placeholder="my-weights" onInput={(event) => setName(event.currentTarget.value)} data-testid="save-name" /></label>
        <button onClick={() => void save()} disabled={!name} data-testid="save">{isTaken(name) ? 'Replace' : 'Save'}</button>
        <button onClick={() => void download()}>Download</button>
      </div>
      <label>Open a weights file <input type="file" accept=".toml" onChange={(event) => void open(event.currentTarget.files?.[0])} /></label>
      <p class="hint" role="status">{note}</p>
    </div>
  );
}
