import type { Font } from 'fontkit';
import sharp from 'sharp';
import { createFaces, type Faces } from './font-registry.ts';
import { openFont } from './font-files.ts';
import { type Atom, itemize, visualRuns } from './text-runs.ts';
import type { Style } from './theme.ts';
import { letters, plainText } from './plain-text.ts';

/** A name to be drawn as an image. */
export interface WrittenMark {
  readonly written: string;
}

/** Twice its largest displayed size; the same as for a drawn signature. */
const BOX = { width: 900, height: 300, margin: 20 } as const;
const SIZE = 110;
const LEADING = 1.25;
/** Where letters stand in the height of a line: the script font has long descenders. */
const BASELINE = 0.77;
/** A name is broken into lines before it is written smaller than this share of its size. */
const MIN_SCALE = 0.45;
const MAX_LINES = 4;
/** Letters of one word in a line. */
const LONGEST = 50;
const STYLE: Style = { size: SIZE, color: '#14213d', italic: true, family: 'Times' };
/** The script font, in two files; the client's page shows typed names in it. */
const SCRIPT = ['script', 'script-extended'] as const;
/** For what the script font lacks: the standard fonts have no outlines in any file. */
const OUTLINED = 'serif-italic';

interface Row {
  readonly shapes: readonly string[];
  readonly width: number;
}

/** The text in a script font as an opaque PNG. Letters that it lacks are in the fonts of the document. */
export async function drawWritten({ written }: WrittenMark): Promise<Buffer> {
  const faces = createFaces('Times');
  const words = plainText(written).trim().split(/\s+/).flatMap(pieces);
  let rows = [rowOf(words.join(' '), faces)];
  for (let lines = 2; lines <= Math.min(MAX_LINES, words.length) && scaleOf(rows) < MIN_SCALE; lines += 1) {
    rows = balanced(words, lines).map((line) => rowOf(line, faces));
  }
  const scale = scaleOf(rows);
  const width = Math.ceil(Math.max(...rows.map((row) => row.width)) * scale) + 2 * BOX.margin;
  const height = Math.ceil(rows.length * SIZE * LEADING * scale) + 2 * BOX.margin;
  const lines = rows.map(
    ({ shapes }, at) => `<g transform="translate(0 ${(at + BASELINE) * SIZE * LEADING})">${shapes.join('')}</g>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><g fill="${STYLE.color}" transform="translate(${BOX.margin} ${BOX.margin}) scale(${scale})">${lines.join('')}</g></svg>`;
  // Consists of paths only, which we wrote ourselves.
  return sharp(Buffer.from(svg)).flatten({ background: 'white' }).png({ compressionLevel: 9 }).toBuffer();
}

function scaleOf(rows: readonly Row[]): number {
  const widest = Math.max(1, ...rows.map(({ width }) => width));
  const inside = { width: BOX.width - 2 * BOX.margin, height: BOX.height - 2 * BOX.margin };
  return Math.min(1, inside.width / widest, inside.height / (rows.length * SIZE * LEADING));
}

/** A word that no line could hold, in parts that fit. */
function pieces(word: string): string[] {
  const all = letters(word);
  const parts = Math.ceil(all.length / LONGEST);
  const size = Math.ceil(all.length / parts);
  return Array.from({ length: parts }, (_, at) => all.slice(at * size, (at + 1) * size).join(''));
}

/** The words in that many lines of about the same number of letters. */
function balanced(words: readonly string[], lines: number): string[] {
  const most = words.join(' ').length / lines;
  const rows: string[] = [''];
  for (const word of words) {
    const row = rows.at(-1) ?? '';
    const isFull = row !== '' && row.length + word.length / 2 > most && rows.length < lines;
    if (isFull) rows.push(word);
    else rows[rows.length - 1] = row === '' ? word : `${row} ${word}`;
  }
  return rows;
}

function rowOf(text: string, faces: Faces): Row {
  const [paragraph = { atoms: [], level: 0 }] = itemize(text, STYLE, faces);
  return sideBySide(visualRuns(paragraph.atoms, paragraph.level).map(outlined));
}

function sideBySide(parts: readonly Row[]): Row {
  const shapes: string[] = [];
  let x = 0;
  for (const part of parts) {
    shapes.push(`<g transform="translate(${x} 0)">${part.shapes.join('')}</g>`);
    x += part.width;
  }
  return { shapes, width: x };
}

function outlined({ text, face }: Atom): Row {
  const script = inScript(text);
  if (script) return sideBySide(script.map(([font, part]) => drawn(font, part, SIZE / font.unitsPerEm)));
  const font = openFont(face.file ?? OUTLINED);
  return drawn(font, text, (SIZE / font.unitsPerEm) * face.scale);
}

/** The text in parts, each with the file of the script font that has its letters; undefined if none has one of them. */
function inScript(text: string): readonly (readonly [Font, string])[] | undefined {
  const files = SCRIPT.map(openFont);
  const parts: [Font, string][] = [];
  for (const letter of text) {
    const font = files.find((file) => file.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0));
    if (!font) return undefined;
    const last = parts.at(-1);
    if (last?.[0] === font) last[1] += letter;
    else parts.push([font, letter]);
  }
  return parts;
}

function drawn(font: Font, text: string, scale: number): Row {
  const { glyphs, positions } = font.layout(text);
  const paths: string[] = [];
  let at = 0;
  for (const [index, glyph] of glyphs.entries()) {
    const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {};
    const path = glyph.path.toSVG();
    if (path) paths.push(`<path transform="translate(${at + xOffset} ${yOffset})" d="${path}"/>`);
    at += xAdvance;
  }
  return { shapes: [`<g transform="scale(${scale} ${-scale})">${paths.join('')}</g>`], width: at * scale };
}
