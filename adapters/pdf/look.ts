/** The look of the document: sizes in points (1/72 inch), colours, and the text styles made of them. */

export const PAGE = { width: 595.28, height: 841.89, left: 48, right: 48, top: 46, bottom: 62 } as const;

/** Width between the margins. */
export const CONTENT_WIDTH = PAGE.width - PAGE.left - PAGE.right;

export const COLOR = {
  ink: '#1f2933',
  muted: '#5c6875',
  hairline: '#d6dce2',
  band: '#f2f5f8',
  accent: '#1f4e79',
} as const;

export interface Style {
  readonly size: number;
  readonly color: string;
  readonly bold?: boolean;
}

export const STYLE = {
  company: { size: 15, color: COLOR.ink, bold: true },
  title: { size: 21, color: COLOR.accent, bold: true },
  body: { size: 9.5, color: COLOR.ink },
  strong: { size: 11, color: COLOR.ink, bold: true },
  small: { size: 8.5, color: COLOR.muted },
  label: { size: 8, color: COLOR.muted, bold: true },
  total: { size: 13, color: COLOR.accent, bold: true },
  running: { size: 8, color: COLOR.muted },
} as const satisfies Record<string, Style>;

/** Distance from one line to the next. */
export const leading = (style: Style): number => style.size * 1.36;
