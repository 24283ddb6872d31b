// What all views share: the game on the board, the weights with their edits, and settings. It outlives a reload of the tab.

import { batch, computed, effect, signal } from '@preact/signals';
import type { Catalogue, Choice, RunSummary, WeightsDetails, WeightsName } from './api';
import { type Game, fenOf, newGame, replay } from './game';
import { get, listenToRuns, sentence } from './net';

export const VIEWS = ['analyse', 'explain', 'tables', 'laboratory', 'play'] as const;
export type View = (typeof VIEWS)[number];

/** The view and what is behind it in the address, such as a run's number. */
export const route = signal<{ view: View; rest: string }>(readRoute());

function readRoute(): { view: View; rest: string } {
  const [view, ...rest] = location.hash.replace(/^#\/?/, '').split('/');
  return { view: (VIEWS as readonly string[]).includes(view) ? (view as View) : 'analyse', rest: rest.join('/') };
}

addEventListener('hashchange', () => (route.value = readRoute()));

export function go(view: View, rest = '') {
  location.hash = `/${view}${rest ? `/${rest}` : ''}`;
}

// What went wrong, told at the bottom of the page

export const trouble = signal('');
let troubleTimer = 0;

export function tell(error: unknown) {
  trouble.value = sentence(error);
  clearTimeout(troubleTimer);
  troubleTimer = window.setTimeout(() => (trouble.value = ''), 9000);
}

// Kept for the tab

function kept<T>(key: string, initial: T, place: Storage = sessionStorage) {
  let value = initial;
  try {
    const text = place.getItem(`marquetry.${key}`);
    if (text) value = JSON.parse(text) as T;
  } catch {
    // What cannot be read is as good as not there
  }
  const made = signal<T>(value);
  effect(() => place.setItem(`marquetry.${key}`, JSON.stringify(made.value)));
  return made;
}

// The game, and how it was before

export const game = kept<Game>('game', newGame());
export const ply = kept('ply', 0);
export const isFlipped = kept('flipped', false);
const past = signal<{ game: Game; ply: number }[]>([]);
const future = signal<{ game: Game; ply: number }[]>([]);
export const canUndo = computed(() => past.value.length > 0);
export const canRedo = computed(() => future.value.length > 0);

export const replayed = computed(() => replay(game.value));
export const position = computed(() => replayed.value.positions[Math.min(ply.value, replayed.value.positions.length - 1)]);
export const fen = computed(() => fenOf(position.value));

export function setGame(next: Game, at: number) {
  batch(() => {
    past.value = [...past.value.slice(-99), { game: game.value, ply: ply.value }];
    future.value = [];
    game.value = next;
    ply.value = at;
  });
}

export function undo() {
  const last = past.value.at(-1);
  if (!last) return;
  batch(() => {
    future.value = [...future.value, { game: game.value, ply: ply.value }];
    past.value = past.value.slice(0, -1);
    game.value = last.game;
    ply.value = last.ply;
  });
}

export function redo() {
  const next = future.value.at(-1);
  if (!next) return;
  batch(() => {
    past.value = [...past.value, { game: game.value, ply: ply.value }];
    future.value = future.value.slice(0, -1);
    game.value = next.game;
    ply.value = next.ply;
  });
}

export function goTo(number: number) {
  ply.value = Math.max(0, Math.min(number, replayed.value.positions.length - 1));
}

/** Plays a move where the board stands; the moves behind it go, unless it is one of them. */
export function playMove(uci: string) {
  if (game.value.moves[ply.value] === uci) return goTo(ply.value + 1);
  setGame({ ...game.value, moves: [...game.value.moves.slice(0, ply.value), uci] }, ply.value + 1);
}

// Weights

export const catalogue = signal<Catalogue | null>(null);
export const weightsList = signal<WeightsName[]>([]);
export const base = kept('base', 'default');
/** By weight: middlegame and endgame. */
export const edits = kept<Record<number, [number, number]>>('edits', {});
export const details = signal<WeightsDetails | null>(null);
const pastEdits = signal<Record<number, [number, number]>[]>([]);
const futureEdits = signal<Record<number, [number, number]>[]>([]);
export const canUndoEdit = computed(() => pastEdits.value.length > 0);
export const canRedoEdit = computed(() => futureEdits.value.length > 0);
export const editCount = computed(() => Object.keys(edits.value).length);

export const choice = computed<Choice>(() => ({
  base: base.value,
  edits: Object.entries(edits.value).map(([param, [mg, eg]]) => ({ param: Number(param), mg, eg })),
}));

/** The run that proves the edits, or is to. */
export const proof = kept<number | null>('proof', null);

export const original = computed<Choice>(() => ({ base: base.value, edits: [] }));

export function valueOf(param: number): [number, number] {
  const known = details.value;
  return edits.value[param] ?? [known?.mg[param] ?? 0, known?.eg[param] ?? 0];
}

/** Changes weights. Small steps of one drag are one change. */
export function edit(changes: [number, [number, number]][], isSameChange = false) {
  const known = details.value;
  if (!known) return;
  const next = { ...edits.value };
  for (const [param, [mg, eg]] of changes) {
    if (mg === known.mg[param] && eg === known.eg[param]) delete next[param];
    else next[param] = [mg, eg];
  }
  batch(() => {
    if (!isSameChange) pastEdits.value = [...pastEdits.value.slice(-199), edits.value];
    futureEdits.value = [];
    edits.value = next;
  });
}

export function undoEdit() {
  const last = pastEdits.value.at(-1);
  if (!last) return;
  batch(() => {
    futureEdits.value = [...futureEdits.value, edits.value];
    pastEdits.value = pastEdits.value.slice(0, -1);
    edits.value = last;
  });
}

export function redoEdit() {
  const next = futureEdits.value.at(-1);
  if (!next) return;
  batch(() => {
    pastEdits.value = [...pastEdits.value, edits.value];
    futureEdits.value = futureEdits.value.slice(0, -1);
    edits.value = next;
  });
}

export function dropEdits() {
  if (editCount.value) {
    pastEdits.value = [...pastEdits.value, edits.value];
    edits.value = {};
  }
}

/** The last choice counts, in whatever order the answers come. */
let choices = 0;

export async function chooseWeights(name: string) {
  const number = ++choices;
  try {
    const found = await get<WeightsDetails>(`weights/${encodeURIComponent(name)}`);
    if (number !== choices) return;
    batch(() => {
      if (base.value !== name) {
        edits.value = {};
        pastEdits.value = [];
        futureEdits.value = [];
      }
      base.value = name;
      details.value = found;
    });
  } catch (error) {
    tell(error);
    if (name !== 'default' && number === choices) await chooseWeights('default');
  }
}

export async function loadWeightsList() {
  try {
    weightsList.value = await get<WeightsName[]>('weights');
  } catch (error) {
    tell(error);
  }
}

// The engine's settings

export const engine = kept('engine', { threads: 1, hash: 64, lines: 3, elo: 0 });
export const isThinking = kept('thinking', true);

// Looks

export type Theme = 'system' | 'light' | 'dark';
export const theme = kept<Theme>('theme', 'system', localStorage);
const systemDark = matchMedia('(prefers-color-scheme: dark)');
const prefersDark = signal(systemDark.matches);
systemDark.addEventListener('change', () => (prefersDark.value = systemDark.matches));
export const isDark = computed(() => (theme.value === 'system' ? prefersDark.value : theme.value === 'dark'));
effect(() => {
  document.documentElement.dataset.theme = isDark.value ? 'dark' : 'light';
});

// Runs, always as they are

export const runs = signal<RunSummary[]>([]);
export const isConnected = signal(true);

export async function begin() {
  listenToRuns((live) => (runs.value = live.runs), (isOpen) => (isConnected.value = isOpen));
  void loadWeightsList();
  const [found] = await Promise.all([get<Catalogue>('catalogue'), chooseWeights(base.value)]);
  catalogue.value = found;
}
