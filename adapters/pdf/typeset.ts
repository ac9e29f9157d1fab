import type PdfKit from 'pdfkit';
import type { Budget } from './budget.ts';
import { createFaces, type Face } from './font-registry.ts';
import { type Atom, itemize, visualRuns } from './text-runs.ts';
import { baseline, type Family, leading, type Style } from './theme.ts';
import { plainText } from './plain-text.ts';
import { type Measure, singleLetters, wrap } from './wrap.ts';

declare global {
  namespace PDFKit.Mixins {
    // Known to pdfkit, missing in its published types.
    interface TextOptions {
      textWidth?: number;
      wordCount?: number;
    }
  }
}

/** One measured line of text, ready to be drawn. */
export interface Line {
  /** From left to right. */
  readonly runs: readonly Run[];
  readonly style: Style;
  readonly width: number;
  readonly height: number;
  /** Of a paragraph that runs from right to left. */
  readonly rightToLeft: boolean;
}

interface Run {
  readonly text: string;
  readonly face: Face;
  readonly width: number;
  readonly rightToLeft: boolean;
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
export function createTypesetter(doc: InstanceType<typeof PdfKit>, family: Family, budget: Budget): Typesetter {
  const faces = createFaces(doc, family);
  const letterWidths = new Map<string, number>();

  const measureText = ({ text, face, level }: Atom, style: Style): number =>
    faces.use(face, style.size).widthOfString(text, shaping(level % 2 === 1));

  function letterWidth(atom: Atom, style: Style): number {
    const key = `${atom.face.name} ${style.size} ${atom.text}`;
    const width =
      letterWidths.get(key) ?? faces.widthOfLetter(atom.face, atom.text, style.size) ?? measureText(atom, style);
    letterWidths.set(key, width);
    return width;
  }

  /** For breaking lines, where the order on the page does not matter yet. */
  const measure = (style: Style): Measure => ({
    width(atoms: readonly Atom[]): number {
      const [only] = atoms;
      if (only && atoms.length === 1) return letterWidth(only, style);
      if (atoms.every(({ face, text }) => faces.widthOfLetter(face, text, style.size) !== undefined))
        return atoms.reduce((sum, atom) => sum + letterWidth(atom, style), 0);
      return visualRuns(atoms, 0).reduce((sum, run) => sum + measureText(run, style), 0);
    },
  });

  /** `closed`: without a space at its end, copied text would join a row's last word with the next row's first. */
  function toLine(atoms: readonly Atom[], level: number, style: Style, closed: boolean): Line {
    budget();
    const end = atoms.findLastIndex(({ text }) => !text.startsWith(' ')) + 1;
    const kept = closed ? atoms.slice(0, end) : atoms;
    const runs = visualRuns(kept, level).map((run) => ({
      text: run.text,
      face: run.face,
      width: measureText(run, style),
      rightToLeft: run.level % 2 === 1,
    }));
    const width = runs.reduce((sum, run) => sum + run.width, 0);
    if (closed && end > 0) closeRow(runs, faces.standard(style));
    return { runs, style, width, height: leading(style), rightToLeft: level % 2 === 1 };
  }

  return {
    lines(raw, style, width, maxLines = Infinity) {
      const rows = itemize(plainText(raw), style, faces).flatMap(({ atoms, level }) => {
        const wrapped = wrap(atoms, width, measure(style));
        return wrapped.map((row, index) => ({ row, level, closed: index === wrapped.length - 1 || endsInSpace(row) }));
      });
      const kept = rows.slice(0, maxLines);
      const last = kept.at(-1);
      if (rows.length > kept.length && last) {
        const row = shortened(last.row, width, measure(style), { text: '…', face: faces.standard(style), level: 0 });
        kept[kept.length - 1] = { ...last, row };
      }
      return kept.map(({ row, level, closed }) => toLine(row, level, style, closed));
    },

    line(raw, style) {
      const paragraphs = itemize(plainText(raw).replace(/\s*\n\s*/g, ' '), style, faces);
      return toLine(paragraphs[0]?.atoms ?? [], paragraphs[0]?.level ?? 0, style, false);
    },

    draw({ runs, style, width }, x, y, align = 'left') {
      budget();
      const foot = y + baseline(style);
      let at = { left: x, center: x - width / 2, right: x - width }[align];
      doc.fillColor(style.color);
      for (const run of runs) {
        faces.use(run.face, style.size);
        doc.text(run.text, at, foot, { ...ONE_LINE, textWidth: run.width, ...shaping(run.rightToLeft) });
        at += run.width;
      }
    },
  };
}

// With the width and a number of words pdfkit need not measure again for links and lines.
const ONE_LINE = { lineBreak: false, baseline: 'alphabetic', wordCount: 1 } as const;

// pdfkit shapes word by word and sets words from left to right, unless it is given a list of font features.
const shaping = (rightToLeft: boolean) => (rightToLeft ? { features: [] } : {});

const endsInSpace = (row: readonly Atom[]): boolean => row.at(-1)?.text.startsWith(' ') ?? true;

function closeRow(runs: Run[], standard: Face): void {
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
