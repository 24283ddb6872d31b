// Colours that those who do not see all colours can tell apart: blue against orange for good and bad, and Okabe and Ito's
// eight for kinds.

/** A colour for a number: orange below zero, blue above, nothing at zero. */
export function diverging(value: number, most: number, isDark: boolean, strength = 1): string {
  const share = Math.max(-1, Math.min(1, most ? value / most : 0));
  const [r, g, b] = share < 0 ? (isDark ? [235, 140, 40] : [213, 94, 0]) : isDark ? [80, 160, 235] : [0, 105, 180];
  return `rgba(${r}, ${g}, ${b}, ${(Math.abs(share) ** 0.75 * 0.85 * strength).toFixed(3)})`;
}

export const KINDS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#b8a800', '#8c8c8c'];

/** `+1.25`: pawns, from centipawns. */
export function pawns(cp: number): string {
  return `${cp < 0 ? '−' : '+'}${(Math.abs(cp) / 100).toFixed(2)}`;
}

/** `+12`: with a sign, or a decimal where wanted. */
export function signed(value: number, digits = 0): string {
  const text = Math.abs(value).toFixed(digits);
  const isZero = Number(text) === 0;
  return `${isZero ? '' : value < 0 ? '−' : '+'}${text}`;
}

/** A value or a mate, White's view. */
export function worth(line: { white_cp: number; mate: number | null }): string {
  return line.mate === null ? pawns(line.white_cp) : `${line.mate < 0 ? '−' : '+'}M${Math.abs(line.mate)}`;
}

/** Words for a term's or group's name: `knight_mobility` is knight mobility, `KingSafety` is King safety. */
export const words = (name: string): string =>
  name.replaceAll('_', ' ').replace(/([a-z])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`);

/** What a weight of a term is for: `pawn a2` of `piece_square.pawn.a2`; nothing for a term with one weight. */
export const place = (label: string): string => label.split('.').slice(1).join(' ');
