import fs from 'node:fs';
import path from 'node:path';

/** `stack.json`: where a running stack is and how to get in, for scripts and `npm run status`. */

export interface Login {
  readonly email: string;
  readonly password: string;
}

/** A part that a real one replaces and whose address is not known here is null. */
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

const fileIn = (dataDir: string) => path.join(dataDir, 'stack.json');

/** Written in one go, readable by its owner only: it holds passwords. */
export function writeStackFile(dataDir: string, stack: StackFile): void {
  const part = `${fileIn(dataDir)}.tmp`;
  fs.writeFileSync(part, `${JSON.stringify(stack, null, 2)}\n`, { mode: 0o600 });
  fs.renameSync(part, fileIn(dataDir));
}

export function readStackFile(dataDir: string): StackFile | undefined {
  try {
    return JSON.parse(fs.readFileSync(fileIn(dataDir), 'utf8')) as StackFile; // written above
  } catch {
    return undefined;
  }
}

export function removeStackFile(dataDir: string): void {
  fs.rmSync(fileIn(dataDir), { force: true });
}
