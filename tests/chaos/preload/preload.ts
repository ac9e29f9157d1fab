import { fileURLToPath } from 'node:url';

/** Faults within a process: each is a module that Node loads before the process's own. */
export type Suffering = 'clock' | 'block' | 'leak' | 'collect';

/** Node's flags for it. */
export const suffers = (from: Suffering): readonly string[] => [
  '--import',
  fileURLToPath(new URL(`${from}.mjs`, import.meta.url)),
];
