import type { Budget } from './budget.ts';
import { createFaces, type Face } from './font-registry.ts';
import { createFonts, type Run } from './fonts.ts';
import type { PdfFile } from './pdf-file.ts';
import { type Atom, itemize, type Paragraph, visualRuns } from './text-runs.ts';
import { baseline, type Family, leading, type Style } from './theme.ts';
import { plainText } from './plain-text.ts';
import { lettersIn, MAX_LETTERS, type Measure, singleLetters, wrap } from './wrap.ts';

/** One measured line of text, ready to be drawn. */
export interface Line {
  /** From left to right. */
  readonly runs: readonly MeasuredRun[];
  readonly style: Style;
  readonly width: number;
  readonly height: number;
  /** Of a paragraph that runs from right to left. */
  readonly rightToLeft: boolean;
}

interface MeasuredRun extends Run {
  readonly width: number;
}

export type Align = 'left' | 'center' | 'right';

export interface Typesetter {
  /** Breaks a text into lines no wider than `width`; `maxLines` cuts the rest and ends in an ellipsis. */
  lines(text: string, style: Style, width: number, maxLines?: number): Line[];
  /** One line, as wide as it is; line ends become spaces. */
  line(text: string, style: Style): Line;
  /** `y` is the top of the line. `x` is its start, its middle, or its end. */
  draw(line: Line, x: number, y: number, align?: Align): void;
}

/** Sets text without pdfkit's own line wrapper, which adds pages by itself and splits rows. */
export function createTypesetter(file: PdfFile, family: Family, budget: Budget): Typesetter {
  const faces = createFaces(family);
  const fonts = createFonts(file, faces);

  const measured = (atoms: readonly Atom[], level: number, style: Style): MeasuredRun[] =>
    visualRuns(atoms, level).map(({ text, face, level: runLevel }) => {
      const run = { text, face, rightToLeft: runLevel % 2 === 1 };
      return { ...run, width: fonts.width(run, style.size) };
    });

  const letterWidth = ({ text, face, level }: Atom, style: Style): number =>
    faces.widthOfLetter(face, text, style.size) ??
    fonts.width({ text, face, rightToLeft: level % 2 === 1 }, style.size);

  /** For breaking lines, where the order on the page does not matter yet. */
  const measure = (style: Style): Measure => ({
    width(atoms: readonly Atom[]): number {
      const [only] = atoms;
      if (only && atoms.length === 1) return letterWidth(only, style);
      if (atoms.every(({ face, text }) => faces.widthOfLetter(face, text, style.size) !== undefined))
        return atoms.reduce((sum, atom) => sum + letterWidth(atom, style), 0);
      return widthOf(measured(atoms, 0, style));
    },
  });

  /** `closed`: without a space at its end, copied text would join a row's last word with the next row's first. */
  function toLine(atoms: readonly Atom[], level: number, style: Style, closed: boolean): Line {
    budget();
    const kept = closed ? withoutSpacesAtEnd(atoms) : atoms;
    const runs = measured(kept, level, style);
    const width = widthOf(runs);
    if (closed && kept.length > 0) closeRow(runs, faces.standard(style));
    return { runs, style, width, height: leading(style), rightToLeft: level % 2 === 1 };
  }

  /** The paragraph as one row, which most are; undefined when it is wider. */
  function inOneRow({ atoms, level }: Paragraph, style: Style, width: number): Row | undefined {
    if (lettersIn(atoms) > MAX_LETTERS || (atoms.at(-1)?.text.endsWith(' ') ?? false)) return undefined;
    // Ideographs have known widths: a row of them that is too wide need not be shaped to find that out.
    const known = atoms.reduce((sum, { face, text }) => sum + (faces.widthOfLetter(face, text, style.size) ?? 0), 0);
    if (known > width) return undefined;
    const line = toLine(atoms, level, style, true);
    return line.width <= width ? { atoms, level, line } : undefined;
  }

  function inRows({ atoms, level }: Paragraph, style: Style, width: number): Row[] {
    const rows = wrap(atoms, width, measure(style));
    return rows.map((row, index) => {
      const closed = index === rows.length - 1 || endsInSpace(row);
      return { atoms: row, level, line: toLine(row, level, style, closed) };
    });
  }

  return {
    lines(raw, style, width, maxLines = Infinity) {
      const rows = itemize(plainText(raw), style, faces).flatMap(
        (paragraph) => inOneRow(paragraph, style, width) ?? inRows(paragraph, style, width),
      );
      const kept = rows.slice(0, maxLines);
      const last = kept.at(-1);
      if (rows.length > kept.length && last) {
        const ellipsis = { text: '…', face: faces.standard(style), level: 0 };
        const row = shortened(last.atoms, width, measure(style), ellipsis);
        kept[kept.length - 1] = { ...last, line: toLine(row, last.level, style, true) };
      }
      return kept.map(({ line }) => line);
    },

    line(raw, style) {
      const paragraphs = itemize(plainText(raw).replace(/\s*\n\s*/g, ' '), style, faces);
      return toLine(paragraphs[0]?.atoms ?? [], paragraphs[0]?.level ?? 0, style, false);
    },

    draw({ runs, style, width }, x, y, align = 'left') {
      budget();
      const foot = y + baseline(style);
      let at = { left: x, center: x - width / 2, right: x - width }[align];
      for (const run of runs) {
        fonts.show(run, { x: at, y: foot, size: style.size, color: style.color });
        at += run.width;
      }
    },
  };
}

/** A line with the atoms that it was set from. */
interface Row {
  readonly atoms: readonly Atom[];
  readonly level: number;
  readonly line: Line;
}

const widthOf = (runs: readonly MeasuredRun[]): number => runs.reduce((sum, run) => sum + run.width, 0);

function withoutSpacesAtEnd(atoms: readonly Atom[]): readonly Atom[] {
  const end = atoms.findLastIndex(({ text }) => /[^ ]/.test(text)) + 1;
  const last = atoms[end - 1];
  if (last?.text.endsWith(' ')) return [...atoms.slice(0, end - 1), { ...last, text: last.text.replace(/ +$/, '') }];
  return end < atoms.length ? atoms.slice(0, end) : atoms;
}

const endsInSpace = (row: readonly Atom[]): boolean => row.at(-1)?.text.startsWith(' ') ?? true;

function closeRow(runs: MeasuredRun[], standard: Face): void {
  const last = runs.at(-1);
  if (!last || last.rightToLeft) return;
  if (last.face === standard) runs[runs.length - 1] = { ...last, text: `${last.text} ` };
  else runs.push({ text: ' ', face: standard, width: 0, rightToLeft: false });
}

/** The row shortened by as many letters at its end as the ellipsis needs. */
function shortened(row: readonly Atom[], width: number, measure: Measure, ellipsis: Atom): Atom[] {
  const kept = singleLetters(row);
  const dropSpaces = () => {
    while (kept.at(-1)?.text === ' ') kept.pop();
  };
  dropSpaces();
  while (kept.length > 0 && measure.width([...kept, ellipsis]) > width) kept.pop();
  dropSpaces();
  return [...kept, ellipsis];
}

export const heightOf = (lines: readonly Line[]): number => lines.reduce((sum, line) => sum + line.height, 0);
