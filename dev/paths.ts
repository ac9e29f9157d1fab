import path from 'node:path';

export const REPOSITORY = path.dirname(import.meta.dirname);

/** Where the embedded stack keeps its data: `.data`, or the folder that `DATA_DIR` names. */
export const dataDir = (): string => path.resolve(REPOSITORY, process.env['DATA_DIR'] || '.data');

/** A path as it reads best: relative to the repository when it lies in it. */
export function shown(file: string): string {
  const relative = path.relative(REPOSITORY, file);
  return relative.startsWith('..') ? file : relative;
}
