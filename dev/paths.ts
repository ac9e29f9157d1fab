import fs from 'node:fs';
import path from 'node:path';

/** The nearest folder above with a package.json: compiled code lies deeper than its source. */
export const REPOSITORY = above(import.meta.dirname);

function above(folder: string): string {
  const parent = path.dirname(folder);
  return fs.existsSync(path.join(parent, 'package.json')) ? parent : above(parent);
}

/** Where the embedded stack keeps its data: `.data`, or the folder that `DATA_DIR` names. */
export const dataDir = (): string => path.resolve(REPOSITORY, process.env['DATA_DIR'] || '.data');

/** A path as it reads best: relative to the repository when it lies in it. */
export function shown(file: string): string {
  const relative = path.relative(REPOSITORY, file);
  return relative.startsWith('..') ? file : relative;
}
