import fs from 'node:fs';
import path from 'node:path';

/** The nearest parent folder with a package.json: compiled code lies deeper than its source. */
export const REPOSITORY = above(import.meta.dirname);

function above(folder: string): string {
  const parent = path.dirname(folder);
  return fs.existsSync(path.join(parent, 'package.json')) ? parent : above(parent);
}

/** The data folder of the embedded stack: `.data`, or `DATA_DIR`. */
export const dataDir = (): string => path.resolve(REPOSITORY, process.env['DATA_DIR'] || '.data');

/** A path for display: relative when it lies in the repository. */
export function shown(file: string): string {
  const relative = path.relative(REPOSITORY, file);
  return relative.startsWith('..') ? file : relative;
}
