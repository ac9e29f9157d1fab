/** A LIKE pattern for "contains this text": the wildcards in it are literal. */
const containing = (term: string): string => `%${term.replace(/[\\%_]/g, '\\$&')}%`;

/** The number that a search names: 12 in "12", "COT-12" and "cot 12". */
export function numberIn(term: string): number | undefined {
  const [, digits] = /^(?:cot[- ]?)?0*(\d{1,9})$/i.exec(term.trim()) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** SQL for "one of the columns contains the term, whatever its case and accents", for whereRaw(...). */
export const anyContains = (columns: readonly string[], term: string): [string, string[]] => [
  `(${columns.map(() => `search_text(??) like search_text(?) escape '\\'`).join(' or ')})`,
  columns.flatMap((column) => [column, containing(term)]),
];
