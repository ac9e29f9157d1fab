import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { DOCS_FOLDER } from './documents.ts';

const OWN_FOLDER = fileURLToPath(new URL('.', import.meta.url));

/** The checkout, also when this code runs compiled in a folder of its own. */
export const repository = (): string => path.dirname(realpathSync(fileURLToPath(DOCS_FOLDER)));

/** Hash of what the pages depend on: documents, OpenAPI document, generator, versions of packages. */
export function hashOfInputs(openApi: string): string {
  const hash = createHash('sha256').update(openApi);
  const lockFile = path.join(repository(), 'package-lock.json');
  const files = [
    ...filesIn(realpathSync(fileURLToPath(DOCS_FOLDER))),
    ...filesIn(realpathSync(OWN_FOLDER)),
    ...(existsSync(lockFile) ? [lockFile] : []),
  ];
  for (const file of files) hash.update(`${path.basename(file)}\0`).update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}

/** Pictures belong to the README. */
const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => (entry.isFile() || entry.isSymbolicLink()) && !entry.name.endsWith('.png'))
    .flatMap((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      return entry.isSymbolicLink() ? filesIn(realpathSync(file)) : [file];
    })
    .sort();
