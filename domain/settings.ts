import type { PaperSize } from './paper.ts';

/** Where clients pay; drawn on the PDF of PRO businesses. */
export interface BankInfo {
  readonly bankName?: string;
  readonly clabe?: string;
  /** Whose account it is. */
  readonly beneficiary?: string;
}

export const FONT_FAMILIES = ['Helvetica', 'Times', 'Courier'] as const;
export const HEADER_LAYOUTS = ['left', 'center', 'right'] as const;

/** How the PDF of PRO businesses looks (spec, section 2); what is absent is as on everybody's. */
export interface PdfBranding {
  /** #rgb or #rrggbb */
  readonly primaryColor?: string;
  readonly accentColor?: string;
  readonly fontFamily?: (typeof FONT_FAMILIES)[number];
  readonly headerLayout?: (typeof HEADER_LAYOUTS)[number];
  readonly footerText?: string;
  /** From before the setting of the same name, which wins. */
  readonly paperSize?: PaperSize;
}
