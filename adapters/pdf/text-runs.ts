import bidiFactory from 'bidi-js';
import type { Face, Faces, Script } from './font-registry.ts';
import type { Style } from './theme.ts';
import { fitsWinAnsi, letters } from './plain-text.ts';

/** Text in one font and one direction: a whole line, or a letter where fonts may change inside a word. */
export interface Atom {
  readonly text: string;
  readonly face: Face;
  /** The level of the Unicode bidirectional algorithm: odd levels run from right to left. */
  readonly level: number;
}

export interface Paragraph {
  readonly atoms: readonly Atom[];
  /** 1 when the whole paragraph runs from right to left. */
  readonly level: number;
}

/** Drawn for a letter that no font has: visible, and the same in the extracted text. */
const MISSING = '□';

// CommonJS with types of an ES module: the factory is the module itself, which the types call its default export.
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)();

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script_Extensions=Arabic}]/u;
const SCRIPTS: readonly (readonly [Script, RegExp])[] = [
  ['emoji', /\p{Emoji_Presentation}|\p{Emoji}\u{fe0f}|\p{Emoji}\u{20e3}/u],
  ['rightToLeft', RIGHT_TO_LEFT],
  ['hangul', /\p{Script=Hangul}/u],
  ['han', /[\p{Script_Extensions=Han}\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}\u3000-\u303f\uff00-\uffef]/u],
]; // prettier-ignore

const LETTER_OR_DIGIT = /[\p{L}\p{M}\p{N}]/u;

/** The paragraphs of a text, each letter with its font. */
export function itemize(text: string, style: Style, faces: Faces): Paragraph[] {
  const standard = faces.standard(style);
  if (fitsWinAnsi(text))
    return text
      .split('\n')
      .map((line) => ({ atoms: line === '' ? [] : [{ text: line, face: standard, level: 0 }], level: 0 }));

  const units = withSpaces(unitsOf(text, style, faces));
  // Two fonts inside a word look like an error, so one letter that the standard font lacks changes the font of the
  // whole word; a symbol such as ₹ or → is set in another font by itself.
  const base = units.some(({ changesBase }) => changesBase) ? faces.wide(style) : standard;
  const rightToLeft = RIGHT_TO_LEFT.test(text);
  return splitLines(units).map((line) => {
    const atoms = line.map(({ letter, face }) => ({ text: letter, face: face ?? base, level: 0 }));
    return rightToLeft ? directed(atoms, style, faces) : { atoms, level: 0 };
  });
}

/** One letter; without a font it is set in the text's own. */
interface Unit {
  readonly letter: string;
  readonly face?: Face;
  readonly changesBase?: boolean;
}

/** Cached units, by document, by the font of the text's family, and by letter. */
const found = new WeakMap<Faces, Map<Face, Map<string, Unit>>>();

function unitsOf(text: string, style: Style, faces: Faces): Unit[] {
  const byFont = found.get(faces) ?? new Map<Face, Map<string, Unit>>();
  found.set(faces, byFont);
  const wide = faces.wide(style);
  const known = byFont.get(wide) ?? new Map<string, Unit>();
  byFont.set(wide, known);
  return letters(text).map((letter) => {
    const unit = known.get(letter) ?? findUnit(letter, style, faces);
    known.set(letter, unit);
    return unit;
  });
}

function findUnit(letter: string, style: Style, faces: Faces): Unit {
  if (fitsWinAnsi(letter)) return { letter };
  const wide = faces.wide(style);
  const script = SCRIPTS.find(([, pattern]) => pattern.test(letter))?.[0];
  const candidates = [
    ...(script ? [faces.script(script, style)] : []),
    wide,
    ...(['rightToLeft', 'han', 'hangul', 'emoji'] as const).map((other) => faces.script(other, style)),
  ];
  const face = faces.firstWith(letter, candidates);
  if (!face) return { letter: MISSING, face: wide };
  return {
    letter: Array.from(letter.replace(/\ufe0e|\ufe0f/gu, '')).filter((char) => faces.has(face, char)).join(''),
    face,
    changesBase: face === wide && LETTER_OR_DIGIT.test(letter),
  }; // prettier-ignore
}

/**
 * A space between two letters of one script is set in their font, so that a text of short words is not split into runs.
 */
const withSpaces = (units: readonly Unit[]): Unit[] =>
  units.map((unit, index) => {
    const face = units[index - 1]?.face;
    return unit.letter === ' ' && face && face === units[index + 1]?.face ? { ...unit, face } : unit;
  });

function splitLines(units: readonly Unit[]): Unit[][] {
  const lines: Unit[][] = [[]];
  for (const unit of units) {
    if (unit.letter === '\n') lines.push([]);
    else lines.at(-1)?.push(unit);
  }
  return lines;
}

/** Assigns each letter its direction. Right-to-left text is set in a font that can be shaped. */
function directed(atoms: readonly Atom[], style: Style, faces: Faces): Paragraph {
  const rightToLeft = faces.script('rightToLeft', style);
  const text = atoms.map((atom) => atom.text).join('');
  const { levels, paragraphs } = bidi.getEmbeddingLevels(text, style.leftToRight ? 'ltr' : 'auto');
  let at = 0;
  const withLevels = atoms.map((atom) => {
    const level = levels[at] ?? 0;
    at += atom.text.length;
    if (level % 2 === 0) return { ...atom, level };
    const mirrored = bidi.getMirroredCharacter(atom.text) ?? atom.text;
    const face = faces.firstWith(mirrored, atom.face.file ? [atom.face] : [rightToLeft]) ?? atom.face;
    return { text: mirrored, face, level };
  });
  return { atoms: withLevels, level: paragraphs[0]?.level ?? 0 };
}

/** Merges neighbours of one font and direction, in visual order from left to right. */
export function visualRuns(atoms: readonly Atom[], paragraphLevel: number): readonly Atom[] {
  // Most lines are one text in a standard font.
  if (atoms.length === 1 && atoms[0]?.level === 0 && paragraphLevel === 0) return atoms;
  const runs: { text: string; face: Face; level: number }[] = [];
  for (const { text, face, level } of atoms) {
    const last = runs.at(-1);
    if (last && last.face === face && last.level === level && shapesTogether(face, level)) last.text += text;
    else runs.push({ text, face, level });
  }
  for (const run of runs) {
    // Punctuation alone, such as «!?», has no script that would make the shaper reverse it.
    if (run.level % 2 === 1 && !RIGHT_TO_LEFT.test(run.text)) run.text = letters(run.text).reverse().join('');
  }
  const highest = runs.reduce((most, { level }) => Math.max(most, level), paragraphLevel);
  for (let level = highest; level > 0; level -= 1) reverseFrom(runs, level);
  return runs;
}

/**
 * Whether neighbours may be shaped together. The shaper reverses Arabic or Hebrew, which is wrong for Arabic digits,
 * and nothing else, which is wrong for other text inside right-to-left text; shaped separately both are right.
 */
const shapesTogether = (face: Face, level: number): boolean =>
  (level % 2 === 1) === (face.file?.startsWith('right-to-left') ?? false);

/** Rule L2 of the bidirectional algorithm: each sequence at this level or above is reversed. */
function reverseFrom(runs: Atom[], level: number): void {
  let start = 0;
  while (start < runs.length) {
    let end = start;
    while (end < runs.length && (runs[end]?.level ?? 0) >= level) end += 1;
    if (end > start) runs.splice(start, end - start, ...runs.slice(start, end).reverse());
    start = end + 1;
  }
}
