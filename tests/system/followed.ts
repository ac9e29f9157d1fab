import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { copySource } from '../source-copy.ts';
import { applyDiff, isApplied } from '../workflows/documented-change.ts';
import { document } from '../docs/documents.ts';

/** A copy of the source after following CONTRIBUTING.md. */
export interface Followed {
  readonly folder: string;
  /** The files that its blocks create or change. */
  readonly files: readonly string[];
  remove(): void;
}

/** Copies the tree and applies every block of CONTRIBUTING.md. */
export function followContributing(): Followed {
  const folder = copySource('quoting-followed-');
  const files = follow(folder);
  return {
    folder,
    files,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/**
 * Does in a source folder what the blocks say and is not done yet: whole files, then changes. Returns the files that
 * they name.
 */
export function follow(folder: string): readonly string[] {
  const { blocks } = document('CONTRIBUTING.md');
  const made = blocks
    .filter(({ language }) => language === 'ts')
    .map(({ info, text }) => ({ file: pathIn(info), text }));
  for (const { file, text } of made) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), `${text}\n`);
  }
  const changed = blocks.filter(({ language }) => language === 'diff');
  for (const { info, text } of changed) {
    const path = join(folder, info);
    const source = readFileSync(path, 'utf8');
    // A contributor who follows the example in the tree itself runs the tests there.
    if (!isApplied(source, text)) writeFileSync(path, applyDiff(source, text));
  }
  return [...made.map(({ file }) => file), ...changed.map(({ info }) => info)];
}

const pathIn = (info: string): string => info.replace(/^file /, '');
