// Analyse: the board, the engine's lines as it thinks, and the evaluation over the game.

import type { DrawShape } from '@lichess-org/chessground/draw';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Answer, Line } from '../api';
import { moveNumber } from '../game';
import { Thinker } from '../net';
import { Board } from '../parts/board';
import { Graph } from '../parts/graph';
import { Exchange, GameButtons, MoveInput, MoveList, useGameKeys } from '../parts/moves';
import { worth } from '../parts/scale';
import { Review, isReviewing, remarks } from '../parts/review';
import { catalogue, choice, engine, game, goTo, isFlipped, isThinking, playMove, ply, position, setGame, tell } from '../state';

type Thought = Extract<Answer, { type: 'thinking' }>;

/** Lets the engine think about the position on the board, unless it looks over the whole game. */
function useThoughts(): Thought | 'over' | null {
  const [thought, setThought] = useState<Thought | 'over' | null>(null);
  const thinker = useRef<Thinker | null>(null);
  useEffect(() => {
    const own = new Thinker((answer) => {
      if (answer.type === 'thinking') setThought(answer);
      else if (answer.type === 'done') setThought('over');
      else if (answer.type === 'problem') tell(answer.error);
    });
    thinker.current = own;
    return () => own.close();
  }, []);
  const { threads, hash, lines, elo } = engine.value;
  const moves = game.value.moves.slice(0, ply.value);
  const isFree = isThinking.value && !isReviewing.value;
  const wanted = JSON.stringify([game.value.fen, moves, choice.value, engine.value, isFree]);
  useEffect(() => {
    setThought(null);
    if (!isFree) return thinker.current?.stop();
    const setup = { weights: choice.value, threads, hash, lines, elo: elo || null };
    thinker.current?.ask({ type: 'analyse', game: { fen: game.value.fen, moves }, setup });
  }, [wanted]);
  return thought;
}

const BRUSHES = ['green', 'blue', 'yellow', 'red'];

function arrowsOf(lines: Line[]): DrawShape[] {
  return lines.slice(0, 4).flatMap((line, i) => {
    const first = line.moves[0];
    if (!first) return [];
    const shape = { orig: first.slice(0, 2), dest: first.slice(2, 4), brush: BRUSHES[i], modifiers: { lineWidth: 11 - 2.5 * i } };
    return [shape as DrawShape];
  });
}

export function Analyse() {
  useGameKeys();
  const thought = useThoughts();
  const lines = thought && thought !== 'over' ? thought.lines : [];
  const key = JSON.stringify(lines.map((line) => line.moves[0]));
  const arrows = useMemo(() => arrowsOf(lines), [key]);
  return (
    <div class="two-columns">
      <section class="board-column" aria-label="Board">
        <div class="board-with-bar">
          <WinBar line={lines[0]} />
          <Board
            position={position.value}
            isFlipped={isFlipped.value}
            lastMove={ply.value ? game.value.moves[ply.value - 1] : undefined}
            arrows={arrows}
            movable="both"
            onMove={playMove}
          />
        </div>
        <GameButtons />
        <MoveInput />
      </section>
      <section class="side-column" aria-label="Analysis">
        <EngineSettings />
        <Lines thought={thought} />
        <MoveList remarks={remarks.value} />
        <Graph marks={remarks.value} />
        <Review />
        <Exchange />
      </section>
    </div>
  );
}

/** Chances to win, draw and lose beside the board. */
function WinBar({ line }: { line?: Line }) {
  const [win, draw, loss] = line?.wdl ?? [0, 1000, 0];
  const label = line ? `White wins ${win / 10} %, draw ${draw / 10} %, Black wins ${loss / 10} %` : 'No chances known yet';
  return (
    <div class={`win-bar ${isFlipped.value ? 'flipped' : ''}`} role="img" aria-label={label} title={label} data-testid="wdl">
      <div class="loss" style={{ flexGrow: loss }} />
      <div class="draw" style={{ flexGrow: draw }} />
      <div class="win" style={{ flexGrow: win }} />
    </div>
  );
}

function EngineSettings() {
  const known = catalogue.value;
  const set = (changes: Partial<typeof engine.value>) => (engine.value = { ...engine.value, ...changes });
  const number = (label: string, key: 'threads' | 'hash' | 'lines', most: number) => (
    <label>
      {label}{' '}
      <input
        type="number"
        min={1}
        max={most}
        value={engine.value[key]}
        onChange={(event) => set({ [key]: Math.max(1, Math.min(most, Math.round(Number(event.currentTarget.value) || 1))) })}
      />
    </label>
  );
  const [least, strongest] = known?.elo ?? [1000, 2800];
  const levels = Array.from({ length: Math.floor((strongest - least) / 200) + 1 }, (_, i) => least + 200 * i);
  return (
    <div class="settings" role="group" aria-label="Engine">
      <button class="primary" aria-pressed={isThinking.value} onClick={() => (isThinking.value = !isThinking.value)} data-testid="engine">
        {isThinking.value ? 'Engine on' : 'Engine off'}
      </button>
      {number('Lines', 'lines', 20)}
      {number('Threads', 'threads', known?.threads ?? 1)}
      {number('Hash MB', 'hash', 4096)}
      <label>
        Strength{' '}
        <select value={engine.value.elo} onChange={(event) => set({ elo: Number(event.currentTarget.value) })}>
          <option value={0}>full</option>
          {levels.map((elo) => <option key={elo} value={elo}>{elo}</option>)}
        </select>
      </label>
    </div>
  );
}

function Lines({ thought }: { thought: Thought | 'over' | null }) {
  const wanted = engine.value.lines;
  const state = !isThinking.value ? 'The engine is off.' : isReviewing.value ? 'looking for mistakes …' : thought === 'over' ? 'The game is over.' : '';
  const found = thought && thought !== 'over' ? thought : null;
  const follow = (line: Line, count: number) => {
    const moves = [...game.value.moves.slice(0, ply.value), ...line.moves.slice(0, count)];
    const at = ply.value + count;
    setGame({ ...game.value, moves }, at);
    goTo(at);
  };
  const first = position.value;
  return (
    <div class="lines" data-testid="lines" style={{ minHeight: `${1.9 * (wanted + 1)}rem` }}>
      <div class="lines-head number">
        <span data-testid="depth">{found ? `depth ${found.lines[0]?.depth ?? 0}/${found.lines[0]?.deepest ?? 0}` : state || 'thinking …'}</span>
        <span>{found ? `${(found.nodes / 1e6).toFixed(2)} M nodes` : ''}</span>
        <span>{found ? `${Math.round(found.nps / 1000)} k/s` : ''}</span>
        <span>{found ? `hash ${Math.round(found.fullness / 10)} %` : ''}</span>
      </div>
      {found?.lines.map((line) => (
        <div class="line" key={line.rank}>
          <span class="line-score number" data-testid="score">
            {line.bound === 'lower' ? '≥' : line.bound === 'upper' ? '≤' : ''}{worth(line)}
          </span>
          <span class="line-wdl number" title="White wins, draw, Black wins, in thousandths">{line.wdl.join(' ')}</span>
          <span class="line-moves">
            {line.san.slice(0, 14).map((san, i) => (
              <button key={i} onClick={() => follow(line, i + 1)}>
                {i === 0 ? `${moveNumber(first)} ` : (first.turn === 'white') === (i % 2 === 0) ? `${first.fullmoves + Math.floor((i + (first.turn === 'white' ? 0 : 1)) / 2)}. ` : ''}
                {san}
              </button>
            ))}
          </span>
        </div>
      ))}
    </div>
  );
}
