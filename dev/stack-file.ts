import fs from 'node:fs';
import path from 'node:path';

/** `stack.json`: addresses and logins of a running stack, for scripts and `npm run status`. */

export interface Login {
  readonly email: string;
  readonly password: string;
}

/** Null for an external part whose address is unknown here. */
export interface StackFile {
  /** Origin, no path. */
  readonly api: string;
  readonly docs: string;
  readonly temporalUi: string | null;
  readonly temporalAddress: string;
  readonly inbox: string | null;
  /** Lists the messages, newest first. */
  readonly inboxApi: string | null;
  readonly s3: string;
  readonly databaseUrl: string;
  readonly adminDatabaseUrl: string;
  readonly demo: { readonly owner: Login; readonly free: Login; readonly apiKey: string };
}

/** The settings of its processes, by the names of `adapters/config.ts`: for the commands of `npm run quoting`. */
export type Settings = Readonly<Record<string, string>>;

const STACK = 'stack.json';
const SETTINGS = 'settings.json';

/** Both files of a stack that is ready. */
export function writeStackFile(dataDir: string, stack: StackFile, settings: Settings): void {
  write(dataDir, SETTINGS, settings);
  write(dataDir, STACK, stack);
}

// Written above, so they have these types.
export const readStackFile = (dataDir: string) => read(dataDir, STACK) as StackFile | undefined;
export const readSettings = (dataDir: string) => read(dataDir, SETTINGS) as Settings | undefined;

export function removeStackFile(dataDir: string): void {
  for (const name of [STACK, SETTINGS]) fs.rmSync(path.join(dataDir, name), { force: true });
}

/** Written by rename, readable by the owner only: they hold passwords. */
function write(dataDir: string, name: string, content: object): void {
  const file = path.join(dataDir, name);
  fs.writeFileSync(`${file}.tmp`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  fs.renameSync(`${file}.tmp`, file);
}

function read(dataDir: string, name: string): unknown {
  try {
    return JSON.parse(fs.readFileSync(path.join(dataDir, name), 'utf8'));
  } catch {
    return undefined;
  }
}
