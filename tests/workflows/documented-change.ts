import { readFile } from 'node:fs/promises';

/** A change in `docs/workflows.md`: blocks of ```diff, each with a name. */

const DOCUMENT = new URL('../../docs/workflows.md', import.meta.url);

/** The named diffs of the document, in order. */
export async function documentedDiffs(): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(DOCUMENT, 'utf8');
  return new Map([...text.matchAll(/^```diff (\S+)\n(.*?)^```$/gms)].map(([, name = '', diff = '']) => [name, diff]));
}

/**
 * Applies a diff without line numbers: each hunk, ended by a line of three dots, has the present lines (beginning with
 * a blank or "-") and the new ones (a blank or "+"). Throws unless the present lines occur exactly once in the source.
 */
export const applyDiff = (source: string, diff: string): string =>
  hunksOf(diff).reduce((text, { before, after }) => {
    const parts = text.split(before);
    if (parts.length !== 2) throw new Error(`the source does not have this once:\n${before}`);
    return parts.join(after);
  }, source);

/** Whether the change has been applied already. */
export const isApplied = (source: string, diff: string): boolean =>
  hunksOf(diff).every(({ after }) => source.includes(after));

const hunksOf = (diff: string): readonly { readonly before: string; readonly after: string }[] =>
  diff.split(/^ \.\.\.\n/m).map((hunk) => {
    const lines = hunk.split('\n').filter((line) => line !== '');
    const side = (sign: '-' | '+') =>
      lines
        .filter((line) => line.startsWith(' ') || line.startsWith(sign))
        .map((line) => `${line.slice(1)}\n`)
        .join('');
    return { before: side('-'), after: side('+') };
  });
