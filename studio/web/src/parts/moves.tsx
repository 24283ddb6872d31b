// The moves of the game, the buttons and keys to go through them, and ways to bring another game or position.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { Explanation, PgnGame } from '../api';
import { type Game, fenOf, moveNumber, newGame, positionOf, readMove, toPgn } from '../game';
import { post } from '../net';
import { canRedo, canUndo, fen, game, goTo, isFlipped, playMove, ply, position, redo, replayed, setGame, tell, trouble, undo } from '../state';

/** What is said of a move: a mark, and in words. */
export interface Remark {
  mark: string;
  kind: 'inaccuracy' | 'mistake' | 'blunder';
}

const isTyping = (event: KeyboardEvent) => event.target instanceof HTMLElement && !!event.target.closest('input, select, textarea');

/** Arrows go through the game, f turns the board, Ctrl+Z takes changes back. */
export function useGameKeys() {
  useEffect(() => {
    const keys = (event: KeyboardEvent) => {
      if (isTyping(event) || event.altKey) return;
      const isControl = event.ctrlKey || event.metaKey;
      if (isControl && event.key.toLowerCase() === 'z') {
        event.preventDefault();
        if (event.shiftKey) redo();
        else undo();
        return;
      }
      if (isControl) return;
      const actions: Record<string, () => void> = {
        ArrowLeft: () => goTo(ply.value - 1),
        ArrowRight: () => goTo(ply.value + 1),
        Home: () => goTo(0),
        End: () => goTo(Number.MAX_SAFE_INTEGER),
        f: () => (isFlipped.value = !isFlipped.value),
      };
      const action = actions[event.key];
      if (action) {
        event.preventDefault();
        action();
      }
    };
    addEventListener('keydown', keys);
    return () => removeEventListener('keydown', keys);
  }, []);
}

export function GameButtons() {
  const last = replayed.value.positions.length - 1;
  const button = (text: string, label: string, action: () => void, isOff = false) => (
    <button onClick={action} disabled={isOff} aria-label={label} title={label}>{text}</button>
  );
  return (
    <div class="game-buttons" role="toolbar" aria-label="Game">
      {button('|◀', 'First position (Home)', () => goTo(0), ply.value === 0)}
      {button('◀', 'Back (←)', () => goTo(ply.value - 1), ply.value === 0)}
      {button('▶', 'Forward (→)', () => goTo(ply.value + 1), ply.value >= last)}
      {button('▶|', 'Last position (End)', () => goTo(last), ply.value >= last)}
      {button('⇅', 'Flip the board (f)', () => (isFlipped.value = !isFlipped.value))}
      {button('↶', 'Undo (Ctrl+Z)', undo, !canUndo.value)}
      {button('↷', 'Redo (Ctrl+Shift+Z)', redo, !canRedo.value)}
      {button('New', 'New game', () => setGame(newGame(), 0))}
    </div>
  );
}

/** A move typed instead of dragged. */
export function MoveInput({ onMove = playMove }: { onMove?: (uci: string) => void }) {
  const [isWrong, setWrong] = useState(false);
  const submit = (event: Event) => {
    event.preventDefault();
    const input = (event.currentTarget as HTMLFormElement).elements.namedItem('move') as HTMLInputElement;
    const uci = readMove(position.value, input.value);
    setWrong(!uci);
    if (uci) {
      onMove(uci);
      input.value = '';
    }
  };
  return (
    <form class="move-input" onSubmit={submit}>
      <label>
        Move{' '}
        <input name="move" autocomplete="off" spellcheck={false} placeholder="Nf3 or g1f3" aria-invalid={isWrong} onInput={() => setWrong(false)} />
      </label>
      <span class="hint" role="status">{isWrong ? 'not legal here' : ''}</span>
    </form>
  );
}

export function MoveList({ remarks }: { remarks?: Map<number, Remark> }) {
  const { san, positions } = replayed.value;
  const current = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const list = current.current?.parentElement;
    if (list && current.current) list.scrollTop = current.current.offsetTop - list.clientHeight / 2;
  }, [ply.value]);
  return (
    <div class="move-list" aria-label="Moves" data-testid="moves">
      {san.length === 0 && <span class="faint">Play a move on the board, or paste a game below.</span>}
      {san.map((move, i) => {
        const remark = remarks?.get(i + 1);
        return (
          <>
            {(positions[i].turn === 'white' || i === 0) && <span class="number">{moveNumber(positions[i])}</span>}
            <button
              ref={ply.value === i + 1 ? current : undefined}
              aria-current={ply.value === i + 1 ? 'true' : undefined}
              class={remark?.kind}
              onClick={() => goTo(i + 1)}
            >
              {move}{remark?.mark}
            </button>
          </>
        );
      })}
    </div>
  );
}

/** A game that begins with a FEN, even a short one, if the engine can read it too. */
async function gameOf(typed: string): Promise<Game> {
  const known = positionOf(typed);
  const { fen } = await post<Explanation>('trace', { fen: known ? fenOf(known) : typed });
  if (!known) throw new Error('This position cannot be shown.');
  return newGame(fen);
}

/** Positions and games from elsewhere, and to elsewhere. */
export function Exchange() {
  const [text, setText] = useState('');
  const [note, setNote] = useState('');
  const load = async () => {
    const typed = text.trim();
    if (!typed) return;
    try {
      const isFen = /^([^\s/]+\/){7}[^\s/]+( .*)?$/.test(typed);
      if (isFen) {
        setGame(await gameOf(typed), 0);
        setNote('Position loaded.');
      } else {
        const read = await post<PgnGame>('pgn', { text: typed });
        const next: Game = { fen: read.fen, moves: read.moves, tags: read.tags };
        setGame(next, next.moves.length);
        setNote(`Game of ${read.moves.length} plies loaded.`);
      }
      setText('');
      trouble.value = '';
    } catch (error) {
      setNote('');
      tell(error);
    }
  };
  const copy = async (what: string, name: string) => {
    try {
      await navigator.clipboard.writeText(what);
      setNote(`${name} copied.`);
    } catch {
      setText(what);
      setNote(`${name} is above: the browser does not let it be copied.`);
    }
  };
  return (
    <div class="exchange">
      <label>
        FEN or PGN
        <textarea
          rows={2}
          spellcheck={false}
          data-testid="exchange"
          value={text}
          placeholder={fen.value}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <div class="row">
        <button onClick={() => void load()} disabled={!text.trim()} data-testid="load">Load</button>
        <button onClick={() => void copy(fen.value, 'FEN')}>Copy FEN</button>
        <button onClick={() => void copy(toPgn(game.value, game.value.tags.find(([name]) => name === 'Result')?.[1] ?? '*'), 'PGN')}>Copy PGN</button>
        <span class="hint" role="status">{note}</span>
      </div>
    </div>
  );
}
