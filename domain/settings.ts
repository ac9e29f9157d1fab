/** Where clients pay; drawn on the PDF of PRO businesses. */
export interface BankInfo {
  readonly bankName?: string;
  readonly clabe?: string;
}

export const FONT_FAMILIES = ['Helvetica', 'Times', 'Courier'] as const;
export const HEADER_LAYOUTS = ['left', 'center', 'right'] as const;
// spec gap: the paper. A4 unless the business says Letter, which is what offices in Mexico print on.
export const PAPER_SIZES = ['A4', 'LETTER'] as const;
export type PaperSize = (typeof PAPER_SIZES)[number];

/** How the PDF of PRO businesses looks (spec, section 2); what is absent is as on everybody's. */
export interface PdfBranding {
  /** #rgb or #rrggbb */
  readonly primaryColor?: string;
  readonly accentColor?: string;
  readonly fontFamily?: (typeof FONT_FAMILIES)[number];
  readonly headerLayout?: (typeof HEADER_LAYOUTS)[number];
  readonly footerText?: string;
  readonly paperSize?: PaperSize;
}
