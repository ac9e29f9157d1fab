import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Route } from '../../../api/route.ts';
import type { Examples } from './collect.ts';

/** The committed examples: one file for each resource, and one for the events. */

const FOLDER = new URL('../../../api/openapi/examples/', import.meta.url);

type Files = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The content of each file. Operations are named by their ids and in the order of the reference. */
export function filesOf({ operations, events }: Examples, routes: readonly Route[]): Files {
  const files: Record<string, Record<string, unknown>> = {};
  for (const { method, path, operationId } of routes) {
    const examples = operations[`${method} ${path}`];
    const [, , resource = ''] = path.split('/');
    if (examples) (files[`${resource}.json`] ??= {})[operationId] = examples;
  }
  files['events.json'] = Object.fromEntries(Object.entries(events).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return files;
}

export function writeFiles(files: Files): void {
  for (const name of readdirSync(FOLDER)) rmSync(new URL(name, FOLDER));
  for (const [name, content] of Object.entries(files))
    writeFileSync(new URL(name, FOLDER), `${JSON.stringify(content, null, 2)}\n`);
}

export const readFiles = (): Files =>
  Object.fromEntries(
    readdirSync(FOLDER)
      .toSorted()
      // Written by `writeFiles`.
      .map((name) => [name, JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as Files[string]]),
  );
