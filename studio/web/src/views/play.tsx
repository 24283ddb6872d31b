// Play: a game against the engine, with clocks and a strength; afterwards it opens in Analyse with the mistakes marked.

import { effect, signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Clocks } from '../api';
import { type Game, ending, fenOf, newGame, readMove, replay, toPgn } from '../game';
import { Thinker } from '../net';
import { Board } from '../parts/board';
import { wantsReview } from '../parts/review';
import { base, catalogue, choice, go, setGame, tell } from '../state';

type Side = 'white' | 'black';

interface Match {
  game: Game;
  you: Side;
  elo: number;
  clocks: Clocks;
  /** When the side to move began to think; milliseconds since 1970. */
  since: number;
  result: { result: string; reason: string } | null;
}

/** The game that is played; a reload does not lose it. */
const match = signal<Match | null>(JSON.parse(sessionStorage.getItem('marquetry.match') ?? 'null') as Match | null);
effect(() => sessionStorage.setItem('marquetry.match', JSON.stringify(match.value)));

const other = (side: Side): Side => (side === 'white' ? 'black' : 'white');

function left(current: Match, side: Side, turn: Side): number {
  const spent = current.result || current.game.moves.length === 0 || side !== turn ? 0 : Date.now() - current.since;
  return current.clocks[side] - spent;
}

function turnOf(current: Match): Side {
  return replay(current.game).positions[current.game.moves.length].turn;
}

/** Plays a move, charges the clock, and sees whether the game is over. */
function made(uci: string) {
  const current = match.value;
  if (!current || current.result) return;
  const turn = turnOf(current);
  const rest = left(current, turn, turn);
  if (rest <= 0) return end(turn === 'white' ? '0-1' : '1-0', `${turn} ran out of time`);
  const next = { ...current.game, moves: [...current.game.moves, uci] };
  const clocks = { ...current.clocks, [turn]: rest + current.clocks.increment };
  match.value = { ...current, game: next, clocks, since: Date.now(), result: ending(replay(next)) };
}

/** Ends the game; the clock stops where it is. */
function end(result: string, reason: string) {
  const current = match.value;
  if (!current || current.result) return;
  const turn = turnOf(current);
  const clocks = { ...current.clocks, [turn]: Math.max(0, left(current, turn, turn)) };
  match.value = { ...current, clocks, result: { result, reason } };
}

export function Play() {
  return match.value ? <Playing /> : <Setting />;
}

function Setting() {
  const [form, setForm] = useState({ you: 'white', minutes: 5, increment: 3, elo: 1400 });
  const set = (changes: Partial<typeof form>) => setForm({ ...form, ...changes });
  const [least, most] = catalogue.value?.elo ?? [1000, 2800];
  const start = (event: Event) => {
    event.preventDefault();
    const you = form.you === 'random' ? (Math.random() < 0.5 ? 'white' : 'black') : (form.you as Side);
    const engine = `Marquetry ${form.elo > most ? '' : form.elo}`.trim();
    const time = Math.max(1, Math.round(form.minutes * 60_000));
    const tags: [string, string][] = [['White', you === 'white' ? 'You' : engine], ['Black', you === 'black' ? 'You' : engine], ['TimeControl', `${Math.round(form.minutes * 60)}+${form.increment}`]];
    match.value = {
      game: { ...newGame(), tags }, you, elo: form.elo > most ? 0 : form.elo, since: Date.now(), result: null,
      clocks: { white: time, black: time, increment: Math.round(form.increment * 1000) },
    };
  };
  return (
    <form class="card play-setting" onSubmit={start}>
      <h2>Play against {base.value}</h2>
      <label>You play <select value={form.you} onChange={(event) => set({ you: event.currentTarget.value })} data-testid="play-side">
        <option value="white">White</option><option value="black">Black</option><option value="random">either</option>
      </select></label>
      <label>Minutes <input type="number" min={0.1} step="any" value={form.minutes} onChange={(event) => set({ minutes: Number(event.currentTarget.value) || 5 })} data-testid="play-minutes" /></label>
      <label>Seconds a move <input type="number" min={0} step="any" value={form.increment} onChange={(event) => set({ increment: Math.max(0, Number(event.currentTarget.value)) })} /></label>
      <label>
        Strength <output class="number">{form.elo > most ? 'full' : `${form.elo} Elo`}</output>
        <input type="range" aria-label="Strength" min={least} max={most + 100} step={100} value={form.elo} onInput={(event) => set({ elo: Number(event.currentTarget.value) })} data-testid="play-elo" />
      </label>
      <button class="primary" data-testid="play-start">Start</button>
    </form>
  );
}

