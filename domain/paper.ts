/** Paper sizes of documents. */
export const PAPER_SIZES = ['A4', 'LETTER'] as const;
export type PaperSize = (typeof PAPER_SIZES)[number];

/** Countries that print on Letter; all others use A4. */
const LETTER: ReadonlySet<string> = new Set([
  'MX', 'US', 'CA', 'CO', 'CL', 'CR', 'DO', 'GT', 'HN', 'NI', 'PA', 'PH', 'PR', 'SV', 'VE',
]); // prettier-ignore

export const paperOf = (country: string): PaperSize => (LETTER.has(country) ? 'LETTER' : 'A4');
