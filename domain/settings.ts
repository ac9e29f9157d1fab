import type { PaperSize } from './paper.ts';

/** Where clients pay; drawn on the PDFs of PRO businesses. */
export interface BankInfo {
  readonly bankName?: string;
  readonly clabe?: string;
  /** The account holder. */
  readonly beneficiary?: string;
}

export const FONT_FAMILIES = ['Helvetica', 'Times', 'Courier'] as const;
export const HEADER_LAYOUTS = ['left', 'center', 'right'] as const;

/** The template settings for PDFs of PRO businesses; an absent setting has its default. */
export interface PdfBranding {
  /** #rgb or #rrggbb */
  readonly primaryColor?: string;
  readonly accentColor?: string;
  readonly fontFamily?: (typeof FONT_FAMILIES)[number];
  readonly headerLayout?: (typeof HEADER_LAYOUTS)[number];
  readonly footerText?: string;
  /** Older form of the setting of the same name, which takes precedence. */
  readonly paperSize?: PaperSize;
}
