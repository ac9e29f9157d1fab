import type { Atom } from './text-runs.ts';
import { fitsWinAnsi, letters } from './plain-text.ts';

/** Stays together at the end of a line: a word, a run of spaces, a letter of a script without spaces. */
type Token = readonly Atom[];

export interface Measure {
  /** Width of neighbouring atoms. */
  width(atoms: readonly Atom[]): number;
}

/** Scripts that break between any two letters. */
const BREAKS_ANYWHERE = /[\p{Script_Extensions=Han}\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}\uff00-\uffef]|\p{Emoji_Presentation}/u; // prettier-ignore
const NOT_FIRST = /^[\p{Pe}\p{Pf}、。，．：；！？…ー々]/u;
const NOT_LAST = /[\p{Ps}\p{Pi}]$/u;

/**
 * Breaks a paragraph into rows no wider than `width`; at spaces, and inside words that are wider than a row. The space
 * at which a row was broken is at its end, and may exceed the width.
 */
export function wrap(atoms: readonly Atom[], width: number, measure: Measure): Atom[][] {
  const rows: Atom[][] = [];
  let row: Atom[] = [];
  let used = 0;
  const place = (token: Token, advance: number) => {
    if (row.length > 0 && used + advance > width) {
      if (isBlank(token)) row.push(...token);
      rows.push(row);
      row = [];
      used = 0;
      if (isBlank(token)) return;
    }
    row.push(...token);
    used += advance;
  };
  for (const token of tokens(atoms.flatMap(words))) {
    const advance = lettersIn(token) > MAX_LETTERS ? Infinity : measure.width(token);
    if (advance <= width) place(token, advance);
    else for (const piece of cut(token, width, measure)) place(piece, measure.width(piece));
  }
  return [...rows, row];
}

/**
 * More than fit into any row. Shaping a word of thousands of letters would take seconds, only to find that it is too
 * wide.
 */
export const MAX_LETTERS = 500;

export const lettersIn = (atoms: readonly Atom[]): number => atoms.reduce((sum, { text }) => sum + text.length, 0);

const isBlank = (token: Token): boolean => token[0]?.text.startsWith(' ') ?? false;

/** The words of a line that is one atom, and the spaces between them. */
const words = (atom: Atom): readonly Atom[] =>
  fitsWinAnsi(atom.text) ? (atom.text.match(/ +|[^ ]+/g) ?? []).map((text) => ({ ...atom, text })) : [atom];

function tokens(atoms: readonly Atom[]): Token[] {
  const found: Atom[][] = [];
  let last: Atom | undefined;
  for (const atom of atoms) {
    const word = found.at(-1);
    if (word && last && staysWith(last.text, atom.text)) word.push(atom);
    else found.push([atom]);
    last = atom;
  }
  return found;
}

function staysWith(before: string, after: string): boolean {
  if (before.startsWith(' ') || after.startsWith(' ')) return before.startsWith(' ') && after.startsWith(' ');
  if (NOT_FIRST.test(after) || NOT_LAST.test(before)) return true;
  return !BREAKS_ANYWHERE.test(before) && !BREAKS_ANYWHERE.test(after);
}

/** Cuts a word that is wider than a whole row. */
function cut(token: Token, width: number, measure: Measure): Token[] {
  const pieces: Atom[][] = [];
  let piece: Atom[] = [];
  let used = 0;
  for (const atom of singleLetters(token)) {
    const advance = measure.width([atom]);
    if (piece.length > 0 && used + advance > width) {
      pieces.push(piece);
      piece = [];
      used = 0;
    }
    piece.push(atom);
    used += advance;
  }
  return [...pieces, piece];
}

export const singleLetters = (atoms: readonly Atom[]): Atom[] =>
  atoms.flatMap((atom) => letters(atom.text).map((text) => ({ ...atom, text })));
