import { readFileSync, writeFileSync } from 'node:fs';

/** The trace of a share in docs/operations.md, between two markers. */

const DOCUMENT = new URL('../../docs/operations.md', import.meta.url);
const BETWEEN = /(<!-- trace: begin -->\n)([\s\S]*)(<!-- trace: end -->)/;

export const shownTrace = (): string => /```text\n([\s\S]*?)```/.exec(BETWEEN.exec(read())?.[2] ?? '')?.[1] ?? '';

export function writeTrace(tree: string): void {
  const document = read();
  if (!BETWEEN.test(document)) throw new Error('docs/operations.md lacks the markers around its trace');
  writeFileSync(
    DOCUMENT,
    document.replace(
      BETWEEN,
      (_all, begin: string, _old: string, end: string) => `${begin}\n\`\`\`text\n${tree}\n\`\`\`\n\n${end}`,
    ),
  );
}

const read = (): string => readFileSync(DOCUMENT, 'utf8');

/** Each line of a tree with its parent, "child < parent": the part that is the same in every run. */
export function linksOf(tree: string): readonly string[] {
  const above: string[] = [];
  return tree
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const depth = /^[│├└─ ]*/.exec(line)?.[0].length ?? 0;
      const name = line.slice(depth).replace(/ {2}\(.*$/, '');
      above.length = depth / 3;
      above.push(name);
      return `${name} < ${above.at(-2) ?? ''}`;
    });
}
