import type { QuoteDrawing } from '../../domain/quote-drawing.ts';
import { mixed, readableOnWhite, textOn } from './color.ts';

/** The theme of the document: sizes in points (1/72 inch), colours, and the text styles made of them. */

const PAPER = { A4: { width: 595.28, height: 841.89 }, LETTER: { width: 612, height: 792 } } as const;

export interface Page {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  /** The x where the right margin begins. */
  readonly rightEdge: number;
  readonly top: number;
  /** Height of the lower margin. */
  readonly bottom: number;
  /** Width between the margins. */
  readonly contentWidth: number;
}

const MARGIN = { side: 48, top: 46, bottom: 62 } as const;

const pageOf = (paper: QuoteDrawing['paper']): Page => {
  const { width, height } = PAPER[paper];
  const { side, top, bottom } = MARGIN;
  return { width, height, left: side, rightEdge: width - side, top, bottom, contentWidth: width - 2 * side };
};

const INK = '#1f2933';
const MUTED = '#5c6875';
const NAVY = '#1f4e79';
const HAIRLINE = '#d6dce2';

interface Palette {
  /** Across the top of the first page; absent without branding. */
  readonly stripe: string | null;
  readonly hairline: string;
  /** Of lines that text stands on. */
  readonly muted: string;
  /** Behind the table's heading, and the text on it. */
  readonly band: string;
  readonly onBand: string;
  /** Behind the total. */
  readonly tint: string;
  readonly primary: string;
  readonly accent: string;
}

/** A business's colour is used unchanged for areas, and darkened for text until it is readable on white. */
function paletteOf({ branding }: QuoteDrawing): Palette {
  const { primaryColor, accentColor } = branding ?? {};
  const primary = primaryColor ?? NAVY;
  const accent = accentColor ?? primary;
  return {
    stripe: primaryColor ?? accentColor ?? null,
    hairline: HAIRLINE,
    muted: MUTED,
    band: primaryColor ?? '#f2f5f8',
    onBand: primaryColor ? textOn(primaryColor, INK) : MUTED,
    tint: mixed(primary, '#ffffff', 0.93),
    primary: readableOnWhite(primary),
    accent,
  };
}

export interface Style {
  readonly size: number;
  readonly color: string;
  readonly bold?: boolean;
  readonly italic?: boolean;
  /** Instead of the document's own. */
  readonly family?: Family;
  /** Of a line that joins several texts: it runs from left to right, whatever the script of the first one. */
  readonly leftToRight?: boolean;
}

export type Family = 'Helvetica' | 'Times' | 'Courier';

const stylesOf = ({ primary, onBand, accent }: Palette) =>
  ({
    company: { size: 15, color: INK, bold: true },
    title: { size: 21, color: primary, bold: true },
    body: { size: 9.5, color: INK },
    rowLabel: { size: 9.5, color: MUTED },
    strong: { size: 11, color: INK, bold: true },
    small: { size: 8.5, color: MUTED },
    label: { size: 8, color: readableOnWhite(accent), bold: true },
    heading: { size: 8, color: onBand, bold: true },
    total: { size: 13, color: primary, bold: true },
    running: { size: 8, color: MUTED },
    joined: { size: 8, color: MUTED, leftToRight: true },
    joinedBody: { size: 9.5, color: INK, leftToRight: true },
    dense: { size: 8.5, color: INK },
    code: { size: 8.5, color: INK, family: 'Courier' },
    signed: { size: 24, color: INK, italic: true, family: 'Times' },
  }) as const satisfies Record<string, Style>;

export interface Look {
  readonly page: Page;
  readonly color: Palette;
  readonly style: ReturnType<typeof stylesOf>;
  readonly family: Family;
}

export function createLook(drawing: QuoteDrawing): Look {
  const color = paletteOf(drawing);
  const family = drawing.branding?.fontFamily ?? 'Helvetica';
  return { page: pageOf(drawing.paper), color, style: stylesOf(color), family };
}

/** Distance from one line to the next. */
export const leading = (style: Style): number => style.size * 1.36;

/** Distance from the top of a line to its baseline; part of the style, so that all fonts share the baseline. */
export const baseline = (style: Style): number => leading(style) / 2 + style.size * 0.34;