function Playing() {
  const current = match.value as Match;
  const replayed = replay(current.game);
  const position = replayed.positions[replayed.positions.length - 1];
  const thinker = useRef<Thinker | null>(null);
  const moves = useRef<HTMLDivElement>(null);
  const [, tick] = useState(0);
  const turn = position.turn;
  const isYours = turn === current.you;
  useEffect(() => {
    const own = new Thinker((answer) => {
      if (answer.type === 'played') made(answer.uci);
      else if (answer.type === 'problem') tell(answer.error);
    });
    thinker.current = own;
    return () => own.close();
  }, []);
  useEffect(() => {
    const list = moves.current;
    if (list) list.scrollTop = list.scrollHeight;
  }, [current.game.moves.length]);
  useEffect(() => {
    if (isYours || current.result) return thinker.current?.stop();
    // Its time begins when it is asked: while another view was open, it did not think
    if (match.value) match.value = { ...match.value, since: Date.now() };
    const setup = { weights: choice.value, threads: 1, hash: 64, lines: 1, elo: current.elo || null };
    thinker.current?.ask({ type: 'play', game: { fen: current.game.fen, moves: current.game.moves }, setup, clocks: current.clocks });
  }, [current.game.moves.length, current.result]);
  useEffect(() => {
    if (current.result) return;
    const timer = setInterval(() => {
      if (match.value && left(match.value, turn, turn) <= 0) end(turn === 'white' ? '0-1' : '1-0', `${turn} ran out of time`);
      tick((count) => count + 1);
    }, 100);
    return () => clearInterval(timer);
  }, [turn, current.result]);
  const save = () => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([toPgn(current.game, current.result?.result ?? '*')], { type: 'application/x-chess-pgn' }));
    link.download = 'marquetry-game.pgn';
    link.click();
    URL.revokeObjectURL(link.href);
  };
  const analyse = () => {
    setGame({ ...current.game, tags: [...current.game.tags, ['Result', current.result?.result ?? '*']] }, current.game.moves.length);
    wantsReview.value = true;
    go('analyse');
  };
  const typed = (event: Event) => {
    event.preventDefault();
    const input = (event.currentTarget as HTMLFormElement).elements.namedItem('move') as HTMLInputElement;
    const uci = isYours && !current.result ? readMove(position, input.value) : null;
    input.setAttribute('aria-invalid', String(!uci));
    if (uci) {
      made(uci);
      input.value = '';
    }
  };
  const takeBack = () => {
    const count = isYours ? 2 : 1;
    thinker.current?.stop();
    match.value = { ...current, game: { ...current.game, moves: current.game.moves.slice(0, -count) }, since: Date.now() };
  };
  const top = current.you === 'white' ? 'black' : 'white';
  return (
    <div class="playing">
      <div class="play-board">
        <Clock side={top} current={current} turn={turn} />
        <Board
          position={position}
          isFlipped={current.you === 'black'}
          lastMove={current.game.moves.at(-1)}
          movable={current.result ? undefined : current.you}
          onMove={made}
        />
        <Clock side={other(top)} current={current} turn={turn} />
      </div>
      <div class="card play-side">
        <p class="play-state" role="status" data-testid="play-state" data-plies={current.game.moves.length}>
          {current.result ? `${current.result.result}, ${current.result.reason}` : isYours ? 'Your move.' : 'The engine thinks …'}
        </p>
        <div class="move-list" aria-label="Moves" ref={moves} data-testid="played">
          {replayed.san.map((san, i) => (
            <span key={i}>{i % 2 === 0 && <span class="number">{i / 2 + 1}.</span>} {san}</span>
          ))}
        </div>
        <form class="move-input" onSubmit={typed}><label>Move <input name="move" autocomplete="off" spellcheck={false} placeholder="Nf3 or g1f3" /></label></form>
        <div class="row">
          <button disabled={!!current.result} onClick={() => end(current.you === 'white' ? '0-1' : '1-0', 'you resigned')} data-testid="resign">Resign</button>
          <button disabled={!!current.result || current.game.moves.length < 2 || !isYours} onClick={takeBack}>Take back</button>
          <button onClick={save} data-testid="save-pgn">Save PGN</button>
          <button class="primary" disabled={!current.result} onClick={analyse} data-testid="after">What went wrong?</button>
          <button disabled={!current.result} onClick={() => (match.value = null)} data-testid="again">New game</button>
        </div>
        <p class="faint">{fenOf(position)}</p>
      </div>
    </div>
  );
}

function Clock({ side, current, turn }: { side: Side; current: Match; turn: Side }) {
  const rest = Math.max(0, left(current, side, turn));
  const [minutes, seconds] = [Math.floor(rest / 60_000), (rest % 60_000) / 1000];
  const name = side === current.you ? 'You' : `Marquetry${current.elo ? ` ${current.elo}` : ''}`;
  return (
    <div class={`clock ${side === turn && !current.result ? 'running' : ''}`} aria-label={`${name}, ${side}`}>
      <span>{name}</span>
      <span class="number" role="timer">{minutes}:{minutes === 0 && seconds < 20 ? seconds.toFixed(1).padStart(4, '0') : String(Math.floor(seconds)).padStart(2, '0')}</span>
    </div>
  );
}
