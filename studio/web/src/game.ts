// Positions, moves and notation in the browser; the rules are chessops'.

import { Chess, type Position, castlingSide, normalizeMove } from 'chessops/chess';
import { chessgroundDests } from 'chessops/compat';
import { INITIAL_FEN, makeFen, parseFen } from 'chessops/fen';
import { makeSan, parseSan } from 'chessops/san';
import type { NormalMove, Role } from 'chessops/types';
import { kingCastlesTo, makeSquare, makeUci, parseSquare, parseUci, squareFile } from 'chessops/util';

export { INITIAL_FEN };

/** A game: where it began, and its moves as UCI writes them. */
export interface Game {
  fen: string;
  moves: string[];
  tags: [string, string][];
}

export const newGame = (fen = INITIAL_FEN): Game => ({ fen, moves: [], tags: [] });

export function positionOf(fen: string): Position | null {
  const setup = parseFen(fen.trim());
  if (setup.isErr) return null;
  const position = Chess.fromSetup(setup.value);
  return position.isOk ? position.value : null;
}

export function fenOf(position: Position): string {
  return makeFen(position.toSetup());
}

/** All positions of a game and its moves as people write them. */
export interface Replay {
  positions: Position[];
  san: string[];
}

export function replay(game: Game): Replay {
  const first = positionOf(game.fen) ?? Chess.default();
  const positions = [first];
  const san: string[] = [];
  for (const text of game.moves) {
    const position = positions[positions.length - 1].clone();
    const move = parseUci(text);
    if (!move || !position.isLegal(move)) break;
    san.push(makeSan(position, move));
    position.play(move);
    positions.push(position);
  }
  return { positions, san };
}

/** Where each piece may go. */
export function destinations(position: Position): Map<string, string[]> {
  return chessgroundDests(position) as Map<string, string[]>;
}

export function isPromotion(position: Position, from: string, to: string): boolean {
  const square = parseSquare(from);
  return square !== undefined && position.board.getRole(square) === 'pawn' && (to[1] === '8' || to[1] === '1');
}

/** A move as UCI writes it, from squares or from what a person types; nothing if it is not legal. */
export function readMove(position: Position, text: string): string | null {
  const typed = text.trim();
  const san = parseSan(position, typed);
  if (san) return uciOf(position, san as NormalMove);
  const uci = parseUci(typed.toLowerCase());
  return uci && position.isLegal(uci) ? uciOf(position, uci as NormalMove) : null;
}

/** A move as the server writes it: castling is two squares of the king's in standard chess, and the king onto its rook in Chess960. */
function uciOf(position: Position, move: NormalMove): string {
  const side = castlingSide(position, move);
  if (!side) return makeUci(move);
  return makeUci(isChess960(position) ? normalizeMove(position, move) : { from: move.from, to: kingCastlesTo(position.turn, side) });
}

/** Whether a king or rook that may castle does not stand as in standard chess. */
function isChess960(position: Position): boolean {
  return [...position.castles.castlingRights].some((rook) => {
    const color = position.board.getColor(rook);
    const king = color && position.board.kingOf(color);
    return king === undefined || squareFile(king) !== 4 || ![0, 7].includes(squareFile(rook));
  });
}

export const ROLES: Role[] = ['queen', 'rook', 'bishop', 'knight'];
export const promotionLetter = (role: Role): string => (role === 'knight' ? 'n' : role[0]);

/** Legal moves as UCI and as people write them, sorted by the latter. */
export function legalMoves(position: Position): { uci: string; san: string }[] {
  const moves: { uci: string; san: string }[] = [];
  const seen = new Set<string>();
  for (const [from, targets] of position.allDests()) {
    for (const to of targets) {
      const roles = isPromotion(position, makeSquare(from), makeSquare(to)) ? ROLES : [undefined];
      for (const promotion of roles) {
        const move: NormalMove = promotion ? { from, to, promotion } : { from, to };
        const uci = uciOf(position, move);
        if (!seen.has(uci)) moves.push({ uci, san: makeSan(position, move) });
        seen.add(uci);
      }
    }
  }
  return moves.sort((a, b) => a.san.localeCompare(b.san));
}

/** How the game ended, if the rules say so. */
export function ending(replayed: Replay): { result: string; reason: string } | null {
  const position = replayed.positions[replayed.positions.length - 1];
  if (position.isCheckmate()) return { result: position.turn === 'white' ? '0-1' : '1-0', reason: 'checkmate' };
  const drawn = (reason: string) => ({ result: '1/2-1/2', reason });
  if (position.isStalemate()) return drawn('stalemate');
  if (position.isInsufficientMaterial()) return drawn('insufficient material');
  if (position.halfmoves >= 100) return drawn('fifty moves');
  const key = (p: Position) => makeFen(p.toSetup()).split(' ').slice(0, 4).join(' ');
  const last = key(position);
  if (replayed.positions.filter((p) => key(p) === last).length >= 3) return drawn('threefold repetition');
  return null;
}

/** `12.` before White's moves, `12…` before Black's where a line begins with one. */
export function moveNumber(position: Position): string {
  return `${position.fullmoves}${position.turn === 'white' ? '.' : '…'}`;
}

/** A game as PGN. */
export function toPgn(game: Game, result: string): string {
  const { positions, san } = replay(game);
  const tags = new Map<string, string>([
    ['Event', 'Marquetry studio'], ['Site', '?'], ['Date', new Date().toISOString().slice(0, 10).replaceAll('-', '.')],
    ['Round', '-'], ['White', '?'], ['Black', '?'], ...game.tags, ['Result', result],
  ]);
  if (game.fen !== INITIAL_FEN) tags.set('SetUp', '1').set('FEN', game.fen);
  if (isChess960(positions[0])) tags.set('Variant', 'Chess960');
  const head = [...tags].map(([name, value]) => `[${name} "${value.replace(/["\\]/g, '\\$&')}"]`).join('\n');
  const words = san.map((move, i) => (positions[i].turn === 'white' || i === 0 ? `${moveNumber(positions[i]).replace('…', '...')} ${move}` : move));
  const lines: string[] = [];
  let line = '';
  for (const word of [...words, result]) {
    if (line.length + word.length > 78) {
      lines.push(line);
      line = '';
    }
    line += (line ? ' ' : '') + word;
  }
  return `${head}\n\n${[...lines, line].join('\n')}\n`;
}
