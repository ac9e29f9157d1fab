import { readFileSync } from 'node:fs';
import path from 'node:path';

/** host:port of the Temporal server that `npm start` runs, from its `stack.json`; undefined when none is running. */
export function embeddedTemporal(env: Readonly<Record<string, string | undefined>>): string | undefined {
  try {
    const text = readFileSync(path.resolve(env['DATA_DIR'] || '.data', 'stack.json'), 'utf8');
    return (JSON.parse(text) as { readonly temporalAddress?: string }).temporalAddress; // written by the launcher
  } catch {
    return undefined;
  }
}
