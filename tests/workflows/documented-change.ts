import { readFile } from 'node:fs/promises';

/** A change as `docs/workflows.md` shows it: blocks of ```diff, each with a name. */

const DOCUMENT = new URL('../../docs/workflows.md', import.meta.url);

/** The named diffs of the document, in their order. */
export async function documentedDiffs(): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(DOCUMENT, 'utf8');
  return new Map([...text.matchAll(/^```diff (\S+)\n(.*?)^```$/gms)].map(([, name = '', diff = '']) => [name, diff]));
}

/**
 * Applies a diff without line numbers: each hunk, ended by a line of three dots, says what stands there (lines that
 * begin with a blank or "-") and what is to stand there (a blank or "+"). Throws when the source has it not exactly once.
 */
export const applyDiff = (source: string, diff: string): string =>
  hunksOf(diff).reduce((text, { before, after }) => {
    const parts = text.split(before);
    if (parts.length !== 2) throw new Error(`the source does not have this once:\n${before}`);
    return parts.join(after);
  }, source);

/** Whether somebody made the change already. */
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
