// The board: chessground, with what a piece is promoted to, overlays for squares, and what the pointer is on.

import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { DrawShape } from '@lichess-org/chessground/draw';
import type { Key } from '@lichess-org/chessground/types';
import type { Position } from 'chessops/chess';
import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ROLES, destinations, fenOf, isPromotion, promotionLetter, readMove } from '../game';

/** Something laid over a square. */
export interface Overlay {
  square: string;
  color?: string;
  text?: string;
  isLit?: boolean;
}

interface Props {
  position: Position;
  isFlipped: boolean;
  lastMove?: string;
  arrows?: DrawShape[];
  overlay?: Overlay[];
  /** Who may move; nobody if nothing is said. */
  movable?: 'white' | 'black' | 'both';
  onMove?: (uci: string) => void;
  onHover?: (square: string | null) => void;
  label?: string;
}

export function Board(props: Props) {
  const place = useRef<HTMLDivElement>(null);
  const cover = useRef<HTMLDivElement>(null);
  const dialog = useRef<HTMLDivElement>(null);
  const api = useRef<Api | null>(null);
  const now = useRef(props);
  now.current = props;
  const [promotion, setPromotion] = useState<{ from: string; to: string } | null>(null);

  const moved = (from: string, to: string) => {
    const { position, onMove } = now.current;
    if (isPromotion(position, from, to)) return setPromotion({ from, to });
    const uci = readMove(position, from + to);
    if (uci) onMove?.(uci);
  };

  useEffect(() => {
    if (!place.current) return;
    api.current = Chessground(place.current, {
      animation: { enabled: !matchMedia('(prefers-reduced-motion: reduce)').matches, duration: 150 },
      movable: { free: false, showDests: true, events: { after: moved } },
      draggable: { showGhost: true },
      drawable: { enabled: true },
      premovable: { enabled: false },
    });
    // Chessground rounds the board down to whole pixels a square; what lies over it must fit
    const fit = () => {
      const drawn = api.current?.state.dom.elements.container.getBoundingClientRect();
      if (drawn && cover.current) Object.assign(cover.current.style, { width: `${drawn.width}px`, height: `${drawn.height}px` });
    };
    const resize = new ResizeObserver(() => requestAnimationFrame(fit));
    resize.observe(place.current);
    return () => {
      resize.disconnect();
      api.current?.destroy();
    };
  }, []);

  const { position, isFlipped, lastMove, arrows, movable } = props;
  const fen = fenOf(position);
  const show = () => {
    const isOurs = movable === 'both' || movable === position.turn;
    api.current?.set({
      fen,
      orientation: isFlipped ? 'black' : 'white',
      turnColor: position.turn,
      check: position.isCheck(),
      lastMove: lastMove ? [lastMove.slice(0, 2) as Key, lastMove.slice(2, 4) as Key] : undefined,
      movable: { color: isOurs ? position.turn : undefined, dests: (isOurs ? destinations(position) : new Map()) as Map<Key, Key[]> },
    });
    setPromotion(null);
  };
  useEffect(show, [fen, isFlipped, lastMove, movable]);
  useEffect(() => api.current?.setAutoShapes(arrows ?? []), [arrows]);
  useEffect(() => dialog.current?.querySelector('button')?.focus(), [promotion]);

  const hover = (event: PointerEvent | null) => {
    if (!props.onHover) return;
    props.onHover(event ? (api.current?.getKeyAtDomPos([event.clientX, event.clientY]) ?? null) : null);
  };
  const choose = (letter: string) => {
    if (promotion) props.onMove?.(promotion.from + promotion.to + letter);
    setPromotion(null);
  };
  return (
    <div class="board" role="group" aria-label={props.label ?? 'Chess board'} onPointerMove={hover} onPointerLeave={() => hover(null)}>
      <div class="board-squares" ref={place} data-fen={fen} />
      <div class="overlay" ref={cover} aria-hidden="true">
        {props.overlay?.map((item) => (
          <div
            key={item.square}
            class={item.isLit ? 'lit' : ''}
            style={{ ...placeOf(item.square, isFlipped), backgroundColor: item.color ?? 'transparent' }}
          >
            {item.text}
          </div>
        ))}
      </div>
      {promotion && (
        <div class="promotion" role="dialog" aria-label="Promote to" ref={dialog} onKeyDown={(event) => event.key === 'Escape' && show()}>
          {ROLES.map((role) => (
            <button key={role} onClick={() => choose(promotionLetter(role))} aria-label={role}>
              <span class="cg-wrap promotion-piece">
                {h('piece', { class: `${role} ${position.turn}` })}
              </span>
            </button>
          ))}
          <button onClick={show}>Cancel</button>
        </div>
      )}
    </div>
  );
}

function placeOf(square: string, isFlipped: boolean) {
  const file = square.charCodeAt(0) - 97;
  const rank = Number(square[1]) - 1;
  const [x, y] = isFlipped ? [7 - file, rank] : [file, 7 - rank];
  return { left: `${12.5 * x}%`, top: `${12.5 * y}%` };
}
